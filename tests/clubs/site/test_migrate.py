"""`migrate` makes the tables of an empty database at once, and they are the ones that all migrations lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.commands import migrate
from django.db import Error, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import CreateModel, Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from pytest_django import DjangoDbBlocker

from clubs.site.database_move import database_at
from scoresheets.management.commands import migrate as ours
from tests.trust.attempts import Attempt

pytestmark = pytest.mark.sqlite


@pytest.fixture(autouse=True)
def other_databases(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The databases here are the test's own, not the one that all tests share."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[BaseDatabaseWrapper]:
    with empty_database(tmp_path / "empty.sqlite3") as connection:
        yield connection


@contextmanager
def empty_database(file: Path) -> Iterator[BaseDatabaseWrapper]:
    with database_at(f"sqlite:///{file}", alias=file.stem) as connection:
        yield connection


#: What `post_migrate` makes for every model, four permissions and a content type each.
LEAST_MODELS = 40


def run(command: Any, connection: BaseDatabaseWrapper, *app_labels: str, **options: Any) -> None:
    call_command(command, *app_labels, database=connection.alias, verbosity=0, interactive=False, **options)


def tables(connection: BaseDatabaseWrapper) -> dict[str, Any]:
    """Every table with its columns, and with its indexes, foreign keys and checks under whatever name."""
    with connection.cursor() as cursor:
        found = {}
        for table in connection.introspection.table_names(cursor):
            constraints = connection.introspection.get_constraints(cursor, table).values()
            found[table] = {
                "columns": sorted(map(repr, connection.introspection.get_table_description(cursor, table))),
                "constraints": sorted(repr(sorted(constraint.items())) for constraint in constraints),
                "conditions": sorted(conditions(cursor, table)),
            }
        return found


def conditions(cursor: Any, table: str) -> Iterator[str]:
    """What the constraints and the partial indexes of a table ask for, which introspection leaves out."""
    condition = r"(?:CONSTRAINT|CHECK|COLLATE|DEFAULT|WHERE|REFERENCES) .*?(?=, \"|\)?$|, CONSTRAINT)"
    cursor.execute("SELECT sql FROM sqlite_master WHERE tbl_name = %s AND sql IS NOT NULL", [table])
    for (sql,) in cursor.fetchall():
        yield from re.findall(condition, sql)


@pytest.mark.thorough
def test_models_make_the_tables_that_migrations_make(tmp_path: Path) -> None:
    with (
        empty_database(tmp_path / "at_once.sqlite3") as at_once,
        empty_database(tmp_path / "one_by_one.sqlite3") as one_by_one,
    ):
        run("migrate", at_once)
        run(migrate.Command(), one_by_one)
        assert tables(at_once) == tables(one_by_one)
        assert applied(at_once) == applied(one_by_one) >= set(MigrationLoader(at_once).disk_migrations)
        assert rows(at_once, "auth_permission") == rows(one_by_one, "auth_permission") > 4 * LEAST_MODELS
        assert rows(at_once, "django_content_type") == rows(one_by_one, "django_content_type") > LEAST_MODELS


def applied(connection: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    return set(MigrationRecorder(connection).applied_migrations())


def rows(connection: BaseDatabaseWrapper, table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT count(*) FROM "{table}"')
        return int(cursor.fetchone()[0])


def test_nothing_is_half_made(empty: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(ours.MigrationRecorder, "record_applied", full)
        with pytest.raises(Error, match="disk is full"):
            run("migrate", empty)
    assert empty.introspection.table_names() == []
    run("migrate", empty)
    assert "clubs_club" in empty.introspection.table_names()


@pytest.mark.promise(13)
def test_migration_that_cannot_be_recorded_makes_nothing(
    empty: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch, attempt: Attempt
) -> None:
    """Its index comes last, and Django would record it only after the commit: the next run would make it again."""
    run("migrate", empty, "contenttypes")
    fields = [("id", models.AutoField(primary_key=True)), ("number", models.IntegerField(db_index=True))]
    migration = Migration("made", "contenttypes")
    migration.operations = [CreateModel("Made", fields)]
    with monkeypatch.context() as patch:
        patch.setattr(ours.MigrationRecorder, "record_applied", full)
        with pytest.raises(Error, match="disk is full"):
            migrate.MigrationExecutor(empty).apply_migration(ProjectState(), migration)
    assert "contenttypes_made" not in empty.introspection.table_names()
    migrate.MigrationExecutor(empty).apply_migration(ProjectState(), migration)
    assert "contenttypes_made" in empty.introspection.table_names()
    with empty.cursor() as cursor:
        assert cursor.execute("PRAGMA foreign_keys").fetchone() == (1,)
    attempt.saw("a migration that cannot be recorded makes nothing")


def full(*args: Any) -> None:
    raise Error("disk is full")


@pytest.mark.parametrize("question", [{"plan": True}, {"check_unapplied": True}])
def test_a_question_makes_no_table(empty: BaseDatabaseWrapper, question: dict[str, bool]) -> None:
    with suppress(SystemExit):  # so `--check` says that there is something to do
        run("migrate", empty, **question)
    assert set(empty.introspection.table_names()) <= {"django_migrations"}


def test_one_app_is_migrated_as_ever(empty: BaseDatabaseWrapper) -> None:
    run("migrate", empty, "contenttypes")
    assert set(empty.introspection.table_names()) == {"django_migrations", "django_content_type"}


def test_begun_database_is_migrated_as_ever(empty: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch) -> None:
    run("migrate", empty, "contenttypes")
    monkeypatch.delattr(ours, "make_tables")
    run("migrate", empty, "auth")
    assert "auth_permission" in empty.introspection.table_names()
