"""Closing a sheet or an account, and opening it again. A club is archived instead (`clubs.club.settings`)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.known_clubs import memberships
from clubs.accounts.sessions import sign_out_everywhere
from clubs.models import User
from clubs.owner.sheets import table_of
from clubs.owner.tables import title_of
from scoresheets.models import Scorekeeper, ShareLink, Sheet

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
