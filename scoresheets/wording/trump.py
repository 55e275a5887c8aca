"""The trump of a hand as pages show it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.cards import RANK_NAMES, SUIT_NAMES, rank_shown
from scoresheets.wording.markup import SUITS as SIGNS

RED = ("D", "H")


def turned_of(step: Mapping[str, Any]) -> dict[str, Any]:
    """A trump step as the heading shows it: a suit, "Ace", or the turned card."""
    card = step.get("turned")
    if card:
        rank, suit = card[0], card[1]
        no_trump = rank == "A"
        said = f"{RANK_NAMES[rank]} of {SUIT_NAMES[suit]}"
        return {
            "text": rank_shown(rank) + SIGNS[suit],
            "label": f"no trump, {said} turned" if no_trump else f"{SUIT_NAMES[suit]}, {said} turned",
            "red": suit in RED,
            "ace": True,
        }
    suit = step["suit"]
    if suit not in SIGNS:
        return {"text": "Ace", "label": "no trump", "red": False, "ace": True}
    return {"text": SIGNS[suit], "label": SUIT_NAMES[suit], "red": suit in RED, "ace": False}
