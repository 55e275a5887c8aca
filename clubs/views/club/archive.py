"""Exporting and importing a club file. A preview shows the changes first."""

from __future__ import annotations

import re

from allauth.core import ratelimit
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.outdated import NotNow
from clubs.access.visit import Role, Visit, account_of, enter, require_account
from clubs.archive.background import State, ask_for, file_of, path_of
from clubs.archive.parse import MOST_BYTES, NotTaken, unpacked
from clubs.archive_import.apply import bring, bring_new, organisers_of
from clubs.archive_import.changes import Differences
from clubs.archive_import.conflicts import WHAT_TO_DO
from clubs.archive_import.diff import differences
from clubs.archive_import.diff_text import MOST_LINES, changed_lines, kept_lines, new_headings
from clubs.club.founding import NO_CODE, hash_of, is_good, use_up
from clubs.club.organiser_codes import organiser_code
from clubs.club.uploads import content_of, hand_in, taken
from clubs.members.roles import who_organise
from clubs.models import Club, Upload, User
from clubs.site.error_views import too_often
from clubs.site.middleware import takes_up_to
from rules.core.problems import Problem
from scoresheets.log.text import clean_name

Kind = Upload.Kind

#: The file, and what a browser writes round it.
MOST_OF_A_POST = MOST_BYTES + 64 * 1024
NO_FILE = "Choose a club file first."
TOO_LARGE = f"The file is larger than {MOST_BYTES // 1024 // 1024} MB. The person who runs the site can import it."
ANOTHER_CLUB = "This is the file of another club. Each club imports its own."
#: Each takes a twentieth of a second, in which nobody else writes; a page has thirty seconds in all.
MOST_SHEETS = 300
TOO_MANY = (
    f"This file has more than the {MOST_SHEETS} new sheets that a page can import at once. "
    "The person who runs the site can import any number: manage.py club import."
)
IS_HERE = "That club is on this site already. Its organisers can import the file, under Organise."
SPEAKERS = {"file": True, "club": False}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def export_club(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: what the file of the club has in it, how far it is, and the way to it. POST: let it be made."""
    visit = enter(request, slug, Role.ORGANISER)
    if request.method == "POST":
        ask_for(visit.club)
        return HttpResponseRedirect(reverse("export_club", args=[slug]) + "#file", status=303)
    export = file_of(visit.club)
    context = page_of(visit) | {"export": export}
    if export and export.state == State.READY:
        context["size"] = path_of(export).stat().st_size
    return TemplateResponse(request, "clubs/archive/export.html", context)


@never_cache
@require_safe
def club_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole club in one file, as it was made; the page on which it can be made, where there is none."""
    visit = enter(request, slug, Role.ORGANISER)
    club, export = visit.club, file_of(visit.club)
    if export is None or export.state != State.READY:
        return HttpResponseRedirect(reverse("export_club", args=[slug]), status=303)
    response = HttpResponse(path_of(export).read_bytes(), content_type="application/gzip")
    name = re.sub(r"[^a-z0-9_-]", "", club.slug) or "club"
    day = timezone.localtime(export.seen_at, club.zone).date()
    response["Content-Disposition"] = f'attachment; filename="{name}-{day.isoformat()}.club.gz"'
    response["Cache-Control"] = "private, no-store"
    # It is pressed together already, and nobody does so again.
    response["Content-Encoding"] = "identity"
    return response


@never_cache
@takes_up_to(MOST_OF_A_POST)
@require_http_methods(["GET", "HEAD", "POST"])
def import_club(request: HttpRequest, slug: str) -> HttpResponseBase:
    """GET: which file? POST: it is kept until its bearer has seen what it would change."""
    visit = enter(request, slug, Role.ORGANISER)
    user = require_account(request)
    if request.method != "POST":
        return import_page(request, visit)
    file = request.FILES.get("file")
    wrong = problems_of(file)
    if wrong or not isinstance(file, UploadedFile):
        return import_page(request, visit, wrong, status=413 if wrong == [TOO_LARGE] else 422)
    upload = hand_in(Kind.CLUB, file, by=user, club=visit.club)
    try:
        opened(upload)
    except NotTaken as problem:
        upload.delete()
        return import_page(request, visit, list(problem.sentences), status=422)
    return HttpResponseRedirect(reverse("club_upload", args=[slug, upload.pk]), status=303)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def club_upload(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """GET: what the file would change, where `?speaks=` says who is right. POST: take it in, or throw it away."""
    visit = enter(request, slug, Role.ORGANISER)
    upload = upload_of(request, pk, visit.club)
    page = page_of(visit) | {"to": request.path}
    if upload.taken_at is not None:
        return TemplateResponse(request, "clubs/archive/preview.html", page | {"upload": upload})
    if request.POST.get("do") == "away":
        upload.delete()
        return HttpResponseRedirect(reverse("import_club", args=[slug]), status=303)
    speaks = SPEAKERS.get((request.POST or request.GET).get("speaks", ""))
    try:
        document = unpacked(content_of(upload))
        if request.method == "POST" and request.POST.get("saw"):
            bring(document, visit.club, by=visit.member, file_speaks=speaks, saw=request.POST["saw"])
            taken(upload)
            return HttpResponseRedirect(request.path, status=303)
        changes = few_enough(differences(document, visit.club, file_speaks=speaks))
        return TemplateResponse(request, "clubs/archive/preview.html", page | preview_context(changes, upload))
    except NotNow as outdated:
        changes = differences(document, visit.club, file_speaks=speaks)
        page |= preview_context(changes, upload) | {"problem": str(outdated)}
        return TemplateResponse(request, "clubs/archive/preview.html", page, status=409)
    except NotTaken as problem:
        page |= {"upload": upload, "wrong": problem.sentences}
        return TemplateResponse(request, "clubs/archive/preview.html", page, status=422)


@never_cache
@takes_up_to(MOST_OF_A_POST)
@require_http_methods(["GET", "HEAD", "POST"])
def bring_club(request: HttpRequest) -> HttpResponseBase:
    """GET: which file, and the founding code; the site's owner needs none. POST: it is kept until its bearer has seen
    what is in it. Nothing is used up yet.
    """
    user = require_account(request)
    if request.method != "POST":
        return bringing_page(request, user, code=request.GET.get("code", "")[:60])
    if not ratelimit.consume(request, action="found_club", dry_run=True):
        return too_often(request)
    code = request.POST.get("code", "")[:60]
    if not user.is_superuser and not is_good(code):
        ratelimit.consume(request, action="found_club")
        return bringing_page(request, user, code=code, code_problem=NO_CODE, status=422)
    file = request.FILES.get("file")
    wrong = problems_of(file)
    if wrong or not isinstance(file, UploadedFile):
        return bringing_page(request, user, wrong, code=code, status=413 if wrong == [TOO_LARGE] else 422)
    upload = hand_in(Kind.CLUB, file, by=user, club=None, code_hash="" if user.is_superuser else hash_of(code))
    try:
        if here := nobody_organises(upload):
            return to_organiser(upload, here, code)
        opened(upload)
    except NotTaken as problem:
        upload.delete()
        return bringing_page(request, user, list(problem.sentences), code=code, status=422)
    return HttpResponseRedirect(reverse("new_club_upload", args=[upload.pk]), status=303)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_club_upload(request: HttpRequest, pk: int) -> HttpResponseBase:
    """GET: what is in the file of a club that is new here. POST: it is here, with its bearer as an organiser."""
    user = require_account(request)
    upload = upload_of(request, pk, None)
    if upload.taken_at is not None:
        return HttpResponseRedirect(reverse("clubs"), status=303)
    if request.POST.get("do") == "away":
        upload.delete()
        return HttpResponseRedirect(reverse("bring_club"), status=303)
    me, called = request.POST.get("me", ""), request.POST.get("called", "")[:200]
    page: dict[str, object] = {"to": request.path, "me": me, "called": called}
    try:
        document = unpacked(content_of(upload))
        page["people"] = [(row["uid"], row["name"], row["role"]) for row in organisers_of(document)]
        if request.method == "POST" and request.POST.get("saw"):
            name = "" if me else clean_name(called, field="called")
            if isinstance(name, Problem):
                page |= preview_context(differences(document, None), upload) | {"called_problem": name.message}
                return TemplateResponse(request, "clubs/archive/preview_new.html", page, status=422)
            more = {"code_hash": upload.code_hash, "saw": request.POST["saw"]}
            club = bring_new(document, user=user, me=me, called=name, **more)
            taken(upload)
            return HttpResponseRedirect(reverse("organise", args=[club.slug]), status=303)
        page |= preview_context(differences(document, None), upload)
        return TemplateResponse(request, "clubs/archive/preview_new.html", page)
    except NotNow as outdated:
        page |= preview_context(differences(document, None), upload) | {"problem": str(outdated)}
        return TemplateResponse(request, "clubs/archive/preview_new.html", page, status=409)
    except NotTaken as problem:
        page |= {"upload": upload, "wrong": problem.sentences}
        return TemplateResponse(request, "clubs/archive/preview_new.html", page, status=422)


# What the pages say


def page_of(visit: Visit) -> dict[str, object]:
    return {"visit": visit, "club": visit.club, "here": "organise"}


def import_page(
    request: HttpRequest, visit: Visit, wrong: list[str] | None = None, *, status: int = 200
) -> HttpResponse:
    return TemplateResponse(request, "clubs/archive/import.html", page_of(visit) | {"wrong": wrong}, status=status)


def bringing_page(
    request: HttpRequest, user: User, wrong: list[str] | None = None, *, code: str, code_problem: str = "",
    status: int = 200,
) -> HttpResponse:  # fmt: skip
    context = {"wrong": wrong, "code": code, "code_problem": code_problem, "needs_code": not user.is_superuser}
    return TemplateResponse(request, "clubs/archive/upload.html", context, status=status)


def preview_context(changes: Differences, upload: Upload) -> dict[str, object]:
    """The differences, for a page."""
    wrong, more = changes.conflicts[:MOST_LINES], max(0, len(changes.conflicts) - MOST_LINES)
    return {
        "upload": upload, "differences": changes, "comes_in": new_headings(changes), "changes": changed_lines(changes),
        "stays": kept_lines(changes),
        "wrong": wrong, "more": more, "what_to_do": WHAT_TO_DO,
        "differ": bool(changes.held) or any(up.noun.key for up in changes.updates),
        "speaks": "file" if changes.file_speaks else "club", "name": changes.document["club"]["name"],
    }  # fmt: skip


def problems_of(file: object) -> list[str]:
    """Why that is no file to look into."""
    if not isinstance(file, UploadedFile):
        return [NO_FILE]
    return [TOO_LARGE] if (file.size or 0) > MOST_BYTES else []


def opened(upload: Upload) -> Differences:
    """What its file would change. Raises `NotTaken`, also for the file of another club."""
    document = unpacked(content_of(upload))
    if upload.club and document["club"]["uid"] != upload.club.uid:
        raise NotTaken(ANOTHER_CLUB)
    if upload.club is None and Club.objects.filter(uid=document["club"]["uid"]).exists():
        raise NotTaken(IS_HERE)
    return few_enough(differences(document, upload.club, names_others=upload.by.is_superuser))


def nobody_organises(upload: Upload) -> Club | None:
    """The club of the file where it is here already and has no organiser. Raises `NotTaken`."""
    club = Club.objects.filter(uid=unpacked(content_of(upload))["club"]["uid"]).first()
    return club if club and not who_organise(club) else None


def to_organiser(upload: Upload, club: Club, code: str) -> HttpResponseRedirect:
    """The founding code becomes one for an organiser of the club, and leads to the page where it is used.

    Whoever has both a founding code and the club's file may run the club: the file gave everything away already.
    """
    with transaction.atomic():
        if upload.code_hash and not use_up(hash_of(code)):
            raise NotTaken(NO_CODE)
        _, path = organiser_code(club)
        upload.delete()
    return HttpResponseRedirect(path, status=303)


def few_enough(changes: Differences) -> Differences:
    """Raises `NotTaken` where it would take longer than a page may take."""
    if len(changes.sheets) > MOST_SHEETS:
        raise NotTaken(TOO_MANY)
    return changes


def upload_of(request: HttpRequest, pk: int, club: Club | None) -> Upload:
    """The upload, for who brought it and nobody else."""
    upload = Upload.objects.filter(pk=pk, by=account_of(request), club=club, kind=Kind.CLUB).first()
    if upload is None:
        raise Http404
    return upload
