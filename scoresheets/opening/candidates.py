"""Candidates when a sheet is opened, beside those who have played on this browser before.

A sheet knows no club; a receiver that knows more about the browser answers the signal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.dispatch import Signal
from django.http import HttpRequest

from scoresheets.access.scorekeepers import browser_of
from scoresheets.models import Player
from scoresheets.opening.open_sheet import known_players

#: Sent with `request`. The answer is a list of players, each with the name to seat them under.
who_may_be_picked = Signal()


def company_of(request: HttpRequest, user: AbstractBaseUser | None) -> list[Player]:
    """Who is offered to this browser: the people it has played with, the latest first, then its house. Nobody twice."""
    answers: Sequence[tuple[object, Any]] = who_may_be_picked.send(None, request=request)
    players: dict[int, Player] = {}
    answered = [player for _, answer in answers for player in answer]
    for player in [*known_players(browser_of(request), user), *answered]:
        players.setdefault(player.pk, player)
    return list(players.values())
