"""Another first dealer or another plan, before the first bid."""

import pytest

from scoresheets import entering
from scoresheets.answers import Answer, Refused
from scoresheets.models import Entry
from scoresheets.opening import change_set_up
from tests.factories import Pencil, new_key, set_up, sure_of
from tests.scoresheets.conftest import HUGE, Counts, told

TABLE = (0, "table")


def change(table: Pencil, *, saw: int | None = None, key: str = "", **wanted: object) -> Answer:
    seen = saw or table.saw(TABLE)
    return change_set_up(table.sheet, set_up((), **wanted), saw=seen, key=key or new_key(), by=table.by)


def test_the_first_dealer_and_the_hands_can_be_others(ann: Pencil) -> None:
    done = sure_of(change(ann, first_dealer=2, found="chosen", plan={"hands": 8}, house_rules={"replan": True}))
    assert done.verb == "set-up"
    setup = ann.reading.setup
    assert (setup.first_dealer, setup.found, setup.plan, setup.house_rules) == (
        3,
        "chosen",
        {"hands": 8},
        {"replan": True},
    )
    assert setup.seats == (1, 2, 3, 4)
    assert Entry.objects.filter(sheet=ann.sheet, ask="table").count() == 2
    assert not ann.sheet.begun


def test_it_is_frozen_with_the_first_entry(ann: Pencil) -> None:
    sure_of(ann.bid(2, 0))
    answer = change(ann, first_dealer=2)
    assert isinstance(answer, Refused)
    assert answer.code == "set-up-frozen"
    assert ann.reading.setup.first_dealer == 1


def test_it_is_free_again_when_everything_was_taken_back(ann: Pencil) -> None:
    sure_of(ann.bid(2, 0))
    sure_of(ann.undo())
    sure_of(change(ann, first_dealer=2))
    assert ann.reading.setup.first_dealer == 3


def test_a_note_freezes_nothing(ann: Pencil) -> None:
    sure_of(entering.note(ann.sheet, 1, text="Here we go.", key=new_key(), by=ann.by))
    sure_of(change(ann, first_dealer=2))


def test_the_same_again_is_agreement(ann: Pencil) -> None:
    assert sure_of(change(ann, plan={"peak": 2})).verb == "agree"


def test_who_saw_an_older_set_up_is_refused(ann: Pencil, marge: Pencil) -> None:
    seen = ann.saw(TABLE)
    sure_of(change(marge, first_dealer=2))
    answer = change(ann, saw=seen, first_dealer=1)
    assert isinstance(answer, Refused)
    assert ann.reading.setup.first_dealer == 3


def test_the_same_key_changes_once(ann: Pencil) -> None:
    key, seen = new_key(), ann.saw(TABLE)
    first = sure_of(change(ann, saw=seen, key=key, first_dealer=2))
    again = sure_of(change(ann, saw=seen, key=key, first_dealer=2))
    assert first.version == again.version
    other = change(ann, saw=seen, key=key, first_dealer=3)
    assert isinstance(other, Refused)
    assert other.code == "key-used"


@pytest.mark.parametrize(
    "wrong",
    [
        {"plan": {"peak": 99}}, {"plan": {"peak": HUGE}}, {"plan": {"\ud800": 1}}, {"first_dealer": 4},
        {"first_dealer": HUGE},
        {"found": "dice"}, {"found": "\ud800"}, {"house_rules": {"x": 1}}, {"house_rules": {"replan": HUGE}},
        {"house_rules": {"\ud800": "\ud800"}},
    ],
    ids=told,
)  # fmt: skip
def test_what_cannot_be_played_changes_nothing(ann: Pencil, wrong: dict[str, object]) -> None:
    assert isinstance(change(ann, **wrong), Refused)
    assert ann.reading.version == 1


def test_it_cannot_be_taken_back_but_changed_back(ann: Pencil) -> None:
    done = sure_of(change(ann, first_dealer=2))
    answer = ann.undo(done.version)
    assert isinstance(answer, Refused)
    assert ann.reading.last_write is None
    sure_of(change(ann, first_dealer=0, found="jack", plan={"peak": 2}))
    assert ann.reading.setup.first_dealer == 1


def test_it_asks_no_more_than_a_post_may(ann: Pencil, statements: Counts) -> None:
    seen = ann.saw(TABLE)
    with statements(exactly=9):
        change_set_up(ann.sheet, set_up((), first_dealer=2), saw=seen, key=new_key(), by=ann.by)
