"""A backup that the owner makes on their page."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from clubs.owner import health
from clubs.site import backups
from tests.club_factories import UserFactory

pytestmark = pytest.mark.django_db


def test_owner_makes_a_backup(ona: Client, var: Path) -> None:
    assert ona.post("/owner/back-up/").headers["Location"] == "/owner/#backups"
    assert len(list((var / "backups").iterdir())) == 1


@pytest.mark.sqlite
def test_backup_that_finds_no_room_is_no_error_of_the_page(
    ona: Client, var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "copy_database", refuse)
    answer = ona.post("/owner/back-up/")
    assert answer.status_code == 409
    assert "Is the disk full?" in answer.text


def test_page_of_a_site_that_cannot_back_itself_up_says_what_is_missing(
    ona: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Back up now" in ona.get("/owner/").text
    monkeypatch.setattr(health, "makes_backups", lambda: False)
    page = ona.get("/owner/").text
    assert "postgresql-client" in page
    assert "Back up now" not in page


@pytest.mark.sqlite
def test_page_says_how_much_room_they_take(ona: Client, var: Path) -> None:
    def says() -> str:
        return ona.get("/owner/").text.split("Space used by backups</dt>")[1].split("</dd>")[0].split("<dd>")[1].strip()

    assert says() == "none"
    folder = var / "backups"
    folder.mkdir()
    (folder / "site-20261101-120000-000000.sqlite3").write_bytes(b"x" * 1024 * 1024)
    assert says().replace("\xa0", " ") == "1.0 MB in 1 file"
    (folder / "site-20261102-120000-000000.sqlite3").write_bytes(b"x" * 512 * 1024)
    assert says().replace("\xa0", " ") == "1.5 MB in 2 files"


def test_nobody_else_makes_one(var: Path) -> None:
    client = Client()
    client.force_login(UserFactory())
    assert client.post("/owner/back-up/").status_code == 404
    assert not (var / "backups").exists()
