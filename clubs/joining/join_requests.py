"""Join requests: a person gives their name and, where needed, waits until an organiser accepts or refuses them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.members.merge import merge
from clubs.members.people import locked
from clubs.members.roles import come_back
from clubs.models import Club, Member, User
from scoresheets.access.scorekeepers import SECRET, hashed
from scoresheets.log.text import same_name
from scoresheets.models import Player

#: The most open join requests of one club.
MOST_WAITING = 50
FULL = "Many people are waiting already. Ask an organiser to answer them first."
TURNED_AWAY = "An organiser has said no. Speak to one of them."
#: The cookie of a phone that asked to join a club: a secret of which the site keeps the hash.
WAITS = "waits-{}"


@dataclass(frozen=True)
class Asked:
    """The outcome of a join request: the record, or a sentence that says why there is none."""

    member: Member | None = None
    why: str = ""


def ask_in(
    club: Club, name: str, *, user: User | None, secret: str, role: str = Member.Role.MEMBER, at_once: bool = False
) -> Asked:
    """Somebody of that clean name asks to belong to the club, by their account or by the `secret` of their phone.

    Where somebody of that name is known already they say that they are this one, and an organiser looks. `at_once`:
    they belong to it from now on. The same account, or the same secret, asks only once.
    """
    with transaction.atomic():
        locked(club)
        known = asked_before(club, user=user, secret=secret)
        if known is not None:
            return Asked(known) if known.left_at is None else Asked(why=TURNED_AWAY)
        at_once = at_once and not is_crowded(club)
        if not at_once and club.members.waiting().count() >= MOST_WAITING:
            return Asked(why=FULL)
        came_back = away(club, user) if user else None
        player = Player.objects.create(name=name)
        member = Member(club=club, player=player, name=name, user=user, role=role)
        member.claim_hash = "" if user else hashed(secret)
        member.says_is = came_back or namesake(club, name)
        member.approved_at = timezone.now() if at_once else None
        member.save()
        write_down(club, f"{name} {'came in' if at_once else 'asks to join'}.", by=member if at_once else None)
    return Asked(member)


def is_crowded(club: Club) -> bool:
    """Whether so many came in within an hour that an organiser should look, whatever the invitation says."""
    hour = timezone.now() - datetime.timedelta(hours=1)
    return club.members.filter(joined_at__gt=hour, claim_hash__gt="").count() >= MOST_WAITING


def asked_before(club: Club, *, user: User | None, secret: str) -> Member | None:
    """Who asked with this account or secret before: who waits, who was let in, or who was turned away."""
    if user is not None:
        records = club.members.filter(user=user).order_by("left_at", "-pk")
        here = Member.objects.of_account(user.pk).filter(club=club).first()
        waits = next((record for record in records if record.approved_at is None), None)
        return here or waits
    if not SECRET.fullmatch(secret):
        return None
    return club.members.filter(claim_hash=hashed(secret)).exclude(role=Member.Role.GUEST).first()


def away(club: Club, user: User) -> Member | None:
    """As whom the account belonged to the club before it left."""
    left = club.members.filter(user=user, left_at__isnull=False, approved_at__isnull=False, same_as__isnull=True)
    return left.order_by("-left_at").first()


def namesake(club: Club, name: str) -> Member | None:
    """Somebody of that name who has no account: perhaps they themselves."""
    there = club.members.current().filter(user__isnull=True)
    return next((member for member in there if same_name(member.name) == same_name(name)), None)


def waits_in(request: HttpRequest, club: Club) -> str:
    """The secret of a phone that asked to come in, whatever was answered since; "" where it did not."""
    secret = request.COOKIES.get(WAITS.format(club.pk), "")
    return secret if SECRET.fullmatch(secret) else ""


def still_waits(request: HttpRequest, club: Club, user: User | None) -> bool:
    """Whether who looks on has asked to come in, by their account or on this phone, and has no answer yet."""
    known = asked_before(club, user=user, secret=waits_in(request, club))
    return known is not None and known.approved_at is None and known.left_at is None


# What an organiser answers


def let_in(member: Member, *, by: Member | None) -> list[str]:
    """They belong to the club from now on, as somebody new; why they cannot, in sentences."""
    with transaction.atomic():
        locked(member.club)
        member.refresh_from_db()
        if member.approved_at is None:
            here = Member.objects.of_account(member.user_id).filter(club=member.club_id).first()
            if member.user_id is not None and here is not None:
                # They were invited by name while they waited.
                return [f"{member.name} belongs to the club already, as {here.main_record.called}."]
            member.approved_at = timezone.now()
            member.left_at = None
            member.says_is = None
            member.save(update_fields=["approved_at", "left_at", "says_is"])
            write_down(member.club, f"Let {member.name} in.", by=by)
    return []


def let_in_as(member: Member, person: Member, *, by: Member | None) -> list[str]:
    """They are who they say they are: their record is made one with that; why not, in sentences."""
    with transaction.atomic():
        person = person.main_record
        if person.left_at is not None:
            come_back(person, by=by)
            person.refresh_from_db()
        return merge(member, person, by=by)


def is_not(member: Member, *, by: Member | None) -> None:
    """They are not who they say they are; they may still come in as somebody new."""
    if Member.objects.filter(pk=member.pk, says_is__isnull=False).update(says_is=None):
        write_down(member.club, f"Said that {member.name} is somebody else.", by=by)


def turn_away(member: Member, *, by: Member | None) -> None:
    """They do not come in; there is a way back."""
    with transaction.atomic():
        locked(member.club)
        waits = Member.objects.filter(pk=member.pk, approved_at__isnull=True, left_at__isnull=True)
        if waits.update(left_at=timezone.now()):
            write_down(member.club, f"Declined the request of {member.name}.", by=by)
