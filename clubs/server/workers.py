"""granian, in a process that loads the site before it starts its workers.

On Linux a worker is a fork of this process and shares the memory of what was loaded, as long as neither writes there.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
from collections.abc import Sequence

from django.conf import settings
from django.db import connections
from django.template.loader import get_template
from django.urls import reverse
from granian.cli import cli

from clubs.server.supervisor import WELCOME, is_restart
from rules import all_games


def load_site() -> None:
    """Load what pages are made from: the site, its addresses with their views, the games, the templates."""
    import clubs.server.rsgi  # noqa: F401

    reverse("front")
    all_games()
    templates = settings.BASE_DIR / "templates"
    for file in templates.rglob("*.html"):
        get_template(file.relative_to(templates).as_posix())


def hand_over_welcome() -> None:
    """Tell the supervisor where its first server will listen, and the text that it prints then.

    Without a supervisor it is printed here.
    """
    if is_restart():
        return
    from clubs.server import startup

    host = startup.EVERYWHERE_FROM_HERE.get(settings.HOST, settings.HOST)
    welcome = startup.welcome_to_this_start()
    if number := os.environ.pop(WELCOME, ""):
        with os.fdopen(int(number), "w") as pipe:
            pipe.write(f"{host}:{settings.PORT}\n{welcome}")
    else:
        sys.stdout.write(welcome)
        sys.stdout.flush()


def leave_connections() -> None:
    """No worker may have a connection, or a thread that looks after some, from its parent."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()


def serve(options: Sequence[str]) -> None:
    """Serve the site with these options of granian until a signal ends it."""
    if sys.platform.startswith("linux"):
        # As granian does it by itself up to Python 3.13.
        multiprocessing.set_start_method("fork")
    gc.disable()
    load_site()
    hand_over_welcome()
    leave_connections()
    gc.collect()
    gc.freeze()
    gc.enable()
    cli(options)
