"""The sheets of the site, for its owner: a list of those without a club, and a search for all."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_tables2 import RequestConfig

from clubs.access.visit import require_owner
from clubs.owner.backup_first import BACKED_UP, about_backup, status_of
from clubs.owner.closing import CLOSED, OF_A_SHEET, press
from clubs.owner.deletion import play_off_with
from clubs.owner.forgotten import for_how_long, forgotten_evenings, forgotten_sheets
from clubs.owner.sheets import find_sheets, names_on, sheets_without_club, table_of
from clubs.owner.tables import A_PAGE, SheetTable, title_of
from clubs.site.backups import BackupProblem
from scoresheets.access.scorekeepers import REFERRER_POLICY
from scoresheets.access.throttle import NoSuchSheet
from scoresheets.models import Sheet
from scoresheets.models.sheet import is_token

#: A link may be long.
LONGEST_TEXT = 300


@never_cache
@require_safe
def owner_sheets(request: HttpRequest) -> HttpResponse:
    """The sheets without a club, and how many of them nobody has opened for long; with `?text=` those it finds."""
    require_owner(request)
    text = request.GET.get("text", "").strip()[:LONGEST_TEXT]
    sheets = find_sheets(text) if text else sheets_without_club()
    table = SheetTable(sheets.select_related("table__night__club").prefetch_related("seats"))
    RequestConfig(request, paginate={"per_page": A_PAGE}).configure(table)
    context: dict[str, object] = {"table": table, "text": text, "how_long": for_how_long()}
    if not text:
        context |= {"forgotten": forgotten_sheets().count(), "forgotten_evenings": forgotten_evenings().count()}
    response = TemplateResponse(request, "clubs/owner/sheets.html", context)
    # What is searched for may be a scorekeeper link.
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def owner_sheet(request: HttpRequest, code: str) -> HttpResponse:
    """GET: a sheet, of a club or of none. POST: close it, or open it again, as the button `do` says."""
    require_owner(request)
    sheet = Sheet.objects.filter(code=code if is_token(code) else "").prefetch_related("seats").first()
    if sheet is None:
        raise NoSuchSheet
    problem: BackupProblem | None = None
    if request.method == "POST":
        try:
            press(OF_A_SHEET, request.POST.get("do", ""), sheet, has_backup=bool(request.POST.get(BACKED_UP)))
            return HttpResponseRedirect(request.path, status=303)
        except BackupProblem as no_backup:
            problem = no_backup
    table = table_of(sheet)
    context = {"sheet": sheet, "title": title_of(sheet), "names": names_on(sheet), "table": table}
    context |= {"may_open": sheet.closed == CLOSED, "play_off": play_off_with(table)} | about_backup(problem)
    return TemplateResponse(request, "clubs/owner/sheet.html", context, status=status_of(problem))
