"""`make demo-file`: play the demo in a database of its own, and write its rows into `fixtures/demo.json.gz`."""

from __future__ import annotations

import datetime
import gzip
import json
import os
import tempfile

import time_machine

#: The evening on which the file is made: not a full minute, by which the file tells what the story says from what
#: follows from the clock.
EVENING = datetime.datetime(2026, 11, 24, 20, 10, 7, 123457, tzinfo=datetime.UTC)


def played() -> dict[str, object]:
    """The content of the file, from playing the demo in the database of these settings."""
    from clubs.demo.rows import tables_of
    from clubs.demo.sheets import demo_sheets
    from scoresheets.models import Sheet
    from tests.demo.club import play_club
    from tests.demo.sheets import play_sheets

    play_sheets()
    own = list(demo_sheets().values_list("pk", flat=True))
    club = play_club()
    others = list(Sheet.objects.exclude(pk__in=own).values_list("pk", flat=True))
    return {"sheets": tables_of(own), "club": tables_of(others, club)}


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as var:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "clubs.settings",
            "SETTINGS_FILE": os.devnull,
            "VAR": var,
            "TIME_ZONE": "UTC",
        }
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        from django.core.management import call_command

        from clubs.demo.rows import file

        call_command("migrate", verbosity=0)
        with time_machine.travel(EVENING, tick=False):
            text = json.dumps(played(), ensure_ascii=False, separators=(",", ":"))
        file().write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
