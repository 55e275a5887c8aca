"""Statistics of a player over many games of Dirty Dog, beside those of bids and tricks in every game."""

from __future__ import annotations

from rules.core.table import Row
from rules.core.texts import Figure
from rules.dirty_dog.scoring import bids_of, forbidden_bid, tricks_of

DOG_PILE, RULED, CAUGHT = "dog-pile", "ruled", "caught"

FIGURES = (
    Figure(
        CAUGHT, "Caught by The Rule", CAUGHT, "times", RULED,
        meaning="The last bidder took exactly what The Rule had forbidden as a bid.",
        of_name="Last bidder with a forbidden bid",
    ),
    Figure("dog-piles", "Dog piles", DOG_PILE, "times", meaning="Bid nothing and took tricks."),
    Figure(
        "worst-dog-pile", "Worst dog pile", DOG_PILE, "most", unit="tricks",
        meaning="The most tricks taken after bidding nothing.", record="Worst dog pile",
    ),
)  # fmt: skip


def marks_of(row: Row) -> dict[int, dict[str, int]]:
    """Tricks taken after bidding none; for the last bidder what The Rule forbade, and whether they took just that."""
    bids, tricks = bids_of(row.hand), tricks_of(row.hand)
    marks = {seat: {DOG_PILE: tricks[seat]} for seat, bid in bids.items() if bid == 0 < tricks[seat]}
    forbidden, last = forbidden_bid(row.hand), row.hand.order[-1]
    if forbidden is not None:
        own = marks.setdefault(last, {})
        own[RULED] = forbidden
        if tricks[last] == forbidden:
            own[CAUGHT] = forbidden
    return marks
