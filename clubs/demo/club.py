"""The demo club: twenty people, two seasons, forty nights in all games. The last night is tonight.

Its rows come from a file (`clubs.demo.rows`). `make demo-file` makes it by playing all of it (`tests/demo/club.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction
from django.urls import reverse

from clubs.demo.rows import insert, read_file
from clubs.erasure.club import delete_club
from clubs.models import Club, Member, User

#: The names of the accounts of its organisers begin with this.
ACCOUNTS = "demo-"


class DemoAccess(NamedTuple):
    """How to open the demo club: the path of its link, the email address of an organiser, the path to sign in."""

    path: str
    organiser: str
    sign_in: str


def demo_access() -> DemoAccess | None:
    """How to open the demo club; None where there is none."""
    club = Club.objects.filter(is_demo=True).first()
    if club is None:
        return None
    organiser = club.members.filter(role=Member.Role.ORGANISER, user__username__startswith=ACCOUNTS).first()
    email = organiser.user.email if organiser and organiser.user else ""
    return DemoAccess(reverse("come_in", args=[club.slug, club.key]), email, reverse("account_request_login_code"))


def load() -> bool:
    """Insert the demo club, unless it is there; whether it was inserted."""
    if Club.objects.filter(is_demo=True).exists():
        return False
    insert(read_file()["club"])
    return True


def remove() -> bool:
    """Delete the demo club with its sheets, people and accounts, and nothing else; whether it was there.

    A sheet that somebody opened elsewhere and brought in is theirs, and stays.
    """
    with transaction.atomic():
        club = Club.objects.filter(is_demo=True).first()
        if club is None:
            return False
        users = list(club.members.filter(user__isnull=False).values_list("user", flat=True))
        delete_club(club)
        User.objects.filter(pk__in=users, username__startswith=ACCOUNTS).delete()
    return True
