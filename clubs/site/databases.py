"""How a database is used: what Django is told of it, beside its address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError

from clubs.site.database_errors import LOCKED, trouble_of
from clubs.sqlite.lock_wait import LONGEST_WAIT, lock_wait

SQLITE_OPTIONS = {
    # Measured with twenty writers: with IMMEDIATE nobody is refused; without it nearly everybody is.
    # It is also why ATOMIC_REQUESTS stays off: with it every page view would queue with the writers.
    "transaction_mode": "IMMEDIATE",
    "timeout": LONGEST_WAIT,
    # FULL, because an entry that was acknowledged must survive a power cut.
    "init_command": (
        "PRAGMA journal_mode=WAL;"
        "PRAGMA synchronous=FULL;"
        "PRAGMA temp_store=MEMORY;"
        # Each thread has a connection with a cache of its own (KiB). The system keeps the file in memory anyway.
        "PRAGMA cache_size=-1000;"
        "PRAGMA journal_size_limit=67108864;"
    ),
}


def with_options(database: dict[str, Any]) -> dict[str, Any]:
    """The settings of a database as the site uses it. Raises ImproperlyConfigured for one it cannot use."""
    if database.get("ENGINE") == "django.db.backends.sqlite3":
        return database | {"ENGINE": "clubs.sqlite", "OPTIONS": SQLITE_OPTIONS, "CONN_MAX_AGE": None}
    if database.get("ENGINE") == "django.db.backends.postgresql":
        # Django's pool keeps the connections, so that each request gives its own back. While PostgreSQL is away the
        # pool waits ever longer until it tries again; who comes after five seconds makes it try at once.
        options = {"options": f"-c lock_timeout={LONGEST_WAIT:g}s"} | database.get("OPTIONS", {})
        options |= {"pool": {"min_size": 1, "max_size": 8, "timeout": 5, "reconnect_timeout": 5}}
        return database | {"ENGINE": "clubs.postgresql", "OPTIONS": options, "CONN_MAX_AGE": 0}
    raise ImproperlyConfigured("DATABASE_URL must be an address of SQLite (sqlite:///…) or PostgreSQL (postgres://…).")


#: What changes something, by the beginning of its statement; and what begins it.
WRITES = ("INSERT", "UPDATE", "DELETE", "BEGIN")


def note_locks(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
    """Tell `lock_wait` where a lock is not to be had: for `execute_wrappers` of the connection of a thread."""
    if sql.startswith(WRITES):
        lock_wait.before_write()
    try:
        return execute(sql, *rest)
    except OperationalError as problem:
        if trouble_of(problem) == LOCKED:
            lock_wait.in_vain()
        raise
