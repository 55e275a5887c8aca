"""A database of the release of 2026-11-22 keeps every row under the names of today, and its addresses still lead there.

`database_of_2026_11_22.sql` was written by that release: a club with a row of almost everything.
"""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Set
from contextlib import closing
from pathlib import Path

import pytest

from clubs.settings import BASE_DIR
from clubs.site.backups import BackupProblem, check_age, check_ours

DUMP = Path(__file__).with_name("database_of_2026_11_22.sql")
#: Tables that are called otherwise today.
RENAMED = {
    "scoresheets_write": "scoresheets_revision",
    "scoresheets_keeper": "scoresheets_scorekeeper",
    "scoresheets_link": "scoresheets_sharelink",
    "scoresheets_ownword": "scoresheets_glossaryterm",
    "clubs_diaryline": "clubs_auditentry",
    "clubs_known": "clubs_playeralias",
    "clubs_apart": "clubs_keptapart",
    "clubs_call": "clubs_attendance",
    "clubs_packed": "clubs_packeditem",
    "clubs_doubt": "clubs_dispute",
    "clubs_feat": "clubs_personalbest",
    "clubs_parcel": "clubs_upload",
    "clubs_scrap": "clubs_cache",
}
#: Columns that are called otherwise today.
COLUMNS = {"veils": "aliases_version"}
#: What waits to be counted.
QUEUE = "clubs_pendingupdate"
#: A table and a column that are counted in the cache today.
GONE = {"scoresheets_knock", "opened_from"}
#: The addresses that people have in their hands, and a scorekeeper's phone with its cookie.
LOOK = """
from django.test import Client
from clubs.models import Club
from scoresheets.models import Sheet
club, sheet = Club.objects.get(slug="ours"), Sheet.objects.filter(finished_at__isnull=True).earliest("pk")
phone = Client(headers={"host": "localhost"})
phone.cookies["pencil"] = "p" * 22
for address in (
    f"/sheets/{sheet.code}/", f"/watch/{sheet.watch}/", f"/clubs/{club.slug}/in/{club.key}/", f"/join/{'i' * 22}/",
    f"/calendar/{club.calendar_key}.ics", f"/sheets/{sheet.code}/pad/",
):
    print(address.split("/")[1], phone.get(address).status_code)
"""


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site whose database came from the release before."""
    var = tmp_path_factory.mktemp("upgraded")
    with closing(sqlite3.connect(var / "box-and-circle.sqlite3")) as database:
        database.executescript(DUMP.read_text(encoding="utf-8"))
    manage(var, "migrate", "--verbosity", "0")
    return var


def manage(var: Path, *arguments: str) -> str:
    """What a command of the site prints; it fails the test if the command fails."""
    database = f"sqlite:///{var / 'box-and-circle.sqlite3'}"
    settings = {"DJANGO_SETTINGS_MODULE": "clubs.settings", "DATABASE_URL": database, "DEBUG": "true"}
    done = subprocess.run(
        [sys.executable, BASE_DIR / "manage.py", *arguments],
        capture_output=True, text=True, env=os.environ | settings | {"VAR": str(var)}, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rows(database: sqlite3.Connection, table: str) -> list[dict[str, object]]:
    """The rows of a table by column, in the order of their ids."""
    database.row_factory = sqlite3.Row
    return [dict(row) for row in database.execute(f'SELECT * FROM "{table}" ORDER BY 1')]


def without(row: dict[str, object], columns: Set[str]) -> dict[str, object]:
    return {COLUMNS.get(column, column): value for column, value in row.items() if column not in columns}


@pytest.mark.thorough
def test_every_row_is_kept_under_the_name_of_today(upgraded: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as before:
        before.executescript(DUMP.read_text(encoding="utf-8"))
        named = before.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        tables = [name for (name,) in named if name.startswith(("clubs_", "scoresheets_")) and name not in GONE]
        kept = {RENAMED.get(table, table): rows(before, table) for table in tables}
    with closing(sqlite3.connect(upgraded / "box-and-circle.sqlite3")) as after:
        for table, lines in kept.items():
            # What the new version counts first waits behind what waited before.
            now = rows(after, table)[: len(lines) if table == QUEUE else None]
            assert [
                without(row, row.keys() - {COLUMNS.get(column, column) for column in line})
                for row, line in zip(now, lines, strict=True)
            ] == [without(line, GONE) for line in lines]
        assert after.execute("PRAGMA foreign_key_check").fetchall() == []
    assert sum(map(len, kept.values())) > 180


@pytest.mark.thorough
def test_the_log_replays_to_what_was_published(upgraded: Path) -> None:
    assert "3 sheets" in manage(upgraded, "check_sheets")


@pytest.mark.thorough
def test_addresses_that_people_have_still_lead_there(upgraded: Path) -> None:
    answers = manage(upgraded, "shell", "--command", LOOK).splitlines()[-6:]
    assert answers == ["sheets 200", "watch 200", "clubs 302", "join 200", "calendar 200", "sheets 200"]


def test_older_database_is_refused_with_the_way_to_upgrade_it(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "box-and-circle.sqlite3")) as database:
        database.executescript(DUMP.read_text(encoding="utf-8"))
        database.execute("DELETE FROM django_migrations WHERE app = 'clubs' AND name >= '0012'")
        database.commit()
        applied = set(database.execute("SELECT app, name FROM django_migrations"))
    with pytest.raises(BackupProblem, match="older than 22 November 2026"):
        check_age(applied)
    with pytest.raises(BackupProblem, match="git checkout"):
        check_ours(tmp_path / "box-and-circle.sqlite3")
