"""`python -m tests.bench.ledger`: every write of every sheet in the house as JSON, and whether the database is sound.

`{"sound": "ok", "sheets": {code: {"version": 3, "edition": "3", "writes": [write]}}}`, each write
`[version, key, verb, when, [[hand, ask, data]]]`.
"""

import json
import sys
from typing import Any

import django

Ledger = dict[str, Any]


def main() -> None:
    django.setup()
    from django.db import connection

    from scoresheets.models import Entry, Revision, Sheet

    added: dict[int, list[list[object]]] = {}
    for entry in Entry.objects.order_by("pk"):
        added.setdefault(entry.added_by_id, []).append([entry.hand, entry.ask, entry.data])
    sheets = {
        sheet.code: {
            "version": sheet.version,
            "edition": sheet.edition,
            "writes": [
                [write.version, write.key, write.verb, write.at.isoformat(), added.get(write.pk, [])]
                for write in Revision.objects.filter(sheet=sheet).order_by("version")
            ],
        }
        for sheet in Sheet.objects.all()
    }
    sound = "ok"
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            sound = cursor.execute("PRAGMA integrity_check").fetchone()[0]
            sound = "a row without its parent" if cursor.execute("PRAGMA foreign_key_check").fetchall() else sound
    json.dump({"sound": sound, "sheets": sheets}, sys.stdout)


if __name__ == "__main__":
    main()
