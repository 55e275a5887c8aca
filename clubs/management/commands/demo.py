"""`manage.py demo`: sheets of every game to look at, and away with them again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from clubs import demo


class Command(BaseCommand):
    help = "Load the demo: a finished and a running sheet of every game. With --remove, take exactly these away."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--remove", action="store_true", help="take the demo sheets away, for good")

    def handle(self, *args: Any, remove: bool, verbosity: int, **options: Any) -> None:
        said = f"Removed {sheets(demo.remove())}." if remove else f"Loaded {sheets(demo.load())}."
        if verbosity:
            self.stdout.write(said)


def sheets(count: int) -> str:
    return "no demo sheet" if count == 0 else "1 demo sheet" if count == 1 else f"{count} demo sheets"
