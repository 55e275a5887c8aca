"""`manage.py founding_code`: make a code for founding a club."""

from typing import Any

from django.core.management.base import BaseCommand

from clubs.club import founding


class Command(BaseCommand):
    help = "Print a code that founds one club, once. Codes that were printed before and not used found none any more."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(founding.new_code())
