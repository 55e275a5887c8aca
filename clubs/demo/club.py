"""The demo club: twenty people, two seasons, forty nights in all games. The last night is tonight.

Its rows come from a file (`clubs.demo.rows`). `make demo-file` makes it by playing all of it (`tests/demo/club.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from django.db import transaction
from django.urls import reverse

from clubs.demo.rows import insert, read_file
from clubs.evening.adopt import take_out
from clubs.models import Award, Chair, Club, Member, Placing, Table, User
from scoresheets.models import Player, Sheet
from scoresheets.opening.sweep import forget_players

#: The names of the accounts of its organisers begin with this.
ACCOUNTS = "demo-"


class DemoAccess(NamedTuple):
    """How to open the demo club: the path of its link, the mail address of an organiser, the path to sign in."""

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
        adopted = Table.objects.filter(night__club=club, source=Table.Source.BROUGHT)
        for table in adopted.select_related("night__club", "sheet"):
            take_out(table, by=None)
        sheets = list(
            Sheet.objects.filter(table__night__club=club).exclude(table__in=adopted).values_list("pk", flat=True)
        )
        players = list(Player.objects.filter(seats__sheet__in=sheets).values_list("pk", flat=True))
        players += club.members.values_list("player", flat=True)
        users = list(club.members.filter(user__isnull=False).values_list("user", flat=True))
        # What is held fast goes before what holds it.
        Award.objects.filter(trophy__club=club).delete()
        Placing.objects.filter(table__night__club=club).delete()
        Chair.objects.filter(table__night__club=club).delete()
        Table.objects.filter(night__club=club).delete()
        Sheet.objects.filter(pk__in=sheets).delete()
        club.delete()
        forget_players(players)
        User.objects.filter(pk__in=users, username__startswith=ACCOUNTS).delete()
    return True
