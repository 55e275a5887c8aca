"""Things a table calls out: the club's own words for what a hand or a game has just shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class CallOut:
    """A term that applies, to which seats (in seat order; none: to the hand), and why.

    ``rank`` orders call-outs for a page that has room for one: 0 is the rarest. ``aloud`` marks those that
    get a line of their own after the hand; ``sign`` is what stands beside a total instead, late in the game.
    ``said`` is the sentence to read out at the end, with ``{names}`` where the names belong. ``lasting``: it goes on
    from hand to hand, and who counts it counts where it begins. ``counts`` is how much it was, by seat, where it has a
    number.
    """

    call: str
    seats: tuple[int, ...] = ()
    reason: str = ""
    rank: int = 9
    aloud: bool = False
    sign: str = ""
    said: str = ""
    lasting: bool = False
    counts: Mapping[int, int] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Word:
    """A term of the club with its meaning in a sentence. ``call`` links it to a call-out's slug; ``counts`` is what
    the numbers of that call-out count, one of them: "trick"."""

    term: str
    meaning: str
    call: str | None = None
    counts: str = ""
