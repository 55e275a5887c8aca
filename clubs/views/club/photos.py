"""Photos of nights and of handovers: their pages and pictures, adding and deleting."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import A_YEAR, Role, Visit, enter
from clubs.models import Award, Photo
from clubs.photos.photos import add_photo, delete_photo, may_delete, subject_of
from clubs.photos.pictures import MOST_BYTES
from clubs.site.middleware import takes_up_to
from clubs.views.nights.night import night_of, night_page
from clubs.views.records.trophies import page_of, trophy_of
from rules.core.problems import Problem
from scoresheets.models.sheet import is_token

#: The photo, and the rest of what is sent with it.
MOST_OF_A_POST = MOST_BYTES + 64 * 1024


@takes_up_to(MOST_OF_A_POST)
@require_POST
def add_night_photo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A member adds a photo of a night that has begun."""
    visit = enter(request, slug, Role.MEMBER)
    night = night_of(visit, pk)
    if night.begun_at is None:
        raise Http404
    added = add_photo(night, request.FILES.get("photo"), request.POST.get("caption", ""), visit=visit)
    if isinstance(added, Problem):
        return night_page(request, visit, pk, wrong=added.message, status=422)
    return HttpResponseRedirect(f"{night.get_absolute_url()}#photos", status=303)


@takes_up_to(MOST_OF_A_POST)
@require_POST
def add_handover_photo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """An organiser adds the photo of a handover."""
    visit = enter(request, slug, Role.ORGANISER)
    awards = Award.objects.standing().filter(trophy__club=visit.club, handed_at__isnull=False)
    award = get_object_or_404(awards.select_related("trophy"), pk=pk)
    added = add_photo(award, request.FILES.get("photo"), request.POST.get("caption", ""), visit=visit)
    if isinstance(added, Problem):
        return page_of(request, visit, trophy_of(visit, award.trophy_id), problem=added.message, status=422)
    return HttpResponseRedirect(f"{reverse('trophy', args=[slug, award.trophy_id])}#photo", status=303)


@require_safe
@vary_on_cookie
def photo(request: HttpRequest, slug: str, key: str) -> TemplateResponse:
    """One photo as large as the window, with those before and after it."""
    visit = enter(request, slug)
    shown = photo_of(visit, key)
    beside = list(shown.night.photos.order_by("pk").values_list("key", flat=True)) if shown.night else [key]
    at = beside.index(key)
    context = {
        "visit": visit, "club": visit.club, "here": "nights" if shown.night else "trophies", "photo": shown,
        "subject": subject_of(shown), "number": at + 1, "count": len(beside),
        "before": beside[at - 1] if at else "", "after": beside[at + 1] if at + 1 < len(beside) else "",
        "may_delete": may_delete(shown, visit), "home": home_of(shown),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/photos/photo.html", context)


@require_safe
def photo_picture(request: HttpRequest, slug: str, key: str, size: str) -> HttpResponse:
    """The picture of a photo, large or small. It never changes."""
    visit = enter(request, slug)
    if size not in ("large", "small"):
        raise Http404
    shown = photo_of(visit, key, size)
    response = HttpResponse(bytes(getattr(shown, size)), content_type="image/webp")
    response["Cache-Control"] = f"private, max-age={A_YEAR}, immutable"
    return response


@require_POST
def remove_photo(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """It is deleted by whoever added it, or by an organiser."""
    visit = enter(request, slug, Role.MEMBER)
    shown = photo_of(visit, key)
    if not may_delete(shown, visit):
        raise PermissionDenied
    delete_photo(shown, visit=visit)
    return HttpResponseRedirect(home_of(shown), status=303)


def photo_of(visit: Visit, key: str, size: str = "") -> Photo:
    """A photo of this club whose night or trophy can be seen; with one picture, or none. Raises `Http404`."""
    photos = visit.club.photos.without_pictures().select_related("night", "award__trophy")
    photos = photos.filter(night__archived_at__isnull=True, award__set_aside_at__isnull=True)
    if size:
        photos = photos.defer(None).defer("small" if size == "large" else "large")
    # PostgreSQL takes no text with a NUL in it.
    shown = get_object_or_404(photos, key=key if is_token(key) else "")
    for part in (shown, shown.night, shown.award and shown.award.trophy):
        if part:
            part.club = visit.club
    return shown


def home_of(shown: Photo) -> str:
    """The page on which it is seen with the others."""
    if shown.night:
        return f"{shown.night.get_absolute_url()}#photos"
    return f"{shown.award.trophy.get_absolute_url()}#photo" if shown.award else shown.club.get_absolute_url()
