"""The offer of several tables to more people than one table of the game is made for.

A sheet is one table. A receiver that can run an evening of several answers the signal with what can be done there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.dispatch import Signal
from django.http import HttpRequest

from rules.core.game import Game

#: Sent with `request`, `game` and `people`, how many they are. The answer is a list of `Offer`.
who_has_more_tables = Signal()


@dataclass(frozen=True)
class Offer:
    """A button: the `path` the form is posted to, what is posted as `do`, its `label`, and what comes of it."""

    path: str
    do: str
    label: str
    says: str


def offers_for(request: HttpRequest, game: Game, people: int) -> list[Offer]:
    """What so many people can do; nothing where that is no more than the game is made for."""
    if people <= game.made_for[-1]:
        return []
    answers: Sequence[tuple[object, Any]] = who_has_more_tables.send(None, request=request, game=game, people=people)
    return [offer for _, offers in answers for offer in offers]
