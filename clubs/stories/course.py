"""The course of one game: who led after which hand, from which place somebody came back, which bids were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from clubs.evening.summary import Seen
from rules.core.placings import Placing, place_of
from rules.core.table import Row
from scoresheets.log.publish import count
from scoresheets.log.state import SheetReading


@dataclass(frozen=True)
class Comeback:
    """Somebody (by seat) who was on place `then` of `players` after a hand, and ended on place `now`."""

    seat: int
    hand: int
    then: int
    players: int
    now: int

    @property
    def places(self) -> int:
        return self.then - self.now


@dataclass(frozen=True)
class Run:
    """So many bids that somebody made in a row at one table; `last` is the hand of the last of them."""

    name: str
    bids: int
    last: int


@dataclass(frozen=True)
class BestHand:
    """Points of somebody in one hand."""

    name: str
    points: int
    hand: int


@dataclass(frozen=True)
class NearMisses:
    """How many bids somebody missed by one trick at a table; `last` is the hand of the last of them."""

    name: str
    bids: int
    last: int


@dataclass(frozen=True)
class Course:
    """A finished game at a table of the night: `reading` is its sheet."""

    seen: Seen
    reading: SheetReading

    @property
    def number(self) -> int:
        """The number of the table: the order of tables in a story."""
        return self.seen.table.number

    @property
    def watch(self) -> str:
        """The address under which the sheet is watched."""
        return self.reading.record.watch

    @property
    def rows(self) -> Sequence[Row]:
        return self.reading.sheet.rows

    @property
    def is_race(self) -> bool:
        """Whether the totals ran through from the first hand to the last, without rubbers or games between."""
        table = self.reading.sheet.table
        return not table.legs or not self.reading.game.has_legs(table)

    # People

    def name(self, seat: int) -> str:
        """What the person is called who sat there at the end."""
        return self.reading.sitting.now[seat].name

    @cached_property
    def players(self) -> list[dict[int, int]]:
        """Which player (id) sat on which seat, hand by hand."""
        at = self.reading.sitting.at
        return [{seat: chair.player for seat, chair in at(row.hand.number).items()} for row in self.rows]

    def sat_since(self, seat: int, at: int) -> bool:
        """Whether one person has had that seat from the row `at` (from 0) to the end."""
        now = self.reading.sitting.now[seat].player
        return all(players.get(seat) == now for players in self.players[at:])

    # How it ended

    @property
    def winner(self) -> int | None:
        """The seat that has won the game; None where the first place is shared, or a group goes on."""
        return self.reading.sheet.winner

    @property
    def winning_score(self) -> int:
        """What the winner ended with, also one who had gone home."""
        sheet, seat = self.reading.sheet, self.winner
        scores = {placing.seat: placing.score for placing in sheet.placings}
        return scores[seat] if seat in scores else sheet.table.gone[seat or 0]

    @property
    def first(self) -> list[Placing]:
        """Who ended on the first place."""
        return [placing for placing in self.reading.sheet.placings if placing.place == 1]

    @property
    def lowest_wins(self) -> bool:
        return self.reading.game.lowest_wins(self.reading.table)

    @cached_property
    def top(self) -> tuple[int, ...]:
        """The seats with the best total after the last hand."""
        return self.rows[-1].boxed

    @cached_property
    def margin(self) -> int:
        """How far the best total after the last hand was from the next; 0 where several have it."""
        ranked = sorted(self.rows[-1].totals.values(), reverse=not self.lowest_wins)
        return abs(ranked[0] - ranked[1]) if len(ranked) > 1 else 0

    @property
    def second(self) -> list[int]:
        """The seats next to one that was ahead alone after the last hand."""
        totals = self.rows[-1].totals
        next_best = totals[self.top[0]] + (self.margin if self.lowest_wins else -self.margin)
        return [seat for seat, total in totals.items() if total == next_best]

    @property
    def spread(self) -> int:
        """How many points lay between the highest and the lowest total after the last hand."""
        totals = self.rows[-1].totals.values()
        return max(totals) - min(totals)

    # The lead

    @cached_property
    def leaders(self) -> list[int | None]:
        """The seat that led alone after each hand; None where several were level."""
        return [row.boxed[0] if len(row.boxed) == 1 else None for row in self.rows]

    @cached_property
    def lead_changes(self) -> int:
        """How often the lead went from one to another; being level between is no change."""
        held = [seat for seat in self.leaders if seat is not None]
        return sum(before != after for before, after in pairwise(held))

    @property
    def led_alone(self) -> int:
        """How many players led alone after some hand."""
        pairs = zip(self.leaders, self.players, strict=True)
        return len({players[seat] for seat, players in pairs if seat is not None})

    @property
    def led_throughout(self) -> int | None:
        """The seat that led alone after every hand from the first on, and won; None where nobody did."""
        seat = self.leaders[0]
        is_whole = self.rows[0].hand.number == 1 and set(self.leaders) == {seat}
        return seat if seat is not None and is_whole and seat == self.winner and self.sat_since(seat, 0) else None

    @property
    def decided_by(self) -> int | None:
        """The hand after which the winner led alone, and did so to the end; None for the first, or where nobody did."""
        seat = self.leaders[-1]
        if seat is None or seat != self.winner:
            return None
        at = len(self.leaders)
        while at and self.leaders[at - 1] == seat:
            at -= 1
        return self.rows[at].hand.number if at and self.sat_since(seat, at) else None

    @property
    def led_longest(self) -> tuple[int, int] | None:
        """The seat that led alone after more than half of the hands and has not won, with how many these were."""
        for seat in dict.fromkeys(seat for seat in self.leaders if seat is not None):
            many = self.leaders.count(seat)
            if 2 * many > len(self.rows) and self.winner not in (None, seat) and self.sat_since(seat, 0):
                return seat, many
        return None

    @property
    def comeback(self) -> Comeback | None:
        """The comeback over most places; of equal ones that to the better place, then the earliest."""
        backs = sorted(self.comebacks(), key=lambda back: (-back.places, back.now, back.hand, back.seat))
        return backs[0] if backs else None

    def comebacks(self) -> Iterator[Comeback]:
        """Everybody's places after each hand but the first and the last, where they ended on a better one."""
        for placing in self.reading.sheet.placings:
            for at, row in enumerate(self.rows[1:-1], 1):
                if placing.seat not in row.totals or not self.sat_since(placing.seat, at):
                    continue
                place = place_of(row.totals, placing.seat, lowest_wins=self.lowest_wins)
                if place > placing.place:
                    yield Comeback(placing.seat, row.hand.number, place, len(row.totals), placing.place)

    # Bids

    @cached_property
    def bids(self) -> list[dict[int, tuple[int, int]]]:
        """Bid and tricks by seat, hand by hand, where the game writes both down."""
        hands = []
        for row in self.rows:
            pairs = {
                seat: (count(row.hand, f"bid-{seat}", "bid"), count(row.hand, "tricks", f"tricks-{seat}"))
                for seat in row.points
            }
            hands.append({seat: (bid, took) for seat, (bid, took) in pairs.items() if None not in (bid, took)})
        return hands  # type: ignore[return-value]  # those with None are left out

    @property
    def bids_made(self) -> tuple[int, int]:
        """How many bids were made, and how many there were."""
        pairs = [pair for hand in self.bids for pair in hand.values()]
        return sum(bid == tricks for bid, tricks in pairs), len(pairs)

    @property
    def runs(self) -> Iterator[Run]:
        """Everybody's longest run of bids made, the first of equals."""
        best: dict[int, Run] = {}
        now: dict[int, int] = {}
        for row, players, bids in zip(self.rows, self.players, self.bids, strict=True):
            made = {players[seat]: seat for seat, (bid, tricks) in bids.items() if bid == tricks}
            now = {player: now.get(player, 0) + 1 for player in made}
            names = self.reading.names_at(row.hand.number)
            for player, length in now.items():
                if player not in best or best[player].bids < length:
                    best[player] = Run(names[made[player]], length, row.hand.number)
        return iter(best.values())

    @property
    def near_misses(self) -> Iterator[NearMisses]:
        """How many bids each has missed by one trick."""
        missed: dict[int, NearMisses] = {}
        for row, players, bids in zip(self.rows, self.players, self.bids, strict=True):
            names = self.reading.names_at(row.hand.number)
            for seat, (bid, tricks) in bids.items():
                if abs(bid - tricks) == 1:
                    before = missed.get(players[seat])
                    so_far = before.bids if before else 0
                    missed[players[seat]] = NearMisses(names[seat], so_far + 1, row.hand.number)
        return iter(missed.values())

    @property
    def best_hands(self) -> list[BestHand]:
        """The hands with the most points, in order; none where the lowest total wins."""
        if self.lowest_wins:
            return []
        most = max(points for row in self.rows for points in row.points.values())
        return [
            BestHand(self.reading.names_at(row.hand.number)[seat], points, row.hand.number)
            for row in self.rows
            for seat, points in row.points.items()
            if points == most
        ]

    # Rubbers or games

    @property
    def leg_name(self) -> str:
        return self.reading.game.leg_name

    @property
    def leg_hands(self) -> list[int]:
        """How many hands each finished rubber or game had; of the first only where all of it was kept here."""
        legs, before = self.reading.sheet.table.legs, self.rows[0].hand.number - 1
        ends = [before, *(leg.hand for leg in legs)]
        return [last - first for first, last in pairwise(ends)]

    @property
    def leg_margins(self) -> list[tuple[int, int, int]]:
        """By how much each rubber or game was won by points, its winner (seat) and its last hand."""
        margins = []
        for leg in self.reading.sheet.table.legs:
            others = [total for seat, total in leg.totals.items() if seat != leg.winner]
            if others and leg.totals[leg.winner] > max(others):
                margins.append((leg.totals[leg.winner] - max(others), leg.winner, leg.hand))
        return margins
