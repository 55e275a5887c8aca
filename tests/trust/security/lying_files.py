"""Files that are not what they say: small ones that unpack to gigabytes, endless ones, cycles, false types."""

from __future__ import annotations

import copy
import gzip
import io
import itertools
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from tests.clubs.imports.test_results import HARM

GIGABYTE = 1 << 30
MILLION = 1_000_000


def squeezed(size: int) -> bytes:
    """As many spaces as that, pressed by gzip in pieces."""
    pressed, piece = zlib.compressobj(9, zlib.DEFLATED, 31), b" " * (1 << 20)
    return b"".join([*(pressed.compress(piece) for _ in range(size >> 20)), pressed.flush()])


def zipped(**files: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return file.getvalue()


def workbook(sheet: bytes) -> bytes:
    """A spreadsheet as programs write it, with that sheet."""
    types = b'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
    return zipped(**{"[Content_Types].xml": types, "xl__workbook.xml": sheet, "xl__worksheets__sheet1.xml": sheet})


def laughs(root: str) -> bytes:
    """An XML file of entities that stand for ten of the one before (a billion in all)."""
    names = ["a", *(f"a{k}" for k in range(1, 10))]
    entities = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in itertools.pairwise(names))
    return f'<?xml version="1.0"?><!DOCTYPE {root} [<!ENTITY a "ha">{entities}]><{root}>&a9;</{root}>'.encode()


def reads_a_file(root: str) -> bytes:
    """An XML file that names a file of the machine."""
    return f'<!DOCTYPE {root} [<!ENTITY a SYSTEM "file:///etc/passwd">]><{root}>&a;</{root}>'.encode()


def png(width: int, height: int, rows: bytes) -> bytes:
    """A PNG that says it is so large."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'

#: Made when they are needed: some are large.
ANY_KIND: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "a gzip bomb": lambda: squeezed(GIGABYTE),
    "a gzip in a gzip": lambda: gzip.compress(squeezed(GIGABYTE)),
    "a zip bomb": lambda: zipped(xl__worksheets__sheet1_xml=b" " * (200 << 20)),
    "a workbook of a billion laughs": lambda: workbook(laughs("worksheet")),
    "a workbook that reads a file": lambda: workbook(reads_a_file("worksheet")),
    "a drawing of a billion laughs": lambda: laughs("svg"),
    "a drawing with a script": lambda: SVG,
    "a picture of 50,000 x 50,000": lambda: png(50_000, 50_000, squeezed(1 << 20)[10:-8]),
    "a picture of 2,000,000,000 x 1": lambda: png(2_000_000_000, 1, b""),
    "a picture that is cut off": lambda: png(100, 100, zlib.compress(b"\0" * 10_100))[:60],
    "a page with the head of a GIF": lambda: b"GIF89a<script>alert(1)</script>" * 100,
    "a page with the head of a JPEG": lambda: b"\xff\xd8\xff\xe0<html><script>alert(1)</script>" * 100,
    "a program": lambda: b"\x7fELF" + bytes(1000),
    "a PDF": lambda: b"%PDF-1.7\n" + b"0" * 1000,
    "a million lines": lambda: b"Day,Game,Table,Name,Score\n" + b"2020-01-01,Dingo,1,Ann,1\n" * MILLION,
    "one line without end": lambda: b"Day,Game,Table,Name,Score\n" + b"x" * (3 << 20),
    "a line of a million fields": lambda: b"," * MILLION,
    "quotes that never close": lambda: b'Day,Game,Table,Name,Score\n"' + b'"",' * 100_000,
    "deep lists": lambda: b"[" * 200_000 + b"]" * 200_000,
    "deep objects": lambda: b'{"a":' * 200_000,
    "a number of a million digits": lambda: b"9" * MILLION,
    "a million empty lists": lambda: b"[" + b"[]," * MILLION + b"[]]",
    "a key a million times": lambda: b"{" + b'"format":1,' * MILLION + b'"format":1}',
    "half a surrogate": lambda: b'{"format": "\\ud800"}',
    "no letters": lambda: bytes(range(256)) * 40,
    "only NUL": lambda: bytes(100_000),
    # Workbooks as programs write them, but for one thing.
    **{f"a workbook: {name}": harm for name, harm in HARM.items()},
}


def that_lead_elsewhere(document: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The file of a club in which what belongs together leads elsewhere, to itself, or in a circle."""
    for name, change in SPOILED.items():
        spoiled = copy.deepcopy(document)
        if change(spoiled):
            yield name, json.dumps(spoiled).encode()


def everybody_everywhere(value: str) -> Callable[[dict[str, Any]], bool]:
    """Let every reference to another row be this one."""

    def change(document: dict[str, Any]) -> bool:
        changed = 0
        for rows in document.values():
            for row in rows if isinstance(rows, list) else ():
                for key in row if isinstance(row, dict) else ():
                    if key not in ("uid", "name", "title") and isinstance(row[key], str) and len(row[key]) >= 20:
                        row[key], changed = value, changed + 1
        return bool(changed)

    return change


def to_itself(document: dict[str, Any]) -> bool:
    """Let every row that names others name itself."""
    changed = 0
    for rows in document.values():
        for row in rows if isinstance(rows, list) else ():
            for key in row if isinstance(row, dict) and "uid" in row else ():
                if key != "uid" and isinstance(row[key], str) and len(row[key]) == len(row["uid"]):
                    row[key], changed = row["uid"], changed + 1
    return bool(changed)


def twice(document: dict[str, Any]) -> bool:
    """Let every row stand there twice."""
    lists = [rows for rows in document.values() if isinstance(rows, list) and rows]
    for rows in lists:
        rows.extend(copy.deepcopy(rows))
    return bool(lists)


SPOILED = {
    "ids that nobody has": everybody_everywhere("A" * 22),
    "rows that lead to themselves": to_itself,
    "every row twice": twice,
}
