"""Candidates who may join a table, beside those who have played with its scorekeeper before.

A sheet knows no club; a receiver that knows its people answers the signal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.dispatch import Signal

from scoresheets.models import Player, Scorekeeper, Sheet
from scoresheets.opening.open_sheet import known_players

#: Sent with `sheet`. The answer is a list of players, the likeliest first, each with the name to seat them under.
who_is_expected = Signal()
#: Sent with `sheet`. The answer is a set of players (ids) who sit at another table meanwhile.
who_sits_elsewhere = Signal()


def expected_at(sheet: Sheet) -> list[Player]:
    """The players whom the club of the table expects there; nobody without a club."""
    if not sheet.home:
        return []
    answers: Sequence[tuple[object, Any]] = who_is_expected.send(type(sheet), sheet=sheet)
    return [player for _, answer in answers for player in answer]


def seated_elsewhere(sheet: Sheet) -> frozenset[int]:
    """Which players (ids) sit at another table of its club, so that nobody waits for them here."""
    if not sheet.home:
        return frozenset()
    answers: Sequence[tuple[object, Any]] = who_sits_elsewhere.send(type(sheet), sheet=sheet)
    return frozenset(player for _, answer in answers for player in answer)


def people_for(keeper: Scorekeeper, expected: Sequence[Player]) -> list[Player]:
    """Who can be picked at a table: whom its club expects, then whom the scorekeeper knows. Nobody twice."""
    people: dict[int, Player] = {}
    for player in [*expected, *known_players(keeper.browser, keeper.user)]:
        people.setdefault(player.pk, player)
    return list(people.values())
