"""Seating people at tables: even sizes, pairs kept apart, and other neighbours than last time.

It knows only numbers. The same seed draws the same tables.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

#: Two people.
Pair = frozenset[int]

#: A pair that is kept apart weighs more than all other reasons together.
APART = 10**9
#: So many looks for a drawing that keeps all pairs apart; beyond it the best that was found counts.
MOST_LOOKS = 2_000
#: Swaps that are looked at in all: a small club is drawn from more beginnings than a large one.
MOST_SWAPS = 60_000
MOST_BEGINNINGS = 24


def fewest_tables(people: int, right: range) -> int:
    """How many tables of the right sizes hold so many people, or as many of them as can sit: the fewest.

    >>> [fewest_tables(people, range(4, 11)) for people in (3, 4, 10, 11, 13, 21)]
    [0, 1, 1, 2, 2, 3]
    >>> fewest_tables(13, range(4, 5)), fewest_tables(9, range(6, 8))
    (3, 1)
    """
    most = people // right[0]
    return min(-(-people // right[-1]), most)


def sizes_of(people: int, tables: Sequence[range]) -> list[int]:
    """How many sit at each table, as even as the tables allow; some are without a seat where the tables are too few.

    Fewer than the tables need are spread all the same: the table that is short is the one to be taken away. Nobody
    ever sits alone: who would sits at another table, or at none.

    >>> sizes_of(13, [range(4, 11)] * 2), sizes_of(14, [range(4, 11), range(2, 3)]), sizes_of(5, [range(4, 5)])
    ([7, 6], [10, 2], [4])
    >>> sizes_of(5, [range(4, 11)] * 2), sizes_of(5, [range(2, 3), range(2, 3), range(4, 11)])
    ([5, 0], [2, 2, 0])
    """
    sizes = [0] * len(tables)
    for _ in range(people):
        # First what a table needs to play at all, one table after the other; then the smallest that has room.
        short = [at for at, right in enumerate(tables) if sizes[at] < right[0]]
        room = [at for at, right in enumerate(tables) if sizes[at] < right[-1]]
        if not room:
            break
        at = max(short, key=lambda at: (sizes[at], -at)) if short else min(room, key=lambda at: (sizes[at], at))
        sizes[at] += 1
    if 1 in sizes:
        alone = sizes.index(1)
        sizes[alone] = 0
        room = [at for at, right in enumerate(tables) if at != alone and right[0] <= sizes[at] < right[-1]]
        if room:
            sizes[min(room, key=lambda at: (sizes[at], at))] += 1
    return sizes


def seat(
    people: Iterable[int], sizes: Sequence[int], *, seed: object, apart: Collection[Pair] = (),
    met: Mapping[Pair, int] | None = None, only: Mapping[int, Collection[int]] | None = None,
) -> list[list[int]]:  # fmt: skip
    """Seat everybody: `sizes` come to as many as there are people. Each table is a list in the order round it.

    `apart` are pairs that sit at different tables whenever that is possible at all; `met` says how much a pair should
    not sit together again (any positive number); `only` the tables (indexes) at which somebody may sit, where it is not
    any. Raises `ValueError` where the numbers do not fit.
    """
    drawn = Draw(sorted(people), sizes, apart, met or {}, only or {})
    # A seed for each purpose: how long one search takes must not change what the next one draws.
    best: tuple[int, dict[int, int]] | None = None
    for beginning in range(drawn.beginnings):
        dice = random.Random(f"{seed} {beginning}")  # noqa: S311 - cards are no secret
        at = drawn.improved(drawn.begun(dice), dice)
        cost = drawn.cost(at)
        if best is None or cost < best[0]:
            best = cost, at
        if not cost:
            break
    at = best[1] if best else {}
    tables: list[list[int]] = [[] for _ in sizes]
    for person in drawn.people:
        tables[at[person]].append(person)
    dice = random.Random(f"{seed} chairs")  # noqa: S311
    for table in tables:
        dice.shuffle(table)
    return tables


def first_jack(seats: int, *, seed: object) -> int:
    """The index of who gets the first jack when the cards of a shuffled deck go round one by one, face up."""
    deck = [card % 13 for card in range(52)]
    random.Random(f"{seed} first jack").shuffle(deck)  # noqa: S311
    return deck.index(9) % seats


def sit_together(tables: Iterable[Collection[int]], apart: Collection[Pair]) -> list[Pair]:
    """The pairs kept apart that sit at one table."""
    return [pair for table in tables for pair in apart if pair <= set(table)]


def pairs_of(tables: Iterable[Collection[int]]) -> Iterator[Pair]:
    """Everybody with everybody at their table."""
    for table in tables:
        yield from (frozenset(pair) for pair in combinations(sorted(table), 2))


class Draw:
    """People, tables and what is to be avoided, while it is drawn. `at` is everywhere who sits at which table."""

    def __init__(
        self, people: list[int], sizes: Sequence[int], apart: Collection[Pair], met: Mapping[Pair, int],
        only: Mapping[int, Collection[int]],
    ) -> None:  # fmt: skip
        if len(people) != sum(sizes) or len(set(people)) != len(people):
            raise ValueError("There must be a chair for everybody, and nobody twice.")
        self.people, self.sizes, here = people, list(sizes), set(people)
        self.may = {person: set(only.get(person, range(len(sizes)))) for person in people}
        #: So many pairs that are kept apart sit together, as far as it is known: with fewer nothing was found.
        self.quarrels = 0
        #: With whom somebody is not to sit, and how much not.
        self.against: dict[int, dict[int, int]] = {person: {} for person in people}
        self.foes: dict[int, set[int]] = {person: set() for person in people}
        for pair, weight in [*met.items(), *((pair, APART) for pair in set(apart))]:
            if len(pair) == 2 and pair <= here:
                first, second = pair
                self.against[first][second] = self.against[first].get(second, 0) + weight
                self.against[second][first] = self.against[first][second]
                if weight >= APART:
                    self.foes[first].add(second)
                    self.foes[second].add(first)

    @property
    def beginnings(self) -> int:
        """From how many beginnings it is tried."""
        return max(2, min(MOST_BEGINNINGS, MOST_SWAPS // (len(self.people) ** 2 + 1)))

    def cost(self, at: Mapping[int, int]) -> int:
        """How much of what is to be avoided was not."""
        return sum(
            weight for person, others in self.against.items() for other, weight in others.items()
            if person < other and at[person] == at[other]
        )  # fmt: skip

    def begun(self, dice: random.Random) -> dict[int, int]:
        """Everybody at some table: those who cannot sit everywhere first, as well as it can be, then the others."""
        everywhere = len(self.sizes)
        picky = [person for person in self.people if self.foes[person] or len(self.may[person]) < everywhere]
        dice.shuffle(picky)
        at: dict[int, int] = {}
        while picky and not at:
            last = self.quarrels >= len(picky) ** 2
            at = Search(self, picky, dice, self.quarrels, looks=0 if last else MOST_LOOKS).seated
            if not at and last:
                raise ValueError("There is no room where they may sit.")
            # It need not be tried again with as few: a beginning differs from the next by the dice alone.
            self.quarrels += 0 if at else 1 if self.quarrels < len(picky) else len(picky) ** 2
        free = [table for table, size in enumerate(self.sizes) for _ in range(size)]
        for table in at.values():
            free.remove(table)
        dice.shuffle(free)
        rest = [person for person in self.people if person not in at]
        return at | dict(zip(rest, free, strict=True))

    def improved(self, at: dict[int, int], dice: random.Random) -> dict[int, int]:
        """Two change places as long as that makes it better."""
        load = {person: [0] * len(self.sizes) for person in self.people}
        for person, others in self.against.items():
            for other, weight in others.items():
                load[person][at[other]] += weight
        order = [pair for pair in combinations(self.people, 2) if self.against[pair[0]] or self.against[pair[1]]]
        dice.shuffle(order)
        better = True
        while better:
            better = False
            for first, second in order:
                here, there = at[first], at[second]
                if here == there or there not in self.may[first] or here not in self.may[second]:
                    continue
                gain = load[first][here] + load[second][there] - load[first][there] - load[second][here]
                if gain + 2 * self.against[first].get(second, 0) > 0:
                    better = True
                    for mover, old, new in ((first, here, there), (second, there, here)):
                        at[mover] = new
                        for friend, weight in self.against[mover].items():
                            load[friend][old] -= weight
                            load[friend][new] += weight
        return at


class Search:
    """Looks for tables of those who cannot sit everywhere, with at most so many pairs together who are kept apart.

    After so many `looks` it gives up; 0: never. `seated` is empty where there is nothing.
    """

    def __init__(self, draw: Draw, picky: list[int], dice: random.Random, quarrels: int, *, looks: int) -> None:
        self.draw, self.picky, self.most_looks, self.looks = draw, picky, looks, 0
        self.room = list(draw.sizes)
        self.tables = list(range(len(draw.sizes)))
        dice.shuffle(self.tables)
        self.at: dict[int, int] = {}
        self.seated = dict(self.at) if self.goes_on(quarrels) else {}

    @property
    def gives_up(self) -> bool:
        return bool(self.most_looks) and self.looks > self.most_looks

    def goes_on(self, quarrels: int) -> bool:
        """Whether those who are left can be seated with so many quarrels more; then `at` says where."""
        if len(self.at) == len(self.picky):
            return True
        self.looks += 1
        # Who has the fewest tables left, and among them who is kept apart from the most.
        options = {person: self.options(person) for person in self.picky if person not in self.at}
        person = min(options, key=lambda pk: (sum(not cost for cost, _ in options[pk]), -len(self.draw.foes[pk])))
        alike: set[tuple[int, frozenset[int]]] = set()
        for cost, table in options[person]:
            if cost > quarrels or self.gives_up:
                break
            if table not in self.at.values():
                # Of several empty tables that nothing tells apart one is enough.
                like = (self.room[table], frozenset(pk for pk in self.picky if table in self.draw.may[pk]))
                if like in alike:
                    continue
                alike.add(like)
            self.at[person] = table
            self.room[table] -= 1
            if self.goes_on(quarrels - cost):
                return True
            del self.at[person]
            self.room[table] += 1
        return False

    def options(self, person: int) -> list[tuple[int, int]]:
        """The tables with room for them, those with the fewest they are kept apart from first."""
        sitting = [self.at[foe] for foe in self.draw.foes[person] if foe in self.at]
        may = self.draw.may[person]
        options = [(sitting.count(table), table) for table in self.tables if self.room[table] and table in may]
        return sorted(options, key=lambda option: option[0])
