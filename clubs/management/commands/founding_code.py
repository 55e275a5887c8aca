"""`manage.py founding_code`: make a code for founding a club."""

from typing import Any

from clubs.club import founding
from scoresheets.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Print a code that starts one club, once. Older codes that were not used stop working."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(founding.new_code())
