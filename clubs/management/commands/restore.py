"""`manage.py restore FILE`: back to a copy of the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from clubs.backups import BackupProblem, restore_backup


class Command(BaseCommand):
    help = "Put a backup in the place of the database. What stands there now is backed up first."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file from var/backups")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            before = restore_backup(options["file"])
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem
        if before:
            self.stdout.write(f"What stood there until now is in {before}")
        call_command("migrate", verbosity=0, interactive=False)
        self.stdout.write(f"Restored from {options['file']}. Start the site again if it is running.")
