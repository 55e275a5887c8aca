"""What an owner of the site changes in a club to which they do not belong: the activity log of the club says so."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.models import AuditEntry, Club

CHANGED = "The owner of the site made a change ({})."
#: The same page again within that time is the same change.
SAME_CHANGE = datetime.timedelta(hours=1)
#: Where a request has the club that an owner posts to.
POSTED_TO = "owner_posted_to"


def note_visit_of_owner(request: HttpRequest, club: Club) -> None:
    """The owner posts something to a page of the club: if that is answered with success, the club is told."""
    setattr(request, POSTED_TO, club)


def tell_clubs_of_changes(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Middleware: a line in the activity log for what an owner changed. No query for anybody else."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        club = getattr(request, POSTED_TO, None)
        if club is not None and response.status_code < 400 and request.resolver_match:
            tell(club, CHANGED.format((request.resolver_match.url_name or "").replace("_", " ")))
        return response

    return answer


def tell(club: Club, says: str) -> None:
    """Write the line, unless it was written just now."""
    if not AuditEntry.objects.filter(club=club, says=says, at__gt=timezone.now() - SAME_CHANGE).exists():
        write_down(club, says, by=None)
