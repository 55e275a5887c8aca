"""Hold what finished sheets have told against what stands on them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand
from django.db import transaction

from scoresheets.models import Sheet
from scoresheets.publishing import has_told_all, publish, tell_facts
from scoresheets.reading import read_sheet

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from scoresheets.reading import SheetReading


class Command(BaseCommand):
    help = "Reads every sheet again and compares its places and facts with it. Exit 1 where something differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mend", action="store_true", help="let the sheets that differ tell it again")

    def handle(self, *args: Any, mend: bool, **options: Any) -> None:
        read, differ = 0, 0
        for pk in Sheet.objects.order_by("pk").values_list("pk", flat=True).iterator():
            with transaction.atomic():
                reading = read_sheet(Sheet.objects.select_for_update(no_key=True).get(pk=pk))
                read += 1
                if has_told_all(reading):
                    continue
                differ += 1
                if mend:
                    settle_the_date(reading)
                    publish(reading, was_published=True)
                    tell_facts(reading)
        self.stdout.write(f"{read} sheets read, {differ} differ{' and were mended' if mend and differ else ''}.")
        if differ and not mend:
            sys.exit(1)


def settle_the_date(reading: SheetReading) -> None:
    """Finished is a sheet that waits for nothing, since the last thing that was written on it."""
    sheet = reading.record
    last = max(entry.at for entry in reading.standing.values())
    sheet.finished_at = (sheet.finished_at or last) if reading.finished else None
    sheet.save(update_fields=["finished_at"])
