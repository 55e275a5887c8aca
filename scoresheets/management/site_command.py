"""What all commands of the site do first: they look who asks, and whether the database is of this version."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

OLDER = (
    "The database is of another version. Start the site first (make run, or systemctl restart box-and-circle): "
    "it brings the database up to date. Nothing was changed."
)
FOR_THE_OWNER = (
    "What the site writes belongs to the user {name}. As root this would leave files there that the site cannot write. "
    "Do it as that user: runuser -u {name} -- COMMAND"
)


class SiteCommand(BaseCommand):
    """A command that reads or writes what the site has written.

    On a new site it makes the tables first, so that a club can come in before anything was started. With
    `needs_database = False` it takes the database as it is.
    """

    needs_database = True
    requires_migrations_checks = False
    #: They look at the code, which is the same on every machine, for a quarter of a second. `make check` runs them.
    requires_system_checks = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        refuse_root()
        if self.needs_database:
            self.prepare_database()
        return super().execute(*args, **options)

    def prepare_database(self) -> None:
        """Make the tables of a new site. Raises CommandError where they are those of another version."""
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return
        if executor.loader.applied_migrations:
            raise CommandError(OLDER)
        call_command("migrate", verbosity=0, interactive=False)


def refuse_root() -> None:
    """Raise CommandError where root would write among the files of another user."""
    folder = settings.VAR
    if os.geteuid() == 0 and folder.exists() and folder.stat().st_uid != 0:
        raise CommandError(FOR_THE_OWNER.format(name=name_of_owner(folder)))


def name_of_owner(folder: Path) -> str:
    """The user to whom the folder belongs, by name; by number where this machine knows no name."""
    try:
        return folder.owner()
    except KeyError:
        return f"#{folder.stat().st_uid}"
