"""Claims: a guest gets their own results by the code they were given."""

from __future__ import annotations

from django.db import transaction

from clubs.access.audit_log import write_down
from clubs.access.visit import RANKS, Role
from clubs.members.merge import merge, role_of
from clubs.members.people import locked, read_code, records_of
from clubs.models import Club, Member, User
from scoresheets.access.scorekeepers import hashed

WRONG = "No guest of this club has that code. A code has eight letters and digits."
CLAIMED = "Somebody has claimed these results already. Speak to an organiser."


def find_guest(club: Club, typed: str) -> Member | None:
    """The guest whose code was typed."""
    code = read_code(typed)
    return club.members.filter(claim_hash=hashed(code)).select_related("same_as").first() if len(code) == 8 else None


def claim_for(guest: Member, member: Member, *, by: Member) -> list[str]:
    """The results of the guest are the member's, who has signed in; why not, in sentences."""
    with transaction.atomic():
        locked(guest.club)
        guest.refresh_from_db()
        if guest.user_id not in (None, member.user_id):
            return [CLAIMED]
        return merge(guest, member, by=by)


def claim_by_account(guest: Member, user: User) -> str:
    """The guest has an account from now on; why not, "" where they have."""
    with transaction.atomic():
        locked(guest.club)
        guest.refresh_from_db()
        if guest.user_id == user.pk:
            return ""
        if guest.user_id is not None or guest.same_as_id is not None:
            return CLAIMED
        if RANKS[Role(role_of(records_of(guest)))] > RANKS[Role.MEMBER]:
            return f"{guest.name} is no longer a guest: ask an organiser for an invitation."
        if guest.club.members.filter(user=user, left_at__isnull=True, same_as__isnull=True).exists():
            return "You have asked to join this club. Once an organiser has let you in, type the code again."
        guest.user = user
        guest.save(update_fields=["user"])
        write_down(guest.club, f"{guest.name}, a guest, signs in from now on.", by=guest)
    return ""


def says_he_is(guest: Member, person: Member) -> None:
    """Somebody without an account says that they were this guest: an organiser looks at the two records."""
    with transaction.atomic():
        locked(guest.club)
        guest.refresh_from_db()
        if guest.same_as_id is None and guest.says_is_id != person.pk:
            guest.says_is = person
            guest.save(update_fields=["says_is"])
            write_down(guest.club, f"The guest {guest.name} says that this is {person.name}.", by=None)
