"""`python -m tests.bench.others 10000`: so many sheets of others, copied in SQL from one that was played.

On SQLite. Every copy has the ids of the original moved by the same distance.
"""

import secrets
import sys

import django

HANDS = 4
DISTANCE = 1_000_000


def main(count: int) -> None:
    django.setup()
    from django.db import connection, transaction

    from scoresheets.models import Entry, Player, Revision, Scorekeeper, Seat, Sheet
    from tests.factories import pencil

    kept = pencil(6, browser=secrets.token_hex(32), plan={"hands": 24})
    for _ in range(HANDS):
        kept.any_hand()
    fresh = {"code": "substr(hex(randomblob(11)), 1, 22)", "watch": "substr(hex(randomblob(11)), 1, 22)"}
    fresh |= {"opening": "NULL"}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE copy AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c "
                       "WHERE n < %s) SELECT n FROM c", [count])  # fmt: skip
        for model in (Player, Sheet, Seat, Scorekeeper, Revision, Entry):
            columns, values = [], []
            for column in model._meta.concrete_fields:
                moved = column.primary_key or (column.is_relation and column.related_model is not None)
                columns.append(f'"{column.column}"')
                value = f'"{column.column}" + n * {DISTANCE}' if moved else f'"{column.column}"'
                values.append(fresh.get(column.column, value))
            table = model._meta.db_table
            cursor.execute(
                f'INSERT INTO "{table}" ({", ".join(columns)}) '
                f'SELECT {", ".join(values)} FROM "{table}" CROSS JOIN copy WHERE id < {DISTANCE} ORDER BY n'
            )
        cursor.execute("DROP TABLE copy")


if __name__ == "__main__":
    main(int(sys.argv[1]))
