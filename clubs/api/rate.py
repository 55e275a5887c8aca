"""The rate at which programs may ask: by their key, once it has turned out to be one, until then by their network.

So whoever makes keys up has for all of them what their network has, and the table has no room for what they made up.

It is counted in the memory of each worker and not in the cache that all workers share
(`scoresheets.access.throttle`): that one writes to the database at every count, and a feed that is asked for a hundred
times a second would stand in the way of the tables. A wrong key is counted there, like a wrong address.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

#: So many requests at once, and so many a second in the long run; and of how many callers that is remembered.
AT_ONCE, A_SECOND = 60, 2.0
MOST_CALLERS = 10_000


class Rate:
    """A number of requests that fills up again: each caller has one of their own. `now` tells seconds."""

    def __init__(
        self, at_once: int = AT_ONCE, a_second: float = A_SECOND, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.at_once, self.a_second, self.now = at_once, a_second, now
        self.lock = Lock()
        #: What each caller had left, and when; who asked last comes last.
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admit(self, caller: str) -> None:
        """Let the caller have a number of requests of their own from now on."""
        with self.lock:
            self.left.setdefault(caller, (float(self.at_once), self.now()))
            self.forget_oldest()

    def knows(self, caller: str) -> bool:
        """Whether the caller has asked lately, or was admitted."""
        return caller in self.left

    def forget_oldest(self) -> None:
        if len(self.left) > MOST_CALLERS:
            self.left.popitem(last=False)

    def take(self, caller: str) -> int:
        """Count a request: 0, or the whole seconds to wait, and then it was not counted."""
        with self.lock:
            now = self.now()
            left, at = self.left.pop(caller, (float(self.at_once), now))
            left = min(float(self.at_once), left + max(0.0, now - at) * self.a_second)
            wait = 0 if left >= 1 else math.ceil((1 - left) / self.a_second)
            self.left[caller] = (left if wait else left - 1, now)
            self.forget_oldest()
            return wait

    def clear(self) -> None:
        """Everybody may ask again."""
        with self.lock:
            self.left.clear()


reading = Rate()
