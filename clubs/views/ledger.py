"""Results and holders of the past, out of a spreadsheet: what the lines mean is shown before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.doorman import takes_up_to
from clubs.doors import Role, SignInFirst, account_of, enter
from clubs.ledger import holders, results
from clubs.ledger.reading import MOST_BYTES, NoLedger, read_sheet
from clubs.ledger.samples import FORMS, KINDS, spreadsheet
from clubs.models import Parcel
from clubs.parcels import content_of, hand_in, taken

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from clubs.doors import Visit
    from clubs.ledger.holders import Holders
    from clubs.ledger.results import Results
    from clubs.models import Club, Member

    Book = Results | Holders

Kind = Parcel.Kind
#: The file, and what a browser writes round it.
MOST_OF_A_POST = MOST_BYTES + 64 * 1024
MOST_SHOWN = 60
#: Names nobody knows, each with everybody to choose from, on a page; and what the button says that turns it.
NAMES_ON_A_PAGE, TURN = 20, "names-"
NO_FILE = "Choose a spreadsheet first."
TOO_LARGE = f"The spreadsheet is larger than {MOST_BYTES // 1024 // 1024} MB: that is more than results."
CHANGED = "Something has changed in the club since you looked. Look again at what would be written."


@never_cache
@takes_up_to(MOST_OF_A_POST)
@require_http_methods(["GET", "HEAD", "POST"])
def import_past(request: HttpRequest, slug: str) -> HttpResponseBase:
    """GET: which spreadsheet? POST: it is kept until its bearer has seen how it is read."""
    visit = enter(request, slug, Role.ORGANISER)
    user = account_of(request)
    if user is None:
        raise SignInFirst
    if request.method != "POST":
        return past_page(request, visit)
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        return past_page(request, visit, [NO_FILE], status=422)
    if (file.size or 0) > MOST_BYTES:
        return past_page(request, visit, [TOO_LARGE], status=413)
    try:
        content = file.read()
        file.seek(0)
        book = read_book(content, visit.club)
        wrong = book.wrong
    except NoLedger as problem:
        wrong = [str(problem)]
    if wrong:
        return past_page(request, visit, wrong, status=422)
    parcel = hand_in(book.kind, file, by=user, club=visit.club)
    return HttpResponseRedirect(reverse("past_parcel", args=[slug, parcel.pk]), status=303)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def past_parcel(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """GET: how the lines are read, and who somebody unknown may be. POST: they are written down, or thrown away."""
    visit = enter(request, slug, Role.ORGANISER)
    parcel = Parcel.objects.filter(
        pk=pk, by=account_of(request), club=visit.club, kind__in=(Kind.RESULTS, Kind.HOLDERS)
    ).first()
    if parcel is None:
        raise Http404
    page = page_of(visit) | {"parcel": parcel, "to": request.path}
    if parcel.taken_at is not None:
        return TemplateResponse(request, "clubs/past_parcel.html", page)
    if request.POST.get("do") == "away":
        parcel.delete()
        return HttpResponseRedirect(reverse("import_past", args=[slug]), status=303)
    book = read_book(content_of(parcel), visit.club)
    picks = picks_of(request, book, visit.club)
    names = names_of(request, book, picks)
    page |= {"book": book, "people": everybody(visit.club), **names}
    wrong = book.wrong or book.clash(picks)
    turns = request.POST.get("do", "").startswith(TURN)
    if request.method != "POST" or wrong or turns:
        status = 422 if wrong else 200
        return TemplateResponse(request, "clubs/past_parcel.html", page | {"wrong": wrong}, status=status)
    if request.POST.get("seen") != book.digest:
        return TemplateResponse(request, "clubs/past_parcel.html", page | {"problem": CHANGED}, status=409)
    write(book, picks, parcel, by=visit.member)
    return HttpResponseRedirect(request.path, status=303)


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


def read_book(content: bytes, club: Club) -> Book:
    """What the spreadsheet says: of holders, where it has a column of trophies. Raises `NoLedger`."""
    sheet = read_sheet(content)
    return holders.read_holders(sheet, club) if "trophy" in sheet.heads else results.read_results(sheet, club)


def write(book: Book, picks: dict[str, Member], parcel: Parcel, *, by: Member | None) -> None:
    """Write it down; the file is kept until all of it stands there."""
    if isinstance(book, results.Results):
        results.write(book, picks=picks, by=by, done=lambda: taken(parcel))
        return
    with transaction.atomic():
        if taken(parcel):
            holders.write(book, picks=picks, by=by)


def picks_of(request: HttpRequest, book: Book, club: Club) -> dict[str, Member]:
    """Who somebody unknown is, as it was said on the page: by their key."""
    said = {one.key: request.POST.get(f"who-{place}", "") for place, one in enumerate(book.people.unknown, 1)}
    pks = [int(pk) for pk in said.values() if pk.isascii() and pk.isdecimal() and len(pk) < 10]
    members = {str(member.pk): member for member in club.members.people().filter(pk__in=pks)}
    return {key: members[pk] for key, pk in said.items() if pk in members}


def names_of(request: HttpRequest, book: Book, picks: dict[str, Member]) -> dict[str, object]:
    """A page of those nobody knows, with whose names look alike, and who was picked.

    What was chosen on the other pages goes along in the form (`chosen`), so that nothing is lost by turning.
    """
    unknown = list(enumerate(book.people.unknown, 1))
    pages = Paginator(unknown, NAMES_ON_A_PAGE)
    posted = request.POST
    page = pages.get_page(posted.get("do", "").removeprefix(TURN) or posted.get("names"))
    shown = {place for place, _ in page}
    chosen = [(place, picks[one.key].pk) for place, one in unknown if one.key in picks and place not in shown]
    rows = [
        {"place": place, "name": one.name, "alike": book.people.alike(one), "picked": picks.get(one.key)}
        for place, one in page
    ]
    return {"unknown": rows, "names": page, "chosen": chosen}


def everybody(club: Club) -> list[Member]:
    """Everybody who ever belonged to the club, by name."""
    return sorted(club.members.people(), key=lambda member: member.called.casefold())


def page_of(visit: Visit) -> dict[str, object]:
    return {"visit": visit, "club": visit.club, "here": "organise"}


def past_page(request: HttpRequest, visit: Visit, wrong: list[str] | None = None, *, status: int = 200) -> HttpResponse:
    more = max(len(wrong or ()) - MOST_SHOWN, 0)
    context = page_of(visit) | {"wrong": (wrong or [])[:MOST_SHOWN], "more": more}
    return TemplateResponse(request, "clubs/import_past.html", context, status=status)
