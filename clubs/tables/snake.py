"""Groups mixed by strength: the strongest are spread over them, and pairs kept apart stay apart.

It knows only numbers. The same seed draws the same groups.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from itertools import combinations

from clubs.nights.seating import Pair, seat, sit_together

#: Two who are about as strong are not to meet: less than a pair kept apart, more than any other reason.
ALIKE = 1_000


def snake(
    people: Sequence[int], sizes: Sequence[int], *, seed: object, apart: Collection[Pair] = ()
) -> list[list[int]]:
    """Everybody in a group, the strongest first in `people`: along the groups and back again, as a snake goes.

    Where that would put a pair together that is kept apart, two who are about as strong change groups. Each group is a
    list in the order round its table. `sizes` come to as many as there are people, else `ValueError` is raised.

    >>> [sorted(group) for group in snake([1, 2, 3, 4, 5, 6], [3, 3], seed="a")]
    [[1, 4, 5], [2, 3, 6]]
    """
    if len(people) != sum(sizes) or len(set(people)) != len(people):
        raise ValueError("There must be a chair for everybody, and nobody twice.")
    dice = random.Random(f"{seed} snake")  # noqa: S311 - cards are no secret
    order = list(range(len(sizes)))
    dice.shuffle(order)
    at = along(people, sizes, order)
    part(people, at, apart)
    groups = [[person for person in people if at[person] == group] for group in range(len(sizes))]
    if sit_together(groups, apart):
        groups = better_of(groups, searched(people, sizes, seed, apart), apart)
    for group in groups:
        dice.shuffle(group)
    return groups


def along(people: Sequence[int], sizes: Sequence[int], order: list[int]) -> dict[int, int]:
    """In which group everybody is, forwards and backwards along the groups that have room."""
    at: dict[int, int] = {}
    room = list(sizes)
    left = list(people)
    while left:
        for group in [group for group in order if room[group]]:
            if left:
                at[left.pop(0)] = group
                room[group] -= 1
        order = order[::-1]
    return at


def part(people: Sequence[int], at: dict[int, int], apart: Collection[Pair]) -> None:
    """Let two change groups as long as fewer pairs sit together by it who are kept apart: the nearest in strength."""
    foes: dict[int, set[int]] = {person: set() for person in people}
    for pair in apart:
        if len(pair) == 2 and pair <= foes.keys():
            first, second = pair
            foes[first].add(second)
            foes[second].add(first)

    def met(person: int, group: int, without: int) -> int:
        return sum(at[foe] == group for foe in foes[person] if foe != without)

    better = True
    while better:
        better = False
        for rank, player in enumerate(people):
            if not met(player, at[player], player):
                continue
            for other in sorted(people, key=lambda other: abs(people.index(other) - rank)):
                here, there = at[player], at[other]
                before = met(player, here, other) + met(other, there, player)
                if here != there and met(player, there, other) + met(other, here, player) < before:
                    at[player], at[other] = there, here
                    better = True
                    break


def searched(people: Sequence[int], sizes: Sequence[int], seed: object, apart: Collection[Pair]) -> list[list[int]]:
    """The same by a search that looks everywhere: whoever is about as strong is spread as well as it can be."""
    tiers = [people[first : first + len(sizes)] for first in range(0, len(people), len(sizes))]
    alike = {frozenset(pair): ALIKE for tier in tiers for pair in combinations(tier, 2)}
    return seat(people, sizes, seed=seed, apart=apart, met=alike)


def better_of(first: list[list[int]], second: list[list[int]], apart: Collection[Pair]) -> list[list[int]]:
    """The groups with fewer pairs together who are kept apart."""
    return min((first, second), key=lambda groups: len(sit_together(groups, apart)))
