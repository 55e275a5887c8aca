"""Posts that were refused a moment ago because there were too many (429): most likely the next one is, too."""

from __future__ import annotations

import time
from collections.abc import Callable

TOO_MANY = 429
#: For so many seconds it is remembered, of so many at most.
REMEMBERED, MOST = 60.0, 1000

#: A network and the path it posted to.
Place = tuple[str, str]


class Refusals:
    """Where the last post of a network was refused because there were too many.

    Such a post is answered by the thread that reads, so that nobody who writes waits behind it. That is no promise: one
    that is taken after all is written there as well as anywhere.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.latest: dict[Place, float] = {}
        self.clock = clock

    def __contains__(self, place: Place) -> bool:
        return self.clock() - self.latest.get(place, -REMEMBERED) < REMEMBERED

    def note(self, place: Place, status: int) -> None:
        """A post to that place was answered with that status."""
        if status != TOO_MANY:
            self.latest.pop(place, None)
            return
        if len(self.latest) >= MOST:
            self.latest.clear()
        self.latest[place] = self.clock()
