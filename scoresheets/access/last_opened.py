"""The day on which a sheet without a club was opened last: written once a day, so that reading pages does not write.

A sheet of an evening without a club was opened too where somebody looked at the evening.

A sheet that nobody opened since the site notes it has no day: it counts from its last write.
"""

from __future__ import annotations

import datetime

from django.conf import settings
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.utils import timezone

from scoresheets.models import Sheet
from scoresheets.models.sheet import SheetQuerySet

#: What pages ask by themselves while they lie open (names of URLs).
POLLS = frozenset({"state", "watch_rows", "watch_top"})


def note_opening(request: HttpRequest, sheet: Sheet) -> None:
    """Somebody opens a page of the sheet, or writes on it. Where nothing can be written, the day is not."""
    today = timezone.localdate()
    is_of_club = sheet.home and sheet.club_name
    if is_of_club or (sheet.last_opened or timezone.localdate(sheet.opened_at)) >= today:
        return
    if is_poll(request) or is_of_owner(request):
        return
    if has_noted(Sheet.objects.filter(pk=sheet.pk), today):
        sheet.last_opened = today


def note_evening(request: HttpRequest, sheets: SheetQuerySet) -> None:
    """Somebody opens a page of the evening to which the sheets belong. One query, two once a day."""
    today = timezone.localdate()
    sheets = sheets.filter(opened_at__date__lt=today).exclude(last_opened__gte=today)
    if not is_of_owner(request) and sheets.exists():
        has_noted(sheets, today)


def has_noted(sheets: SheetQuerySet, today: datetime.date) -> bool:
    """Whether the day could be written."""
    try:
        with transaction.atomic():
            sheets.update(last_opened=today)
    except DatabaseError:
        return False
    return True


def is_poll(request: HttpRequest) -> bool:
    """Whether a page asks by itself."""
    match = request.resolver_match
    return match is not None and match.url_name in POLLS


def is_of_owner(request: HttpRequest) -> bool:
    """Whether the owner of the site looks, who decides whether the sheet is needed. No session, no question."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_superuser
