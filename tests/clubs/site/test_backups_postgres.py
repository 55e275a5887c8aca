"""A backup of PostgreSQL is made and restored by its own programs, as carefully as one of SQLite."""

from __future__ import annotations

import datetime
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection, connections
from pytest_django import Settings

from clubs.models import User
from clubs.postgresql import programs
from clubs.server import startup
from clubs.site.backups import KEPT, BackupProblem, backups, make_backup, makes_backups, restore
from scoresheets.models import Sheet
from tests.bench.live_site import LiveSite
from tests.clubs.server.test_startup import forgotten_migration  # noqa: F401
from tests.factories import scorer

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has backups of its own"),
]
NOON = datetime.datetime(2026, 3, 5, 12).astimezone()
#: The words in which `pg_dump` refuses a server that is newer than itself.
MISMATCH = """pg_dump: error: aborting because of server version mismatch
pg_dump: detail: server version: 16.1 (Debian 16.1-1); pg_dump version: 15.5 (Debian 15.5-0)"""


@pytest.fixture(autouse=True)
def var(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR = tmp_path / "var"
    return tmp_path / "var"


Replace = Callable[[str, str], None]


@pytest.fixture
def replace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Replace:
    """`replace("psql", script)`: that program is this script, which finds the real one in $REAL."""
    folder = tmp_path / "programs"
    folder.mkdir()
    path = os.environ["PATH"]

    def replace_by(name: str, script: str) -> None:
        real = shutil.which(name, path=path)
        (folder / name).write_text(f"#!/bin/sh\nREAL={real}\n{script}\n")
        (folder / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{path}")

    return replace_by


@pytest.fixture
def without_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing of PostgreSQL is installed."""
    monkeypatch.setenv("PATH", str(tmp_path))


def names() -> list[str]:
    return list(User.objects.order_by("username").values_list("username", flat=True))


# Making one


def test_backup_is_one_whole_file_for_its_owner_only(var: Path) -> None:
    User.objects.create(username="ann")
    backup = make_backup()
    assert list((var / "backups").iterdir()) == [backup] == backups()
    assert backup.name.startswith("box-and-circle-")
    assert backup.suffix == ".dump"
    assert backup.stat().st_mode & 0o777 == 0o600
    assert ("clubs", "0001_initial") in programs.migrations_in(backup)


def test_password_is_on_no_command_line(tmp_path: Path, replace: Replace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "s3cret")
    for name in ("pg_dump", "pg_restore", "psql"):
        replace(name, f'echo "$0 $*" >>{tmp_path}/lines; echo "$PGPASSWORD" >>{tmp_path}/passwords; exec $REAL "$@"')
    restore(make_backup())
    assert "s3cret" not in (tmp_path / "lines").read_text()
    assert {Path(line.split()[0]).name for line in (tmp_path / "lines").read_text().splitlines()} == {
        "pg_dump", "pg_restore", "psql",
    }  # fmt: skip
    assert set((tmp_path / "passwords").read_text().split()) == {"s3cret"}


def test_old_backups_are_deleted_as_those_of_sqlite_are(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "dump", lambda file, seconds: None)
    folder = var / "backups"
    folder.mkdir(parents=True)
    days = [NOON - datetime.timedelta(days=number) for number in range(KEPT, 0, -1)]
    earlier = [folder / f"box-and-circle-{day:%Y%m%d}-{hour}0000-000000.dump" for day in days for hour in ("04", "05")]
    other = folder / "box-and-circle-20200101-000000-000000.sqlite3"
    cut_off = folder / "box-and-circle-20260301-040000-000000.dump.draft"
    for file in (*earlier, other, cut_off):
        file.touch()
    os.utime(cut_off, (0, 0))
    with time_machine.travel(NOON):
        made = [make_backup() for _ in range(KEPT + 2)]
    assert set(folder.iterdir()) == {*earlier[3::2], *made[2:], other}


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (f"echo '{MISMATCH}' >&2; exit 1", "pg_dump 15.5 is older than the server, PostgreSQL 16.1: apt install "),
        ("echo 'pg_dump: error: could not write: No space left on device' >&2; exit 1", "pg_dump failed: could not "),
        ("exit 3", "pg_dump failed: it does not say why."),
        ('$REAL "$@"; for file; do :; done; : >"${file#--file=}"', "pg_restore failed: "),
    ],
)
def test_program_that_fails_ends_in_a_sentence_and_leaves_nothing_behind(
    var: Path, replace: Replace, script: str, sentence: str
) -> None:
    replace("pg_dump", script)
    with pytest.raises(CommandError) as told:
        call_command("backup")
    assert str(told.value).startswith(sentence)
    assert list((var / "backups").iterdir()) == []


def test_program_that_takes_too_long_is_ended(var: Path, replace: Replace) -> None:
    replace("pg_dump", "exec sleep 60")
    with pytest.raises(BackupProblem, match="pg_dump takes longer than 0 seconds"):
        make_backup(seconds=0.2)
    assert list((var / "backups").iterdir()) == []


def test_without_the_programs_the_commands_say_what_to_install(tmp_path: Path, without_programs: None) -> None:
    assert not makes_backups()
    (tmp_path / "cards.dump").write_bytes(b"PGDMP")
    with pytest.raises(CommandError, match=r"^pg_dump is not on this machine: apt install postgresql-client\.$"):
        call_command("backup")
    with pytest.raises(CommandError, match=r"^pg_restore is not on this machine: apt install postgresql-client\.$"):
        call_command("restore", str(tmp_path / "cards.dump"))


def test_database_that_cannot_be_reached_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.close()
    connection.close_pool()
    monkeypatch.setitem(connection.settings_dict, "PORT", "1")
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {})
    with pytest.raises(CommandError, match="The database cannot be reached"):
        call_command("backup")


# The start


def test_database_with_data_is_backed_up_before_the_start_changes_it(
    var: Path,
    forgotten_migration: None,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before: list[Path] = []
    monkeypatch.setattr(startup, "call_command", lambda *args, **options: before.extend(backups()))
    assert startup.bring_database_up_to_date() is True
    (backup,) = before
    assert f"The database was backed up to {backup} before it was changed" in capsys.readouterr().out


def test_site_starts_without_the_programs_and_says_so_in_one_line(
    forgotten_migration: None,  # noqa: F811
    without_programs: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    called: list[str] = []
    monkeypatch.setattr(startup, "call_command", lambda name, **options: called.append(name))
    assert startup.bring_database_up_to_date() is True
    assert called == ["migrate"]
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "backup" in line]
    assert line == (
        "No backup was made before the database is changed for this version: "
        "pg_dump is not on this machine: apt install postgresql-client."
    )


# Restoring one


def test_restored_backup_is_what_the_site_shows(capsys: pytest.CaptureFixture[str]) -> None:
    User.objects.create(username="ann")
    sheet = scorer(3).sheet
    backup = make_backup()
    User.objects.create(username="bo")
    call_command("restore", str(backup))
    assert names() == ["ann"]
    before = backups()[-1]
    assert f"The database until now is in {before}" in capsys.readouterr().out
    first = Sheet.objects.get(pk=sheet.pk)
    assert first.generation
    # An id that was given is not given again to somebody else than in the backup.
    cy = User.objects.create(username="cy")
    assert cy.pk == User.objects.get(username="ann").pk + 1
    restore(before)
    assert names() == ["ann", "bo"]
    assert Sheet.objects.get(pk=sheet.pk).generation > first.generation


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The DATABASE_URL of a database without a table, on the same server."""
    name, params = f"empty_{os.getpid()}", connection.get_connection_params()
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    yield f"postgres://{params['user']}@{params['host']}:{params['port']}/{name}"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_backup_is_restored_on_an_empty_machine(tmp_path: Path, empty_database: str) -> None:
    User.objects.create(username="ann")
    site = LiveSite(tmp_path / "empty", DATABASE_URL=empty_database)
    assert "Restored from" in site.run("manage.py", "restore", str(make_backup()))
    assert list((site.var / "backups").glob("*")) == []
    counted = site.run("manage.py", "shell", "--command", "from clubs.models import User; print(User.objects.get())")
    assert counted.split()[-1] == "ann"
    assert "Backed up to" in site.run("manage.py", "backup")


def test_table_of_a_newer_version_goes_when_an_older_backup_is_restored() -> None:
    User.objects.create(username="ann")
    backup = make_backup()
    with connection.cursor() as cursor:
        cursor.execute('CREATE TABLE "Clubs_later" (id bigint REFERENCES clubs_user (id), word text)')
        cursor.execute("INSERT INTO \"Clubs_later\" SELECT id, '' FROM clubs_user")
    restore(backup)
    assert names() == ["ann"]
    assert "Clubs_later" not in connection.introspection.table_names()


def test_server_that_is_older_than_the_programs_takes_their_script(replace: Replace) -> None:
    backup = make_backup()
    User.objects.create(username="bo")
    replace("pg_restore", 'case "$*" in *--no-comments*) echo "SET transaction_timeout = 0;";; esac; exec $REAL "$@"')
    restore(backup)
    assert names() == []


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("pg_restore", 'case "$*" in *--no-comments*) $REAL "$@" | head -c 60000; exit 1;; esac; exec $REAL "$@"'),
        ("psql", "echo 'psql: error: the connection was lost' >&2; exit 2"),
        ("psql", '(head -c 60000; echo; echo "SELECT 1 / 0;") | exec $REAL "$@"'),
    ],
)
def test_restore_that_fails_halfway_changes_nothing(replace: Replace, name: str, script: str) -> None:
    User.objects.create(username="ann")
    backup = make_backup()
    User.objects.create(username="bo")
    replace(name, script)
    with pytest.raises(BackupProblem, match=r"failed: .* Nothing was changed\. Stop the site everywhere"):
        restore(backup)
    assert names() == ["ann", "bo"]
    assert len(backups()) == 2


def test_nothing_is_restored_where_the_database_of_now_cannot_be_backed_up(replace: Replace) -> None:
    backup = make_backup()
    User.objects.create(username="bo")
    replace("pg_dump", "exit 1")
    with pytest.raises(BackupProblem, match="pg_dump failed"):
        restore(backup)
    assert names() == ["bo"]


def test_damaged_dump_is_refused_and_nothing_changes() -> None:
    backup = make_backup()
    User.objects.create(username="bo")
    content = backup.read_bytes()
    for damaged in (content[: len(content) // 2], b"", b"no database at all"):
        backup.write_bytes(damaged)
        with pytest.raises(BackupProblem, match="is damaged or no database: pg_restore failed"):
            restore(backup)
    assert names() == ["bo"]


def test_backup_of_a_newer_version_is_refused() -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('clubs', '9999_later', now())")
    backup = make_backup()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE name = '9999_later'")
    with pytest.raises(BackupProblem, match=r"newer version.*9999_later"):
        restore(backup)


def test_dump_of_another_program_and_a_file_of_sqlite_are_refused(var: Path, replace: Replace) -> None:
    replace("pg_dump", 'exec $REAL "$@" --table=scoresheets_sheet')
    with pytest.raises(BackupProblem, match="is not a database of this site"):
        restore(make_backup())
    (var / "cards.sqlite3").write_bytes(b"SQLite format 3\0")
    with pytest.raises(BackupProblem, match="is a backup of SQLite, and this site keeps its data in PostgreSQL"):
        restore(var / "cards.sqlite3")


def test_backup_is_restored_while_other_connections_read_and_write(var: Path) -> None:
    """As the thread of the site does, which no gate keeps out."""
    User.objects.create(username="ann")
    backup = make_backup()
    ends, answers = threading.Event(), []

    def write() -> None:
        try:
            while not ends.is_set():
                User.objects.filter(username="ann").update(first_name="Ann")
                answers.append(len(names()))
        finally:
            connections.close_all()

    thread = threading.Thread(target=write)
    thread.start()
    restore(backup)
    ends.set()
    thread.join()
    assert set(answers) == {1}
    assert names() == ["ann"]
