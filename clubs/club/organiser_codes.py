"""Organiser codes: one-time codes of the terminal by which an account becomes an organiser of a club."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.club.founding import hash_of, new_code
from clubs.members.people import locked, new_member, records_of
from clubs.members.roles import organising_records
from clubs.models import Club, FoundingCode, Member, User
from clubs.models.club import ClubQuerySet

CODE_IS_WRONG = "That code does not work. It may have been used or replaced by a newer one, or it is older than a week."
NOT_IN_THE_CLUB = "That person is not on the list. Look at the list again."


class NotDone(Exception):
    """Why somebody does not become an organiser, in a sentence."""


def organiser_code(club: Club) -> tuple[str, str]:
    """A new code for the club, and the path of the page on which it is entered."""
    code = new_code(club)
    return code, f"{reverse('become_organiser')}?code={code}"


def clubs_without_organiser() -> ClubQuerySet:
    """Open clubs that nobody who can sign in organises; the demo apart, and evenings, which have no accounts."""
    organised = Exists(organising_records().filter(club=OuterRef("pk")))
    return Club.objects.open().real().exclude(organised).order_by("pk")


def club_of_code(code: str) -> Club | None:
    """The club for which the code is good; looking uses nothing up."""
    code_row = FoundingCode.objects.for_organisers().filter(code_hash=hash_of(code)).select_related("club").first()
    return code_row.club if code_row else None


def people_without_account(club: Club) -> list[Member]:
    """Those of the club who may be the one who has the code: organisers first, then everybody by name."""
    people = club.members.current().filter(user__isnull=True).exclude(others__user__isnull=False)
    return sorted(people, key=lambda member: (member.role != Member.Role.ORGANISER, member.name.casefold()))


def member_of(user: User, club: Club) -> Member | None:
    """As whom the account belongs to the club."""
    record = Member.objects.of_account(user.pk).filter(club=club).select_related("same_as").first()
    return record.main_record if record else None


def use_organiser_code(user: User, *, code: str, me: str, called: str) -> Club:
    """Use the code up: the account is an organiser of its club, as the member `me` (id) or somebody new.

    Who belongs to the club with this account already stays who they are. Raises `NotDone`.
    """
    with transaction.atomic():
        codes = FoundingCode.objects.for_organisers().filter(code_hash=hash_of(code))
        club = club_of_code(code)
        if club is None or codes.update(used_at=timezone.now()) != 1:
            raise NotDone(CODE_IS_WRONG)
        locked(club)
        person = member_of(user, club) or with_account(user, club, me, called)
        records = [record.pk for record in records_of(person)]
        Member.objects.filter(pk__in=records).update(role=Member.Role.ORGANISER)
        write_down(club, f"{person.name} became an organiser with a code of the site.", by=person)
    return club


def with_account(user: User, club: Club, me: str, called: str) -> Member:
    """The member of that id, or somebody new of that clean name, with the account."""
    stop_waiting(user, club)
    if not me:
        return new_member(club, called, user=user)
    person = next((member for member in people_without_account(club) if str(member.pk) == me), None)
    if person is None:
        raise NotDone(NOT_IN_THE_CLUB)
    person.user = user
    person.save(update_fields=["user"])
    return person


def stop_waiting(user: User, club: Club) -> None:
    """Whoever asked to join with this account does not wait any more."""
    waits = Member.objects.filter(club=club, user=user, left_at__isnull=True, same_as__isnull=True)
    waits.update(left_at=timezone.now())
