"""`manage.py serve`: start-up tasks, then the server.

`manage.py` starts `serve --once` below a supervisor, which starts it again when it ends.
"""

import gc
import os
import resource
import socket
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from clubs.notices.vapid import make_keys
from clubs.outbox import addresses
from clubs.server import startup, supervisor
from clubs.server.connections import connections_of_a_worker
from clubs.server.daily_jobs import tidy
from clubs.server.workers import serve
from clubs.site.backups import BackupProblem
from scoresheets.management.site_command import SiteCommand

#: Seconds: a connection on which nothing is asked for so long is closed.
IDLE = 30


class Command(SiteCommand):
    help = "Get the site ready (database, static files, demo) and serve it with granian on HOST:PORT."
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="do not start it again when it ends")
        parser.add_argument("--reload", action="store_true", help="for development: start again when code changes")

    def handle(self, *args: Any, reload: bool, **options: Any) -> None:
        # A migration may take long; while Django was loaded it was off (manage.py).
        gc.enable()
        # A server that is started again opens even where nothing can be written. Workers of the last one may still be
        # at the port for a moment, which they share.
        if not supervisor.is_restart():
            self.refuse_taken_port()
            if self.get_ready():
                # The workers shall not carry what that took.
                replace_this_process(*sys.argv)
        if settings.HOST in addresses.EVERYWHERE:
            names = [*settings.ALLOWED_HOSTS, *addresses.addresses_of_this_machine(), *startup.names_of_this_machine()]
            settings.ALLOWED_HOSTS = list(dict.fromkeys(names))
            # For a process that is no fork of this one.
            os.environ["ALLOWED_HOSTS"] = ",".join(settings.ALLOWED_HOSTS)
        allow_many_connections()
        if reload:
            self.stdout.write(startup.welcome_to_this_start())
            os.environ["DEBUG"] = "true"
            place = f"[{settings.HOST}]:{settings.PORT}" if ":" in settings.HOST else f"{settings.HOST}:{settings.PORT}"
            replace_this_process(sys.argv[0], "runserver", place)
        serve(server_options())

    def get_ready(self) -> bool:
        """Do what must be done before the site opens; whether it made anything anew. Raises CommandError."""
        try:
            is_new = startup.bring_database_up_to_date()
        except BackupProblem as problem:
            raise CommandError(f"The site was not started for the new version. {problem}") from problem
        tidy()
        make_keys()
        addresses.note_address(addresses.address_in_network())
        has_collected = startup.lay_out_static_files()
        has_loaded = os.environ.get("DEMO", "1") != "0" and startup.load_demo_once()
        return is_new or has_collected or has_loaded

    def refuse_taken_port(self) -> None:
        """Raise CommandError with a sentence when HOST:PORT cannot be had."""
        family = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((settings.HOST, settings.PORT))
            except OSError as problem:
                raise CommandError(
                    f"{settings.HOST}:{settings.PORT} cannot be used ({problem.strerror}). "
                    f"Perhaps the site is already open there; another port: make run PORT={settings.PORT + 1}"
                ) from problem


def replace_this_process(*arguments: str) -> None:
    """Run Python with those arguments in place of this process."""
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606 - no shell is meant


def server_options() -> list[str]:
    """The command line of granian.

    The large backlog and back pressure, because hundreds of watchers keep their connections open; one that asks for
    nothing is closed.
    """
    options = ["--interface", "rsgi", "--host", settings.HOST, "--port", str(settings.PORT)]
    options += ["--workers", str(settings.WORKERS), "--http1-header-read-timeout", str(IDLE * 1000)]
    options += ["--backlog", "8192", "--backpressure", str(connections_of_a_worker()), "--no-ws"]
    options += ["--respawn-failed-workers", "--workers-kill-timeout", "3", "--log-level", "warning"]
    if settings.TLS_CERTIFICATE:
        options += ["--ssl-certificate", settings.TLS_CERTIFICATE, "--ssl-keyfile", settings.TLS_KEY]
        # Phones of ten years ago know nothing newer.
        options += ["--ssl-protocol-min", "tls1.2"]
    else:
        # Browsers ask for HTTP/2 with TLS alone, and a connection that could be either takes twice the memory.
        options += ["--http", "1"]
    return [*options, "clubs.server.rsgi:application"]


def allow_many_connections() -> None:
    """Let the server's processes hold as many connections as the machine allows, not as many as a shell is given."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
