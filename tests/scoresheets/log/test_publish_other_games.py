"""What finished sheets of games without bids tell: the same rows, with nothing where a game has no such thing."""

from io import StringIO

import pytest
from django.core.management import call_command

from rules import all_games
from scoresheets.commands import enter
from scoresheets.log.publish import is_published
from scoresheets.models import FinalPlacing, HandFact
from tests.factories import Scorer, new_key, scorer, sure_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def deals() -> Scorer:
    """Dirty Deals to one rubber; nobody has claimed yet."""
    return scorer(game="dirty-deals", house_rules={"rubbers_to_win": 1})


def claim(table: Scorer, who: int, surplus: int = 0) -> None:
    step = {"claimer": who, "suit": "H", "surplus": surplus, "bower": 4}
    sure_of(table.enter(table.reading.next_hand, "claim", **step))


def places(table: Scorer) -> list[tuple]:
    rows = FinalPlacing.objects.filter(sheet=table.sheet).order_by("place", "seat__number")
    return list(rows.values_list("place", "player__name", "score", "winner", "loser"))


def test_match_tells_places_by_legs_won_and_no_loser(deals: Scorer) -> None:
    claim(deals, 1)
    assert places(deals) == [
        (1, "Ann", 1, True, False), (2, "Bo", 0, False, False), (2, "Cy", 0, False, False), (2, "Di", 0, False, False),
    ]  # fmt: skip


@pytest.mark.thorough
def test_facts_have_no_bid_no_tricks_and_no_cards_where_the_game_has_none(deals: Scorer) -> None:
    claim(deals, 1, surplus=2)
    claim(deals, 1, surplus=1)
    facts = HandFact.objects.filter(sheet=deals.sheet, hand=2).order_by("seat__number")
    assert list(facts.values_list("cards", "bid", "tricks", "points", "total", "box", "circle")) == [
        (0, None, None, 8, 15, True, False),
        (0, None, None, 0, 0, False, True),
        (0, None, None, 0, 0, False, True),
        (0, None, None, 3, 6, False, False),
    ]


def test_race_that_is_stopped_tells_who_led_and_takes_it_back_when_it_is_played_on(deals: Scorer) -> None:
    claim(deals, 2, surplus=5)
    sure_of(enter.stop(deals.sheet, 2, key=new_key(), by=deals.by))
    assert places(deals)[0] == (1, "Bo", 0, True, False)
    sure_of(enter.play_on(deals.sheet, key=new_key(), by=deals.by))
    assert places(deals) == []


def test_finished_sheet_has_told_all_there_is_to_tell(deals: Scorer) -> None:
    claim(deals, 1)
    assert is_published(deals.reading)


def test_shared_first_place_is_nobodys_win() -> None:
    table = scorer(game="dirty-deals", house_rules={"rubbers_to_win": 1})
    sure_of(table.enter(1, "claim", claimer=1, suit="H", surplus=6, bower=4))
    sure_of(enter.stop(table.sheet, 2, key=new_key(), by=table.by))
    assert [(place, winner) for place, _, _, winner, _ in places(table)][:2] == [(1, False), (1, False)]


def test_sheet_reads_the_same_leg_by_leg_as_from_the_first_hand_on() -> None:
    table = scorer(game="dirty-deals")
    for who in (1, 2, 3, 3):
        claim(table, who)
    reading = table.reading
    assert reading.finished
    assert [leg.winner for leg in reading.sheet.table.legs] == [1, 2, 3, 3]
    assert reading.with_entries(reading.entries).table.legs == reading.sheet.table.legs


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_that_was_stopped_after_a_few_hands_has_told_a_fact_for_each_seat_and_hand(game) -> None:
    table = scorer(game=game.slug)
    for seed in range(3):
        if table.reading.sheet.open:
            table.any_hand(seed)
    hands = table.reading.sheet.table.hands_done
    if table.reading.sheet.open:
        sure_of(enter.stop(table.sheet, hands + 1, key=new_key(), by=table.by))
    table.settle()
    seats = len(table.reading.setup.seats)
    assert HandFact.objects.filter(sheet=table.sheet).count() == hands * seats
    assert FinalPlacing.objects.filter(sheet=table.sheet).count() == seats
    out = StringIO()
    call_command("check_sheets", stdout=out)
    assert out.getvalue() == "1 sheets read, 0 differ.\n"
