"""Database errors that pass, or that the owner of the machine can end, told apart from bugs."""

import sqlite3
import traceback

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError

LOCKED, FULL, AWAY = "locked", "full", "away"

#: SQLite's primary result codes. A missing table is an OperationalError there too, but that is a fault of ours.
SQLITE_TROUBLES = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_IOERR: AWAY,
    sqlite3.SQLITE_READONLY: AWAY,
    sqlite3.SQLITE_CANTOPEN: AWAY,
    sqlite3.SQLITE_NOMEM: AWAY,
}
#: PostgreSQL's classes and codes: no resources, and of those the full disk; a lock that was not to be had.
POSTGRES_TROUBLES = {"53100": FULL, "55P03": LOCKED, "40P01": LOCKED, "57014": LOCKED}
#: ... and what Django calls other than operational: no right to a file, as on a disk that is read-only, and a database
#: that takes no write.
POSTGRES_READ_ONLY = ("42501", "25006")
#: After such an error the connection is gone, or the whole server restarts. It does so where it cannot write its log,
#: and has a code of its own only for some reasons of that.
POSTGRES_ENDS = ("FATAL", "PANIC")


def trouble_of(error: BaseException | None) -> str:
    """Which trouble the error, or one it came from, tells of: `locked`, `full`, `away`, or "" for none.

    On PostgreSQL every operational error is one: a missing table is a programming error there.
    """
    while error is not None:
        if isinstance(error, DatabaseError) and getattr(error.__cause__, "sqlstate", "") in POSTGRES_READ_ONLY:
            return AWAY
        if isinstance(error, InternalError) and severity_of(error.__cause__) in POSTGRES_ENDS:
            return AWAY
        if isinstance(error, OperationalError | InterfaceError):
            cause = error.__cause__
            if isinstance(cause, sqlite3.Error):
                # The code of Python's own errors is None; the lowest byte of an extended code is the primary one.
                return SQLITE_TROUBLES.get((getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF, "")
            if isinstance(cause, OSError) or cause is None:
                return LOCKED if "locked" in str(error) else AWAY
            return POSTGRES_TROUBLES.get(getattr(cause, "sqlstate", None) or "", AWAY)
        error = error.__cause__ or error.__context__
    return ""


def severity_of(error: BaseException | None) -> str:
    """How bad PostgreSQL calls it, such as "ERROR"; "" where it is no error of PostgreSQL."""
    return getattr(getattr(error, "diag", None), "severity_nonlocalized", None) or ""


def trace(error: BaseException | None) -> str:
    """Which error it was and the lines it went through, what it came from first.

    Not its message: the one of a database quotes the row, and with it the names of players.
    """
    if error is None:
        return "Nothing is known of it."
    steps = "".join(traceback.format_tb(error.__traceback__))
    text = f"{type(error).__module__}.{type(error).__qualname__}\n{steps}"
    before = error.__cause__ or error.__context__
    return f"{trace(before)}then {text}" if before else text
