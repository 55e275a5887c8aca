"""The worker: a thread of the site's own process, which updates results right after a change and at start-up.

Every process of the site has one. A lease in the database lets one of them work, and another when that is gone. The
lease saves work; the lock on the club's row makes sure that two never write the same results.
"""

from __future__ import annotations

import logging
import os
import secrets
import subprocess
import threading
import time
from datetime import timedelta

from django.db import connections, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from clubs.archive.background import start_next
from clubs.models import Club, PendingUpdate
from clubs.projections import standings
from clubs.projections.lease import has_lease
from clubs.projections.standings import Rest
from clubs.projections.update import count_changes
from clubs.site.database_errors import trace, trouble_of
from scoresheets.log.append import open_result
from scoresheets.models import Sheet

Pending = QuerySet[PendingUpdate]

journal = logging.getLogger("clubs.problems")

#: Seconds. The post that woke the worker is answered first.
GATHER = 0.05
#: Tables that end together are counted together, once no other has ended for so long: their last posts would wait for
#: every transaction that counts. Nobody waits longer for the others than that.
QUIET, LONGEST_WAIT = 0.2, 1.5
#: Other processes, other machines, and what is tried again are looked for this often.
LOOK = 2.0
#: Another process has the lease, or the database has no room or time.
WAIT = 0.25
#: What failed is tried again after 2, 4, 8 … seconds, and at last this often.
LONGEST_BACK_OFF = 600


class Worker:
    """The thread of one process. `wake` lets it count what was changed now."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(16)
        self.changed = threading.Event()
        # What a process that is gone has left is counted at once.
        self.changed.set()
        self.stopped = False
        #: Processes that make files of clubs (`clubs.archive.background`), until they have ended.
        self.processes: list[subprocess.Popen[bytes]] = []
        self.thread = threading.Thread(target=self.run, name="projections", daemon=True)
        self.pid = os.getpid()
        self.thread.start()

    def run(self) -> None:
        pause = GATHER
        while not self.stopped:
            if self.changed.wait(LOOK):
                self.changed.clear()
                time.sleep(pause)
            self.look_for_restored()
            self.open_results()
            pause = self.count()
            self.start_files()

    def stop(self) -> None:
        """Let it end, and wait until it has."""
        self.stopped = True
        self.changed.set()
        self.thread.join(10)

    def count(self) -> float:
        """Count until nothing waits; after how many seconds to look again, where something came between."""
        try:
            wait_for_others()
            while has_ready():
                # As long as a transaction took it lets the tables write: they have waited for it.
                if not count_next(self.name, time.sleep):
                    return self.come_back()
        except Exception as error:  # a thread that ended would count nothing for the rest of the evening
            journal.error("Results could not be counted: %s.", trouble_of(error) or trace(error))
            return self.come_back()
        finally:
            connections.close_all()
        return GATHER

    def look_for_restored(self) -> None:
        """Let phones and pages hear of it where PostgreSQL was restored by its own programs."""
        from clubs.site.backups import notice_restored

        try:
            if notice_restored():
                journal.warning("A dump was restored. Phones and pages will reload.")
        except Exception as error:  # it is tried again by the next look
            journal.error("Whether the database was restored is not known: %s.", trouble_of(error) or trace(error))

    def open_results(self) -> None:
        """Show the results that tables have held back long enough, with or without a tap."""
        try:
            due = list(Sheet.objects.due_to_open(timezone.now()).order_by("result_opens_at"))
        except Exception as error:  # it is tried again by the next look
            journal.error("Whether a result waits is not known: %s.", trouble_of(error) or trace(error))
            due = []
        for sheet in due:
            try:
                open_result(sheet)
            except Exception as error:  # the others do not wait for this one
                journal.error("A result that waits could not be shown: %s.", trouble_of(error) or trace(error))
        connections.close_all()

    def start_files(self) -> None:
        """Start a process for a club's file that waits."""
        self.processes = [process for process in self.processes if process.poll() is None]
        try:
            process = start_next()
        except Exception as error:  # it is tried again by the next look
            journal.error("The file of a club could not be begun: %s.", trouble_of(error) or trace(error))
        else:
            self.processes += [process] if process else []
        finally:
            connections.close_all()

    def come_back(self) -> float:
        self.changed.set()
        return WAIT


def wait_for_others() -> None:
    """Wait until nothing else has changed for `QUIET`, where something waits; at most for `LONGEST_WAIT`."""
    end, newest = time.monotonic() + LONGEST_WAIT, newest_change()
    while newest and time.monotonic() < end:
        time.sleep(QUIET)
        last, newest = newest, newest_change()
        if newest == last:
            break


def newest_change() -> int | None:
    """The row of the queue (id) that came last, whichever process has written it."""
    return PendingUpdate.objects.order_by("-pk").values_list("pk", flat=True).first()


worker: Worker | None = None
is_site = False


def start() -> None:
    """This process serves the site, and counts from now on."""
    global is_site
    is_site = True
    wake()


def wake(**signal: object) -> None:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `clubs.queue.changes.work_waits`: something is to be counted.

    In a process that does not serve the site it waits for one that does.
    """
    global worker
    if not is_site:
        return
    if worker is None or worker.pid != os.getpid() or not worker.thread.is_alive():
        worker = Worker()
    worker.changed.set()


def catch_up() -> None:
    """Count everything that waits, here and now, but for what has failed and is tried later: for commands."""
    while has_ready():
        count_next()


def has_ready() -> bool:
    """Whether something is to be counted now."""
    return PendingUpdate.objects.ready().exists()


def at_once(seconds: float) -> None:
    """Go on after a transaction that took so long: nobody else waits."""


def count_next(holder: str = "", rest: Rest = at_once) -> bool:
    """Count what waits longest, with whatever else of its club can be counted with it; False: another process counts.

    `holder` takes the lease with it; "" needs none. `rest` is called after each transaction with the seconds it took.
    What fails is put off and keeps nothing else waiting.
    """
    first = PendingUpdate.objects.ready().order_by("pk").first()
    if first is None:
        return True
    try:
        return count_some(first, PendingUpdate.objects.ready(), holder, rest)
    except Exception as error:
        if trouble_of(error):
            raise
    theirs = PendingUpdate.objects.ready().filter(club=first.club_id)
    # Of each the row that waits longest.
    rows = {(row.kind, row.subject): row for row in theirs.order_by("-pk")}
    for row in sorted(rows.values(), key=lambda row: row.pk):
        alone = theirs.filter(kind=row.kind, subject=row.subject)
        try:
            count_some(row, alone, holder, rest)
        except Exception as error:
            if trouble_of(error):
                raise
            put_off(alone, error)
    return True


def count_some(first: PendingUpdate, rows: Pending, holder: str, rest: Rest) -> bool:
    """What follows from some of these rows of a club, of which that is the first, and the rows are gone.

    One transaction; of standings one that takes the lease, and one for each piece that is written.
    """
    began, are_standings = time.monotonic(), first.kind in standings.KINDS
    with transaction.atomic():
        if holder and not has_lease(holder):
            return False
        if not are_standings:
            count_changes(first.club_id, rows.filter(club=first.club_id))
    if are_standings:
        club = Club.objects.get(pk=first.club_id or 0)
        standings.count_standings(club, first.kind, first.subject, holder=holder, rest=rest)
    else:
        rest(time.monotonic() - began)
    return True


def put_off(rows: Pending, error: Exception) -> None:
    """It is tried again after a while, every time a longer one."""
    failed = rows.order_by("-failures").first()
    if failed is None:
        return
    seconds = min(2 ** (failed.failures + 1), LONGEST_BACK_OFF)
    journal.error("A result could not be counted, and is tried again in %d seconds. %s", seconds, trace(error))
    rows.update(
        failures=F("failures") + 1, not_before=timezone.now() + timedelta(seconds=seconds), error=type(error).__name__
    )
