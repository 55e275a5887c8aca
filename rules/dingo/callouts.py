"""Call-outs after a hand of Dingo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rules.core.numbers import bare
from rules.core.table import Row
from rules.core.texts import CallOut
from rules.dingo.piles import piles_of
from rules.dingo.telling import best_rabbit, evidence


def of_hand(row: Row) -> Iterator[CallOut]:
    """Who is caught, and how the hand was won where the highest score alone does not say it."""
    facts = row.result.facts
    caught = cast("tuple[int, ...]", facts.get("red_handed", ()))
    if caught:
        cards = evidence(row.table, row.hand, caught[0])
        reason = f"still held {cards}" if len(caught) == 1 else "still held red cards"
        yield CallOut("red-handed", caught, reason, rank=0, aloud=True)
    winners, tied = (cast("tuple[int, ...]", facts.get(key, ())) for key in ("winners", "tied"))
    if len(tied) < 2:
        return
    level = f"{len(tied)} level at {bare(row.points[tied[0]])}"
    if facts.get("by_rabbit"):
        rabbit = best_rabbit(piles_of(row.table, row.hand)[winners[0]])
        yield CallOut("by-the-rabbit", winners, f"{level}; {rabbit} decides", rank=1, aloud=True)
    else:
        yield CallOut("shared-hand", winners, f"{level}, and no rabbit between them", rank=2, aloud=True)
