"""Signing in with the one-time link that `manage.py owner` prints."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.owner.sign_in import owner_of_link, use_link
from clubs.site.error_views import problem_page
from scoresheets.access.scorekeepers import REFERRER_POLICY

NOT_GOOD = (
    "It works once, within an hour after it was made. In the terminal of the site this makes another one, with your "
    "email address: .venv/bin/python manage.py owner ann@example.org"
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def owner_sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """GET: a button, so that whatever looks at links in advance uses none up. POST: the owner is signed in."""
    if request.method != "POST":
        user = owner_of_link(token)
        response = TemplateResponse(request, "clubs/owner/sign_in.html", {"owner": user}) if user else not_good(request)
        response.headers["Referrer-Policy"] = REFERRER_POLICY
        return response
    user = use_link(token)
    if user is None:
        return not_good(request)
    record_authentication(request, user, method="code", email=user.email)
    get_adapter().login(request, user)
    return HttpResponseRedirect(reverse("owner"), status=303)


def not_good(request: HttpRequest) -> HttpResponse:
    return problem_page(request, 404, title="This link signs nobody in", sentence=NOT_GOOD)
