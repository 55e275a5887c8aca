"""A PostgreSQL is dumped and restored by its own programs while the site is open, as fixtures/deploy says.

Phones, watchers and posts that are under way come through it.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections

from clubs.projections import worker
from clubs.site.backups import notice_restored
from scoresheets.models import Revision, Sheet
from tests.factories import new_key, sure_of
from tests.scoresheets.plain import Page, Plain
from tests.trust.attempts import Attempt
from tests.waiting import until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has backups of its own"),
]
JSON = {"Accept": "application/json"}


def program(name: str) -> str:
    """A program of PostgreSQL, which Debian keeps in a folder of each version."""
    found = shutil.which(name) or max(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), default="")
    assert found, f"{name} is not on this machine"
    return found


def run(name: str, *more: str) -> bool:
    """Run it on the database of the tests; whether it did what it should."""
    settings = connection.get_connection_params()
    address = ["--host", str(settings["host"]), "--port", str(settings["port"]), "--username", str(settings["user"])]
    return subprocess.run([program(name), *address, "--dbname", str(settings["dbname"]), *more]).returncode == 0


def dump(folder: Path) -> Path:
    """As fixtures/deploy says."""
    assert run("pg_dump", "--format=custom", "--file", str(folder / "cards.dump"))
    return folder / "cards.dump"


def restore(file: Path) -> None:
    """As fixtures/deploy says, but for the site, which is open here.

    A post may cross it, and then one of the two is told to come again. It has changed nothing by then, being one
    transaction.
    """
    command = ("pg_restore", "--clean", "--if-exists", "--single-transaction", str(file))
    assert any(run(*command) for _ in range(10))


def bid(phone: Plain, seat: int, number: int, key: str) -> Any:
    body = {"key": key, "hand": 1, "ask": f"bid-{seat}", "saw": "", "f-bid": number}
    return phone.client.post(phone.url("enter"), body, headers=JSON)


def state(phone: Plain, edition: str) -> Any:
    return phone.client.get(phone.url("state"), {"v": edition})


def rows(phone: Plain, edition: str) -> Any:
    return phone.client.get(f"/watch/{phone.scorer.sheet.watch}/rows/", {"v": edition})


def words(answer: Any) -> str:
    assert answer.status_code == 200
    return Page(answer.content.decode()).text


@pytest.mark.promise(12)
def test_phone_writes_again_what_the_dump_lacks_and_a_watcher_with_a_204_gets_the_restored_rows(
    tmp_path: Path, attempt: Attempt
) -> None:
    phone = Plain()
    assert bid(phone, 2, 1, new_key()).status_code == 200
    file, newer = dump(tmp_path), new_key()
    assert bid(phone, 3, 1, newer).status_code == 200
    seen = phone.client.get(phone.url("state")).json()
    assert (state(phone, seen["edition"]).status_code, rows(phone, seen["edition"]).status_code) == (204, 204)
    restore(file)
    call_command("restore", "--done")
    back = state(phone, seen["edition"])
    assert back.status_code == 200
    assert back.json()["pad"]["restored"] == back.json()["version"] == seen["version"] - 1
    assert back.json()["pad"]["steps"] == {"bid-2": {"bid": 1}}
    assert "1 bid of 1" in words(rows(phone, seen["edition"]))
    # The phone still has the bid, and sends it under its key once more: it is written, and then it is the same again.
    assert [bid(phone, 3, 1, newer).json()["wrote"] for _ in range(2)] == [seen["version"], seen["version"]]
    now = state(phone, seen["edition"]).json()
    assert now["version"] == seen["version"]
    assert now["edition"] != seen["edition"]
    assert state(phone, now["edition"]).status_code == 204
    attempt.saw("a phone writes again what an old dump lacks")


@pytest.mark.promise(12)
def test_what_somebody_else_wrote_since_is_a_conflict_and_nobody_loses_a_bid(tmp_path: Path, attempt: Attempt) -> None:
    phone = Plain()
    file, newer = dump(tmp_path), new_key()
    assert bid(phone, 2, 1, newer).status_code == 200
    restore(file)
    call_command("restore", "--done")
    sure_of(phone.scorer.bid(2, 0))
    again = bid(phone, 2, 1, newer)
    assert again.status_code == 409
    assert phone.scorer.reading.entries[1, "bid-2"] == {"bid": 0}
    attempt.saw("what somebody wrote since is a conflict")


def test_versions_that_are_given_again_before_the_site_hears_of_it_are_news_as_soon_as_it_does(tmp_path: Path) -> None:
    phone = Plain()
    file = dump(tmp_path)
    assert bid(phone, 2, 1, new_key()).status_code == 200
    seen = phone.client.get(phone.url("state")).json()
    restore(file)
    # The site was open and `restore --done` comes late: the same version is given to another bid.
    assert bid(phone, 2, 0, new_key()).status_code == 200
    assert Sheet.objects.get().version == seen["version"]
    call_command("restore", "--done")
    told = state(phone, seen["edition"])
    assert told.status_code == 200
    assert told.json()["pad"]["steps"] == {"bid-2": {"bid": 0}}
    assert "0 bid of 1" in words(rows(phone, seen["edition"]))


def test_posts_under_way_wait_or_are_told_to_come_again_and_none_is_half_there(tmp_path: Path) -> None:
    phones = [Plain() for _ in range(4)]
    file = dump(tmp_path)
    answers: list[int] = []
    stop = threading.Event()

    def tap(phone: Plain) -> None:
        phone.client.raise_request_exception = False
        number = 0
        try:
            while not stop.is_set():
                number = 1 - number
                answers.append(bid(phone, 2, number, new_key()).status_code)
                time.sleep(0.005)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=tap, args=[phone]) for phone in phones]
    for thread in threads:
        thread.start()
    until(lambda: len(answers) > len(phones))
    restore(file)
    call_command("restore", "--done")
    before = len(answers)
    until(lambda: len(answers) > before + len(phones))
    stop.set()
    for thread in threads:
        thread.join()
    assert set(answers) <= {200, 409, 503}
    for phone in phones:
        sheet = Sheet.objects.get(pk=phone.scorer.sheet.pk)
        assert sheet.generation
        assert Revision.objects.filter(sheet=sheet).count() == sheet.version
        assert phone.client.get(phone.url("pad")).status_code == 200


def test_site_notices_by_itself_once_that_it_was_restored(tmp_path: Path) -> None:
    phone = Plain()
    notice_restored()
    file = dump(tmp_path)
    assert bid(phone, 2, 1, new_key()).status_code == 200
    seen = phone.client.get(phone.url("state")).json()
    assert not notice_restored()
    restore(file)
    # Somebody else writes before it is noticed, and the same version is given again.
    assert bid(phone, 2, 0, new_key()).status_code == 200
    assert state(phone, seen["edition"]).status_code == 204
    assert [notice_restored(), notice_restored()] == [True, False]
    told = state(phone, seen["edition"])
    assert told.status_code == 200
    assert told.json()["pad"]["steps"] == {"bid-2": {"bid": 0}}
    # ... and from a dump that was made before, once more.
    restore(file)
    assert [notice_restored(), notice_restored()] == [True, False]


def test_several_processes_that_notice_it_together_begin_one_generation(tmp_path: Path) -> None:
    phone = Plain()
    notice_restored()
    restore(dump(tmp_path))
    noticed: list[bool] = []

    def look() -> None:
        try:
            noticed.append(notice_restored())
        finally:
            connections.close_all()

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(noticed) == [False, False, False, True]
    assert Sheet.objects.get(pk=phone.scorer.sheet.pk).generation


def test_thread_of_the_open_site_notices_it(tmp_path: Path) -> None:
    phone = Plain()
    restore(dump(tmp_path))
    thread = worker.Worker()
    try:
        until(lambda: Sheet.objects.get(pk=phone.scorer.sheet.pk).generation)
    finally:
        thread.stop()
    assert not notice_restored()


def test_what_was_told_by_the_command_is_not_noticed_again(tmp_path: Path) -> None:
    phone = Plain()
    restore(dump(tmp_path))
    call_command("restore", "--done")
    generation = Sheet.objects.get(pk=phone.scorer.sheet.pk).generation
    assert generation
    assert not notice_restored()
    assert Sheet.objects.get(pk=phone.scorer.sheet.pk).generation == generation
