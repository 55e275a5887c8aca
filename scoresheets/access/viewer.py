"""The viewer of a sheet: by signal the site says which seats are theirs, and whether they own the site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.dispatch import Signal
from django.http import HttpRequest

from scoresheets.log.state import read_sheet
from scoresheets.models import Sheet

#: Sent with `request` and `sheet`. The answer is a set of players (ids).
who_looks_on = Signal()
#: Sent with `request` and `sheet`. The answer is the path of the page on which this viewer closes or deletes the sheet,
#: as the owner of the site; "" for everybody else.
who_owns_the_site = Signal()


def seats_of_onlooker(request: HttpRequest, sheet: Sheet) -> list[int]:
    """The seats of the viewer; none without a club, nor if the club does not know them. No session is touched."""
    if not sheet.home:
        return []
    answers: Sequence[tuple[object, Any]] = who_looks_on.send(type(sheet), request=request, sheet=sheet)
    players = {player for _, answer in answers for player in answer}
    if not players:
        return []
    sitting = read_sheet(sheet).sitting.now
    return [seat for seat, chair in sitting.items() if chair.player in players]


def owners_page_of(request: HttpRequest, sheet: Sheet) -> str:
    """The path of the page on which the owner of the site closes or deletes the sheet; "" for everybody else.

    It may stand in nothing that is kept for several viewers. No session, no question.
    """
    answers: Sequence[tuple[object, Any]] = who_owns_the_site.send(type(sheet), request=request, sheet=sheet)
    return next((path for _, path in answers if path), "")
