"""The last hand is announced from outside of the table: "all tables stop after this hand"."""

import pytest

from rules import all_games
from rules.core.fields import SHEET
from scoresheets.commands import enter
from scoresheets.commands.last_hand import announce, take_back
from scoresheets.history.restore import restore, restore_preview
from scoresheets.log.answers import Done, Refused
from scoresheets.log.state import LAST_HAND
from scoresheets.models import Entry, FinalPlacing
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of

pytestmark = pytest.mark.django_db


def said(table: Scorer, hand: int | None = None) -> Done:
    return sure_of(announce(table.sheet, hand, key=new_key(), by=table.by))


@pytest.fixture(params=[game.slug for game in all_games()])
def table(request) -> Scorer:
    """A table of each game that has played a hand."""
    made = scorer(game=request.param)
    made.any_hand()
    return made


def test_the_open_hand_is_the_last_and_the_rules_read_nothing_of_it(table):
    before = table.reading
    answer = said(table)
    after = table.reading
    assert (after.last_hand, after.version) == (2, before.version + 1)
    assert answer.verb == "announce"
    assert (after.sheet.totals, after.sheet.open) == (before.sheet.totals, before.sheet.open)
    assert LAST_HAND not in after.entries


def test_a_table_that_was_told_stops_by_its_own_verb(table):
    said(table)
    table.any_hand()
    assert table.reading.sheet.open is not None, "the dice have ended the game by themselves"
    sure_of(enter.stop(table.sheet, 3, key=new_key(), by=table.by))
    assert table.reading.sheet.table.stopped
    assert table.reading.last_hand == 2


def test_what_was_said_already_is_no_news(table):
    version = said(table).version
    answer = announce(table.sheet, key=new_key(), by=table.by)
    assert isinstance(answer, Refused)
    assert (answer.code, table.reading.version) == ("already-said", version)
    assert Entry.objects.filter(sheet=table.sheet, ask="last-hand").count() == 1


def test_another_hand_takes_its_place():
    table = scorer(4)
    said(table, 3)
    said(table, 2)
    assert table.reading.last_hand == 2


def test_it_is_taken_back_by_a_write_that_names_it():
    table = scorer(4)
    written = said(table)
    answer = sure_of(take_back(table.sheet, key=new_key(), by=table.by))
    assert table.reading.last_hand is None
    undone = table.sheet.revisions.get(version=answer.version)
    assert (undone.verb, undone.undoes and undone.undoes.version) == ("undo", written.version)
    again = take_back(table.sheet, key=new_key(), by=table.by)
    assert isinstance(again, Refused)
    assert again.code == "nothing-to-undo"


def test_the_same_tap_again_gets_the_same_answer():
    table = scorer(4)
    key = new_key()
    first = sure_of(announce(table.sheet, key=key, by=table.by))
    second = sure_of(announce(table.sheet, key=key, by=table.by))
    assert (second.version, second.again) == (first.version, True)


def test_taking_back_at_the_table_takes_back_the_bid_and_not_what_was_announced():
    table = scorer(4)
    table.bid(2, 1)
    said(table)
    assert sure_of(table.undo()).verb == "undo"
    assert table.reading.last_hand == 1
    assert not table.reading.sheet.open.hand.steps


def test_the_way_back_in_the_history_takes_it_along():
    table = scorer(4)
    written = said(table)
    seen = restore_preview(table.reading, written.version, by=table.by).seen
    sure_of(restore(table.sheet, written.version, seen=seen, key=new_key(), by=table.by))
    assert table.reading.last_hand is None


def test_a_hand_that_is_scored_cannot_be_the_last_any_more():
    table = scorer(4)
    table.clear_hand()
    answer = announce(table.sheet, 1, key=new_key(), by=table.by)
    assert isinstance(answer, Refused)
    assert answer.code == "hand-scored"


def test_a_game_that_is_over_is_told_nothing():
    table = scorer(4)
    table.clear_game()
    placings = list(FinalPlacing.objects.filter(sheet=table.sheet).values_list("pk", flat=True))
    answer = announce(table.sheet, key=new_key(), by=table.by)
    assert isinstance(answer, Refused)
    assert answer.code == "game-over"
    assert list(FinalPlacing.objects.filter(sheet=table.sheet).values_list("pk", flat=True)) == placings


def test_nobody_writes_it_as_a_bid():
    table = scorer(4)
    for saw in (None, 1):
        step = {"hand": 3}
        answer = enter.enter(table.sheet, LAST_HAND, step, saw=saw, key=new_key(), by=table.by)
        assert isinstance(answer, Refused)
    said(table)
    answer = enter.retype(table.sheet, LAST_HAND, {"hand": 9}, saw=table.saw(LAST_HAND), key=new_key(), by=table.by)
    assert isinstance(answer, Refused)
    assert table.reading.last_hand == 1


def test_who_was_cut_off_announces_nothing(django_user_model):
    table = scorer(4)
    other = ScorekeeperFactory(sheet=table.sheet)
    other.revoked_at = other.created
    other.save()
    answer = announce(table.sheet, key=new_key(), by=other)
    assert isinstance(answer, Refused)
    assert answer.code == "cut-off"
    assert (SHEET, "last-hand") not in table.reading.standing
