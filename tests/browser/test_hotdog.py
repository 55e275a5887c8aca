"""Hotdog on a phone that lies between the two: a whole match, what every trick pays, and what cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules import find_game
from rules.hotdog.scoring import pay
from tests.browser import games
from tests.browser.conftest import DESK, PHONE
from tests.browser.hotdog_table import Between, whole
from tests.browser.pads import Pad, is_dressed, is_kept, unplug

GAMES = Path(__file__).parent.parent / "sheets" / "games"
USUAL = {rule.key: rule.default for rule in find_game("hotdog").house_rules}
LONG = ("Maximiliana Featherstonehaugh-Wolverhamp", "Bartholomew Cholmondeley-Marjoribanks II")


@pytest.fixture
def pad(phone: Page) -> Pad:
    """Ann and Bo; Ann deals."""
    return Pad(phone, ("Ann", "Bo"), game="hotdog")


@pytest.fixture
def between(pad: Pad) -> Between:
    return Between(pad.page)


def golden(name: str) -> dict[str, Any]:
    return json.loads((GAMES / f"hotdog-{name}.json").read_text("utf-8"))


def bid(picker: str | None, topping: str = "works", trump: str | None = None, **more: Any) -> dict[str, Any]:
    return whole({"picker": picker, "topping": topping, "trump": trump, **more})


# -- the match -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["best_of_three", "agreed_otherwise"])
def test_whole_match_by_taps_comes_to_what_score_says(
    phone: Page, tmp_path: Path, score: Callable[[Path], dict[str, Any]], name: str
) -> None:
    match = golden(name)
    document = match["document"]
    games.open_table(phone, document)
    between = Between(phone, document["players"])
    for hand in document["hands"]:
        between.round(hand)
    phone.wait_for_url("**/result/")
    kept = games.export(phone, tmp_path / "hotdog.json")
    assert [whole(hand) for hand in kept["hands"]] == [whole(hand) for hand in document["hands"]]
    for key in ("players", "first_dealer", "house_rules"):
        assert kept.get(key) == document.get(key, document["players"][0] if key == "first_dealer" else None), key
    assert score(tmp_path / "hotdog.json") == match["expect"]


@pytest.mark.parametrize("offline", [False, True])
@pytest.mark.parametrize(
    ("bid", "notes"),
    [
        ({"picker": "Ann", "topping": "works"}, ["deals, leads", ""]),
        ({"picker": "Bo", "topping": "ketchup", "trump": "H"}, ["deals", "leads"]),
        ({"picker": "Ann", "smothered": True, "topping": "works"}, ["deals, leads", ""]),
        ({"picker": None, "topping": "works"}, ["deals", "leads"]),
    ],
    ids=["dealer-picks", "other-picks", "dealer-smothers", "both-pass"],
)
def test_picker_leads_as_soon_as_the_bid_is_known(
    off_the_net: None, pad: Pad, between: Between, bid: dict[str, Any], notes: list[str], offline: bool
) -> None:
    said = pad.page.locator(".scores .note")
    expect(said).to_have_text(["deals", "chooses first"])
    if offline:
        is_dressed(pad.page)
        unplug(pad.page)
    between.bid(whole(bid))
    expect(said).to_have_text(notes)
    if not offline:
        pad.is_saved()
        pad.load()
        expect(said).to_have_text(notes)
    pad.tap(pad.back)
    expect(said).to_have_text(["deals", "chooses first"])


@pytest.mark.journey
def test_totals_games_and_who_deals_follow_the_taps(pad: Pad, between: Between) -> None:
    page = pad.page
    notes = page.locator(".scores .note")
    assert notes.all_inner_texts() == ["deals", "chooses first"]
    between.round({"picker": "Ann", "topping": "works", "tricks": {"Ann": 12, "Bo": 5}})
    pad.is_saved()
    assert (pad.title, between.totals()) == ("Hand 2", {"Ann": 2, "Bo": 0})
    expect(notes.nth(0)).to_have_text("chooses first")
    between.round({"picker": "Ann", "topping": "works", "tricks": {"Ann": 2, "Bo": 15}})
    pad.is_saved()
    assert between.totals() == {"Ann": 0, "Bo": 0}, "the next game"
    expect(notes.nth(1)).to_contain_text("●")


#: So many taps a round needs, whoever picks; the Footlong and the ranking of the first trick are one more each.
BUDGET = [
    ({"picker": "Ann", "topping": "ketchup", "trump": "H", "relish": 5}, 4),
    ({"picker": "Bo", "topping": "mustard", "trump": "C"}, 4),
    ({"picker": "Bo", "topping": "works"}, 3),
    ({"picker": "Ann", "topping": "works", "smothered": True, "relish": 9}, 3),
    ({"picker": None, "topping": "works"}, 3),
    ({"picker": "Ann", "topping": "mustard", "trump": "S", "footlong": True}, 5),
    ({"picker": "Bo", "topping": "works", "works_first": "mustard"}, 4),
]


def test_round_takes_three_or_four_taps(phone: Page) -> None:
    pad = Pad(phone, ("Ann", "Bo"), game="hotdog", house_rules={"target": 99, "footlong_fail": "points"})
    between, tricks, counted = Between(phone), {"Ann": 8, "Bo": 9}, []
    for hand, _ in BUDGET:
        counted.append(between.round({**hand, "tricks": tricks}))
        pad.is_saved()
    assert counted == [taps for _, taps in BUDGET]
    assert len(pad.scorer.reading.sheet.rows) == len(BUDGET)


# -- what every number of tricks pays ------------------------------------------------------------------


def said(kind: str, count: int, picker: str, house: dict[str, Any]) -> str:
    """What has to stand beside the key."""
    found = pay(kind, count, house)
    if not found.side:
        return "nobody is paid"
    name = picker if found.side == "picker" else {"Ann": "Bo", "Bo": "Ann"}[picker]
    return f"{name} wins the game" if found.wins else f"{name} +{found.points}"


@pytest.mark.parametrize("house", [
    {}, {"footlong_points": 7, "footlong_fail": "points", "no_picker": "none"}, {"no_picker": "non_dealer_is_picker"},
], ids=["usual", "agreed otherwise", "non-dealer picks"])  # fmt: skip
def test_what_every_number_of_tricks_pays_stands_beside_its_key(phone: Page, house: dict[str, Any]) -> None:
    Pad(phone, ("Ann", "Bo"), game="hotdog", house_rules=house)
    between = Between(phone)
    bids = [
        ("ordinary", "Ann", bid("Ann", "ketchup", "D")),
        ("footlong", "Bo", bid("Bo", "works", footlong=True)),
        ("footlong", "Ann", bid("Ann", smothered=True, footlong=True)),
        ("ordinary", "Bo", bid("Bo", "mustard", "S")),
        ("passed", "Bo", bid(None)),  # Ann deals, so Bo’s tricks are asked for
    ]
    for kind, picker, spoken in bids:
        between.bid(spoken)
        between.relish(None)
        expect(phone.locator("#tricks-h")).to_have_text(f"{picker} took", use_inner_text=True)
        assert between.pays_all() == [said(kind, count, picker, USUAL | house) for count in range(18)]
        for _ in range(2):
            between.tap(phone.locator(".back"))
            between.rest()


def test_what_is_played_stands_over_the_keys_in_its_words(between: Between) -> None:
    between.bid(bid("Bo", "mustard", "D", footlong=True))
    assert between.order() == "Bo Footlong Mustard ♦︎"
    between.relish(7)
    assert between.order() == "Bo Footlong Mustard ♦︎ relish 7"
    between.tap(between.page.locator("[data-again=bid]"))
    between.rest()
    between.bid(bid("Ann", smothered=True))
    assert between.order() == "Ann Smother relish 7"
    assert between.shown() == ["tricks"], "relish stays as it was"


def test_bid_that_was_typed_wrong_is_found_on_its_side(between: Between) -> None:
    between.bid(bid("Bo", "mustard", "D", footlong=True))
    between.tap(between.page.locator("[data-again=bid]"))
    between.rest()
    assert between.shown() == ["bid"]
    assert between.side("Bo").locator("[value=mustard]").is_checked()
    assert between.side("Bo").locator("[name=f-footlong]").is_checked()
    assert not between.side("Ann").locator(":checked").count()


def test_page_asks_who_picks_and_tells_what_the_last_round_brought(pad: Pad, between: Between) -> None:
    page = pad.page
    facts, asked = page.locator(".facts"), page.locator("#bid-h")
    expect(facts).to_have_text("First to 5 2 games win the match", use_inner_text=True)
    expect(asked).to_have_text("Who picks?", use_inner_text=True)
    between.side("Bo").locator("label.ketchup").tap()
    expect(asked).to_have_text("Which trump?", use_inner_text=True)
    between.round({"picker": "Ann", "topping": "works", "relish": 3, "tricks": {"Ann": 12, "Bo": 5}})
    pad.is_saved()
    expect(facts).to_have_text("Hand 1: Ann +2 game 1", use_inner_text=True)
    between.round({"picker": "Ann", "topping": "works", "tricks": {"Ann": 1, "Bo": 16}})
    pad.is_saved()
    expect(facts).to_have_text("Game 1: Bo wins at once game 2", use_inner_text=True)
    between.bid(bid("Bo", "mustard", "C"))
    expect(pad.back).to_have_text("Take back the bid")
    between.relish(4)
    pad.is_saved()
    expect(pad.back).to_have_text("Take back: relish 4")
    between.tap(page.locator("[data-again=bid]"))
    between.rest()
    between.tap(page.get_by_role("link", name="Cancel"))
    assert between.shown() == ["tricks"]


def test_no_relish_is_called_so_where_it_is_taken_back(pad: Pad, between: Between) -> None:
    between.bid(bid(None))
    expect(pad.back).to_have_text("Take back: both passed")
    between.relish(None)
    expect(pad.back).to_have_text("Take back: no relish")
    pad.is_saved()
    pad.load()
    expect(pad.back).to_have_text("Take back: no relish")


@pytest.mark.parametrize("first", ["", "ketchup", "mustard"])
def test_flipping_ketchup_and_mustard_records_nothing(pad: Pad, between: Between, first: str) -> None:
    between.bid(bid("Ann"))
    between.relish(None)
    page = pad.page
    if first:
        page.locator(f".turns fieldset label.{first}").locator("visible=true").tap()
    flip, goes = page.locator(".flip").locator("visible=true"), []
    for _ in range(4):
        goes.append(flip.locator(".topping").locator("visible=true").inner_text())
        flip.tap()
        between.rest()
    one, other = ("Mustard", "Ketchup") if first == "mustard" else ("Ketchup", "Mustard")
    assert goes == [one, other, one, other]
    pad.is_saved()
    assert {ask for hand, ask in pad.scorer.reading.entries if hand} == {"bid", "relish"}
    between.tap(between.key(9))
    pad.is_saved()
    expected = {"tricks-1": 9, "tricks-2": 8} | ({"works-first": first} if first else {})
    assert pad.scorer.reading.entries[1, "tricks"] == expected


def test_automatic_win_is_said_in_words(pad: Pad, between: Between) -> None:
    between.round({"picker": "Bo", "topping": "works", "tricks": {"Ann": 1, "Bo": 16}})
    pad.is_saved()
    pad.page.goto(pad.url("sheet"))
    expect(pad.page.locator("#hand-1")).to_contain_text("Automatic win for Bo: 16 tricks win the game")


# -- what cannot be ------------------------------------------------------------------------------------


def post(page: Page, ask: str, step: dict[str, str]) -> int:
    """Send by hand what no button sends; the answer's status."""
    return page.evaluate(
        """async ([ask, step]) => {
          const form = [...document.querySelectorAll('form')].find((one) => one.elements.ask?.dataset.name === ask);
          const body = new FormData();
          for (const name of ['csrfmiddlewaretoken', 'hand', 'ask', 'saw']) body.set(name, form.elements[name].value);
          body.set('key', `by-hand-${Math.random().toString(36).slice(2)}`);
          for (const name in step) body.set(`f-${name}`, step[name]);
          return (await fetch(form.action, { method: 'POST', body, headers: { Accept: 'application/json' } })).status;
        }""",
        [ask, step],
    )


@pytest.mark.allow_statuses(422)
def test_what_cannot_be_is_not_offered_and_refused_by_hand(phone: Page) -> None:
    pad = Pad(phone, ("Ann", "Bo"), game="hotdog", house_rules={"footlong": False})
    between = Between(phone)
    expect(phone.locator(".footlong").first).to_be_hidden()
    expect(phone.locator(".suits").first).to_be_hidden()
    impossible = [
        {"picker": "1", "topping": "ketchup"},
        {"picker": "1", "topping": "works", "trump": "H"},
        {"picker": "1", "topping": "onions"},
        {"picker": "1"},
        {"picker": "3", "topping": "works"},
        {"picker": "1", "topping": "ketchup", "trump": "H", "smothered": "true"},
        {"topping": "ketchup", "trump": "H"},
        {"smothered": "true"},
        {"picker": "1", "topping": "works", "footlong": "true"},
    ]
    assert [post(phone, "bid", step) for step in impossible] == [422] * len(impossible)
    between.side("Ann").locator("label.ketchup").tap()
    expect(between.side("Ann").get_by_role("button", name="Smother")).to_be_hidden()
    expect(between.side("Ann").get_by_role("button", name="The Works")).to_be_hidden()
    between.side("Ann").get_by_role("button", name="Another topping").tap()
    expect(between.side("Ann").get_by_role("button", name="Smother")).to_be_visible()
    between.bid(bid("Ann", "ketchup", "H"))
    assert [post(phone, "relish", {"relish": rank}) for rank in ("0", "10", "x")] == [422] * 3
    between.relish(None)
    assert phone.locator(".pays button").locator("visible=true").count() == 18
    expect(phone.locator(".turns").locator("visible=true")).to_have_count(0)
    impossible = [
        {"tricks-1": "18"},
        {"tricks-1": "-1"},
        {},
        {"tricks-1": "9", "tricks-2": "9"},
        {"tricks-1": "9", "works-first": "ketchup"},
        {"tricks-3": "9"},
    ]
    assert [post(phone, "tricks", step) for step in impossible] == [422] * len(impossible)
    assert not pad.scorer.reading.sheet.rows


# -- without network, without a script -----------------------------------------------------------------


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
def test_round_without_network_is_kept_over_a_reload_and_sent(open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE, service_workers="allow")
    pad, between = Pad(page, ("Ann", "Bo"), game="hotdog"), Between(page)
    is_kept(page)
    unplug(page)
    between.bid(bid("Bo", "works", footlong=True))
    between.relish(4)
    assert between.order() == "Bo Footlong The Works relish 4"
    assert [between.pays(count) for count in (15, 12, 11, 0)] == [
        "Bo wins the game", "Bo +3", "Ann wins the game", "Ann wins the game",
    ]  # fmt: skip
    page.reload()
    assert between.shown() == ["tricks"]
    between.took(bid("Bo", tricks={"Ann": 4, "Bo": 13}))
    assert pad.title == "Hand 2"
    expect(page.locator(".top .line")).to_have_text("no connection: points of hand 1 come later")
    between.bid(bid(None))
    between.relish(None)
    expect(page.locator("#tricks-h")).to_have_text("Ann took", use_inner_text=True)
    assert between.overflowing() == []
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    assert between.totals() == {"Ann": 0, "Bo": 3}
    assert pad.scorer.reading.entries[1, "bid"] == {"picker": 2, "topping": "works", "footlong": True}
    assert pad.scorer.reading.entries[2, "bid"] == {}


def test_games_won_are_dots_with_and_without_a_script(phone: Page, plain_phone: Page) -> None:
    for page in (phone, plain_phone):
        pad = Pad(page, ("Ann", "Bo"), game="hotdog", house_rules={"games_to_win": 9})
        for hand in (1, 2, 3):
            tricks = {"tricks-1": 17, "tricks-2": 0}
            for ask, step in {"bid": {"picker": 1, "topping": "works"}, "relish": {}, "tricks": tricks}.items():
                pad.scorer.enter_step(hand, ask, step)
        pad.load()
        expect(page.locator(".scores li").first.locator(".note")).to_have_text("chooses first●●● won 3")


def test_bid_is_put_right_without_a_script(plain_phone: Page) -> None:
    pad = Pad(plain_phone, ("Ann", "Bo"), game="hotdog")
    between = Between(plain_phone)
    between.bid(bid("Ann", "mustard", "C"))
    for other in (bid("Ann", "ketchup", "D"), bid("Bo", smothered=True), bid("Bo", "mustard", "H"), bid(None)):
        between.tap(plain_phone.locator("[data-again=bid]").first)
        between.rest()
        between.bid(other)
        assert pad.scorer.reading.entries[1, "bid"].get("picker") == {"Ann": 1, "Bo": 2}.get(other["picker"])
    assert pad.scorer.reading.entries[1, "bid"] == {}


def test_round_without_a_script(plain_phone: Page) -> None:
    Pad(plain_phone, ("Ann", "Bo"), game="hotdog")
    between = Between(plain_phone)
    between.bid(bid("Bo", "mustard", "C", footlong=True))
    between.relish(2)
    assert (between.order(), between.pays(12)) == ("Bo Footlong Mustard ♣︎ relish 2", "Bo +3")
    between.tap(between.key(12))
    expect(plain_phone.locator("#pad h1 .number")).to_have_text("2")
    assert between.totals() == {"Ann": 0, "Bo": 3}


# -- how it looks --------------------------------------------------------------------------------------

STATIONS = (bid("Ann", "ketchup", "H"), bid("Bo", smothered=True, footlong=True), bid(None))


def test_nothing_scrolls_and_everything_can_be_read_and_reached(open_page, axe_day_and_night) -> None:
    page = open_page(PHONE)
    Pad(page, LONG, game="hotdog")
    between = Between(page, LONG)

    def look() -> None:
        assert between.overflowing() == []
        assert between.small() == []
        axe_day_and_night(page)

    for station in STATIONS:
        look()
        name = {"Ann": LONG[0], "Bo": LONG[1]}.get(station["picker"] or "")
        if station["trump"]:
            between.side(LONG[0]).locator("label.ketchup").tap()
            look()
            page.get_by_role("button", name="Another topping").locator("visible=true").tap()
        between.bid({**station, "picker": name})
        look()
        between.relish(5)
        look()
        between.tap(between.key(9))
        between.rest()


def test_far_side_is_turned_round_or_stands_beside(between: Between) -> None:
    page = between.page

    def turned() -> list[str]:
        return [
            page.locator(place).evaluate("part => getComputedStyle(part).rotate")
            for place in (".side >> nth=0", ".side >> nth=1", ".scores li >> nth=1", ".scores li >> nth=0")
        ]

    assert turned() == ["180deg", "none", "180deg", "none"]
    page.evaluate("localStorage.setItem('my-name', 'Bo')")
    page.reload()
    assert turned() == ["none", "180deg", "none", "180deg"], "Bo keeps score"
    assert between.side("Bo").bounding_box()["y"] > between.side("Ann").bounding_box()["y"]
    assert between.overflowing() == []
    page.get_by_role("button", name="Side by side").tap()
    assert turned() == ["none"] * 4
    page.reload()
    assert turned() == ["none"] * 4, "it is remembered"
    expect(page.get_by_role("button", name="Face to face")).to_be_visible()


def test_nothing_is_turned_round_on_a_desk(desk: Page) -> None:
    Pad(desk, ("Ann", "Bo"), game="hotdog")
    parts = desk.locator(".side, .scores li")
    assert parts.evaluate_all("all => all.map(one => getComputedStyle(one).rotate)") == ["none"] * 4
    expect(desk.locator("[data-pref=sides]")).to_be_hidden()


def test_sheet_is_printed_with_every_round(open_page: Callable[..., Page]) -> None:
    page = open_page(DESK)
    pad = Pad(page, ("Ann", "Bo"), game="hotdog", hands=3)
    page.goto(pad.url("sheet"))
    page.emulate_media(media="print")
    rows = page.locator("tr.scored, [id^=hand-]")
    expect(page.locator("#hand-3")).to_be_visible()
    assert rows.count() >= 3
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
