"""Accounts and signing in.

A person types an email address and signs in with the code that is mailed there. The first code makes the account, so
nobody has to choose between signing in and signing up, and nobody learns which addresses have an account. A password
or a passkey is another way to sign in, never a second factor.
"""

from __future__ import annotations

import datetime
import logging
import smtplib
import time
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.messages import ERROR
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from clubs.site.error_views import problem_page
from scoresheets.access.network import client_hash
from scoresheets.access.scorekeepers import hashed
from scoresheets.models.sheet import new_token

journal = logging.getLogger("clubs.mail")

#: An account into which nobody ever came is forgotten after so long.
UNUSED = datetime.timedelta(days=2)
#: Forgotten on the way, when another is made.
SWEPT_ON_THE_WAY = 10
#: Where a session keeps a sentence for the next page.
SAID = "said"
NO_MAIL = "The email with your code could not be sent. Nothing is wrong with your address: try again in a few minutes."


class Accounts(DefaultAccountAdapter):
    """What the site says otherwise than django-allauth does."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": "That email address and that password do not match.",
        "incorrect_code": "That is not the code. Use the one we emailed you last.",
        "incorrect_password": "That is not your password.",
        "enter_current_password": "That is not your password.",
        "too_many_login_attempts": "That was too many tries. Wait a few minutes and try again.",
        "rate_limited": "That was too many tries. Wait a few minutes and try again.",
        "email_taken": "Somebody signs in with this address already.",
        "duplicate_email": "You sign in with this address already.",
        "same_as_current": "It is set to that already.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Nobody signs up: who asks for a code has an account."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """A keyed hash of the network, as for every other limit: only they ask, and the cache stores it."""
        return client_hash(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Wrong passwords are counted by account and network together, like codes."""
        return from_network(request, super()._get_login_attempts_cache_key(request, **credentials))

    def is_ajax(self, request: HttpRequest) -> bool:
        """Scripts ask for one thing alone: what the phone is to be asked for its passkey."""
        match = request.resolver_match
        is_asked = match is not None and match.url_name == "mfa_login_webauthn" and request.method == "GET"
        return is_asked and request.headers.get("Accept") == "application/json"

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """From now on they stay signed in as long as the settings say."""
        super().login(request, user)
        request.session.set_expiry(None)

    def get_login_stages(self) -> list[str]:
        """Who has a passkey may come in without it."""
        return [stage for stage in super().get_login_stages() if not stage.startswith("allauth.mfa.")]

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Who came in just now is not asked again: with their phone lost, a passkey can still be taken away."""
        if signed_in_lately(self.request):
            return False
        return bool(super().is_reauthentication_required(app=app, **more))

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def add_message(self, request: HttpRequest, level: int, *args: Any, message: Any = None, **more: Any) -> None:
        """What went wrong is said on the next page. What went well can be seen."""
        if level >= ERROR and message:
            request.session[SAID] = str(message)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Raises `ImmediateHttpResponse` with a page that says so, where the mail server does not take it."""
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, smtplib.SMTPException) as problem:
            journal.error("No mail could be sent: %s.", type(problem).__qualname__)
            raise ImmediateHttpResponse(
                problem_page(self.request, 503, title="The email could not be sent", sentence=NO_MAIL)
            ) from problem


def signed_in_lately(request: HttpRequest) -> bool:
    """Whether this browser came in, or typed its password again, some minutes ago."""
    records = get_authentication_records(request, request.user)
    return bool(records) and time.time() - records[-1]["at"] < app_settings.REAUTHENTICATION_TIMEOUT


class Passkeys(DefaultMFAAdapter):
    """The keys that a phone keeps."""

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002
        return "My phone"

    def get_public_key_credential_user_entity(self, user: AbstractBaseUser) -> dict[str, Any]:
        """What the phone shows beside the key: the address, because nobody chose a username."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return entity | {"display_name": getattr(user, "email", "") or entity["name"]}


def from_network(request: HttpRequest, account: str) -> str:
    """What a limit counts by: the account as it is tried from the network of the request.

    Counted by the account alone, anybody who knows an address could keep its owner out.
    """
    return f"{client_hash(request)} {account}"


def may_mail_code(request: HttpRequest, email: str) -> bool:
    """Whether another code is mailed to the address; this asking for one is counted."""
    return bool(ratelimit.consume(request, action="mail_code", key=from_network(request, email.lower())))


def account_at(email: str) -> User | None:
    """The account of an address that nobody signs in with yet; None where there is one that was shut.

    Nothing is verified by that: the code that goes there does it.
    """
    forget_unused()
    email = email.lower()
    known = User.objects.filter(email__iexact=email)
    if known.exists():
        return None
    try:
        return new_account(email, username=hashed(email))
    except IntegrityError:
        # The same tap twice at the same moment: the other one was first. Or who had the address has another now.
        return known.filter(is_active=True).first() or new_account(email, username=new_token())


def new_account(email: str, *, username: str) -> User:
    """`username` is shown to nobody: it keeps an address from having two accounts."""
    with transaction.atomic():
        user = User(username=username, email=email)
        user.set_unusable_password()
        user.save()
        EmailAddress.objects.create(user=user, email=email, primary=True, verified=False)
    return user


def forget_unused() -> None:
    """Accounts into which nobody ever came are no accounts."""
    unused = User.objects.filter(
        last_login__isnull=True, date_joined__lt=timezone.now() - UNUSED, password__startswith=UNUSABLE_PASSWORD_PREFIX,
        memberships__isnull=True, is_superuser=False,
    )  # fmt: skip
    User.objects.filter(pk__in=list(unused.values_list("pk", flat=True)[:SWEPT_ON_THE_WAY])).delete()
