"""Deleting a club, a sheet or an account: what goes and what stays, and a backup before anything is deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.urls import reverse

from clubs.access.outdated import mark_for
from clubs.erasure.account import belongings_of, delete_account_of
from clubs.erasure.club import delete_club, delete_sheets
from clubs.models import Club, Table, User
from clubs.owner.backup_first import backup_first
from clubs.owner.sheets import names_on
from clubs.owner.tables import title_of
from scoresheets.models import Sheet


@dataclass(frozen=True)
class Deletion:
    """Something that an owner may delete. `goes` and `stays` are sentences for the page that asks.

    `back` is the page of the thing, `listed` the list on which it stood.
    """

    name: str
    goes: Sequence[str]
    stays: Sequence[str]
    do: Callable[[], object]
    back: str
    listed: str

    @property
    def mark(self) -> str:
        """Tells whether the page still says what would go."""
        return mark_for(self.name, *self.goes, *self.stays)


def delete(deletion: Deletion, *, has_backup: bool) -> Path | None:
    """Delete it after a backup: where that is, None where only the owner has one (`has_backup`).

    Raises `BackupProblem`: then nothing is gone.
    """
    backup = backup_first(has_own=has_backup)
    deletion.do()
    return backup


def deletion_of_club(club: Club) -> Deletion:
    """A row of `clubs_with_counts`."""
    counts = vars(club)
    people, nights = counts["people"], counts["nights_held"]
    accounts = club.members.filter(user__isnull=False).values("user").distinct().count()
    brought = (
        Table.objects.belonging().filter(night__club=club, source=Table.Source.BROUGHT, sheet__isnull=False).count()
    )
    sheets = counts["sheets"] - brought
    stays = [f"{accounts} account{plural(accounts)}: whoever has one can still sign in."] if accounts else []
    if brought:
        stays.append(f"{brought} sheet{plural(brought)} that began elsewhere, from now on without a club.")
    return Deletion(
        name=club.name,
        goes=[
            f"{people} {'person' if people == 1 else 'people'}, with all results, records and trophies.",
            f"{nights} night{plural(nights)}.",
            f"{sheets} sheet{plural(sheets)}, with every hand on them.",
        ],
        stays=stays,
        do=partial(delete_club, club),
        back=reverse("owner_club", args=[club.slug]),
        listed=reverse("owner_clubs"),
    )


def deletion_of_sheet(sheet: Sheet) -> Deletion:
    """A sheet without a club."""
    names = ", ".join(names_on(sheet))
    return Deletion(
        name=title_of(sheet),
        goes=[f"The game of {names}, written on {sheet.version} time{plural(sheet.version)}."],
        stays=[],
        do=partial(delete_sheets, [sheet.pk]),
        back=reverse("owner_sheet", args=[sheet.code]),
        listed=reverse("owner_sheets"),
    )


def deletion_of_account(user: User) -> Deletion:
    """An account that is no owner's."""
    stays = []
    for belonging in belongings_of(user):
        member = belonging.member
        stays.append(f"{member.name} in {member.club.name}, without an account, with all results.")
        if belonging.is_last:
            stays.append(f"{member.club.name} without an organiser: make a code for a new one.")
    return Deletion(
        name=user.email or user.get_username(),
        goes=["The mail address, password, passkeys, own words and unfinished imports. Nobody can sign in with it."],
        stays=stays,
        do=partial(delete_account_of, user, erase=False),
        back=reverse("owner_account", args=[user.pk]),
        listed=reverse("owner_accounts"),
    )


def plural(number: int) -> str:
    return "" if number == 1 else "s"
