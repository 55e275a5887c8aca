"""The scorekeepers and share links of a sheet, as the page of links lists them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.db.models import Count, Max, Q
from django.utils import timezone

from scoresheets.access.scorekeepers import active_scorekeeper
from scoresheets.models import Revision, Scorekeeper, ShareLink, Sheet

#: Who did nothing else has not written yet.
NOT_WRITING = (Revision.Verb.OPEN, Revision.Verb.CALL, Revision.Verb.TAKE_OVER)


@dataclass(frozen=True)
class Phone:
    """A scorekeeper for the page: `is_mine` is who reads it; `may_go` whether they can cut this one off."""

    pk: int
    name: str
    since: datetime.datetime
    last_wrote: datetime.datetime | None
    opened: bool
    is_mine: bool
    is_active: bool
    may_go: bool

    @property
    def called(self) -> str:
        return self.name or "No name"


def phones_of(sheet: Sheet, keeper: Scorekeeper) -> list[Phone]:
    """Everybody who may write on the sheet, who reads the page first. Two queries."""
    held = active_scorekeeper(sheet)
    last_wrote = Max("revisions__at", filter=~Q(revisions__verb__in=NOT_WRITING))
    rows = sheet.scorekeepers.filter(revoked_at__isnull=True).annotate(last_wrote=last_wrote).order_by("pk")
    phones = [
        Phone(
            pk=row.pk,
            name=row.name,
            since=row.created,
            last_wrote=row.last_wrote,
            opened=row.link_id is None and row.browser != "",
            is_mine=row.pk == keeper.pk,
            is_active=held is not None and held.pk == row.pk,
            # An account writes because the club says so: that right is the club's to take away.
            may_go=row.pk != keeper.pk and row.browser != "",
        )
        for row in rows
    ]
    return sorted(phones, key=lambda phone: not phone.is_mine)


def links_of(sheet: Sheet) -> list[ShareLink]:
    """The keeper links that still open the sheet, with `came`, how many phones came by each that still may write."""
    now = timezone.now()
    good = ShareLink.objects.filter(sheet=sheet, revoked_at__isnull=True).filter(Q(expires=None) | Q(expires__gt=now))
    came = Count("scorekeepers", filter=Q(scorekeepers__revoked_at__isnull=True))
    return list(good.select_related("made_by").annotate(came=came).order_by("pk"))
