"""Tables at a glance, for whoever walks through the room."""

import contextlib
import datetime

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from rules import all_games
from rules.core.formats import Race
from rules.core.game import Game
from rules.core.table import Table
from scoresheets.commands import enter
from scoresheets.commands.last_hand import announce
from scoresheets.log.aliases import hide_names
from scoresheets.log.state import read_sheet
from scoresheets.models import Sheet
from scoresheets.sheet.summary import Glance, read_sheets
from tests.factories import Scorer, new_key, scorer, sure_of

pytestmark = pytest.mark.django_db

EIGHT = datetime.datetime(2026, 3, 5, 20, 0, tzinfo=datetime.UTC)


def usual(game: Game) -> Table:
    """A table of the game as most play it."""
    plan = next((choice.usual for choice in game.plan_choices(game.made_for[0], {})), {})
    return game.open_table(tuple(range(1, game.made_for[0] + 1)), 1, plan, {})


RACES = [game.slug for game in all_games() if isinstance(game.format(usual(game)), Race)]


def at(minutes: float) -> datetime.datetime:
    return EIGHT + datetime.timedelta(minutes=minutes)


def glance(table: Scorer) -> Glance:
    table.sheet.refresh_from_db()
    return Glance(read_sheets([table.sheet])[table.sheet.pk])


@pytest.fixture
def table() -> Scorer:
    """Four play 1, 2, 3, 4, 5, 5, 5, 5, 4, 3, 2 and 1 cards; three are scored, a minute a card and one more."""
    with time_machine.travel(at(0), tick=False) as clock:
        made = scorer(4, plan={"peak": 5, "extra_rounds": 0})
        for minutes in (2, 5, 9):
            clock.move_to(at(minutes))
            made.any_hand()
    return made


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_many_sheets_are_read_as_one_is(game):
    tables = [scorer(game=game) for _ in range(2)]
    tables[0].any_hand()
    for table in tables:
        table.sheet.refresh_from_db()
    readings = read_sheets([table.sheet for table in tables])
    for table in tables:
        assert readings[table.sheet.pk] == read_sheet(table.sheet)


def test_many_sheets_cost_two_queries_and_none_while_nothing_is_written(django_assert_num_queries):
    tables = [scorer(4) for _ in range(5)]
    with django_assert_num_queries(2):
        first = read_sheets(table.sheet for table in tables)
    with django_assert_num_queries(0):
        assert read_sheets(table.sheet for table in tables) == first
        assert read_sheets([]) == {}
    tables[0].bid(2, 1)
    tables[0].sheet.refresh_from_db()
    with django_assert_num_queries(2):
        now = read_sheets(table.sheet for table in tables)
    assert now[tables[0].sheet.pk].sheet.open.hand.steps == {"bid-2": {"bid": 1}}


def test_a_name_that_is_hidden_is_hidden_at_the_next_look():
    table = scorer(4)
    assert glance(table).people[0].name == "Ann"
    ann = table.sheet.seats.get(number=1).player_id
    hide_names([ann], "Somebody", Sheet.objects.all())
    assert glance(table).people[0].name == "Somebody"


def test_it_says_how_far_a_table_has_come(table):
    assert glance(scorer(4)).heading == "not begun"
    assert glance(table).heading == "Hand 4 of 12"
    assert glance(table).last_at == at(9)
    assert [one.name for one in glance(table).people] == ["Ann", "Bo", "Cy", "Di"]


def test_when_it_is_done_is_told_by_what_a_card_has_taken(table):
    # 5 + 6 + 6 + 6 + 6 + 5 + 4 + 3 + 2 minutes are ahead of the ninth.
    assert glance(table).done_at(at(10)) == at(55)


def test_a_pause_moves_the_end_by_no_more_than_itself(table):
    assert glance(table).done_at(at(30)) == at(70)
    with time_machine.travel(at(60), tick=False):
        table.any_hand()
    # The long hand does not count; 6 + 6 + 6 + 6 + 5 + 4 + 3 + 2 are ahead.
    assert glance(table).done_at(at(60)) == at(100)


def test_a_table_that_is_told_to_stop_is_done_earlier(table):
    sure_of(announce(table.sheet, 5, key=new_key(), by=table.by))
    assert glance(table).done_at(at(10)) == at(20)
    assert glance(table).last_hand == 5


@pytest.mark.parametrize("game", RACES)
def test_nobody_can_tell_when_a_race_is_done_unless_it_is_told_to_stop(game):
    with time_machine.travel(at(0), tick=False) as clock:
        race = scorer(game=game)
        for minutes in (5, 10, 15):
            clock.move_to(at(minutes))
            race.any_hand()
    assert race.reading.sheet.open is not None, "the dice have ended the game by themselves"
    assert glance(race).done_at(at(16)) is None
    sure_of(announce(race.sheet, 5, key=new_key(), by=race.by))
    done = glance(race).done_at(at(16))
    assert done is not None
    assert at(20) <= done <= at(30)


def test_a_game_that_was_typed_in_tells_no_pace():
    table = scorer(4)
    table.any_hand()
    assert glance(table).done_at(timezone.now()) is None


def test_a_hand_that_is_scored_and_not_followed_by_the_stop_is_seen():
    table = scorer(4)
    table.any_hand()
    sure_of(announce(table.sheet, key=new_key(), by=table.by))
    assert not glance(table).has_passed_it
    table.any_hand()
    assert glance(table).has_passed_it
    sure_of(enter.stop(table.sheet, 3, key=new_key(), by=table.by))
    assert not glance(table).has_passed_it


def test_open_ties_are_told():
    table = scorer(4)
    table.clear_game()
    assert (glance(table).heading, glance(table).is_finished) == ("finished", True)
    assert glance(table).ties == []
    tied = scorer(3, plan={"hands": 1})
    tied.hand({1: 0, 2: 0, 3: 0}, {1: 0, 2: 1, 3: 0})
    assert [end.title for end in glance(tied).ties] == ["A tie for the lead"]
    assert (glance(tied).heading, glance(tied).is_finished) == ("Blind hand", False)


def test_what_was_never_written_for_good_is_not_remembered(table: Scorer) -> None:
    with contextlib.suppress(ZeroDivisionError), transaction.atomic():
        sure_of(announce(table.sheet, 7, key=new_key(), by=table.by))
        assert glance(table).last_hand == 7
        raise ZeroDivisionError
    sure_of(announce(table.sheet, 9, key=new_key(), by=table.by))
    assert glance(table).last_hand == 9
