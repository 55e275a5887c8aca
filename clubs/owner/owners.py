"""Who owns the site."""

from __future__ import annotations

from django.db import transaction

from clubs.accounts.adapter import account_at
from clubs.models import User


class NoSuchOwner(Exception):
    """The address belongs to no owner of the site."""


def owners() -> list[User]:
    """The owners who can sign in, who came first first."""
    return list(User.objects.filter(is_superuser=True, is_active=True).order_by("pk"))


def make_owner(mail: str) -> User:
    """The account of that address, made if there is none, which owns the site from now on.

    An account that was closed is opened again: the terminal is the last way in.
    """
    with transaction.atomic():
        known = User.objects.filter(email__iexact=mail).order_by("-is_active", "pk").first()
        user = known or account_at(mail)
        assert user is not None, "an address that nobody has gets an account"  # noqa: S101
        user.is_superuser = user.is_active = True
        user.save(update_fields=["is_superuser", "is_active"])
    return user


def revoke_owner(mail: str) -> User:
    """The account of that address, which stays and owns the site no longer. Raises `NoSuchOwner`."""
    with transaction.atomic():
        user = User.objects.filter(email__iexact=mail, is_superuser=True).first()
        if user is None:
            raise NoSuchOwner(mail)
        user.is_superuser = False
        user.save(update_fields=["is_superuser"])
    return user
