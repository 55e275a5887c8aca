"""`manage.py move_database --to DATABASE_URL`: copy everything to another, empty database."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from clubs.server.startup import EVERYWHERE_FROM_HERE
from clubs.server.supervisor import answers
from clubs.site.backups import BackupProblem
from clubs.site.database_move import STOP_SITE, MoveProblem, move
from scoresheets.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Copy everything from the database of the site to an empty one: SQLite to PostgreSQL, or back."
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--to", required=True, metavar="DATABASE_URL", help="postgres://user:password@host/name or sqlite:///file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if answers((EVERYWHERE_FROM_HERE.get(settings.HOST, settings.HOST), settings.PORT)):
            raise CommandError(STOP_SITE)
        try:
            moved = move(options["to"])
        except (MoveProblem, BackupProblem) as problem:
            raise CommandError(str(problem)) from problem
        if moved.backup:
            self.stdout.write(f"The database until now was backed up to {moved.backup}")
        self.stdout.write(
            f"{moved.rows:,} rows of {moved.tables} tables are in the new database, equal row by row. "
            "The database until now is as it was."
        )
        self.stdout.write("Now set DATABASE_URL to the new one, keep SECRET_KEY or var/secret, and start the site.")
