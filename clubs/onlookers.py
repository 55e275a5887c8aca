"""Who looks on at a sheet of a club: whom the phone calls "me" there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clubs.doors import marked_in
from clubs.people import players_of_people

if TYPE_CHECKING:
    from django.http import HttpRequest


def players_of_phone(sender: object, *, request: HttpRequest, **signal: Any) -> set[int]:  # noqa: ARG001 - as Django gives
    """The receiver of `scoresheets.onlookers.who_looks_on`: all players he is known as. One query, or none."""
    marked = marked_in(request)
    return players_of_people(marked) if marked else set()
