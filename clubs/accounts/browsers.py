"""The page of the browsers that are signed in."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import require_account
from clubs.accounts.again import sign_in_again
from clubs.accounts.sessions import browsers_of, session_name, sign_out, sign_out_everywhere


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def browsers(request: HttpRequest) -> HttpResponse:
    """GET: the list. POST: sign out on the one that `browser` names, on all `others`, or on `all`.

    Who signs out another browser than this one has come in some minutes ago: a thief keeps nobody out.
    """
    user = require_account(request)
    key = request.session.session_key or ""
    if request.method != "POST":
        days = settings.SESSION_COOKIE_AGE // (24 * 3600)
        context = {"browsers": browsers_of(user, key), "days": days}
        return TemplateResponse(request, "account/browsers.html", context)
    do = request.POST.get("do", "")
    again = None if do == session_name(key) else sign_in_again(request)
    if again is not None:
        return again
    if do == "others":
        sign_out_everywhere(user, but=key)
    elif do == "all":
        sign_out_everywhere(user)
    elif do != session_name(key):
        sign_out(user, do)
    if do in ("all", session_name(key)):
        logout(request)
        return HttpResponseRedirect(reverse("clubs"), status=303)
    return HttpResponseRedirect(request.path, status=303)
