"""Text at 150 and 200 per cent by the browser: nothing overlaps, is cut off or disappears (WCAG 1.4.4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import DESK, PHONE
from tests.browser.large_text import UNREADABLE, unreadable
from tests.browser.pads import Pad, is_dressed, likely_bids
from tests.clubs.full_club import FullClub

#: A phone whose window can be made smaller and larger again: no finger has spread it.
HAND = PHONE | {"is_mobile": False}
#: Players and the most cards.
TABLES = {4: 12, 7: 7, 10: 5}


@pytest.mark.parametrize("device", [HAND, DESK | {"has_touch": True}], ids=["phone", "desk"])
@pytest.mark.parametrize("players", TABLES)
def test_bids_and_tricks_can_be_read(open_page: Callable[..., Page], players: int, device: dict) -> None:
    cards = TABLES[players]
    page = open_page(device)
    pad = Pad(page, players, hands=cards - 1, plan={"peak": cards})
    order = pad.scorer.reading.sheet.open.hand.order
    bids = likely_bids(order, cards)
    is_dressed(page)
    found = unreadable(page, device, "no bid")
    pad.bid(*(bids[seat] for seat in order[:-1]))
    found += unreadable(page, device, "the last bid")
    pad.tap(page.get_by_label("Hearts"))
    pad.bid(bids[order[-1]])
    pad.rest()
    found += unreadable(page, device, "the hand is played")
    pad.tap(page.locator(".step button[name='more']").first)
    found += unreadable(page, device, "tricks")
    pad.open("more")
    found += unreadable(page, device, "more")
    assert found == []


#: What is tapped, one after the other, on the pad of a game.
QUESTIONS = {
    "hotdog": (2, [".side:last-of-type .ketchup", ".side:last-of-type [name=f-trump][value=H]", ".relish .none"]),
    "bird-dog": (3, []),
    "dingo": (4, ["[data-ask=hunt-2] label:has([name=f-dingo])", "[data-ask=hunt-2] .no-wolf"]),
    "dirty-deals": (4, [".claim .claimer .pick", ".claim .suits .pick"]),
}


@pytest.mark.parametrize("game", QUESTIONS)
def test_pads_of_other_games_can_be_read(open_page: Callable[..., Page], game: str) -> None:
    players, taps = QUESTIONS[game]
    page = open_page(HAND)
    pad = Pad(page, players, game=game, plan={}, hands=1)
    is_dressed(page)
    found = unreadable(page, HAND, game)
    for what in taps:
        pad.tap(page.locator(what).first)
        pad.rest()
        found += unreadable(page, HAND, f"{game} after {what}")
    assert found == []


@pytest.mark.journey
@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("name", ["open", "front", "sheet", "watch", "watch table", "correct", "rules_page", "links"])
def test_pages_of_a_sheet_can_be_read(open_page: Callable[..., Page], name: str) -> None:
    page = open_page(HAND)
    pad = Pad(page, 6, hands=5, plan={"peak": 8})
    watch = f"/watch/{pad.scorer.sheet.watch}/"
    others = {"open": "/open/", "front": "/", "watch": watch, "watch table": f"{watch}table/"}
    correct = reverse("correct", args=[pad.code, "3"])
    page.goto({**others, "correct": correct}.get(name) or pad.url(name))
    assert unreadable(page, HAND, name) == []


LONG_NAMES = ["Bartholomew", *"CDEFGHIJ", "Wilhelmina Featherstonehaugh-Cholmondel"]


def test_names_of_ten_stay_above_their_columns(open_page: Callable[..., Page]) -> None:
    page = open_page(HAND)
    pad = Pad(page, LONG_NAMES, hands=2)
    order = pad.scorer.reading.sheet.open.hand.order
    for seat in order[:-1]:
        pad.scorer.bid(seat, 0)
    page.goto(pad.url("sheet"))
    assert unreadable(page, HAND, "sheet of ten") == []


def test_the_end_of_a_game_can_be_read(open_page: Callable[..., Page]) -> None:
    page = open_page(HAND)
    pad = Pad(page, 6, plan={"peak": 1})
    pad.scorer.any_game()
    pad.scorer.settle()
    page.goto(pad.url("result"))
    assert unreadable(page, HAND, "result") == []


def test_a_blind_hand_can_be_read(open_page: Callable[..., Page]) -> None:
    page = open_page(HAND)
    pad = Pad(page, 4, plan={"peak": 1})
    for taker in (1, 1, 2, 2):
        pad.scorer.hand(dict.fromkeys(range(1, 5), 0), {seat: int(seat == taker) for seat in range(1, 5)})
    pad.load()
    is_dressed(page)
    assert unreadable(page, HAND, "blind hand") == []


CLUB_PAGES = ["club", "nights", "night", "standings", "members", "trophies", "play_off", "control", "records"]


@pytest.mark.parametrize("name", CLUB_PAGES)
def test_pages_of_a_club_can_be_read(open_page: Callable[..., Page], live_server: LiveServer, name: str) -> None:
    full_club = FullClub()
    full_club.browser("organiser")
    page = open_page(HAND)
    session = full_club.cookies["organiser"][settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    of_night = name in ("night", "play_off", "control")
    page.goto(reverse(name, args=[full_club.club.slug, *([full_club.night.pk] if of_night else [])]))
    assert unreadable(page, HAND, name) == []


def test_what_cannot_be_read_is_found(open_page: Callable[..., Page]) -> None:
    page = open_page(HAND)
    page.goto("/open/")
    assert page.evaluate(UNREADABLE, ":not(*)") == []
    page.evaluate("""() => {
      const h1 = document.querySelector('h1, h2');
      h1.style.cssText = 'width: 30px; overflow: hidden; white-space: nowrap';
    }""")
    assert any("is cut off" in one for one in page.evaluate(UNREADABLE, ":not(*)"))
    page.evaluate("""() => {
      const paragraph = document.querySelector('main p');
      paragraph.style.cssText = 'position: relative; top: -2.5rem';
    }""")
    assert any("lie across each other" in one for one in page.evaluate(UNREADABLE, ":not(*)"))
