"""Deleting a club, a sheet or an account: what goes and what stays, and a backup before anything is deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.db import transaction
from django.urls import reverse
from django.utils.dateformat import format as date_format

from clubs.access.audit_log import write_down
from clubs.access.outdated import mark_for
from clubs.erasure.account import belongings_of, delete_account_of
from clubs.erasure.club import delete_club, delete_sheet_of_club, delete_sheets
from clubs.models import Award, Club, PlayOff, Table, User
from clubs.owner.backup_first import backup_first
from clubs.owner.sheets import names_on
from clubs.owner.tables import title_of
from clubs.records.games import is_of_play_off
from scoresheets.models import Sheet


@dataclass(frozen=True)
class Deletion:
    """Something that an owner may delete. `goes` and `stays` are sentences for the page that asks.

    `back` is the page of the thing, `listed` the list on which it stood, and `to_list` what a link there says.
    """

    name: str
    goes: Sequence[str]
    stays: Sequence[str]
    do: Callable[[], object]
    back: str
    listed: str
    to_list: str = "Back to the list"

    @property
    def mark(self) -> str:
        """Tells whether the page still says what would go."""
        return mark_for(self.name, *self.goes, *self.stays)


def delete(deletion: Deletion, *, has_backup: bool) -> Path | None:
    """Delete it after a backup: where that is, None where only the owner has one (`has_backup`).

    Raises `BackupProblem`, and `NotNow` where something else needs it by now: then nothing is gone.
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
    return Deletion(
        name=title_of(sheet),
        goes=[game_on(sheet)],
        stays=[],
        do=partial(delete_sheets, [sheet.pk]),
        back=reverse("owner_sheet", args=[sheet.code]),
        listed=reverse("owner_sheets"),
    )


def deletion_of_sheet_of_club(sheet: Sheet, table: Table) -> Deletion:
    """A sheet at the table of a club that no play-off needs (`play_off_with`)."""
    night, club = table.night, table.night.club
    goes = [game_on(sheet), f"What it counts for in {club.name}: all results are counted again without it."]
    if table.stage:
        goes.append("The way back to the play-off of its night, which was called off.")
    awards = Award.objects.confirmed().filter(table=table, source=Award.Source.SHEET).select_related("trophy")
    return Deletion(
        name=title_of(sheet),
        goes=goes,
        stays=[
            f"The night of {date_format(night.on, 'j F Y')}, without this table.",
            *(f"{award.trophy.name}, won at this table: organisers are asked whether that counts." for award in awards),
        ],
        do=partial(delete_and_tell, sheet, table),
        back=reverse("owner_sheet", args=[sheet.code]),
        listed=reverse("owner_club", args=[club.slug]),
        to_list="Back to the evening" if club.is_evening else "Back to the club",
    )


def delete_and_tell(sheet: Sheet, table: Table) -> None:
    """Delete the sheet of a club, with a line in its activity log. Raises `NotNow`."""
    with transaction.atomic():
        delete_sheet_of_club(table)
        write_down(table.night.club, f"The owner of the site deleted the sheet “{title_of(sheet)}”.", by=None)


def game_on(sheet: Sheet) -> str:
    return f"The game of {', '.join(names_on(sheet))}, written on {sheet.version} time{plural(sheet.version)}."


def play_off_with(table: Table | None) -> PlayOff | None:
    """The play-off that needs the sheet at the table, as other tables were drawn from it: it must be called off first.

    `table`: as `table_of` has it. None: the sheet may be deleted.
    """
    return table.stage.play_off if table and table.stage and is_of_play_off(table) else None


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
        goes=["Email address, password, passkeys, added words and unfinished imports. Nobody can sign in with it."],
        stays=stays,
        do=partial(delete_account_of, user, erase=False),
        back=reverse("owner_account", args=[user.pk]),
        listed=reverse("owner_accounts"),
    )


def plural(number: int) -> str:
    return "" if number == 1 else "s"
