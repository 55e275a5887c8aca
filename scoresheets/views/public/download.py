"""A sheet as an image and as CSV, and a new sheet from a sheet file."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoresheets.access.scorekeepers import hashed, keep_browser_secret, new_browser_secret
from scoresheets.files.csv import csv_of
from scoresheets.files.image import Picture
from scoresheets.files.sheet_file import MOST_BYTES, Wrong, open_from_file, played_on
from scoresheets.models import Scorekeeper, Sheet
from scoresheets.models.sheet import new_token
from scoresheets.opening.open_sheet import Opened
from scoresheets.sheet.outsiders import read_for
from scoresheets.views.public.lookup import sheet_of, watched_sheet
from scoresheets.views.public.opening import STATUS, WAIT, account_needed_page, signed_in_user

#: So many problems are shown; the others are counted.
MOST_SHOWN = 60
NO_FILE = Wrong("", "Choose a sheet file first.", "no-file")
TOO_LARGE = Wrong("", f"The file is larger than {MOST_BYTES // 1000} kB: that is no sheet.", "too-large")


@require_safe
def export_csv(request: HttpRequest, code: str) -> HttpResponse:
    """The sheet for a spreadsheet, one row a hand."""
    record, keeper = sheet_of(request, code)
    response = HttpResponse(csv_of(read_for(record, keeper)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{record.game}-{played_on(record)}.csv"'
    response["Cache-Control"] = "private, no-store"
    return response


@require_safe
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """The standing as a picture to send."""
    record, keeper = sheet_of(request, code)
    return picture_of(request, record, keeper)


@require_safe
def watch_picture(request: HttpRequest, watch: str) -> HttpResponse:
    """The same for who watches."""
    return picture_of(request, watched_sheet(request, watch), None)


def picture_of(request: HttpRequest, record: Sheet, keeper: Scorekeeper | None) -> HttpResponse:
    """The drawing of a sheet for who asks."""
    context = {"picture": Picture(read_for(record, keeper))}
    media = "image/svg+xml; charset=utf-8"
    response = TemplateResponse(request, "scoresheets/files/image.svg", context, content_type=media)
    response["Cache-Control"] = "private, no-cache"
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def import_sheet(request: HttpRequest) -> HttpResponseBase:
    """GET: which file? POST: a new sheet made of it, or everything that is wrong with it."""
    user = signed_in_user(request)
    if user is None and not settings.OPEN_SHEETS_WITHOUT_ACCOUNT:
        return account_needed_page(request)
    secret = new_browser_secret(request)
    response = opened_from(request, secret) if request.method == "POST" else import_page(request)
    # Already now, so that the same tap sent twice comes from the same browser.
    keep_browser_secret(request, response, secret)
    return response


def opened_from(request: HttpRequest, secret: str) -> HttpResponseBase:
    """The sheet of the file that was sent, or the page again."""
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        return import_page(request, [NO_FILE], status=422)
    if (file.size or 0) > MOST_BYTES:
        return import_page(request, [TOO_LARGE], status=413)
    opened = open_from_file(
        file.read(), browser=hashed(secret), key=request.POST.get("key", ""), user=signed_in_user(request),
        address=request.META.get("REMOTE_ADDR", ""),
    )  # fmt: skip
    if isinstance(opened, Opened):
        return HttpResponseRedirect(reverse("sheet", args=[opened.sheet.code]), status=303)
    if opened.code == "sign-in-first":
        return account_needed_page(request)
    page = import_page(request, opened.wrong, called=file.name or "", status=STATUS.get(opened.code, 422))
    if page.status_code == 429:
        page.headers["Retry-After"] = str(WAIT)
    return page


def import_page(
    request: HttpRequest, wrong: Sequence[Wrong] = (), *, called: str = "", status: int = 200
) -> TemplateResponse:
    """The form, with what is wrong with the file that is called like this."""
    context = {
        "key": new_token(),
        "wrong": wrong[:MOST_SHOWN],
        "more": max(len(wrong) - MOST_SHOWN, 0),
        "called": called[:80],
    }
    return TemplateResponse(request, "scoresheets/files/import.html", context, status=status)
