"""Backups of the database, and restoring one.

A file of SQLite must never be copied itself, because the newest entries are in the log beside it. PostgreSQL is dumped
and restored by its own programs (`clubs.postgresql`). Where they are missing or fail no backup is made, and whoever
asked for one hears why.

A backup is restored while the site is closed (`maintenance`). First a backup of the current state is made, which has
everything that was answered with "written"; later requests get a 503. Then another generation of the database begins
(`scoresheets.caches.generation`), by which caches, pages and phones know that versions are counted again.

PostgreSQL can be restored without us. A comment on the table of sheets names the table it was written on; `pg_restore`
makes another table with the old comment, and so every process of the site sees what has happened.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Collection
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import Error, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from clubs.models import Delivery, Event, Night
from clubs.postgresql import programs
from clubs.postgresql.programs import ProgramMissing, ProgramProblem
from clubs.site.maintenance import StillOpen, closed_site
from scoresheets.caches.generation import begin_generation
from scoresheets.models import Sheet

#: So many backups are kept, and of so many days the last one.
KEPT = 20
#: The last migration of the oldest version whose database can be upgraded, and the commit of that version.
OLDEST, VERSION_OF_OLDEST = ("clubs", "0017_writing_the_past"), "a1f0d2c"
#: Seconds after which nobody writes to the draft of a backup any more.
OLD_DRAFT = 24 * 3600.0
#: What the names of backups end in, by database; and how the file of a backup begins.
ENDINGS = {"sqlite": ".sqlite3", "postgresql": ".dump"}
BEGINNINGS = {"sqlite": b"SQLite format 3", "postgresql": b"PGDMP"}
#: What the name of a dump begins with. A backup of SQLite is called after its database.
DUMP = "box-and-circle"
RESTORED = "The site was restored from a backup."
OPEN = "Somebody has been waiting for an answer of the site for a minute. Stop the site, and try again."


class BackupProblem(Exception):
    """Why no backup was made or none could be restored: one sentence for the person at the terminal."""


def check_age(migrations: Collection[tuple[str, str]]) -> None:
    """Raise BackupProblem for a database with these migrations (app, name) that this version cannot upgrade."""
    if ("clubs", "0001_initial") in migrations and OLDEST not in migrations:
        raise BackupProblem(
            "This database is older than 22 November 2026. Start it once with the version of that day: "
            f"git checkout {VERSION_OF_OLDEST}, make run, then git checkout main and start again."
        )


def database_file() -> Path:
    """The database of a site on SQLite."""
    return Path(str(connection.settings_dict["NAME"]))


def has_tables() -> bool:
    """Whether there is more than an empty database. Raises BackupProblem where PostgreSQL cannot be asked."""
    if connection.vendor == "sqlite":
        return is_more_than_empty(database_file())
    try:
        return bool(connection.introspection.table_names())
    except Error as problem:
        raise BackupProblem(f"The database cannot be reached: {str(problem).strip()}") from problem


def is_more_than_empty(database: Path) -> bool:
    """Whether there is more than the empty file that opening a database of SQLite makes."""
    if not database.exists():
        return False
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as opened:
        try:
            return opened.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
        except sqlite3.DatabaseError:
            # Damaged, and worth keeping as it is.
            return True


def backup_folder() -> Path:
    """Where the backups are."""
    return settings.VAR / "backups"


def backups() -> list[Path]:
    """The backups of the site's database, the oldest first."""
    return sorted(backup_folder().glob(f"*{ENDINGS[connection.vendor]}"), key=lambda file: file.stat().st_mtime)


def makes_backups() -> bool:
    """Whether the site can make backups itself: on PostgreSQL that takes `pg_dump`."""
    return connection.vendor == "sqlite" or programs.is_installed()


def make_backup(folder: Path | None = None, *, seconds: float | None = None) -> Path:
    """Copy the database as it stands now into `folder` (`var/backups`), check the copy, and delete old ones.

    The site may go on while this happens. A copy gets its final name only when it is whole. The last twenty are kept,
    and the last one of each of the last twenty days that have one. PostgreSQL's programs may take so many `seconds`.
    """
    if not has_tables():
        raise BackupProblem("There is no database yet, so there is nothing to back up.")
    folder = folder or backup_folder()
    try:
        if connection.vendor == "sqlite":
            return write_backup(folder, database_file().stem, partial(copy_database, database_file()))
        return write_backup(folder, DUMP, partial(programs.dump, seconds=seconds))
    except ProgramProblem as problem:
        raise BackupProblem(str(problem)) from problem
    except (OSError, sqlite3.Error) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise BackupProblem(
            f"The backup could not be written to {folder}: {reason}. Is the disk full? Nothing was changed."
        ) from problem


def write_backup(folder: Path, stem: str, write: Callable[[Path], None]) -> Path:
    """A new backup in the folder, which `write` fills; one that was begun is taken away again where that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    ending = ENDINGS[connection.vendor]
    delete_old_drafts(folder, f"{stem}-*{ending}.draft*")
    name = f"{stem}-{datetime.now():%Y%m%d-%H%M%S-%f}{ending}"
    draft, backup = folder / f"{name}.draft", folder / name
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        write(draft)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.rename(backup)
    finally:
        draft.unlink(missing_ok=True)
        Path(f"{draft}-journal").unlink(missing_ok=True)
    made = sorted(folder.glob(f"{stem}-*{ending}"))
    # Many deletions by the owner on one day, each after a backup, leave those of other days alone.
    last_of_day = {file.name.removeprefix(f"{stem}-")[: len("YYYYMMDD")]: file for file in made}
    for old in {*made} - {*made[-KEPT:], *list(last_of_day.values())[-KEPT:]}:
        old.unlink()
    return backup


def copy_database(source: Path, draft: Path) -> None:
    """Copy a database of SQLite into a file that is there, and check that it is whole."""
    with closing(sqlite3.connect(source, timeout=20)) as here, closing(sqlite3.connect(draft)) as there:
        here.backup(there)
        # One whole file, without a log of its own beside it.
        there.execute("PRAGMA journal_mode=DELETE")
    check_whole(draft)


def delete_old_drafts(folder: Path, drafts: str) -> None:
    """Delete what a process left that was ended while it made a backup; not what another makes now."""
    for draft in folder.glob(drafts):
        if time.time() - draft.stat().st_mtime > OLD_DRAFT:
            draft.unlink(missing_ok=True)


def restore(backup: Path) -> Path | None:
    """Close the site, put `backup` in the place of the database, migrate it, and begin another generation.

    Returns the backup of what stood there. Raises BackupProblem, also where the site cannot be closed.
    """
    try:
        with closed_site():
            before = restore_backup(backup)
            call_command("migrate", verbosity=0, interactive=False)
            begin_again()
    except StillOpen:
        raise BackupProblem(OPEN) from None
    return before


def begin_again(*, only_if_restored: bool = False) -> bool:
    """Begin another generation, in which no phone and no page believes what it was told before; whether it was begun.

    Several processes may do so at the same time: on PostgreSQL one after the other.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                # Whoever reads and writes sheets goes on.
                table = connection.ops.quote_name(Sheet._meta.db_table)
                cursor.execute(f"LOCK TABLE {table} IN SHARE UPDATE EXCLUSIVE MODE")
            this, written = table_of_sheets()
            if only_if_restored and this == written:
                return False
            with connection.schema_editor() as editor:
                editor.alter_db_table_comment(Sheet, written, this)
        Night.objects.update(generation=begin_generation())
        # What waited then was sent since, or is no news any more.
        now = timezone.now()
        Event.objects.filter(expanded_at__isnull=True).update(expanded_at=now)
        Delivery.objects.waiting().update(given_up_at=now, seen_at=now, problem=RESTORED, message={})
    return True


def notice_restored() -> bool:
    """Begin another generation if PostgreSQL was restored by its own programs since the last time; whether it was."""
    if connection.vendor != "postgresql":
        return False
    this, written = table_of_sheets()
    return this != written and begin_again(only_if_restored=True)


def table_of_sheets() -> tuple[str, str]:
    """Which table of which PostgreSQL the one of sheets is, and which one it says it is: "" where it says nothing."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT format('Table %%s of %%s', t.oid, s.system_identifier),"
            " coalesce(obj_description(t.oid, 'pg_class'), '')"
            " FROM pg_class t, pg_control_system() s WHERE t.oid = %s::regclass",
            [Sheet._meta.db_table],
        )
        this, written = cursor.fetchone()
    return this, written


def restore_backup(backup: Path) -> Path | None:
    """Put the contents of `backup` in the place of the database; a backup of what stood there is made first.

    Returns that backup, None when there was nothing yet. Refuses a file that is damaged, is not of this site or was
    made by a newer version of it. Migrations it lacks are the caller's to run.
    """
    check_kind(backup)
    check_whole(backup)
    check_ours(backup)
    before = make_backup() if has_tables() else None
    connection.close()
    if connection.vendor == "sqlite":
        overwrite_database(backup)
        return before
    try:
        programs.restore(backup)
    except ProgramProblem as problem:
        raise BackupProblem(f"{problem} Nothing was changed. Stop the site everywhere, and try again.") from problem
    return before


def overwrite_database(backup: Path) -> None:
    """Put the contents of a backup into the file of SQLite, which processes of the site may have open."""
    target = database_file()
    target.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(f"{backup.resolve().as_uri()}?mode=ro", uri=True)) as source:
        with closing(sqlite3.connect(target, timeout=20)) as here:
            source.backup(here)


def check_kind(file: Path) -> None:
    """Raise BackupProblem where the file is missing or is a backup of the other database."""
    if not file.is_file():
        raise BackupProblem(f"There is no file {file}.")
    with file.open("rb") as opened:
        beginning = opened.read(max(map(len, BEGINNINGS.values())))
    for vendor, name, other in (("sqlite", "SQLite", "PostgreSQL"), ("postgresql", "PostgreSQL", "SQLite")):
        if beginning.startswith(BEGINNINGS[vendor]) and vendor != connection.vendor:
            raise BackupProblem(f"{file} is a backup of {name}, and this site keeps its data in {other}.")


def check_whole(file: Path) -> None:
    """Raise BackupProblem unless the database's own programs find the file sound."""
    try:
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as opened:
                answer = opened.execute("PRAGMA integrity_check").fetchone()[0]
        else:
            programs.check_whole(file)
            answer = "ok"
    except ProgramMissing as problem:
        raise BackupProblem(str(problem)) from problem
    except (sqlite3.DatabaseError, ProgramProblem) as error:
        answer = str(error).rstrip(".")
    if answer != "ok":
        raise BackupProblem(f"{file} is damaged or no database: {answer}.")


def check_ours(file: Path) -> None:
    """Raise BackupProblem unless the file is a database of this site, no newer than this version."""
    applied = migrations_in(file)
    if not any(app == "clubs" for app, name in applied):
        raise BackupProblem(f"{file} is not a database of this site.")
    check_age(applied)
    on_disk = MigrationLoader(None).disk_migrations
    known = set(on_disk).union(*(migration.replaces for migration in on_disk.values()))
    newer = sorted(f"{app}.{name}" for app, name in applied if (app, name) not in known)
    if newer:
        raise BackupProblem(f"{file} was made by a newer version of the site (it has {newer[0]}): upgrade first.")


def migrations_in(file: Path) -> set[tuple[str, str]]:
    """The migrations (app, name) that a backup has."""
    if connection.vendor == "postgresql":
        return programs.migrations_in(file)
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as opened:
        try:
            return set(opened.execute("SELECT app, name FROM django_migrations"))
        except sqlite3.OperationalError:
            return set()
