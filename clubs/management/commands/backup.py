"""`manage.py backup`: back up the database while the site runs."""

from typing import Any

from django.core.management.base import CommandError

from clubs.site.backups import KEPT, BackupProblem, make_backup
from scoresheets.management.site_command import SiteCommand


class Command(SiteCommand):
    help = f"Back up the database to var/backups. The last {KEPT} are kept, and the last of each of {KEPT} days."
    needs_database = False

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(f"Backed up to {make_backup()}")
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem
