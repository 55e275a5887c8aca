"""Parsing a club file. Nothing in it is trusted: anybody may have written it.

The result is a document in which every row fits its model, every reference has a target and every sheet can be
imported; or `NotTaken`, with all problems in sentences.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from typing import Any

from clubs.archive.codec import REQUIRED, Uid, empty_value, shape_of
from clubs.archive.export import FORMAT, Document, Row
from clubs.archive.references import Referred
from clubs.archive.schema import CLUB, NOUNS, Noun, noun_of
from clubs.archive.validate import faults_of_sense
from rules.core.files.schema import (  # fmt: skip
    Among,
    AnyObject,
    ListOf,
    Members,
    Name,
    NotADocument,
    Shape,
    ShortText,
    fault,
    parse,
)
from rules.core.problems import Problem
from scoresheets.files.log_schema import faults_of_copy
from scoresheets.models.sheet import LONGEST_NAME

#: Bytes of a file as it comes over the network, and of the text in it; a club of ten years has a third of them.
MOST_BYTES = 8 * 1024 * 1024
MOST_TEXT = 40 * 1024 * 1024
#: Who sits at the machine may bring more.
MOST_AT_THE_MACHINE = 1024 * 1024 * 1024
MOST_FAULTS = 12
CALLED = "The club file"

PLAYER = Members({"name": Name()}, {"shown_as": ShortText(LONGEST_NAME)})
SHEET = Members({"table": Uid(), "sheet": AnyObject()}, {})


class NotTaken(ValueError):
    """The file is not taken in. `sentences` say everything that is wrong with it, as far as it can be told."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(sentences[0])
        self.sentences = sentences


def unpacked(content: bytes, *, most: int = MOST_TEXT) -> Document:
    """The document in a file, pressed together or not. Raises `NotTaken`."""
    text = pulled_apart(content, most)
    # So many things are in no file that was written here: each of them takes room long before it is looked at.
    if text.count(b"[") + text.count(b"{") > most // 16 or text.count(b",") > most // 6:
        raise NotTaken("There is more in this file than any club has.")
    try:
        document = parse(text, CALLED)
    except NotADocument as problem:
        raise NotTaken(str(problem)) from None
    faults = [problem.message for problem in itertools.islice(faults_of(document), MOST_FAULTS)]
    if len(faults) == MOST_FAULTS:
        faults[-1] = "There are more problems with it."
    if faults or not isinstance(document, dict):
        raise NotTaken(*(faults or ["This is no club file."]))
    return document


def pulled_apart(content: bytes, most: int) -> bytes:
    """The text of a file, which may be pressed together; never more than `most` bytes of it."""
    if not content.startswith(b"\x1f\x8b"):
        text, left = content, b""
    else:
        press = zlib.decompressobj(wbits=31)
        try:
            text = press.decompress(content, most + 1)
            left = press.unused_data
        except zlib.error:
            raise NotTaken("This file is damaged: it cannot be unpacked.") from None
        if not press.eof and len(text) <= most:
            raise NotTaken("This file is not whole: its end is missing.")
    if len(text) > most:
        raise NotTaken(f"Unpacked, this file is larger than {most // 1024 // 1024} MB.")
    if left:
        raise NotTaken("Something comes after the end of this file.")
    return text


def faults_of(document: object) -> Iterator[Problem]:
    """What is wrong with a document; its empty places are filled meanwhile."""
    if not isinstance(document, dict) or not isinstance(document.get("format"), str):
        yield fault(CALLED, "this is no club file")
    elif document["format"] != FORMAT:
        yield fault(CALLED, "it was written by another version of the site, which knows more than this one")
    elif missing := [
        key
        for key in ("club", "players", *(noun.key for noun in NOUNS if not noun.may_lack), "sheets")
        if key not in document
    ]:
        yield fault(CALLED, f"it is not whole, {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    else:
        document.update({noun.key: [] for noun in NOUNS if noun.key not in document})
        faults = list(faults_of_shape(document))
        yield from faults
        if not faults:
            fill(document)
            yield from faults_of_pointers(document)
            yield from faults_of_sheets(document)
            yield from faults_of_sense(document)


def shape_of_rows(noun: Noun) -> Members:
    """What every row of a kind looks like."""
    shapes = {name: shape_of(field) for name, field in noun.fields.items()}
    must = {name for name, field in noun.fields.items() if empty_value(field) is REQUIRED}
    return Members(
        {name: shapes[name] for name in shapes if name in must},
        {name: shapes[name] for name in shapes if name not in must},
    )


def faults_of_shape(document: Document) -> Iterator[Problem]:
    """Keys that are missing or too many, values of another kind."""
    yield from shape_of_document().faults(document, CALLED)


def shape_of_document(sheet: Shape = SHEET) -> Members:
    """What a whole file looks like; a `sheet` in it is checked elsewhere, once everything else is right."""
    return Members(
        {
            "format": Among((FORMAT,)),
            "club": shape_of_rows(CLUB),
            "players": ListOf(PLAYER),
            **{noun.key: ListOf(shape_of_rows(noun)) for noun in NOUNS},
            "sheets": ListOf(sheet),
        },
        {},
    )


def fill(document: Document) -> None:
    """Say of every row also what is as good as not said."""
    for noun, rows in ((CLUB, [document["club"]]), *((noun, document[noun.key]) for noun in NOUNS)):
        empty = {name: empty_value(field) for name, field in noun.fields.items()}
        for row in rows:
            row.update({name: value for name, value in empty.items() if name not in row})


def faults_of_pointers(document: Document) -> Iterator[Problem]:
    """Rows that are there twice, and pointers that lead nowhere."""
    uids = {noun.key: {row["uid"] for row in document[noun.key]} for noun in NOUNS if noun.has_uid}
    for noun in NOUNS:
        seen = set()
        for place, row in enumerate(document[noun.key], 1):
            where = f"{noun.key}, number {place}"
            key = noun.key_of(row)
            if key in seen and noun.key not in ("diary", "doubts"):
                yield fault(where, "it is there twice")
            seen.add(key)
            yield from faults_of_row(noun, row, uids, len(document["players"]), where)
    everybody = [uid for some in uids.values() for uid in some]
    if len(set(everybody)) < len(everybody):
        yield fault(CALLED, "two rows have one name")


def faults_of_row(noun: Noun, row: Row, uids: dict[str, set[str]], players: int, where: str) -> Iterator[Problem]:
    """Pointers of a row that lead nowhere."""
    for name, field in noun.fields.items():
        target: Any = noun_of(field)
        if target and row[name] is not None and row[name] not in uids[target.key]:
            yield fault(f"{where}, {name}", "it points to nothing in this file")
        if name == "player" and row[name] > players:
            yield fault(f"{where}, {name}", "nobody in this file has that number")
        if name in noun.referring:
            referred = Referred(noun.references, row, name)
            if not all(1 <= player <= players for player in referred.players):
                yield fault(f"{where}, {name}", "nobody in this file has that number")
            if not (is_there(referred.tables, uids["tables"]) and is_there(referred.stages, uids["stages"])):
                yield fault(f"{where}, {name}", "it points to nothing in this file")


def is_there(named: list[Any], uids: set[str]) -> bool:
    """Whether the file has all of these; what was forgotten meanwhile is nothing."""
    return all(uid is None or (isinstance(uid, str) and uid in uids) for uid in named)


def faults_of_sheets(document: Document) -> Iterator[Problem]:
    """Sheets that lie on no table, and those that cannot be laid out."""
    tables = {row["uid"]: row for row in document["tables"]}
    seen = set()
    for place, sheet in enumerate(document["sheets"], 1):
        where, table = f"sheets, number {place}", tables.get(sheet["table"])
        if table is None or sheet["table"] in seen:
            yield fault(where, "it lies on no table of its own")
            continue
        seen.add(sheet["table"])
        if sheet["sheet"].get("game") != table["game"]:
            yield fault(where, "at its table another game is played")
        yield from faults_of_copy(sheet["sheet"], where, players=len(document["players"]))
    for place, row in enumerate(document["placings"], 1):
        if row["table"] in seen:
            yield fault(f"placings, number {place}", "its table has a sheet, which tells the places")
