"""The sheets of the site that belong to no club, for its owner."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from clubs.access.visit import require_owner
from clubs.owner.sheets import names_on, sheets_without_club, table_of
from clubs.owner.tables import A_PAGE, SheetTable, title_of
from scoresheets.access.throttle import NoSuchSheet
from scoresheets.models import Sheet


@never_cache
@require_safe
def owner_sheets(request: HttpRequest) -> HttpResponse:
    """The sheets without a club."""
    require_owner(request)
    table = SheetTable(sheets_without_club().prefetch_related("seats"))
    RequestConfig(request, paginate={"per_page": A_PAGE}).configure(table)
    return TemplateResponse(request, "clubs/owner/sheets.html", {"table": table})


@never_cache
@require_safe
def owner_sheet(request: HttpRequest, code: str) -> HttpResponse:
    """A sheet, of a club or of none."""
    require_owner(request)
    sheet = Sheet.objects.filter(code=code).prefetch_related("seats").first()
    if sheet is None:
        raise NoSuchSheet
    context = {"sheet": sheet, "title": title_of(sheet), "names": names_on(sheet), "table": table_of(sheet)}
    return TemplateResponse(request, "clubs/owner/sheet.html", context)
