"""Updates that failed: listed on the pages of the club, where an organiser can try again at once."""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction
from django.urls import reverse
from django.utils.dateformat import format as date_format

from clubs.models import Club, Night, PendingUpdate, Table
from clubs.queue.changes import wake

Kind = PendingUpdate.Kind
#: So many are named.
MOST = 5


class Failed(NamedTuple):
    """A result that could not be counted: what it is called, and the page on which it is looked at ("": none)."""

    name: str
    address: str = ""


#: All games of the club, and what is not there any more.
STANDINGS = Failed("the standings")


def failed_of(club: Club) -> list[Failed]:
    """What could not be counted again and again, the oldest first."""
    rows = club.pending_updates.failing().order_by("pk").values_list("kind", "subject")
    named = (failed(club, kind, subject) for kind, subject in dict.fromkeys(rows))
    return list(dict.fromkeys(named))[:MOST]


def failed(club: Club, kind: str, subject: int) -> Failed:
    """How a result of that kind is called."""
    match kind:
        case Kind.SHEET:
            return of_table(Table.objects.filter(night__club=club, sheet=subject).first())
        case Kind.TABLE:
            return of_table(Table.objects.filter(night__club=club, pk=subject).first())
        case Kind.PLAY_OFF:
            return of_night("the play-off", club.nights.filter(play_offs=subject).first())
        case Kind.NIGHT | Kind.TROPHIES:
            return of_night("the night", club.nights.filter(pk=subject).first())
        case Kind.MEMBER:
            member = club.members.filter(pk=subject).first()
            return Failed(f"the games of {member.shown}", member.get_absolute_url()) if member else STANDINGS
        case Kind.SEASON:
            season = club.seasons.filter(pk=subject).first()
            return Failed(f"the season {season.name}", season.get_absolute_url()) if season else STANDINGS
    return STANDINGS


def of_table(table: Table | None) -> Failed:
    """A table by its number or label, and by its day."""
    if table is None:
        return STANDINGS
    named = of_night(table.label or f"table {table.number}", table.night)
    return named._replace(address=reverse("watch", args=[table.sheet.watch])) if table.sheet else named


def of_night(what: str, night: Night | None) -> Failed:
    """Something of a night, by its day."""
    if night is None:
        return STANDINGS
    return Failed(f"{what} of {date_format(night.on, 'j F Y')}", night.get_absolute_url())


def count_again(club: Club) -> None:
    """Try at once what could not be counted and is put off."""
    with transaction.atomic():
        club.pending_updates.filter(not_before__isnull=False).update(not_before=None, failures=0)
        transaction.on_commit(wake)
