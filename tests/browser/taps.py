"""Fingers at a pace: real touches, each with the moment at which it is said to have happened."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence

from playwright.sync_api import CDPSession, Locator, Page

from tests.browser.waits import pause

Place = tuple[float, float]


def middle(what: Locator) -> Place:
    """Where a finger taps it."""
    box = what.bounding_box()
    assert box, what
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Finger:
    """A finger on the glass of `page`.

    The browser is told when each touch happened, so that a busy machine changes no pace: a touch that comes later than
    it says is what a slow phone has to do with as well.
    """

    def __init__(self, page: Page) -> None:
        self.browser: CDPSession = page.context.new_cdp_session(page)

    @contextlib.contextmanager
    def slowed(self, times: int) -> Iterator[None]:
        """The processor so many times slower."""
        self.browser.send("Emulation.setCPUThrottlingRate", {"rate": times})
        try:
            yield
        finally:
            self.browser.send("Emulation.setCPUThrottlingRate", {"rate": 1})

    def tap(self, place: Place, at: float) -> None:
        """One touch of thirty milliseconds that ends at `at`, in seconds since the epoch."""
        x, y = place
        for kind, points, when in (("touchStart", [{"x": x, "y": y}], at - 0.03), ("touchEnd", [], at)):
            self.browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": when})

    def type(self, places: Sequence[Place], per_second: float) -> None:
        """Tap one place after the other, so many a second; a touch that comes late says when it should have come."""
        begin = time.time()
        for count, place in enumerate(places):
            at = begin + count / per_second
            pause(at)
            self.tap(place, at)
