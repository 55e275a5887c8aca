"""The receiver that tells a sheet which trophies were won at its table."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string

from clubs.models import Award
from scoresheets.models import Sheet
from scoresheets.results.finale import Prize


def trophies_won(sender: object, *, sheet: Sheet, **signal: Any) -> list[Prize]:  # noqa: ARG001 - as Django gives
    """The receiver of `scoresheets.results.finale.what_was_won`. One query, once all is counted.

    Who has won them is no part of it: the sheet knows what its players are called there.
    """
    awards = Award.objects.standing().filter(table__sheet=sheet).exclude(source=Award.Source.TYPED)
    trophies = [award.trophy for award in awards.select_related("trophy__club").defer("trophy__picture")]
    drawn = "clubs/trophies/picture.html"
    return [
        Prize(trophy.name, render_to_string(drawn, {"trophy": trophy, "club": trophy.club}))
        for trophy in sorted(trophies, key=lambda trophy: (trophy.goes == "loser", trophy.pk))
    ]
