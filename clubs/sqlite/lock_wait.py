"""How long a thread waits for a lock of the database, whichever that is."""

from __future__ import annotations

import threading

#: Seconds that anybody waits for a lock. In full use the longest wait is a twentieth of one; who waits so long is told
#: so (503), before the script on their phone gives up.
LONGEST_WAIT = 5.0


class LockWait(threading.local):
    """How long this thread waits for a lock, and for how long not again after it waited in vain; in seconds.

    The second one is for SQLite, which has one lock for all; PostgreSQL has one for each row.
    """

    seconds, pause = LONGEST_WAIT, 0.0


lock_wait = LockWait()
