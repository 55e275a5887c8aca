"""What finished sheets have told is held against what stands on them."""

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from django.db.models import F

from scoresheets.commands import enter
from scoresheets.models import FinalPlacing, HandFact, HandMark, Sheet
from tests.factories import Scorer, new_key, scorer, sure_of


def reread(*, mend: bool = False) -> str:
    out = StringIO()
    call_command("check_sheets", mend=mend, stdout=out)
    return out.getvalue()


def test_finished_running_and_blank_sheets_have_told_what_they_should(ann: Scorer) -> None:
    ann.any_game()
    scorer(4).clear_hand()
    scorer(4)
    assert reread() == "3 sheets read, 0 differ.\n"


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("lost", ["a fact", "a place", "a point", "the winner", "a mark", "all"])
def test_what_differs_is_found_and_mended(ann: Scorer, lost: str) -> None:
    ann.any_hand()
    ann.clear_game()
    facts, places = HandFact.objects.filter(sheet=ann.sheet), FinalPlacing.objects.filter(sheet=ann.sheet)
    before = list(facts.order_by("hand", "seat").values_list("hand", "seat", "points", "total"))
    match lost:
        case "a fact":
            facts.filter(hand=2, seat__number=1).delete()
        case "a place":
            places.filter(loser=True).delete()
        case "a point":
            facts.filter(hand=2, seat__number=1).update(points=F("points") + 1)
        case "the winner":
            places.update(winner=False)
        case "a mark":
            assert HandMark.objects.filter(sheet=ann.sheet).delete()[0]
        case "all":
            facts.delete()
            places.delete()
    with pytest.raises(SystemExit) as exit_:
        reread()
    assert exit_.value.code == 1
    assert reread(mend=True) == "1 sheets read, 1 differ and were repaired.\n"
    assert reread() == "1 sheets read, 0 differ.\n"
    assert list(facts.order_by("hand", "seat").values_list("hand", "seat", "points", "total")) == before


def test_facts_of_a_sheet_that_is_not_finished_differ(ann: Scorer) -> None:
    ann.clear_game()
    told = list(HandFact.objects.all())
    ann.undo()
    HandFact.objects.bulk_create(told[:1])
    assert "1 differ" in reread(mend=True)
    assert not HandFact.objects.exists()
    assert Sheet.objects.get().finished_at is None


def test_whether_it_is_finished_is_mended_too(ann: Scorer) -> None:
    ann.clear_game()
    finished_at = Sheet.objects.get().finished_at
    Sheet.objects.update(finished_at=None)
    assert "1 differ" in reread(mend=True)
    assert Sheet.objects.get().finished_at == finished_at
    running = scorer(4)
    Sheet.objects.filter(pk=running.sheet.pk).update(finished_at=finished_at)
    assert "1 differ" in reread(mend=True)
    running.sheet.refresh_from_db()
    assert running.sheet.finished_at is None


@pytest.fixture
def before_the_mend(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What was taken back before a misdeal can be put back after it."""
    with monkeypatch.context() as before:
        before.setattr("scoresheets.commands.undo.is_dealt_away", lambda *_: False)
        yield


@pytest.fixture
def open_again(before_the_mend: None) -> Scorer:
    """A bid, taken back, a misdeal, and the bid again."""
    table = scorer(4)
    sure_of(table.bid(2, 1))
    undone = sure_of(table.undo())
    sure_of(enter.misdeal(table.sheet, 1, 1, key=new_key(), by=table.by))
    sure_of(table.undo(undone.version))
    return table


def test_what_was_put_back_after_a_misdeal_is_shown_and_taken_off(open_again: Scorer) -> None:
    table, out = open_again, StringIO()
    where = f"/watch/{table.sheet.watch}/: hand 1 was dealt again and has something from before the misdeal."
    before = table.reading.entries
    assert before == {(1, "misdeal-1"): {}, (1, "bid-2"): {"bid": 1}}
    with pytest.raises(SystemExit):
        call_command("check_sheets", stdout=out)
    assert out.getvalue() == f"{where} --mend takes it off.\n1 sheets read, 0 differ.\n"
    assert table.reading.entries == before
    assert reread(mend=True) == f"{where} It was taken off.\n1 sheets read, 0 differ.\n"
    assert table.reading.entries == {(1, "misdeal-1"): {}}
    assert reread() == "1 sheets read, 0 differ.\n"
    sure_of(table.undo(4))
    assert table.reading.entries == {}, "the misdeal can be taken back again"


def test_bid_that_stands_on_it_is_left_to_people(open_again: Scorer) -> None:
    sure_of(open_again.bid(3, 0))
    before, out = open_again.reading.entries, StringIO()
    with pytest.raises(SystemExit):
        call_command("check_sheets", mend=True, stdout=out)
    assert "Play has gone on from it" in out.getvalue()
    assert open_again.reading.entries == before


def test_scored_hand_with_something_from_before_its_misdeal_is_left_to_people(before_the_mend: None) -> None:
    table, out = scorer(4, game="dirty-deals"), StringIO()
    table.enter_step(1, "claim", {"claimer": 1, "suit": "S", "bower": 1, "surplus": 2})
    undone = sure_of(table.undo())
    sure_of(enter.misdeal(table.sheet, 1, 1, key=new_key(), by=table.by))
    sure_of(table.undo(undone.version))
    before = table.reading.entries
    with pytest.raises(SystemExit):
        call_command("check_sheets", mend=True, stdout=out)
    assert "Play has gone on from it: correct it on the sheet." in out.getvalue()
    assert table.reading.entries == before
