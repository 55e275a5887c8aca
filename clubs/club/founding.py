"""Founding a club with a one-time code from the terminal."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from clubs.access.audit_log import write_down
from clubs.models import Club, FoundingCode, Member, User
from scoresheets.access.scorekeepers import hashed
from scoresheets.models import Player

#: Letters and digits that nobody takes for one another.
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
GROUPS, IN_A_GROUP = 4, 4
#: Addresses that are pages of their own.
TAKEN = {"found"}
LONGEST_SLUG = 40
NO_CODE = "That code does not start a club. It may have been used; the newest one is in the terminal of the site."


def new_code(club: Club | None = None) -> str:
    """A code that founds one club or, with `club`, makes somebody its organiser: 79 bits, kept nowhere.

    Codes that were made before for the same and not used are good for nothing any more.
    """
    code = "-".join("".join(secrets.choice(LETTERS) for _ in range(IN_A_GROUP)) for _ in range(GROUPS))
    with transaction.atomic():
        FoundingCode.objects.filter(club=club, used_at__isnull=True).delete()
        FoundingCode.objects.create(code_hash=hash_of(code), club=club)
    return code


def hash_of(code: str) -> str:
    """What the site keeps of a code, however it was typed."""
    return hashed(plain(code))


def code_for_the_first() -> str:
    """A new code as long as nobody has founded a club on this site, the demo's apart; else ""."""
    return "" if Club.objects.real().exists() else new_code()


def plain(code: str) -> str:
    """A code as it is compared: however it was typed."""
    return "".join(letter for letter in code.upper() if letter.isalnum())


def is_good(code: str) -> bool:
    """Whether a club can still be founded with this code."""
    return FoundingCode.objects.founding().filter(code_hash=hash_of(code)).exists()


def create_club(
    user: User, *, code: str, name: str, called: str, place: str, time_zone: str, main_game: str
) -> Club | None:
    """The club, with `user` as its organiser, who is `called` so; None where the code founds none (any more).

    The superuser of the site needs no code.
    """
    with transaction.atomic():
        if not user.is_superuser and not use_up(hash_of(code)):
            return None
        club = Club.objects.create(
            name=name, slug=free_slug(name), place=place, time_zone=time_zone, main_game=main_game
        )
        player = Player.objects.create(name=called)
        founder = Member.objects.create(club=club, player=player, user=user, name=called, role=Member.Role.ORGANISER)
        write_down(club, "Started the club.", by=founder)
    return club


def use_up(code_hash: str) -> bool:
    """Whether the code with this hash was good; it is not any more."""
    unused = FoundingCode.objects.founding().filter(code_hash=code_hash)
    return unused.update(used_at=timezone.now()) == 1


def free_slug(name: str) -> str:
    """An address for a club of that name that no other club has."""
    wanted = slugify(name)[:LONGEST_SLUG].strip("-_") or "club"
    slug, number = wanted, 1
    while slug in TAKEN or Club.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{wanted[: LONGEST_SLUG - 1 - len(str(number))]}-{number}"
    return slug
