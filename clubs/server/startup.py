"""Start-up: migrations, static files, demo, backup, and the welcome text in the terminal."""

import hashlib
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import segno
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.urls import reverse

from clubs.club import founding
from clubs.club.organiser_codes import clubs_without_organiser
from clubs.demo import club as demo_club
from clubs.demo import sheets as demo
from clubs.models import Club
from clubs.notices.mail import mail_is_printed
from clubs.outbox.addresses import EVERYWHERE, address_in_network, served_at
from clubs.site.backups import BackupProblem, check_age, make_backup

#: How a process on this machine reaches a site that is served everywhere.
EVERYWHERE_FROM_HERE = dict(zip(EVERYWHERE, ("127.0.0.1", "::1"), strict=True))
PLAIN_HTTP = "  Over plain http the phone may go dark at the table: set Auto-Lock to Never for tonight."
MAIL_IS_PRINTED = "Codes for signing in are printed here, until EMAIL_URL says where mail goes."
#: So many clubs without an organiser are named.
MOST_NAMED = 5
THIS_MACHINE = ("127.0.0.1", "::1", "localhost")


def report(step: str) -> None:
    """Write in the terminal what will take a second or longer."""
    sys.stdout.write(f"{step} ...\n")
    sys.stdout.flush()


def bring_database_up_to_date() -> bool:
    """Apply the migrations that are missing; whether there were any. Where there is data a backup is made before.

    Raises BackupProblem, before anything is changed.
    """
    check_age(MigrationRecorder(connection).applied_migrations())
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    has_data = bool(executor.loader.applied_migrations)
    report("Bringing the database up to date" if has_data else "Creating the database")
    if has_data:
        sys.stdout.write(f"{back_up_before_change()}\n")
        sys.stdout.flush()
    call_command("migrate", verbosity=0, interactive=False)
    return True


def back_up_before_change() -> str:
    """Back the database up, and say in a sentence where to.

    Raises BackupProblem on SQLite. PostgreSQL may be backed up elsewhere, and here `pg_dump` may be missing or too old
    for the server: such a site starts all the same, and the sentence says why there is no backup.
    """
    try:
        return f"The database was backed up to {make_backup()} before it was changed for this version."
    except BackupProblem as problem:
        if connection.vendor == "sqlite":
            raise
        return f"No backup was made before the database is changed for this version: {problem}"


def lay_out_static_files() -> bool:
    """Collect the static files when one of them changed since the last time; whether that was so."""
    if settings.DEBUG:
        return False
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            about = Path(storage.path(name)).stat()
            digest.update(f"{name} {about.st_size} {about.st_mtime_ns}\n".encode())
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    if stamp.exists() and stamp.read_text() == digest.hexdigest():
        return False
    report("Collecting the static files")
    # From scratch, because Django keeps a collected file that is not older by a whole second.
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(digest.hexdigest())
    return True


def load_demo_once() -> bool:
    """Load the demo unless this site has had it before: who removed it does not get it back."""
    stamp = settings.VAR / "demo-loaded"
    if stamp.exists():
        return False
    report("Loading the demo")
    call_command("demo", verbosity=0)
    stamp.touch()
    return True


def names_of_this_machine() -> list[str]:
    """The names by which other machines in the same network may reach this one."""
    name = socket.gethostname()
    return [name, f"{name}.local"] if name else []


def terminal_qr_code(text: str) -> str:
    """The text as a QR code made of letters, for a terminal."""
    code = segno.make(text, error="l", micro=False)
    quiet = 2
    rows = [[0] * (len(code.matrix[0]) + 2 * quiet)] * quiet
    rows = [*rows, *([0] * quiet + list(row) + [0] * quiet for row in code.matrix), *rows]
    if len(rows) % 2:
        rows.append(rows[0])
    # Two rows of modules in a line. Light modules are painted, because most terminals are dark.
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return "\n".join(
        "".join(blocks[bool(upper), bool(lower)] for upper, lower in zip(rows[i], rows[i + 1], strict=True))
        for i in range(0, len(rows), 2)
    )


def welcome_to_this_start() -> str:
    """The welcome text as things stand now. The site was loaded before: its links take that."""
    without = list(clubs_without_organiser()[:MOST_NAMED])
    return welcome(address_in_network(), code=founding.code_for_the_first(), without_organiser=without)


def welcome(lan: str | None, *, code: str = "", without_organiser: Sequence[Club] = ()) -> str:
    """The text in the terminal once the server runs: the address and the three things to try first.

    `code` founds the first club; "" where there is one. `without_organiser` are clubs that nobody runs.
    """
    address = served_at(lan)
    lines = ["", f"  Box & Circle is open: {address}/", ""]
    links, others = demo.links(), demo.links_of_others()
    if links:
        lines += [
            "  Three things to try first:",
            f"   1. Score a hand on the demo sheet:    {address}{links['keep']}",
            f"   2. Watch it from a second window:     {address}{links['watch']}",
            f"   3. Open your own sheet:               {address}/open/",
        ]
        lines += ["", "  A sheet of every other game, begun and finished:"] if others else []
        for game, keep, watch in others:
            lines += [f"   {game + ':':<13}{address}{keep}", f"   {'':<13}{address}{watch}"]
        if club := demo_club.demo_access():
            lines += ["", "  A club with two seasons behind it, and one of its organisers:"]
            lines += [f"   {address}{club.path}", f"   {club.organiser} signs in at {address}{club.sign_in}"]
    else:
        lines += [f"  Open a sheet: {address}/open/"]
    if code:
        lines += [
            "",
            "  No club of your own is here yet. This code starts one, once. Whoever types it becomes its organiser:",
            f"   {code}    {address}{reverse('found_club')}?code={code}",
        ]
    for without in without_organiser:
        lines += ["", f"  {without.name} has no organiser. This makes a code for one:"]
        lines += [f"   .venv/bin/python manage.py club organiser {without.slug}"]
    if mail_is_printed() and (code or links):
        lines += ["", f"  {MAIL_IS_PRINTED}"]
    lines += ["", "  Ctrl-C closes it."]
    if settings.HOST not in THIS_MACHINE:
        lines += ["", "  Scan this with a phone on the same network:", "", terminal_qr_code(f"{address}/")]
        if address.startswith("http://"):
            lines += ["", PLAIN_HTTP]
    return "\n".join(lines) + "\n"
