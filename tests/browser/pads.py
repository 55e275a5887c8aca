"""A phone at the table: opens the pad of a sheet of its own and taps as a scorekeeper does."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from tests.browser.conftest import PLAIN_HOST
from tests.browser.waits import TREMBLE, rested, time_has_passed, time_on, wait_until
from tests.factories import ScorekeeperFactory, Scorer, opened

#: What is loaded a second after the pad has opened is there, with all that it imports, and the pad has taken it up. It
#: comes in one file where files are bundled.
DRESSED = """async () => {
  const come = performance.getEntriesByType('resource').map(({ name }) => name);
  const isBundled = come.some((name) => name.includes('/bundles/later/'));
  if (isBundled) return document.querySelector('[data-mine]').hidden === false;
  const later = ['pad_later/offline.', 'pad_later/other_phones.', 'pad/sheet_panel.', 'lib/wake_lock.'];
  const scripts = later.map((part) => come.find((name) => name.includes(`/js/${part}`)));
  if (document.querySelector('[data-mine]')?.hidden !== false || !scripts.every(Boolean)) return false;
  const { isLit } = (await Promise.all(scripts.map((name) => import(name)))).at(-1);
  await isLit();
  return true;
}"""


def is_dressed(page: Page) -> None:
    """Wait until a pad has loaded what it does not need for the first tap: a second after it opened it begins to."""
    wait_until(page, DRESSED)


#: Whether the pad on a page opens without network: its page and its files lie in the browser, and the worker holds it.
KEPT = """async () => {
  const pages = [location.pathname, '/no-connection/'].map((path) => caches.match(path));
  const lie = (await Promise.all(pages)).every(Boolean) && (await caches.keys()).length === 2;
  return lie && Boolean(navigator.serviceWorker.controller);
}"""


def is_kept(page: Page) -> None:
    """Wait until the pad on the page has all it needs to be opened without network."""
    is_dressed(page)
    wait_until(page, KEPT)


def unplug(page: Page) -> None:
    """Cut the network, and wait until the browser has noticed: what is tapped next cannot slip through."""
    page.context.set_offline(True)
    wait_until(page, "fetch('/healthz', { cache: 'no-store' }).then(() => false, () => true)")


class Pad:
    """The pad on a page, of the `game` it is told. `scorer` writes on the same sheet behind its back.

    `taps` counts what the finger did.
    """

    def __init__(self, page: Page, players: Sequence[str] | int | None = None, *, hands: int = 0, **more: Any) -> None:
        self.page, self.taps = page, 0
        self.tapped = (-1, 0.0)
        secret = secrets.token_urlsafe(16)
        made = opened(players, browser=hashed(secret), **more)
        self.scorer = Scorer(made.sheet, made.keeper)
        self.code = made.sheet.code
        for _ in range(hands):
            self.scorer.any_hand()
        hold(page, secret)
        self.load()

    def url(self, name: str) -> str:
        return reverse(name, args=[self.code])

    def load(self) -> None:
        self.page.goto(self.url("pad"))

    def second_phone(self, page: Page, name: str = "Marge") -> None:
        """Open the same sheet on another phone, which keeps score, too."""
        secret = secrets.token_urlsafe(16)
        ScorekeeperFactory(sheet=self.scorer.sheet, name=name, browser=hashed(secret))
        hold(page, secret)
        page.goto(self.url("pad"))

    @property
    def marge(self) -> Scorer:
        """A second scorekeeper of the sheet, without a page."""
        return Scorer(self.scorer.sheet, ScorekeeperFactory(sheet=self.scorer.sheet, name="Marge"))

    # Fingers

    def tap(self, what: Locator) -> None:
        self.taps += 1
        what.dispatch_event("click") if what.get_attribute("aria-disabled") == "true" else what.tap()

    def key(self, number: int) -> Locator:
        return self.page.locator(f".pad .keys button[value='{number}']")

    def bid(self, *numbers: int) -> None:
        """The bids of those who are next, at the pace of a table."""
        for number in numbers:
            last, at = self.tapped
            if number == last:
                # The same key again so soon would be a finger that trembles.
                time_has_passed(self.page, at, TREMBLE)
            self.tap(self.key(number))
            self.tapped = (number, time_on(self.page))

    def bids(self, numbers: Mapping[int, int], order: Sequence[int]) -> None:
        """All bids of a hand, and what the pad rests."""
        self.bid(*(numbers[seat] for seat in order))
        self.rest()

    def rest(self) -> None:
        """Wait until the pad takes any tap again."""
        rested(self.page)

    def more(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=f"{name} one more", exact=True))

    def fewer(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=f"{name} one fewer", exact=True))

    @property
    def score(self) -> Locator:
        return self.page.locator(".go")

    def count_out(self) -> None:
        """Tap until the tricks come out, and score."""
        for _ in range(40):
            if not self.score.get_attribute("aria-disabled"):
                break
            counts = self.page.locator(".step input").evaluate_all("all => all.map(i => Number(i.value))")
            over = sum(counts) > int(self.page.locator(".facts b").inner_text().split()[0])
            verb = "fewer" if over else "more"
            self.tap(self.page.locator(f".step button[name='{verb}']:not([aria-disabled])").first)
        self.tap(self.score)

    @property
    def back(self) -> Locator:
        return self.page.locator(".back")

    def open(self, what: str) -> None:
        self.tap(self.page.locator(f"#pad [data-open='{what}']"))

    # Eyes

    @property
    def title(self) -> str:
        return self.page.locator("#pad h1").inner_text()

    @property
    def line(self) -> str:
        return self.page.locator("#reason").inner_text()

    @property
    def due(self) -> str:
        """Whose bid is asked for."""
        return self.page.locator(".pad h2 bdi").inner_text()

    @property
    def sent(self) -> Locator:
        return self.page.locator(".sent")

    def is_saved(self) -> None:
        """Wait until everything has been sent."""
        waiting = """Object.entries(localStorage).filter(([name]) => name.startsWith('outbox-'))
          .flatMap(([, kept]) => JSON.parse(kept).posts).length"""
        wait_until(self.page, f"{waiting} === 0")
        expect(self.sent).to_have_attribute("data-state", "saved")

    def totals(self) -> dict[str, int]:
        """The totals on the pad, by name."""
        found = self.page.eval_on_selector_all(
            ".seats > li, .scores > li",
            """rows => rows.map((row) => {
              const text = [...row.querySelector('.mark').childNodes].filter((part) => part.nodeType === 3);
              return [row.querySelector('bdi').textContent, text.map((node) => node.data).join('').trim()];
            })""",
        )
        return {name: int(total.replace("−", "-")) for name, total in found}

    def marks(self) -> dict[str, list[str]]:
        """Who is in the box and who in the circle."""
        return {
            mark: self.page.locator(f".seats > li:has(.mark.{mark}) bdi").all_inner_texts()
            for mark in ("boxed", "circled")
        }


def hold(page: Page, secret: str) -> None:
    """Let the browser keep score, under both names of this machine and without opening a page for it."""
    hosts = ("localhost", PLAIN_HOST)
    page.context.add_cookies([{"name": BROWSER_COOKIE, "value": secret, "domain": host, "path": "/"} for host in hosts])


def likely_bids(order: Sequence[int], cards: int) -> dict[int, int]:
    """Bids that The Rule allows, made of ones and noughts."""
    bids = dict(zip(order, itertools.cycle([1, 0]), strict=False))
    if sum(bids.values()) == cards:
        bids[order[-1]] = 1 - bids[order[-1]]
    return bids
