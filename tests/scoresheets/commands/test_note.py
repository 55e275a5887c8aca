"""Something is said about a hand: never asked, never counted."""

import pytest

from scoresheets.commands import enter
from scoresheets.commands.enter import MOST_NOTES
from scoresheets.log.answers import Answer, Refused
from tests.factories import Scorer, new_key, sure_of
from tests.scoresheets.conftest import Counts


def note(table: Scorer, hand: object = 1, **said: object) -> Answer:
    return enter.note(table.sheet, hand, key=new_key(), by=table.by, **said)


def test_a_tag_a_seat_and_a_sentence(ann: Scorer) -> None:
    tag = ann.reading.game.tags[0]
    sure_of(note(ann, tag=tag, seat=3, text="  Four aces   and still set. "))
    (said,) = ann.reading.notes
    assert (said.hand, said.k, said.tag, said.seat, said.note) == (1, 1, tag, 3, "Four aces and still set.")


def test_it_counts_for_nothing(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    before = ann.reading
    sure_of(note(ann, text="Well."))
    assert ann.reading.entries == before.entries
    assert ann.reading.sheet.unread == ()
    assert ann.reading.last_write == before.last_write
    assert (ann.reading.next_hand, ann.reading.next_event) == (1, 1)


def test_many_are_kept_beside_each_other(ann: Scorer, marge: Scorer) -> None:
    sure_of(note(ann, text="One."))
    sure_of(note(marge, text="Two."))
    sure_of(note(ann, text="Two."))
    said = [(note.k, note.note, note.by) for note in ann.reading.notes]
    assert said == [(1, "One.", ""), (2, "Two.", "Marge"), (3, "Two.", "")]


def test_a_resent_note_is_said_once(ann: Scorer) -> None:
    key = new_key()
    for _ in range(2):
        sure_of(enter.note(ann.sheet, 1, text="Well.", key=key, by=ann.by))
    assert len(ann.reading.notes) == 1


def test_it_is_said_of_scored_hands_and_of_the_whole_game_too(ann: Scorer) -> None:
    ann.clear_game()
    for hand in (0, 1, 4):
        sure_of(note(ann, hand, text="Well."))
    assert [said.hand for said in ann.reading.notes] == [0, 1, 4]
    assert isinstance(note(ann, 5, text="Well."), Refused)
    assert ann.reading.finished


def test_it_is_taken_back_whatever_came_after(ann: Scorer) -> None:
    sure_of(note(ann, text="Well."))
    ann.any_hand()
    (said,) = ann.reading.notes
    sure_of(ann.undo(said.version))
    assert ann.reading.notes == ()
    assert ann.reading.next_hand == 2


@pytest.mark.parametrize(
    "text",
    ["<b>bold</b>", "שלום", "🐶" * 200, "'; DROP TABLE", "{{ settings }}"],
    ids=["markup", "Hebrew", "dogs", "SQL", "template"],
)
def test_it_is_text_and_nothing_else(ann: Scorer, text: str) -> None:
    sure_of(note(ann, text=text))
    assert ann.reading.notes[0].note == text


@pytest.mark.parametrize(
    "said",
    [
        {}, {"text": "  "}, {"text": "x" * 201}, {"text": "\x00"}, {"text": "\ud800"}, {"text": 1}, {"text": None},
        {"tag": "rude"}, {"tag": "\ud800"}, {"tag": 7}, {"text": "Well.", "seat": 9}, {"text": "Well.", "seat": "1"},
        {"text": "Well.", "seat": True}, {"text": "Well.", "hand": 2}, {"text": "Well.", "hand": -1},
        {"text": "Well.", "hand": "1"}, {"text": "Well.", "hand": 10**80}, {"text": "Well.", "seat": 10**5000},
    ],
    ids=range(18),
)  # fmt: skip
def test_what_says_nothing_or_says_it_badly_is_refused(ann: Scorer, said: dict[str, object]) -> None:
    answer = note(ann, **said)
    assert isinstance(answer, Refused)
    assert ann.reading.version == 1


def test_there_is_an_end_to_what_can_be_said(ann: Scorer) -> None:
    for _ in range(MOST_NOTES):
        sure_of(note(ann, text="Well."))
    answer = note(ann, text="Well.")
    assert isinstance(answer, Refused)
    assert answer.code == "too-many-notes"


def test_it_asks_no_more_than_a_post_may(ann: Scorer, statements: Counts) -> None:
    with statements(exactly=7):
        enter.note(ann.sheet, 1, text="Well.", key=new_key(), by=ann.by)
