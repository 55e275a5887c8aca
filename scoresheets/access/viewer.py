"""The viewer of a sheet: by signal the club says which seats are those of the person at this phone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.dispatch import Signal
from django.http import HttpRequest

from scoresheets.log.state import read_sheet
from scoresheets.models import Sheet

#: Sent with `request` and `sheet`. The answer is a set of players (ids).
who_looks_on = Signal()


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
