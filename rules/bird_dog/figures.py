"""Statistics of a player over many games of Bird Dog."""

from __future__ import annotations

from rules.bird_dog.scoring import caller_of, scored
from rules.core.table import Row
from rules.core.texts import Figure

PAIRS, BONUS, CALLED, NIL, NIL_MADE = "pairs", "bonus", "called", "nil", "nil-made"

FIGURES = (
    Figure(PAIRS, "Pairs a hand", PAIRS, "each", unit="pairs", meaning="Two jacks, queens or kings are a pair."),
    Figure("most-pairs", "Most pairs in a hand", PAIRS, "most", unit="pairs", record="Most pairs in a hand"),
    Figure(BONUS, "The bonus", BONUS, "times", meaning="The most pairs of a hand, without having called trump."),
    Figure(CALLED, "Called trump", CALLED, "times"),
    Figure(
        NIL_MADE,
        "Nil made",
        NIL_MADE,
        "times",
        NIL,
        meaning="Said to take no trick, and took none.",
        of_name="Went nil",
    ),
)


def marks_of(row: Row) -> dict[int, dict[str, int]]:
    """Pairs, the bonus, who called trump, and nil."""
    score, caller = scored(row.hand, row.table.house_rules), caller_of(row.hand)
    marks = dict[int, dict[str, int]]()
    for seat, pairs in score.pairs.items():
        values = {
            PAIRS: pairs,
            BONUS: int(seat in score.bonus),
            CALLED: int(seat == caller),
            NIL: int(seat == score.nil),
            NIL_MADE: int(seat == score.nil and score.nil_made is True),
        }
        marks[seat] = {mark: value for mark, value in values.items() if value}
    return marks
