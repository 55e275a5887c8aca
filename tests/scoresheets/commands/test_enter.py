"""Writing one step on a sheet: free, the same, another, or nothing that was asked."""

import pytest

from clubs.projections import worker
from scoresheets.commands import enter
from scoresheets.log.answers import Conflict, Done, Refused
from scoresheets.models import Entry, Revision
from tests.counted import not_counted
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import HUGE, Counts, told


def untouched(table: Scorer) -> tuple[int, int, int]:
    """What must not change when nothing is written."""
    return table.reading.version, Revision.objects.count(), Entry.objects.count()


def test_the_first_bid_stands_on_the_sheet(ann: Scorer) -> None:
    done = sure_of(ann.bid(2, 1))
    assert (done.version, done.verb, done.again) == (2, "enter", False)
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}
    assert done.reading.entries == ann.reading.entries
    assert ann.sheet.begun


def test_the_answer_carries_what_a_fresh_reading_would_tell(ann: Scorer) -> None:
    for seat, bid in {2: 0, 3: 0, 4: 1, 1: 1}.items():
        done = sure_of(ann.bid(seat, bid))
        assert done.reading.standing == ann.reading.standing
        assert done.reading.sheet.open == ann.reading.sheet.open
    done = sure_of(ann.tricks({1: 1, 2: 0, 3: 0, 4: 0}))
    assert done.reading.standing == ann.reading.standing
    assert done.reading.sheet.totals == ann.reading.sheet.totals == {1: 6, 2: 5, 3: 5, 4: -1}


def test_every_write_makes_one_version(ann: Scorer) -> None:
    versions = [sure_of(ann.bid(seat, 0)).version for seat in (2, 3, 4)]
    assert versions == [2, 3, 4]
    assert ann.reading.version == 4


def test_the_same_key_gets_the_same_answer_and_writes_nothing(ann: Scorer) -> None:
    key = new_key()
    first = sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by))
    sure_of(ann.bid(3, 0))
    before = untouched(ann)
    again = sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by))
    assert (again.version, again.at, again.verb) == (first.version, first.at, first.verb)
    assert again.again
    assert again.reading.version == 3
    assert untouched(ann) == before


def test_the_same_key_is_answered_even_when_it_was_taken_back_since(ann: Scorer) -> None:
    key = new_key()
    first = sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by))
    sure_of(ann.undo(first.version))
    again = sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by))
    assert again.version == first.version
    assert ann.reading.entries == {}


@pytest.mark.parametrize(
    ("address", "step", "saw"),
    [((1, "bid-2"), {"bid": 0}, None), ((1, "bid-3"), {"bid": 1}, None), ((1, "bid-2"), {"bid": 1}, 5)],
    ids=["another number", "another place", "another sight"],
)
def test_the_same_key_with_another_body_is_refused(
    ann: Scorer, address: tuple[int, str], step: dict[str, int], saw: int | None
) -> None:
    key = new_key()
    sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by))
    before = untouched(ann)
    answer = enter.enter(ann.sheet, address, step, saw=saw, key=key, by=ann.by)
    assert isinstance(answer, Refused)
    assert answer.code == "key-used"
    assert untouched(ann) == before


def test_the_same_key_with_another_verb_is_refused(ann: Scorer) -> None:
    key = new_key()
    done = sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by))
    answer = enter.undo(ann.sheet, done.version, key=key, by=ann.by)
    assert isinstance(answer, Refused)
    assert answer.code == "key-used"


def test_a_key_counts_on_its_own_sheet_only(ann: Scorer) -> None:
    key, other = new_key(), scorer(4)
    sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by))
    done = sure_of(enter.enter(other.sheet, (1, "bid-2"), {"bid": 0}, saw=None, key=key, by=other.by))
    assert not done.again


@pytest.mark.parametrize(
    "key", ["", "short", "x" * 65, "with a blank in it....", "ключ-ключ-ключ-ключ", None, 7, "\x00" * 20]
)
def test_a_post_without_a_proper_key_is_refused(ann: Scorer, key: object) -> None:
    before = untouched(ann)
    answer = enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by)
    assert isinstance(answer, Refused)
    assert answer.code == "bad-key"
    assert untouched(ann) == before


# The precondition is the address


def test_the_same_from_two_phones_is_agreement(ann: Scorer, marge: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    key = new_key()
    agreed = sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=marge.by))
    assert agreed.verb == "agree"
    assert Entry.objects.filter(sheet=ann.sheet).count() == 2
    assert ann.reading.standing[1, "bid-2"].by == ""


def test_agreement_is_answered_again_as_agreement(ann: Scorer, marge: Scorer) -> None:
    bid = sure_of(ann.bid(2, 1))
    key = new_key()
    agreed = sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=marge.by))
    sure_of(ann.undo(bid.version))
    sure_of(ann.bid(2, 0))
    again = sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=marge.by))
    assert (again.version, again.verb, again.again) == (agreed.version, "agree", True)


def test_agreement_does_not_hide_the_bid_from_taking_back(ann: Scorer, marge: Scorer) -> None:
    bid = sure_of(ann.bid(2, 1))
    sure_of(marge.bid(2, 1, hand=1))
    assert ann.reading.last_write == bid.version


def test_another_number_from_another_phone_is_a_conflict_that_shows_both(ann: Scorer, marge: Scorer) -> None:
    sure_of(marge.bid(2, 1))
    before = untouched(ann)
    answer = ann.bid(2, 0)
    assert isinstance(answer, Conflict)
    assert answer.address == (1, "bid-2")
    assert answer.standing.data == {"bid": 1}
    assert answer.standing.by == "Marge"
    assert answer.standing.at == Revision.objects.get(sheet=ann.sheet, version=2).at
    assert answer.refused == {"bid": 0}
    assert untouched(ann) == before


def test_a_conflict_is_settled_by_having_seen_the_other(ann: Scorer, marge: Scorer) -> None:
    sure_of(marge.bid(2, 1))
    answer = ann.bid(2, 0)
    assert isinstance(answer, Conflict)
    seen = answer.standing.pk
    sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 0}, saw=seen, key=new_key(), by=ann.by))
    assert ann.reading.entries[1, "bid-2"] == {"bid": 0}
    old = Entry.objects.get(pk=seen)
    assert old.withdrawn_by is not None
    assert old.withdrawn_by.version == 3


def test_what_was_seen_may_be_gone_by_now(ann: Scorer) -> None:
    bid = sure_of(ann.bid(2, 1))
    seen = ann.saw((1, "bid-2"))
    sure_of(ann.undo(bid.version))
    sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 0}, saw=seen, key=new_key(), by=ann.by))
    assert ann.reading.entries[1, "bid-2"] == {"bid": 0}


def test_one_is_not_true(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    answer = ann.enter(1, "bid-2", bid=True)
    assert isinstance(answer, Refused)
    assert answer.code == "not-a-number"


def test_what_was_not_chosen_is_as_good_as_not_there(ann: Scorer) -> None:
    sure_of(ann.enter(1, "trump", suit="H"))
    assert sure_of(ann.enter(1, "trump", suit="H", turned=None)).verb == "agree"


def test_an_offline_phone_that_lags_behind_is_agreed_with_hand_by_hand(ann: Scorer, marge: Scorer) -> None:
    ann.any_hand()
    for seat in (2, 3, 4, 1):
        assert sure_of(marge.bid(seat, 0, hand=1)).verb == "agree"
    assert sure_of(marge.enter(1, "tricks", tricks_1=0, tricks_2=1, tricks_3=0, tricks_4=0)).verb == "agree"
    assert isinstance(marge.enter(1, "tricks", tricks_1=1, tricks_2=0, tricks_3=0, tricks_4=0), Conflict)


# Trump


def test_trump_is_changeable_until_the_hand_is_scored(ann: Scorer) -> None:
    sure_of(ann.enter(1, "trump", suit="H"))
    ann.bids({2: 0, 3: 0, 4: 0, 1: 0})
    seen = ann.saw((1, "trump"))
    sure_of(enter.enter(ann.sheet, (1, "trump"), {"suit": "S"}, saw=seen, key=new_key(), by=ann.by))
    assert ann.reading.entries[1, "trump"] == {"suit": "S"}
    sure_of(ann.tricks({1: 0, 2: 1, 3: 0, 4: 0}))
    seen = ann.saw((1, "trump"))
    late = enter.enter(ann.sheet, (1, "trump"), {"suit": "C"}, saw=seen, key=new_key(), by=ann.by)
    assert isinstance(late, Refused)
    assert late.code == "hand-scored"


def test_trump_is_not_noted_after_the_hand_is_scored(ann: Scorer) -> None:
    ann.any_hand()
    answer = ann.enter(1, "trump", suit="H")
    assert isinstance(answer, Refused)
    assert answer.code == "hand-scored"


# The rules are asked about the sheet as it stands


def test_the_dealer_may_not_square_the_bids(ann: Scorer) -> None:
    for seat in (2, 3, 4):
        sure_of(ann.bid(seat, 0))
    before = untouched(ann)
    answer = ann.bid(1, 1)
    assert isinstance(answer, Refused)
    assert answer.code == "the-rule"
    assert answer.problems[0].field == "bid"
    assert not answer.unwise
    assert untouched(ann) == before


@pytest.mark.parametrize(
    ("hand", "ask"),
    [
        (1, "bid-3"), (1, "tricks"), (2, "bid-3"), (0, "tie-1-bid-2"), (0, "draw-1"), (99, "bid-2"), (1, "bid-9"),
        (1, "nonsense"), (0, "carried-1"), (1, "bid-02"), (0, "bid-2"),
    ],
)  # fmt: skip
def test_what_is_not_asked_is_refused(ann: Scorer, hand: int, ask: str) -> None:
    before = untouched(ann)
    answer = ann.enter(hand, ask, bid=0)
    assert isinstance(answer, Refused)
    assert answer.code in ("out-of-turn", "not-asked")
    assert untouched(ann) == before


@pytest.mark.parametrize("ask", ["misdeal-1", "stop-1", "arrive-1", "leave-1", "table", "note-1"])
def test_events_notes_and_the_set_up_are_not_entered_like_a_bid(ann: Scorer, ask: str) -> None:
    for hand in (0, 1):
        before = untouched(ann)
        answer = ann.enter(hand, ask, seat=3)
        assert isinstance(answer, Refused | Conflict)
        assert untouched(ann) == before


def test_the_set_up_is_not_entered_over(ann: Scorer) -> None:
    seen = ann.saw((0, "table"))
    answer = enter.enter(ann.sheet, (0, "table"), {"first-dealer": 2}, saw=seen, key=new_key(), by=ann.by)
    assert isinstance(answer, Refused)


def test_every_problem_is_told_and_not_the_first_alone(ann: Scorer) -> None:
    ann.bids({2: 0, 3: 0, 4: 0, 1: 0})
    answer = ann.enter(1, "tricks", tricks_1=5, tricks_2=-1, tricks_3="two")
    assert isinstance(answer, Refused)
    assert [(p.code, p.field) for p in answer.problems if p.field] == [
        ("tricks-out-of-range", "tricks-2"),
        ("not-a-number", "tricks-3"),
        ("missing-field", "tricks-4"),
        ("tricks-out-of-range", "tricks-1"),
    ]


def test_nothing_is_entered_after_the_game(ann: Scorer) -> None:
    ann.any_game()
    before = untouched(ann)
    answer = ann.enter(5, "bid-2", bid=0)
    assert isinstance(answer, Refused)
    assert untouched(ann) == before


# Hostile and broken input


@pytest.mark.parametrize(
    "step",
    [
        None, [], "bid", {"bid": [1]}, {"bid": {"a": {"b": {}}}}, {"bid": 1.0}, {"bid": HUGE}, {"bid": -HUGE},
        {"bid": "1"}, {"bid": "\x00"}, {"bid": "\ud800"}, {"\x00": 1}, {"\ud800": 1}, {1: 1}, {"": 1}, {},
        {"bid": None}, {"bid": 1, "more": 2}, {"bid": "9" * 10_000}, {f"bid{k}": 1 for k in range(1000)}, {"bid": 2},
        {"bid": -1},
        {"bid": b"1"}, {"__class__": 1}, {"bid": float("nan")},
    ],
    ids=told,
)  # fmt: skip
def test_broken_steps_are_refused_with_a_sentence_and_nothing_is_written(ann: Scorer, step: object) -> None:
    before = untouched(ann)
    answer = enter.enter(ann.sheet, (1, "bid-2"), step, saw=None, key=new_key(), by=ann.by)
    assert isinstance(answer, Refused)
    assert all(problem.message.endswith((".", "?")) for problem in answer.problems)
    assert untouched(ann) == before


@pytest.mark.parametrize(
    "address",
    [
        None, (), (1,), (1, "bid-2", 3), (-1, "bid-2"), (HUGE, "bid-2"), ("1", "bid-2"), (True, "bid-2"), (1, None),
        (1, 2), (1, ""), (1, "\x00"), (1, "\ud800"), (1, "b" * 41), (1, "bid-2 "), (1, "BID-2"), (1, "bid-٢"),
        (1.0, "bid-2"), [1, "bid-2\n"],
    ],
    ids=told,
)  # fmt: skip
def test_broken_addresses_are_refused_and_nothing_is_written(ann: Scorer, address: object) -> None:
    before = untouched(ann)
    answer = enter.enter(ann.sheet, address, {"bid": 1}, saw=None, key=new_key(), by=ann.by)
    assert isinstance(answer, Refused)
    assert untouched(ann) == before


@pytest.mark.parametrize("saw", [0, -1, 10**5000, "1", True, 1.5, [1], "\ud800", b"1"], ids=told)
def test_what_nobody_can_have_seen_replaces_nothing(ann: Scorer, saw: object) -> None:
    sure_of(ann.bid(2, 1))
    before = untouched(ann)
    answer = enter.enter(ann.sheet, (1, "bid-2"), {"bid": 0}, saw=saw, key=new_key(), by=ann.by)
    assert isinstance(answer, Conflict)
    assert untouched(ann) == before


# What it costs


@pytest.mark.parametrize("players", [4, 10])
def test_a_post_asks_the_database_the_same_whatever_the_hand_and_the_seats(
    db: None, statements: Counts, players: int
) -> None:
    table = scorer(players, plan={"peak": 3})
    key = new_key
    for _ in range(4):
        opened = table.reading.sheet.open
        assert opened is not None
        for seat in opened.hand.order:
            with statements(exactly=7):
                answer = enter.enter(
                    table.sheet, (opened.hand.number, f"bid-{seat}"), {"bid": 0}, saw=None, key=key(), by=table.by
                )
            assert isinstance(answer, Done)
        taken = {f"tricks-{seat}": opened.hand.cards if seat == 1 else 0 for seat in opened.hand.order}
        with statements(exactly=7):
            enter.enter(table.sheet, (opened.hand.number, "tricks"), taken, saw=None, key=key(), by=table.by)
    assert table.reading.next_hand == 5


def test_replacing_asks_one_more(ann: Scorer, statements: Counts) -> None:
    sure_of(ann.enter(1, "trump", suit="H"))
    seen = ann.saw((1, "trump"))
    with statements(exactly=8):
        enter.enter(ann.sheet, (1, "trump"), {"suit": "S"}, saw=seen, key=new_key(), by=ann.by)


def test_a_repeated_post_asks_as_little_as_a_reading(ann: Scorer, statements: Counts) -> None:
    key = new_key()
    for _ in range(2):
        with statements(most=7):
            enter.enter(ann.sheet, (1, "bid-2"), {"bid": 0}, saw=None, key=key, by=ann.by)


@pytest.mark.thorough
def test_the_post_that_finishes_a_long_game_of_ten_asks_no_more_than_eleven(db: None, statements: Counts) -> None:
    table = scorer(10, plan={"peak": 5})
    while table.reading.next_hand < 10:
        table.clear_hand()
    none = dict.fromkeys(range(1, 11), 0)
    table.bids(none | {1: 1, 2: 1})
    taken = {f"tricks-{seat}": n for seat, n in (none | {1: 1}).items()}
    with statements(most=11), not_counted():
        done = sure_of(enter.enter(table.sheet, (10, "tricks"), taken, saw=None, key=new_key(), by=table.by))
    assert done.reading.finished
    worker.catch_up()
    assert table.sheet.hand_facts.count() == 100
