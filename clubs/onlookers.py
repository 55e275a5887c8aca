"""Who looks on at a sheet of a club: whom the phone calls "me" there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clubs.access.visit import account_of, marked_in
from clubs.members.people import players_of_people
from clubs.models import Member

if TYPE_CHECKING:
    from django.http import HttpRequest

    from scoresheets.models import Sheet


def players_of_phone(sender: object, *, request: HttpRequest, sheet: Sheet, **signal: Any) -> set[int]:  # noqa: ARG001 - as Django gives
    """The receiver of `scoresheets.access.viewer.who_looks_on`: all players they are known as.

    Who is signed in is who their account says, as on every page of the club. One query, or none, without a session.
    """
    user = account_of(request)
    records = Member.objects.of_account(user.pk).filter(club__nights__tables__sheet=sheet) if user else None
    people = list(records.values_list("pk", flat=True)) if records is not None else []
    people = people or marked_in(request)
    return players_of_people(people) if people else set()
