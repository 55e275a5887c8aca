"""The description of the interface: for programs, and as a page for people."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.api.answers import Answer, Endpoint, gives
from clubs.api.callers import Caller
from clubs.api.openapi import addresses, description_content
from clubs.api.rate import A_SECOND, AT_ONCE
from clubs.api.shapes import Named
from clubs.views.api.publishing import for_spreadsheet
from clubs.views.api.read_keys import PLACE_OF_KEY
from rules.core.files.schema import AnyObject


@gives(Endpoint("This description", Named("Description", AnyObject()), takes_key=False))
def api_description(request: HttpRequest, caller: Caller) -> Answer:
    """OpenAPI 3.1, made of the code that answers."""
    return Answer(description_content())


@require_safe
def api_page(request: HttpRequest) -> HttpResponse:
    """What programs can read here, how they ask, and what they are answered."""
    site = request.build_absolute_uri("/").rstrip("/")
    standing = f"{site}/api/v1/clubs/tuesday/standings/all-time/standing.csv?key={PLACE_OF_KEY}"
    context = {
        "addresses": addresses(), "site": site, "at_once": AT_ONCE, "a_minute": int(A_SECOND * 60),
        "spreadsheet": for_spreadsheet(standing),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/api/page.html", context)
