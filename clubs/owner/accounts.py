"""The accounts of the site, as its owner sees them."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet

from clubs.models import Member, User


def accounts(text: str = "") -> QuerySet[User]:
    """All accounts, or those whose address has the text in it, with the clubs they belong to. Two queries."""
    records = Member.objects.filter(approved_at__isnull=False, left_at__isnull=True).select_related("club")
    users = User.objects.prefetch_related(Prefetch("memberships", records, to_attr="current_memberships"))
    return users.filter(email__icontains=text) if text else users


def clubs_of(user: User) -> list[str]:
    """The names of their clubs, each once: `accounts` has them at hand."""
    return sorted({record.club.name for record in vars(user)["current_memberships"]}, key=str.casefold)
