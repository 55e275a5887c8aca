"""Things a table calls out: the club's own words for what a hand or a game has just shown."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rules.core.game import Game
    from rules.core.hands import Row


@dataclass(frozen=True)
class CallOut:
    """A term that applies, to which seats (in seat order; none: to the hand), and why.

    ``rank`` orders call-outs for a page that has room for one: 0 is the rarest. ``aloud`` marks those that
    get a line of their own after the hand; ``sign`` is what stands beside a total instead, late in the game.
    ``said`` is the sentence to read out at the end, with ``{names}`` where the names belong. ``lasting``: it goes on
    from hand to hand, and is called and counted where it begins. ``together``: it is about its seats as a group, which
    is called again when somebody joins it. ``counts`` is how much it was, by seat, where it has a number.
    """

    call: str
    seats: tuple[int, ...] = ()
    reason: str = ""
    rank: int = 9
    aloud: bool = False
    sign: str = ""
    said: str = ""
    lasting: bool = False
    together: bool = False
    counts: Mapping[int, int] = field(default_factory=dict, compare=False)

    def since(self, before: Collection[CallOut]) -> CallOut | None:
        """What of it is new since the call-outs of the hand before; None: it only goes on."""
        if not self.lasting:
            return self
        was = {seat for call in before if call.call == self.call for seat in call.seats}
        joined = tuple(seat for seat in self.seats if seat not in was)
        return replace(self, seats=self.seats if self.together else joined) if joined else None


def new_callouts(game: Game, row: Row) -> list[CallOut]:
    """What the table calls out after a hand: of what lasts, only what was not so after the hand before."""
    rows, calls = row.table.rows, game.hand_callouts(row)
    lasts = any(call.lasting for call in calls)
    before = game.hand_callouts(rows[-1]) if rows and lasts else ()
    return [new for call in calls if (new := call.since(before))]


@dataclass(frozen=True)
class Word:
    """A term of the club with its meaning in a sentence. ``call`` links it to a call-out's slug; ``counts`` is what
    the numbers of that call-out count, one of them: "trick"."""

    term: str
    meaning: str
    call: str | None = None
    counts: str = ""
