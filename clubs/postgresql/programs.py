"""`pg_dump`, `pg_restore` and `psql`, as Debian's package `postgresql-client` has them, on the database of the site.

They are told the database by the environment: what stands on a command line every user of the machine can read.
A dump is in PostgreSQL's own format (`--format=custom`), so it can also be restored without the site.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, TypeAlias, cast

from django.db import connection

Program: TypeAlias = subprocess.Popen[bytes]

#: So many milliseconds a dump waits for a table that is locked, as by a migration on another machine.
LOCK_WAIT = 5000
PACKAGE = "postgresql-client"
#: What `pg_dump` says of a server that is newer than itself.
VERSIONS = re.compile(r"server version: ((\d+)[^\s;]*).*?pg_dump version: ([^\s;]+)")
#: How a program or a server begins to say what went wrong.
TROUBLE = re.compile(r"\b(?:error|ERROR|FATAL): *")
#: The lines of `COPY` for the table of migrations, in the order in which Django has its columns.
MIGRATIONS = re.compile(r"^COPY \S*django_migrations \(id, app, name, \w+\) FROM stdin;\n(.*?)^\\\.$", re.M | re.S)
#: A setting that programs of version 17 or newer write into a script, and older servers refuse.
UNKNOWN_TO_OLDER = b"SET transaction_timeout = 0;\n"


class ProgramProblem(Exception):
    """Why a program of PostgreSQL has not done its work: one sentence for the person at the terminal."""


class ProgramMissing(ProgramProblem):
    """The program is not on this machine."""


def is_installed() -> bool:
    """Whether this machine can dump the database."""
    return shutil.which("pg_dump") is not None


def dump(file: Path, *, seconds: float | None = None) -> None:
    """Write the database as it stands now into a file that is there, and read that again.

    Each of the two may take so many seconds.
    """
    lock_wait = f"--lock-wait-timeout={LOCK_WAIT}"
    run("pg_dump", "--no-password", "--format=custom", lock_wait, f"--file={file}", seconds=seconds)
    check_whole(file, seconds=seconds)


def check_whole(file: Path, *, seconds: float | None = None) -> None:
    """Raise ProgramProblem unless `pg_restore` can read the file to its end."""
    run("pg_restore", f"--file={os.devnull}", str(file), seconds=seconds)


def migrations_in(file: Path) -> set[tuple[str, str]]:
    """The migrations (app, name) that the database had when it was dumped; none: a database of another program."""
    table = run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(file)).decode()
    rows = MIGRATIONS.search(table)
    return {(app, name) for _, app, name, _ in (row.split("\t") for row in rows[1].splitlines())} if rows else set()


def restore(file: Path) -> None:
    """Put a dump in the place of the database, in one transaction. Raises ProgramProblem: then nothing has changed.

    All tables go first. Those of a newer version are not in the dump, and would be in the way of the next upgrade.
    Owners and comments stay out: another machine may call the user otherwise, and extensions are not the user's.
    """
    begin = f"BEGIN;\nSET client_min_messages = warning;\n{drop_of_all_tables()}"
    script = ("--no-owner", "--no-comments", "--file=-", str(file))
    quietly = ("--no-psqlrc", "--no-password", "--quiet", f"--output={os.devnull}", "--set=ON_ERROR_STOP=1")
    with tempfile.TemporaryFile() as errors:
        # A program that stops early breaks the pipe, and says why.
        with suppress(BrokenPipeError), start("psql", *quietly, errors=errors) as writing:
            with start("pg_restore", *script, errors=errors) as reading:
                copy_script(reading, writing, begin=begin)
        if reading.returncode or writing.returncode:
            errors.seek(0)
            raise ProgramProblem(reason("pg_restore", errors.read()))


def copy_script(reading: Program, writing: Program, *, begin: str) -> None:
    """Hand `begin` and the script of `pg_restore` to `psql`. A script that is not whole ends without its COMMIT."""
    script, target = cast("IO[bytes]", reading.stdout), cast("IO[bytes]", writing.stdin)
    target.write(begin.encode())
    target.writelines(line for line in script if line != UNKNOWN_TO_OLDER)
    if reading.wait() == 0:
        target.write(b"COMMIT;\n")


def drop_of_all_tables() -> str:
    """The statement that drops every table, but for those of extensions; "" where there is none."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(t.oid::regclass::text, ', ') FROM pg_class t"
            " WHERE t.relkind IN ('r', 'p') AND t.relnamespace = current_schema()::regnamespace"
            " AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')"
        )
        (tables,) = cursor.fetchone()
    connection.close()
    return f"DROP TABLE {tables} CASCADE;\n" if tables else ""


def run(name: str, *arguments: str, seconds: float | None = None) -> bytes:
    """What a program prints. Raises ProgramProblem where it is missing, fails, or takes longer than so many seconds."""
    with tempfile.TemporaryFile() as errors:
        program = start(name, *arguments, errors=errors)
        with program:
            try:
                printed, _ = program.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                program.kill()
                raise ProgramProblem(f"{name} takes longer than {seconds:.0f} seconds.") from None
        if program.returncode:
            errors.seek(0)
            raise ProgramProblem(reason(name, errors.read()))
    return printed


def start(name: str, *arguments: str, errors: IO[bytes]) -> Program:
    """A program with pipes, which writes what goes wrong into `errors`. Raises ProgramMissing."""
    path = shutil.which(name)
    if path is None:
        raise ProgramMissing(f"{name} is not on this machine: apt install {PACKAGE}.")
    return subprocess.Popen(  # noqa: S603 - it is PostgreSQL's
        [path, *arguments], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
    )


def environment() -> dict[str, str]:
    """How the programs are told the database, its user and the password. What they say is in English."""
    from psycopg.pq import Conninfo

    names = {each.keyword.decode(): each.envvar.decode() for each in Conninfo.get_defaults() if each.envvar}
    given = connection.get_connection_params()
    return os.environ | {names[key]: str(value) for key, value in given.items() if key in names} | {"LC_ALL": "C"}


def reason(name: str, printed: bytes) -> str:
    """Why a program has failed, in one sentence, without the rows that a server quotes after it."""
    text = printed.decode(errors="replace")
    if versions := VERSIONS.search(text):
        server, major, own = versions.groups()
        return f"pg_dump {own} is older than the server, PostgreSQL {server}: apt install {PACKAGE}-{major}."
    first = next((line for line in text.splitlines() if TROUBLE.search(line)), "it does not say why")
    return f"{name} failed: {TROUBLE.split(first)[-1].rstrip('.')}."
