"""Moving the data of the site to another database: from SQLite to PostgreSQL, and back.

All rows of all tables are copied in one transaction, and are compared before it is committed: what arrives is equal row
by row, or nothing arrives. Rows are written without `save` and without signals, so no date is set anew and nothing is
counted again. Ids stay, and an id that was deleted is not given again, so links and cookies go on. Foreign keys are
deferred in both databases and checked at the end, so the order of tables does not matter.

No generation of the database begins: versions go on where they were. A PostgreSQL that is new begins one when the site
opens (`clubs.site.backups.notice_restored`), which phones come through.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import environ
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, Error, OperationalError, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.models.sql import InsertQuery

from clubs.site.backups import make_backup
from clubs.site.databases import with_options
from clubs.site.maintenance import StillOpen, closed_site

Model: TypeAlias = type[models.Model]

TARGET = "target of a move"
#: Rows that are read and written at once.
AT_ONCE = 500
#: What `migrate` writes into an empty database by itself.
OF_MIGRATE: tuple[Model, ...] = (Permission, ContentType)
#: Tables that have no model: of migrations, of what PostgreSQL's and SQLite's planners know.
WITHOUT_MODEL = {"django_migrations", "sqlite_stat1", "sqlite_stat4"}

#: Seconds.
PATIENCE = 2.0

ADDRESS = re.compile(r"sqlite:///.|postgres(ql)?://.")
NO_ADDRESS = "Give the address of a database: postgres://user:password@host/name or sqlite:///file."
STOP_SITE = "Stop the site first, on every machine: what is written during the move would be missing afterwards."
NOTHING_MOVED = "Nothing was moved, and the site can go on with its database as before."


class MoveProblem(Exception):
    """Why nothing was moved: one or two sentences for the person at the terminal."""


class Contents(NamedTuple):
    """How many rows a table has, and a sum of the hashes of its rows, in whatever order they come."""

    rows: int
    digest: int


class Moved(NamedTuple):
    """What a move has brought over, and the backup that was made before, on SQLite."""

    tables: int
    rows: int
    backup: Path | None


def move(url: str, *, source: str = DEFAULT_DB_ALIAS) -> Moved:
    """Copy everything from the database `source` to the empty one at `url`.

    Raises MoveProblem where that cannot be done, and then nothing was.
    """
    with database_at(url) as target:
        check_source(connections[source])
        check_target(target, connections[source])
        backup = make_backup() if connections[source].vendor == "sqlite" else None
        try:
            with closed_site():
                call_command("migrate", database=target.alias, verbosity=0, interactive=False)
                contents = copy_all(source, target.alias)
        except StillOpen:
            raise MoveProblem(STOP_SITE) from None
        except Error as problem:
            raise MoveProblem(f"The new database did not take it: {first_line(problem)} {NOTHING_MOVED}") from problem
        if target.vendor == "postgresql":
            with target.cursor() as cursor:
                # Else the first pages are planned as for empty tables.
                cursor.execute("ANALYZE")
    return Moved(len(contents), sum(each.rows for each in contents), backup)


@contextmanager
def database_at(url: str, alias: str = TARGET) -> Iterator[BaseDatabaseWrapper]:
    """A connection to the database at that address, for a while. Raises MoveProblem for one that cannot be used."""
    if not ADDRESS.match(url):
        raise MoveProblem(NO_ADDRESS)
    given = with_options(environ.Env.db_url_config(url))
    # One connection is enough, and no thread of a pool is left behind.
    given["OPTIONS"] = without_pool(given["OPTIONS"])
    connections.databases[alias] = connections.configure_settings({DEFAULT_DB_ALIAS: given})[DEFAULT_DB_ALIAS]
    try:
        try:
            connection = connections[alias]
        except ImproperlyConfigured as problem:
            raise MoveProblem(
                "The package for PostgreSQL is missing: "
                ".venv/bin/pip install --require-hashes -r requirements-postgres.txt"
            ) from problem
        try:
            yield connection
        finally:
            connection.close()
            del connections[alias]
    finally:
        del connections.databases[alias]


def check_source(source: BaseDatabaseWrapper) -> None:
    """Raise MoveProblem for a database of another version, and for a PostgreSQL that somebody else uses."""
    executor = MigrationExecutor(source)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise MoveProblem("The current database is of another version: start the site once, then stop it.")
    if source.vendor == "postgresql" and is_used(source):
        raise MoveProblem(f"Somebody else is connected to the current database. {STOP_SITE}")


def is_used(source: Any) -> bool:
    """Whether anybody but this process is connected to a PostgreSQL. From here on this process has one connection."""
    source.close()
    source.close_pool()
    source.settings_dict["OPTIONS"] = without_pool(source.settings_dict["OPTIONS"])
    end = time.monotonic() + PATIENCE
    while True:
        with source.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            (others,) = cursor.fetchone()
        # It takes PostgreSQL a moment to forget those that have gone.
        if not others or time.monotonic() > end:
            return bool(others)
        time.sleep(0.1)


def without_pool(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "pool"}


def check_target(target: BaseDatabaseWrapper, source: BaseDatabaseWrapper) -> None:
    """Raise MoveProblem for a database that cannot be reached or is not empty. Makes the file of a new SQLite."""
    if target.vendor == "sqlite":
        file = Path(str(target.settings_dict["NAME"]))
        if source.vendor == "sqlite" and file.resolve() == Path(str(source.settings_dict["NAME"])).resolve():
            raise MoveProblem("This is the current database: give the address of another one.")
        try:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as problem:
            raise MoveProblem(f"{file} cannot be written: {problem.strerror}.") from problem
    try:
        with target.cursor() as cursor:
            tables = set(target.introspection.table_names(cursor))
    except OperationalError as problem:
        raise MoveProblem(f"The new database cannot be reached: {first_line(problem)}") from problem
    ours = {model._meta.db_table: model for model in all_models()}
    if strange := sorted(tables - set(ours) - WITHOUT_MODEL):
        raise MoveProblem(f"The new database has tables of another program ({strange[0]}): give an empty one.")
    for name in sorted(tables & set(ours)):
        if ours[name] not in OF_MIGRATE and all_rows(ours[name], target.alias).exists():
            raise MoveProblem(f"The new database is not empty, it has rows in {name}: give an empty one.")


def all_models() -> list[Model]:
    """A model for each table."""
    models_of_tables = apps.get_models(include_auto_created=True)
    return [model for model in models_of_tables if model._meta.managed and not model._meta.proxy]


def all_rows(model: Model, using: str) -> models.QuerySet[models.Model]:
    """The rows of a table in that database, past the manager of its model."""
    return models.QuerySet(model, using=using)


def copy_all(source: str, target: str) -> list[Contents]:
    """Copy all tables, and compare them; what each has. Raises MoveProblem where they are not equal."""
    tables = all_models()
    with transaction.atomic(using=source), transaction.atomic(using=target):
        if connections[source].vendor == "postgresql":
            with connections[source].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        for model in OF_MIGRATE:
            all_rows(model, target)._raw_delete(target)
        for model in tables:
            copy_rows(model, source, target)
            keep_ids(model, connections[source], connections[target])
        connections[target].check_constraints()
        before = [contents_of(model, source) for model in tables]
        after = [contents_of(model, target) for model in tables]
        if before != after:
            name = next(model for model, *both in zip(tables, before, after, strict=True) if both[0] != both[1])
            raise MoveProblem(f"{name._meta.db_table} did not arrive as it was. {NOTHING_MOVED}")
    return before


def copy_rows(model: Model, source: str, target: str) -> None:
    """Copy the rows of one table, as they are."""
    connection, fields = connections[target], concrete_fields(model)
    rows = all_rows(model, source).order_by("pk").iterator(chunk_size=AT_ONCE)
    while some := list(islice(rows, AT_ONCE)):
        most = connection.ops.bulk_batch_size(fields, some)
        for at in range(0, len(some), most):
            query = InsertQuery(model)
            # Raw: as they are, without what fields do before they are saved.
            query.insert_values(fields, some[at : at + most], raw=True)
            query.get_compiler(using=target).execute_sql()


def concrete_fields(model: Model) -> list[models.Field[Any, Any]]:
    """The fields that are columns."""
    return list(model._meta.local_concrete_fields)


def contents_of(model: Model, using: str) -> Contents:
    """The rows of a table, counted and hashed."""
    names = [field.attname for field in concrete_fields(model)]
    count = total = 0
    for row in all_rows(model, using).values_list(*names).iterator(chunk_size=AT_ONCE):
        text = json.dumps([comparable(value) for value in row], sort_keys=True)
        total += int.from_bytes(hashlib.sha256(text.encode()).digest()[:16])
        count += 1
    return Contents(count, total)


def comparable(value: Any) -> Any:
    """A value as JSON has it, the same from either database.

    PostgreSQL has bytes in a view of memory, and its JSON knows no order of keys and writes 1e16 as a whole number.
    """
    if isinstance(value, dict):
        return {key: comparable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [comparable(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC).isoformat()
    if isinstance(value, datetime.date | datetime.time | Decimal):
        return str(value)
    return value


def keep_ids(model: Model, source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> None:
    """Let the target go on counting where the source is: no id that was ever given is given again."""
    key = model._meta.pk
    if isinstance(key, models.AutoField):
        last = last_id(model, key, source)
        with target.cursor() as cursor:
            if target.vendor == "postgresql":
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)",
                    [target.ops.quote_name(model._meta.db_table), key.column, last or 1, last > 0],
                )
            else:
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
                if last:
                    cursor.execute("INSERT INTO sqlite_sequence VALUES (%s, %s)", [model._meta.db_table, last])


def last_id(model: Model, key: models.AutoField[Any, Any], source: BaseDatabaseWrapper) -> int:
    """The last id that a table has given; 0: none yet."""
    table = model._meta.db_table
    with source.cursor() as cursor:
        if source.vendor == "postgresql":
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [source.ops.quote_name(table), key.column])
            (sequence,) = cursor.fetchone()
            cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")  # noqa: S608
        else:
            cursor.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = %s", [table])
        (counted,) = cursor.fetchone()
    highest = all_rows(model, source.alias).aggregate(highest=models.Max("pk"))["highest"]
    return max(counted, highest or 0)


def first_line(problem: Exception) -> str:
    """What a database says of a problem, without the rows it quotes."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    return f"{lines[0].rstrip('.')}." if lines else f"{type(problem).__name__}."
