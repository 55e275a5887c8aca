"""The verb `carry`: a game that was kept elsewhere goes on here."""

import pytest

from scoresheets.log.answers import Answer, Conflict, Refused
from scoresheets.paper import carry_over
from tests.factories import Scorer, new_key, scorer, sure_of

TOTALS = {"hands": 2, "last_dealer": 2, "total-1": 6, "total-2": -3, "total-3": 0, "total-4": 12}


def carry(p: Scorer, step: dict[str, object] | None = None, *, saw: int | None = None, key: str = "") -> Answer:
    return carry_over.carry(p.sheet, TOTALS if step is None else step, saw=saw, key=key or new_key(), by=p.by)


def code_of(answer: Answer) -> str:
    assert isinstance(answer, Refused), answer
    return answer.code


def test_the_next_hand_is_open_with_its_dealer_and_the_totals(ann: Scorer) -> None:
    assert sure_of(carry(ann)).verb == "carry"
    sheet = ann.reading.sheet
    assert (sheet.open.hand.number, sheet.open.hand.dealer, sheet.open.hand.cards) == (3, 3, 2)
    assert dict(sheet.totals) == {1: 6, 2: -3, 3: 0, 4: 12}


def test_same_tap_again_and_the_same_from_another_phone_write_nothing_twice(ann: Scorer, marge: Scorer) -> None:
    key = new_key()
    assert sure_of(carry(ann, key=key)).version == sure_of(carry(ann, key=key)).version == 2
    assert sure_of(carry(marge)).verb == "agree"
    assert code_of(carry(ann, TOTALS | {"hands": 3}, key=key)) == "key-used"


def test_totals_are_replaced_by_who_saw_them_and_asked_about_by_who_did_not(ann: Scorer) -> None:
    sure_of(carry(ann))
    other = TOTALS | {"total-1": 7}
    assert isinstance(carry(ann, other), Conflict)
    sure_of(carry(ann, other, saw=ann.saw((0, "carried"))))
    assert ann.reading.sheet.totals[1] == 7


def test_once_a_hand_has_begun_they_stand_as_they_are(ann: Scorer) -> None:
    sure_of(carry(ann))
    sure_of(ann.bid(4, 1))
    assert code_of(carry(ann, TOTALS | {"total-1": 7}, saw=ann.saw((0, "carried")))) == "hands-on-sheet"
    sure_of(ann.undo())
    sure_of(carry(ann, TOTALS | {"total-1": 7}, saw=ann.saw((0, "carried"))))


def test_they_can_be_taken_back(ann: Scorer) -> None:
    sure_of(carry(ann))
    sure_of(ann.undo())
    assert ann.reading.sheet.open.hand.number == 1


def test_all_hands_may_have_been_kept_elsewhere(ann: Scorer) -> None:
    sure_of(carry(ann, TOTALS | {"hands": 4, "last_dealer": 4}))
    assert ann.reading.sheet.winner == 4
    assert ann.reading.record.finished_at is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        TOTALS | {"hands": 0},
        TOTALS | {"hands": 5},
        TOTALS | {"last_dealer": 9},
        TOTALS | {"total-1": 10**8},
        TOTALS | {"total-1": "x"},
        TOTALS | {"total-9": 1},
        {name: value for name, value in TOTALS.items() if name != "total-4"},
        TOTALS | {"total-1": 10**5000},
    ],
    ids=["nothing", "no hand", "too many", "nobody", "huge", "text", "a stranger", "one short", "beyond"],
)
def test_what_does_not_fit_is_refused(ann: Scorer, wrong: dict[str, object]) -> None:
    assert isinstance(carry(ann, wrong), Refused)
    assert ann.reading.version == 1


@pytest.mark.django_db
def test_nobody_brings_totals_to_a_sheet_with_hands() -> None:
    p = scorer(4)
    p.any_hand()
    assert code_of(carry(p)) == "hands-on-sheet"
