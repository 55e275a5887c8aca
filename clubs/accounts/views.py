"""The account page, and deleting the account."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.known_clubs import clubs_for
from clubs.access.visit import require_account
from clubs.accounts.again import sign_in_again
from clubs.erasure.account import belongings_of, delete_account_of, is_last_owner


@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """The account of who is signed in: their clubs, their address, their keys, and the way out."""
    user = require_account(request)
    passkeys = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    context = {
        "clubs": clubs_for(request),
        "has_password": user.has_usable_password(),
        "takes_passkeys": settings.MFA_PASSKEY_LOGIN_ENABLED,
        "passkeys": passkeys.count(),
    }
    return TemplateResponse(request, "account/account.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    """GET: what becomes of it, club by club. POST: the account is gone; with `erase` the names in its clubs as well."""
    user = require_account(request)
    again = sign_in_again(request)
    if again is not None:
        return again
    if request.method == "POST" and request.POST.get("sure"):
        delete_account_of(user, erase="erase" in request.POST)
        logout(request)
        return TemplateResponse(request, "account/deleted.html")
    missing = request.method == "POST"
    context = {
        "account": user.email or user.get_username(), "belongings": belongings_of(user), "missing": missing,
        "erase": "erase" in request.POST, "is_last_owner": is_last_owner(user),
    }  # fmt: skip
    return TemplateResponse(request, "account/delete.html", context, status=422 if missing else 200)
