"""What finished sheets have told is held against what stands on them."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db.models import F

from scoresheets.models import FinalPlacing, HandFact, HandMark, Sheet
from tests.factories import Pencil, pencil


def reread(*, mend: bool = False) -> str:
    out = StringIO()
    call_command("reread_sheets", mend=mend, stdout=out)
    return out.getvalue()


def test_finished_running_and_blank_sheets_have_told_what_they_should(ann: Pencil) -> None:
    ann.any_game()
    pencil(4).clear_hand()
    pencil(4)
    assert reread() == "3 sheets read, 0 differ.\n"


@pytest.mark.parametrize("lost", ["a fact", "a place", "a point", "the winner", "a mark", "all"])
def test_what_differs_is_found_and_mended(ann: Pencil, lost: str) -> None:
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
    assert reread(mend=True) == "1 sheets read, 1 differ and were mended.\n"
    assert reread() == "1 sheets read, 0 differ.\n"
    assert list(facts.order_by("hand", "seat").values_list("hand", "seat", "points", "total")) == before


def test_facts_of_a_sheet_that_is_not_finished_differ(ann: Pencil) -> None:
    ann.clear_game()
    told = list(HandFact.objects.all())
    ann.undo()
    HandFact.objects.bulk_create(told[:1])
    assert "1 differ" in reread(mend=True)
    assert not HandFact.objects.exists()
    assert Sheet.objects.get().finished_at is None


def test_whether_it_is_finished_is_mended_too(ann: Pencil) -> None:
    ann.clear_game()
    finished_at = Sheet.objects.get().finished_at
    Sheet.objects.update(finished_at=None)
    assert "1 differ" in reread(mend=True)
    assert Sheet.objects.get().finished_at == finished_at
    running = pencil(4)
    Sheet.objects.filter(pk=running.sheet.pk).update(finished_at=finished_at)
    assert "1 differ" in reread(mend=True)
    running.sheet.refresh_from_db()
    assert running.sheet.finished_at is None
