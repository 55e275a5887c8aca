""" "I typed it wrong": a bid of the open hand is another one, and only who is caught by it is asked again."""

import pytest

from rules.core.fields import SHEET
from scoresheets.commands import enter
from scoresheets.log.answers import Answer, Conflict, Refused
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import Counts


def retype(table: Scorer, seat: int, bid: object, *, hand: int = 1, saw: int | None = None, ask: str = "") -> Answer:
    address = (hand, ask or f"bid-{seat}")
    seen = saw or table.saw(address)
    return enter.retype(table.sheet, address, {"bid": bid}, saw=seen, key=new_key(), by=table.by)


@pytest.fixture
def two_cards(ann: Scorer) -> Scorer:
    """The second hand: two cards; seat 3 speaks first, seat 2 deals."""
    ann.any_hand()
    return ann


def test_a_bid_is_another_one_whoever_has_spoken_since(two_cards: Scorer) -> None:
    for seat in (3, 4):
        sure_of(two_cards.bid(seat, 0))
    done = sure_of(retype(two_cards, 3, 1, hand=2))
    assert done.verb == "retype"
    assert two_cards.reading.entries[2, "bid-3"] == {"bid": 1}
    assert two_cards.reading.entries[2, "bid-4"] == {"bid": 0}
    assert done.reading.standing == two_cards.reading.standing


def test_only_the_dealer_is_asked_again_where_the_rule_now_catches_them(two_cards: Scorer) -> None:
    two_cards.bids({3: 0, 4: 0, 1: 0, 2: 1})
    done = sure_of(retype(two_cards, 4, 1, hand=2))
    opened = two_cards.reading.sheet.open
    assert opened is not None
    assert opened.missing is not None
    assert opened.missing.name == "bid-2"
    assert set(opened.hand.steps) == {"bid-3", "bid-4", "bid-1"}
    assert two_cards.reading.version == done.version


def test_nobody_is_asked_again_where_the_rule_is_kept(two_cards: Scorer) -> None:
    two_cards.bids({3: 0, 4: 0, 1: 0, 2: 1})
    sure_of(retype(two_cards, 4, 2, hand=2))
    assert two_cards.reading.entries[2, "bid-2"] == {"bid": 1}


def test_even_the_last_bidder_is_refused_a_forbidden_number(two_cards: Scorer) -> None:
    two_cards.bids({3: 0, 4: 0, 1: 1, 2: 0})
    answer = retype(two_cards, 2, 1, hand=2)
    assert isinstance(answer, Refused)
    assert answer.code == "the-rule"
    assert two_cards.reading.entries[2, "bid-2"] == {"bid": 0}
    sure_of(retype(two_cards, 2, 2, hand=2))


def test_it_helps_even_where_the_dealers_bid_is_final(db: None) -> None:
    table = scorer(4, house_rules={"dealer_bid_final": True})
    table.bids({2: 0, 3: 0, 4: 1, 1: 1})
    sure_of(retype(table, 4, 0))
    assert (1, "bid-1") not in table.reading.entries


def test_one_undo_brings_back_the_bid_and_the_dealers(two_cards: Scorer) -> None:
    two_cards.bids({3: 0, 4: 0, 1: 0, 2: 1})
    before = two_cards.reading.entries
    done = sure_of(retype(two_cards, 4, 1, hand=2))
    undone = sure_of(two_cards.undo(done.version))
    assert two_cards.reading.entries == before
    sure_of(two_cards.undo(undone.version))
    assert two_cards.reading.entries[2, "bid-4"] == {"bid": 1}
    assert (2, "bid-2") not in two_cards.reading.entries


def test_after_the_dealer_has_bid_anew_the_steps_come_back_one_by_one(two_cards: Scorer) -> None:
    two_cards.bids({3: 0, 4: 0, 1: 0, 2: 1})
    before = two_cards.reading.entries
    done = sure_of(retype(two_cards, 4, 1, hand=2))
    dealer = sure_of(two_cards.bid(2, 0))
    answer = two_cards.undo(done.version)
    assert isinstance(answer, Refused)
    assert answer.code == "something-later"
    assert two_cards.reading.last_write == dealer.version
    sure_of(two_cards.undo())
    assert two_cards.reading.last_write == done.version
    sure_of(two_cards.undo())
    assert two_cards.reading.entries == before


def test_the_same_number_is_agreement(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    assert sure_of(retype(ann, 2, 1)).verb == "agree"


def test_the_same_key_retypes_once(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    key, seen = new_key(), ann.saw((1, "bid-2"))
    answers = [
        sure_of(enter.retype(ann.sheet, (1, "bid-2"), {"bid": 0}, saw=seen, key=key, by=ann.by)) for _ in range(2)
    ]
    assert answers[0].version == answers[1].version == ann.reading.version


def test_another_phone_was_quicker(ann: Scorer, marge: Scorer) -> None:
    ann.any_hand()
    sure_of(ann.bid(3, 0))
    seen = ann.saw((2, "bid-3"))
    sure_of(retype(marge, 3, 1, hand=2))
    answer = retype(ann, 3, 2, hand=2, saw=seen)
    assert isinstance(answer, Conflict)
    assert (answer.standing.by, answer.standing.data, answer.refused) == ("Marge", {"bid": 1}, {"bid": 2})
    assert ann.reading.entries[2, "bid-3"] == {"bid": 1}


def test_a_bid_that_was_not_made_cannot_have_been_typed_wrong(ann: Scorer) -> None:
    answer = retype(ann, 2, 1)
    assert isinstance(answer, Refused)
    assert answer.code == "no-such-bid"


def test_a_scored_hand_is_not_retyped(ann: Scorer) -> None:
    ann.any_hand()
    for ask in ("bid-3", "tricks"):
        answer = retype(ann, 3, 1, ask=ask)
        assert isinstance(answer, Refused)
        assert answer.code == "hand-scored"


@pytest.mark.parametrize("bid", [2, -1, 10**80, "1", None, True, [1]], ids=lambda bid: repr(bid)[:10])
def test_a_number_that_does_not_fit_is_refused(ann: Scorer, bid: object) -> None:
    sure_of(ann.bid(2, 1))
    answer = retype(ann, 2, bid)
    assert isinstance(answer, Refused)
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}
    assert ann.reading.version == 2


def test_the_set_up_and_what_happened_between_hands_are_not_retyped(ann: Scorer) -> None:
    sure_of(enter.misdeal(ann.sheet, 1, 1, key=new_key(), by=ann.by))
    for address in ((0, "table"), (1, "misdeal-1")):
        seen = ann.saw(address)
        answer = enter.retype(ann.sheet, address, {"bid": 0}, saw=seen, key=new_key(), by=ann.by)
        assert isinstance(answer, Refused)


def test_a_bid_of_a_blind_hand_is_retyped_too(ann: Scorer) -> None:
    while ann.reading.sheet.open:
        ann.any_hand()
    settlement = ann.reading.sheet.settlement
    assert settlement is not None
    assert settlement.hand is not None
    first, second = settlement.hand.order[:2]
    sure_of(ann.enter(SHEET, f"tie-1-bid-{first}", bid=2))
    sure_of(ann.enter(SHEET, f"tie-1-bid-{second}", bid=0))
    sure_of(retype(ann, first, 1, hand=SHEET, ask=f"tie-1-bid-{first}"))
    assert ann.reading.entries[SHEET, f"tie-1-bid-{first}"] == {"bid": 1}
    assert ann.reading.entries[SHEET, f"tie-1-bid-{second}"] == {"bid": 0}


def test_it_asks_no_more_than_a_post_may(two_cards: Scorer, statements: Counts) -> None:
    two_cards.bids({3: 0, 4: 0, 1: 0, 2: 1})
    seen = two_cards.saw((2, "bid-4"))
    with statements(exactly=8):
        enter.retype(two_cards.sheet, (2, "bid-4"), {"bid": 1}, saw=seen, key=new_key(), by=two_cards.by)
