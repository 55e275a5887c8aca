"""Text that is markup, formula, header or code elsewhere stays text, on every page and in every file."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from django.apps import apps
from django.db import models
from django.http import HttpResponse

from clubs.models import Club
from tests.clubs.archive.years import Years
from tests.trust.attempts import Attempt
from tests.trust.pages.test_crawl import ROLES, Crawl, browser

#: In every injection, so that it is known where it comes out; and no letter of a name.
MARK = "zq7"
#: What people write, by column. What only says which of several is no text.
TEXTS = {
    "name", "nickname", "shown_as", "place", "about", "says", "label", "title", "thing", "called", "caption", "reason",
    "why", "club_name", "home", "stakes", "closed", "term", "meaning", "problem",
}  # fmt: skip
TAGS = ("script", "img", "svg", "iframe", "a", "b", "style", "base", "meta", "form", "input", "textarea", "title")
BEFORE = ("", '"', "'", "'>", '">', "-->", "]]>", "</title>", "</script>", "</textarea>", "</svg>", "&lt;")
FORMULAS = ("=", "+", "-", "@", "\t=", " =", "=+", "＝")
CODE = (
    "{{ zq7 }}", "{% zq7 %}", "${zq7}", "#{zq7}", "<%= zq7 %>", "javascript:zq7()", "data:text/html,zq7", "`zq7`",
    "\\u003czq7\\u003e", "%3Czq7%3E", "&#60;zq7&#62;", "\\x3czq7", "zq7\\", "zq7\\n", "../../zq7",
    "zq7;drop table x;--",
    "' or 1=1--zq7", "zq7%00", "$(zq7)", "|zq7", "zq7&x=1", "zq7#x", "zq7?x", "@import 'zq7'", "url(zq7)", "}zq7{",
    "BEGIN:VEVENT zq7", "zq7,;:\\", "zq7: 1", "a\u202ezq7", "\u200bzq7", "zq7\u2028x", "[zq7](http://x)", "\"zq7\":",
)  # fmt: skip


def injections() -> Iterator[str]:
    """Two hundred and more, each with the mark, the short ones first."""
    yield from CODE
    yield from (f"{sign}{MARK}" for sign in FORMULAS)
    for before, tag in itertools.product(BEFORE, TAGS):
        yield f"{before}<{tag} on{MARK}=1>"
    for before in BEFORE:
        yield f"{before} on{MARK}=1 x="
        yield f"{before}<{MARK}>"
    for scheme in ("javascript", "vbscript", "data"):
        yield f"{scheme}:{MARK}//"


def write_everywhere() -> int:
    """Every text that somebody wrote becomes an injection, each row of its own as long as there are some."""
    told, written = itertools.cycle(injections()), 0
    for app in ("clubs", "scoresheets"):
        for model in apps.get_app_config(app).get_models():
            names = [
                one.name
                for one in model._meta.fields
                if isinstance(one, models.CharField | models.TextField) and one.name in TEXTS and not one.choices
            ]
            for row in model._base_manager.all() if names else ():
                for name in names:
                    if getattr(row, name):
                        setattr(row, name, fitting(next(told), model._meta.get_field(name).max_length))
                        written += 1
                model._base_manager.filter(pk=row.pk).update(**{name: getattr(row, name) for name in names})
    return written


def fitting(text: str, most: int | None) -> str:
    return text[:most] if most else text


class Page(HTMLParser):
    """What an injection has become on a page that should be text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.within = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.within = tag if tag in ("script", "style") else ""
        if MARK in tag or any(MARK in name for name, _ in attrs):
            self.wrong.append(f"<{tag} {attrs}>")
        for name, value in attrs:
            scheme = re.match(r"\s*(javascript|vbscript|data):", value or "", re.IGNORECASE)
            if name in ("href", "src", "action", "formaction") and scheme and MARK in (value or ""):
                self.wrong.append(f"{name}={value}")
            if name == "style" and MARK in (value or ""):
                self.wrong.append(f"{name}={value}")

    def handle_endtag(self, tag: str) -> None:
        self.within = ""

    def handle_data(self, data: str) -> None:
        if self.within == "style" and MARK in data:
            self.wrong.append(f"in a style: {data[:80]}")

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.wrong.append(f"a comment: {data[:80]}")


def wrong_in_xml(text: bytes) -> list[str]:
    return [f"<{element.tag}>" for element in ElementTree.fromstring(text).iter() if MARK in str(element.tag)]


def wrong_in_cells(rows: Iterator[list[str]]) -> list[str]:
    return [cell for row in rows for cell in row if MARK in cell and cell[:1] in ("=", "+", "-", "@", "\t", "\r", "＝")]


def wrong_in_workbook(content: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        texts = [book.read(name) for name in book.namelist() if name.endswith(".xml")]
    formulas = [text for text in texts if re.search(rb"<f[ >][^<]*" + MARK.encode(), text)]
    return [
        *(f"a formula: {text[:80]!r}" for text in formulas),
        *(line for text in texts for line in wrong_in_xml(text)),
    ]


def wrong_in(answer: HttpResponse) -> list[str]:
    """What is no text any more in an answer."""
    kind, content = answer["Content-Type"].partition(";")[0], answer.content
    headers = [f"{name}: {value}" for name, value in answer.headers.items() if MARK in name or "\n" in value]
    match kind:
        case "text/html":
            return [*headers, *Page(content.decode()).wrong]
        case "text/csv":
            return [*headers, *wrong_in_cells(csv.reader(io.StringIO(content.decode("utf-8-sig"))))]
        case "text/calendar":
            lines = content.decode().split("\r\n")
            return [
                *headers,
                *(line for line in lines if re.match(r"(BEGIN:VEVENT .|[^A-Z ].*|X-?" + MARK + ")", line, re.I)),
            ]
        case "application/json" | "application/manifest+json" | "application/feed+json":
            json.loads(content)
            return headers
        case "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":
            return [*headers, *wrong_in_workbook(content)]
        case _ if kind.endswith("xml"):
            return [*headers, *wrong_in_xml(content)]
    return headers


@dataclass
class Inspection(Crawl):
    """A crawl that looks at every answer. `kinds`: how many of each kind of content."""

    wrong: list[str] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)
    marked: int = 0

    def open(self, address: str, found_on: str) -> HttpResponse | None:
        answer = super().open(address, found_on)
        if answer is not None and not answer.streaming:
            kind = answer["Content-Type"].partition(";")[0]
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
            self.marked += MARK.encode() in answer.content
            self.wrong += [f"{address}: {line}" for line in wrong_in(answer)]
        return answer


@pytest.mark.promise(7)
@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.timeout(3600)
def test_injections_are_text_on_every_page_and_in_every_file(attempt: Attempt) -> None:
    club = Years("injected").live(attempt.size(12, 250)).club
    Club.objects.filter(pk=club.pk).update(visibility=Club.Visibility.LINK)
    written = write_everywhere()
    club.refresh_from_db()
    wrong, pages, marked, kinds = list[str](), 0, 0, set[str]()
    for role in ROLES if attempt.whole else ("organiser",):
        begin = ("/", f"/clubs/{club.slug}/", f"/calendar/{club.calendar_key}.ics")
        crawl = Inspection(browser(role, club), attempt.size(1, 4)).run(*begin)
        wrong += [f"{role}: {line}" for line in crawl.wrong]
        pages, marked, kinds = pages + crawl.pages, marked + crawl.marked, kinds | set(crawl.kinds)
    assert wrong == []
    assert marked > pages / 4
    assert {"text/html", "text/csv", "text/calendar"} <= kinds
    attempt.saw(
        f"{len(list(injections()))} injections in {written:,} texts, {pages:,} pages and files of {len(kinds)} kinds:"
        f" {marked:,} show some, all as text"
    )
