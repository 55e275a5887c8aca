"""What was tapped is kept on the phone until it is written on the sheet, whatever the network does."""

import itertools
import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from scoresheets.models import Revision
from tests.browser.conftest import Guard
from tests.browser.pads import Pad, likely_bids, unplug
from tests.browser.waits import is_true, wait_for
from tests.factories import sure_of

OUTBOX = (
    "JSON.parse(localStorage[Object.keys(localStorage).find(k => k.startsWith('outbox-'))] ?? '{\"posts\":[]}').posts"
)


@pytest.fixture
def pad(phone: Page) -> Pad:
    return Pad(phone, 4, hands=1)


def outbox(pad: Pad) -> list[dict[str, object]]:
    return pad.page.evaluate(OUTBOX)


@pytest.mark.journey
def test_a_tap_shows_before_anything_is_sent(pad: Pad) -> None:
    waiting: list[Route] = []
    pad.page.route("**/enter/", lambda route: waiting.append(route))
    shown = """() => new Promise((done) => {
      document.querySelector(".keys button[value='1']").click();
      const now = document.querySelector('.pad h2 bdi').textContent;
      requestAnimationFrame(() => done([now, Object.keys(localStorage).some(k => k.startsWith('outbox-'))]));
    })"""
    assert pad.page.evaluate(shown) == ["Di", True]
    for route in waiting:
        route.continue_()
    pad.page.unroute("**/enter/")
    pad.is_saved()
    assert pad.scorer.reading.entries[2, "bid-3"] == {"bid": 1}


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
def test_the_game_goes_on_without_network_up_to_the_last_planned_hand(pad: Pad) -> None:
    page = pad.page
    unplug(page)
    for order, cards in (([3, 4, 1, 2], 2), ([4, 1, 2, 3], 2), ([1, 2, 3, 4], 1)):
        bids = likely_bids(order, cards)
        assert pad.due == ["Ann", "Bo", "Cy", "Di"][order[0] - 1]
        pad.bids(bids, order)
        pad.count_out()
        pad.rest()
    expect(page.locator("h1")).to_have_text("The end")
    assert "needs a connection" in pad.page.locator("#reason").inner_text()
    expect(pad.sent).to_have_text("15 to send")
    totals, marks = pad.totals(), pad.marks()
    assert len(outbox(pad)) == 15
    assert pad.scorer.reading.next_hand == 2
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_for(page, lambda: pad.scorer.reading.sheet.open is None)
    sheet, names = pad.scorer.reading.sheet, pad.scorer.reading.names
    assert {names[seat]: total for seat, total in sheet.totals.items()} == totals
    assert {"boxed": [names[s] for s in sheet.boxed], "circled": [names[s] for s in sheet.circled]} == marks


@pytest.mark.usefixtures("off_the_net")
def test_what_was_taken_back_before_it_was_sent_never_leaves_the_phone(pad: Pad) -> None:
    unplug(pad.page)
    pad.bid(1, 0)
    pad.tap(pad.back)
    assert pad.due == "Di"
    assert len(outbox(pad)) == 1
    pad.rest()
    pad.bid(1)
    pad.page.context.set_offline(False)
    pad.page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    assert {a: s for a, s in pad.scorer.reading.entries.items() if a[0] == 2} == {
        (2, "bid-3"): {"bid": 1},
        (2, "bid-4"): {"bid": 1},
    }


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
def test_what_waits_survives_a_reload(pad: Pad) -> None:
    pad.page.route("**/enter/", lambda route: route.abort())
    pad.bid(1, 0)
    pad.page.reload()
    assert pad.due == "Ann"
    expect(pad.sent).to_have_text("2 to send")
    expect(pad.page.locator(".top .line")).to_have_text("no connection: kept on this phone")
    pad.page.unroute("**/enter/")
    pad.page.reload()
    pad.is_saved()
    assert (2, "bid-4") in pad.scorer.reading.entries


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
def test_answers_that_get_lost_write_nothing_twice(pad: Pad) -> None:
    lost = itertools.cycle([True, False, False])

    def sometimes(route: Route) -> None:
        answer = route.fetch()
        if next(lost):
            route.abort()
        else:
            route.fulfill(response=answer)

    pad.page.route("**/enter/", sometimes)
    pad.page.route("**/undo/", sometimes)
    pad.tap(pad.page.get_by_label("Hearts"))
    pad.bid(1, 0)
    pad.tap(pad.back)
    pad.rest()
    pad.bid(1, 1, 1)
    pad.rest()
    pad.fewer("Ann")
    pad.fewer("Bo")
    pad.tap(pad.score)
    wait_for(pad.page, lambda: not outbox(pad))
    reading = pad.scorer.reading
    assert reading.next_hand == 3
    assert reading.sheet.rows[-1].points == {1: -1, 2: -1, 3: 6, 4: 6}
    keys = list(Revision.objects.filter(sheet=pad.scorer.sheet).values_list("key", flat=True))
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("status", [403, 429, 500, 503])
def test_trouble_at_the_site_leaves_it_on_the_phone(pad: Pad, guard: Guard, status: int) -> None:
    guard.allowed.add(status)
    answer = json.dumps({"problem": "Wait a minute."})
    pad.page.route(
        "**/enter/", lambda route: route.fulfill(status=status, body=answer, content_type="application/json")
    )
    pad.bid(1)
    expect(pad.sent).to_have_text("1 to send")
    expect(pad.page.locator(".bar")).to_contain_text("Wait a minute. Kept on this phone.")
    pad.page.unroute("**/enter/")
    pad.page.locator(".bar button").tap()
    pad.is_saved()
    assert (2, "bid-3") in pad.scorer.reading.entries


def test_a_token_that_has_gone_stale_is_read_again_when_sending(pad: Pad) -> None:
    pad.page.context.clear_cookies(name="csrftoken")
    pad.page.evaluate("document.cookie = 'csrftoken=' + 'x'.repeat(32) + '; path=/'")
    pad.bid(1)
    pad.is_saved()
    assert (2, "bid-3") in pad.scorer.reading.entries


@pytest.mark.journey
@pytest.mark.allow_statuses(409)
@pytest.mark.parametrize(("choice", "stands"), [("Keep 0", 0), ("Use 1", 1)])
def test_two_answers_for_one_place_are_both_shown_and_somebody_chooses(pad: Pad, choice: str, stands: int) -> None:
    sure_of(pad.marge.bid(3, 0))
    pad.bid(1)
    bar = pad.page.locator(".bar")
    expect(bar).to_contain_text("Hand 2: Cy’s bid 0 or 1?")
    expect(pad.sent).to_have_text("not saved")
    # Whatever is tapped behind it is kept.
    pad.bid(1)
    bar.get_by_role("button", name="Look").tap()
    panel = pad.page.get_by_role("dialog")
    expect(panel).to_contain_text("this phone entered 1.")
    panel.get_by_role("button", name=choice).tap()
    pad.is_saved()
    entries = pad.scorer.reading.entries
    assert (entries[2, "bid-3"], entries[2, "bid-4"]) == ({"bid": stands}, {"bid": 1})
    expect(pad.page.get_by_label(f"Cy bid {stands}. I typed it wrong")).to_be_visible()


@pytest.mark.allow_statuses(422)
def test_what_the_site_refuses_says_why_and_is_mended_in_its_place(pad: Pad) -> None:
    pad.bid(1, 0)
    pad.is_saved()
    marge = pad.marge
    # While this phone sleeps, the bids change so that Ann's 1 leaves the dealer no 0.
    pad.page.route("**/state/**", lambda route: route.fulfill(status=204))
    pad.page.route("**/enter/", lambda route: route.fulfill(
        status=422, content_type="application/json",
        body=json.dumps({"problem": "The number here can be 0 to 2.", "pad": None}),
    ))  # fmt: skip
    pad.bid(2)
    expect(pad.page.locator(".bar")).to_contain_text("The number here can be 0 to 2.")
    expect(pad.sent).to_have_text("not saved")
    assert pad.due == "Ann"
    pad.page.unroute("**/enter/")
    pad.bid(1)
    pad.is_saved()
    assert marge.reading.entries[2, "bid-1"] == {"bid": 1}
    assert pad.due == "Bo"


@pytest.mark.allow_statuses(422)
def test_what_the_site_refuses_can_be_left_out(pad: Pad) -> None:
    pad.page.route("**/misdeal/", lambda route: route.fulfill(
        status=422, content_type="application/json", body=json.dumps({"problem": "No.", "pad": None}),
    ))  # fmt: skip
    pad.open("more")
    pad.tap(pad.page.get_by_role("button", name="Misdeal"))
    pad.page.get_by_role("button", name="Leave it out").tap()
    pad.is_saved()


def test_a_second_phone_sees_every_tap_within_seconds(pad: Pad, open_page: Callable[..., Page]) -> None:
    other = open_page()
    pad.second_phone(other)
    pad.bid(1)
    expect(other.get_by_label("Cy bid 1. I typed it wrong")).to_be_visible()
    assert other.locator(".pad h2 bdi").inner_text() == "Di"


@pytest.mark.allow_statuses(409)
def test_counts_under_the_finger_are_not_taken_away(pad: Pad, open_page: Callable[..., Page]) -> None:
    pad.bid(1, 1, 1, 1)
    pad.rest()
    pad.fewer("Cy")
    pad.is_saved()
    sure_of(pad.marge.tricks({1: 1, 2: 1, 3: 0, 4: 0}))
    bar = pad.page.locator(".bar")
    expect(bar).to_contain_text("Marge entered the tricks.")
    expect(pad.score).to_have_text("Score hand 2")
    bar.get_by_role("button", name="Look").tap()
    pad.page.get_by_role("dialog").get_by_role("button", name="Keep Di 0").tap()
    expect(pad.page.locator("h1")).to_have_text("Hand 3 of 4")


def test_a_phone_that_keeps_nothing_says_so_and_sends_all_the_same(phone: Page) -> None:
    phone.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }")
    pad = Pad(phone, 4)
    pad.bid(1)
    expect(phone.locator(".bar")).to_contain_text("This phone can’t save")
    wait_for(phone, lambda: (1, "bid-2") in pad.scorer.reading.entries)


def test_the_end_is_followed_to_its_own_page(phone: Page) -> None:
    pad = Pad(phone, 4, hands=2, plan={"hands": 3})
    order = pad.scorer.reading.sheet.open.hand.order
    pad.bids(likely_bids(order, 1), order)
    pad.count_out()
    wait_for(phone, lambda: not phone.url.endswith("/pad/") or phone.locator("h1").inner_text().startswith("Blind"))


@pytest.mark.usefixtures("off_the_net")
def test_a_whole_game_on_a_bad_line_is_the_same_game(open_page: Callable[..., Page]) -> None:
    """A third of the posts never arrives, a third of the answers gets lost; the tab is closed and opened again."""
    page = open_page()
    pad = Pad(page, 4)
    luck = itertools.cycle(["lost", "through", "unheard"])

    def bad_line(route: Route) -> None:
        fate = next(luck)
        if fate == "lost":
            route.abort()
            return
        answer = route.fetch()
        if fate == "unheard":
            route.abort()
        else:
            route.fulfill(response=answer)

    page.context.route("**/enter/", bad_line)
    page.context.route("**/undo/", bad_line)
    expected = []
    for number, (order, cards) in enumerate(
        (([2, 3, 4, 1], 1), ([3, 4, 1, 2], 2), ([4, 1, 2, 3], 2), ([1, 2, 3, 4], 1))
    ):
        bids = likely_bids(order, cards)
        pad.tap(pad.page.get_by_label("Hearts"))
        pad.bids(bids, order)
        if number == 1:
            pad.page.reload()
        if number == 2:
            pad.tap(pad.back)
            pad.rest()
            pad.bid(bids[order[-1]])
            pad.rest()
            closed = pad.page
            pad.page = page.context.new_page()
            closed.close()
            pad.load()
        expected.append({f"bid-{seat}": {"bid": bids[seat]} for seat in order} | {"trump": {"suit": "H"}})
        pad.count_out()
        pad.rest()

    def is_over() -> bool:
        # It is sent anew after a while; a phone that hears of a network does so at once.
        is_true(pad.page, "dispatchEvent(new Event('online'))")
        return pad.scorer.reading.sheet.open is None

    wait_for(pad.page, is_over)
    sheet = pad.scorer.reading.sheet
    assert [{name: step for name, step in row.hand.steps.items() if name != "tricks"} for row in sheet.rows] == expected
    written = Revision.objects.filter(sheet=pad.scorer.sheet, verb="enter").count()
    # Sixteen bids, one of them twice, four suits and four hands.
    assert written == 25 or (written, Revision.objects.filter(sheet=pad.scorer.sheet, verb="undo").count()) == (24, 0)
