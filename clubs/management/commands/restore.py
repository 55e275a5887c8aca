"""`manage.py restore FILE`: restore a backup of the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from clubs.site.backups import BackupProblem, begin_again, restore
from scoresheets.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Replace the database with a backup. The database of now is backed up first."
    needs_database = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="a file from var/backups")
        parser.add_argument(
            "--done",
            action="store_true",
            help="the database was restored by another program, such as pg_restore: phones and pages are to hear of it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["done"]:
            begin_again()
            self.stdout.write("Phones and pages will take the database as it is now for the newest.")
            return
        if options["file"] is None:
            raise CommandError("Say which file: manage.py restore var/backups/...")
        try:
            before = restore(options["file"])
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem
        if before:
            self.stdout.write(f"The database until now is in {before}")
        self.stdout.write(f"Restored from {options['file']}. A running site uses it at once.")
