"""The cut of a group and the outcome of a play-off (Rule 14), as arithmetic about numbers of people.

People are integers here, whatever they stand for outside: seats, players, places in a list. Nothing depends on the
order in which groups finish or people are given: a tie stays a tie until a blind hand, a card or the organiser breaks
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rules.core.cards import height
from rules.core.outcome import Cut, Tie
from rules.core.placings import circled
from rules.core.table import nothing

#: The most that sit at one table of a play-off, where nobody says otherwise.
MOST_AT_A_TABLE = 10


def sizes_of_groups(players: int, groups: int | None = None, *, most: int = MOST_AT_A_TABLE) -> tuple[int, ...]:
    """The sizes of the groups: the fewest of at most ``most``, or as many as are asked for; as even as possible.

    The largest come first. Nobody makes no group. Raises ValueError for groups in which nobody would sit.

    >>> [sizes_of_groups(n) for n in (10, 11, 12, 13, 21, 24)]
    [(10,), (6, 5), (6, 6), (7, 6), (7, 7, 7), (8, 8, 8)]
    >>> sizes_of_groups(13, 3)
    (5, 4, 4)
    """
    count = -(-players // most) if groups is None else groups
    if not 0 <= count <= players or (players and not count):
        raise ValueError(f"{players} people cannot make {count} groups of {most} at most")
    if not count:
        return ()
    size, larger = divmod(players, count)
    return (size + 1,) * larger + (size,) * (count - larger)


def cut(scores: Mapping[int, int], places: int, below: int | None, settled: Sequence[Mapping[int, int]] = ()) -> Cut:
    """The cut of a group: the ``places`` highest and the ``below`` lowest (None: all others) go on.

    ``scores`` are those of everybody who counts: who went home early does not. ``settled`` is what each blind hand,
    each card (as a height) or ruling (1 goes through, 0 does not) has brought, in order. It counts for those alone who
    were in question just then, and only where it says something about all of them; it lifts nobody past a higher score.

    >>> cut({1: 9, 2: 4, 3: 4, 4: -1}, 2, None)
    Cut(through=(1,), below=(4,), out=(), ties=(Tie(edge='through', players=(2, 3), places=1),))
    >>> cut({1: 9, 2: 4, 3: 4, 4: -1}, 2, None, [{2: -1, 3: 6}])
    Cut(through=(1, 3), below=(2, 4), out=(), ties=())
    >>> cut({1: 9, 2: 4, 3: 4, 4: -1}, 1, 1)
    Cut(through=(1,), below=(4,), out=(2, 3), ties=())

    Where more are asked for than there are, the winners' table is filled first.

    >>> cut({1: 9, 2: 4, 3: -1}, 2, 2), cut({1: 9, 2: 9, 3: -1}, 2, 2).ties
    (Cut(through=(1, 2), below=(3,), out=(), ties=()), ())
    """
    heights = heights_of({player: (score,) for player, score in scores.items()})
    current = cut_by(heights, places, below)
    for values in settled:
        heights = told_apart(heights, current, values)
        current = cut_by(heights, places, below)
    return current


def told_apart(heights: Mapping[int, int], current: Cut, values: Mapping[int, int]) -> dict[int, int]:
    """How high each stands after a blind hand, cards or a ruling brought this to those who were in question."""
    ordered = {player for tie in current.ties if values.keys() >= set(tie.players) for player in tie.players}
    return heights_of({player: (high, values[player] if player in ordered else 0) for player, high in heights.items()})


def heights_of(keys: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    """How high each stands, by what people are ranked by: equal keys are equally high.

    >>> heights_of({1: (7, 2), 2: (-4, 9), 3: (7, 1), 4: (7, 2)})
    {1: 2, 2: 0, 3: 1, 4: 2}
    """
    order = {key: at for at, key in enumerate(sorted(set(keys.values())))}
    return {player: order[key] for player, key in keys.items()}


def cut_by(heights: Mapping[int, int], places: int, below: int | None) -> Cut:
    """The cut by how high each stands; who is equally high stays equal."""
    size = len(heights)
    upper = min(max(places, 0), size)
    lower = upper if below is None else max(upper, size - max(below, 0))
    sure: dict[str, list[int]] = {"through": [], "out": [], "below": []}
    ties = []
    first = 0
    for players in blocks(heights):
        after = first + len(players)
        if first < upper < after:
            ties.append(Tie("through", players, upper - first))
        if first < lower < after and lower != upper:
            ties.append(Tie("below", players, after - lower))
        if not (first < upper < after or first < lower < after):
            sure["through" if after <= upper else "below" if first >= lower else "out"] += players
        first = after
    return Cut(tuple(sure["through"]), tuple(sure["below"]), tuple(sure["out"]), tuple(ties))


def blocks(heights: Mapping[int, int]) -> Iterator[tuple[int, ...]]:
    """Those who are equally high together, the highest first."""
    equal: dict[int, list[int]] = {}
    for player, high in heights.items():
        equal.setdefault(high, []).append(player)
    for high in sorted(equal, reverse=True):
        yield tuple(equal[high])


@dataclass(frozen=True)
class Final:
    """A final table after its last hand.

    ``totals`` are those of who sits there, ``gone`` the frozen ones of who went home early. ``lead`` are those who may
    still be its winner: one, when that is settled; of the losers' table it says nothing here. ``places`` (1, 2, 2, 4)
    are those of its sheet, where blind hands have told apart what the totals do not; left out, they are by the totals.
    """

    totals: Mapping[int, int]
    lead: tuple[int, ...]
    gone: Mapping[int, int] = field(default_factory=nothing)
    places: Mapping[int, int] = field(default_factory=nothing)

    @property
    def winner(self) -> int | None:
        """Who has won here, once that is settled."""
        return self.lead[0] if len(self.lead) == 1 else None

    @property
    def lowest(self) -> tuple[int, ...]:
        """Everybody with the lowest total of the table: who went home early is one of them."""
        return tuple(player for player, total in {**self.totals, **self.gone}.items() if total == self.bottom)

    @cached_property
    def bottom(self) -> int | None:
        """The lowest total of the table; None where nobody sat."""
        return min((*self.totals.values(), *self.gone.values()), default=None)

    def candidates(self, winner: int | None) -> tuple[int, ...]:
        """Who may take the loser's trophy here: the lowest, without whoever wins the other one."""
        return tuple(player for player in self.lowest if player != winner)

    @property
    def runners_up(self) -> tuple[int, ...]:
        """Who is second, several where they are equal; nobody as long as the lead is open."""
        if self.winner is None:
            return ()
        if self.places:
            return tuple(player for player, place in self.places.items() if place == 2 and player != self.winner)
        others = {player: total for player, total in self.totals.items() if player != self.winner}
        second = max(others.values(), default=None)
        return tuple(player for player, total in others.items() if total == second)


@dataclass(frozen=True)
class Outcome:
    """What a play-off comes to, as far as it is certain.

    ``crossed`` tells whether the loser's trophy goes to the winners' table; None where there is no losers' table.
    ``draw`` are those who must draw a card now: the lowest loses. ``runners_up`` are second at the winners' table.
    """

    winner: int | None
    loser: int | None
    crossed: bool | None
    draw: tuple[int, ...]
    runners_up: tuple[int, ...]

    @property
    def without_loser(self) -> Outcome:
        """The same as long as nobody has said how two finals of different length are compared."""
        return replace(self, loser=None, crossed=None, draw=())


def outcome(winners: Final, losers: Final | None, draws: Sequence[Mapping[int, str]] = ()) -> Outcome:
    """Both trophies (Rule 14): the highest of the winners' table wins, the lowest of the losers' table loses.

    Unless the lowest of the winners' table is strictly below it: then the loser's trophy goes there; equal stays at the
    losers' table. Without a losers' table the lowest of the one final loses. Whoever wins is never the loser.

    Several lowest draw a card, the lowest card loses, equal lowest draw again: ``draws`` are the ranks drawn so far, in
    order. A draw counts where exactly those drew who had to.

    >>> bo_leads = Final({1: 12, 2: -7}, lead=(1,))
    >>> outcome(bo_leads, Final({3: -5, 4: 8}, lead=()))
    Outcome(winner=1, loser=2, crossed=True, draw=(), runners_up=(2,))
    >>> outcome(bo_leads, Final({3: -7, 4: -7}, lead=()), [{3: "5", 4: "5"}, {3: "A", 4: "K"}])
    Outcome(winner=1, loser=4, crossed=False, draw=(), runners_up=(2,))
    """
    crossed = None if losers is None else crosses(winners, losers)
    table = losers if losers is not None and not crossed else winners
    in_question = table.candidates(winners.winner)
    if table is winners and winners.winner is None and set(in_question) & set(winners.lead):
        return Outcome(None, None, crossed, (), ())  # all are equal: whoever wins need not draw
    for drawn in draws:
        if len(in_question) > 1 and drawn.keys() == set(in_question):
            in_question = circled({player: height(drawn[player]) for player in in_question})
    is_settled = len(in_question) == 1
    return Outcome(
        winner=winners.winner,
        loser=in_question[0] if is_settled else None,
        crossed=crossed,
        draw=() if is_settled else in_question,
        runners_up=winners.runners_up,
    )


def crosses(winners: Final, losers: Final) -> bool:
    """Whether the loser's trophy goes to the winners' table: its lowest is strictly below that of the losers' table.

    Not where they alone are the winners' table: whoever wins is never the loser.

    >>> crosses(Final({1: 4, 2: -3}, lead=(1,)), Final({3: -3}, lead=()))
    False
    """
    if winners.bottom is None or losers.bottom is None or not winners.candidates(winners.winner):
        return False
    return winners.bottom < losers.bottom
