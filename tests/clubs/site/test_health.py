"""/healthz tells whoever watches over the machine."""

import datetime
import re
import tomllib
from pathlib import Path
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from clubs import __version__
from clubs.site import error_views


@pytest.mark.django_db
def test_health_says_that_database_answers_and_which_version_runs(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"database": "ok", "version": __version__}
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_health_is_503_when_database_does_not_answer(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with patch.object(connection, "cursor", side_effect=OperationalError("gone")):
        response = client.get("/healthz")
    assert "The database is unreachable: gone" in caplog.messages
    assert response.status_code == 503
    assert response.json() == {"database": "unreachable", "version": __version__}


#: What a probe may send as Host: the address or the name of the machine, or what is no host at all.
HOSTS = ["10.0.0.5", "10.0.0.5:8000", "box.internal", "[fe80::1]:443", "a b", "<script>", ""]


@pytest.mark.django_db
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("over_tls", [False, True])
def test_health_is_told_by_whatever_name_a_probe_calls(
    client: Client, settings: Settings, host: str, over_tls: bool
) -> None:
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["localhost", "cards.example.org"], over_tls
    response = client.get("/healthz", HTTP_HOST=host)
    assert response.status_code == 200
    assert response.content == client.get("/healthz", HTTP_HOST="localhost").content
    assert int(response["Content-Length"]) == len(response.content)
    with patch.object(connection, "cursor", side_effect=OperationalError("gone")):
        assert client.get("/healthz", HTTP_HOST=host).status_code == 503


@pytest.mark.parametrize("path", ["/", "/healthz/", "/open/", "/healthz/more"])
def test_every_other_page_refuses_a_strange_host(client: Client, settings: Settings, path: str) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    assert client.get(path, HTTP_HOST="10.0.0.5").status_code == 400


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_health_is_503_when_nothing_can_be_written(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(error_views, "probe", error_views.WriteProbe())
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only=ON")
        try:
            response = client.get("/healthz")
        finally:
            cursor.execute("PRAGMA query_only=OFF")
    assert (response.status_code, response.json()["database"]) == (503, "not writable")
    assert "The database is not writable: attempt to write a readonly database" in caplog.messages
    assert client.get("/healthz").status_code == 200


@pytest.mark.django_db
def test_who_asks_again_and_again_writes_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_views, "probe", error_views.WriteProbe())
    client.get("/healthz")
    with CaptureQueriesContext(connection) as asked:
        assert client.get("/healthz").status_code == 200
    assert [query["sql"] for query in asked] == ["SELECT 1"]


def test_health_is_only_read(client: Client) -> None:
    assert client.post("/healthz").status_code == 405


def test_version_is_written_in_one_place(project: Path) -> None:
    settings = tomllib.loads((project / "pyproject.toml").read_text())
    assert "version" not in settings["project"]
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["setuptools"]["dynamic"] == {"version": {"attr": "clubs.__version__"}}
    assert re.findall(r'^__version__ = "(.+)"$', (project / "clubs" / "__init__.py").read_text(), re.M) == [__version__]


HEADING = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$")


def test_changelog_begins_with_the_version_that_runs(project: Path) -> None:
    headings = [line for line in (project / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    versions = [HEADING.fullmatch(heading) for heading in headings]
    assert all(versions), headings
    assert versions[0]
    assert versions[0][1] == __version__
    dates = [datetime.date.fromisoformat(version[2]) for version in versions if version]
    assert dates == sorted(dates, reverse=True)


def test_version_that_runs_is_the_one_that_gets_fixes(project: Path) -> None:
    rows = re.findall(r"^\| (\d+\.\d+)\.\S+(?: and older)? \| (\w+)", (project / "SECURITY.md").read_text(), re.M)
    assert len(rows) > 1
    assert [version for version, gets_fixes in rows if gets_fixes == "yes"] == [__version__.rpartition(".")[0]]


def test_every_version_says_how_to_upgrade_to_it(project: Path) -> None:
    _, *versions = re.split(r"^## ", (project / "CHANGELOG.md").read_text(), flags=re.M)
    assert len(versions) >= 2
    for version in versions:
        upgrade = re.search(r"^### Upgrade\n\n(.+?)(?=^### |\Z)", version, re.M | re.S)
        assert upgrade, version[:20]
        assert "git pull`" in upgrade[1]
