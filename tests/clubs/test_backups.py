"""A backup is whole, and a restored one is what the site shows."""

import os
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from clubs import house
from clubs.backups import KEPT, BackupProblem, make_backup, restore_backup
from clubs.models import User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


@pytest.fixture(autouse=True)
def var(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR = tmp_path
    return tmp_path


def names_in(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as opened:
        return [name for (name,) in opened.execute("SELECT username FROM clubs_user ORDER BY username")]


def test_backup_has_the_newest_entry_although_it_still_stands_in_the_log(var: Path) -> None:
    User.objects.create(username="ann")
    backup = make_backup()
    assert backup.parent == var / "backups"
    assert names_in(backup) == ["ann"]


def test_backup_is_one_file_for_its_owner_only(var: Path) -> None:
    backup = make_backup()
    assert [file.name for file in backup.parent.iterdir()] == [backup.name]
    assert backup.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(backup)) as opened:
        assert opened.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file of this process grows larger, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_backup_on_a_full_disk_ends_in_a_sentence_and_leaves_nothing_behind(var: Path) -> None:
    User.objects.create(username="ann")
    with files_of_at_most(20_000), pytest.raises(CommandError, match=r"could not be written to .*Is the disk full"):
        call_command("backup")
    assert list((var / "backups").iterdir()) == []
    assert names_in(make_backup()) == ["ann"]


def test_site_whose_database_cannot_be_backed_up_is_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise BackupProblem("Is the disk full?")

    monkeypatch.setattr(house, "bring_database_up_to_date", full)
    with pytest.raises(CommandError, match=r"was not started for the new version\. Is the disk full"):
        call_command("serve")


def test_last_twenty_backups_are_kept(var: Path) -> None:
    made = [make_backup() for _ in range(KEPT + 2)]
    assert sorted((var / "backups").iterdir()) == made[2:]


def test_backup_made_while_somebody_writes_has_what_was_written_before(var: Path) -> None:
    User.objects.create(username="ann")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE clubs_user SET username = 'bo'")
        assert names_in(make_backup()) == ["ann"]
        other.execute("ROLLBACK")


def test_restored_backup_is_what_the_site_reads(var: Path) -> None:
    User.objects.create(username="ann")
    backup = make_backup()
    User.objects.create(username="bo")
    before = restore_backup(backup)
    assert list(User.objects.values_list("username", flat=True)) == ["ann"]
    assert before is not None
    assert names_in(before) == ["ann", "bo"]


def test_site_that_is_open_reads_the_restored_database_without_a_restart(var: Path) -> None:
    User.objects.create(username="ann")
    backup = make_backup()
    User.objects.create(username="bo")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as worker:
        assert worker.execute("SELECT count(*) FROM clubs_user").fetchone() == (2,)
        restore_backup(backup)
        assert worker.execute("SELECT count(*) FROM clubs_user").fetchone() == (1,)


def test_damaged_file_is_refused_and_nothing_changes(var: Path) -> None:
    User.objects.create(username="ann")
    backup = make_backup()
    content = bytearray(backup.read_bytes())
    content[5000:30000] = os.urandom(25000)
    backup.write_bytes(content)
    with pytest.raises(BackupProblem, match="damaged"):
        restore_backup(backup)
    assert User.objects.get().username == "ann"


@pytest.mark.parametrize("content", [b"", b"no database at all"])
def test_file_that_is_no_backup_is_refused(var: Path, content: bytes) -> None:
    (var / "x.sqlite3").write_bytes(content)
    with pytest.raises(BackupProblem):
        restore_backup(var / "x.sqlite3")


def test_backup_of_a_newer_version_is_refused(var: Path) -> None:
    backup = make_backup()
    with closing(sqlite3.connect(backup)) as opened:
        opened.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('clubs', '9999_later', '2030-01-01')"
        )
        opened.commit()
    with pytest.raises(BackupProblem, match=r"newer version.*9999_later"):
        restore_backup(backup)


def test_missing_file_gets_a_sentence(var: Path) -> None:
    with pytest.raises(CommandError, match="There is no file"):
        call_command("restore", str(var / "nothing.sqlite3"))


def test_commands_say_what_they_did(var: Path, capsys: pytest.CaptureFixture[str]) -> None:
    User.objects.create(username="ann")
    call_command("backup")
    (backup,) = (var / "backups").iterdir()
    assert str(backup) in capsys.readouterr().out
    User.objects.all().delete()
    call_command("restore", str(backup))
    assert User.objects.get().username == "ann"
    assert "Restored from" in capsys.readouterr().out
