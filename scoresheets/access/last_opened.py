"""The day on which a sheet without a club was opened last: written once a day, so that reading pages does not write.

A sheet that nobody opened since the site notes it has no day: it counts from its last write.
"""

from __future__ import annotations

from django.conf import settings
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.utils import timezone

from scoresheets.models import Sheet

#: What pages ask by themselves while they lie open (names of URLs).
POLLS = frozenset({"state", "watch_rows", "watch_top"})


def note_opening(request: HttpRequest, sheet: Sheet) -> None:
    """Somebody opens a page of the sheet, or writes on it. Where nothing can be written, the day is not."""
    today = timezone.localdate()
    if sheet.home or (sheet.last_opened or timezone.localdate(sheet.opened_at)) >= today:
        return
    if is_poll(request) or is_of_owner(request):
        return
    try:
        with transaction.atomic():
            Sheet.objects.filter(pk=sheet.pk).update(last_opened=today)
    except DatabaseError:
        return
    sheet.last_opened = today


def is_poll(request: HttpRequest) -> bool:
    """Whether a page asks by itself."""
    match = request.resolver_match
    return match is not None and match.url_name in POLLS


def is_of_owner(request: HttpRequest) -> bool:
    """Whether the owner of the site looks, who decides whether the sheet is needed. No session, no question."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_superuser
