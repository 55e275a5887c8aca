"""How a database is used: what Django is told of it, beside its address."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

SQLITE_OPTIONS = {
    # Measured with twenty writers: with IMMEDIATE nobody is refused; without it nearly everybody is.
    # It is also why ATOMIC_REQUESTS stays off: with it every page view would queue with the writers.
    "transaction_mode": "IMMEDIATE",
    # Seconds. In full use the longest wait is a twentieth of one; who waits so long is told so (503), before the
    # script on their phone gives up, and the watchers behind them in the same worker are not kept any longer.
    "timeout": 5,
    # FULL, because an entry that was acknowledged must survive a power cut.
    "init_command": (
        "PRAGMA journal_mode=WAL;"
        "PRAGMA synchronous=FULL;"
        "PRAGMA temp_store=MEMORY;"
        "PRAGMA cache_size=-4000;"
        "PRAGMA journal_size_limit=67108864;"
    ),
}


def with_options(database: dict[str, Any]) -> dict[str, Any]:
    """The settings of a database as the site uses it. Raises ImproperlyConfigured for one it cannot use."""
    if database.get("ENGINE") == "django.db.backends.sqlite3":
        return database | {"ENGINE": "clubs.sqlite", "OPTIONS": SQLITE_OPTIONS, "CONN_MAX_AGE": None}
    if database.get("ENGINE") == "django.db.backends.postgresql":
        # Django's pool keeps the connections, so that each request gives its own back. Nobody waits longer than on
        # SQLite.
        options = {"options": "-c lock_timeout=5s"} | database.get("OPTIONS", {})
        options |= {"pool": {"min_size": 1, "max_size": 8, "timeout": 5}}
        return database | {"OPTIONS": options, "CONN_MAX_AGE": 0}
    raise ImproperlyConfigured("DATABASE_URL must be an address of SQLite (sqlite:///…) or PostgreSQL (postgres://…).")
