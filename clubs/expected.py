"""Whom a club expects at a table: who has a chair there, then everybody else who belongs to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clubs.models import Chair, Member, Table
from clubs.who import told_apart

if TYPE_CHECKING:
    from scoresheets.models import Player, Sheet


def whom_the_club_expects(sheet: Sheet, **signal: Any) -> list[Player]:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `scoresheets.expected.who_is_expected`. Three queries, one at a table of no club."""
    table = Table.objects.standing().filter(sheet=sheet).select_related("night").first()
    if table is None:
        return []
    chairs = Chair.objects.filter(table=table).select_related("member__player")
    seated = [chair.member for chair in chairs]
    called = told_apart(seated)
    people = Member.objects.current().filter(club=table.night.club_id).exclude(pk__in=called).select_related("player")
    found = []
    for member in [*seated, *people.order_by("role", "name")]:
        if not member.player.shown_as:
            # As he is called at this table: nothing of it is saved. A name that is hidden is kept, and not shown.
            member.player.name = called.get(member.pk, member.shown)
        found.append(member.player)
    return found
