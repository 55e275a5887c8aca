"""Needs: what each player needs near the end to reach the box or to leave the circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.core.engine.replay import Sheet
from rules.core.outcome import Need

#: So many hands before the end it is told.
NEAR = 2


def needs(sheet: Sheet, last: int | None = None) -> tuple[Need, ...]:
    """What the seats need in the last hand, or in the last two; ``last`` is the number of the last one, if announced.

    Nothing is told before that, while somebody is about to come or to go, nor of what the sheet does not decide.
    """
    table, planned = sheet.table, sheet.game.planned_hands(sheet.table)
    if sheet.open is None or sheet.noted or not table.hands_done or not planned:
        return ()
    end = planned if last is None else min(last, planned)
    if not 0 < end - table.hands_done <= NEAR:
        return ()
    hands = (sheet.open.hand, *(hand for hand in sheet.coming()[1:] if hand.number <= end))
    decides = table.decides
    aims = {"box": decides.lead, "circle": decides.bottom}
    return tuple(need for need in sheet.game.needs(table, hands) if aims[need.aim])


def beside_rivals(totals: Mapping[int, int], hands: int) -> Iterator[Need]:
    """What can be told of every game, by the totals alone: so many more points than one other player.

    Who has the lowest total leaves the circle with one more than what parts them from the next higher total, compared
    with that player, whatever all others do. Who is below the top reaches the box with no less than what parts them
    from it, compared with the player who is there.

    >>> [(need.seat, need.aim, need.least, need.enough, need.rival) for need in beside_rivals({1: 9, 2: 4, 3: 6}, 1)]
    [(2, 'box', 5, None, 1), (2, 'circle', None, 3, 3), (3, 'box', 3, None, 1)]
    """
    top, bottom = max(totals.values()), min(totals.values())
    first = next(seat for seat, total in totals.items() if total == top)
    for seat, total in totals.items():
        if total < top:
            yield Need(seat, "box", least=top - total, rival=first, hands=hands)
        if total == bottom:
            next_up = min((other for other in totals if other != seat), key=lambda other: totals[other])
            yield Need(seat, "circle", enough=totals[next_up] - total + 1, rival=next_up, hands=hands)
