"""Deleting an account. The page says first what its clubs keep."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from clubs.access.audit_log import write_down
from clubs.erasure.member import delete_members, erase_member, without_result
from clubs.members.people import records_of
from clubs.members.roles import is_last_organiser
from clubs.models import Member, NoticeSettings, User
from clubs.notices.choices import forget
from scoresheets.models import Scorekeeper


@dataclass(frozen=True)
class Belonging:
    """A club to which the account belongs, and as whom. `is_last`: nobody else with an account organises it."""

    member: Member
    is_last: bool


def belongings_of(user: User) -> list[Belonging]:
    """The clubs of the account, those that were left too: their results keep the name."""
    records = (
        Member.objects.filter(user=user, approved_at__isnull=False)
        .select_related("club", "same_as__club")
        .order_by("club__name")
    )
    people = {record.identity: record.main_record for record in records}
    return [Belonging(person, is_last_organiser(person)) for person in people.values()]


def is_last_owner(user: User) -> bool:
    """Whether the account owns the site, and no other that can sign in does."""
    return user.is_superuser and not User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk).exists()


def delete_account_of(user: User, *, erase: bool) -> None:
    """Delete the account with its email addresses, keys, words and uploads; with `erase` the names in its clubs too.

    A club keeps its member without an account. Raises nothing: whoever wants to be gone is gone.
    """
    with transaction.atomic():
        for belonging in belongings_of(user):
            person = belonging.member
            if erase:
                erase_from_club(person)
                continue
            write_down(person.club, f"{person.name} deleted the account they signed in with.", by=None)
            records = [record.pk for record in records_of(person)]
            Member.objects.filter(pk__in=records, user=user).update(user=None)
            NoticeSettings.objects.filter(member__in=records).delete()
            forget(records)
        in_no_club = Q(sheet__table__isnull=True)
        Scorekeeper.objects.filter(in_no_club, user=user).update(name="")
        Member.objects.filter(user=user, approved_at__isnull=True).delete()
        user.delete()


def erase_from_club(person: Member) -> None:
    """Delete the member, or erase them where there are results."""
    if without_result([person]):
        delete_members([person], by=None, even_last=True)
    else:
        erase_member(person, by=None, even_last=True)
