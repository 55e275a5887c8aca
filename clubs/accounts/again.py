"""Who changes how an account signs in, or signs others out, has come in some minutes ago, or signs in once more."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from allauth.account.internal.flows import reauthentication
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse

from clubs.accounts.adapter import signed_in_lately
from clubs.models import User

#: Pages of django-allauth on which an address, a first password or a passkey is set. A password that is there is asked
#: for on the page that changes it.
SETTING = {"account_email", "account_set_password", "mfa_add_webauthn", "mfa_remove_webauthn"}


class SignInAgain:
    """Middleware: such a page is shown, and does something, only to who came in some minutes ago."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or match.url_name not in SETTING or not request.user.is_authenticated:
            return None
        return sign_in_again(request)


def sign_in_again(request: HttpRequest) -> HttpResponse | None:
    """The page on which who is signed in proves that it is they; None where they came in some minutes ago."""
    if signed_in_lately(request):
        return None
    if reauthentication.get_reauthentication_flows(request.user):
        return HttpResponseRedirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': request.path})}")
    then = f"{reverse('account_request_login_code')}?{urlencode({'next': request.path})}"
    return TemplateResponse(request, "account/sign_in_again.html", {"then": then})


def came_in_again(
    sender: object, request: HttpRequest, user: User, *, reauthenticated: bool = False, **signal: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    """The receiver of `authentication_step_completed`: who proved once more that it is they has another session key."""
    if reauthenticated:
        request.session.cycle_key()
