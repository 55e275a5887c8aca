"""Whole games at phone size, from the front page to the two trophies, held against `manage.py score`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from scoresheets.models import Sheet
from tests.browser import games
from tests.browser.conftest import PHONE
from tests.browser.games import Scorekeeper, Script
from tests.factories import ScorekeeperFactory, Scorer

LEVEL, EXPECTED = games.level_at_both_ends()


def is_what_was_played(document: Mapping[str, Any], script: Script) -> None:
    """The sheet file has every bid, trick, trump and card that was tapped."""
    played = [
        {"bids": dict(deal.bids), "tricks": dict(deal.tricks)} | ({"trump": deal.trump} if deal.trump else {})
        for deal in script.hands
    ]
    kept = [{key: hand[key] for key in ("bids", "tricks", "trump") if key in hand} for hand in document["hands"]]
    assert kept == played
    for key in ("players", "first_dealer", "plan", "tie_breaks", "draws", "stopped_after"):
        assert document.get(key) == script.document.get(key), key


def stands_on_the_sheet(page: Page, result: Mapping[str, Any], script: Script) -> None:
    """Every total of every row on the page is that of `result`, with its box and its circle, over bid and tricks."""
    sheet = games.sheet_on(page)
    assert [key for key in sheet if key.startswith("hand-")] == [f"hand-{row['number']}" for row in result["hands"]]
    for row, deal in zip(result["hands"], script.hands, strict=True):
        shown = sheet[f"hand-{row['number']}"]
        assert games.totals_in(shown) == row["totals"], row["number"]
        assert games.drawn_in(shown) == (row["boxed"], row["circled"]), row["number"]
        assert games.bids_and_tricks_in(shown) == {name: [deal.bids[name], deal.tricks[name]] for name in shown}


def stands_as_result(page: Page, result: Mapping[str, Any]) -> None:
    """Winner, loser and places on the page are those of `result`."""
    assert games.trophies_on(page) == {"Winner": result["winner"], "Loser": result["loser"]}
    assert games.places_on(page) == result["placings"]


def ties_stand_on_the_sheet(page: Page) -> None:
    """Blind hands and draws are rows of their own, with the tied totals still there, and mark who is left."""
    sheet = games.sheet_on(page)
    assert list(sheet)[18:] == ["tie-1", "tie-2", "draw-1", "draw-2"]
    blind_hands = (("tie-1", {"Bo": "+6", "Cy": "+6"}, ["Bo", "Cy"]), ("tie-2", {"Bo": "−2", "Cy": "+6"}, ["Cy"]))
    for key, plus, left in blind_hands:
        assert {name: cell["plus"] for name, cell in sheet[key].items() if cell["plus"]} == plus
        assert games.totals_in(sheet[key]) == {"Bo": 74, "Cy": 74}
        assert games.drawn_in(sheet[key]) == (left, [])
    for key, cards, left in (
        ("draw-1", {"Di": "8", "Ed": "8"}, ["Di", "Ed"]),
        ("draw-2", {"Di": "8", "Ed": "3"}, ["Ed"]),
    ):
        assert {name: cell["beside"].split()[-1] for name, cell in sheet[key].items() if cell["beside"]} == cards
        assert games.totals_in(sheet[key]) == {"Di": 59, "Ed": 59}
        assert games.drawn_in(sheet[key]) == ([], left)


def comes_to_what_was_worked_out(result: Mapping[str, Any]) -> None:
    """What another hand than the code's has worked out for the game that ends level at both ends."""
    for key in ("finished", "totals", "boxed", "circled", "winner", "loser", "placings", "waiting_for"):
        assert result[key] == EXPECTED[key], key
    for row, expected in zip(result["hands"], EXPECTED["hands"], strict=True):
        assert {key: row[key] for key in ("points", "totals")} == {key: expected[key] for key in ("points", "totals")}


class Watcher:
    """A second phone that has nothing but the address of the watch page, and remembers all it was ever shown."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.goto(address)
        self.has_no_cookie()
        page.evaluate(games.REMEMBER)

    def has_no_cookie(self) -> None:
        assert self.page.context.cookies() == []

    def sees_bids(self, key: str, bids: Mapping[str, int]) -> None:
        """These bids are shown in that row, and nobody else's; it may take until the page asks again."""
        for name, bid in bids.items():
            expect(self.cell(key, name)).to_have_text(f"bids {bid}")
        expect(self.page.locator(f"#{key} .bt:not(.none)")).to_have_count(len(bids))

    def cell(self, key: str, name: str) -> Any:
        return self.page.locator(f"#{key} td").nth(list(LEVEL.players).index(name))

    def sees_scored(self, number: int) -> None:
        """Hand and totals, with box and circle, as they are after that hand."""
        expected = EXPECTED["hands"][number - 1]
        expect(self.page.get_by_role("heading", name=f"Hand {number + 1} of 18")).to_be_visible()
        row = games.sheet_on(self.page)[f"hand-{number}"]
        assert games.totals_in(row) == expected["totals"]
        assert games.drawn_in(row) == (expected["boxed"], expected["circled"])

    def has_seen_nothing_but(self, script: Script) -> None:
        """Every state it was ever shown is one that the game went through, in the order it did."""
        rows = {f"hand-{number}": deal for number, deal in enumerate(script.hands, 1)}
        rows |= {f"tie-{k}": deal for k, deal in enumerate(script.blind_hands, 1)}
        states = [
            (key, dict(list(deal.bids.items())[:said]))
            for key, deal in rows.items()
            for said in range(len(deal.bids) + 1)
        ]
        seen = [states.index((key, bids)) for key, bids in self.page.evaluate("window.seen") if key]
        assert seen == sorted(seen)
        assert len({states[at][0] for at in seen}) > 5


def test_six_play_to_the_two_trophies_by_taps_while_another_phone_watches(
    phone: Page, open_page: Callable[..., Page], tmp_path: Path, score: Callable[[Path], dict[str, Any]]
) -> None:
    keeper = Scorekeeper(phone, LEVEL)
    keeper.open_sheet()
    watcher = Watcher(open_page(PHONE), keeper.watch_address())

    def watched(number: int, said: int) -> None:
        if number == 2 and said in (1, 4):
            watcher.sees_bids("hand-2", dict(list(LEVEL.hands[1].bids.items())[:said]))
        if number == 4 and said == 1:
            watcher.sees_scored(3)

    def blindly_watched(k: int, said: int) -> None:
        if k == 2 and said == 3:
            watcher.sees_bids("tie-2", dict(list(LEVEL.blind_hands[1].bids.items())[:3]))

    keeper.play(after_bid=watched)
    keeper.settle(after_bid=blindly_watched)
    expect(phone.locator(".aloud")).to_contain_text("Cy wins with 74 points, after two blind hands.")
    expect(phone.locator(".aloud")).to_contain_text("Ed takes the circle with 59 points, having drawn the lowest card.")
    shown = games.trophies_on(phone), games.places_on(phone)

    document = keeper.export(tmp_path / "sheet.json")
    is_what_was_played(document, LEVEL)
    result = score(tmp_path / "sheet.json")
    comes_to_what_was_worked_out(result)
    assert shown == ({"Winner": result["winner"], "Loser": result["loser"]}, result["placings"])
    stands_on_the_sheet(phone, result, LEVEL)
    ties_stand_on_the_sheet(phone)

    expect(watcher.page.locator("#live")).to_have_text("finished")
    stands_as_result(watcher.page, result)
    assert games.sheet_on(watcher.page) == games.sheet_on(phone)
    watcher.has_seen_nothing_but(LEVEL)
    watcher.has_no_cookie()


def written_by_another(keeper: Scorekeeper, first: int, last: int) -> None:
    """Another scorekeeper writes the hands from `first` to `last`, and the phone is shown them."""
    # The last tap has come to the sheet.
    expect(keeper.page.locator("#pad h1")).to_have_text(f"Hand {first} of {len(keeper.script.hands)}")
    sheet = Sheet.objects.get()
    marge = Scorer(sheet, ScorekeeperFactory(sheet=sheet, name="Marge"))
    seats = {name: seat for seat, name in marge.reading.names.items()}
    for number, deal in enumerate(keeper.script.hands[first - 1 : last], first):
        if deal.trump:
            marge.enter_step(number, "trump", {"suit": deal.trump})
        marge.hand(*({seats[name]: count for name, count in said.items()} for said in (deal.bids, deal.tricks)))
    keeper.page.reload()


def test_six_play_the_same_game_without_javascript_to_the_same_totals(
    plain_phone: Page, tmp_path: Path, score: Callable[[Path], dict[str, Any]]
) -> None:
    keeper = Scorekeeper(plain_phone, LEVEL, javascript=False)
    keeper.open_sheet()
    # The first hand, one of the most cards and the last by taps: of the others each is like one of these.
    keeper.play(1, 1)
    written_by_another(keeper, 2, 8)
    keeper.play(9, 9)
    written_by_another(keeper, 10, 17)
    keeper.play(18)
    keeper.settle()
    shown = games.trophies_on(plain_phone), games.places_on(plain_phone)
    document = keeper.export(tmp_path / "sheet.json")
    is_what_was_played(document, LEVEL)
    result = score(tmp_path / "sheet.json")
    comes_to_what_was_worked_out(result)
    assert shown == ({"Winner": result["winner"], "Loser": result["loser"]}, result["placings"])
    stands_on_the_sheet(plain_phone, result, LEVEL)
    ties_stand_on_the_sheet(plain_phone)


def test_ten_play_ten_hands_by_taps(phone: Page, tmp_path: Path, score: Callable[[Path], dict[str, Any]]) -> None:
    script = games.any_game(10, 32, {"peak": 5})
    assert [sum(deal.tricks.values()) for deal in script.hands] == [1, 2, 3, 4, 5, 5, 4, 3, 2, 1]
    keeper = Scorekeeper(phone, script)
    keeper.open_sheet()
    keeper.play()
    # So fast a finger is far ahead of a slow network.
    expect(phone.get_by_role("heading", name="The result", exact=True)).to_be_visible()
    shown = games.trophies_on(phone), games.places_on(phone)
    is_what_was_played(keeper.export(tmp_path / "sheet.json"), script)
    result = score(tmp_path / "sheet.json")
    assert shown == ({"Winner": result["winner"], "Loser": result["loser"]}, result["placings"])
    stands_on_the_sheet(phone, result, script)


def test_table_stops_plays_on_and_stops_again(
    phone: Page, tmp_path: Path, score: Callable[[Path], dict[str, Any]]
) -> None:
    script = games.any_game(4, 10, {"hands": 8})
    keeper = Scorekeeper(phone, script)
    keeper.open_sheet()

    def stop(hands: int) -> None:
        expect(phone.locator("#pad h1")).to_have_text(f"Hand {hands + 1} of 8")
        keeper.rested()
        phone.locator("#pad [data-open=more]").tap()
        phone.get_by_role("button", name="Stop here").tap()
        expect(phone.get_by_text(f"The table stopped after hand {hands} of 8.")).to_be_visible()
        stopped = script.first(hands)
        shown = games.trophies_on(phone), games.places_on(phone)
        file = tmp_path / f"stopped-{hands}.json"
        is_what_was_played(keeper.export(file), stopped)
        result = score(file)
        assert shown == ({"Winner": result["winner"], "Loser": result["loser"]}, result["placings"])
        assert result["finished"] is True
        stands_on_the_sheet(phone, result, stopped)

    keeper.play(1, 2)
    stop(2)
    phone.get_by_role("button", name="Play on").tap()
    phone.wait_for_url("**/pad/")
    keeper.play(3, 4)
    stop(4)


def test_early_end_that_leaves_a_tie_can_be_taken_back_on_the_pad(phone: Page) -> None:
    keeper = Scorekeeper(phone, games.any_game(4, 1, {"hands": 8}))
    keeper.open_sheet()
    keeper.play(1, 4)
    expect(phone.locator("#pad h1")).to_have_text("Hand 5 of 8")
    keeper.rested()
    phone.locator("#pad [data-open=more]").tap()
    phone.get_by_role("button", name="Stop here").tap()
    expect(phone.locator("#pad h1")).to_contain_text("Blind hand")
    keeper.rested()
    phone.locator("#pad [data-open=more]").tap()
    expect(phone.get_by_role("button", name="Stop here")).to_be_hidden()
    phone.get_by_role("button", name="Play on").tap()
    expect(phone.locator("#pad h1")).to_have_text("Hand 5 of 8")
