"""The file of a club: asked for on a page, made by a process of its own with its progress in sight, kept for a day."""

from __future__ import annotations

import datetime
import errno
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.archive import background
from clubs.archive.export import packed
from clubs.erasure import member
from clubs.models import Club, ClubExport, Member
from clubs.projections.worker import Worker
from clubs.server.daily_jobs import tidy
from clubs.site.maintenance import closed_site
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played

pytestmark = pytest.mark.django_db

State = ClubExport.State


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Any) -> None:
    settings.VAR = tmp_path


@pytest.fixture
def asked(club: Club) -> ClubExport:
    """The file was asked for, and a process has begun it."""
    background.ask_for(club)
    export = background.claim_next()
    assert export
    return export


def page_of(client: Client, club: Club) -> str:
    return client.get(reverse("export_club", args=[club.slug])).content.decode()


def save(client: Client, club: Club) -> Any:
    return client.get(reverse("club_file", args=[club.slug]))


def test_file_is_asked_for_made_and_saved(flo: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club), four)
    page = reverse("export_club", args=[club.slug])
    assert "Make the file" in page_of(flo, club)
    assert save(flo, club)["Location"] == page, "there is none yet"
    answer = flo.post(page)
    assert (answer.status_code, answer["Location"]) == (303, f"{page}#file")
    assert "It begins in a moment." in page_of(flo, club)
    export = background.claim_next()
    assert export
    background.make(export.key)
    assert "Save the file" in page_of(flo, club)
    file = save(flo, club)
    assert file.content == packed(club)
    assert file["Content-Disposition"].startswith(f'attachment; filename="{club.slug}-')
    assert "no-store" in file["Cache-Control"]
    assert background.path_of(export).stat().st_mode & 0o077 == 0, "nobody but the site reads it"


def test_page_shows_how_many_sheets_are_in_it(
    flo: Client, club: Club, asked: ClubExport, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = []

    def pack(club: Club, progress: Callable[[int, int], None]) -> bytes:
        for done in (1, 3):
            progress(done, 3)
            pages.append(page_of(flo, club))
        return b"packed"

    monkeypatch.setattr(background, "packed", pack)
    assert 'hx-trigger="every 1s"' in page_of(flo, club)
    background.make(asked.key)
    assert ['value="1" max="3"' in pages[0], 'value="3" max="3"' in pages[1]] == [True, True]
    assert "1 of 3 sheets" in pages[0]
    assert "hx-trigger" not in page_of(flo, club), "it is looked at no more"


def test_progress_is_told_of_every_sheet_and_written_now_and_then(
    club: Club, four: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    for week in range(3):
        played(NightFactory(club=club, on=datetime.date(2026, 1, 1 + week)), four, hands=1)
    told: list[tuple[int, int]] = []
    packed(club, lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    marks: list[object] = []
    monkeypatch.setattr(background, "mark", lambda export, **change: marks.append(change["done"]))
    progress = background.Progress(ClubExport(club=club))
    for done in range(1, 101):
        progress(done, 100)
    assert marks == [1, 100]


def test_what_is_being_made_is_not_begun_again(club: Club, asked: ClubExport) -> None:
    background.ask_for(club)
    assert ClubExport.objects.get().key == asked.key
    assert background.claim_next() is None


def test_file_can_be_made_again_and_the_one_before_goes(
    club: Club, asked: ClubExport, django_capture_on_commit_callbacks: Any
) -> None:
    background.make(asked.key)
    with django_capture_on_commit_callbacks(execute=True):
        background.ask_for(club)
    assert not background.path_of(asked).exists()
    assert ClubExport.objects.get().state == State.WAITING


def test_one_file_is_made_at_a_time_and_who_asked_first_is_first() -> None:
    first, second = ClubFactory(), ClubFactory()
    for club in (first, second):
        background.ask_for(club)
    one = background.claim_next()
    assert one
    assert one.club == first
    assert background.claim_next() is None
    background.make(one.key)
    other = background.claim_next()
    assert other
    assert other.club == second


def test_process_that_has_ended_is_followed_by_another_and_at_last_by_a_sentence(
    flo: Client, club: Club, asked: ClubExport
) -> None:
    now = timezone.now()
    for minute in range(1, background.MOST_TRIES):
        with time_machine.travel(now + datetime.timedelta(minutes=minute), tick=False):
            again = background.claim_next()
            assert again
            assert again.key == asked.key
            assert background.claim_next() is None, "it lives"
    with time_machine.travel(now + datetime.timedelta(hours=1), tick=False):
        assert background.claim_next() is None
    assert ClubExport.objects.get().state == State.FAILED
    assert f"The file could not be made. {background.BROKEN}" in page_of(flo, club)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), background.NO_ROOM),
        (ValueError("Ann’s secret"), background.BROKEN),
    ],
)
def test_failure_is_said_in_a_sentence_and_can_be_tried_again(
    flo: Client, club: Club, asked: ClubExport, error: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    def broken(*args: object) -> bytes:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(background, "packed", broken)
        background.make(asked.key)
    assert sentence in page_of(flo, club)
    assert type(error).__name__ in caplog.text
    assert "secret" not in caplog.text
    assert list(background.folder().iterdir()) == []
    flo.post(reverse("export_club", args=[club.slug]))
    again = background.claim_next()
    assert again
    background.make(again.key)
    assert save(flo, club).content == packed(club)


@pytest.mark.parametrize("is_made", [True, False])
def test_erasing_and_deleting_a_member_takes_the_file_away(
    club: Club, four: list[Member], asked: ClubExport, django_capture_on_commit_callbacks: Any, is_made: bool
) -> None:
    if is_made:
        background.make(asked.key)
    with django_capture_on_commit_callbacks(execute=True):
        assert member.erase_member(four[0], by=None) == ""
    assert not ClubExport.objects.exists()
    background.make(asked.key)
    assert not background.path_of(asked).exists()
    background.ask_for(club)
    assert member.delete_members([four[1]], by=None) == [four[1]]
    assert not ClubExport.objects.exists()


def test_file_of_a_member_erased_while_it_is_made_is_not_kept(
    club: Club, four: list[Member], asked: ClubExport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pack(club: Club, progress: object) -> bytes:
        member.erase_member(four[0], by=None)
        return b"Ann"

    monkeypatch.setattr(background, "packed", pack)
    background.make(asked.key)
    assert list(background.folder().iterdir()) == []
    assert not ClubExport.objects.exists()


def test_files_go_after_a_day_and_what_belongs_to_nobody_at_once(
    flo: Client, club: Club, asked: ClubExport, django_capture_on_commit_callbacks: Any
) -> None:
    background.make(asked.key)
    for name in ("stray.club.gz", "stray.club.gz.part"):
        (background.folder() / name).write_bytes(b"x")
    tidy()
    assert list(background.folder().iterdir()) == [background.path_of(asked)]
    with time_machine.travel(timezone.now() + datetime.timedelta(hours=25), tick=False):
        assert "Make the file" in page_of(flo, club)
        assert save(flo, club).status_code == 303
        with django_capture_on_commit_callbacks(execute=True):
            tidy()
    assert list(background.folder().iterdir()) == []
    assert not ClubExport.objects.exists()


def test_file_that_is_gone_from_the_folder_can_be_made_again(flo: Client, club: Club, asked: ClubExport) -> None:
    background.make(asked.key)
    background.path_of(asked).unlink()
    assert "Make the file" in page_of(flo, club)
    assert save(flo, club).status_code == 303


def test_nothing_is_read_while_a_backup_is_restored(club: Club, asked: ClubExport) -> None:
    with closed_site():
        background.make(asked.key)
    assert ClubExport.objects.get().state == State.MAKING, "another process begins it again"


def test_site_starts_a_process_which_makes_the_file(
    club: Club, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    started: list[list[str]] = []

    class Process:
        def __init__(self, command: list[str], **more: object) -> None:
            started.append(command)

        def poll(self) -> None:
            return None

    monkeypatch.setattr(subprocess, "Popen", Process)
    monkeypatch.setattr("clubs.projections.worker.connections", SimpleConnections())
    thread = Worker.__new__(Worker)
    thread.processes = []
    with django_assert_num_queries(1):
        thread.start_files()
    assert started == []
    background.ask_for(club)
    thread.start_files()
    thread.start_files()
    (command,) = started
    assert command[-3:-1] == ["club", "make-file"]
    assert len(thread.processes) == 1
    monkeypatch.setattr("os.nice", lambda more: more)
    call_command("club", *command[-2:])
    assert ClubExport.objects.get().state == State.READY


class SimpleConnections:
    """The test has one connection, which is not closed."""

    def close_all(self) -> None:
        pass


def test_page_asks_as_many_queries_in_a_large_club(
    flo: Client, club: Club, asked: ClubExport, django_assert_num_queries: Any
) -> None:
    page_of(flo, club)
    with django_assert_num_queries(5):
        page_of(flo, club)
    MemberFactory.create_batch(50, club=club)
    with django_assert_num_queries(5):
        page_of(flo, club)
