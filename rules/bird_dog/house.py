"""The house rules of Bird Dog."""

from __future__ import annotations

from rules.core.options import HouseRule

HOUSE_RULES = (
    HouseRule(
        "target", default=11, values=range(1, 100),
        sentence="So many points, and more than anybody else, win the game.",
        lasts=True,
    ),
    HouseRule(
        "bonus_for_tied", default=False, values=(False, True),
        sentence="Where several share the most pairs, each of them who did not call trump gets the bonus.",
    ),
    HouseRule(
        "no_bonus_without_caller", default=False, values=(False, True),
        sentence="When the third card made trump and nobody called, nobody gets the bonus.",
    ),
)  # fmt: skip
