"""Closing a sheet, an account or a club (that is archived) after a backup, and opening it again.

What the buttons of the pages do is in `OF_A_SHEET`, `OF_AN_ACCOUNT` and `OF_A_CLUB`, which `press` looks up. Closing
raises `BackupProblem` where there is no backup: then nothing is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.known_clubs import memberships
from clubs.accounts.sessions import sign_out_everywhere
from clubs.club.settings import bring_back, put_away
from clubs.models import Club, User
from clubs.owner.backup_first import backup_first
from clubs.owner.sheets import table_of
from clubs.owner.tables import title_of
from scoresheets.models import Scorekeeper, ShareLink, Sheet

Thing = TypeVar("Thing")

CLOSED = "The owner of this site has closed this sheet. It can only be read."


def close_sheet(sheet: Sheet) -> None:
    """Nobody writes on the sheet any more, and no scorekeeper link opens it."""
    with transaction.atomic():
        Sheet.objects.select_for_update(no_key=True).get(pk=sheet.pk)
        now = timezone.now()
        if not Sheet.objects.filter(pk=sheet.pk, closed="").update(closed=CLOSED):
            return
        ShareLink.objects.filter(sheet=sheet, revoked_at__isnull=True).update(revoked_at=now)
        Scorekeeper.objects.filter(sheet=sheet, revoked_at__isnull=True).update(revoked_at=now)
        tell_club_of(sheet, "The owner of the site closed the sheet “{}”.")


def open_sheet_again(sheet: Sheet) -> None:
    """Who has a new scorekeeper link may write on it; the old ones stay revoked."""
    with transaction.atomic():
        if Sheet.objects.filter(pk=sheet.pk, closed=CLOSED).update(closed=""):
            tell_club_of(sheet, "The owner of the site opened the sheet “{}” again.")


def tell_club_of(sheet: Sheet, says: str) -> None:
    """A line in the activity log of the club at whose table the sheet is, if it is at one."""
    if table := table_of(sheet):
        write_down(table.night.club, says.format(title_of(sheet)), by=None)


def close_account(user: User) -> None:
    """Nobody signs in with it any more, nor is signed in anywhere. Its clubs are told, and keep all results."""
    with transaction.atomic():
        if User.objects.filter(pk=user.pk, is_active=True).update(is_active=False):
            sign_out_everywhere(user)
            tell_clubs(user, "The owner of the site closed the account of {}.")


def open_account_again(user: User) -> None:
    """They sign in as before."""
    with transaction.atomic():
        if User.objects.filter(pk=user.pk, is_active=False).update(is_active=True):
            tell_clubs(user, "The owner of the site opened the account of {} again.")


def tell_clubs(user: User, says: str) -> None:
    """A line in the activity log of each club they belong to."""
    for member in memberships(user):
        write_down(member.club, says.format(member.name), by=None)


def archive_club(club: Club) -> None:
    """Only its members find it, and nothing new begins there."""
    put_away(club, by=None)


def bring_club_back(club: Club) -> None:
    """It is as it was before."""
    bring_back(club, by=None)


@dataclass(frozen=True)
class Button(Generic[Thing]):
    """What a button does with a thing, and whether a backup comes first."""

    do: Callable[[Thing], None]
    is_after_backup: bool = False


def press(buttons: Mapping[str, Button[Thing]], name: str, thing: Thing, *, has_backup: bool) -> bool:
    """Do what the button of that name does; whether there is one. `has_backup`: the owner says that they made a backup.

    Raises `BackupProblem`, and then nothing is done.
    """
    button = buttons.get(name)
    if button and button.is_after_backup:
        backup_first(has_own=has_backup)
    if button:
        button.do(thing)
    return button is not None


OF_A_SHEET = {"close": Button(close_sheet, is_after_backup=True), "open": Button(open_sheet_again)}
OF_AN_ACCOUNT = {"close": Button(close_account, is_after_backup=True), "open": Button(open_account_again)}
OF_A_CLUB = {"put-away": Button(archive_club, is_after_backup=True), "bring-back": Button(bring_club_back)}
