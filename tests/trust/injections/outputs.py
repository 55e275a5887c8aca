"""What an injection has become in what the site answers, sends or hands out: "wrong" is what is no text any more."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from email.message import Message
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

from django.http import HttpResponse
from PIL import Image

from tests.trust.injections.texts import MARK


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


def wrong_in_picture(content: bytes) -> list[str]:
    """A picture is one, whatever is drawn on it, and says nothing beside."""
    with Image.open(io.BytesIO(content)) as picture:
        picture.load()
        return [f"{name}: {value}" for name, value in picture.info.items() if MARK in f"{value}"]


def wrong_in_headers(answer: HttpResponse) -> list[str]:
    """No header has a name that was typed or ends within a text, and how a file is called says nothing else of it."""
    told = Message()
    told["Content-Disposition"] = answer.get("Content-Disposition", "inline")
    said = {name for name, _ in told.get_params(header="Content-Disposition") or ()}
    return [
        *(f"{name}: {value}" for name, value in answer.headers.items() if MARK in name or "\n" in value),
        *(f"Content-Disposition: {name}" for name in said - {"inline", "attachment", "filename"}),
    ]


class Words(HTMLParser):
    """All that stands on a page as text, as the value of something, or in data for a script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.is_data = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.is_data = tag == "script" and ("type", "application/json") in attrs
        self.said += (value for _, value in attrs if value)

    def handle_endtag(self, tag: str) -> None:
        self.is_data = False

    def handle_data(self, data: str) -> None:
        self.said += strings_in(json.loads(data)) if self.is_data else (data,)


def strings_in(value: Any) -> Iterator[str]:
    """All texts in a JSON document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings_in(each)


def words_in_xml(text: bytes) -> Iterator[str]:
    for element in ElementTree.fromstring(text).iter():
        yield from (element.text or "", element.tail or "", *element.attrib.values())


def words_in(answer: HttpResponse) -> str:
    """All that an answer says as text, as whoever reads it is told, with one space for many; "" if none can be read."""
    kind, content = answer["Content-Type"].partition(";")[0], answer.content
    match kind:
        case "text/html":
            said: Iterable[str] = Words(content.decode()).said
        case "text/csv":
            said = (cell for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))) for cell in row)
        case "text/calendar":
            said = [re.sub(r"\\([\\;,])", r"\1", content.decode().replace("\r\n ", ""))]
        case _ if kind.endswith("json"):
            said = strings_in(json.loads(content))
        case "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":
            with zipfile.ZipFile(io.BytesIO(content)) as book:
                texts = [book.read(name) for name in book.namelist() if name.endswith(".xml")]
            said = [word for text in texts for word in words_in_xml(text)]
        case _ if kind.endswith("xml"):
            said = words_in_xml(content)
        case _:
            said = ()
    return with_single_spaces("\n".join(said))


def with_single_spaces(text: str) -> str:
    return " ".join(text.split())


def wrong_in(answer: HttpResponse) -> list[str]:
    """What is no text any more in an answer."""
    kind, content = answer["Content-Type"].partition(";")[0], answer.content
    headers = wrong_in_headers(answer)
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
        case "image/png":
            return [*headers, *wrong_in_picture(content)]
        case _ if kind.endswith("xml"):
            return [*headers, *wrong_in_xml(content)]
    return headers
