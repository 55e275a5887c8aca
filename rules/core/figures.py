"""What is told of somebody over many games: figures made of the marks their hands have."""

from __future__ import annotations

from typing import Literal, NamedTuple

#: How a figure is made: see :class:`Figure`.
How = Literal["times", "each", "most", "least"]


class Figure(NamedTuple):
    """A figure of a player in one game, made of what ``Game.marks`` says of their hands.

    ``how`` it is made: ``times``, the hands with the mark out of those with the mark ``of``; ``each``, the sum of its
    values a hand with the mark ``of``; ``most`` and ``least``, its greatest and its smallest value in one hand. ``of``
    "" means all of them. ``unit`` is what a value counts ("tricks"), ``record`` as what a greatest or smallest value
    stands among the records of a club, "" where it is none; ``of_name`` is what the hands marked ``of`` are called.
    """

    key: str
    name: str
    mark: str
    how: How
    of: str = ""
    unit: str = ""
    meaning: str = ""
    record: str = ""
    of_name: str = ""
