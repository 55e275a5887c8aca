"""Sheets on paper: printed by a real browser, on one page of A4, in black and white."""

from __future__ import annotations

import json
import re
import zlib
from typing import TYPE_CHECKING

import pytest

from scoresheets.opening import Opened
from scoresheets.sharing import hashed
from scoresheets.sheet_files import open_from_file
from tests.browser.games import any_game
from tests.factories import new_key
from tests.scoresheets.laid import PENCIL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from playwright.sync_api import Page

    from scoresheets.models import Sheet

#: Forty letters each, and none of them narrow.
LONG = [
    f"{name} Wolfeschlegelsteinhausenbergerdorff-Wo"[:39] + "W"
    for name in ["Ann", "Bob", "Cyr", "Dia", "Edd", "Flo", "Gus", "Hal", "Ida", "Joe"]
]
A4 = (595, 842)
#: A game of ten that ends level at the top (Hal and Jo) and at the bottom (Ed and Flo).
TIED = 165


def pages_of(pdf: bytes) -> list[tuple[int, int]]:
    """Width and height in points of every page."""
    unpacked = [
        zlib.decompress(part) for part in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S) if part[:1] == b"x"
    ]
    boxes = []
    for part in [pdf, *unpacked]:
        for page in re.findall(rb"/Type\s*/Page\b(?!s).*?(?=endobj|/Type|\Z)", part, re.S):
            box = re.search(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", page)
            boxes.append((round(float(box[1])), round(float(box[2]))) if box else (0, 0))
    return boxes


def printed(page: Page, file: Path | None = None) -> bytes:
    return page.pdf(prefer_css_page_size=True, path=file)


def evening(**more: object) -> dict[str, object]:
    """An evening of ten on which everything happens: misdeals, other chairs, a substitute, ties at both ends, notes."""
    game = dict(any_game(10, TIED, {"hands": 20}).document)
    plain = {name: LONG[at] for at, name in enumerate(game["players"])}
    told = [renamed(hand, plain) for hand in game["hands"]]
    for hand in told[::4]:
        hand["note"] = "Somebody said something that has to be kept"
    for at, event in ((3, {"void": True}), (9, {"void": True}), (12, {"reseated": LONG[::-1]}), (15, {"void": True})):
        told.insert(at, event)
    taken = {"Hal": 3, "Ann": 2}
    blind = {
        "bids": {name: 3 * (name == "Hal") for name in plain},
        "tricks": {name: taken.get(name, 0) for name in plain},
    }
    return {"format": "score-sheet/1", "game": "dirty-dog", **game, "players": list(plain.values()),
            "first_dealer": plain[game["first_dealer"]], "hands": told, "tie_breaks": [renamed(blind, plain)],
            "draws": [{plain["Ed"]: "9", plain["Flo"]: "4"}], "table": "Thursday, table 2", "club": "The Pack",
            "notes": "It rained all evening, and the lights went out twice. " * 3, **more}  # fmt: skip


def brought(said: Mapping[str, object]) -> Sheet:
    """The sheet made of a file, on which the browser with `PENCIL` may write."""
    opened = open_from_file(json.dumps(said).encode(), browser=hashed(PENCIL), key=new_key())
    assert isinstance(opened, Opened), opened
    return opened.sheet


def renamed(hand: Mapping[str, dict[str, int]], names: Mapping[str, str]) -> dict[str, object]:
    return {key: {names[name]: count for name, count in counts.items()} for key, counts in hand.items()}


@pytest.fixture
def desk_with_pencil(open_page: Callable[..., Page]) -> Page:
    page = open_page({"viewport": {"width": 1280, "height": 800}})
    page.context.add_cookies([{"name": "pencil", "value": PENCIL, "domain": "localhost", "path": "/"}])
    return page


def test_evening_of_ten_with_twenty_hands_is_one_page(desk_with_pencil: Page, tmp_path: Path):
    page, sheet = desk_with_pencil, brought(evening())
    for address in (f"/sheets/{sheet.code}/", f"/watch/{sheet.watch}/"):
        page.goto(address)
        assert pages_of(printed(page, tmp_path / "sheet.pdf")) == [A4], tmp_path


@pytest.mark.parametrize("layout", ["players", "hands"])
def test_blank_sheet_of_ten_with_twenty_hands_is_one_page(desk_with_pencil: Page, tmp_path: Path, layout: str):
    page = desk_with_pencil
    sheet = brought(evening(hands=[], tie_breaks=[], draws=[], notes=""))
    page.goto(f"/sheets/{sheet.code}/blank/?layout={layout}")
    wanted = A4 if layout == "players" else A4[::-1]
    assert pages_of(printed(page, tmp_path / f"blank-{layout}.pdf")) == [wanted], tmp_path
    page.goto(f"/blank/?players=10&amount=5&layout={layout}")
    assert pages_of(printed(page, tmp_path / f"nobody-{layout}.pdf")) == [wanted], tmp_path
