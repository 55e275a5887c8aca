"""`manage.py founding_code`: make a code for founding a club."""

from typing import Any

from django.core.management.base import BaseCommand

from clubs.club import founding


class Command(BaseCommand):
    help = "Print a code that starts one club, once. Older codes that were not used stop working."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(founding.new_code())
