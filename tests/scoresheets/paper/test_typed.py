"""The verb `paper`: any number of hands with one write, or none of them."""

import pytest

from scoresheets.commands import enter
from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.corrections.setup import SetupCorrection, SetupPreview, correct_setup, preview_setup
from scoresheets.log.answers import Answer, Done, Refused
from scoresheets.log.append import Change, append_revision
from scoresheets.log.state import SET_UP
from scoresheets.models import Entry, FinalPlacing, Player, Revision, Seat
from scoresheets.paper.type_in import type_in as write_typed_hands
from tests.counted import not_counted
from tests.factories import Scorer, new_key, scorer, sure_of


def hand(bids: dict[int, int], tricks: dict[int, int] | None = None, **more: dict[str, object]) -> dict[str, object]:
    """A typed hand: bids and tricks by seat."""
    found: dict[str, object] = {f"bid-{seat}": {"bid": bid} for seat, bid in bids.items()}
    if tricks is not None:
        found["tricks"] = {f"tricks-{seat}": count for seat, count in tricks.items()}
    return found | {name.replace("_", "-"): step for name, step in more.items()}


NONE = dict.fromkeys((1, 2, 3, 4), 0)
ONE = hand(NONE, NONE | {2: 1})
TWO = hand(NONE | {3: 1}, NONE | {3: 1, 4: 1})
THREE = hand(NONE, NONE | {1: 2})
GAME = {1: ONE, 2: TWO, 3: THREE, 4: ONE}


def type_in(p: Scorer, hands: dict[int, object], key: str = "") -> Answer:
    return write_typed_hands(p.sheet, hands, key=key or new_key(), by=p.by)


def told(answer: Answer) -> list[tuple[int | None, str | None, str]]:
    assert isinstance(answer, Refused), answer
    return [(problem.hand, problem.field, problem.code) for problem in answer.problems]


def test_whole_game_is_one_write_and_the_same_as_tapped(ann: Scorer) -> None:
    done = sure_of(type_in(ann, GAME))
    assert done.verb == "paper"
    assert Revision.objects.filter(sheet=ann.sheet).count() == 2
    tapped = scorer(4)
    for one in GAME.values():
        tapped.hand({s: one[f"bid-{s}"]["bid"] for s in NONE}, {s: one["tricks"][f"tricks-{s}"] for s in NONE})
    assert ann.reading.entries == tapped.reading.entries
    assert ann.reading.sheet.totals == tapped.reading.sheet.totals
    assert ann.reading.sheet.settlement == tapped.reading.sheet.settlement


@pytest.mark.django_db
def test_game_that_ends_with_it_is_published() -> None:
    p = scorer(4, plan={"hands": 1})
    sure_of(type_in(p, {1: hand({1: 1, 2: 1, 3: 0, 4: 0}, {1: 1, 2: 0, 3: 0, 4: 0})}))
    assert p.reading.record.finished_at is not None
    assert FinalPlacing.objects.filter(sheet=p.sheet, winner=True).count() == 1


def test_it_goes_on_from_the_open_hand_with_the_bids_that_stand(ann: Scorer) -> None:
    ann.any_hand()
    sure_of(ann.bid(3, 1))
    sure_of(type_in(ann, {2: TWO}))
    assert len(ann.reading.sheet.rows) == 2
    assert Entry.objects.filter(sheet=ann.sheet, hand=2, ask="bid-3").count() == 1


def test_last_hand_may_be_left_open_and_nothing_in_it_may_be_left_out(ann: Scorer) -> None:
    sure_of(type_in(ann, {1: ONE, 2: {"bid-3": {"bid": 1}, "bid-4": {"bid": 0}}}))
    assert set(ann.reading.sheet.open.hand.steps) == {"bid-3", "bid-4"}
    assert told(type_in(ann, {2: {"bid-2": {"bid": 1}}})) == [(2, "bid-2.bid", "missing-field")]


def test_trump_and_the_rule_that_was_missed_are_typed_too(ann: Scorer) -> None:
    missed = hand(NONE | {2: 1}, NONE | {2: 1}, rule_missed={"missed": True}, trump={"suit": "H"})
    sure_of(type_in(ann, {1: missed}))
    assert ann.reading.game.trump(ann.reading.sheet.rows[0].hand) == "H"


def test_every_problem_is_told_with_its_hand_and_field_and_nothing_is_written(ann: Scorer) -> None:
    wrong = {
        1: hand(NONE | {2: 1}, NONE | {2: 1}),
        2: hand(NONE | {3: 9}, NONE | {3: 1}),
        3: hand({1: 0, 2: 0}, NONE),
        4: hand(NONE | {1: "x"}, NONE | {2: 1}),
    }
    found = told(type_in(ann, wrong))
    assert (1, "bid-1.bid", "the-rule") in found
    assert (2, "bid-3.bid", "bid-out-of-range") in found
    assert (2, "tricks", "tricks-sum") in found
    assert (3, "bid-4.bid", "missing-field") in found
    assert (4, "bid-1.bid", "not-a-number") in found
    assert found == sorted(found, key=lambda told: told[0])
    assert Revision.objects.filter(sheet=ann.sheet).count() == 1


def test_later_hands_are_looked_at_behind_one_that_is_wrong(ann: Scorer) -> None:
    found = told(type_in(ann, {1: hand(NONE, NONE), 2: TWO, 3: hand(NONE, NONE)}))
    assert found == [(1, "tricks", "tricks-sum"), (3, "tricks", "tricks-sum")]


@pytest.mark.parametrize(
    ("hands", "code"),
    [
        ({}, "nothing-typed"),
        ({1: {}}, "nothing-typed"),
        ({2: TWO}, "hand-left-out"),
        ({**GAME, 5: ONE}, "game-over"),
        ({1: ONE | {"bid-9": {"bid": 1}}}, "not-asked"),
        ({1: {"BID": {"bid": 1}}}, "not-asked"),
        ({1: {"bid-2": {"bid": 10**12}}}, "number-too-large"),
        ({-1: ONE}, "not-asked"),
    ],
)
def test_what_cannot_be_typed_is_refused(ann: Scorer, hands: dict[int, object], code: str) -> None:
    assert code in [found for _, _, found in told(type_in(ann, hands))]
    assert Revision.objects.filter(sheet=ann.sheet).count() == 1


def test_same_tap_again_is_answered_again_and_with_another_body_refused(ann: Scorer) -> None:
    key = new_key()
    first, again = type_in(ann, {1: ONE}, key), type_in(ann, {1: ONE}, key)
    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert (first.version, again.version, again.again) == (2, 2, True)
    assert told(type_in(ann, {1: TWO}, key))[0][2] == "key-used"


def test_what_another_phone_wrote_meanwhile_is_agreed_with_or_told(ann: Scorer) -> None:
    ann.hand(NONE, NONE | {2: 1})
    assert sure_of(type_in(ann, {1: ONE})).verb == "agree"
    sure_of(type_in(ann, {1: ONE, 2: TWO}))
    other = hand(NONE | {3: 2}, NONE | {3: 1, 4: 1})
    assert told(type_in(ann, {2: other, 3: THREE})) == [(2, "bid-3", "hand-scored")]
    sure_of(ann.bid(4, 1))
    assert told(type_in(ann, {3: hand(NONE, NONE | {1: 2})})) == [(3, "bid-4.bid", "stands-already")]


def test_taking_it_back_takes_back_what_was_played_last_and_not_the_evening(ann: Scorer) -> None:
    sure_of(type_in(ann, {1: ONE, 2: TWO | {"trump": {"suit": "H"}}, 3: {"bid-4": {"bid": 1}}}))
    taken = []
    for _ in range(4):
        before = set(ann.reading.entries)
        taken.append(str(what_is_taken_back(ann.reading).words))
        sure_of(ann.undo(2))
        (gone,) = before - set(ann.reading.entries)
        taken.append(gone)
    assert taken == [
        "<bdi>Di</bdi>’s bid in hand 3", (3, "bid-4"), "the tricks of hand 2", (2, "tricks"),
        "<bdi>Bo</bdi>’s bid in hand 2", (2, "bid-2"), "<bdi>Ann</bdi>’s bid in hand 2", (2, "bid-1"),
    ]  # fmt: skip
    sure_of(ann.undo(ann.reading.version))
    assert (2, "bid-1") in ann.reading.entries


def test_hands_are_typed_behind_a_misdeal_and_behind_totals(ann: Scorer) -> None:
    sure_of(enter.misdeal(ann.sheet, 1, 1, key=new_key(), by=ann.by))
    sure_of(type_in(ann, {1: ONE}))
    assert [event.kind for event in ann.reading.sheet.rows[0].events] == ["misdeal"]


def test_who_is_noted_to_come_is_dealt_in_behind_the_typed_hand(ann: Scorer) -> None:
    sure_of(ann.bid(2, 0))
    joe = Player.objects.create(name="Joe")
    Seat.objects.create(sheet=ann.sheet, number=5, name="Joe", player=joe)
    change = Change(Revision.Verb.ARRIVE, {(2, "arrive-1"): {"seat": 5}})
    sure_of(append_revision(ann.sheet, "arrive", {}, lambda _: change, key=new_key(), by=ann.by))
    assert told(type_in(ann, {1: ONE, 2: TWO, 3: THREE}))[0] == (2, "bid-5.bid", "missing-field")
    sure_of(type_in(ann, {1: ONE}))
    assert set(ann.reading.sheet.open.hand.order) == {1, 2, 3, 4, 5}


def test_what_it_costs_does_not_grow_with_the_hands(ann: Scorer, statements) -> None:
    with statements(most=11), not_counted():
        sure_of(type_in(ann, GAME))


@pytest.mark.django_db
def test_what_was_typed_is_taken_back_after_what_stands_on_it_since_somebody_else_dealt() -> None:
    table = scorer(3, plan={"peak": 2})
    *earlier, last = table.reading.sheet.open.hand.order
    for seat in earlier:
        sure_of(table.bid(seat, 0))
    sure_of(type_in(table, {1: {f"bid-{last}": {"bid": 0}}}))
    assert what_is_taken_back(table.reading) is not None
    # Now they bid first, and the others after them.
    mended = SetupCorrection({}, first_dealer=earlier[-1])
    shown = preview_setup(table.reading, mended)
    saw = {SET_UP: table.saw(SET_UP)}
    digest = shown.moves.digest if isinstance(shown, SetupPreview) else None
    sure_of(correct_setup(table.sheet, mended, saw=saw, digest=digest, key=new_key(), by=table.by))
    assert table.reading.sheet.open.hand.order == (last, *earlier)
    for seat in (*reversed(earlier), last):
        before = set(table.reading.entries)
        told = what_is_taken_back(table.reading)
        assert told is not None
        sure_of(table.undo(told.version))
        assert before - set(table.reading.entries) == {(1, f"bid-{seat}")}
    assert what_is_taken_back(table.reading) is None
