"""The one-time link by which an owner signs in without an email.

Nothing is stored: the link is signed, and names when the account was signed in with last. Once it was used, that moment
is another one, and every link that was made before opens nothing.
"""

from __future__ import annotations

import datetime

from django.core import signing
from django.db import transaction
from django.utils import timezone

from clubs.models import User

LINK_LASTS = datetime.timedelta(hours=1)
SALT = "sign-in link of an owner"


def sign_in_token(user: User) -> str:
    """What stands in the link."""
    return signing.dumps([user.pk, last_sign_in(user)], salt=SALT)


def last_sign_in(user: User) -> str:
    """The moment of the last sign-in, as the link has it; "" for never."""
    return user.last_login.isoformat() if user.last_login else ""


def owner_of_link(token: str) -> User | None:
    """The owner whom the link signs in; None where it is not good (any more). Looking uses nothing up."""
    try:
        number, last = signing.loads(token, salt=SALT, max_age=LINK_LASTS)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=number, is_superuser=True, is_active=True).first()
    return user if user and last_sign_in(user) == last else None


def use_link(token: str) -> User | None:
    """Use the link up, and every other one of the same owner: who signs in with it; None where it is not good."""
    with transaction.atomic():
        user = owner_of_link(token)
        if user is None:
            return None
        # The same tap twice: of two, only one still has the moment that the link names.
        unused = User.objects.filter(pk=user.pk, last_login=user.last_login)
        return user if unused.update(last_login=timezone.now()) == 1 else None
