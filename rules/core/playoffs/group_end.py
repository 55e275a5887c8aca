"""The end of a group of a play-off (Rule 14): who goes on, and how a tie across a line is settled.

A tie on one side of a line needs nothing. A tie across it is settled by the game (a blind hand or the high card,
repeated while some are still equal) or by the organiser's ruling, an entry on the sheet that can be undone there. A
player who has gone home early goes no further and is not counted for any line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import cast

from rules.core.fields import SHEET, Address, Ask, Choice, Count, Tick, Value
from rules.core.game import Game
from rules.core.outcome import Cut, Ruled, Settlement, Tie, Waiting
from rules.core.placings import ranked
from rules.core.playoffs.cut import cut_by, told_apart
from rules.core.problems import Problem
from rules.core.table import Table

RULING = "ruling-"
NOT_SO_MANY = "That is not how many of them cross that line."


class GroupEnd:
    """Reads what has been written about the ties of a group, step by step, in the order in which it counted.

    ``settled`` is what each step brought to those who were tied; ``played`` counts the blind hands or cards among them.
    """

    def __init__(self, game: Game, table: Table, entries: Mapping[Address, Mapping[str, Value]]) -> None:
        self.game, self.table, self.entries = game, table, entries
        keys = sorted({game.rank(table, seat) for seat in table.seats})
        #: What people are ranked by: heights in the game's own order, where more than the score may count.
        self.heights = {seat: keys.index(game.rank(table, seat)) for seat in table.seats}
        #: How high each stands with all that was settled so far, and who goes where by it.
        self.levels = self.heights
        self.cut = self.cut_now()
        self.settled: list[Mapping[int, int]] = []
        self.rulings: list[Ruled] = []
        self.played = 0
        self.seen: set[Address] = set()

    def cut_now(self) -> Cut:
        """Who goes where, by how high each stands now."""
        return cut_by(self.levels, self.table.decides.through or 0, self.table.decides.below)

    def count(self, values: Mapping[int, int]) -> None:
        """Let what a blind hand, cards or a ruling brought order those who are tied across a line."""
        self.settled.append(values)
        self.levels = told_apart(self.levels, self.cut, values)
        self.cut = self.cut_now()

    @property
    def tied(self) -> tuple[int, ...]:
        """Everybody who is tied across a line, in the order of the table."""
        players = {seat for tie in self.cut.ties for seat in tie.players}
        return tuple(seat for seat in self.table.seats if seat in players)

    def settle(self) -> Settlement:
        """Who goes where, as far as the entries tell, and what is still to be settled."""
        while self.cut.ties and (self.ruled() or self.play()):
            pass
        return self.settlement()

    def settlement(self) -> Settlement:
        """What it has come to."""
        return Settlement(
            placings=ranked(self.table.seats, self.rank, lambda seat: self.game.score_of(self.table, seat)),
            waiting=tuple(self.waiting()),
            read=frozenset(self.seen),
            through=self.cut.through,
            below=self.cut.below,
            cut=self.cut,
            rulings=tuple(self.rulings),
            may_rule=tuple(self.may_rule()),
        )

    def rank(self, seat: int) -> tuple[int, ...]:
        """Places are by the game's own order; what settled a tie orders the tied and nobody else."""
        return (self.heights[seat], *(values.get(seat, 0) for values in self.settled))

    def play(self) -> bool:
        """Count the next thing the game itself has for a tie. False: it is due, or the game has nothing."""
        return False

    def waiting(self) -> Iterator[Waiting]:
        """What is still to be settled, line by line."""
        for tie in self.cut.ties:
            yield Waiting("ruling", seats=tie.players, edge=tie.edge, places=tie.places)

    # -- the organiser's ruling --------------------------------------------------------------------------

    def may_rule(self) -> Iterator[Ask]:
        """The ruling that may be written now, for each line with a tie across it."""
        k = len(self.rulings) + 1
        return (ruling_ask(k, tie, self.played) for tie in self.cut.ties)

    def ruled(self) -> bool:
        """Count the next ruling, where one stands that is about a tie as it is now."""
        name = f"{RULING}{len(self.rulings) + 1}"
        step = self.entries.get((SHEET, name))
        if step is None:
            return False
        tie = next((tie for tie in self.cut.ties if not any(problems_of_ruling(tie, self.played, step))), None)
        if tie is None:
            return False
        goes = tuple(seat for seat in tie.players if step[f"goes-{seat}"])
        stays = tuple(seat for seat in tie.players if seat not in goes)
        self.seen.add((SHEET, name))
        self.rulings.append(Ruled(name, tie.edge, goes, stays, self.played))
        # Over the line through go the higher ones, over the other the lower.
        above = goes if tie.edge == "through" else stays
        self.count({seat: int(seat in above) for seat in tie.players})
        return True


def ruling_ask(k: int, tie: Tie, after: int) -> Ask:
    """The ask for the ``k``-th ruling: which line it is about, after how many blind hands or cards, and who goes."""
    about = (Choice("edge", (tie.edge,)), Count("after", after, after))
    return Ask(f"{RULING}{k}", (*about, *(Tick(f"goes-{seat}", seat) for seat in tie.players)), optional=True)


def ruling_step(tie: Tie, after: int, goes: Collection[int]) -> dict[str, Value]:
    """What a ruling says: of those who are tied these go over the line."""
    return {"edge": tie.edge, "after": after, **{f"goes-{seat}": seat in goes for seat in tie.players}}


def problems_of_ruling(tie: Tie, after: int, step: Mapping[str, Value]) -> Iterator[Problem]:
    """Why a ruling is none about this tie."""
    problems = tuple(ruling_ask(1, tie, after).problems(step))
    yield from problems
    if not problems and sum(cast("bool", step[f"goes-{seat}"]) for seat in tie.players) != tie.places:
        yield Problem("bad-places", NOT_SO_MANY, "goes", params={"places": tie.places})


def settled_by_rank(game: Game, table: Table, entries: Mapping[Address, Mapping[str, Value]]) -> Settlement:
    """The end of a game that has nothing of its own for ties: equal stays equal."""
    if table.decides.is_group:
        return GroupEnd(game, table, entries).settle()
    placings = ranked(table.seats, lambda seat: game.rank(table, seat), lambda seat: game.score_of(table, seat))
    leaders = [placing.seat for placing in placings if placing.place == 1]
    return Settlement(placings, winner=leaders[0] if len(leaders) == 1 and table.decides.lead else None)
