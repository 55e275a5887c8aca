"""How long a thread waits for a lock of the database, and what it does where that was in vain."""

from __future__ import annotations

import math
import threading
import time

#: Seconds that anybody waits for a lock. In full use the longest wait is a twentieth of one; who waits so long is told
#: so (503), before the script on their phone gives up.
LONGEST_WAIT = 5.0


class DatabaseLocked(BaseException):
    """The database was locked, in a thread that leaves such requests to another one.

    No view, cache or limit takes it for an error that it knows.
    """


class LockWait(threading.local):
    """How long this thread waits for a lock, and when it found one that was not to be had; in seconds.

    `seconds` is for SQLite. With a `pause` the thread raises DatabaseLocked then, and for so long again at once, before
    anything is written.
    """

    seconds, pause, found_at = LONGEST_WAIT, 0.0, -math.inf

    def before_write(self) -> None:
        """Raise DatabaseLocked where waiting was in vain a moment ago."""
        if time.monotonic() - self.found_at < self.pause:
            raise DatabaseLocked

    def in_vain(self) -> None:
        """Note that a lock was not to be had. Raises DatabaseLocked in a thread with a pause."""
        self.found_at = time.monotonic()
        if self.pause:
            raise DatabaseLocked


lock_wait = LockWait()
