"""Chances: the players who can still win a running game, take its last place, or go on from a group.

Nobody who can is left out: if a game cannot tell, everybody can. The result holds as long as nobody joins or leaves and
no hand is corrected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.core.engine.replay import Sheet
from rules.core.outcome import Chances


def chances(sheet: Sheet) -> Chances | None:
    """Who can still win and lose, as soon as somebody cannot any more. None: all is open, or all is over.

    Nothing is said while somebody is about to come or to go.
    """
    if sheet.open is None or sheet.noted or not sheet.rows:
        return None
    left = sheet.game.chances(sheet.table, (sheet.open.hand, *sheet.coming()[1:]))
    if left is None:
        return None
    seated, decides = set(sheet.table.seats), sheet.table.decides
    left = replace(
        left, win=left.win if decides.lead else None, lose=left.lose if decides.bottom else None
    )  # what the end of the sheet does not decide, nobody can tell from it
    is_open = all(seated <= set(able) for able in left.each())
    return None if is_open else left


def within_reach(totals: Mapping[int, int], most: int, least: int) -> tuple[int, ...]:
    """Who can still be first where everybody can get ``least`` to ``most`` points more, whatever the others get.

    >>> within_reach({1: 40, 2: 20, 3: 9}, 20, -10)
    (1, 2)
    """
    to_beat = max(totals.values()) + least
    return tuple(seat for seat, total in totals.items() if total + most >= to_beat)
