"""Maintenance: the site is closed while its database is replaced. Running requests get their answer first.

Two locks on files in `var/`, which the system releases when a process ends: every request passes `gate`, and holds
`inside` until it is answered. So it works for all worker processes of this machine, and no mark is left behind that
could keep a site closed. With several machines (PostgreSQL) the site is stopped there first.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from clubs.site.error_views import problem_page

GATE, INSIDE = "gate.lock", "inside.lock"
#: How their files are opened: it is done twice for every request.
FLAGS = os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC
#: So many seconds whoever is inside may take.
PATIENCE = 60
CLOSED = "The site is closed for a moment: a backup is being restored. What was entered is kept. Try again in a moment."


class StillOpen(Exception):
    """Somebody is inside who does not come out: a request that takes longer than anybody waits."""


@contextmanager
def closed_site(patience: float | None = None) -> Iterator[None]:
    """Nobody comes in until this ends; it begins when all who were inside have their answer. Raises `StillOpen`."""
    gate, inside = open_lock(GATE), open_lock(INSIDE)
    until = time.monotonic() + (PATIENCE if patience is None else patience)
    try:
        wait_for_lock(gate, until)
        wait_for_lock(inside, until)
        yield
    finally:
        os.close(inside)
        os.close(gate)


def wait_for_lock(lock: int, until: float) -> None:
    """Wait for a lock, to have it alone."""
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise StillOpen from None
            time.sleep(0.05)


def open_lock(name: str) -> int:
    """The file of a lock: each opening of it is somebody else to the system, also within one process."""
    path = settings.VAR / name
    try:
        return os.open(path, FLAGS, 0o600)
    except FileNotFoundError:
        settings.VAR.mkdir(parents=True, exist_ok=True)
        return os.open(path, FLAGS, 0o600)


def enter_site() -> int | None:
    """What holds a request inside, to be closed with its answer; None where the site is closed."""
    gate = open_lock(GATE)
    try:
        fcntl.flock(gate, fcntl.LOCK_SH | fcntl.LOCK_NB)
        inside = open_lock(INSIDE)
        # Who closes the site takes the gate first: nobody is waited for here.
        fcntl.flock(inside, fcntl.LOCK_SH)
    except BlockingIOError:
        return None
    finally:
        os.close(gate)
    return inside


def nobody_while_closed(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer 503 while the site is closed: a phone keeps what it has and sends it again."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        try:
            inside = enter_site()
        except OSError:
            # Without a folder that takes a file no backup can be restored either.
            return get_response(request)
        if inside is None:
            response = problem_page(request, 503, title="Back in a moment", sentence=CLOSED)
            response.headers["Retry-After"] = "5"
            return response
        try:
            return get_response(request)
        finally:
            os.close(inside)

    return answer
