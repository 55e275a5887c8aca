"""What the environment says is what the site does."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ASK = """
import json, sys
from clubs import settings
settings.ALL = [name for name in vars(settings) if name.isupper()]
print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}, default=str))
"""


@pytest.fixture
def settings_with(tmp_path: Path, project: Path) -> Any:
    """`settings_with({"HOST": ...}, "ALLOWED_HOSTS")`: those settings in a fresh process."""

    def asked(environment: dict[str, str], *names: str) -> dict[str, Any]:
        clean = {"PATH": os.environ["PATH"], "VAR": str(tmp_path / "var"), "SETTINGS_FILE": os.devnull}
        answer = subprocess.run(
            [sys.executable, "-c", ASK, *names], cwd=project, env=clean | environment, capture_output=True, text=True
        )
        assert answer.returncode == 0, answer.stderr
        return json.loads(answer.stdout)

    return asked


def test_secret_is_made_once_and_for_its_owner_only(settings_with: Any, tmp_path: Path) -> None:
    first = settings_with({}, "SECRET_KEY")
    assert len(first["SECRET_KEY"]) >= 50
    assert settings_with({}, "SECRET_KEY") == first
    assert (tmp_path / "var" / "secret").stat().st_mode & 0o077 == 0
    assert (tmp_path / "var").stat().st_mode & 0o077 == 0
    assert settings_with({"SECRET_KEY": "mine"}, "SECRET_KEY") == {"SECRET_KEY": "mine"}


def test_without_settings_the_site_is_for_this_machine_over_plain_http(settings_with: Any) -> None:
    found = settings_with(
        {}, "ALLOWED_HOSTS", "DEBUG", "SESSION_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "TRUSTED_PROXIES"
    )
    assert set(found.pop("ALLOWED_HOSTS")) == {"localhost", "127.0.0.1", "[::1]"}
    assert found == {
        "DEBUG": False,
        "SESSION_COOKIE_SECURE": False,
        "SECURE_HSTS_SECONDS": 0,
        "TRUSTED_PROXIES": [],
    }


def test_https_address_brings_secure_cookies_and_its_own_host(settings_with: Any) -> None:
    names = ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "TRUSTED_PROXIES")
    found = settings_with({"ADDRESS": "https://cards.example.org/"}, *names)
    assert "cards.example.org" in found["ALLOWED_HOSTS"]
    assert found["CSRF_TRUSTED_ORIGINS"] == ["https://cards.example.org"]
    assert found["CSRF_COOKIE_SECURE"] is True
    assert found["SECURE_SSL_REDIRECT"] is True
    assert found["TRUSTED_PROXIES"] == ["127.0.0.1", "::1"]


def test_own_certificate_needs_no_proxy(settings_with: Any) -> None:
    found = settings_with({"TLS_CERTIFICATE": "c.pem", "TLS_KEY": "k.pem"}, "SERVED_OVER_TLS", "TRUSTED_PROXIES")
    assert found == {"SERVED_OVER_TLS": True, "TRUSTED_PROXIES": []}


def test_sqlite_writes_are_immediate_and_survive_a_power_cut(settings_with: Any, tmp_path: Path) -> None:
    database = settings_with({}, "DATABASES")["DATABASES"]["default"]
    assert database["ENGINE"] == "clubs.sqlite"
    assert database["NAME"] == str(tmp_path / "var" / "box-and-circle.sqlite3")
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]
    assert "synchronous=FULL" in database["OPTIONS"]["init_command"]
    assert database["CONN_MAX_AGE"] is None
    assert "ATOMIC_REQUESTS" not in database


def test_postgresql_is_reached_through_a_pool(settings_with: Any) -> None:
    database = settings_with({"DATABASE_URL": "postgres://ann:pw@db/cards"}, "DATABASES")["DATABASES"]["default"]
    assert database["ENGINE"] == "clubs.postgresql"
    assert database["OPTIONS"]["pool"]["max_size"] >= 2
    assert database["CONN_MAX_AGE"] == 0


def test_nobody_waits_for_a_database_longer_than_a_phone_waits_for_an_answer(settings_with: Any, project: Path) -> None:
    outbox = (project / "static" / "js" / "pad" / "outbox.js").read_text()
    patience = int(re.search(r"TIMEOUT = ([0-9]+);", outbox)[1]) / 1000
    sqlite = settings_with({}, "DATABASES")["DATABASES"]["default"]
    # In the queue first, then for SQLite itself.
    assert 2 * sqlite["OPTIONS"]["timeout"] < patience
    postgres = settings_with({"DATABASE_URL": "postgres://ann:pw@db/cards"}, "DATABASES")["DATABASES"]["default"]
    assert postgres["OPTIONS"]["pool"]["timeout"] < patience
    assert postgres["OPTIONS"]["options"] == "-c lock_timeout=5s"


def test_other_databases_are_refused_with_a_sentence(settings_with: Any) -> None:
    with pytest.raises(AssertionError, match="DATABASE_URL must be an address of SQLite"):
        settings_with({"DATABASE_URL": "mysql://ann:pw@db/cards"}, "DATABASES")


def test_address_that_is_none_is_refused_with_a_sentence(settings_with: Any) -> None:
    with pytest.raises(AssertionError, match="ADDRESS must be a whole address"):
        settings_with({"ADDRESS": "cards"}, "ADDRESS")


def test_opening_without_an_account_can_be_switched_off(settings_with: Any) -> None:
    names = ("OPEN_SHEETS_WITHOUT_ACCOUNT", "OPEN_SHEETS_PER_HOUR")
    assert settings_with({}, *names) == {"OPEN_SHEETS_WITHOUT_ACCOUNT": True, "OPEN_SHEETS_PER_HOUR": 60}
    off = settings_with({"OPEN_SHEETS_WITHOUT_ACCOUNT": "0", "OPEN_SHEETS_PER_HOUR": "5"}, *names)
    assert off == {"OPEN_SHEETS_WITHOUT_ACCOUNT": False, "OPEN_SHEETS_PER_HOUR": 5}


@pytest.mark.thorough
def test_proxy_that_is_not_trusted_cannot_say_where_a_request_came_from(project: Path, tmp_path: Path) -> None:
    ask = """
import sys
from clubs.wsgi import application
environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "SERVER_NAME": "localhost", "SERVER_PORT": "80",
           "wsgi.input": sys.stdin.buffer, "wsgi.url_scheme": "http", "HTTP_X_FORWARDED_FOR": "203.0.113.9",
           "HTTP_X_FORWARDED_PROTO": "https", "REMOTE_ADDR": sys.argv[1], "HTTP_HOST": "cards.example.org"}
application(environ, lambda status, headers: print(status))
"""
    environment = {"PATH": os.environ["PATH"], "VAR": str(tmp_path), "SETTINGS_FILE": os.devnull}
    environment |= {"ADDRESS": "https://cards.example.org", "DEBUG": "1"}
    answers = [
        subprocess.run(
            [sys.executable, "-c", ask, address], cwd=project, env=environment, capture_output=True, text=True
        ).stdout
        for address in ("127.0.0.1", "198.51.100.7")
    ]
    assert "301" not in answers[0]
    assert answers[0]
    assert "301 Moved Permanently" in answers[1]


@pytest.mark.thorough
def test_garbage_collector_of_a_worker_does_not_walk_through_what_was_loaded(project: Path, tmp_path: Path) -> None:
    """It would in the middle of a page: 44 ms each time."""
    ask = """
import gc, os
import clubs.wsgi
print(gc.get_freeze_count(), len(gc.get_objects()), flush=True)
os._exit(0)
"""
    environment = {"PATH": os.environ["PATH"], "VAR": str(tmp_path), "SETTINGS_FILE": os.devnull}
    environment["DJANGO_SETTINGS_MODULE"] = "clubs.settings"
    answer = subprocess.run([sys.executable, "-c", ask], cwd=project, env=environment, capture_output=True, text=True)
    frozen, walked_through = map(int, answer.stdout.split())
    assert walked_through * 10 < frozen


def settings_read(project: Path) -> set[str]:
    """The names of all settings that the code reads."""
    read_in = ("clubs/settings.py", "clubs/management/commands/serve.py")
    code = "".join((project / name).read_text() for name in read_in)
    return set(re.findall(r"""(?:env\.\w+|environ\.get)\(\s*"([A-Z_]+)""", code))


#: A line of the example that sets something.
SETTING = re.compile(r"^#([A-Z_]+)=(.*)$", re.M)


def test_readme_has_every_setting(project: Path) -> None:
    names = settings_read(project)
    table = (project / "README.md").read_text().split("## Settings")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", table, re.M)
    assert len(names) > 15
    assert {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)} == names


def test_example_has_every_setting_with_a_sentence(project: Path) -> None:
    text = (project / ".env.example").read_text()
    names = [name for name, _ in SETTING.findall(text)]
    assert len(names) == len(set(names))
    assert set(names) == settings_read(project)
    # Nothing is set by a mere copy, and each has a comment above it, or shares the one of the line above.
    assert [line for line in text.splitlines() if line and not line.startswith("#")] == []
    comment = False
    for line in text.splitlines():
        if SETTING.fullmatch(line):
            assert comment, f"What is {line} for?"
        else:
            comment = line.startswith("# ")


def test_example_has_the_defaults(settings_with: Any, project: Path, tmp_path: Path) -> None:
    lines = [f"{name}={default}" for name, default in SETTING.findall((project / ".env.example").read_text())]
    everything = tmp_path / "everything.env"
    everything.write_text("\n".join(line for line in lines if not line.startswith("VAR=")))
    names = settings_with({}, "ALL")["ALL"]
    assert len(names) > 60
    usual, set_so = settings_with({}, *names), settings_with({"SETTINGS_FILE": str(everything)}, *names)
    # Its path is as the file says it, and belongs to the folder of the site.
    assert Path(usual["DATABASES"]["default"].pop("NAME")).relative_to(tmp_path) == Path(
        set_so["DATABASES"]["default"].pop("NAME")
    )
    assert set_so == usual
