"""The forms of the account pages, with the site's own labels and messages."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    AddEmailForm,
    BaseConfirmCodeForm,
    ChangePasswordForm,
    ConfirmEmailVerificationCodeForm,
    ConfirmLoginCodeForm,
    ConfirmPasswordResetCodeForm,
    LoginForm,
    ReauthenticateForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
)
from allauth.account.models import EmailAddress
from allauth.core import context
from django import forms
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError
from django.utils.crypto import salted_hmac

from clubs.accounts.adapter import account_at, may_mail_code
from clubs.models import User

AN_HOUR = 3600
#: How many guesses at one code are looked at. The session stops some kinds of codes sooner.
MOST_GUESSES: int = settings.ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS


class InOurWords(forms.Form):
    """`asks` is said where nothing was typed."""

    asks: ClassVar = "Something is missing here."

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for field in self.fields.values():
            field.error_messages |= {"required": self.asks, "null_characters_not_allowed": "That is no text."}
            if isinstance(field, forms.EmailField):
                field.error_messages |= {"invalid": "That is not an email address."}
                field.widget.attrs |= {"autocomplete": "email", "inputmode": "email"}


def refuse_too_many_codes(email: str) -> None:
    """Raise ValidationError where this network has asked for many codes to that address just now."""
    if email and not may_mail_code(context.request, email):
        raise get_adapter().validation_error("too_many_login_attempts")


class AskForCode(InOurWords, RequestLoginCodeForm):
    """Where should the code go? `_user` is whose code it is, as django-allauth asks for it; None: nobody gets one."""

    _user: User | None

    asks = "Where should we send the code?"

    def clean_email(self) -> str:
        # What stands before the @ is compared in small letters everywhere.
        email: str = super().clean_email().lower()
        refuse_too_many_codes(email)
        # Whoever never comes back with the code leaves nothing behind for two months.
        context.request.session.set_expiry(AN_HOUR)
        if email and self._user is None:
            self._user = account_at(email)
        elif email and self._user and not EmailAddress.objects.filter(user=self._user).exists():
            # Somebody whom `createsuperuser` has made.
            EmailAddress.objects.create(user=self._user, email=email, primary=True, verified=False)
        return email


class SignIn(InOurWords, LoginForm):
    """With a password."""


class TypeMailedCode(InOurWords, BaseConfirmCodeForm):
    """A code that was mailed. Only `MOST_GUESSES` guesses at it are looked at, even if all come at the same moment.

    The session counts them too, but those that read it before any of them has written count there as one.
    """

    asks = "Type the code we emailed you."
    #: "" or None: there is none, because the address has no account. Its guesses are counted alike, which takes time.
    expected_code: str | None

    def clean_code(self) -> str:
        if not take_guess(self.expected_code or context.request.session.session_key or ""):
            raise get_adapter().validation_error("incorrect_code")
        code: str = super().clean_code()
        return code


def take_guess(code: str) -> bool:
    """Whether this guess at a code is looked at.

    Each takes a number that the cache gives out once, and remembers until the code has expired. Raises
    `OperationalError` where it can remember nothing now: else a locked database would make a right code a wrong one.
    """
    guesses = f"guess-{salted_hmac(__name__, code).hexdigest()}"
    for number in range(MOST_GUESSES):
        key = f"{guesses}-{number}"
        if cache.add(key, 1, settings.CODE_LASTS):
            return True
        if cache.get(key) is None:
            raise OperationalError("The database is locked.")
    return False


class TypeCode(TypeMailedCode, ConfirmLoginCodeForm):
    """Somebody signs in."""


class TypeCodeForAddress(TypeMailedCode, ConfirmEmailVerificationCodeForm):
    """An address becomes theirs."""


class TypeCodeForPassword(TypeMailedCode, ConfirmPasswordResetCodeForm):
    """They have forgotten their password."""


class AskForPassword(InOurWords, ResetPasswordForm):
    asks = "Where should we send the code?"

    def clean_email(self) -> str:
        email: str = super().clean_email()
        refuse_too_many_codes(email)
        return email


class NewPassword(InOurWords, ResetPasswordKeyForm):
    """After a code."""


class FirstPassword(InOurWords, SetPasswordForm):
    """Of who has none."""


class OtherPassword(InOurWords, ChangePasswordForm):
    """In the place of the one they have."""


class OtherAddress(InOurWords, AddEmailForm):
    asks = "Which address?"


class IsItYou(InOurWords, ReauthenticateForm):
    """Before something that changes how one signs in."""
