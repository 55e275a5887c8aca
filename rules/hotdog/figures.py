"""Statistics of a player over many matches of Hotdog."""

from __future__ import annotations

from typing import cast

from rules.core.table import Row
from rules.core.texts import Figure
from rules.hotdog.bidding import WORKS, Bid, bid_of
from rules.hotdog.scoring import paid, tricks_of

PICKED, MADE, FOOTLONG, FOOTLONG_MADE = "picked", "picks-made", "footlong", "footlongs-made"
SMOTHERED, THE_WORKS, AT_ONCE = "smothered", "the-works", "at-once"

FIGURES = (
    Figure("picks", "Picked", PICKED, "times", meaning="Rounds with the bid that stood."),
    Figure(MADE, "Picks that paid", MADE, "times", PICKED, meaning="The points, or the game, went to the picker."),
    Figure("tricks-picking", "Tricks as picker", PICKED, "each", PICKED, unit="tricks"),
    Figure("most-picking", "Most tricks as picker", PICKED, "most", unit="tricks", record="Most tricks as picker"),
    Figure(FOOTLONG_MADE, "Footlongs made", FOOTLONG_MADE, "times", FOOTLONG, of_name="Footlongs bid"),
    Figure(THE_WORKS, "Picked The Works", THE_WORKS, "times", PICKED),
    Figure(SMOTHERED, "Smothers", SMOTHERED, "times", PICKED),
    Figure(AT_ONCE, "Games won at once", AT_ONCE, "times"),
)


def marks_of(row: Row) -> dict[int, dict[str, int]]:
    """What was picked, with how many tricks, and whether it paid; who won a game at once."""
    bid, tricks = cast("Bid", bid_of(row.hand)), tricks_of(row.hand)
    marks: dict[int, dict[str, int]] = {seat: {} for seat in tricks}
    if bid.picker is not None:
        took, paid_him = tricks[bid.picker], paid(row.table, row.hand)[1] == bid.picker
        conditions = {
            PICKED: True, MADE: paid_him, FOOTLONG: bid.footlong, FOOTLONG_MADE: bid.footlong and paid_him,
            SMOTHERED: bid.smothered, THE_WORKS: bid.topping == WORKS,
        }  # fmt: skip
        marks[bid.picker] = {mark: took for mark, holds in conditions.items() if holds}
    if row.result.wins_leg is not None:
        marks[row.result.wins_leg][AT_ONCE] = tricks[row.result.wins_leg]
    return marks
