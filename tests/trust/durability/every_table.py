"""`python -m tests.trust.durability.every_table`: a hash of each row of every table, as JSON by table and primary key.

With the name of a snapshot of PostgreSQL as its argument it looks at the rows of that moment.
"""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import nullcontext
from typing import Any

#: The hashes of all rows, by table and primary key.
Rows = dict[str, dict[str, str]]
#: Columns that say something else after a backup was restored: another generation begins, nothing waits to be sent.
BEGIN_ANEW = {
    "scoresheets_sheet": {"generation", "restored"},
    "clubs_night": {"generation"},
    "clubs_event": {"expanded_at"},
    "clubs_delivery": {"given_up_at", "seen_at", "problem", "message"},
}


def rows_of(cursor: Any, table: str) -> dict[str, str]:
    """The hash of each row of a table; its key is the hash where it has no primary key."""
    from django.db import connection

    described = connection.introspection.get_table_description(cursor, table)
    columns = sorted({column.name for column in described} - BEGIN_ANEW.get(table, set()))
    key = connection.introspection.get_primary_key_column(cursor, table)
    cursor.execute(f"SELECT {', '.join(map(connection.ops.quote_name, columns))} FROM {table}")
    found = {}
    for row in cursor.fetchall():
        values = [bytes(value) if isinstance(value, memoryview) else value for value in row]
        digest = hashlib.sha256(repr(values).encode()).hexdigest()[:32]
        found[str(values[columns.index(key)]) if key else digest] = digest
    return found


def main(snapshot: str = "") -> None:
    import django

    django.setup()
    from django.db import connection, transaction

    with transaction.atomic() if snapshot else nullcontext(), connection.cursor() as cursor:
        if snapshot:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("SET TRANSACTION SNAPSHOT %s", [snapshot])
        tables = connection.introspection.table_names(cursor)
        json.dump({table: rows_of(cursor, table) for table in tables}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
