"""The front page."""

from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe


@require_safe
def front(request: HttpRequest) -> TemplateResponse:
    return TemplateResponse(request, "clubs/front.html")
