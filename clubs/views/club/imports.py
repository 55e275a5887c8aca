"""Importing past results and holders from a spreadsheet. A preview shows them first."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.outdated import CLUB_HAS_CHANGED
from clubs.access.visit import Role, Visit, account_of, enter, require_account
from clubs.club.uploads import content_of, hand_in
from clubs.imports import holders, results
from clubs.imports.choices import choices_of, keep, picks_of, rows_of
from clubs.imports.plan import Book
from clubs.imports.samples import FORMS, KINDS, spreadsheet
from clubs.imports.spreadsheet import MOST_BYTES, NoLedger, Spreadsheet, packed, read_spreadsheet, unpacked
from clubs.imports.writing import begin
from clubs.models import Club, Upload
from clubs.site.middleware import takes_up_to

Kind = Upload.Kind
#: The file, and what a browser writes round it.
MOST_OF_A_POST = MOST_BYTES + 64 * 1024
MOST_SHOWN = 60
#: Names nobody knows, and games or holders, on a page; each of the two is turned by itself.
NAMES_ON_A_PAGE, LINES_ON_A_PAGE, TURNED = 20, 20, ("names", "lines")
#: In a club of more people each name offers those who are called alike, and any other is typed; of even more, without
#: a list of them all.
MOST_IN_A_LIST, MOST_PROPOSED = 60, 1000
NO_FILE = "Choose a spreadsheet first."
TOO_LARGE = f"The spreadsheet is larger than {MOST_BYTES // 1024 // 1024} MB: that is more than results."
WAIT = "Another file is being imported for the club. Wait until it is done, then look again."


@never_cache
@takes_up_to(MOST_OF_A_POST)
@require_http_methods(["GET", "HEAD", "POST"])
def import_past(request: HttpRequest, slug: str) -> HttpResponseBase:
    """GET: which spreadsheet? POST: it is kept until its bearer has seen how it is read."""
    visit = enter(request, slug, Role.ORGANISER)
    user = require_account(request)
    if request.method != "POST":
        return past_page(request, visit)
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        return past_page(request, visit, [NO_FILE], status=422)
    if (file.size or 0) > MOST_BYTES:
        return past_page(request, visit, [TOO_LARGE], status=413)
    try:
        sheet = read_spreadsheet(file.read())
        book = read_book(sheet, visit.club)
        wrong = book.wrong
    except NoLedger as problem:
        wrong = [str(problem)]
    if wrong:
        return past_page(request, visit, wrong, status=422)
    upload = hand_in(book.kind, file, by=user, club=visit.club, content=packed(sheet))
    return HttpResponseRedirect(reverse("past_upload", args=[slug, upload.pk]), status=303)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def past_upload(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """GET: how the lines are read, and who somebody unknown may be. POST: choices are kept, and a page is turned; the
    file is written down, or thrown away. While it is written the page says how far that is.
    """
    visit = enter(request, slug, Role.ORGANISER)
    upload = Upload.objects.filter(
        pk=pk, by=account_of(request), club=visit.club, kind__in=(Kind.RESULTS, Kind.HOLDERS)
    ).first()
    if upload is None:
        raise Http404
    if upload.confirmed_at is not None:
        return TemplateResponse(request, "clubs/past_written.html", page_of(visit) | {"upload": upload})
    if request.POST.get("do") == "away":
        upload.delete()
        return HttpResponseRedirect(reverse("import_past", args=[slug]), status=303)
    looked = Looked(request, visit, upload, read_book(unpacked(content_of(upload)), visit.club))
    return looked.answer() if request.method == "POST" else looked.page()


class Looked:
    """A file somebody looks at before it is written: its book, and the names in it that nobody knew."""

    def __init__(self, request: HttpRequest, visit: Visit, upload: Upload, book: Book) -> None:
        self.request, self.visit, self.upload, self.book = request, visit, upload, book
        self.choices = choices_of(book.people, request.POST)
        self.picks = picks_of(upload, visit.club)

    def answer(self) -> HttpResponse:
        """To a post: what was chosen is kept first."""
        if self.request.POST.get("saw") != self.book.mark:
            return self.page(problem=CLUB_HAS_CHANGED.format("would be written"), status=409)
        keep(self.upload, self.choices)
        self.picks = picks_of(self.upload, self.visit.club)
        if any(choice.problem for choice in self.choices):
            return self.page(status=422)
        if turned := self.turned():
            return HttpResponseRedirect(f"{self.request.path}?{urlencode(turned)}", status=303)
        if self.wrong:
            return self.page(status=422)
        if self.visit.club.uploads.being_written().exists():
            return self.page(problem=WAIT, status=409)
        begin(self.upload, self.book, self.picks, by=self.visit.member)
        return HttpResponseRedirect(self.request.path, status=303)

    @property
    def wrong(self) -> list[str]:
        return self.book.wrong or self.book.clash(self.picks)

    def turned(self) -> dict[str, str]:
        """The pages that are shown next, where a button turned one of them."""
        what, _, number = self.request.POST.get("do", "").partition("-")
        if what not in TURNED or not number:
            return {}
        return {name: self.request.POST.get(name, "1")[:6] for name in TURNED} | {what: number[:6]}

    def page(self, *, problem: str = "", status: int = 0) -> HttpResponse:
        """How the file is read, with a page of the names and one of the games or holders."""
        club, wrong = self.visit.club, self.wrong
        everybody = club.members.people()
        people = sorted(everybody, key=lambda member: member.called.casefold())
        is_large = len(people) > MOST_IN_A_LIST
        names = Paginator(self.choices, NAMES_ON_A_PAGE).get_page(self.number_of("names"))
        lines = Paginator(self.book.shown, LINES_ON_A_PAGE).get_page(self.number_of("lines"))
        unknown = list(rows_of(list(names), self.book.people, self.picks, [] if is_large else people))
        context = page_of(self.visit) | {
            "upload": self.upload, "to": self.request.path, "book": self.book, "problem": problem,
            "wrong": wrong[:MOST_SHOWN], "more": max(len(wrong) - MOST_SHOWN, 0), "unknown": unknown, "names": names,
            "lines": lines, "members": people if len(people) <= MOST_PROPOSED else [], "types": is_large,
        }  # fmt: skip
        return TemplateResponse(
            self.request, "clubs/imports/preview.html", context, status=status or (422 if wrong else 200)
        )

    def number_of(self, what: str) -> str:
        """Which page of the names, games or holders is shown."""
        return (self.request.POST or self.request.GET).get(what, "1")


@never_cache
@require_safe
def past_sample(request: HttpRequest, slug: str, sample: str, ending: str) -> HttpResponse:
    """A spreadsheet to fill in."""
    enter(request, slug, Role.ORGANISER)
    if sample not in FORMS or ending not in KINDS:
        raise Http404
    response = HttpResponse(spreadsheet(sample, ending), content_type=KINDS[ending])
    response["Content-Disposition"] = f'attachment; filename="{sample}.{ending}"'
    return response


def read_book(sheet: Spreadsheet, club: Club) -> Book:
    """What the spreadsheet says: of holders, where it has a column of trophies."""
    return holders.read_holders(sheet, club) if "trophy" in sheet.heads else results.read_results(sheet, club)


def page_of(visit: Visit) -> dict[str, object]:
    return {"visit": visit, "club": visit.club, "here": "organise"}


def past_page(request: HttpRequest, visit: Visit, wrong: list[str] | None = None, *, status: int = 200) -> HttpResponse:
    more = max(len(wrong or ()) - MOST_SHOWN, 0)
    uploads = visit.club.uploads.filter(by=account_of(request), taken_at__isnull=True).exclude(kind=Kind.CLUB)
    context = page_of(visit) | {
        "wrong": (wrong or [])[:MOST_SHOWN], "more": more, "uploads": uploads.defer("content"),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/imports/import.html", context, status=status)
