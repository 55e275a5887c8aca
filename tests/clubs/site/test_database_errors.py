"""A database that is full, locked or away: 503, a sentence, and nothing that was sent is lost."""

from __future__ import annotations

import fcntl
import math
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from html.parser import HTMLParser
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, ProgrammingError, connection
from django.http import HttpResponse
from django.test import Client

from clubs.site.database_errors import AWAY, FULL, LOCKED, trouble_of
from clubs.site.databases import note_locks
from clubs.site.error_views import NO_ROOM, PROBLEMS, WriteProbe
from clubs.site.middleware import WAITED_TOO_LONG
from clubs.sqlite.lock_wait import DatabaseLocked, lock_wait
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.models import Entry, Revision, Sheet
from tests.factories import Scorer, new_key, scorer

pytestmark = [pytest.mark.django_db(transaction=True)]

SECRET = "s" * 22


@pytest.fixture
def table() -> Scorer:
    return scorer(4, browser=hashed(SECRET))


@pytest.fixture
def phone() -> Client:
    """The scorekeeper's, with the protection of the site against posts from elsewhere."""
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.cookies[BROWSER_COOKIE] = SECRET
    client.cookies["csrftoken"] = "t" * 32
    return client


@pytest.fixture
def impatient() -> Iterator[None]:
    """The connection waits a fifth of a second for a lock instead of seconds."""
    options = connection.settings_dict["OPTIONS"]
    connection.close()
    with patch.dict(options, {"timeout": 0.2}):
        yield
        connection.close()


def bid(table: Scorer, **more: str) -> dict[str, str]:
    said = {"hand": "1", "ask": "bid-2", "f-bid": "0", "saw": "", "key": new_key(), "next": "pad"}
    return said | {"csrfmiddlewaretoken": "t" * 32} | more


def send(phone: Client, table: Scorer, said: dict[str, str], **headers: str) -> HttpResponse:
    return phone.post(f"/sheets/{table.sheet.code}/enter/", said, headers=headers)


@contextmanager
def lock_on_the_queue() -> Iterator[None]:
    place = os.open(f"{connection.settings_dict['NAME']}-queue", os.O_RDWR | os.O_CREAT)
    fcntl.flock(place, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(place)


@contextmanager
def lock_on_the_database() -> Iterator[None]:
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def full_disk() -> Iterator[None]:
    with connection.cursor() as cursor:
        # What earlier tests deleted leaves pages that take new rows without the file growing: it goes first.
        cursor.execute("CREATE TABLE deleted (pages)")
        cursor.execute("INSERT INTO deleted VALUES (zeroblob(8000000))")
        cursor.execute("DROP TABLE deleted")
        cursor.execute("VACUUM")
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1073741823")


class Form(HTMLParser):
    """The form of a page: where it goes, and what it sends."""

    def __init__(self, page: HttpResponse) -> None:
        super().__init__()
        self.to, self.said = "", {}
        self.feed(page.content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag == "form":
            self.to = has["action"] or ""
        if tag == "input":
            self.said[has["name"]] = has["value"]


@pytest.mark.thorough(but=1)
@pytest.mark.sqlite
@pytest.mark.parametrize("lock", [lock_on_the_queue, lock_on_the_database])
def test_locked_for_long_is_said_soon_and_the_same_post_is_written_once_when_it_is_over(lock, table, phone, impatient):
    said, begin = bid(table), time.monotonic()
    with lock():
        page = send(phone, table, said)
    assert time.monotonic() - begin < 60
    assert page.status_code == 503
    assert 0 < int(page["Retry-After"]) <= 60
    assert PROBLEMS[503][1] in page.content.decode()
    assert not Entry.objects.filter(hand=1).exists()
    form = Form(page)
    assert form.to == f"/sheets/{table.sheet.code}/enter/"
    assert {**form.said, "csrfmiddlewaretoken": ""} == {**said, "csrfmiddlewaretoken": ""}
    for _ in range(2):
        assert phone.post(form.to, form.said).status_code == 303
    assert Revision.objects.filter(sheet=table.sheet, key=said["key"]).count() == 1
    assert table.reading.entries[1, "bid-2"] == {"bid": 0}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")
def test_row_that_is_locked_for_long_is_said_too(table, phone):
    said, other = bid(table), connection.copy()
    with connection.cursor() as cursor:
        assert cursor.execute("SHOW lock_timeout").fetchone() == ("5s",)
        cursor.execute("SET lock_timeout = '200ms'")
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute("SELECT * FROM scoresheets_sheet FOR UPDATE")
    # The client of the tests asks over the connection of the tests.
    page = send(phone, table, said)
    other.rollback()
    other.close()
    with connection.cursor() as cursor:
        cursor.execute("RESET lock_timeout")
    assert page.status_code == 503
    assert phone.post(Form(page).to, Form(page).said).status_code == 303


@pytest.fixture
def leaves_locks_to_others(impatient, monkeypatch) -> Iterator[None]:
    """The thread is one like that which reads: it waits for no lock, nor for an hour after it waited in vain."""
    monkeypatch.setattr(lock_wait, "seconds", 0.01)
    monkeypatch.setattr(lock_wait, "pause", 3600.0)
    monkeypatch.setattr(lock_wait, "found_at", -math.inf)
    with connection.execute_wrapper(note_locks):
        yield


@pytest.mark.sqlite
@pytest.mark.parametrize("lock", [lock_on_the_queue, lock_on_the_database])
def test_page_that_finds_the_database_locked_breaks_off(lock, phone, leaves_locks_to_others, monkeypatch):
    """Also where the page, a limit or a cache would take the lock for an error that it knows."""
    for path in ("/healthz", f"/sheets/{'A' * 22}/"):
        monkeypatch.setattr("clubs.site.error_views.probe", WriteProbe())
        lock_wait.found_at = -math.inf
        with lock(), pytest.raises(DatabaseLocked):
            phone.get(path)
        # For a while no other is tried.
        with pytest.raises(DatabaseLocked):
            phone.get(path)
    assert phone.get("/open/").status_code == 200


@pytest.mark.sqlite
def test_write_of_a_single_statement_breaks_off_too(leaves_locks_to_others, db):
    with lock_on_the_database(), pytest.raises(DatabaseLocked):
        Sheet.objects.update(version=1)
    with pytest.raises(DatabaseLocked):
        Sheet.objects.update(version=1)
    assert Sheet.objects.count() == 0


def test_session_that_cannot_be_saved_is_trouble_of_the_database(client, django_user_model):
    client.force_login(django_user_model.objects.create(email="ann@example.org"))
    error = SessionInterrupted("gone")
    error.__cause__ = OperationalError("database is locked")
    with patch("django.contrib.sessions.middleware.SessionMiddleware.process_response", side_effect=error):
        page = client.get("/open/")
    assert (page.status_code, page["Retry-After"]) == (503, "10")


@pytest.mark.sqlite
def test_reading_goes_on_while_nobody_can_write(table, phone, impatient):
    with lock_on_the_queue(), lock_on_the_database():
        assert phone.get(f"/sheets/{table.sheet.code}/pad/").status_code == 200
        assert phone.get(f"/watch/{table.sheet.watch}/rows/?v=1").status_code == 204


@pytest.mark.sqlite
def test_full_disk_is_said_and_the_site_writes_again_when_there_is_room(table, phone):
    with full_disk():
        for _ in range(1000):
            said = bid(table)  # to say the same once more is a write, too
            page = send(phone, table, said)
            if page.status_code != 303:
                break
        assert page.status_code == 503
        assert NO_ROOM in page.content.decode()
        assert page["Retry-After"]
        # What was entered before can be read, and nothing is half written.
        assert phone.get(f"/sheets/{table.sheet.code}/").status_code == 200
        assert not Revision.objects.filter(key=said["key"]).exists()
    form = Form(page)
    assert phone.post(form.to, form.said).status_code == 303
    assert Revision.objects.filter(key=said["key"]).count() == 1
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.sqlite
def test_script_is_told_in_json_and_keeps_its_post(table, phone, impatient):
    with lock_on_the_queue():
        answer = send(phone, table, bid(table), accept="application/json")
    assert (answer.status_code, answer.json()) == (503, {"problem": PROBLEMS[503][1]})
    assert answer["Retry-After"]


@pytest.mark.parametrize(
    "error", [OperationalError("the connection is lost"), InterfaceError("connection already closed")], ids=repr
)
def test_page_that_cannot_be_read_can_be_tried_again(table, phone, error):
    with patch("scoresheets.views.public.sheet.read_for", side_effect=error):
        page = phone.get(f"/sheets/{table.sheet.code}/?open=1")
    assert page.status_code == 503
    assert page["Retry-After"]
    assert f'href="/sheets/{table.sheet.code}/?open=1">Try again' in page.content.decode()
    assert phone.get(f"/sheets/{table.sheet.code}/").status_code == 200


def test_post_that_waited_too_long_is_not_begun_and_can_be_sent_again(table, phone):
    said = bid(table)
    page = phone.post(f"/sheets/{table.sheet.code}/enter/", said, **{WAITED_TOO_LONG: True})
    assert (page.status_code, page["Retry-After"]) == (503, "10")
    assert not Entry.objects.filter(hand=1).exists()
    assert phone.post(Form(page).to, Form(page).said).status_code == 303
    assert table.reading.entries[1, "bid-2"] == {"bid": 0}


def test_what_another_site_sent_is_not_sent_again_for_it(phone):
    with patch("django.middleware.csrf.CsrfViewMiddleware.process_view", side_effect=OperationalError("away")):
        page = phone.post("/open/", {"key": "from elsewhere"})
    assert page.status_code == 503
    assert "from elsewhere" not in page.content.decode()
    assert "Send it again" not in page.content.decode()


def test_what_was_sent_stands_in_the_page_as_text_whatever_it_is(table, phone):
    said = bid(table, **{"f-note": '"><script>alert(1)</script>'})
    with patch("scoresheets.commands.enter.append_revision", side_effect=OperationalError("away")):
        page = send(phone, table, said)
    assert "<script>alert" not in page.content.decode()
    assert Form(page).said["f-note"] == said["f-note"]


def sqlite_error(code: int, cls: type[sqlite3.Error] = sqlite3.OperationalError) -> OperationalError:
    cause = cls("said by SQLite")
    cause.sqlite_errorcode = code
    error = OperationalError("said by Django")
    error.__cause__ = cause
    return error


class PostgresError(Exception):
    def __init__(self, sqlstate: str | None, severity: str) -> None:
        self.sqlstate, self.diag = sqlstate, SimpleNamespace(severity_nonlocalized=severity)


def postgres_error(
    sqlstate: str | None, cls: type[DatabaseError] = OperationalError, severity: str = "ERROR"
) -> DatabaseError:
    error = cls("said by Django")
    error.__cause__ = PostgresError(sqlstate, severity)
    return error


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (sqlite_error(sqlite3.SQLITE_BUSY), LOCKED),
        (sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), LOCKED),
        (sqlite_error(sqlite3.SQLITE_FULL), FULL),
        (sqlite_error(sqlite3.SQLITE_IOERR_WRITE), AWAY),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), AWAY),
        (sqlite_error(sqlite3.SQLITE_ERROR), ""),
        (postgres_error(None), AWAY),
        (postgres_error("57P01"), AWAY),
        (postgres_error("53100"), FULL),
        (postgres_error("55P03"), LOCKED),
        (postgres_error("42501", ProgrammingError), AWAY),
        (postgres_error("25006", InternalError), AWAY),
        (postgres_error("53100", severity="PANIC"), FULL),
        (postgres_error("XX000", InternalError, "PANIC"), AWAY),
        (postgres_error("XX000", InternalError), ""),
        (postgres_error("42P01", ProgrammingError), ""),
        (OperationalError("database is locked: the queue"), LOCKED),
        (ProgrammingError("no such table"), ""),
        (ValueError("Ann"), ""),
        (None, ""),
    ],
)
def test_troubles_that_pass_are_told_from_faults_of_ours(error, trouble):
    assert trouble_of(error) == trouble


def test_missing_table_is_a_fault_of_ours(table, phone):
    def ask(*_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM nothing_of_ours")

    with patch("scoresheets.views.public.sheet.read_for", side_effect=ask):
        assert phone.get(f"/sheets/{table.sheet.code}/").status_code == 500


def test_journal_tells_of_the_trouble_and_not_of_the_row(table, phone, caplog):
    with patch("scoresheets.commands.enter.append_revision", side_effect=OperationalError("row of Ann")):
        send(phone, table, bid(table))
    said = [record.getMessage() for record in caplog.records if record.name == "clubs.problems"]
    assert said == ["The database could not be used: away."]
