"""What the tests in a browser wait for: always something that is expected, for up to a minute, and never a time.

A busy machine is only slow. So no test goes on because some time has passed, and none fails because too much has:
where a page is expected to do nothing, the test waits for what comes after that. The one thing that is waited for by
the clock is the page's own guard against taps that come too soon, which goes by the clock as well.

Only this module and `tests/waiting.py` let time pass; `tests/test_conventions.py` looks after that.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Page

from tests.waiting import LOOK, until

#: Two taps on one key are one trembling finger within so many milliseconds (`static/js/lib/tap_guard.js`, and ten).
TREMBLE = 130
#: Two taps at one place are the halves of a double tap within so many, where a panel has opened or closed there.
A_MOMENT = 360


def wait_for(page: Page, holds: Callable[[], object]) -> None:
    """Wait until it holds; what the page says meanwhile is heard."""
    until(holds, page.url, meanwhile=lambda: page.wait_for_timeout(1000 * LOOK))


def wait_until(page: Page, script: str, arg: object = None) -> None:
    """Wait until a script holds on the page.

    Playwright's own `wait_for_function` evaluates a string inside of the page when the first look was too early, and
    the policy of the page forbids that.
    """
    until(lambda: is_true(page, script, arg), script, meanwhile=lambda: page.wait_for_timeout(1000 * LOOK))


def is_true(page: Page, script: str, arg: object = None) -> bool:
    """Whether a script holds on the page; on one that is just left for another nothing does."""
    try:
        return bool(page.main_frame.evaluate(script, arg))
    except Error as problem:
        if "context was destroyed" not in problem.message:
            raise
        return False


#: The styles of a page are there, or never come. Its text can be read before that, and has no size to speak of yet.
STYLED = """() => document.readyState === "complete"
  || (document.body && [...document.querySelectorAll("link[rel~=stylesheet]")].every(({ sheet }) => sheet))"""
#: How a test asks a page at once, without waiting for what it expects.
ASKED_AT_ONCE = ((Page, "evaluate"), (Locator, "evaluate"), (Locator, "evaluate_all"), (Locator, "bounding_box"))


def ask_with_styles(patch: pytest.MonkeyPatch) -> None:
    """Let every page have its styles before it is asked how it looks."""

    def with_styles(ask: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(ask)
        def asked(one: Page | Locator, *args: Any, **named: Any) -> Any:
            wait_until(one if isinstance(one, Page) else one.page, STYLED)
            return ask(one, *args, **named)

        return asked

    for of, name in ASKED_AT_ONCE:
        patch.setattr(of, name, with_styles(getattr(of, name)))


# What the guard of the pad asks of a finger

#: The time on the page, by the clock of its events; that of another page is no earlier.
NOW = "performance.timeOrigin + performance.now()"


def time_on(page: Page) -> float:
    """Milliseconds, to be given to `time_has_passed`."""
    while True:
        try:
            return float(page.main_frame.evaluate(NOW))
        except Error as problem:
            # It was just left for another one, which has the time as well.
            if "context was destroyed" not in problem.message:
                raise


def time_has_passed(page: Page, since: float, span: float) -> None:
    """Wait until it is so many milliseconds later on the page than it was.

    Playwright's clock cannot let them pass at once: a tap carries the real time, and the guard goes by that.
    """
    while (left := since + span - time_on(page)) > 0:
        page.wait_for_timeout(left)


def rested(page: Page) -> None:
    """Wait until the pad takes any tap again, wherever the last one was: it rests no more after it has turned, and the
    next tap is no half of a double tap."""
    time_has_passed(page, time_on(page), A_MOMENT)
    takes_taps(page)


def takes_taps(page: Page) -> None:
    """Wait until the pad rests no more after it has turned; it says so itself."""
    wait_until(page, "!document.querySelector('#pad.resting')")


def pause(moment: float) -> None:
    """Hold a finger still until that moment, in seconds since the epoch: the pace of the taps is what is tested."""
    time.sleep(max(0, moment - time.time()))


# What comes after

#: Two frames are drawn: whatever the page was going to do at once, it has done.
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def settled(page: Page) -> None:
    """Wait until the site has answered something that is asked now, and the page has drawn itself since.

    What the page was about to ask is asked by then, and what was answered before is on it.
    """
    page.evaluate("fetch('/healthz', { cache: 'no-store' }).then((answer) => answer.text())")
    page.evaluate(FRAMES)


def is_still(page: Page) -> None:
    """Wait until nothing on the page moves any more."""
    page.wait_for_load_state()
    wait_until(page, "document.getAnimations().every(({ playState }) => playState !== 'running')")
