"""A phone without a script: it reads the page, taps a button, and follows where it is led."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.models import Sheet
from tests.factories import Scorer, opened

SECRET = "a-phone-at-the-table--"


@dataclass
class Button:
    """A button with the form it sends, and everything a reader of the page is told about it."""

    label: str = ""
    attributes: dict[str, str | None] = field(default_factory=dict)
    form: dict[str, str | None] = field(default_factory=dict)


class Page(HTMLParser):
    """The buttons, inputs, links and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.buttons: list[Button] = []
        self.inputs: list[tuple[dict[str, str | None], str, str]] = []
        self.links: dict[str, str] = {}
        self.said: list[str] = []
        self.form: dict[str, str | None] = {}
        self.forms: dict[str, dict[str, str | None]] = {}
        self.pressed: Button | None = None
        self.link: tuple[str, list[str]] | None = None
        self.feed(text)
        self.text = " ".join("".join(self.said).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form":
            self.form = attributes
            self.forms[attributes.get("id") or ""] = attributes
        elif tag == "button":
            self.pressed = Button("", attributes, self.form)
            self.buttons.append(self.pressed)
        elif tag == "input" and (attributes.get("type") not in ("radio", "checkbox") or "checked" in attributes):
            self.inputs.append((self.form, attributes.get("name") or "", attributes.get("value") or ""))
        elif tag == "a":
            self.link = (attributes.get("href") or "", [])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = {}
        elif tag == "button":
            self.pressed = None
        elif tag == "a" and self.link:
            self.links[" ".join("".join(self.link[1]).split())] = self.link[0]
            self.link = None
        if tag not in ("a", "b", "bdi"):
            self.said.append(" ")

    def handle_data(self, data: str) -> None:
        self.said.append(data)
        if self.pressed:
            self.pressed.label += data
        if self.link:
            self.link[1].append(data)

    def button(self, label: str) -> Button:
        """The button with this label, or this text on it, or whose text begins with it."""
        for button in self.buttons:
            text = " ".join(button.label.split())
            if button.attributes.get("aria-hidden") != "true" and label in (button.attributes.get("aria-label"), text):
                return button
        found = [button for button in self.buttons if " ".join(button.label.split()).startswith(label)]
        assert found, f"no button {label!r} among {[b.attributes.get('aria-label') or b.label for b in self.buttons]}"
        return found[0]


class Plain:
    """A phone without a script at a table of its own."""

    def __init__(self, players: Sequence[str] | int = 4, **more: object) -> None:
        made = opened(players, browser=hashed(SECRET), **more)
        self.scorer = Scorer(made.sheet, made.keeper)
        self.client = Client()
        self.client.cookies[BROWSER_COOKIE] = SECRET
        self.code = made.sheet.code
        self.look()

    @classmethod
    def before(cls, sheet: Sheet, secret: str) -> Plain:
        """The phone of that scorer at a table that is there already. It has loaded nothing yet."""
        phone = cls.__new__(cls)
        phone.scorer = Scorer(sheet, sheet.scorekeepers.get(browser=hashed(secret)))
        phone.client, phone.code = Client(), sheet.code
        phone.client.cookies[BROWSER_COOKIE] = secret
        return phone

    def url(self, name: str) -> str:
        return reverse(name, args=[self.code])

    def look(self, address: str = "") -> Page:
        """Load the pad, or another page."""
        self.show(self.client.get(address or self.url("pad"), follow=True))
        return self.page

    def show(self, response: HttpResponse) -> None:
        self.response = response
        self.page = Page(response.content.decode())

    @property
    def status(self) -> int:
        return self.response.status_code

    def body(self, label: str) -> tuple[str, dict[str, list[str]]]:
        """Where a tap on the button would send what."""
        button = self.page.button(label)
        name = button.attributes.get("form")
        form = self.page.forms[name] if name else button.form
        data: dict[str, list[str]] = {}
        for owner, field_name, value in self.page.inputs:
            if owner is form:
                data.setdefault(field_name, []).append(value)
        if button.attributes.get("name"):
            data.setdefault(str(button.attributes["name"]), []).append(str(button.attributes.get("value") or ""))
        return str(button.attributes.get("formaction") or form["action"]), data

    def tap(self, label: str) -> Page:
        """Tap a button and follow where it leads; `status` is that of the answer itself."""
        address, data = self.body(label)
        self.show(self.client.post(address, data))
        if self.response.status_code == 303:
            self.look(self.response["Location"])
        return self.page
