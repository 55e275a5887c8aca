"""The backup before an owner deletes, closes or archives something.

Where the site cannot make one itself (PostgreSQL without `pg_dump`, or one that fails), the owner says by a tick that
they have made one. On SQLite nothing is done without a backup.
"""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import connection

from clubs.site.backups import BackupProblem, make_backup, makes_backups

#: The name of the tick.
BACKED_UP = "backed_up"


class NotTicked(BackupProblem):
    """The site can make no backup itself, and nobody has said that they made one."""


def back_up() -> Path:
    """A backup that a page asked for: where it is. Raises `BackupProblem` before the watchdog ends the request."""
    return make_backup(seconds=settings.LONGEST_REQUEST / 3)


def backup_first(*, has_own: bool) -> Path | None:
    """A backup of the site as it is before: where it is, None where the owner has their own (`has_own`) and no other.

    Raises `BackupProblem`: then nothing may be deleted or closed.
    """
    if missing_tick(has_backup=has_own):
        raise NotTicked
    try:
        return back_up()
    except BackupProblem:
        if has_own and connection.vendor != "sqlite":
            return None
        raise


def missing_tick(*, has_backup: bool) -> list[str]:
    """The name of the tick where the owner must say that they made a backup, and has not; else nothing."""
    return [] if has_backup or makes_backups() else [BACKED_UP]


def about_backup(problem: BackupProblem | None = None) -> dict[str, object]:
    """What a page says of the backup: whether one is made or a tick is needed, and after a post what was wrong."""
    not_ticked = isinstance(problem, NotTicked)
    return {
        "makes_backups": makes_backups() and (problem is None or connection.vendor == "sqlite"),
        "problem": "" if problem is None or not_ticked else str(problem),
        "missing": [BACKED_UP] if not_ticked else [],
    }


def status_of(problem: BackupProblem | None) -> int:
    """The status of the page that says so."""
    return 200 if problem is None else 422 if isinstance(problem, NotTicked) else 409
