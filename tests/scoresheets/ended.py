"""Sheets after their last hand with totals as a test wants them: groups and finals of a play-off."""

from __future__ import annotations

from rules.core.stakes import Decides
from scoresheets.log.answers import Done
from scoresheets.paper.carry_over import carry
from tests.factories import Scorer, new_key, scorer, sure_of


def ended(*totals: int, decides: Decides, **more: object) -> Scorer:
    """A table after its last hand, which was played elsewhere, with these totals by seat."""
    table = scorer(len(totals), decides=decides, **more)
    by_seat = {f"total-{seat}": total for seat, total in enumerate(totals, 1)}
    hands = len(table.reading.table.schedule)
    step = {"hands": hands, "last_dealer": len(totals), **by_seat}
    sure_of(carry(table.sheet, step, saw=None, key=new_key(), by=table.by))
    return table


def blind_hand(table: Scorer, bids: str, tricks: str) -> Done:
    """The blind hand that is due, both by seat."""
    hand = table.reading.sheet.settlement.hand
    said, taken = (dict(zip(sorted(hand.order), map(int, row.split()), strict=True)) for row in (bids, tricks))
    for seat in hand.order:
        sure_of(table.enter(0, f"{hand.prefix}bid-{seat}", bid=said[seat]))
    return sure_of(table.enter(0, f"{hand.prefix}tricks", **{f"tricks_{seat}": n for seat, n in taken.items()}))
