"""The pad decides without network what it takes back. It is the write that the site would name, all the way back."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from rules import all_games
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.models import Revision
from tests.browser.pads import Pad
from tests.factories import new_key, sure_of
from tests.rules.dice import whole_hand
from tests.scoresheets.corrections.test_setup import caught_and_dealt_anew, mend
from tests.scoresheets.pad.test_undo_chain import blind_bid, draw
from tests.scoresheets.people import arrive

pytestmark = pytest.mark.django_db(transaction=True)
GAMES = [game.slug for game in all_games()]
MOST_TAPS = 40


def half_a_hand(pad: Pad) -> None:
    """The first half of the hand that is open."""
    reading = pad.scorer.reading
    opened = reading.sheet.open
    assert opened is not None
    steps = list(whole_hand(random.Random(7), reading.game, reading.sheet.table, opened.hand).items())
    for ask, step in steps[: max(len(steps) // 2, 1)]:
        pad.scorer.enter_step(opened.hand.number, ask, step)


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("game", GAMES)
def test_every_tap_on_take_back_names_the_write_that_the_site_names(
    phone: Page, live_server: object, game: str
) -> None:
    pad = Pad(phone, game=game, hands=2)
    half_a_hand(pad)
    pad.load()
    all_the_way_back(pad)


@pytest.mark.journey
def test_bids_in_turn_go_back_from_the_last_also_when_somebody_else_dealt(
    sparrow: None, phone: Page, live_server: object
) -> None:
    pad = Pad(phone, 4, game="sparrow", plan={})
    table = pad.scorer
    sure_of(table.enter(1, "trump", suit="H"))
    for seat in (2, 3, 4, 1):
        sure_of(table.enter(1, f"bid-{seat}", bid=1))
    other = SetupCorrection({}, first_dealer=3)
    sure_of(correct_setup(table.sheet, other, saw={}, digest=None, key=new_key(), by=table.by))
    pad.load()
    all_the_way_back(pad)


def test_number_typed_anew_goes_back_alone_where_who_was_caught_by_it_bids_before_now(
    phone: Page, live_server: object
) -> None:
    pad = Pad(phone, 4)
    caught_and_dealt_anew(pad.scorer)
    pad.load()
    all_the_way_back(pad)


def test_coming_goes_back_before_the_hand_though_it_is_noted_since_that_the_rule_was_missed(
    phone: Page, live_server: object
) -> None:
    pad = Pad(phone, 4, plan={"peak": 3})
    table = pad.scorer
    table.clear_hand()
    sure_of(arrive(table, "Joe"))
    order = table.reading.sheet.open.hand.order
    table.bids(dict.fromkeys(order, 0) | {order[0]: 1})
    sure_of(mend(table, plan={"peak": 1}))
    pad.load()
    all_the_way_back(pad)


def test_draw_beside_a_blind_hand_goes_back_before_the_bids_that_were_made_before_it(
    phone: Page, live_server: object
) -> None:
    pad = Pad(phone, 4, plan={"peak": 1})
    table = pad.scorer
    for taker in (1, 1, 2, 2):
        table.hand(dict.fromkeys(range(1, 5), 0), {seat: int(seat == taker) for seat in range(1, 5)})
    draw(table, 1, "K", "K")
    blind_bid(table)
    blind_bid(table)
    draw(table, 2, "K", "Q")
    pad.load()
    expect(pad.back).to_have_text("Take back draw 2")
    all_the_way_back(pad)


def all_the_way_back(pad: Pad) -> None:
    """Tap "Take back" until nothing stands; each names the write that the site would name."""
    sheet, taps = pad.scorer.sheet, 0
    while (expected := pad.scorer.reading.take_back) is not None and expected > 1:
        expect(pad.back).to_be_visible()
        pad.tap(pad.back)
        pad.is_saved()
        undone = Revision.objects.filter(sheet=sheet, verb="undo").order_by("-version").select_related("undoes").first()
        assert undone is not None
        assert undone.undoes is not None
        assert undone.undoes.version == expected, f"after {taps} taps"
        taps += 1
        assert taps < MOST_TAPS
        pad.rest()
    assert taps >= 3
    assert not pad.scorer.reading.entries
