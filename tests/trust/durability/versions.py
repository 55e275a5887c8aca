"""`python -m tests.trust.durability.versions back`: a database goes back to an earlier version, keeping what it has.

It tells of the database before and after, in JSON. `forward` goes all the steps to today and tells of it after each,
`look` as it is. `upgrade 7` runs `migrate`, which is killed before the seventh statement that writes; 0: it is not.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable
from typing import Any

#: The version before the last: of 1.0.1.
EARLIER = [("clubs", "0007_dispute_labels"), ("scoresheets", "0005_last_opened")]
#: Tables that get more rows on the way, why, and what of these rows differs each time. Those they had are kept.
ADDED_TO = {
    # It says which migrations ran.
    "django_migrations": {"id", "applied"},
    # What follows a migration names new models, and who may do what with them.
    "django_content_type": set(),
    "auth_permission": set(),
    # `clubs.0016_ratings`, `clubs.0017_form` and what follows a migration let all be counted once the site is open.
    "clubs_pendingupdate": {"id", "created"},
}
#: All columns, indexes and constraints, in words.
SCHEMA = {
    "sqlite": "SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL",
    "postgresql": """
        SELECT table_name, concat_ws(' ', column_name, data_type, character_maximum_length, is_nullable, column_default)
        FROM information_schema.columns WHERE table_schema = 'public'
        UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT conrelid::regclass::text, concat_ws(' ', conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    """,
}
#: So many rows are held at once.
A_PIECE = 20_000

#: `{"applied": [names], "tables": [[table, column or index]], "columns": {table: {column: digest of all rows}},
#: "added": {table: [digests of rows]}, "count": rows in all}`.
Look = dict[str, Any]


def look(database: Any = None) -> Look:
    """Every row of every table, of the site's database or another connection of Django."""
    from django.db import connection as site
    from django.db.migrations.loader import MigrationLoader
    from django.db.migrations.recorder import MigrationRecorder

    found: Look = {"columns": {}, "added": {}, "count": 0}
    connection = database or site
    with connection.cursor() as cursor:
        cursor.execute(SCHEMA[connection.vendor])
        found["tables"] = sorted(map(list, cursor.fetchall()))
        for table in sorted(connection.introspection.table_names(cursor)):
            # Django's own description parses the statement that made the table, which takes most of the time.
            cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
            columns = sorted(column[0] for column in cursor.description)
            if table in ADDED_TO:
                found["added"][table] = sorted(rows_of(cursor, table, columns, leave_out=ADDED_TO[table]))
            else:
                found["columns"][table], count = columns_of(cursor, table, columns)
                found["count"] += count
    # One that stands for others is only noted at the end, after all have run: it changes nothing.
    replaces = {name: one.replaces for name, one in MigrationLoader(None).disk_migrations.items()}
    applied = [name for name in MigrationRecorder(connection).applied_migrations() if not replaces.get(name)]
    found["applied"] = sorted(map(" ".join, applied))
    return found


def rows_of(cursor: Any, table: str, columns: Iterable[str], *, leave_out: set[str]) -> list[str]:
    """The digest of each row, without some columns."""
    names = ", ".join(f'"{column}"' for column in columns if column not in leave_out)
    cursor.execute(f'SELECT {names} FROM "{table}"')
    return [hashlib.sha256(repr(row).encode()).hexdigest()[:16] for row in cursor.fetchall()]


def columns_of(cursor: Any, table: str, columns: list[str]) -> tuple[dict[str, str], int]:
    """By column a digest of what all rows have in it, in the order of their keys; and how many rows there are."""
    key = cursor.db.introspection.get_primary_key_column(cursor, table)
    names = ", ".join(f'"{column}"' for column in columns)
    digests, count = [hashlib.sha256() for _ in columns], 0
    cursor.execute(f'SELECT {names} FROM "{table}" ORDER BY {key or names}')
    while rows := cursor.fetchmany(A_PIECE):
        for digest, values in zip(digests, zip(*rows, strict=True), strict=True):
            digest.update(written(values).encode())
        count += len(rows)
    return {column: digest.hexdigest()[:16] for column, digest in zip(columns, digests, strict=True)}, count


def written(values: tuple[object, ...]) -> str:
    """What is hashed of the values of a column. PostgreSQL hands out bytes as the place where they are."""
    text = repr(values)
    if "<memory at" in text:
        return repr([bytes(each) if isinstance(each, memoryview) else each for each in values])
    return text


def lost(before: Look, after: Look) -> list[str]:
    """What an earlier version has and a later one has not, or has otherwise: columns, by table, and rows."""
    wrong = [
        f"{table}.{column}"
        for table, columns in before["columns"].items()
        for column, digest in columns.items()
        if after["columns"].get(table, {}).get(column) != digest
    ]
    return wrong + [table for table in before["added"] if set(before["added"][table]) - set(after["added"][table])]


def differences(step: Look, found: Look) -> list[str]:
    """What of a database is not as after that step: tables, their indexes, and what each of their columns has."""
    names = ("applied", "tables", "columns", "count")
    return [name for name in names if step[name] != found[name]] + lost(step, found)


class NoStep(AssertionError):
    """A database is as after no step of its upgrade."""


def step_of(steps: list[Look], found: Look) -> int:
    """The number of the last step after which a database is as it was found."""
    wrong = {at: differences(step, found) for at, step in enumerate(steps) if step["applied"] == found["applied"]}
    fitting = [at for at, what in wrong.items() if not what]
    if not fitting:
        raise NoStep(wrong or found["applied"])
    return fitting[-1]


def forward(after_each: Callable[[], object]) -> None:
    """The command `migrate`, and what is done after each of its steps."""
    from django.core.management import call_command

    from scoresheets.management.commands.migrate import Command

    class StepByStep(Command):
        def migration_progress_callback(self, action: str, migration: object = None, fake: bool = False) -> None:
            if action == "apply_success":
                after_each()

    call_command(StepByStep(), verbosity=0)
    after_each()


#: How statements begin that write nothing.
WRITE_NOTHING = ("SELECT", "PRAGMA", "SAVEPOINT", "RELEASE")


class Kill:
    """Kills this process before the statement of that number that writes; counts them where it is 0."""

    def __init__(self, before: int) -> None:
        self.before, self.statements = before, 0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.lstrip().upper().startswith(WRITE_NOTHING):
            self.statements += 1
            if self.statements == self.before:
                os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)


def main(what: str, statement: str = "") -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from scoresheets.management.commands.migrate import MigrationExecutor

    if what == "upgrade":
        kill = Kill(int(statement))
        with connection.execute_wrapper(kill):
            call_command("migrate", verbosity=0)
        json.dump(kill.statements, sys.stdout)
        return
    looks = [look()]
    if what == "back":
        # Without the command: what follows a migration is for the models of today.
        MigrationExecutor(connection).migrate(EARLIER)
        looks.append(look())
    if what == "forward":
        forward(lambda: looks.append(look()))
    json.dump(looks, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
