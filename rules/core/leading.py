"""The leader of the first trick of a hand, and the player who speaks first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from rules.core.table import Hand


@dataclass(frozen=True)
class Leading:
    """How a game knows it. Default: the player left of the dealer does both.

    ``has_leader``: somebody leads a first trick, and is told so beside the name. ``said_in``: where the bidding says
    who, its ask and the field for a seat; left empty there, it is the player left of the dealer. ``dealer_speaks``: the
    dealer is the one who does what ``Game.speaks_first`` says.
    """

    has_leader: bool = True
    said_in: tuple[str, str] | None = None
    dealer_speaks: bool = False

    def first_to_speak(self, hand: Hand) -> int:
        """Who does what ``Game.speaks_first`` says."""
        return hand.dealer if self.dealer_speaks else hand.leader

    def leader_of(self, hand: Hand) -> int | None:
        """Who leads the first trick; None: nobody does, or the bidding has yet to say who."""
        if not self.has_leader:
            return None
        if self.said_in is None:
            return hand.leader
        ask, field = self.said_in
        return cast("int", hand.steps[ask].get(field) or hand.leader) if ask in hand.steps else None
