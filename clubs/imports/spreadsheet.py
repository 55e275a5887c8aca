"""A spreadsheet line by line, from CSV or XLSX. Nothing in it is run or trusted."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
import string
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.problems import Problem
from scoresheets.files.csv import unescape_formula
from scoresheets.log.text import clean_text

MOST_BYTES = 2 * 1024 * 1024
#: Lines and columns of a sheet, letters in a cell, and bytes in a file once it is unpacked.
MOST_LINES, MOST_COLUMNS, LONGEST_CELL, MOST_UNPACKED = 5_000, 30, 200, 10 * 1024 * 1024
MOST_PARTS = 300
#: Rows that are looked at, empty ones too.
LAST_ROW = 4 * MOST_LINES
#: So many elements a part of an XLSX may have: they are counted before anything is made of them. A program writes some
#: hundred styles and a sheet or two; every cell has a place to stand in, a value and a style.
MOST_ELEMENTS = 2_000
MORE_ELEMENTS = {"xl/styles.xml": 20_000, "xl/sharedstrings.xml": 6 * MOST_LINES * 5}
ELEMENTS_OF_A_SHEET = 60 * MOST_LINES
ROW = re.compile(rb"""<(?:\w{1,20}:)?row\s[^<>]{0,200}?\br=["'](\d{1,12})["']""")
MARKS = (b"PK\x03\x04", b"PK\x05\x06")
DELIMITERS = (";", "\t", ",")
PLAIN = frozenset(string.ascii_letters)
SAME_IN_WINDOWS = PLAIN | set("ÁÂÄÇÉËÍÎÓÔÖÚÜßáâäçéëíîóôöúü")
#: Letters that stand together, and whatever else is not plain.
WORD = re.compile(r"[A-Za-z\x80-\U0010ffff]+")
Cell = str | int | datetime.date

TOO_LONG = f"A spreadsheet can have {LAST_ROW} rows at most, empty ones included. Delete the empty rows."
UNREADABLE = "The site cannot read this spreadsheet. Save it as CSV (UTF-8) or as XLSX."
TOO_MUCH = "There is more in this spreadsheet than results: keep one sheet, and delete pictures."


class NoLedger(ValueError):
    """The file is no spreadsheet one could read. The message is a sentence for who brought it."""


@dataclass(frozen=True)
class SpreadsheetLine:
    """A line of the sheet: its number as a spreadsheet counts, and what stands under the heads, cleaned."""

    number: int
    cells: Mapping[str, Cell]

    def get(self, head: str) -> Cell:
        """What stands under that head; "" for nothing."""
        return self.cells.get(head, "")

    def text(self, head: str) -> str:
        """The same as a text."""
        return str(self.get(head))


@dataclass(frozen=True)
class Spreadsheet:
    """The heads in small letters, and the lines that have anything in them."""

    heads: tuple[str, ...]
    lines: tuple[SpreadsheetLine, ...]


def read_spreadsheet(content: bytes) -> Spreadsheet:
    """The first sheet of the file. Raises `NoLedger`."""
    rows = rows_of_xlsx(content) if content.startswith(MARKS) else rows_of_csv(content)
    heads: tuple[str, ...] = ()
    lines: list[SpreadsheetLine] = []
    for number, row in enumerate(rows, 1):
        if number > LAST_ROW:
            raise NoLedger(TOO_LONG)
        cells = [cleaned(cell, number) for cell in row]
        if not any(cell != "" for cell in cells):
            continue
        if len(lines) >= MOST_LINES:
            raise NoLedger(f"At most {MOST_LINES} lines can be imported at once.")
        if not heads:
            heads = heads_of(cells)
        elif any(cell != "" for cell in cells[len(heads) :]):
            raise NoLedger(f"Line {number}: there is a value without a heading.")
        else:
            lines.append(SpreadsheetLine(number, dict(zip(heads, cells, strict=False))))
    if not heads:
        raise NoLedger("There is nothing in this spreadsheet.")
    return Spreadsheet(heads, tuple(lines))


def packed(sheet: Spreadsheet) -> bytes:
    """What was read, to be kept: it is read again far faster than a spreadsheet. A day is a text from now on."""
    lines = [[line.number, [line.get(head) for head in sheet.heads]] for line in sheet.lines]
    return json.dumps([sheet.heads, lines], separators=(",", ":"), default=datetime.date.isoformat).encode()


def unpacked(content: bytes) -> Spreadsheet:
    """The sheet that was kept."""
    heads, lines = json.loads(content)
    return Spreadsheet(
        tuple(heads), tuple(SpreadsheetLine(number, dict(zip(heads, cells, strict=True))) for number, cells in lines)
    )


def heads_of(cells: list[Cell]) -> tuple[str, ...]:
    """The first line, which says what stands below."""
    heads = [str(cell).strip().casefold() for cell in cells]
    while heads and not heads[-1]:
        heads.pop()
    twice = next((head for head in heads if head and heads.count(head) > 1), "")
    if twice:
        raise NoLedger(f"The heading “{twice[:40]}” is there twice.")
    if not all(heads):
        raise NoLedger("A column has no heading: the first line names the columns.")
    return tuple(heads)


def cleaned(cell: Any, number: int) -> Cell:
    """What stands in a cell: a whole number, a day, or a line of text."""
    if cell is None or isinstance(cell, bool):
        return "" if cell is None else "yes" if cell else ""
    if isinstance(cell, datetime.datetime):
        return cell.date()
    if isinstance(cell, datetime.date):
        return cell
    if isinstance(cell, int | float):
        return whole(cell, number)
    text = clean_text(unescape_formula(str(cell).strip()), LONGEST_CELL)
    if isinstance(text, Problem):
        raise NoLedger(f"Line {number}: {text.message}")
    return text


def whole(cell: float, number: int) -> Cell:
    """A number as a spreadsheet has it: 12.0 is 12."""
    if cell != cell or cell in (float("inf"), float("-inf")) or abs(cell) > 10**9:
        raise NoLedger(f"Line {number}: no number is that large.")
    return int(cell) if cell == int(cell) else str(cell)


# The two kinds of files


def rows_of_csv(content: bytes) -> Iterator[list[str]]:
    """The rows of a CSV, whatever stands between its cells."""
    text = text_of(content)
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(DELIMITERS, key=first.count)
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            if len(row) > MOST_COLUMNS:
                raise NoLedger(f"At most {MOST_COLUMNS} columns can be read.")
            yield row
    except csv.Error:
        raise NoLedger(UNREADABLE) from None


def text_of(content: bytes) -> str:
    """The letters of a text file: UTF-8, UTF-16 where it says so, or the letters of Windows where they are certain."""
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
        if encoding == "utf-8-sig" and all(is_certain(word) for word in WORD.findall(text)):
            return text
        raise NoLedger("The letters of this file cannot be read. Save it as CSV (UTF-8) or as XLSX.") from None


def is_certain(word: str) -> bool:
    """Whether a word with letters of Windows can mean nothing else: those are the same in west and middle of Europe
    and in Turkish, and it has plain letters too, as words in other scripts have not.
    """
    return word.isascii() or (set(word) <= SAME_IN_WINDOWS and not PLAIN.isdisjoint(word))


def rows_of_xlsx(content: bytes) -> Iterator[list[Any]]:
    """The rows of the first sheet: values, never formulas."""
    import openpyxl  # when it is needed: the site starts sooner without it

    opened = laid_open(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            book = openpyxl.load_workbook(opened, read_only=True, data_only=True, keep_links=False)
            page = book.worksheets[0]
            # What it says of its own size need not be so.
            page.reset_dimensions()
            rows = page.iter_rows(max_row=LAST_ROW, max_col=MOST_COLUMNS, values_only=True)
            lines = {number: list(row) for number, row in enumerate(rows) if any(cell is not None for cell in row)}
        except Exception:  # What a broken file raises is the library's affair: it has two dozen kinds of it.
            raise NoLedger(UNREADABLE) from None
    for number in range(max(lines, default=-1) + 1):
        yield lines.get(number, [])


def most_elements(part: str) -> int:
    """So many elements that part may have, opened and closed."""
    name = part.lower().lstrip("/")
    if name.startswith("xl/worksheets/") and name.endswith(".xml"):
        return 2 * ELEMENTS_OF_A_SHEET
    return 2 * MORE_ELEMENTS.get(name, MOST_ELEMENTS)


def laid_open(content: bytes) -> io.BytesIO:
    """The texts of the file in a new one, each no longer than it said it is: what unpacks to far more is refused, and
    so are texts that declare things of their own (XML bombs).
    """
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed, zipfile.ZipFile(out, "w") as clean:
            parts = packed.infolist()
            if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
                raise NoLedger(TOO_MUCH)
            for part in parts:
                if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise NoLedger(UNREADABLE)
                if part.filename.lower().endswith((".xml", ".rels")):
                    with packed.open(part) as opened:
                        text = opened.read(part.file_size + 1)
                    if any(int(number) > LAST_ROW for number in ROW.findall(text)):
                        raise NoLedger(TOO_LONG)
                    if text.count(b"<") > most_elements(part.filename):
                        raise NoLedger(TOO_MUCH)
                    if b"\0" in text or b"<!DOCTYPE" in text or b"<!ENTITY" in text:
                        raise NoLedger(UNREADABLE)
                    clean.writestr(part.filename, text)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, OSError, RuntimeError, ValueError) as error:
        if isinstance(error, NoLedger):
            raise
        raise NoLedger(UNREADABLE) from None
    out.seek(0)
    return out
