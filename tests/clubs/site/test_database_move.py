"""The data of the site moves to another database: all of it, or nothing."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import ConnectionHandler, connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from clubs.management.commands import move_database
from clubs.models import Club, Member
from clubs.site import database_move
from clubs.site.database_move import TARGET, MoveProblem, comparable, move
from scoresheets.models import Player
from tests.bench.clusters import Cluster, temporary_cluster
from tests.bench.lines import Line, get
from tests.bench.live_site import LiveSite
from tests.bench.phones import data
from tests.bench.tables import open_tables
from tests.club_factories import ClubFactory, MemberFactory
from tests.factories import PlayerFactory

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("other_database")]

#: Somebody who is signed in, and an id that was deleted.
SIGNED_IN = """
import django
django.setup()
from clubs.models import User
from clubs.models.session import SessionStore
from scoresheets.models import Player
user = User.objects.create_user("ann@example.com", "a long pass phrase")
session = SessionStore()
session["_auth_user_id"], session["_auth_user_backend"] = str(user.pk), "django.contrib.auth.backends.ModelBackend"
session["_auth_user_hash"] = user.get_session_auth_hash()
session.save()
last = Player.objects.create(name="deleted")
print(session.session_key, last.pk)
last.delete()
"""
#: What else the demo has none of: values that the two databases write in different ways, and tables of Django.
MORE = """
from datetime import timedelta
from decimal import Decimal
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache
from django.utils import timezone
from clubs.models import Club, Standing, Trophy, Upload
group = Group.objects.create(name="helpers")
group.permissions.add(*Permission.objects.all()[:3])
user.groups.add(group)
user.user_permissions.add(Permission.objects.last())
data = {"b": [1, 2.5, None, True, 1e17], "a": {"z": "\\u00e4 \\U0001f0a1"}}
Authenticator.objects.create(user=user, type="webauthn", data=data)
Upload.objects.create(kind="club", club=Club.objects.first(), by=user, called="a file", content=bytes(range(256)))
Trophy.objects.update(picture=b"\\x00\\xff" * 5000)
Player.objects.update(created=timezone.now() - timedelta(days=400, microseconds=1))
cache.set("kept", "x" * 100, 10**6)
for each in Standing.objects.all()[:5]:
    each.average, each.points = Decimal("-12.30"), Decimal("9999999999999.99")
    each.save(update_fields=["average", "points"])
"""


@pytest.fixture
def other_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests may use a second database, which Django takes for one that only lives so long."""
    monkeypatch.setattr(
        ConnectionHandler, "__contains__", lambda self, alias: alias != TARGET and alias in list(self), raising=False
    )


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with temporary_cluster() as made:
        yield made


def rows_of(file: Path) -> dict[str, Any]:
    """Everything in a database of SQLite, by the names of its tables: rows in order, JSON read."""
    with closing(sqlite3.connect(file)) as opened:
        named = opened.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        # When the migrations were made is said by the new one itself.
        names = [name for (name,) in named if name != "django_migrations"]
        tables = {name: opened.execute(f'SELECT * FROM "{name}" ORDER BY 1').fetchall() for name in names}
    tables["sqlite_sequence"] = [row for row in tables["sqlite_sequence"] if row[0] != "django_migrations" and row[1]]
    return {name: sorted([[read(value) for value in row] for row in rows], key=repr) for name, rows in tables.items()}


def read(value: Any) -> Any:
    """JSON as what it says, with the order of its keys left out: PostgreSQL has none."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        return comparable(json.loads(value))
    return value


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_demo_that_moves_to_postgresql_and_back_is_equal_row_by_row(cluster: Cluster, tmp_path: Path) -> None:
    site = LiveSite(tmp_path / "var")
    site.run("manage.py", "migrate", "--verbosity=0")
    site.run("manage.py", "demo")
    site.run("-c", SIGNED_IN + MORE)
    here, back = site.var / "box-and-circle.sqlite3", tmp_path / "back.sqlite3"
    before = rows_of(here)
    assert all(before[name] for name in ("scoresheets_entry", "clubs_standing", "clubs_trophy", "clubs_upload"))
    told = site.run("manage.py", "move_database", "--to", cluster.address)
    assert f"{sum(map(len, before.values())) - len(before['sqlite_sequence']):,} rows" in told
    assert len(list((site.var / "backups").glob("*.sqlite3"))) == 1
    assert rows_of(here) == before
    there = LiveSite(tmp_path / "var", DATABASE_URL=cluster.address)
    there.run("manage.py", "move_database", "--to", f"sqlite:///{back}")
    assert back.stat().st_mode & 0o077 == 0
    after = rows_of(back)
    assert after.keys() == before.keys()
    for name in before:
        assert after[name] == before[name], name


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_phone_and_somebody_signed_in_go_on_there_and_back(cluster: Cluster, tmp_path: Path) -> None:
    back = tmp_path / "back.sqlite3"
    places = [{}, {"DATABASE_URL": cluster.address}, {"DATABASE_URL": f"sqlite:///{back}"}]
    first = LiveSite(tmp_path / "var")
    first.run("manage.py", "migrate", "--verbosity=0")
    session, deleted = first.run("-c", SIGNED_IN).split()
    (table,) = open_tables(first, 1, 4)
    steps = list(table.steps(1))
    written: dict[str, int] = {}
    for number, place in enumerate(places):
        key = secrets.token_urlsafe(18)
        with LiveSite(tmp_path / "var", **place) as site:
            line = Line(site.port)
            for old, wrote in written.items():
                again = line.ask(table.enter(steps[wrote - first_version(written)], old))
                assert data(again)["wrote"] == wrote
            answer = line.ask(table.enter(steps[number], key))
            assert answer.status == 200, answer.body
            written[key] = data(answer)["wrote"]
            assert line.ask(get(f"/watch/{table.watch}/")).status == 200
            assert line.ask(get("/account/", Cookie=f"sessionid={session}")).status == 200
            assert line.ask(get("/account/", Cookie=f"sessionid={session[::-1]}")).status == 302
            line.close()
        if number + 1 < len(places):
            LiveSite(tmp_path / "var", **place).run(
                "manage.py", "move_database", "--to", places[number + 1]["DATABASE_URL"]
            )
    versions = list(written.values())
    assert versions == list(range(versions[0], versions[0] + 3))
    # An id that was deleted before the moves is not given to somebody else.
    made = site.run("-c", "import django\ndjango.setup()\nfrom tests.factories import *\nprint(PlayerFactory().pk)")
    assert int(made) > int(deleted)


def first_version(written: dict[str, int]) -> int:
    return min(written.values())


@pytest.fixture
def some(db: None) -> None:
    """A club with members, in the database of the tests."""
    MemberFactory.create_batch(5, club=ClubFactory())


def in_file(file: Path, table: str) -> int:
    with closing(sqlite3.connect(file)) as opened:
        return int(opened.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_what_is_moved_is_neither_dated_nor_counted_anew(some: None, tmp_path: Path) -> None:
    Player.objects.update(created="2020-01-01T00:00Z")
    moved = move(f"sqlite:///{tmp_path / 'new'}")
    with closing(sqlite3.connect(tmp_path / "new")) as opened:
        assert opened.execute("SELECT DISTINCT created FROM scoresheets_player").fetchall() == [
            ("2020-01-01 00:00:00",)
        ]
    assert in_file(tmp_path / "new", "clubs_pendingupdate") == 0
    assert in_file(tmp_path / "new", "clubs_member") == 5
    assert moved.rows > 10
    assert moved.backup is not None
    assert moved.backup.exists()


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_database_with_rows_is_refused_and_stays_as_it_was(some: None, tmp_path: Path) -> None:
    file = tmp_path / "new"
    move(f"sqlite:///{file}")
    before = rows_of(file)
    MemberFactory()
    with pytest.raises(MoveProblem, match="not empty, it has rows in clubs_club"):
        move(f"sqlite:///{file}")
    assert rows_of(file) == before


@pytest.mark.django_db(transaction=True)
def test_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "new")) as opened:
        opened.execute("CREATE TABLE wine (year integer)")
    with pytest.raises(MoveProblem, match=r"another program \(wine\)"):
        move(f"sqlite:///{tmp_path / 'new'}")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("mysql://ann@db/cards", "Give the address of a database"),
        ("cards", "Give the address of a database"),
        ("postgres://ann@127.0.0.1:1/cards", "cannot be reached"),
        ("sqlite:////nowhere/at/all", "cannot be written: No such file"),
        ("sqlite://", "Give the address of a database"),
    ],
)
def test_address_that_cannot_be_used_gets_a_sentence(address: str, sentence: str) -> None:
    with pytest.raises(MoveProblem, match=sentence):
        move(address)


@pytest.mark.django_db(transaction=True)
def test_database_of_now_is_no_other_one() -> None:
    with pytest.raises(MoveProblem, match="This is the current database"):
        move(f"sqlite:///{connection.settings_dict['NAME']}")


@pytest.mark.django_db(transaction=True)
def test_database_of_an_older_version_is_refused(tmp_path: Path) -> None:
    MigrationRecorder(connection).record_unapplied("contenttypes", "0002_remove_content_type_name")
    try:
        with pytest.raises(MoveProblem, match="start the site once"):
            move(f"sqlite:///{tmp_path / 'new'}")
    finally:
        MigrationRecorder(connection).record_applied("contenttypes", "0002_remove_content_type_name")


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_row_that_does_not_arrive_as_it_was_lets_nothing_arrive(
    some: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_rows = database_move.copy_rows

    def careless(model: Any, source: str, target: str) -> None:
        copy_rows(model, source, target)
        if model is Player:
            Player._base_manager.using(target).filter(pk=Player.objects.latest("pk").pk).update(name="Somebody else")

    with monkeypatch.context() as broken:
        broken.setattr(database_move, "copy_rows", careless)
        with pytest.raises(MoveProblem, match="scoresheets_player did not arrive as it was"):
            move(f"sqlite:///{tmp_path / 'new'}")
    assert {in_file(tmp_path / "new", table) for table in ("clubs_member", "clubs_club", "scoresheets_player")} == {0}
    # It is as good as empty, and takes everything the next time.
    move(f"sqlite:///{tmp_path / 'new'}")
    assert in_file(tmp_path / "new", "clubs_member") == Member.objects.count() == 5


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_row_that_postgresql_does_not_take_lets_nothing_arrive(some: None, cluster: Cluster) -> None:
    player = PlayerFactory(name="x" * 200)
    with pytest.raises(MoveProblem, match=r"did not take it: value too long .* Nothing was moved"):
        move(cluster.address)
    player.delete()
    assert move(cluster.address).rows > 10
    with pytest.raises(MoveProblem, match="is not empty"):
        move(cluster.address)


def test_open_site_is_not_moved(settings: Settings, monkeypatch: pytest.MonkeyPatch, live_server: Any) -> None:
    settings.HOST, settings.PORT = "0.0.0.0", live_server.thread.port
    with pytest.raises(CommandError, match="Stop the site first"):
        call_command("move_database", "--to", "sqlite:////nowhere")
    monkeypatch.setattr(move_database, "answers", lambda address: False)
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("move_database", "--to", "sqlite:////nowhere/at/all")


def test_values_are_compared_and_not_how_a_database_writes_them() -> None:
    assert comparable({"b": 1, "a": [1e16, 1.5, b"\x00\xff"]}) == {"a": [10**16, 1.5, "00ff"], "b": 1}
    assert comparable(memoryview(b"\x00\xff")) == "00ff"


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_postgresql_that_somebody_uses_is_not_moved(cluster: Cluster, some: None, tmp_path: Path) -> None:
    move(cluster.address)
    assert Club.objects.exists()
    with LiveSite(tmp_path / "var", DATABASE_URL=cluster.address):
        other = LiveSite(tmp_path / "var", DATABASE_URL=cluster.address)
        with pytest.raises(RuntimeError, match="Somebody else is connected"):
            other.run("manage.py", "move_database", "--to", f"sqlite:///{tmp_path / 'back'}")
