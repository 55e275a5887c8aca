"""The label of the trump of a hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.cards import RANK_NAMES, SUIT_NAMES, rank_shown
from scoresheets.wording.markup import SUITS as SIGNS

RED = ("D", "H")


def trump_shown(step: Mapping[str, Any]) -> dict[str, Any]:
    """A trump step as the heading shows it: a suit, "Ace", or the turned card."""
    turned = step.get("turned")
    if turned:
        rank, suit = turned[0], turned[1]
        no_trump = rank == "A"
        card = f"{RANK_NAMES[rank]} of {SUIT_NAMES[suit]}"
        return {
            "text": rank_shown(rank) + SIGNS[suit],
            "label": f"no trump, {card} turned" if no_trump else f"{SUIT_NAMES[suit]}, {card} turned",
            "red": suit in RED,
            "ace": True,
        }
    suit = step["suit"]
    if suit not in SIGNS:
        return {"text": "Ace", "label": "no trump", "red": False, "ace": True}
    return {"text": SIGNS[suit], "label": SUIT_NAMES[suit], "red": suit in RED, "ace": False}
