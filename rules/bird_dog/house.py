"""The house rules of Bird Dog."""

from __future__ import annotations

from rules.core.options import HouseRule

HOUSE_RULES = (
    HouseRule(
        "target", default=11, values=range(1, 100),
        sentence="Points that win the game, if nobody else has as many.",
        lasts=True,
    ),
    HouseRule(
        "bonus_for_tied", default=False, values=(False, True),
        sentence="If several share the most pairs, all of them except the caller get the bonus.",
    ),
    HouseRule(
        "no_bonus_without_caller", default=False, values=(False, True),
        sentence="When the third card made trump and nobody called, nobody gets the bonus.",
    ),
)  # fmt: skip
