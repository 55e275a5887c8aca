"""Sheets on paper: printed by a real browser, on one page of A4, in black and white."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scoresheets.access.scorekeepers import hashed
from scoresheets.files.sheet_file import open_from_file
from scoresheets.models import Sheet
from scoresheets.opening.open_sheet import Opened
from tests.browser.conftest import DESK, PHONE, in_sizes
from tests.browser.games import any_game
from tests.browser.pads import hold
from tests.factories import new_key
from tests.scoresheets.laid import SECRET

#: Forty letters each, and few of them narrow.
LONG = [
    f"{name} Wolfeschlegelsteinhausenbergerdorff-"
    for name in ["Anna", "Bobb", "Cyra", "Dian", "Edda", "Flora", "Gusti", "Haldor", "Idaly", "Joelle"]
]
LONG = [name[:39].ljust(39, "w") + "W" for name in LONG]
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
    """The sheet made of a file, on which the browser with `SECRET` may write."""
    opened = open_from_file(json.dumps(said).encode(), browser=hashed(SECRET), key=new_key())
    assert isinstance(opened, Opened), opened
    return opened.sheet


def renamed(hand: Mapping[str, dict[str, int]], names: Mapping[str, str]) -> dict[str, object]:
    return {key: {names[name]: count for name, count in counts.items()} for key, counts in hand.items()}


@pytest.fixture
def desk_of_scorer(open_page: Callable[..., Page]) -> Page:
    page = open_page(DESK)
    hold(page, SECRET)
    return page


@pytest.mark.journey
def test_running_sheet_is_one_page_with_the_hand_that_is_played(desk_of_scorer: Page, axe: Callable[[Page], None]):
    said = evening(tie_breaks=[], draws=[])
    sheet = brought(said | {"hands": said["hands"][:9]})
    desk_of_scorer.goto(f"/sheets/{sheet.code}/")
    assert pages_of(printed(desk_of_scorer)) == [A4]
    desk_of_scorer.emulate_media(media="print")
    expect(desk_of_scorer.locator(".paper-head")).to_contain_text("next: hand 9 of 20")
    desk_of_scorer.emulate_media(media="null")
    desk_of_scorer.goto(f"/sheets/{sheet.code}/type/")
    expect(desk_of_scorer.get_by_role("row", name="so far")).to_be_visible()
    axe(desk_of_scorer)
    desk_of_scorer.goto(f"/sheets/{sheet.code}/blank/?layout=hands")
    assert pages_of(printed(desk_of_scorer)) == [A4[::-1]]


def test_blank_sheet_of_ten_with_twenty_hands_is_one_page(desk_of_scorer: Page, tmp_path: Path):
    page = desk_of_scorer
    sheet = brought(evening(hands=[], tie_breaks=[], draws=[], notes=""))
    for layout, wanted in (("players", A4), ("hands", A4[::-1])):
        page.goto(f"/sheets/{sheet.code}/blank/?layout={layout}")
        assert pages_of(printed(page, tmp_path / f"blank-{layout}.pdf")) == [wanted], tmp_path
        page.goto(f"/blank/?players=10&amount=5&layout={layout}")
        assert pages_of(printed(page, tmp_path / f"nobody-{layout}.pdf")) == [wanted], tmp_path


def test_evening_of_ten_with_twenty_hands_is_one_page_in_black_on_which_every_number_and_shape_stands(
    desk_of_scorer: Page, tmp_path: Path
):
    page, sheet = desk_of_scorer, brought(evening())
    for address in (f"/watch/{sheet.watch}/", f"/sheets/{sheet.code}/"):
        page.goto(address)
        assert pages_of(printed(page, tmp_path / "sheet.pdf")) == [A4], tmp_path
    page.emulate_media(media="print")
    strokes = """kind => [...document.querySelectorAll(`#sheet .pencil.${kind}`)].map((one) =>
      [getComputedStyle(one).stroke, one.firstElementChild.getAttribute('href').split('-')[0]].join(' '))"""
    assert set(page.evaluate(strokes, "box")) == {"rgb(0, 0, 0) #box"}
    assert set(page.evaluate(strokes, "ring")) == {"rgb(0, 0, 0) #ring"}
    shown = """() => [...document.querySelectorAll('#sheet tr.hand .bt')]
      .every((one) => one.getBoundingClientRect().height > 5)"""
    assert page.locator("#sheet tr.hand .bt").count() == 200
    assert page.evaluate(shown)
    for hidden in (".site", ".foot", ".buttons", ".legend", ".list"):
        expect(page.locator(hidden).first).to_be_hidden()
    head = page.locator(".paper-head")
    expect(head).to_contain_text("Thursday, table 2")
    expect(head).to_contain_text("wins with")
    expect(head).to_contain_text("takes the circle with")
    expect(page.locator(".paper-scan .qr")).to_be_visible()
    expect(page.locator(".paper-foot")).to_contain_text("It rained all evening")
    cut = """() => [...document.querySelectorAll('#sheet td')].filter((cell) => {
      const room = cell.getBoundingClientRect();
      return [...cell.querySelectorAll('.mark, .bt, .plus')].some((part) => {
        const box = part.getBoundingClientRect();
        return box.width && (box.left < room.left - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 2);
      });
    }).map((cell) => cell.textContent.trim())"""
    page.set_viewport_size({"width": 718, "height": 1035})
    assert page.evaluate(cut) == []


def test_other_tables_are_one_page_too(desk_of_scorer: Page):
    for players in (2, 6, 25):
        game = {**any_game_of(players), "format": "score-sheet/1", "game": "dirty-dog"}
        desk_of_scorer.goto(f"/sheets/{brought(game).code}/")
        assert pages_of(printed(desk_of_scorer)) == [A4], players


def any_game_of(players: int) -> dict[str, object]:
    """A game of so many: more than ten are no names of the house."""
    names = [f"Player {n}" for n in range(1, players + 1)]
    order = [*names[1:], names[0]]
    hands = []
    for at in range(players if players > 4 else 20):
        turn = order[at % players :] + order[: at % players]
        hands.append({"bids": dict.fromkeys(turn, 0), "tricks": dict.fromkeys(turn, 0) | {turn[0]: 1}})
    plan = {"peak": 1, "extra_rounds": (len(hands) // players) - 1}
    return {"players": names, "first_dealer": names[0], "plan": plan, "hands": hands}


def test_pages_about_paper_can_be_used_by_everybody(phone: Page, axe_day_and_night: Callable[[Page], None]):
    sheet = brought(evening(hands=[], tie_breaks=[], draws=[], notes=""))
    hold(phone, SECRET)
    for path in ("/import/", "/blank/", f"/sheets/{sheet.code}/blank/", f"/sheets/{sheet.code}/type/",
                 f"/sheets/{sheet.code}/resume/"):  # fmt: skip
        phone.goto(path)
        for size in in_sizes(phone):
            axe_day_and_night(phone)
            wide = phone.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
            assert not wide, (path, size)


@pytest.mark.journey
@pytest.mark.allow_statuses(422)
def test_sheet_goes_out_as_a_file_and_comes_in_again(open_page: Callable[..., Page], tmp_path: Path):
    page = open_page(PHONE)
    page.goto(f"/sheets/{brought(evening()).code}/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download this sheet").tap()
    file = tmp_path / "sheet.json"
    download.value.save_as(file)
    page.goto("/")
    page.get_by_role("link", name="open a sheet from a file").tap()
    page.get_by_label("The sheet file").set_input_files(file)
    page.get_by_role("button", name="Open the sheet").tap()
    page.wait_for_url(re.compile(r"/sheets/[^/]+/$"))
    expect(page.locator("#sheet tr.hand")).to_have_count(20)
    with page.expect_download() as again:
        page.get_by_role("link", name="Download this sheet").tap()
    again.value.save_as(tmp_path / "again.json")
    assert json.loads(file.read_text("utf-8")) == json.loads((tmp_path / "again.json").read_text("utf-8"))
    file.write_text("{}")
    page.goto("/import/")
    page.get_by_label("The sheet file").set_input_files(file)
    page.get_by_role("button", name="Open the sheet").tap()
    expect(page.get_by_role("alert")).to_contain_text("sheet.json: no sheet was opened.")


def test_picture_is_a_png_that_is_shared_where_that_can_be_and_else_downloaded(
    open_page: Callable[..., Page], tmp_path: Path
):
    sheet = brought(evening())
    page = open_page(PHONE)
    page.goto(f"/sheets/{sheet.code}/result/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Send a picture").tap()
    assert download.value.suggested_filename == "dirty-dog.png"
    download.value.save_as(tmp_path / "sheet.png")
    png = (tmp_path / "sheet.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20]) == 1080
    page.evaluate("""() => {
      Object.defineProperty(navigator, 'canShare', { value: ({ files }) => files[0].type === 'image/png' });
      const share = async ({ files }) => { document.body.dataset.sent = files[0].name; };
      Object.defineProperty(navigator, 'share', { value: share });
    }""")
    page.get_by_role("link", name="Send a picture").tap()
    expect(page.locator("body")).to_have_attribute("data-sent", "dirty-dog.png")


def test_without_a_script_the_picture_is_a_page_of_its_own(plain_phone: Page):
    plain_phone.goto(f"/watch/{brought(evening()).watch}/")
    plain_phone.get_by_role("link", name="Send a picture").tap()
    plain_phone.wait_for_url("**/picture.svg")
