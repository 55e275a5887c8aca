"""The calendar of a club."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clubs.access.visit import is_shown, visit_to
from clubs.models import Club
from clubs.nights.calendar import calendar_of


@require_safe
def calendar(request: HttpRequest, key: str) -> HttpResponse:
    """The nights, for whoever has the address: a calendar comes without a cookie and without an account.

    The address of a members' club shows nothing but to its members, who are signed in where they load it.
    """
    club = get_object_or_404(Club.objects.open(), calendar_key=key)
    if club.visibility == Club.Visibility.MEMBERS and not is_shown(request, visit_to(request, club)):
        raise Http404
    told = calendar_of(club, lambda night: request.build_absolute_uri(night.get_absolute_url()))
    response = HttpResponse(told, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    response["Cache-Control"] = "private, max-age=900"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
