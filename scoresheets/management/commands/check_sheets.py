"""`manage.py check_sheets`: compare the published results of finished sheets with their entries."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.db import transaction
from django.urls import reverse

from scoresheets.history.dealt_again import dealt_away, mend, mended
from scoresheets.log.publish import is_published, publish, replace_facts
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.management.site_command import SiteCommand
from scoresheets.models import Sheet


class Command(SiteCommand):
    help = (
        "Reads every sheet again and compares its places and facts with it, and looks for hands that were dealt again "
        "and have something from before the misdeal. Exit 1 where something is left to do."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--mend", action="store_true", help="let the sheets that differ tell it again, mend the others"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        read, differ, left, mends = 0, 0, 0, options["mend"]
        for pk in Sheet.objects.order_by("pk").values_list("pk", flat=True).iterator():
            with transaction.atomic():
                reading = read_sheet(Sheet.objects.select_for_update(no_key=True).get(pk=pk))
                read += 1
                if dealt_away(reading):
                    left += self.dealt_away(reading, mends=mends)
                if is_published(reading):
                    continue
                differ += 1
                if mends:
                    settle_the_date(reading)
                    publish(reading, was_published=True)
                    replace_facts(reading)
        self.stdout.write(f"{read} sheets read, {differ} differ{' and were repaired' if mends and differ else ''}.")
        if left or (differ and not mends):
            sys.exit(1)

    def dealt_away(self, reading: SheetReading, *, mends: bool) -> int:
        """Say what stands of a hand from before its misdeal, and mend it; how many sheets are left."""
        hands = ", ".join(str(hand) for hand in sorted({entry.address[0] for entry in dealt_away(reading)}))
        where = f"{reverse('watch', args=[reading.record.watch])}: hand {hands} was dealt again and has something from"
        if mends and mend(reading):
            self.stdout.write(f"{where} before the misdeal. It was taken off.")
            return 0
        rest = "--mend takes it off." if mended(reading) else "Play has gone on from it: correct it on the sheet."
        self.stdout.write(f"{where} before the misdeal. {rest}")
        return 1


def settle_the_date(reading: SheetReading) -> None:
    """Finished is a sheet that waits for nothing, since the last thing that was written on it."""
    sheet = reading.record
    last = max(entry.at for entry in reading.standing.values())
    sheet.finished_at = (sheet.finished_at or last) if reading.finished and not reading.is_held_back else None
    sheet.save(update_fields=["finished_at"])
