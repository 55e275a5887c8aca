"""The user of an account."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import AbstractUser

from clubs.models.member import Member, MemberQuerySet
from scoresheets.models import Sheet


class User(AbstractUser):
    """A person with an account.

    It is our own class from the first migration on, because a user model cannot be exchanged later.
    """

    def get_full_name(self) -> str:
        """What they are called outside of any club: as they said themselves, else as all of their clubs call them.

        Clubs that call them differently say nothing here: the name of one club is no business of another, and one of
        them may hide it. The username is never shown: nobody chose it. One query.
        """
        return super().get_full_name() or self.agreed(self.records())

    def name_on(self, sheet: Sheet) -> str:
        """What they are called on a sheet: as the club calls them to which it belongs. Two queries at most."""
        ours = self.records().filter(club__nights__tables__sheet=sheet, club__nights__tables__withdrawn_at__isnull=True)
        return self.agreed(ours) or self.get_full_name()

    def records(self) -> MemberQuerySet:
        """By which they belong to clubs now."""
        return self.memberships.of_account(self.pk).select_related("same_as")

    @staticmethod
    def agreed(records: Iterable[Member]) -> str:
        """The name that all of these have; "" where they differ."""
        names = {record.main_record.shown_as or record.main_record.name for record in records}
        return names.pop() if len(names) == 1 else ""
