"""Receivers for the signals of sheets: whom the phone calls "me", who is expected, who sits elsewhere."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from clubs.access.visit import account_of, marked_in
from clubs.members.identity import distinct_names, members_of_players
from clubs.models import Chair, Member, Table
from clubs.models.member import players_of_people
from scoresheets.models import Player, Sheet
from scoresheets.sheet.summary import read_sheets


def players_of_phone(sender: object, *, request: HttpRequest, sheet: Sheet, **signal: Any) -> set[int]:  # noqa: ARG001 - as Django gives
    """The receiver of `scoresheets.access.viewer.who_looks_on`: all players they are known as.

    Who is signed in is who their account says, as on every page of the club. One query, or none, without a session.
    """
    user = account_of(request)
    records = Member.objects.of_account(user.pk).filter(club__nights__tables__sheet=sheet) if user else None
    people = list(records.values_list("pk", flat=True)) if records is not None else []
    people = people or marked_in(request)
    return players_of_people(people) if people else set()


def whom_the_club_expects(sheet: Sheet, **signal: Any) -> list[Player]:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `scoresheets.roster.candidates.who_is_expected`. Three queries, one at a table of no club."""
    table = Table.objects.standing().filter(sheet=sheet).select_related("night").first()
    if table is None:
        return []
    chairs = Chair.objects.filter(table=table).select_related("member__player")
    seated = [chair.member for chair in chairs]
    called = distinct_names(seated)
    people = Member.objects.current().filter(club=table.night.club_id).exclude(pk__in=called).select_related("player")
    players = []
    for member in [*seated, *people.order_by("role", "name")]:
        if not member.player.shown_as:
            # As they are called at this table: nothing of it is saved. A name that is hidden is kept, and not shown.
            member.player.name = called.get(member.pk, member.shown)
        players.append(member.player)
    return players


def players_at_other_tables(sheet: Sheet, **signal: Any) -> set[int]:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `scoresheets.roster.candidates.who_sits_elsewhere`.

    Players (ids) at the other open tables of the night. Members are there as every player they are known
    as. Who went home from such a table sits nowhere. Two queries while no other table is open, eight at most.
    """
    table = Table.objects.standing().filter(sheet=sheet).select_related("night__club").first()
    if table is None:
        return set()
    others = Table.objects.standing().playing().filter(night=table.night_id).exclude(pk=table.pk)
    sheets = [other.sheet for other in others.select_related("sheet") if other.sheet]
    if not sheets:
        return set()
    players = {
        reading.sitting.now[seat].player
        for reading in read_sheets(sheets).values()
        for seat in reading.sheet.ahead.seats
    }
    members = members_of_players(table.night.club, players)
    return players | players_of_people([member.pk for member in members.values()])
