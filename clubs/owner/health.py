"""The health of the site, for its owner: what is written, counted, mailed and backed up, and the space that is left."""

from __future__ import annotations

import datetime
import shutil
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from clubs import __version__
from clubs.models import PendingUpdate
from clubs.notices.mail import mail_is_printed
from clubs.outbox.given_up import GivenUp, given_up_since
from clubs.site.backups import KEPT, backup_folder, backups, database_file, makes_backups
from clubs.site.error_views import probe
from scoresheets.access.throttle import CONNECTIONS, OPEN_SHEET, SHEET_FILE, WRONG_ADDRESS, limits_reached

#: Below that much free space the page says so: a backup must still find room.
LITTLE_SPACE = 500_000_000
#: For so long the page tells what was given up.
TOLD = datetime.timedelta(days=7)

#: What the page calls an action that has a limit.
TOO_OFTEN = {
    WRONG_ADDRESS: "wrong addresses of sheets",
    SHEET_FILE: "files of sheets",
    OPEN_SHEET: "new sheets",
    CONNECTIONS: "open connections",
}


@dataclass(frozen=True)
class LastBackup:
    """The newest backup in the folder of backups."""

    file: Path
    made_at: datetime.datetime
    size: int


@dataclass(frozen=True)
class LimitReached:
    """What somebody did too often: how often a limit was reached, and when last."""

    what: str
    times: int
    last: datetime.datetime


@dataclass(frozen=True)
class Health:
    """How the site is. Sizes are bytes."""

    version: str
    can_write: bool
    #: Whether the site can make backups itself.
    makes_backups: bool
    size: int
    free: int
    mail_is_sent: bool
    #: Results that could not be counted so far.
    failures: int
    #: What could not be delivered, by channel.
    given_up: list[GivenUp]
    #: What a network did so often that it was refused for a while.
    limits_reached: list[LimitReached]
    backup: LastBackup | None
    backups: int
    size_of_backups: int
    most_backups: int
    folder: Path

    @property
    def little_space(self) -> bool:
        return self.free < LITTLE_SPACE


def health() -> Health:
    """How the site is now. Four queries, and one more at most every five seconds, which writes."""
    made = backups()
    return Health(
        version=__version__,
        can_write=can_write(),
        makes_backups=makes_backups(),
        size=size_of_database(),
        free=shutil.disk_usage(settings.VAR).free,
        mail_is_sent=not mail_is_printed(),
        failures=PendingUpdate.objects.filter(failures__gt=0).count(),
        given_up=given_up_since(timezone.now() - TOLD),
        limits_reached=[
            LimitReached(TOO_OFTEN[action], times, datetime.datetime.fromtimestamp(last, tz=datetime.UTC))
            for action, times, last in limits_reached()
        ],
        backup=described(made[-1]) if made else None,
        backups=len(made),
        size_of_backups=sum(file.stat().st_size for file in made),
        most_backups=KEPT,
        folder=backup_folder(),
    )


def can_write() -> bool:
    """Whether the database takes a write, as the address for watching over the machine finds out (`healthz`)."""
    try:
        probe.write()
    except Error:
        return False
    return True


def size_of_database() -> int:
    """How many bytes the data takes, with the log beside it."""
    if connection.vendor == "sqlite":
        file = database_file()
        return sum(part.stat().st_size for part in (file, file.with_name(f"{file.name}-wal")) if part.exists())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def described(file: Path) -> LastBackup:
    about = file.stat()
    return LastBackup(
        file, datetime.datetime.fromtimestamp(about.st_mtime, tz=timezone.get_current_timezone()), about.st_size
    )
