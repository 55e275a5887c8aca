"""Adopting a sheet that was opened outside of a night: every name is matched, and it can be undone."""

from __future__ import annotations

import datetime
import re

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.visit import Visit
from clubs.joining.match import Matches, know
from clubs.members.privacy import cover_sheet, uncover_sheet
from clubs.models import Club, Member, Night, Table
from clubs.nights.form import FIRST_DAY
from clubs.projections.update import count_now
from clubs.tables.open import forget_planned_play_off, free_numbers, say_stakes
from scoresheets.access.scorekeepers import browser_of, find_link, scorekeeper_for
from scoresheets.models import Sheet

#: Sheets of this phone that are offered.
MOST_OFFERED = 12
#: Nights that are offered beside those of the day.
SOME_WEEKS = datetime.timedelta(weeks=12)
KEEPER_LINK = re.compile(r"/keep/([A-Za-z0-9_-]{22})/?\s*$")


class NotBroughtIn(Exception):
    """Why it cannot be brought in, in a sentence."""


# Which sheet


def sheets_to_bring(request: HttpRequest, visit: Visit) -> list[Sheet]:
    """The latest sheets this phone or account writes on that stand at no table, and those the club has taken out."""
    browser = browser_of(request)
    mine = Q(scorekeepers__browser=browser) if browser else Q(pk=None)
    if visit.member and visit.member.user_id:
        mine |= Q(scorekeepers__user=visit.member.user_id)
    sheets = Sheet.objects.filter(mine & Q(scorekeepers__revoked_at__isnull=True) | taken_out(visit.club)).exclude(
        table__withdrawn_at__isnull=True, table__isnull=False
    )
    return list(sheets.distinct().order_by("-opened_at", "-pk")[:MOST_OFFERED])


def taken_out(club: Club) -> Q:
    """Sheets that stood at a table of this club last: their way back needs no link, which may open nothing any more."""
    return Q(table__night__club=club, table__withdrawn_at__isnull=False, table__source=Table.Source.BROUGHT)


def sheet_to_bring(request: HttpRequest, visit: Visit, code: str, link: str = "") -> Sheet:
    """The sheet of that code, or of a scorekeeper's link that was typed in. Only who may write on it brings it in,
    because all scorekeepers of the club write on what it has; what was taken out of it comes back by itself.

    Raises `NotBroughtIn`.
    """
    if link:
        match = KEEPER_LINK.search(link)
        handed = find_link(match[1]) if match else None
        if handed is None:
            raise NotBroughtIn("That is not a scorekeeper link, or it no longer works.")
        sheet = handed.sheet
    else:
        kept = Sheet.objects.filter(code=code).first()
        was_here = Sheet.objects.filter(taken_out(visit.club), code=code).exists()
        if kept is None or not (was_here or visit.is_owner or scorekeeper_for(request, kept)):
            raise NotBroughtIn(
                "Only somebody who can enter scores on a sheet can bring it in. Use its scorekeeper link."
            )
        sheet = kept
    other = Table.objects.filter(sheet=sheet, withdrawn_at__isnull=True).select_related("night__club").first()
    if other is not None and other.night.club != visit.club:
        raise NotBroughtIn("That sheet is at a table of another club.")
    if Table.objects.filter(sheet=sheet, stage__abandoned_at__isnull=False).exists():
        raise NotBroughtIn(
            "That was a table of a play-off that was drawn again. You can undo that on the page of the play-off."
        )
    if other is not None and other.night.archived_at is not None:
        raise NotBroughtIn(f"That sheet is at {other} of {other.night}, which was archived: bring the night back.")
    return sheet


# Which night


def day_of(sheet: Sheet, club: Club) -> datetime.date:
    """The day it was played, where the club is; the day it was opened, where its file says a day nobody can mean."""
    on = sheet.played_on
    return on if on and FIRST_DAY <= on <= club.today() else timezone.localdate(sheet.opened_at, club.zone)


def nights_for(sheet: Sheet, club: Club) -> QuerySet[Night]:
    """The nights it may belong to: those of its day, and those around it."""
    day = day_of(sheet, club)
    near = (min(day, club.today()) - SOME_WEEKS, club.today())
    return club.nights.standing().filter(Q(on=day) | Q(on__range=near) | Q(begun_at__isnull=False, closed_at=None))


# Bringing in, and taking out


def bring_in(sheet: Sheet, night: Night | None, matches: Matches, *, by: Member | None) -> Table:
    """The sheet stands at a table of the night (None: a night of its own) from now on, and its results are those of
    the club's people. Once: where it stands at one already, that one is answered.
    """
    club = matches.club
    with transaction.atomic():
        sheet = Sheet.objects.select_for_update().get(pk=sheet.pk)
        standing = Table.objects.filter(sheet=sheet, withdrawn_at__isnull=True).select_related("night").first()
        if standing is not None:
            return standing
        night = night or night_of_its_own(sheet, club)
        know(club, matches.lines)
        table = stand_at(sheet, night)
        sheet.home, sheet.club_name = night.get_absolute_url(), sheet.club_name or club.name
        sheet.members_only = club.visibility == Club.Visibility.MEMBERS
        sheet.save(update_fields=["home", "club_name", "members_only"])
        forget_planned_play_off(night)
        say_stakes(night)
        cover_sheet(sheet, club)
        write_down(club, f"Brought a sheet into {night} as {table}.", by=by)
    return table


def night_of_its_own(sheet: Sheet, club: Club) -> Night:
    return Night.objects.create(
        club=club, on=day_of(sheet, club), begun_at=sheet.opened_at, closed_at=sheet.finished_at
    )


def stand_at(sheet: Sheet, night: Night) -> Table:
    """A table of the night for the sheet: the one it stood at before it was taken out or back, or another.

    Who had a chair there in another club has none here.
    """
    if night.begun_at is None:
        night.begun_at = timezone.now()
        night.save(update_fields=["begun_at"])
    number = free_numbers(night, 1)[0]
    changes = {
        "night": night, "number": number, "game": sheet.game, "withdrawn_at": None, "source": Table.Source.BROUGHT,
        "stage": None,
    }  # fmt: skip
    last = Table.objects.filter(sheet=sheet).exclude(night__club=night.club).select_related("night__club").first()
    if last is not None:
        # What it was to another club is gone from there before its table comes here.
        count_now(last.night.club, sheet)
    table, _ = Table.objects.update_or_create(sheet=sheet, defaults=changes)
    table.chairs.exclude(member__club=night.club).delete()
    return table


def take_out(table: Table, *, by: Member | None) -> bool:
    """The way back: the sheet belongs to no night any more and counts for nothing; whether it did until now.

    Who everybody is stays known, so that it can be brought in again with a tap.
    """
    with transaction.atomic():
        taken = Table.objects.filter(pk=table.pk, withdrawn_at__isnull=True).update(withdrawn_at=timezone.now())
        if not taken:
            return False
        table.refresh_from_db()
        night, club = table.night, table.night.club
        Night.objects.filter(pk=night.pk, trophies_table=table).forget_trophies()
        if table.sheet:
            name = "" if table.sheet.club_name == club.name else table.sheet.club_name
            Sheet.objects.filter(pk=table.sheet.pk).update(
                home="",
                stakes="",
                club_name=name,
                members_only=False,
                asks_since=None,
                last_opened=timezone.localdate(),
            )
            uncover_sheet(table.sheet, club)
        say_stakes(night)
        write_down(club, f"Took {table} out of {night}.", by=by)
    return True
