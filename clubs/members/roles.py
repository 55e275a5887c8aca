"""Roles, and leaving a club. The results stay, under a name of the member's choice, and leaving can be undone."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.members.people import claim_code, give_code, has_account_elsewhere, locked, records_of
from clubs.members.privacy import cover, free_name
from clubs.models import Club, Invitation, Member
from clubs.models.member import MemberQuerySet

LAST = "Somebody has to run the club: make somebody else who signs in an organiser first."


def is_last_organiser(person: Member) -> bool:
    """Whether nobody else who signs in organises the club."""
    return who_organise(person.club) == {person}


def who_organise(club: Club) -> set[Member]:
    """The people with an account, not a closed one, who organise it."""
    return {record.main_record for record in organising_records().filter(club=club).select_related("same_as")}


def organising_records() -> MemberQuerySet:
    """The records of any club by which somebody who can sign in organises it."""
    there = Q(same_as__isnull=True, left_at__isnull=True) | Q(same_as__isnull=False, same_as__left_at__isnull=True)
    role = Q(role=Member.Role.ORGANISER) | Q(same_as__role=Member.Role.ORGANISER)
    return Member.objects.filter(there, role, user__is_active=True, approved_at__isnull=False)


def set_role(person: Member, role: str, *, by: Member | None) -> str:
    """Give them a role; what stands against it, "" where it is done."""
    with transaction.atomic():
        locked(person.club)
        person.refresh_from_db()
        records = records_of(person)
        if all(record.role == role for record in records):
            return ""
        if role != Member.Role.ORGANISER and is_last_organiser(person):
            return LAST
        # Of all their records, so that no account of theirs keeps what they are no more.
        Member.objects.filter(pk__in=[record.pk for record in records]).update(role=role)
        person.role = role
        if role == Member.Role.GUEST and not claim_code(person):
            give_code(person)
        write_down(person.club, f"Made {person.name} {Member.Role(role).label} of the club.", by=by)
    return ""


def leave_club(person: Member, under: str, *, by: Member | None) -> str:
    """They leave, and their results stay under the clean name `under` ("": their own, or as it was hidden).

    What stands against it, "" where it is done. Whoever left already leaves under another name.
    """
    with transaction.atomic():
        locked(person.club)
        person.refresh_from_db()
        if person.left_at is None and is_last_organiser(person):
            return LAST
        was = person.shown_as
        if under and (person.hidden or under != person.called):
            person.shown_as = under
        elif not person.hidden:
            person.shown_as = ""
        elif not person.shown_as:
            person.shown_as = free_name(person)
        again = person.left_at is not None
        person.left_at = person.left_at or timezone.now()
        person.save(update_fields=["left_at", "shown_as"])
        Invitation.objects.filter(member=person, revoked_at__isnull=True).update(revoked_at=timezone.now())
        cover(person, was=was)
        if not again:
            write_down(person.club, f"{person.name} left the club.", by=by)
    return ""


def come_back(person: Member, *, by: Member | None) -> None:
    """They belong to the club again, as they did before."""
    with transaction.atomic():
        locked(person.club)
        person.refresh_from_db()
        if person.left_at is None or person.erased_at is not None:
            return
        was = person.shown_as
        person.left_at = None
        person.shown_as = free_name(person) if person.hidden else ""
        if has_account_elsewhere(person):
            person.user = None
        person.save(update_fields=["left_at", "shown_as", "user"])
        cover(person, was=was)
        write_down(person.club, f"{person.name} came back.", by=by)
