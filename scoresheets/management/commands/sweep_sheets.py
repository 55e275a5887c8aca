"""`manage.py sweep_sheets`: delete sheets that were opened and left blank."""

from __future__ import annotations

from typing import Any

from scoresheets.management.site_command import SiteCommand
from scoresheets.opening.sweep import sweep


class Command(SiteCommand):
    help = "Deletes sheets on which nothing was written but the set-up, once they are BLANK_SHEETS_STAY_HOURS old."

    def handle(self, *args: Any, **options: Any) -> None:
        swept = sweep()
        self.stdout.write("1 blank sheet deleted." if swept == 1 else f"{swept} blank sheets deleted.")
