"""Rule 14: the organiser rules about a tie across the line of a group, on its sheet."""

import pytest

from rules import all_games
from rules.core.fields import SHEET
from rules.core.stakes import Decides, group
from scoresheets.commands import enter
from scoresheets.commands.ruling import rule_cut
from scoresheets.corrections.correct import correct, correcting
from scoresheets.log.answers import Refused
from scoresheets.models import Entry, FinalPlacing
from scoresheets.results.impact import moves, previewed
from tests.factories import ScorekeeperFactory, new_key, scorer, sure_of
from tests.scoresheets.ended import blind_hand, ended

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """Three are tied for the last place through."""
    return ended(30, 20, 10, 10, 10, 0, decides=group(3))


def ruled(table, *seats, **more):
    return rule_cut(table.sheet, seats, key=new_key(), by=table.by, **more)


def test_ruling_is_one_write_of_its_own_and_finishes_the_sheet(table):
    before = table.reading
    answer = sure_of(ruled(table, 4, why="Cy and Ed had a train to catch"))
    after = table.reading
    assert (after.version, answer.verb) == (before.version + 1, "rule")
    assert set(after.sheet.settlement.through) == {1, 2, 4}
    assert after.finished
    assert after.record.finished_at is not None
    assert FinalPlacing.objects.filter(sheet=table.sheet, winner=True).count() == 0
    assert table.sheet.revisions.get(version=answer.version).why == "Cy and Ed had a train to catch"


def test_same_tap_again_writes_nothing(table):
    key = new_key()
    first = sure_of(rule_cut(table.sheet, [4], key=key, by=table.by))
    again = sure_of(rule_cut(table.sheet, [4], key=key, by=table.by))
    assert (again.again, again.version) == (True, first.version)
    other = rule_cut(table.sheet, [5], key=key, by=table.by)
    assert isinstance(other, Refused)
    assert other.code == "key-used"


@pytest.mark.parametrize(("seats", "code"), [
    ((), "bad-places"), ((3, 4), "bad-places"), ((3, 4, 5), "bad-places"),
    ((1,), "not-tied"), ((6,), "not-tied"), ((3, 6), "not-tied"), ((99,), "not-tied"), ((-1,), "not-tied"),
    ((True,), "not-tied"), (("4",), "not-tied"),
])  # fmt: skip
def test_only_as_many_of_the_tied_as_there_are_places(table, seats, code):
    answer = ruled(table, *seats)
    assert isinstance(answer, Refused)
    assert answer.code == code
    assert answer.problems[0].message.endswith(".")
    assert not Entry.objects.filter(sheet=table.sheet, ask__startswith="ruling").exists()


@pytest.mark.parametrize("decides", [group(2), Decides(), Decides(bottom=False)], ids=str)
def test_without_a_tie_across_the_line_there_is_nothing_to_rule(decides):
    table = ended(30, 20, 10, 10, 10, 0, decides=decides)
    answer = ruled(table, 4)
    assert isinstance(answer, Refused)
    assert answer.code == "no-tie"


def test_nothing_is_ruled_while_the_group_is_playing():
    table = scorer(4, decides=group(2))
    table.any_hand()
    answer = ruled(table, 1)
    assert isinstance(answer, Refused)
    assert "still playing" in answer.problems[0].message


def test_two_organisers_at_once_the_second_is_told_that_it_is_settled(table):
    sure_of(ruled(table, 4))
    answer = rule_cut(table.sheet, [5], key=new_key(), by=ScorekeeperFactory(sheet=table.sheet))
    assert isinstance(answer, Refused)
    assert answer.code == "no-tie"
    assert set(table.reading.sheet.settlement.through) == {1, 2, 4}


def test_ruling_is_taken_back_on_the_sheet_and_put_back(table):
    sure_of(ruled(table, 4))
    back = sure_of(table.undo())
    reading = table.reading
    assert [w.what for w in reading.sheet.waiting] == ["tie-break"]
    assert reading.record.finished_at is None
    sure_of(table.undo(back.version))
    assert set(table.reading.sheet.settlement.through) == {1, 2, 4}


def test_blind_hand_that_was_begun_goes_with_the_ruling_and_comes_back_with_its_undo(table):
    sure_of(table.enter(SHEET, "tie-1-bid-2", bid=1))
    sure_of(table.enter(SHEET, "tie-1-bid-3", bid=0))
    sure_of(ruled(table, 4))
    reading = table.reading
    assert reading.finished
    assert reading.sheet.unread == ()
    sure_of(table.undo())
    assert set(table.reading.sheet.settlement.hand.steps) == {"bid-2", "bid-3"}


def test_ruling_after_a_blind_hand_that_left_two_equal(table):
    blind_hand(table, "0 0 1 1 4 0", "1 0 1 1 2 0")
    assert table.reading.sheet.waiting[0].seats == (3, 4)
    assert isinstance(ruled(table, 5), Refused), "they are out by the blind hand"
    sure_of(ruled(table, 3))
    assert set(table.reading.sheet.settlement.through) == {1, 2, 3}
    assert table.reading.entries[SHEET, "ruling-1"]["after"] == 1


def test_lower_line_is_ruled_by_who_goes_to_the_losers_table():
    table = ended(30, 20, 10, 0, 0, 0, decides=group(1, 2))
    sure_of(ruled(table, 4, 6, edge="below"))
    settlement = table.reading.sheet.settlement
    assert set(settlement.below) == {4, 6}
    assert isinstance(ruled(table, 5, edge="through"), Refused)


def test_who_is_tied_across_both_lines_is_ruled_line_by_line():
    table = ended(7, 7, 7, 7, decides=group(1, 1))
    sure_of(ruled(table, 2))
    assert [w.edge for w in table.reading.sheet.waiting] == ["below"]
    sure_of(ruled(table, 3))
    settlement = table.reading.sheet.settlement
    assert (set(settlement.through), set(settlement.below), set(settlement.cut.out)) == ({2}, {3}, {1, 4})


def test_ruling_about_a_tie_that_a_correction_took_away_is_unread_and_gives_way_to_the_next(table):
    sure_of(ruled(table, 4))
    corrected = mended(table, (SHEET, "carried"), **{"total-3": 11})
    reading = table.reading
    assert set(reading.sheet.settlement.through) == {1, 2, 3}
    assert reading.sheet.unread == ((SHEET, "ruling-1"),)
    sure_of(table.undo(corrected.version))
    assert set(table.reading.sheet.settlement.through) == {1, 2, 4}, "taken back, it counts again"
    mended(table, (SHEET, "carried"), **{"total-3": 10, "total-5": 9})
    assert [w.seats for w in table.reading.sheet.waiting] == [(3, 4)], "it was about three"
    sure_of(ruled(table, 3))
    reading = table.reading
    assert set(reading.sheet.settlement.through) == {1, 2, 3}
    assert reading.sheet.unread == ()
    assert Entry.objects.filter(sheet=table.sheet, ask="ruling-1", withdrawn_by__isnull=False).exists(), "never lost"


def mended(table, address, **said):
    """What stands at the address, corrected in some of its fields."""
    reading = table.reading
    changes, saw = {address: {**reading.standing[address].data, **said}}, {address: reading.standing[address].pk}
    change = correcting(reading, changes, saw)
    digest = moves(reading, previewed(reading, change)).digest
    return sure_of(correct(table.sheet, changes, saw=saw, digest=digest, key=new_key(), by=table.by))


def test_nobody_writes_a_ruling_as_if_it_were_a_bid(table):
    step = {"edge": "through", "after": 0, "goes-3": True, "goes-4": False, "goes-5": False}
    answer = enter.enter(table.sheet, (SHEET, "ruling-1"), step, saw=None, key=new_key(), by=table.by)
    assert isinstance(answer, Refused)
    assert answer.code == "not-asked"


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_group_of_any_game_comes_to_its_end(game):
    table = scorer(game=game, decides=group(1))
    while table.reading.sheet.open:
        table.any_hand()
    for _ in range(9):
        settlement = table.reading.sheet.settlement
        if settlement.waiting:
            sure_of(ruled(table, settlement.waiting[0].seats[0]))
    reading = table.reading
    assert reading.finished
    assert len(reading.sheet.settlement.through) == 1
    assert (reading.sheet.winner, reading.sheet.loser) == (None, None)
