"""The command `migrate`: the tables of an empty database come from the models, all others by migrations.

A migration and the row that says so are written in one transaction.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.core.management.commands import migrate
from django.db import connections, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import executor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


class MigrationExecutor(executor.MigrationExecutor):
    """Django's executor, but that a migration is never done without being recorded.

    Django records one whose indexes or foreign keys come last only after their commit. If the power fails in between,
    the next run makes the same tables again, and fails.
    """

    def apply_migration(self, state: Any, migration: Any, *args: Any, **options: Any) -> Any:
        with one_transaction(self.connection, migration):
            return super().apply_migration(state, migration, *args, **options)

    def unapply_migration(self, state: Any, migration: Any, *args: Any, **options: Any) -> Any:
        with one_transaction(self.connection, migration):
            return super().unapply_migration(state, migration, *args, **options)


@contextmanager
def one_transaction(connection: BaseDatabaseWrapper, migration: Any) -> Iterator[None]:
    """All or nothing, but for a migration that says it cannot be. SQLite checks foreign keys at its end."""
    if not migration.atomic:
        yield
        return
    # SQLite does so only outside of a transaction; its schema editor asks for it, and checks them itself.
    with connection.constraint_checks_disabled(), transaction.atomic(connection.alias):
        yield


# The command offers no other way to bring one's own.
migrate.MigrationExecutor = MigrationExecutor  # type: ignore[attr-defined]


class Command(migrate.Command):
    """Django's command, but that one step makes all tables of an empty database.

    To add and rename one after the other what releases before have added and renamed takes four seconds longer, of the
    ten until a new site opens. Both ways lead to the same tables (tests/clubs/site/test_migrate.py).
    """

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        only_asks = options["plan"] or options["check_unapplied"]
        if not (only_asks or options["app_label"] or connection.introspection.table_names()):
            make_tables(connection)
        super().handle(*args, **options)


def make_tables(connection: BaseDatabaseWrapper) -> None:
    """Make the table of every model in an empty database, and say there that every migration ran; all or nothing."""
    migrations = MigrationLoader(connection)
    with connection.schema_editor() as editor:
        for app in apps.get_app_configs():
            for model in router.get_migratable_models(app, connection.alias):
                if model._meta.can_migrate(connection):
                    editor.create_model(model)
        editor.create_model(MigrationRecorder.Migration)
        recorder = MigrationRecorder(connection)
        for key, migration in migrations.graph.nodes.items():
            for app_label, name in (*migration.replaces, key):
                recorder.record_applied(app_label, name)
