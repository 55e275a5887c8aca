"""Limits by network: wrong addresses of sheets, sheet files, sheets opened without an account.

django-allauth counts, as for signing in, in the cache that all workers share. Only a keyed hash of the network is
stored. Only wrong addresses are counted and refused: a whole club is behind one router, and a right link opens after
any number of wrong ones. Nobody guesses 128 bits; the limit protects the journal and the database.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.http import Http404, HttpRequest

#: The action, and how often it is possible from one network.
WRONG_ADDRESS, SHEET_FILE, OPEN_SHEET = "wrong_address", "sheet_file", "open_sheet"
#: Connections of one network, which the server limits.
CONNECTIONS = "connections"
LIMITS = {WRONG_ADDRESS: "30/10m/key", SHEET_FILE: "30/10m/key"}


#: Where it is kept which limits were reached, and for so many seconds.
REACHED, KEPT = "limits-reached", 7 * 24 * 3600


class Reached(NamedTuple):
    """How often a limit was reached, by whatever network, and when it last was (seconds since 1970)."""

    action: str
    times: int
    last: float


class NoSuchSheet(Http404):
    """No sheet has this address, nor had any link: it is counted as a wrong one. A sentence for the reader, if any."""


def count_action(action: str, network: str) -> int:
    """Count an action from a network (`network_hash`); 0, or the seconds to wait after too many.

    Over the limit nothing is written. A count that cannot be read or written refuses nobody.
    """
    try:
        wait = seconds_to_wait(action, network)
        if wait:
            return wait
        # A locked database is found out before anything is written. Later, allauth would leave its own lock behind.
        with transaction.atomic():
            counted = ratelimit.consume(HttpRequest(), app="scoresheets", action=action, config=limits(), key=network)
            wait = seconds_to_wait(action, network)
            if counted and wait:
                note_reached(action)
        return 0 if counted else wait
    except DatabaseError:
        return 0


def note_reached(action: str) -> None:
    """Note for the owner that a network has used up what it may: once, and not for each that is refused then."""
    by_action = {reached.action: reached for reached in limits_reached()}
    before = by_action.get(action)
    by_action[action] = Reached(action, before.times + 1 if before else 1, time.time())
    cache.set(REACHED, [tuple(reached) for reached in by_action.values()], KEPT)


def limits_reached() -> list[Reached]:
    """The limits that were reached within the last seven days. One query."""
    since = time.time() - KEPT
    return [reached for row in cache.get(REACHED, []) if (reached := Reached(*row)).last > since]


def seconds_to_wait(action: str, network: str) -> int:
    """How long the action is refused to the network; 0 if it is possible now. Counts nothing."""
    [rate] = ratelimit.get_rates(app="scoresheets", action=action, config=limits())
    cache_key = ratelimit.get_cache_key(HttpRequest(), app="scoresheets", action=action, rate=rate, key=network)
    # The newest first.
    times, now = cache.get(cache_key, []), time.time()
    if times and times[0] > now:
        # The clock was set back: what it counted would refuse for longer than the limit says.
        cache.delete(cache_key)
        return 0
    if len(times) < rate.amount:
        return 0
    return max(0, math.ceil((times[-1] if times else now) + rate.duration - now))


def limits() -> dict[str, str]:
    return LIMITS | {OPEN_SHEET: f"{settings.OPEN_SHEETS_PER_HOUR}/h/key"}
