"""The last hand in large type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.response import TemplateResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from scoresheets.log.state import read_sheet
from scoresheets.readback import read_back_of
from scoresheets.views.addresses import sheet_of
from scoresheets.views.corrected import correction_shown

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_safe
@cache_control(private=True, no_cache=True)
def read_back(request: HttpRequest, code: str) -> TemplateResponse:
    """Who bid and took what in the last hand, to be read to the table; by a voice, if asked and where there is one."""
    record, keeper = sheet_of(request, code)
    reading = read_sheet(record)
    changed = correction_shown(request, reading) if keeper else ""
    context = {"sheet": record, "keeper": keeper, "last": read_back_of(reading), "changed": changed}
    return TemplateResponse(request, "scoresheets/read_back.html", context)
