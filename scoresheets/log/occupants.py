"""The occupant of each seat, by hand.

The row of a seat names its first occupant. Every change is an entry which the rules never see, so it has a history and
can be undone: `sits-<seat>` at hand 0 corrects a mistyped name from the start; `sits-<seat>-<k>` beside the event `k`
of a hand names the occupant from that hand on. Both hold `name` and `player`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from rules.core.fields import SHEET, Address
from rules.core.table import fresh_number

SITS = "sits-"
ARRIVED = re.compile(r"arrive-\d+")
ASK = re.compile(r"sits-(\d+)(?:-(\d+))?")


class Chair(NamedTuple):
    """Who sits on a seat: the row of the seat, the player, and what they are called at this table."""

    pk: int
    player: int
    name: str


class Wish(NamedTuple):
    """By what a player of a club is known, from 1 to 10 and by one or two letters; 0 and "": by nothing in particular.

    `is_chosen`: they chose the colour themselves, or somebody did it for them.
    """

    colour: int = 0
    initial: str = ""
    is_chosen: bool = False


NO_WISH = Wish()


def wishes_of(badges: Mapping[str, Any]) -> dict[int, Wish]:
    """The wishes that a sheet keeps, by players (ids)."""
    return {int(player): Wish(*wish) for player, wish in badges.items()}


class Change(NamedTuple):
    """Somebody else on a seat from a hand on; `k` is the number of the event that brought them there."""

    hand: int
    k: int
    seat: int
    player: int
    name: str


T = TypeVar("T", Chair, Change)


def with_alias(occupant: T, aliases: Mapping[int, str]) -> T:
    """Who sits there, under the name they are to be called by."""
    return occupant._replace(name=aliases.get(occupant.player, occupant.name))


def sits(seat: int, k: int | None = None) -> str:
    """The name of the ask: from the start (None), or beside the event `k` of a hand.

    >>> sits(3), sits(3, 1)
    ('sits-3', 'sits-3-1')
    """
    return f"{SITS}{seat}" if k is None else f"{SITS}{seat}-{k}"


def of_asks(
    standing: Mapping[Address, Mapping[str, Any]], prefix: str
) -> list[tuple[Address, Mapping[str, Any]]]:  # fmt: skip
    """What stands at the asks whose names begin so: few, if any, of all that stands."""
    return [entry for entry in standing.items() if entry[0][1].startswith(prefix)]


class Occupancy:
    """Who sat where at every moment of a sheet.

    `chairs` are all seats as they were first given, `seats` those of the set-up; `standing` is all that stands on
    the sheet, by address. A change beside an event counts as long as the event stands, and so does the seat of a
    latecomer. `aliases` are what players (ids) are called instead, whose names are hidden.
    """

    def __init__(
        self, chairs: Mapping[int, Chair], seats: Collection[int], standing: Mapping[Address, Mapping[str, Any]],
        aliases: Mapping[int, str] | None = None,
    ) -> None:  # fmt: skip
        came = {
            data.get("seat"): (hand, int(ask.rpartition("-")[2]))
            for (hand, ask), data in sorted(of_asks(standing, "arrive-"), reverse=True, key=lambda entry: entry[0])
            if ARRIVED.fullmatch(ask)
        }
        self.first = {seat: chair for seat, chair in chairs.items() if seat in seats or seat in came}
        #: By seat, the hand and the number of the event with which a latecomer sat down first.
        self.arrivals = {seat: came[seat] for seat in self.first if seat not in seats}
        self.changes: list[Change] = []
        named = sorted(of_asks(standing, SITS))
        events = {(hand, ask.rpartition("-")[2]) for hand, ask in standing if not ask.startswith(SITS)} if named else ()
        for (hand, ask), data in named:
            match = ASK.fullmatch(ask)
            if match is None or int(match[1]) not in self.first:
                continue
            seat, k = int(match[1]), match[2]
            if k is None and hand == SHEET:
                self.first[seat] = self.first[seat]._replace(player=data["player"], name=data["name"])
            elif k is not None and (hand, k) in events:
                self.changes.append(Change(hand, int(k), seat, data["player"], data["name"]))
        self.changes.sort()
        if aliases:
            self.first = {seat: with_alias(chair, aliases) for seat, chair in self.first.items()}
            self.changes = [with_alias(change, aliases) for change in self.changes]

    @property
    def everybody(self) -> dict[int, str]:
        """All players (ids) who sit or ever sat there, each with the name they had last."""
        names = {chair.player: chair.name for chair in self.first.values()}
        return names | {change.player: change.name for change in self.changes}

    @property
    def numbers(self) -> dict[tuple[int, int], int]:
        """Who sits down, by the hand before which and the seat on which they do: occupants as the rules number them.

        Who has sat there before under that name has the same number again.
        """
        if not self.changes:
            return {}
        by_name = {chair.name: seat for seat, chair in self.first.items() if seat not in self.arrivals}
        sat_down = [(*at, seat, self.first[seat].name) for seat, at in self.arrivals.items()]
        sat_down += [(change.hand, change.k, change.seat, change.name) for change in self.changes]
        numbers: dict[tuple[int, int], int] = {}
        for hand, k, seat, name in sorted(sat_down):
            is_new_seat = self.arrivals.get(seat) == (hand, k)
            usual = seat if is_new_seat else fresh_number(by_name.values())
            numbers[hand, seat] = by_name.setdefault(name, usual)
        return numbers

    def after(self, changes: Iterable[Change]) -> dict[int, Chair]:
        """Who sits where once these have come about."""
        chairs = dict(self.first)
        for change in changes:
            chairs[change.seat] = chairs[change.seat]._replace(player=change.player, name=change.name)
        return chairs

    @property
    def now(self) -> dict[int, Chair]:
        """Who sits where now, or was the last to sit there."""
        return self.after(self.changes)

    def at(self, hand: int) -> dict[int, Chair]:
        """Who sat where when `hand` was played; blind hands (0) are played by who sits there now."""
        return self.after(change for change in self.changes if hand == SHEET or change.hand <= hand)

    def before(self, hand: int, k: int) -> dict[int, Chair]:
        """Who sat where until the event `k` of `hand`."""
        return self.after(change for change in self.changes if (change.hand, change.k) < (hand, k))
