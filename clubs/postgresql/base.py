"""The database backend for PostgreSQL: connections it has ended are replaced before anybody notices.

Where one has ended, all have: PostgreSQL was restarted. psycopg's pool finds that out of one after the other and waits
in between: two of them cost a second, four cost five, and then the request is refused. Here they all go at once.
"""

from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """Looks itself whether a connection out of the pool answers; the pool would, with `CONN_HEALTH_CHECKS`."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        """A connection that answers. Raises the database's error where there is none within the pool's `timeout`."""
        connection = super().get_new_connection(conn_params)
        if self.pool and not answers(connection):
            self.pool.putconn(connection)
            self.pool.check()
            connection = super().get_new_connection(conn_params)
        return connection


def answers(connection: Connection) -> bool:
    try:
        ConnectionPool.check_connection(connection)
    except OperationalError:
        return False
    return True
