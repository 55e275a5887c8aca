"""`manage.py demo`: load or remove the demo sheets and the demo club."""

from typing import Any

from django.core.management.base import CommandParser

from clubs.demo import club as demo_club
from clubs.demo import sheets
from clubs.projections import worker
from scoresheets.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Load the demo: two sheets of every game, and a club. With --remove, delete exactly these."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--remove", action="store_true", help="delete the demo, for good")

    def handle(self, *args: Any, remove: bool, verbosity: int, **options: Any) -> None:
        if remove:
            sentence = f"Removed {count_text(sheets.remove(), club=demo_club.remove())}."
        else:
            sentence = f"Loaded {count_text(sheets.load(), club=demo_club.load())}."
        worker.catch_up()
        if verbosity:
            self.stdout.write(sentence)


def count_text(count: int, *, club: bool) -> str:
    """What was loaded or removed."""
    named = "no demo sheet" if count == 0 else "1 demo sheet" if count == 1 else f"{count} demo sheets"
    return f"{named} and the demo club" if club else named
