"""What happens before the server starts, and what the terminal shows then."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from clubs.management.commands import serve
from clubs.models import CacheRow
from clubs.outbox import addresses
from clubs.server import startup
from clubs.server.daily_jobs import tidy
from clubs.server.supervisor import WELCOME
from clubs.site.backups import BackupProblem
from tests.ports import free_port


@pytest.fixture
def var(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR = tmp_path
    settings.STATIC_ROOT = tmp_path / "static"
    return tmp_path


@pytest.fixture
def forgotten_migration() -> Iterator[None]:
    """The database is one migration behind, one that changes nothing when it is applied again."""
    MigrationRecorder(connection).record_unapplied("contenttypes", "0002_remove_content_type_name")
    yield
    MigrationRecorder(connection).record_applied("contenttypes", "0002_remove_content_type_name")


@pytest.mark.django_db(transaction=True)
def test_database_that_is_up_to_date_is_left_alone(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "call_command", None)
    assert startup.bring_database_up_to_date() is False
    assert not (var / "backups").exists()


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_database_with_data_is_backed_up_before_it_is_changed(
    var: Path, forgotten_migration: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    backed_up_before = []
    monkeypatch.setattr(
        startup, "call_command", lambda *args, **options: backed_up_before.extend((var / "backups").iterdir())
    )
    assert startup.bring_database_up_to_date() is True
    (backup,) = backed_up_before
    assert f"The database was backed up to {backup} before it was changed" in capsys.readouterr().out


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_database_that_cannot_be_backed_up_is_not_changed(
    forgotten_migration: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> Path:
        raise BackupProblem("Is the disk full?")

    monkeypatch.setattr(startup, "make_backup", full)
    monkeypatch.setattr(startup, "call_command", None)
    with pytest.raises(BackupProblem, match="disk full"):
        startup.bring_database_up_to_date()


def test_static_files_are_collected_when_they_changed_and_only_then(
    var: Path, settings: Settings, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "pad.js").write_text("1")
    settings.STATICFILES_DIRS = [own]
    assert startup.lay_out_static_files() is True
    assert (var / "static" / "pad.js").read_text() == "1"
    assert startup.lay_out_static_files() is False
    (own / "pad.js").write_text("22")
    assert startup.lay_out_static_files() is True
    assert (var / "static" / "pad.js").read_text() == "22"


@pytest.mark.parametrize(
    ("given", "lan", "expected"),
    [
        ({"HOST": "127.0.0.1", "PORT": 8000}, None, "http://127.0.0.1:8000"),
        ({"HOST": "0.0.0.0", "PORT": 8000}, "192.168.1.7", "http://192.168.1.7:8000"),
        ({"HOST": "0.0.0.0", "PORT": 80}, "192.168.1.7", "http://192.168.1.7"),
        ({"HOST": "0.0.0.0", "PORT": 8000}, None, "http://localhost:8000"),
        ({"HOST": "::1", "PORT": 8000}, None, "http://[::1]:8000"),
        ({"HOST": "0.0.0.0", "PORT": 443, "TLS_CERTIFICATE": "c.pem"}, "192.168.1.7", "https://192.168.1.7"),
        ({"HOST": "127.0.0.1", "ADDRESS": "https://cards.example.org"}, None, "https://cards.example.org"),
    ],
)
def test_address_is_the_one_people_can_type(
    settings: Settings, given: dict[str, Any], lan: str | None, expected: str
) -> None:
    for name, value in given.items():
        setattr(settings, name, value)
    assert addresses.served_at(lan) == expected


def test_commands_print_the_address_at_which_the_site_was_served(settings: Settings, var: Path) -> None:
    """`make run PORT=8080`, and then a command that knows nothing of it."""
    settings.HOST, settings.PORT = "0.0.0.0", 8080
    addresses.note_address("192.168.1.7")
    settings.HOST, settings.PORT = "127.0.0.1", 8000
    assert addresses.site_address() == "http://192.168.1.7:8080"
    settings.ADDRESS = "https://cards.example.org"
    assert addresses.site_address() == "https://cards.example.org"


def test_site_that_was_never_served_is_where_the_settings_say(settings: Settings, var: Path) -> None:
    settings.HOST, settings.PORT = "127.0.0.1", 8000
    assert addresses.site_address() == "http://127.0.0.1:8000"


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_demo_that_was_removed_does_not_come_back_with_the_next_start(
    var: Path,
) -> None:
    assert startup.load_demo_once() is True
    assert startup.demo.links()
    call_command("demo", remove=True, verbosity=0)
    assert startup.load_demo_once() is False
    assert startup.demo.links() == {}


def test_terminal_names_three_things_to_try(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HOST, settings.PORT = "127.0.0.1", 8000
    monkeypatch.setattr(startup.demo, "links", lambda: {"keep": "/keep/abc/", "watch": "/watch/def/"})
    monkeypatch.setattr(startup.demo, "links_of_others", lambda: [("Hotdog", "/keep/ghi/", "/watch/jkl/")])
    access = startup.demo_club.DemoAccess("/clubs/kennel/in/key/", "ann@example.org", "/sign-in/")
    monkeypatch.setattr(startup.demo_club, "demo_access", lambda: access)
    said = startup.welcome(None)
    assert "http://127.0.0.1:8000/keep/abc/" in said
    assert "http://127.0.0.1:8000/watch/def/" in said
    assert "http://127.0.0.1:8000/open/" in said
    assert re.search(r"Hotdog: +http://127.0.0.1:8000/keep/ghi/", said)
    assert "http://127.0.0.1:8000/watch/jkl/" in said
    assert "http://127.0.0.1:8000/clubs/kennel/in/key/" in said
    assert "ann@example.org signs in at http://127.0.0.1:8000/sign-in/" in said
    assert "█" not in said
    assert startup.PLAIN_HTTP not in said


def test_site_for_the_whole_network_shows_a_code_to_scan_and_says_what_plain_http_takes_away(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HOST, settings.PORT = "0.0.0.0", 8000
    monkeypatch.setattr(startup.demo, "links", dict)
    monkeypatch.setattr(startup.demo, "links_of_others", list)
    said = startup.welcome("192.168.1.7")
    assert startup.terminal_qr_code("http://192.168.1.7:8000/") in said
    assert startup.PLAIN_HTTP in said
    settings.TLS_CERTIFICATE = "c.pem"
    assert startup.PLAIN_HTTP not in startup.welcome("192.168.1.7")


def test_code_in_the_terminal_is_a_square_with_a_quiet_edge() -> None:
    lines = startup.terminal_qr_code("http://192.168.1.7:8000/").split("\n")
    assert {len(line) for line in lines} == {len(lines[0])}
    assert set(lines[0]) == {"█"}
    assert abs(len(lines) * 2 - len(lines[0])) <= 1


def test_this_machine_never_gives_an_address_only_it_can_reach() -> None:
    assert all(not address.startswith("127.") for address in addresses.addresses_of_this_machine())


def test_port_that_is_taken_gets_a_sentence(settings: Settings, live_server: Any) -> None:
    settings.HOST, settings.PORT = "127.0.0.1", live_server.thread.port
    with pytest.raises(CommandError, match=r"cannot be used .*another port: make run PORT="):
        call_command("serve")


class Replaced(Exception):
    """Here another program would have taken the place of this process."""


class Serves(Exception):
    """Here this process would have served the site."""


@pytest.fixture
def start(settings: Settings, var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`serve` on a free port, as far as the server or another program."""

    def replaced(program: str, arguments: list[str]) -> None:
        raise Replaced(*arguments[2:], os.environ["DEBUG"])

    def serves(options: list[str]) -> None:
        raise Serves

    settings.HOST, settings.PORT = "127.0.0.1", free_port()
    monkeypatch.setenv("DEBUG", "")
    monkeypatch.setenv("ALLOWED_HOSTS", "")
    monkeypatch.setenv("DEMO", "0")
    monkeypatch.setattr(serve, "allow_many_connections", lambda: None)
    monkeypatch.setattr(startup, "lay_out_static_files", lambda: False)
    monkeypatch.setattr(serve.os, "execv", replaced)
    monkeypatch.setattr(serve, "serve", serves)
    monkeypatch.setattr(sys, "argv", ["manage.py", "serve", "--once"])


@pytest.mark.django_db(transaction=True)
def test_server_of_whoever_changes_the_code_reloads(settings: Settings, start: None) -> None:
    with pytest.raises(Replaced) as other:
        call_command("serve", "--reload")
    assert other.value.args == ("runserver", f"127.0.0.1:{settings.PORT}", "true")


@pytest.mark.parametrize("task", ["bring_database_up_to_date", "lay_out_static_files", "load_demo_once"])
@pytest.mark.django_db(transaction=True)
def test_process_begins_anew_after_what_takes_memory(task: str, start: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO", "1")
    monkeypatch.setattr(startup, "load_demo_once", lambda: False)
    with pytest.raises(Serves):
        call_command("serve", "--once")
    monkeypatch.setattr(startup, task, lambda: True)
    with pytest.raises(Replaced) as other:
        call_command("serve", "--once")
    assert other.value.args == ("serve", "--once", "")


@pytest.mark.django_db(transaction=True)
def test_server_that_is_started_again_shares_its_port_with_workers_of_the_last(
    settings: Settings, start: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(WELCOME, "")
    monkeypatch.setattr(startup, "bring_database_up_to_date", None)
    with socket.create_server((settings.HOST, settings.PORT)), pytest.raises(Serves):
        call_command("serve", "--once")


@pytest.mark.django_db(transaction=True)
def test_site_for_the_whole_network_answers_by_every_name_of_this_machine(
    settings: Settings, start: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HOST, settings.ALLOWED_HOSTS = "0.0.0.0", ["localhost"]
    monkeypatch.setattr(addresses, "addresses_of_this_machine", lambda: ["192.168.1.7"])
    monkeypatch.setattr(startup, "names_of_this_machine", lambda: ["box", "localhost"])
    with pytest.raises(Serves):
        call_command("serve", "--once")
    assert settings.ALLOWED_HOSTS == ["localhost", "192.168.1.7", "box"]
    assert os.environ["ALLOWED_HOSTS"] == "localhost,192.168.1.7,box"


SUPERVISES = """
import runpy, sys
from clubs.server import supervisor
supervisor.main = lambda *command: print(*command[1:], "django" in sys.modules)
sys.argv = ["manage.py", "serve", "-v", "1"]
runpy.run_path("manage.py", run_name="__main__")
"""


def test_supervisor_is_started_without_django(project: Path) -> None:
    run = subprocess.run([sys.executable, "-c", SUPERVISES], cwd=project, capture_output=True, text=True, check=True)
    assert run.stdout == "manage.py serve -v 1 --once False\n"


def test_server_reads_bodies_by_itself_and_has_room_for_many_watchers(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HOST, settings.PORT, settings.TLS_CERTIFICATE, settings.TLS_KEY = "0.0.0.0", 8443, "c.pem", "k.pem"
    monkeypatch.setattr(serve.resource, "getrlimit", lambda which: (5000, 9000))
    options = " ".join(serve.server_options())
    assert "--interface rsgi --host 0.0.0.0 --port 8443 --workers 2" in options
    assert "--backlog 8192 --backpressure 4744" in options
    assert options.endswith(" clubs.server.rsgi:application")
    assert "--ssl-certificate c.pem --ssl-keyfile k.pem" in options
    assert "--http" not in options.split()
    settings.TLS_CERTIFICATE = ""
    assert "--http 1" in " ".join(serve.server_options())


@pytest.fixture
def without_python(tmp_path: Path, project: Path) -> Any:
    """`without_python(script)`: what `make run` says in a fresh folder when `script` is the only Python."""

    def said(script: str) -> str:
        tools, folder = tmp_path / "tools", tmp_path / "clone"
        tools.mkdir()
        folder.mkdir()
        for tool in ("bash", "make", "rm", "touch", "env"):
            (tools / tool).symlink_to(str(shutil.which(tool)))
        if script:
            (tools / "python3").write_text(script)
            (tools / "python3").chmod(0o755)
        for name in ("Makefile", "requirements.txt"):
            shutil.copy(project / name, folder)
        answer = subprocess.run(
            ["make", "run", f"SHELL={tools / 'bash'}"],
            cwd=folder,
            env={"PATH": str(tools)},
            capture_output=True,
            text=True,
        )
        assert answer.returncode != 0
        assert not (folder / ".venv").exists()
        return answer.stdout + answer.stderr

    return said


OLD_PYTHON = """#!/bin/sh
case "$*" in *version_info*) exit 1;; *--version*) echo Python 3.9.2;; esac
"""
PYTHON_WITHOUT_VENV = """#!/bin/sh
case "$*" in *ensurepip*) exit 1;; *--version*) echo Python 3.11.2;; esac
"""


def test_old_python_gets_a_sentence(without_python: Any) -> None:
    said = without_python(OLD_PYTHON)
    assert "needs Python 3.11 or newer; here is Python 3.9.2" in said
    assert "apt install python3 python3-venv" in said


def test_missing_python_gets_a_sentence(without_python: Any) -> None:
    assert "needs Python 3.11 or newer; here is none" in without_python("")


def test_missing_venv_gets_a_sentence(without_python: Any) -> None:
    assert "sudo apt install python3-venv" in without_python(PYTHON_WITHOUT_VENV)


@pytest.mark.thorough
def test_production_settings_give_no_warning(project: Path, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "VAR": str(tmp_path), "SETTINGS_FILE": os.devnull}
    answer = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=project,
        env=environment | {"ADDRESS": "https://cards.example.org"},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr


def test_tests_write_nothing_into_the_folder_of_the_site() -> None:
    assert not Path(django_settings.VAR).is_relative_to(django_settings.BASE_DIR)


@pytest.mark.django_db
def test_what_has_run_out_is_deleted_when_the_server_starts() -> None:
    cache.set("long-ago", 1, 60)
    cache.set("just-now", 1, 60)
    CacheRow.objects.filter(cache_key__contains="long-ago").update(expires="2026-01-01T00:00Z")
    tidy()
    assert [scrap.cache_key.split(":")[-1] for scrap in CacheRow.objects.all()] == ["just-now"]
