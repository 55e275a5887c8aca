"""The page itself without network: kept by the service worker, and no older than what the site has told."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.conf import LazySettings
from playwright.sync_api import Error, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoresheets.models import Revision, Scorekeeper
from scoresheets.views.public.sheet import sheet_file_of
from tests.browser.conftest import PHONE, PLAIN_HOST, Guard
from tests.browser.pads import Pad, is_kept, likely_bids, unplug
from tests.browser.waits import FRAMES, wait_for, wait_until
from tests.factories import Scorer, scorer
from tests.trust.attempts import Attempt

pytestmark = pytest.mark.usefixtures("off_the_net")


@pytest.fixture
def phone(open_page: Callable[..., Page]) -> Page:
    return open_page(PHONE, service_workers="allow")


@pytest.fixture
def pad(phone: Page) -> Pad:
    made = Pad(phone, 4, hands=1, plan={"peak": 3, "extra_rounds": 1})
    is_kept(phone)
    return made


def killed(pad: Pad) -> None:
    """The tab is closed, and another one opened."""
    closed, pad.page = pad.page, pad.page.context.new_page()
    closed.close()
    pad.load()


def a_hand(pad: Pad) -> None:
    hand = pad.scorer.reading.sheet.open.hand
    pad.bids(likely_bids(hand.order, hand.cards), hand.order)
    pad.count_out()
    pad.rest()
    pad.is_saved()


def test_the_pad_opens_without_network_with_what_waits_on_it(pad: Pad) -> None:
    unplug(pad.page)
    pad.bid(1, 0)
    pad.page.reload()
    assert pad.due == "Ann"
    expect(pad.sent).to_have_text("2 to send")
    killed(pad)
    assert pad.due == "Ann"
    pad.bid(1)
    expect(pad.sent).to_have_text("3 to send")
    pad.page.context.set_offline(False)
    pad.page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    assert pad.scorer.reading.entries[2, "bid-1"] == {"bid": 1}


@pytest.mark.journey
def test_a_page_that_is_older_than_what_was_answered_is_not_believed(pad: Pad) -> None:
    """It was loaded in hand 2; hands 2 and 3 were sent and answered since, and nothing waits."""
    a_hand(pad)
    a_hand(pad)
    totals = pad.totals()
    unplug(pad.page)
    killed(pad)
    assert pad.title == "Hand 4 of 12"
    assert pad.totals() == totals
    expect(pad.page.locator(".top .line")).to_have_text("no connection: kept on this phone")
    pad.bid(1, 0)
    pad.page.context.set_offline(False)
    pad.page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    assert pad.scorer.reading.next_hand == 4
    assert pad.scorer.reading.sheet.open.hand.steps


def test_a_site_that_went_back_to_a_backup_is_believed_again(pad: Pad) -> None:
    a_hand(pad)
    kept_pad = f"kept-{pad.code}"
    pad.page.evaluate(
        """name => {
          const kept = JSON.parse(localStorage[name]);
          kept.pad.version += 50;
          localStorage[name] = JSON.stringify(kept);
        }""",
        kept_pad,
    )
    pad.page.reload()
    expect(pad.page.locator("h1")).to_have_text("Hand 3 of 12")
    wait_until(pad.page, "name => JSON.parse(localStorage[name]).pad.version < 50", kept_pad)
    pad.bid(1)
    pad.is_saved()
    assert json.loads(pad.page.evaluate("name => localStorage[name]", kept_pad))["pad"]["version"] < 50


def test_any_other_page_says_so_and_leads_to_the_pad(pad: Pad, axe: Callable[[Page], None]) -> None:
    page = pad.page
    unplug(page)
    for path in ("/", pad.url("sheet"), f"/watch/{pad.scorer.sheet.watch}/"):
        page.goto(path)
        expect(page.locator("h1")).to_have_text("No connection")
    axe(page)
    page.get_by_role("link", name="Ann, Bo, Cy, Di").tap()
    expect(page.locator("h1")).to_have_text("Hand 2 of 12")


def test_the_page_comes_with_the_site_and_not_with_a_word_of_the_browser(pad: Pad) -> None:
    page = pad.page
    unplug(page)
    page.goto(pad.url("sheet"))
    expect(page.locator("h1")).to_have_text("No connection")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/healthz")):
        page.evaluate("window.stays = true; dispatchEvent(new Event('online'))")
    page.evaluate(FRAMES)
    assert page.evaluate("window.stays")
    # The browser says so itself, and the page goes on by that.
    page.context.set_offline(False)
    expect(page.locator("h1")).not_to_have_text("No connection")


def test_the_page_asks_again_where_it_was_reached_before_the_site(pad: Pad) -> None:
    """The page has the network before the service worker has it, so its first look at the site ends where it began."""
    page = pad.page
    unplug(page)
    page.goto(pad.url("sheet"))
    page.evaluate("window.former = true")
    [worker] = page.context.service_workers
    worker.evaluate(
        "() => { self.heard = self.fetch; self.fetch = () => Promise.reject(new TypeError('There is no network.')) }"
    )
    page.context.set_offline(False)
    wait_until(page, "!window.former")
    expect(page.locator("h1")).to_have_text("No connection")
    worker.evaluate("() => { self.fetch = self.heard }")
    expect(page.locator("h1")).not_to_have_text("No connection")


@pytest.mark.journey
def test_a_site_in_trouble_does_not_take_the_pad_away(pad: Pad, guard: Guard, monkeypatch: pytest.MonkeyPatch) -> None:
    guard.allowed.add(500)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("scoresheets.views.table.pad.read_sheet", broken)
    pad.page.reload()
    expect(pad.page.locator("h1")).to_have_text("Hand 2 of 12")


@pytest.mark.journey
@pytest.mark.allow_statuses(403)
def test_scorekeeper_who_was_revoked_leaves_no_pad_behind(pad: Pad) -> None:
    Scorekeeper.objects.filter(sheet=pad.scorer.sheet).update(revoked_at=pad.scorer.by.created)
    pad.page.goto(pad.url("pad"))
    assert pad.page.url.endswith(pad.url("sheet"))
    unplug(pad.page)
    pad.page.goto(pad.url("pad"))
    expect(pad.page.locator("h1")).to_have_text("No connection")
    expect(pad.page.get_by_role("link", name="Ann, Bo, Cy, Di")).to_have_count(0)


def test_a_new_release_takes_the_place_of_the_old_one(pad: Pad) -> None:
    pad.page.evaluate("caches.open('pads of long ago').then((old) => old.put('/x', new Response('')))")
    # A pad was kept by a script of another name once.
    pad.page.evaluate("caches.open('pads /static/js/pad.old.js').then((old) => old.put('/x', new Response('')))")
    pad.page.evaluate("caches.open('something else').then((old) => old.put('/x', new Response('')))")
    pad.page.evaluate(
        """path => navigator.serviceWorker.ready.then(({ active }) =>
          active.postMessage({ keep: path, files: [], release: '/static/js/pad/bidding.new.js' }))""",
        pad.url("pad"),
    )
    wait_until(pad.page, "caches.keys().then((names) => !names.includes('pads of long ago'))")
    names = pad.page.evaluate("caches.keys()")
    assert "pads /static/js/pad/bidding.new.js" in names
    assert [name for name in names if name.startswith("pads ")] == ["pads /static/js/pad/bidding.new.js"]


# Two hundred

#: A network that is cut, or from which every third answer gets lost: the site has written what it answers. A page that
#: is only being opened has the browser's own network for a moment, whatever it is told; this one has none.
NETWORK = """
const heard = window.fetch;
const how = () => { try { return localStorage.network } catch { return '' } };
window.fetch = async (address, options) => {
  if (how() === 'cut') {
    if (options?.method === 'POST') localStorage.tries = Number(localStorage.tries ?? 0) + 1;
    throw new TypeError('There is no network.');
  }
  const answer = await heard(address, options);
  if (how() === 'bad' && options?.method === 'POST') {
    localStorage.answers = Number(localStorage.answers ?? 0) + 1;
    if (Number(localStorage.answers) % 3 === 1) throw new TypeError('The answer got lost.');
  }
  return answer;
};
setInterval(() => how() === 'bad' && dispatchEvent(new Event('online')), 20);
"""
#: A clock that jumps over the half second in which the pad takes no tap, and a finger that taps as it is told.
FINGER = """async (taps) => {
  const real = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => real() + ahead;
  const pad = document.getElementById('pad');
  for (const tap of taps) {
    ahead += 600;
    const button = pad.querySelector(tap);
    if (!button || button.getAttribute('aria-disabled')) throw new Error(`${tap}: ${pad.innerText}`);
    const click = new MouseEvent('click', { bubbles: true, cancelable: true });
    // A tap is judged by when it was made.
    Object.defineProperty(click, 'timeStamp', { value: performance.now() });
    button.dispatchEvent(click);
  }
}"""


#: The phone has no network for ten minutes, which pass on its own clock after every hand. In one such stretch the pad
#: tries at least so often to send what waits: its longest pause is 15 seconds.
MINUTES, HANDS = 10, 17
STRETCH = -(-MINUTES * 60_000 // HANDS)
TRIES = STRETCH // 15_000 - 1


def tries(pad: Pad) -> int:
    """How often the pad has tried to send something without network."""
    return int(pad.page.evaluate("localStorage.tries ?? 0"))


def time_passes(pad: Pad) -> None:
    """Let a part of the ten minutes pass, with all the pad does in it."""
    before = tries(pad)
    pad.page.clock.run_for(STRETCH)
    assert tries(pad) - before >= TRIES, "the pad has not tried to send"


def a_game(players: int, hands: int) -> Scorer:
    return scorer(players, plan={"hands": hands})


def play(scorer: Scorer, number: int) -> tuple[list[str], list[str]]:
    """Write a hand on the sheet by itself; what is tapped for it, the first half and the second."""
    hand = scorer.reading.sheet.open.hand
    suit = "CDHS"[number % 4]
    bids = likely_bids(hand.order, hand.cards)
    scorer.enter(number, "trump", suit=suit)
    scorer.bids(bids)
    taken = dict(bids)
    taps = [f".trump button[value={suit}]"] + [f".keys button[value='{bids[seat]}']" for seat in hand.order]
    counts = []
    while sum(taken.values()) != hand.cards:
        more = sum(taken.values()) < hand.cards
        able = [seat for seat in hand.order if more or taken[seat]]
        seat = able[(number + len(counts)) % len(able)]
        taken[seat] += 1 if more else -1
        counts.append(f".step button[name={'more' if more else 'fewer'}][value='{seat}']")
    scorer.tricks(taken)
    return taps, [*counts, ".go"]


def still_waiting(pad: Pad) -> bool:
    """Whether something is to be sent; where the pad is just leading on to the end, ask again."""
    waits = "code => JSON.parse(localStorage[`outbox-${code}`]).posts.length"
    try:
        return bool(pad.page.evaluate(waits, pad.code))
    except Error:
        return True


def comes_in(pad: Pad, more_than: int) -> None:
    """Wait until the site has more entries than that: for as long as it takes, while one comes after the other."""
    there = len(pad.scorer.reading.entries)
    while there <= more_than:
        wait_for(pad.page, lambda there=there: len(pad.scorer.reading.entries) > there)
        there = len(pad.scorer.reading.entries)


@pytest.mark.promise(4)
def test_two_hundred_taps_without_network_make_the_sheet_that_is_written_with_it(phone: Page, attempt: Attempt) -> None:
    """Reloaded, closed and opened again; a third of the answers is lost; and two tabs send at once."""
    online = a_game(10, HANDS)
    phone.context.add_init_script(NETWORK)
    pad = Pad(phone, 10, plan={"hands": HANDS})
    is_kept(phone)
    phone.evaluate("localStorage.network = 'cut'")
    unplug(phone)
    phone.clock.install()
    cut_at, entries = phone.evaluate("Date.now()"), 0
    for number in range(1, HANDS + 1):
        first, second = play(online, number)
        pad.page.evaluate(FINGER, first)
        if number in (4, 12):
            pad.page.reload()
        if number == 8:
            killed(pad)
        pad.page.evaluate(FINGER, second)
        entries += len(first) + 1
        time_passes(pad)
    minutes = (pad.page.evaluate("Date.now()") - cut_at) / 60_000
    assert minutes >= MINUTES
    assert entries == HANDS * 12 >= 200
    expect(pad.sent).to_have_text(f"{entries} to send")
    totals, marks, tried = pad.totals(), pad.marks(), tries(pad)
    assert not pad.scorer.reading.entries
    pad.page.context.set_offline(False)
    killed(pad)
    expect(pad.page.locator("h1")).to_have_text("The end")
    assert pad.totals() == totals
    pad.page.evaluate("localStorage.network = 'bad'")
    comes_in(pad, more_than=entries // 2)
    pad.page.reload()
    second = pad.page.context.new_page()
    second.goto(pad.url("pad"))
    comes_in(pad, more_than=entries - 1)
    wait_for(pad.page, lambda: not still_waiting(pad))
    # The pad leads on to the end by itself: another tab looks at what the browser has counted.
    other = pad.page.context.new_page()
    other.goto("/rules/dirty-dog/")
    answers = int(other.evaluate("localStorage.answers"))
    assert answers > entries * 1.3, "a third of the answers got lost"
    assert pad.scorer.reading.entries == online.reading.entries
    assert Revision.objects.filter(sheet=pad.scorer.sheet, verb="enter").count() == entries
    assert sheet_file_of(pad.scorer.reading) == sheet_file_of(online.reading)
    assert pad.scorer.reading.sheet.totals == online.reading.sheet.totals
    names = pad.scorer.reading.names
    assert {names[seat]: total for seat, total in online.reading.sheet.totals.items()} == totals
    assert marks["boxed"] == [names[seat] for seat in online.reading.sheet.boxed]
    assert marks["circled"] == [names[seat] for seat in online.reading.sheet.circled]
    attempt.saw(
        f"{entries} entries in {minutes:.1f} minutes of a browser's clock without network, {tried} tries to send,"
        f" {answers - entries} answers lost, two tabs, one closed: the same sheet"
    )


# Where browsers allow no more than over plain http


def test_over_plain_http_everything_goes_on_but_the_page_cannot_be_opened_again(
    open_page: Callable[..., Page], settings: LazySettings, live_server: LiveServer
) -> None:
    settings.ALLOWED_HOSTS = [PLAIN_HOST, "localhost"]
    port = live_server.url.rsplit(":", 1)[1]
    page = open_page(PHONE, service_workers="allow", base_url=f"http://{PLAIN_HOST}:{port}")
    pad = Pad(page, 4, hands=1)
    more = "[isSecureContext, 'serviceWorker' in navigator, 'wakeLock' in navigator]"
    assert page.evaluate(more) == [False, False, False]
    pad.bid(1)
    pad.is_saved()
    unplug(page)
    pad.bid(0, 1)
    expect(pad.sent).to_have_text("2 to send")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    assert pad.scorer.reading.entries[2, "bid-1"] == {"bid": 1}
