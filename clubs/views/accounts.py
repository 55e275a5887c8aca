"""Who is signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.doors import SignInFirst, account_of
from clubs.shelves import clubs_for

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """The account of who is signed in: his clubs, his address, his keys, and the way out."""
    user = account_of(request)
    if user is None:
        raise SignInFirst
    passkeys = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    context = {
        "shelf": clubs_for(request),
        "has_password": user.has_usable_password(),
        "takes_passkeys": settings.MFA_PASSKEY_LOGIN_ENABLED,
        "passkeys": passkeys.count(),
    }
    return TemplateResponse(request, "account/account.html", context)
