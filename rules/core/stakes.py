"""Stakes: what a table decides (both trophies, or a part of a play-off, Rule 14), and how the game settles it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class PlayOff:
    """What a game has for play-offs and trophies. Default: nothing; equal stays equal, and one final decides.

    ``possible``: it can be played in a play-off at all. Where the lowest may win it cannot: groups, cut and trophies
    (Rule 14) go by the highest.
    ``losers_table``: there is a loser, with a trophy; it plays out ties for the lead and those at the bottom.
    ``champion_deals``: whoever won last time deals first, if seated. ``for_trophies``: it is played for the trophies of
    a club.
    """

    possible: bool = True
    losers_table: bool = False
    champion_deals: bool = False
    for_trophies: bool = False


@dataclass(frozen=True)
class Decides:
    """What the end of a sheet decides.

    A table of its own decides who wins (``lead``) and who loses (``bottom``). A group of a play-off decides neither,
    but who goes on: the ``through`` highest to the winners' table, the ``below`` lowest (None: all others) to the
    losers'. A tie across such a line is settled by a blind hand, or by drawing the high card (``high_card``). At the
    winners' table only the lead is played out, at the losers' table nothing: what settles their bottom depends on both.

    ``start`` are totals of seats to begin with, where they are carried over; nobody: all begin at 0.
    """

    lead: bool = True
    bottom: bool = True
    through: int | None = None
    below: int | None = None
    high_card: bool = False
    start: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def read(cls, data: Mapping[str, Any] | None) -> Decides:
        """As :meth:`as_data` has written it; what is not there is as at a table of its own."""
        data = data or {}
        start = {int(seat): total for seat, total in data.get("start", {}).items()}
        return cls(**{key: value for key, value in data.items() if key != "start"}, start=start)

    def as_data(self) -> dict[str, Any]:
        """What is otherwise than at a table of its own, fit for JSON: seats are written as texts."""
        values = {name: getattr(self, name) for name in ("lead", "bottom", "through", "below", "high_card")}
        own = {name: value for name, value in values.items() if value != getattr(ALL, name)}
        return own | ({"start": {str(seat): total for seat, total in self.start.items()}} if self.start else {})

    @property
    def is_group(self) -> bool:
        """Whether it decides who goes on, and nothing else."""
        return self.through is not None


#: A table of its own.
ALL = Decides()


def group(through: int, below: int | None = None, *, high_card: bool = False) -> Decides:
    """A group: so many on top go on to the winners' side, so many at the bottom (None: all others) to the losers'."""
    return Decides(lead=False, bottom=False, through=through, below=below, high_card=high_card)
