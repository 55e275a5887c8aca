"""`python -m tests.trust.durability.versions back`: a database goes back to an earlier version, keeping what it has.

It tells of the database before and after, in JSON. `forward` goes all the steps to today and tells of it after each,
`look` as it is: `{"applied": [names], "tables": {table: [columns and indexes]}, "rows": {table: [how many, digest]}}`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

#: The version before the last: of 1.0.1.
EARLIER = [("clubs", "0007_dispute_labels"), ("scoresheets", "0005_last_opened")]
#: What every migration has to keep.
KEPT = {"clubs_placing": "id, score, place, member_id, table_id", "clubs_table": "id, number, game, night_id"}

Look = dict[str, Any]


def look() -> Look:
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    with connection.cursor() as cursor:
        tables = {}
        for table in sorted(connection.introspection.table_names(cursor)):
            columns = [field.name for field in connection.introspection.get_table_description(cursor, table)]
            indexes = connection.introspection.get_constraints(cursor, table).values()
            tables[table] = sorted(columns) + sorted(repr(sorted(index.items())) for index in indexes)
        rows = {}
        for table, columns in KEPT.items():
            cursor.execute(f"SELECT {columns} FROM {table} ORDER BY id")
            found = cursor.fetchall()
            rows[table] = [len(found), hashlib.sha256(repr(found).encode()).hexdigest()]
    applied = sorted(" ".join(name) for name in MigrationRecorder(connection).applied_migrations())
    return {"applied": applied, "tables": tables, "rows": rows}


def main(what: str) -> None:
    import django

    django.setup()
    from django.db import connection

    from scoresheets.management.commands.migrate import MigrationExecutor

    executor, looks = MigrationExecutor(connection), [look()]
    if what == "back":
        # Without the command: what follows a migration is for the models of today.
        executor.migrate(EARLIER)
        looks.append(look())
    if what == "forward":
        for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes()):
            MigrationExecutor(connection).migrate([(migration.app_label, migration.name)])
            looks.append(look())
    json.dump(looks, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
