"""Whole games for the browser: what is bid and taken, a scorekeeper who taps it, and eyes that read the sheet."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from rules import find_game
from rules.core.engine.replay import read
from tests.browser.waits import TREMBLE, takes_taps, time_has_passed, time_on, wait_for
from tests.factories import NAMES

GOLDEN = Path(__file__).parent.parent / "sheets" / "games"
RANKS = {"3": "three", "8": "eight"}

#: The running sheet as somebody reads it, row by row: every total, what is drawn around it and said about it.
SHEET = """() => {
  const text = (part) => {
    if (!part) return null;
    const copy = part.cloneNode(true);
    copy.querySelectorAll('.visually-hidden').forEach((hidden) => hidden.remove());
    return copy.textContent.trim();
  };
  const table = document.getElementById('sheet');
  const names = [...table.querySelectorAll('thead bdi.name')].map((name) => name.textContent);
  const cell = (td) => {
    const mark = td.querySelector('.mark');
    return {
      total: text(mark),
      drawn: mark ? [mark.querySelector('svg.box') !== null, mark.querySelector('svg.ring') !== null] : [],
      said: mark ? ['in the box', 'in the circle'].map((words) => mark.textContent.includes(words)) : [],
      numbers: [...td.querySelectorAll('.bt > span:not(.visually-hidden)')].map(text),
      beside: text(td.querySelector('.bt')),
      plus: text(td.querySelector('.plus')),
    };
  };
  const rows = [...table.tBodies].flatMap((body) => [...body.rows].filter((row) => row.cells[0].tagName === 'TH')
    .map((row) => [body.id, Object.fromEntries(names.map((name, i) => [name, cell(row.cells[i + 1])]))]));
  return Object.fromEntries(rows);
}"""

#: Remembers every state of the hand being bid that a watcher is ever shown: [part of the sheet, bids by name].
REMEMBER = """() => {
  window.seen = [];
  const look = () => {
    const names = [...document.querySelectorAll('#sheet thead bdi.name')].map((name) => name.textContent);
    const row = document.querySelector('#sheet tr.now');
    const said = row ? [...row.querySelectorAll('td')].map((td) => td.textContent.match(/bids (\\d+)/)) : [];
    const bids = said.flatMap((found, i) => (found ? [[names[i], Number(found[1])]] : []));
    const now = JSON.stringify([row?.parentElement.id ?? '', Object.fromEntries(bids)]);
    if (JSON.stringify(window.seen.at(-1)) !== now) window.seen.push(JSON.parse(now));
  };
  look();
  new MutationObserver(look).observe(document.querySelector('main'), { childList: true, subtree: true });
}"""


@dataclass(frozen=True)
class Deal:
    """A hand: `bids` in the order they are spoken, what everybody took, and the trump suit or "" for not noted."""

    bids: Mapping[str, int]
    tricks: Mapping[str, int]
    trump: str = ""


@dataclass(frozen=True)
class Script:
    """A game that is going to be played, from its sheet file."""

    document: Mapping[str, Any]

    @property
    def players(self) -> Sequence[str]:
        return self.document["players"]

    @property
    def dealer(self) -> str:
        """Who deals first."""
        return self.document["first_dealer"]

    @property
    def hands(self) -> list[Deal]:
        """The hands; trump is noted in every third."""
        return [
            Deal(hand["bids"], hand["tricks"], "CDHS"[at % 4] if at % 3 == 0 else "")
            for at, hand in enumerate(self.document["hands"])
        ]

    @property
    def blind_hands(self) -> list[Deal]:
        return [Deal(hand["bids"], hand["tricks"]) for hand in self.document.get("tie_breaks", [])]

    @property
    def draws(self) -> list[Mapping[str, str]]:
        return self.document.get("draws", [])

    def first(self, hands: int) -> Script:
        """The same game, stopped after so many hands."""
        return Script({**self.document, "hands": self.document["hands"][:hands], "stopped_after": hands})


def level_at_both_ends() -> tuple[Script, dict[str, Any]]:
    """Six play eighteen hands, two end level at the top and two at the bottom, and what it comes to.

    The first blind hand leaves the lead level, the first draw the bottom.
    """
    golden = json.loads((GOLDEN / "dirty_dog-level_at_both_ends.json").read_text("utf-8"))
    document = golden["document"] | {"draws": [{"Di": "8", "Ed": "8"}, {"Di": "8", "Ed": "3"}]}
    return Script(document), golden["expect"]


def any_game(players: int, seed: int, plan: Mapping[str, int]) -> Script:
    """A game of so many players, the first of them dealing first, the same for the same `seed`."""
    luck, game = random.Random(seed), find_game("dirty-dog")
    names = dict(enumerate(NAMES[:players], 1))
    table = game.open_table(list(names), 1, plan, {})
    entries: dict[tuple[int, str], dict[str, int]] = {}
    hands = []
    while opened := read(game, table, entries).open:
        hand = opened.hand
        bids = {seat: min(luck.choice([0, 0, 0, 1, 1, 2]), hand.cards) for seat in hand.order}
        if sum(bids.values()) == game.avoided_sum(table, hand):
            bids[hand.dealer] += -1 if bids[hand.dealer] else 1
        tricks = dict(bids)
        while (off := hand.cards - sum(tricks.values())) != 0:
            seat = luck.choice([seat for seat in hand.order if off > 0 or tricks[seat]])
            tricks[seat] += 1 if off > 0 else -1
        entries |= {(hand.number, f"bid-{seat}"): {"bid": bid} for seat, bid in bids.items()}
        entries[hand.number, "tricks"] = {f"tricks-{seat}": count for seat, count in tricks.items()}
        hands.append({"bids": by_name(names, bids), "tricks": by_name(names, tricks)})
    return Script({"players": list(names.values()), "first_dealer": names[1], "plan": plan, "hands": hands})


def by_name(names: Mapping[int, str], numbers: Mapping[int, int]) -> dict[str, int]:
    return {names[seat]: number for seat, number in numbers.items()}


# -- any game ------------------------------------------------------------------------------------------


def open_table(page: Page, document: Mapping[str, Any]) -> None:
    """From the front page to the pad of any game: the table of a sheet file, with its house rules."""
    page.goto("/")
    page.get_by_role("link", name="Keep score now").tap()
    page.wait_for_url("**/open/")
    choose_game(page, document["game"])
    for name in document["players"]:
        page.get_by_role("textbox", name=re.compile("^(Name|Somebody else)$")).fill(name)
        page.keyboard.press("Enter")
    expect(page.locator("#round > li")).to_have_count(len(document["players"]))
    dealer = document.get("first_dealer", document["players"][0])
    page.locator("#dealers label").filter(has_text=re.compile(rf"^\s*{re.escape(dealer)}\s*$")).tap()
    for key, value in document.get("house_rules", {}).items():
        choose_house_rule(page, key, value)
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/pad/")


def choose_game(page: Page, slug: str) -> None:
    """Tap the card of a game on the page that opens a sheet."""
    if (card := page.locator(f"label:has(input[name=game][value={slug}])")).count():
        if not card.is_visible():
            page.get_by_text("Another game", exact=True).tap()
        card.tap()
        expect(page.locator(f"input[name=game][value={slug}]")).to_be_checked()


def choose_house_rule(page: Page, key: str, value: bool | int | str) -> None:
    """Say a house rule on the page that opens a sheet, wherever it is asked and however."""
    asked = page.locator(f"[name=house-{key}]")
    asked.first.wait_for(state="attached")
    # The site may still be answering the choice of the game, and what it answers is folded.

    def is_shown() -> bool:
        if asked.locator("visible=true").count():
            return True
        for folded in page.locator("details:not([open])").filter(has=asked).all():
            folded.locator("summary").tap()
        return False

    wait_for(page, is_shown)
    kind = asked.first.evaluate("field => field.type")
    if kind == "checkbox":
        asked.set_checked(bool(value))
    elif kind == "radio":
        page.locator(f"label:has([name=house-{key}][value='{value}'])").tap()
    elif kind == "select-one":
        asked.select_option(str(value))
    else:
        asked.fill(str(value))


def export(page: Page, file: Path) -> dict[str, Any]:
    """From the result or the sheet of any game to its sheet file, saved as `file`."""
    if (back := page.get_by_role("link", name="Back to the sheet")).count():
        back.tap()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download this sheet").tap()
    download.value.save_as(file)
    return json.loads(file.read_text("utf-8"))


# -- the scorekeeper of Dirty Dog -----------------------------------------------------------------------


class Scorekeeper:
    """A finger on a phone that keeps the sheet of `script`. It waits for what the pad shows, never for a time.

    Without `javascript` the counts are typed, and Enter scores.
    """

    def __init__(self, page: Page, script: Script, *, javascript: bool = True) -> None:
        self.page, self.script, self.javascript = page, script, javascript
        self.tapped: dict[int, float] = {}

    def open_sheet(self) -> None:
        """From the front page to the first bid."""
        page, players = self.page, self.script.players
        page.goto("/")
        page.get_by_role("link", name="Keep score now").tap()
        for seated, name in enumerate(players, 1):
            page.get_by_role("textbox", name="Name", exact=True).fill(name)
            page.keyboard.press("Enter")
            expect(page.locator("#round > li")).to_have_count(seated)
        page.locator("#dealers label").filter(has_text=re.compile(rf"^\s*{self.script.dealer}\s*$")).tap()
        if hands := self.script.document["plan"].get("hands"):
            page.get_by_text("Change", exact=True).tap()
            page.get_by_text("By number of hands").tap()
            page.get_by_role("textbox", name="hands", exact=True).fill(str(hands))
            page.keyboard.press("Enter")
            expect(page.locator("#short")).to_contain_text(f"{hands} hands")
        page.get_by_role("button", name="Start").tap()
        page.wait_for_url("**/pad/")

    def play(
        self, first: int = 1, last: int | None = None, *, after_bid: Callable[[int, int], None] | None = None
    ) -> None:
        """The hands from `first` to `last`; `after_bid(hand, bids)` is called when so many bids have fallen."""
        for number, deal in enumerate(self.script.hands[:last], 1):
            if number >= first:
                expect(self.page.locator("#pad h1")).to_have_text(f"Hand {number} of {len(self.script.hands)}")
                self.hand(deal, after_bid=after_bid and (lambda bids, number=number: after_bid(number, bids)))

    def blind_hand(self, k: int, *, after_bid: Callable[[int], None] | None = None) -> None:
        """The k-th blind hand: bids first, and nobody looks."""
        deal, which = self.script.blind_hands[k - 1], f"Blind hand {k}" if k > 1 else "Blind hand"
        expect(self.page.locator("#pad h1")).to_have_text(f"{which} for the lead")
        expect(self.page.locator(".facts")).to_contain_text("Nobody looks! Bids first")
        self.hand(deal, after_bid=after_bid)

    def hand(self, deal: Deal, *, after_bid: Callable[[int], None] | None = None) -> None:
        """One hand: trump where it is noted, every bid, the tricks, and the button that scores."""
        self.rested()
        if deal.trump:
            self.page.locator(f".trump button[value='{deal.trump}']").tap()
            expect(self.page.locator(".turned")).to_be_visible()
        for said, (name, bid) in enumerate(deal.bids.items(), 1):
            expect(self.page.locator(".pad h2 bdi")).to_have_text(name)
            self.key(bid)
            if after_bid:
                after_bid(said)
        expect(self.page.locator("form.count")).to_be_visible()
        self.rested()
        if self.javascript:
            self.count(deal.tricks)
            self.page.locator(".go").tap()
        else:
            self.type_counts(deal)

    def key(self, number: int) -> None:
        """A bid. The same key again so soon would be a finger that trembles, so a finger waits as long as it must."""
        if self.javascript and (at := self.tapped.get(number)):
            time_has_passed(self.page, at, TREMBLE)
        self.page.locator(f".pad .keys button[value='{number}']").tap()
        self.tapped = {number: time_on(self.page)}

    def rested(self) -> None:
        """Wait until the pad takes taps again, and not longer."""
        takes_taps(self.page)

    def count(self, tricks: Mapping[str, int]) -> None:
        """Tap − and + of everybody who took something else than they bid."""
        for name, number in tricks.items():
            for _ in range(99):
                shown = int(self.took(name).input_value())
                if shown == number:
                    break
                verb = "fewer" if shown > number else "more"
                self.page.get_by_role("button", name=f"{name} one {verb}", exact=True).tap()
        assert {name: int(self.took(name).input_value()) for name in tricks} == dict(tricks)

    def type_counts(self, deal: Deal) -> None:
        """Without a script: one button for the first who missed, which loads the page again; the rest is typed."""
        missed = [name for name, number in deal.tricks.items() if number != deal.bids[name]]
        if not missed:
            self.page.locator(".go").tap()
            return
        first, bid = missed[0], deal.bids[missed[0]]
        verb, by = ("fewer", -1) if deal.tricks[first] < bid else ("more", 1)
        self.page.get_by_role("button", name=f"{first} one {verb}", exact=True).tap()
        expect(self.took(first)).to_have_value(str(bid + by))
        for name in missed:
            self.took(name).fill(str(deal.tricks[name]))
        self.took(first).press("Enter")

    def took(self, name: str) -> Locator:
        """Where the tricks of a player stand."""
        return self.page.get_by_role("textbox", name=f"{name} took", exact=True)

    def draw(self, cards: Mapping[str, str]) -> None:
        """Tap the cards that were drawn."""
        for name, rank in cards.items():
            card = self.page.get_by_role("radio", name=RANKS[rank], exact=True)
            self.page.get_by_role("group", name=name).locator(".chip", has=card).tap()
        self.page.get_by_role("button", name="Save the cards").tap()

    def settle(self, *, after_bid: Callable[[int, int], None] | None = None) -> None:
        """The blind hands and the draws, up to the result."""
        for k in range(1, len(self.script.blind_hands) + 1):
            self.blind_hand(k, after_bid=after_bid and (lambda bids, k=k: after_bid(k, bids)))
        for k, cards in enumerate(self.script.draws, 1):
            expect(self.page.get_by_role("heading", name="Draw cards for last place")).to_be_visible()
            if k > 1:
                expect(self.page.get_by_text("Same rank: draw again.")).to_be_visible()
            self.draw(cards)
        expect(self.page.get_by_role("heading", name="The result", exact=True)).to_be_visible()

    def watch_address(self) -> str:
        """The address for those who watch, as the pad gives it away."""
        address = self.page.get_by_role("link", name="Watch link", include_hidden=True).get_attribute("href")
        assert address
        return address

    def export(self, file: Path) -> dict[str, Any]:
        """From the result or the sheet to the sheet file, saved as `file`."""
        return export(self.page, file)


# -- what is read --------------------------------------------------------------------------------------


def sheet_on(page: Page) -> dict[str, dict[str, dict[str, Any]]]:
    """The running sheet on the page: cells by row (`hand-7`, `tie-1`, `draw-1`) and name."""
    return page.evaluate(SHEET)


def totals_in(row: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """The totals in a row, of those who have one there; a dash stands where the row does not count."""
    return {name: number_of(cell["total"]) for name, cell in row.items() if cell["total"] not in (None, "–")}


def drawn_in(row: Mapping[str, Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """Who is in the box and who in the circle in a row; what is drawn there is also said."""
    assert all(cell["drawn"] == cell["said"] for cell in row.values()), row
    boxed, circled = ([name for name, cell in row.items() if cell["drawn"] and cell["drawn"][at]] for at in (0, 1))
    return boxed, circled


def bids_and_tricks_in(row: Mapping[str, Mapping[str, Any]]) -> dict[str, list[int]]:
    return {name: [number_of(number) for number in cell["numbers"]] for name, cell in row.items()}


def number_of(text: str) -> int:
    """A number as it is shown, with the real minus sign."""
    return int(text.replace("−", "-"))


def trophies_on(page: Page) -> dict[str, str]:
    """Who is winner and who is loser on a result."""
    return dict(
        page.locator(".trophies li").evaluate_all(
            "all => all.map(one => [one.querySelector('small').textContent, one.querySelector('bdi').textContent])"
        )
    )


def places_on(page: Page) -> list[dict[str, Any]]:
    """The places on a result, as a result document has them."""
    found = page.locator(".places li").evaluate_all(
        """all => all.map((one) => {
          const mark = one.querySelector('.mark').cloneNode(true);
          mark.querySelectorAll('.visually-hidden').forEach((hidden) => hidden.remove());
          const name = one.querySelector('bdi').textContent;
          return [one.querySelector('.place').textContent, name, mark.textContent.trim()];
        })"""
    )
    return [
        {"place": int(place.rstrip(".")), "player": name, "score": number_of(score)} for place, name, score in found
    ]
