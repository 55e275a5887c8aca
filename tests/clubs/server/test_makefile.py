"""What `make run` installs before it starts the site: with PostgreSQL its driver too, also after an upgrade."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ON_SQLITE, ON_POSTGRESQL = ["requirements.txt"], ["requirements-postgres.txt"]
LOCKS = ("requirements.txt", "requirements-postgres.txt", "requirements-dev.txt")
ADDRESS = "postgres://cards:secret@127.0.0.1/cards"

#: Seconds since 1970. The lock files of the clone are of its beginning.
A_DAY = 86_400

Make = Callable[..., list[str]]


@pytest.fixture
def clone(tmp_path: Path, project: Path) -> Path:
    """A folder with the Makefile, in which Python and the installer only note what they are asked."""
    for name in ("Makefile", *LOCKS):
        shutil.copy(project / name, tmp_path)
        os.utime(tmp_path / name, (0, 0))
    for name, script in ((".venv/bin/python", "exit 0"), (".ci/install", 'echo "$1" >>installed')):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


@pytest.fixture
def make(clone: Path) -> Make:
    """`make("run", DATABASE_URL=…)`: which lock files were installed by it."""

    def run(*words: str, **environment: str) -> list[str]:
        (clone / "installed").unlink(missing_ok=True)
        given = {"PATH": os.environ["PATH"]} | environment
        done = subprocess.run(["make", *words], cwd=clone, env=given, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        return (clone / "installed").read_text().split() if (clone / "installed").exists() else []

    return run


def pull(clone: Path, changed: str) -> None:
    """As `git pull` leaves a lock file that has changed, some time after the last start."""
    for stamp in (clone / ".venv").glob("site*"):
        os.utime(stamp, (A_DAY, A_DAY))
    os.utime(clone / changed, (2 * A_DAY, 2 * A_DAY))


def test_fresh_clone_needs_no_driver_and_nothing_is_installed_twice(make: Make) -> None:
    assert make("run") == ON_SQLITE
    assert make("run") == make("backup") == []


@pytest.mark.parametrize(
    ("line", "installed"),
    [
        (f"DATABASE_URL={ADDRESS}", ON_POSTGRESQL),
        (f'DATABASE_URL="{ADDRESS}"', ON_POSTGRESQL),
        (f"export DATABASE_URL='{ADDRESS.replace('postgres:', 'postgresql:')}'", ON_POSTGRESQL),
        (f"DATABASE_URL=sqlite:///a\nDATABASE_URL={ADDRESS}", ON_POSTGRESQL),
        (f"DATABASE_URL={ADDRESS}\nDATABASE_URL=sqlite:///a", ON_SQLITE),
        (f"#DATABASE_URL={ADDRESS}\n# DATABASE_URL={ADDRESS}", ON_SQLITE),
        ("DATABASE_URL=sqlite:///postgres", ON_SQLITE),
        ("HOST=0.0.0.0", ON_SQLITE),
    ],
)
def test_file_of_settings_says_whether_the_driver_is_installed(
    make: Make, clone: Path, line: str, installed: list[str]
) -> None:
    (clone / ".env").write_text(f"DEMO=0\n{line}\n")
    assert make("run") == installed
    assert make("run") == []


def test_environment_counts_more_than_the_file(make: Make, clone: Path) -> None:
    (clone / ".env").write_text(f"DATABASE_URL={ADDRESS}\n")
    assert make("run", DATABASE_URL="sqlite:///a") == ON_SQLITE
    (clone / ".env").write_text("DATABASE_URL=sqlite:///a\n")
    assert make("run", DATABASE_URL=ADDRESS) == ON_POSTGRESQL
    (clone / "other").write_text(f"DATABASE_URL={ADDRESS}\n")
    pull(clone, "requirements.txt")
    assert make("run", SETTINGS_FILE="other") == ON_POSTGRESQL


def test_driver_is_upgraded_too_and_comes_back_into_a_new_environment(make: Make, clone: Path) -> None:
    (clone / ".env").write_text(f"DATABASE_URL={ADDRESS}\n")
    for command in ("run", "backup", "demo-remove"):
        pull(clone, "requirements-postgres.txt")
        assert make(command) == ON_POSTGRESQL
    for stamp in (clone / ".venv").glob("site*"):
        stamp.unlink()
    assert make("run") == ON_POSTGRESQL


def test_site_that_moves_to_postgresql_gets_the_driver_by_its_next_start(make: Make, clone: Path) -> None:
    assert make("run") == ON_SQLITE
    (clone / ".env").write_text(f"DATABASE_URL={ADDRESS}\n")
    assert make("run") == ON_POSTGRESQL
    (clone / ".env").unlink()
    assert make("run") == []
