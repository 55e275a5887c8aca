"""`python -m tests.bench.others 10000`: so many sheets of others, copied in SQL from one that was played.

Every copy has the ids of the original moved by the same distance.
"""

import secrets
import sys
from collections.abc import Mapping, Sequence

import django
from django.db.models import Field, Model

HANDS = 4
DISTANCE = 1_000_000
#: Characters of a number below `DISTANCE` that make a text unique.
DIGITS = 7


def main(count: int) -> None:
    """On SQLite."""
    django.setup()
    from scoresheets.models import Entry, Player, Revision, Scorekeeper, Seat, Sheet
    from tests.factories import scorer

    kept = scorer(6, browser=secrets.token_hex(32), plan={"hands": 24})
    for _ in range(HANDS):
        kept.any_hand()
    fresh = {"code": "substr(hex(randomblob(11)), 1, 22)", "watch": "substr(hex(randomblob(11)), 1, 22)"}
    copy_rows((Player, Sheet, Seat, Scorekeeper, Revision, Entry), count, fresh | {"opening": "NULL"})


def copy_rows(models: Sequence[type[Model]], count: int, fresh: Mapping[str, str] | None = None) -> None:
    """Copy all rows of these tables so many times. A copy leads to copies, or to what is not copied.

    `fresh`: by column what it gets; else a text that must be unique ends with the number of the copy.
    """
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE copy AS WITH RECURSIVE c(n) AS (SELECT CAST(1 AS bigint) UNION ALL "
                       "SELECT n + 1 FROM c WHERE n < %s) SELECT n FROM c", [count])  # fmt: skip
        for model in models:
            columns = {f'"{field.column}"': value_of(field, models) for field in model._meta.concrete_fields}
            columns |= {f'"{name}"': value for name, value in (fresh or {}).items() if f'"{name}"' in columns}
            table = model._meta.db_table
            cursor.execute(
                f'INSERT INTO "{table}" ({", ".join(columns)}) '
                f'SELECT {", ".join(columns.values())} FROM "{table}" CROSS JOIN copy WHERE id < {DISTANCE} ORDER BY n'
            )
        cursor.execute("DROP TABLE copy")


def value_of(field: "Field[object, object]", models: Sequence[type[Model]]) -> str:
    """What a copy has in a column, in SQL."""
    name = f'"{field.column}"'
    if field.primary_key or (field.is_relation and field.related_model in models):
        return f"{name} + n * {DISTANCE}"
    if field.unique and field.max_length:
        return f"substr({name}, 1, {field.max_length - DIGITS}) || CAST({DISTANCE} + n AS text)"
    return name


if __name__ == "__main__":
    main(int(sys.argv[1]))
