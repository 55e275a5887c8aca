"""Bids, tricks and points of one hand of Dirty Dog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rules.core.cards import NO_TRUMP, SUIT_NAMES
from rules.core.table import Hand
from rules.core.texts import About, HandNumber, RowWords, Worth


def bids_of(hand: Hand) -> dict[int, int]:
    """The bids that stand so far, by seat, in the order they were spoken."""
    return {seat: cast("int", hand.steps[f"bid-{seat}"]["bid"]) for seat in hand.order if f"bid-{seat}" in hand.steps}


def tricks_of(hand: Hand) -> dict[int, int]:
    """The tricks of each seat, empty before they are written down."""
    step = hand.steps.get("tricks")
    return {seat: cast("int", step[f"tricks-{seat}"]) for seat in hand.order} if step else {}


def trump_of(hand: Hand) -> str | None:
    """The trump suit or ``NT``, where it was written down: any ace turned means no trump."""
    step = hand.steps.get("trump", {})
    turned, suit = step.get("turned"), step.get("suit")
    if isinstance(turned, str):
        return NO_TRUMP if turned[0] == "A" else turned[1]
    return cast("str | None", suit)


def row_words(hand: Hand) -> RowWords:
    """Bid over tricks, which say the points too."""
    bids, tricks = bids_of(hand), tricks_of(hand)
    return RowWords(
        cells={seat: f"{bid}\n{tricks[seat]}" for seat, bid in bids.items()},
        aloud={
            seat: f"bid {bid}, took {tricks[seat]}{', set' if bid != tricks[seat] else ''}"
            for seat, bid in bids.items()
        },
        missed=frozenset(seat for seat, bid in bids.items() if bid != tricks[seat]),
        points=False,
    )


def words_now(hand: Hand) -> RowWords:
    """The bids as they fall, and whose turn it is."""
    bids = bids_of(hand)
    due = [seat for seat in hand.order if seat not in bids][:1]
    return RowWords(
        cells={seat: str(bid) for seat, bid in bids.items()},
        aloud={seat: f"bids {bid}" for seat, bid in bids.items()} | dict.fromkeys(due, "bids next"),
    )


def so_far(hand: Hand) -> Iterator[About]:
    """What was bid, and when all have bid, by how much it is over or under and who leads."""
    bids = bids_of(hand)
    over = sum(bids.values()) - hand.cards
    if len(bids) == len(hand.order):
        yield About(f"{'over' if over > 0 else 'under'} by {abs(over)}" if over else "even")
        yield About("{names} leads", (hand.leader,))
    elif bids:
        yield About(f"{sum(bids.values())} bid of {hand.cards}")


def rule_was_missed(hand: Hand) -> bool:
    """Whether the bids came to the cards, nobody noticed, and the table lets them stand."""
    return hand.steps.get("rule-missed", {}).get("missed") is True


def forbidden_bid(hand: Hand) -> int | None:
    """What the last bidder may not bid (Rule 7, The Rule), once everyone before them has bid.

    The cards less what has been bid; None while others bid, and where the others have overbid already.
    """
    earlier = earlier_bids(hand)
    if len(earlier) < len(hand.order) - 1:
        return None
    left = hand.cards - sum(earlier)
    return left if left >= 0 else None


def earlier_bids(hand: Hand) -> list[int]:
    """What has been bid by those who bid before the last bidder."""
    return [bid for seat, bid in bids_of(hand).items() if seat != hand.order[-1]]


def is_made(hand: Hand, seat: int) -> bool:
    """Whether the seat took exactly what it bid."""
    return hand.steps[f"bid-{seat}"]["bid"] == hand.steps["tricks"][f"tricks-{seat}"]


def points(bid: int, tricks: int) -> int:
    """Made: five and one for each trick. Set: the greater of bid and tricks comes off.

    >>> points(0, 0), points(3, 3), points(3, 2), points(0, 4)
    (5, 8, -3, -4)
    """
    return 5 + tricks if bid == tricks else -max(bid, tricks)


def why_points(bid: int, tricks: int) -> str:
    """The sentence behind the points.

    >>> why_points(3, 2)
    'bid 3, took 2: set, and the greater comes off: −3'
    """
    if bid != tricks:
        return f"bid {bid}, took {tricks}: set, and the greater comes off: −{max(bid, tricks)}"
    if bid == 0:
        return "bid 0, took 0: made, which is five: +5"
    return f"bid {bid}, took {tricks}: made, five and one for each trick: +{5 + tricks}"


def worth_of(cards: int) -> Iterator[Worth]:
    """Every bid of a hand with its points (Rule 11).

    >>> [*worth_of(2)][0]
    Worth(label='0', made='+5', missed='−1 or −2')
    """
    for bid in range(cards + 1):
        least = max(bid, 1)
        span = f"−{least}" if least == cards else f"−{least} {'or' if cards - least == 1 else 'to'} −{cards}"
        yield Worth(str(bid), f"+{5 + bid}", span)


def numbers_of(hand: Hand) -> Iterator[HandNumber]:
    """Cards, who bids first and last, trump where it was noted, and the bid The Rule forbids."""
    yield HandNumber("Cards each", str(hand.cards))
    yield HandNumber("Dealer", seat=hand.dealer)
    yield HandNumber("First bidder", seat=hand.leader)
    yield HandNumber("Last bidder", seat=hand.order[-1])
    trump = trump_of(hand)
    if trump:
        yield HandNumber("Trump", SUIT_NAMES[trump])
    yield HandNumber("Forbidden bid", said_of_forbidden(hand))


def said_of_forbidden(hand: Hand) -> str:
    """What there is to say about The Rule in this hand."""
    if rule_was_missed(hand):
        return "The Rule was missed; the bids stand"
    earlier = sum(earlier_bids(hand))
    so_far = f"{earlier} bid of {hand.cards}"
    if earlier > hand.cards:
        return f"none ({so_far})"
    forbidden = forbidden_bid(hand)
    return f"not yet known ({so_far})" if forbidden is None else f"{forbidden} ({so_far})"


#: So many more tricks bid than there are cards, or more than that, and what the table calls it (Rule 7 leaves no 0).
SUMS = ((1, "Overbid", "overbid"), (0, "", ""), (-1, "Floater", "floater"), (-999, "Float’age", "floatage"))


def tables_of(most: int, *, last_stands: bool) -> dict[str, object]:
    """Tables for a page that goes on without asking, up to ``most`` cards.

    ``worth[bid][tricks]`` are the points; ``sums`` is SUMS; ``last_stands``: the last bid cannot be taken back.

    >>> tables_of(1, last_stands=False)["worth"]
    [[5, -1], [-1, 6]]
    """
    counts = range(most + 1)
    worth = [[points(bid, tricks) for tricks in counts] for bid in counts]
    return {"worth": worth, "sums": [list(sum_) for sum_ in SUMS], "last_stands": last_stands}
