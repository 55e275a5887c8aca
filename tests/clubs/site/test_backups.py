"""A backup is whole, and a restored one is what the site shows."""

import datetime
import os
import re
import resource
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from clubs.models import Delivery, Event, User, Webhook
from clubs.server import startup
from clubs.site.backups import KEPT, BackupProblem, make_backup, restore, restore_backup
from clubs.site.maintenance import StillOpen, closed_site, enter_site
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, NightFactory
from tests.factories import scorer
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


@pytest.fixture(autouse=True)
def var(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR = tmp_path
    return tmp_path


#: Of the site's own clock, as the names of backups are.
NOON = datetime.datetime(2026, 3, 5, 12).astimezone()


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


def test_backup_deletes_what_an_earlier_one_left_that_was_cut_off(var: Path) -> None:
    folder = var / "backups"
    folder.mkdir()
    stem = Path(connection.settings_dict["NAME"]).stem
    left, new = (folder / f"{stem}-20260301-{hour}0000-000000.sqlite3.draft" for hour in ("04", "05"))
    for draft in (left, new):
        draft.touch()
    os.utime(left, (0, 0))
    backup = make_backup()
    assert sorted(folder.iterdir()) == sorted([new, backup])


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

    monkeypatch.setattr(startup, "bring_database_up_to_date", full)
    with pytest.raises(CommandError, match=r"was not started for the new version\. Is the disk full"):
        call_command("serve")


def test_last_twenty_backups_are_kept(var: Path) -> None:
    with time_machine.travel(NOON):
        made = [make_backup() for _ in range(KEPT + 2)]
    assert sorted((var / "backups").iterdir()) == made[2:]


def test_many_backups_of_one_day_leave_the_last_one_of_each_of_twenty_days(var: Path) -> None:
    folder = var / "backups"
    folder.mkdir()
    days = [NOON - datetime.timedelta(days=number) for number in range(KEPT, 0, -1)]
    stem = Path(connection.settings_dict["NAME"]).stem
    earlier = [folder / f"{stem}-{day:%Y%m%d}-{hour}0000-000000.sqlite3" for day in days for hour in ("04", "05")]
    for file in earlier:
        file.touch()
    with time_machine.travel(NOON):
        made = [make_backup() for _ in range(KEPT + 2)]
    assert sorted(folder.iterdir()) == earlier[3::2] + made[2:]


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


# The site is closed meanwhile


def test_nobody_comes_in_while_the_site_is_closed_and_everybody_afterwards(var: Path, client: Client) -> None:
    with closed_site():
        answer = client.get("/open/")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert "a backup is being restored" in answer.content.decode()
        told = client.post("/open/", headers={"Accept": "application/json"})
        assert told.status_code == 503
        assert told.json()["problem"].startswith("The site is closed for a moment")
        assert client.get("/healthz").status_code == 503
    assert client.get("/open/").status_code == 200


def test_site_is_closed_when_whoever_was_inside_has_an_answer(var: Path) -> None:
    inside = enter_site()
    assert inside is not None
    with pytest.raises(StillOpen), closed_site(patience=0.2):
        pass
    # Whoever waits for it keeps others out, and gives up in peace.
    os.close(inside)
    with closed_site(patience=0.2):
        assert enter_site() is None
    again = enter_site()
    assert again is not None
    os.close(again)


def test_site_that_cannot_be_closed_is_not_restored(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create(username="ann")
    backup = make_backup()
    User.objects.create(username="bo")
    inside = enter_site()
    assert inside is not None
    monkeypatch.setattr("clubs.site.maintenance.PATIENCE", 0.2)
    with pytest.raises(CommandError, match="Stop the site"):
        call_command("restore", str(backup))
    os.close(inside)
    assert User.objects.count() == 2


def test_what_was_answered_before_the_site_closed_stands_in_the_backup_of_before(var: Path) -> None:
    """Four threads write as fast as they can while a backup is restored: what they were told stands in one of both."""
    User.objects.create(username="ann")
    backup = make_backup()
    told: list[tuple[str, int]] = []
    ends = threading.Event()

    def write(which: int) -> None:
        count = 0
        while not ends.is_set() and count < 500:
            count += 1
            inside = enter_site()
            if inside is None:
                told.append(("", 503))
                ends.wait(0.01)
                continue
            try:
                User.objects.create(username=f"{which}-{count}")
                told.append((f"{which}-{count}", 200))
            finally:
                connection.close()
                os.close(inside)

    threads = [threading.Thread(target=write, args=(which,)) for which in range(4)]
    for one in threads:
        one.start()
    until(lambda: len(told) > len(threads))
    before = restore(backup)
    ends.set()
    for one in threads:
        one.join()
    written = {name for name, status in told if status == 200}
    now = set(User.objects.values_list("username", flat=True))
    assert ("", 503) in told
    assert before is not None
    assert written <= set(names_in(before)) | now


def test_restored_database_begins_another_generation(var: Path) -> None:
    sheet = scorer(3).sheet
    backup = make_backup()
    restore(backup)
    first = Sheet.objects.get(pk=sheet.pk)
    assert first.generation
    assert first.restored == first.version
    restore(backup)
    assert Sheet.objects.get(pk=sheet.pk).generation > first.generation


def test_what_waited_to_be_sent_when_the_backup_was_made_is_not_sent_again(var: Path) -> None:
    club = ClubFactory()
    hook = Webhook.objects.create(club=club, form="signed", url="https://9.9.9.9/", secret="s")
    event = Event.objects.create(club=club, kind="called", key="1", expanded_at=timezone.now())
    Delivery.objects.create(event=event, channel="webhook", webhook=hook, message={"text": "Ann wins"})
    Event.objects.create(club=club, kind="result", key="2")
    restore(make_backup())
    assert not Event.objects.filter(expanded_at__isnull=True).exists()
    (delivery,) = Delivery.objects.all()
    assert (delivery.given_up_at is not None, delivery.seen_at is not None, delivery.message) == (True, True, {})


def test_database_that_another_program_restored_begins_one_when_it_is_told(
    var: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = scorer(3).sheet
    call_command("restore", "--done")
    assert Sheet.objects.get(pk=sheet.pk).generation
    with pytest.raises(CommandError, match="Say which file"):
        call_command("restore")


def test_page_of_a_night_without_a_sheet_is_told_of_a_restored_backup(var: Path) -> None:
    """A page that is open believes that it has the news as long as the mark is the same."""
    night = NightFactory(begun_at=None)
    poll = reverse("night_tables", args=[night.club.slug, night.pk])
    night.club.visibility = "public"
    night.club.save()
    backup = make_backup()

    def mark() -> str:
        found = re.search(r"\?v=([\w-]+)", Client().get(poll).content.decode())
        assert found
        return found[1]

    before = mark()
    assert Client().get(poll, {"v": before}).status_code == 204
    for again in (lambda: restore(backup), lambda: call_command("restore", "--done")):
        again()
        assert Client().get(poll, {"v": before}).status_code == 200
        before = mark()


def test_dump_of_postgresql_is_refused(var: Path) -> None:
    (var / "cards.dump").write_bytes(b"PGDMP\1\16")
    with pytest.raises(BackupProblem, match="is a backup of PostgreSQL, and this site keeps its data in SQLite"):
        restore_backup(var / "cards.dump")


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
