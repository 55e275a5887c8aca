"""Daily jobs of the running site, done by the first of its processes: deleting what has expired.

Whoever looks after them also looks whether it is the evening before a night, so that members can be told.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from django.core.cache import cache
from django.core.management import call_command
from django.db import Error, connections
from django.utils import timezone

from clubs.archive.background import throw_old_ones_away
from clubs.club.uploads import throw_old_away
from clubs.evening.without_club import forget_unplayed
from clubs.models import CacheRow, FoundingCode
from clubs.models.club import ORGANISER_CODE_LASTS
from clubs.notices.announcing import tell_stories, tell_tomorrow
from clubs.outbox.deliver import forget_old
from clubs.outbox.given_up import note_given_up
from clubs.site.database_errors import trace, trouble_of
from scoresheets.opening.sweep import sweep

journal = logging.getLogger("clubs.problems")

#: Seconds between two looks, and for how long nobody does it again: a little less than a day, so that it does not
#: wander through the hours.
BETWEEN_LOOKS = 600.0
DONE_FOR = 23 * 3600
DONE = "daily-jobs"
#: So many blank sheets are deleted at once, so that nobody who writes waits for all of them.
A_FEW_SHEETS = 100


def tidy() -> None:
    """Throw away what has run out: old sign-ins, who tried what how often, files that wait, codes, blank sheets."""
    now = timezone.now()
    call_command("clearsessions")
    CacheRow.objects.filter(expires__lt=now).delete()
    throw_old_away()
    throw_old_ones_away()
    forget_unplayed(now)
    forget_old(now)
    FoundingCode.objects.filter(club__isnull=False, made_at__lt=now - ORGANISER_CODE_LASTS).delete()
    while sweep(most=A_FEW_SHEETS):
        pass


def run_if_due() -> bool:
    """Do them unless they were done today; whether they were due. What goes wrong is told to the journal alone.

    Jobs that broke are due again at the next look.
    """
    try:
        if not cache.add(DONE, value=True, timeout=DONE_FOR):
            return False
        tidy()
        note_given_up()
    except Exception as problem:
        journal.error("The daily jobs broke: %s.", type(problem).__qualname__)
        with suppress(Error):
            cache.delete(DONE)
    return True


def tell_of_tomorrow() -> None:
    """Announce tomorrow's nights, if it is evening. What goes wrong is in the journal; the next look tries again."""
    try:
        tell_tomorrow()
    except Exception as problem:
        journal.error("Tomorrow's nights could not be announced: %s.", trouble_of(problem) or trace(problem))


def tell_of_stories() -> None:
    """Announce the stories of nights that are over. What goes wrong is in the journal; the next look tries again."""
    try:
        tell_stories()
    except Exception as problem:
        journal.error("The stories of nights could not be announced: %s.", trouble_of(problem) or trace(problem))


def run_daily(is_over: Callable[[], bool], *, close: Callable[[], None] = connections.close_all) -> None:
    """Look whether they are due until it `is_over`, which waits between two looks. No connection is kept meanwhile."""
    while not is_over():
        run_if_due()
        tell_of_tomorrow()
        tell_of_stories()
        close()


def start_daily_jobs() -> None:
    """Look after them in a thread of this process, for as long as it lives."""
    never = threading.Event()
    wait = partial(never.wait, BETWEEN_LOOKS)
    threading.Thread(target=run_daily, args=(wait,), name="daily jobs", daemon=True).start()
