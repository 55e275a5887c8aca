"""Sheets without a club that nobody has opened for long: the owner may delete them. Nothing else ever does."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Subquery
from django.utils import timezone

from clubs.erasure.club import delete_sheets
from clubs.owner.backup_first import backup_first
from clubs.owner.deletion import plural
from clubs.owner.sheets import sheets_without_club
from scoresheets.models import Revision, Sheet
from scoresheets.models.sheet import SheetQuerySet

#: So many are listed at once: who deletes them finds the next.
MOST_LISTED = 100
A_YEAR = 365


@dataclass(frozen=True)
class Outcome:
    """How many sheets were deleted, those that were opened meanwhile and stay, and where the backup is, if any."""

    deleted: int
    kept: Sequence[Sheet]
    backup: Path | None


def forgotten_sheets() -> SheetQuerySet:
    """Sheets without a club that were neither opened nor written on for `SHEETS_FORGOTTEN_AFTER_DAYS`, oldest first.

    Each has the moment of its `last_write`. With 0 days there are none.
    """
    days = settings.SHEETS_FORGOTTEN_AFTER_DAYS
    moment = timezone.now() - datetime.timedelta(days=days)
    writes = Revision.objects.filter(sheet=OuterRef("pk"), version=OuterRef("version"))
    sheets = sheets_without_club().filter(opened_at__lt=moment).exclude(last_opened__gte=timezone.localdate(moment))
    sheets = sheets.exclude(Exists(writes.filter(at__gte=moment)))
    sheets = sheets.annotate(last_write=Subquery(writes.values("at")[:1])).order_by("opened_at", "pk")
    return sheets if days > 0 else sheets.none()


def last_day(sheet: Sheet) -> datetime.date:
    """The day on which a row of `forgotten_sheets` was opened or written on last."""
    moments = [sheet.opened_at, vars(sheet)["last_write"]]
    days = [sheet.last_opened, *(timezone.localdate(moment) for moment in moments if moment)]
    return max(day for day in days if day)


def for_how_long() -> str:
    """How long nobody has opened them, in words: “a year”, “90 days”."""
    years, rest = divmod(settings.SHEETS_FORGOTTEN_AFTER_DAYS, A_YEAR)
    if rest or not years:
        return f"{settings.SHEETS_FORGOTTEN_AFTER_DAYS} day{plural(settings.SHEETS_FORGOTTEN_AFTER_DAYS)}"
    return "a year" if years == 1 else f"{years} years"


def delete_forgotten(codes: Collection[str], *, has_backup: bool) -> Outcome:
    """Delete those of the sheets that are still forgotten, after a backup; `has_backup`: the owner has one.

    Raises `BackupProblem`: then nothing is gone. Where none is forgotten any more, no backup is made.
    """
    backup, deleted = None, 0
    if forgotten_sheets().filter(code__in=codes).exists():
        backup = backup_first(has_own=has_backup)
        deleted = delete_still_forgotten(codes)
    kept = Sheet.objects.filter(code__in=codes).order_by("opened_at").prefetch_related("seats")
    return Outcome(deleted, list(kept), backup)


@transaction.atomic
def delete_still_forgotten(codes: Collection[str]) -> int:
    """Delete them under their locks: who opens one just now waits. How many it were."""
    locked = list(Sheet.objects.select_for_update().filter(code__in=codes).values_list("pk", flat=True))
    return delete_sheets(list(forgotten_sheets().filter(pk__in=locked).values_list("pk", flat=True)))
