"""Club files made in the background: requested on a page, made by a process of its own, kept for a day.

A club of some years has thousands of sheets, which take seconds to read. `ask_for` writes a row. The worker thread
(`clubs.projections.worker`) starts `manage.py club make-file` for it, one at a time on the whole site, and the page
shows its progress. If the process is silent for too long it has ended, and another starts the file again.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
import subprocess
import sys
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.archive.export import packed
from clubs.members.people import locked
from clubs.models import Club, ClubExport
from clubs.queue.changes import wake
from clubs.site.database_errors import FULL, LOCKED, trace, trouble_of
from clubs.site.maintenance import enter_site

journal = logging.getLogger("clubs.problems")

State = ClubExport.State

KEPT_FOR = timedelta(days=1)
#: A process that has shown nothing for so long has ended.
SILENT = timedelta(seconds=30)
#: Seconds between two looks of the process at its row.
BETWEEN = 0.5
#: So many processes try it.
MOST_TRIES = 3

NO_ROOM = "There is no room left on the site’s disk. Tell the person who runs the site."
BROKEN = "Something went wrong. If it happens again, tell the person who runs the site: the reason is in its log."


class NotWantedError(Exception):
    """The file was withdrawn while it was being made."""


def folder() -> Path:
    """Where the files lie, which nobody but the site reads."""
    return settings.VAR / "club-files"


def path_of(export: ClubExport) -> Path:
    return folder() / f"{export.key}.club.gz"


# On the site


def ask_for(club: Club) -> None:
    """Let the file be made. The one before is thrown away; one that is being made is waited for."""
    with transaction.atomic():
        locked(club)
        export = ClubExport.objects.filter(club=club).first()
        if export and export.is_under_way:
            return
        throw_away(ClubExport.objects.filter(club=club))
        ClubExport.objects.create(club=club, key=secrets.token_hex(16))
        transaction.on_commit(wake)


def file_of(club: Club) -> ClubExport | None:
    """The file that was asked for, unless it has run out or is gone from the folder."""
    export = ClubExport.objects.filter(club=club, asked_at__gt=timezone.now() - KEPT_FOR).first()
    return None if export and export.state == State.READY and not path_of(export).exists() else export


def throw_away(exports: QuerySet[ClubExport]) -> None:
    """Delete these rows, and their files once that is certain. What is being made is not finished."""
    paths = [path_of(export) for export in exports]
    exports.delete()
    for path in paths:
        transaction.on_commit(partial(path.unlink, missing_ok=True))


def throw_old_ones_away() -> None:
    """Delete the files that have been kept long enough, and those that belong to no row."""
    throw_away(ClubExport.objects.filter(asked_at__lte=timezone.now() - KEPT_FOR))
    if folder().is_dir():
        known = {path_of(export).name for export in ClubExport.objects.all()}
        for path in folder().iterdir():
            if path.name.removesuffix(".part") not in known:
                path.unlink(missing_ok=True)


# Starting it


def start_next() -> subprocess.Popen[bytes] | None:
    """Start a process for the file that has waited longest, unless one is being made."""
    export = claim_next()
    if export is None:
        return None
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "club", "make-file", export.key]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd=settings.BASE_DIR)  # noqa: S603 - it is ours


def claim_next() -> ClubExport | None:
    """The file that is to be made now, marked as begun; None: there is none, or another is being made."""
    silent = Q(seen_at__lt=timezone.now() - SILENT)
    under_way = ClubExport.objects.filter(state__in=(State.WAITING, State.MAKING))
    # Most of the time there is nothing to do, and nobody else is kept from writing.
    if not under_way.exists():
        return None
    with transaction.atomic():
        if under_way.filter(state=State.MAKING).exclude(silent).exists():
            return None
        export = under_way.select_for_update().order_by("asked_at", "pk").first()
        if export is None:
            return None
        if export.tries >= MOST_TRIES:
            fail(export, BROKEN)
            return None
        export.state, export.seen_at, export.tries = State.MAKING, timezone.now(), export.tries + 1
        export.save(update_fields=["state", "seen_at", "tries"])
    return export


# Making it


def make(key: str) -> None:
    """Make the file of that key, which was claimed. What goes wrong is said on the page, and told to the journal.

    While a backup is restored nothing is read, and a database that is busy is left alone: another process tries again.
    """
    inside = enter_site()
    if inside is None:
        return
    try:
        export = ClubExport.objects.select_related("club").filter(key=key, state=State.MAKING).first()
        if export:
            make_or_say_why(export)
    finally:
        os.close(inside)


def make_or_say_why(export: ClubExport) -> None:
    """Make the file, or write down why it cannot be made."""
    try:
        write_file(export)
    except NotWantedError:
        path_of(export).unlink(missing_ok=True)
    except Exception as error:
        journal.error("The file of a club could not be made. %s", trace(error))
        if trouble_of(error) != LOCKED:
            fail(export, NO_ROOM if is_full(error) else BROKEN)


def write_file(export: ClubExport) -> None:
    """Write it into the folder, whole or not at all. Raises NotWantedError, OSError and what a database raises."""
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    path = path_of(export)
    part = path.with_name(f"{path.name}.part")
    try:
        content = packed(export.club, Progress(export))
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    mark(export, state=State.READY)


class Progress:
    """Says in the row of a file how far it is, now and then."""

    def __init__(self, export: ClubExport) -> None:
        self.export = export
        self.last = 0.0

    def __call__(self, done: int, total: int) -> None:
        """So many of all sheets are in it. Raises NotWantedError."""
        if done == total or time.monotonic() - self.last > BETWEEN:
            mark(self.export, done=done, total=total)
            self.last = time.monotonic()


def mark(export: ClubExport, **change: object) -> None:
    """Change its row. Raises NotWantedError where the row is gone: the file is asked for no more."""
    rows = ClubExport.objects.filter(pk=export.pk, key=export.key, state=State.MAKING)
    if not rows.update(seen_at=timezone.now(), **change):
        raise NotWantedError


def fail(export: ClubExport, problem: str) -> None:
    """Say why it could not be made."""
    ClubExport.objects.filter(pk=export.pk, key=export.key).update(
        state=State.FAILED, problem=problem, seen_at=timezone.now()
    )


def is_full(error: BaseException) -> bool:
    """Whether the disk has no room left."""
    is_of_disk = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return is_of_disk or trouble_of(error) == FULL
