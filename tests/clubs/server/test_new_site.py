"""Commands at a site that was never started, at one of another version, and by somebody else than its user."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from clubs.archive.export import text_of
from scoresheets.management import site_command
from tests.club_factories import ClubFactory


@pytest.fixture
def manage(tmp_path: Path, project: Path) -> object:
    """Runs `manage.py` with an empty folder for what the site writes."""

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], "VAR": str(tmp_path / "var"), "SETTINGS_FILE": os.devnull}
        return subprocess.run(
            [sys.executable, "manage.py", *command], cwd=project, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    return run


@pytest.mark.django_db
def test_club_comes_into_a_site_that_was_never_started(manage, tmp_path: Path, example_club_file: Path) -> None:
    done = manage("club", "import", str(example_club_file), "--confirm")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Imported: The Trumps" in done.stdout
    assert "makes whoever enters it an organiser of The Trumps" in done.stdout
    owner = manage("owner", "ann@example.org")
    assert (owner.returncode, owner.stderr) == (0, "")
    assert "/owner/sign-in/" in owner.stdout


@pytest.fixture
def example_club_file(tmp_path: Path) -> Path:
    from clubs.archive.export import document_of

    file = tmp_path / "club.json"
    file.write_text(text_of(document_of(ClubFactory(name="The Trumps"))))
    return file


@pytest.mark.thorough
def test_there_is_nothing_to_back_up_on_a_new_site(manage, tmp_path: Path) -> None:
    """Nor after a command has opened the database without making a table."""
    for _ in range(2):
        done = manage("backup")
        assert done.returncode == 1
        assert "There is no database yet" in done.stderr
        manage("check")
    assert not (tmp_path / "var/backups").exists()


def last_migration(app: str) -> str:
    """The name of the latest migration of an app."""
    ((_, name),) = MigrationLoader(None).graph.leaf_nodes(app)
    return name


@pytest.mark.django_db
@pytest.mark.parametrize(
    "command", [("owner",), ("club", "organiser", "trumps"), ("founding_code",), ("check_sheets",)]
)
def test_database_of_another_version_is_left_as_it_is(command: tuple[str, ...]) -> None:
    MigrationRecorder(connection).record_unapplied("clubs", last_migration("clubs"))
    with pytest.raises(CommandError, match="Start the site first"):
        call_command(*command)


@pytest.mark.django_db
@pytest.mark.parametrize("command", [("owner",), ("backup",), ("founding_code",)])
def test_root_leaves_no_file_among_those_of_the_user_of_the_site(
    monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    class OfCards:
        def exists(self) -> bool:
            return True

        def stat(self) -> SimpleNamespace:
            return SimpleNamespace(st_uid=1001)

        def owner(self) -> str:
            return "cards"

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(site_command, "settings", SimpleNamespace(VAR=OfCards()))
    with pytest.raises(CommandError, match="runuser -u cards -- COMMAND"):
        call_command(*command)
    monkeypatch.setattr(os, "geteuid", lambda: 1001)
    site_command.refuse_root()


def test_user_without_a_name_is_called_by_number() -> None:
    class OfNobody:
        def owner(self) -> str:
            raise KeyError

        def stat(self) -> SimpleNamespace:
            return SimpleNamespace(st_uid=1001)

    assert site_command.name_of_owner(OfNobody()) == "#1001"
