"""The page of prompts without a script: prompts that are not due are hidden, answers are filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from scoresheets.pad.prompt_pad import PromptPad
from scoresheets.pad.state import Step
from scoresheets.wording.markup import without_indents

#: `data-when="answered hunt-4"`, `data-unless="due tricks"`, `data-when="wrote bid picker 2"`.
CONDITION = re.compile(r'data-(?P<how>when|unless)="(?P<what>answered|due|shows|wrote|leads|deals) (?P<name>[^"]+)"')


def filled_in(page: str, face: PromptPad) -> SafeString:
    """The rendered asks: parts that have not their time are hidden, and the form in front has what stands there."""

    def shown_or_hidden(attribute: re.Match[str]) -> str:
        name = attribute["name"]
        holds = {
            "answered": name in face.steps,
            "due": name == face.shown,
            "shows": bool(face.pad.shows.get(name)),
            "wrote": wrote(face.steps, *name.split(" ")),
            "leads": name == str(face.leader),
            "deals": name == str(face.hand.dealer),
        }[attribute["what"]]
        return attribute[0] if holds == (attribute["how"] == "when") else f"{attribute[0]} hidden"

    given = face.given or face.steps.get(face.shown, {})
    page = without_indents(CONDITION.sub(shown_or_hidden, page))
    # It was rendered and escaped before.
    return mark_safe(Form(page, face.shown, given).filled if given else page)  # noqa: S308


class Form(HTMLParser):
    """A page whose form of one ask gets the values that stand there, or those that were refused."""

    def __init__(self, page: str, ask: str, given: Mapping[str, Any]) -> None:
        super().__init__()
        self.page, self.ask = page, ask
        self.given = {name: as_posted(value) for name, value in given.items() if value is not None}
        self.lines = [0, *(at.end() for at in re.finditer("\n", page))]
        self.is_it, self.field = False, ""
        #: What is put where, by the place in the page.
        self.put: list[tuple[int, str]] = []
        self.feed(page)

    @property
    def filled(self) -> str:
        """The page with the values."""
        parts, at = [], 0
        for place, text in self.put:
            parts += [self.page[at:place], text]
            at = place
        return "".join([*parts, self.page[at:]])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = dict(attrs)
        name, value = of.get("name") or "", of.get("value") or ""
        if tag == "input" and name == "ask":
            self.is_it = of.get("data-name") == self.ask
        field = name.removeprefix("f-")
        if of.get("type") == "hidden" and name.startswith("f-") and self.given.get(field, value) != value:
            # Where each has a form, this one is another's.
            self.is_it = False
        if tag == "select":
            self.field = field
        if not self.is_it or (tag not in ("input", "option")) or of.get("type") == "hidden":
            return
        if tag == "option":
            self.write("selected" if value and self.given.get(self.field) == value else "")
        elif name.startswith("f-") and field in self.given:
            if of.get("type") in ("radio", "checkbox"):
                is_ticked = of.get("type") == "checkbox" and self.given[field] in ("true", "on")
                self.write("checked" if is_ticked or self.given[field] == value else "")
            else:
                # Of two values a browser takes the first.
                self.write(f'value="{escape(self.given[field])}"')

    def write(self, attribute: str) -> None:
        """Put the attribute into the tag that was just read."""
        line, column = self.getpos()
        tag = re.match(r"<\w+", self.page[self.lines[line - 1] + column :])
        if attribute and tag:
            self.put.append((self.lines[line - 1] + column + tag.end(), f" {attribute}"))


def as_posted(value: object) -> str:
    """A value as a form posts it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def wrote(steps: Mapping[str, Step], ask: str, field: str = "", value: str | None = None) -> bool:
    """Whether a value stands in a field of an ask, or just this one, said as a post says it.

    >>> wrote({"bid": {"picker": 2, "footlong": True}}, "bid", "footlong", "true")
    True
    """
    given = steps.get(ask, {}).get(field)
    if value is None:
        return given is not None
    return as_posted(given) == value
