"""Statistics of a player over many matches of Dirty Deals."""

from __future__ import annotations

from rules.core.table import Row
from rules.core.texts import Figure
from rules.dirty_deals.claims import Claim

CLAIM, BESIDE, BOWER, OWN_BOWER = "claim", "cards-beside", "bower", "own-bower"

FIGURES = (
    Figure("claims", "Claims", CLAIM, "times", meaning="Deals ended with all six of a suit."),
    Figure("claim-points", "Points a claim", CLAIM, "each", CLAIM, unit="points"),
    Figure("cards-beside", "Cards besides the six", BESIDE, "each", CLAIM, unit="cards"),
    Figure(
        "cleanest", "Cleanest claim", BESIDE, "least", unit="cards besides the six",
        meaning="The fewest cards besides the six.", record="Cleanest claim",
    ),
    Figure("bowers", "Bowers of others’ claims", BOWER, "times", meaning="Held the bower when another claimed."),
    Figure("own-bower", "Claimed with the bower", OWN_BOWER, "times", CLAIM, meaning="Which costs three points."),
)  # fmt: skip


def marks_of(row: Row) -> dict[int, dict[str, int]]:
    """Who claimed with what, and who held the bower; nothing of a deal that was given up."""
    claim = Claim.of(row.hand.steps["claim"])
    if claim.given_up or claim.claimer is None:
        return {}
    marks = {claim.claimer: {CLAIM: claim.points(claim.claimer), BESIDE: claim.others}}
    if claim.holds_bower:
        marks[claim.claimer][OWN_BOWER] = 1
    elif claim.bower is not None:
        marks[claim.bower] = {BOWER: 1}
    return marks
