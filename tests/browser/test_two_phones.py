"""Two phones at one table: each sees the other's taps, scoring goes from one to the other, and nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoresheets.access.scorekeepers import cut_off, make_link
from scoresheets.models import Scorekeeper, Sheet
from tests.browser.conftest import Guard
from tests.browser.pads import Pad, likely_bids, unplug
from tests.browser.waits import rested
from tests.factories import sure_of


@pytest.fixture
def pad(phone: Page) -> Pad:
    return Pad(phone, 4, hands=1)


@pytest.fixture
def marge(pad: Pad, open_page: Callable[..., Page]) -> Page:
    """A neighbour's phone, on the same sheet by a link of its own."""
    page = open_page()
    page.goto(f"/keep/{make_link(pad.scorer.sheet, by=pad.scorer.by)}/")
    page.get_by_label("Your name").fill("Marge")
    page.get_by_role("button", name="Start scoring").tap()
    page.wait_for_url("**/pad/")
    return page


@pytest.fixture
def off_the_net(guard: Guard) -> Iterator[None]:
    """A browser without network says so on its console, and so does htmx of an answer it did not want.

    Neither is a fault of the page.
    """
    hear = guard.hear
    yield
    assert hear
    guard.complaints[:] = [said for said in guard.complaints if not re.search("ERR_|Response Status Error", said)]


def bar(page: Page):
    return page.locator(".bar")


def ring(pad: Pad) -> None:
    """There is network again."""
    pad.page.context.set_offline(False)
    pad.page.evaluate("dispatchEvent(new Event('online'))")


# Every tap


@pytest.mark.journey
@pytest.mark.allow_statuses(409)
def test_each_phone_sees_what_the_other_writes(pad: Pad, marge: Page) -> None:
    bid = "{} bid 1. I typed it wrong"
    pad.bid(1)
    expect(marge.get_by_label(bid.format("Cy"))).to_be_visible()
    marge.locator(".pad .keys button[value='1']").tap()
    expect(pad.page.get_by_label(bid.format("Di"))).to_be_visible()
    pad.bid(1)
    expect(marge.locator(".pad h2 bdi")).to_have_text("Bo")
    marge.locator(".pad .keys button[value='1']").tap()
    expect(pad.score).to_have_text("Score hand 2")
    # The tricks are counted here while the other phone scores the hand: nothing moves under the finger.
    pad.fewer("Cy")
    pad.fewer("Di")
    rested(marge)
    for name in ("Ann", "Bo"):
        marge.get_by_role("button", name=f"{name} one fewer", exact=True).tap()
    expect(marge.locator(".go")).not_to_have_attribute("aria-disabled", "true")
    marge.locator(".go").tap()
    expect(bar(pad.page)).to_contain_text("Marge entered the tricks.")
    expect(pad.score).to_have_text("Score hand 2")
    bar(pad.page).get_by_role("button").tap()
    # What was counted here is something else, and is shown beside it.
    pad.page.get_by_role("dialog").get_by_role("button", name="Keep what Marge entered").tap()
    expect(pad.page.locator("h1")).to_have_text("Hand 3 of 4")


# Who keeps score


def test_scoring_goes_to_a_neighbour_by_a_code_and_the_first_phone_says_so(
    pad: Pad, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    page = pad.page
    pad.open("more")
    page.get_by_role("button", name="Let someone else score").tap()
    expect(page.locator("svg.qr")).to_have_count(1)
    axe(page)
    link = page.locator(".address").inner_text()
    other = open_page()
    other.goto(link)
    axe(other)
    other.get_by_label("Your name").fill("Marge")
    other.get_by_role("button", name="Start scoring").tap()
    other.wait_for_url("**/pad/")
    assert "/keep/" not in other.evaluate("document.referrer")
    # Said where the code was shown, and on the pad.
    expect(page.locator("#holder")).to_contain_text("Marge is now keeping score.")
    page.get_by_role("link", name="Back to the table").first.tap()
    expect(bar(page)).to_contain_text("Marge is now keeping score.")
    expect(bar(other)).to_have_count(0)
    bar(page).get_by_role("button", name="OK").tap()
    expect(bar(page)).to_have_count(0)
    page.reload()
    expect(page.locator(".pad h2 bdi")).to_have_text("Cy")
    expect(bar(page)).to_have_count(0)


def test_phone_on_the_pad_hears_at_once_who_started_scoring_even_while_it_writes(pad: Pad, marge: Page) -> None:
    pad.bid(1)
    expect(bar(pad.page)).to_contain_text("Marge is now keeping score.")
    pad.bid(0)
    pad.is_saved()
    assert (2, "bid-4") in pad.scorer.reading.entries


def test_phone_is_asked_for_its_name_once(pad: Pad, marge: Page, open_page: Callable[..., Page]) -> None:
    other = Pad(open_page(), 4)
    marge.goto(f"/keep/{make_link(other.scorer.sheet, by=other.scorer.by)}/")
    marge.wait_for_url(f"**{other.url('pad')}")
    assert Scorekeeper.objects.filter(name="Marge", sheet=other.scorer.sheet).count() == 1
    marge.goto("/open/")
    expect(marge.locator("#keeper")).to_have_value("Marge")


def test_form_of_a_link_is_taken_without_a_script_and_its_address_goes_nowhere(
    pad: Pad, plain_phone: Page, axe: Callable[[Page], None]
) -> None:
    asked: list[dict[str, str]] = []
    plain_phone.on("request", lambda request: asked.append(request.all_headers()))
    token = make_link(pad.scorer.sheet, by=pad.scorer.by)
    plain_phone.goto(f"/keep/{token}/")
    plain_phone.get_by_label("Your name").fill("Marge")
    plain_phone.get_by_role("button", name="Start scoring").tap()
    plain_phone.wait_for_url("**/pad/")
    assert Scorekeeper.objects.filter(name="Marge").count() == 1
    assert len(asked) > 5
    assert [headers["referer"] for headers in asked if token in headers.get("referer", "")] == []


def test_page_of_links_serves_copying_and_sharing_where_the_phone_can(pad: Pad, axe: Callable[[Page], None]) -> None:
    page = pad.page
    page.add_init_script(
        """window.told = [];
        navigator.share = async (what) => told.push(what.url);
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => told.push(text) } });"""
    )
    page.goto(pad.url("links"))
    axe(page)
    page.get_by_role("button", name="Copy").tap()
    expect(page.locator(".copied")).to_have_text("Copied.")
    page.get_by_role("button", name="Share …").tap()
    watch = page.locator(".address").inner_text()
    assert page.evaluate("told") == [watch, watch]
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_no_name_is_too_long_for_the_page_of_links(phone: Page, axe: Callable[[Page], None]) -> None:
    pad = Pad(phone, 4)
    Scorekeeper.objects.create(sheet=pad.scorer.sheet, name="W" * 40, browser="x" * 64, created=pad.scorer.by.created)
    phone.goto(pad.url("links"))
    assert phone.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    sizes: Any = phone.eval_on_selector_all(
        "main button, main a.button, main input:not([type=hidden]), main summary",
        "all => all.filter(one => one.offsetParent).map(one => one.getBoundingClientRect().height)",
    )
    assert min(sizes) >= 48


# Cut off


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(403)
def test_phone_that_is_cut_off_says_so_keeps_what_it_had_and_sends_it_with_a_new_link(pad: Pad, marge: Page) -> None:
    table = pad.scorer
    unplug(marge)
    keys = marge.locator(".pad .keys")
    keys.locator("button[value='1']").tap()
    keys.locator("button[value='0']").tap()
    cut_off(Scorekeeper.objects.get(name="Marge"), by=table.by)
    marge.context.set_offline(False)
    marge.evaluate("dispatchEvent(new Event('online'))")
    expect(bar(marge)).to_contain_text("This phone can no longer enter scores. 2 taps kept here, not sent.")
    bar(marge).get_by_role("button", name="Show").tap()
    panel = marge.get_by_role("dialog")
    expect(panel).to_contain_text("2 taps are kept here and were not sent.")
    expect(panel.locator("li")).to_have_text(["Cy bid 1", "Di bid 0"])
    assert not any(address[0] == 2 for address in table.reading.entries)
    # The page does not open any more, and says it again.
    marge.reload()
    expect(marge.get_by_role("alert")).to_contain_text("This phone can no longer enter scores on this sheet.")
    expect(marge.locator("#kept li")).to_have_text(["Cy bid 1", "Di bid 0"])
    # A new link, and everything is there.
    marge.goto(f"/keep/{make_link(table.sheet, by=table.by)}/")
    marge.wait_for_url("**/pad/")
    expect(marge.locator(".sent")).to_contain_text("saved")
    expect(marge.locator(".pad h2 bdi")).to_have_text("Ann")
    assert table.reading.entries[2, "bid-3"] == {"bid": 1}
    assert table.reading.standing[2, "bid-4"].by == "Marge"


@pytest.mark.file_by_file
@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(403)
def test_phone_that_lost_the_network_before_it_had_all_scripts_fetches_them_with_the_first_answer(
    pad: Pad, marge: Page
) -> None:
    table = pad.scorer
    marge.route("**/js/pad_later/other_phones*.js", lambda route: route.abort())
    with marge.expect_event("requestfailed"):
        marge.reload()
    unplug(marge)
    marge.locator(".pad .keys button[value='1']").tap()
    marge.unroute("**/js/pad_later/other_phones*.js")
    cut_off(Scorekeeper.objects.get(name="Marge"), by=table.by)
    marge.context.set_offline(False)
    expect(bar(marge)).to_contain_text("1 tap kept here, not sent.")


@pytest.mark.allow_statuses(403)
def test_phone_that_only_looks_hears_within_seconds_that_it_was_cut_off(pad: Pad, marge: Page) -> None:
    pad.page.goto(pad.url("links"))
    pad.page.get_by_role("button", name="Cut off Marge").tap()
    expect(bar(marge)).to_contain_text("This phone can no longer enter scores.")
    bar(marge).get_by_role("button").tap()
    expect(marge.get_by_role("dialog")).to_contain_text("Everything that was tapped here was sent.")


@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(404)
def test_watch_page_shows_nothing_any_more_when_its_link_was_taken_away(
    pad: Pad, open_page: Callable[..., Page]
) -> None:
    watcher = open_page()
    watcher.goto(f"/watch/{pad.scorer.sheet.watch}/")
    expect(watcher.locator(".sheet").first).to_be_visible()
    pad.page.goto(pad.url("links"))
    pad.page.get_by_text("Did the wrong people get it?").tap()
    pad.page.get_by_role("button", name="Make a new link to watch").tap()
    expect(watcher.locator("h1")).to_have_text("Nothing at this address")
    new = Sheet.objects.get(pk=pad.scorer.sheet.pk).watch
    expect(pad.page.locator(".address")).to_contain_text(new)


# Away for long


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(409)
def test_hand_that_was_kept_differently_elsewhere_is_settled_in_two_taps_and_nothing_behind_it_is_lost(
    pad: Pad,
) -> None:
    page, marge = pad.page, pad.marge
    unplug(page)
    pad.bids({3: 1, 4: 0, 1: 0, 2: 0}, [3, 4, 1, 2])
    pad.count_out()
    pad.rest()
    order = [4, 1, 2, 3]
    pad.bid(1, 0)
    marge.hand({3: 0, 4: 1, 1: 0, 2: 2}, {3: 0, 4: 1, 1: 0, 2: 1})
    ring(pad)
    expect(bar(page)).to_contain_text("Hand 2: Cy’s bid 0 or 1?")
    bar(page).get_by_role("button", name="Look").tap()
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("This phone has 5 taps of hand 2 that were not sent.")
    panel.get_by_role("button", name="Keep all of hand 2").tap()
    pad.is_saved()
    entries = pad.scorer.reading.entries
    assert entries[2, "bid-3"] == {"bid": 0}
    assert entries[2, "tricks"] == {"tricks-3": 0, "tricks-4": 1, "tricks-1": 0, "tricks-2": 1}
    assert (entries[3, f"bid-{order[0]}"], entries[3, f"bid-{order[1]}"]) == ({"bid": 1}, {"bid": 0})
    expect(page.locator(".pad h2 bdi")).to_have_text("Bo")


@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(409)
def test_what_differs_is_shown_one_after_the_other(pad: Pad) -> None:
    page, marge = pad.page, pad.marge
    unplug(page)
    pad.bid(1, 0, 1)
    for seat, bid in ((3, 0), (4, 0), (1, 0)):
        sure_of(marge.bid(seat, bid))
    ring(pad)
    bar(page).get_by_role("button", name="Look").tap()
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("Cy’s bid: Marge entered 0")
    panel.get_by_role("button", name="Use 1").tap()
    # Di's agrees and is not asked about; Ann's follows at once, with no further tap to open it.
    expect(panel).to_contain_text("Ann’s bid: Marge entered 0")
    panel.get_by_role("button", name="Keep 0").tap()
    pad.is_saved()
    entries = pad.scorer.reading.entries
    assert [entries[2, f"bid-{seat}"]["bid"] for seat in (3, 4, 1)] == [1, 0, 0]


@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(409)
def test_all_of_this_phone_is_used_and_the_phone_that_was_overruled_hears_of_it(pad: Pad, marge: Page) -> None:
    page = pad.page
    expect(bar(page)).to_contain_text("Marge is now keeping score.")
    bar(page).get_by_role("button", name="OK").tap()
    unplug(page)
    pad.bid(1, 0, 1)
    for number in (0, 1, 0):
        marge.locator(f".pad .keys button[value='{number}']").tap()
    expect(marge.locator(".sent")).to_contain_text("saved")
    ring(pad)
    expect(bar(page)).to_contain_text("Hand 2: Cy’s bid 0 or 1?")
    bar(page).get_by_role("button", name="Look").tap()
    panel = page.get_by_role("dialog")
    panel.get_by_role("button", name="Use all of mine").tap()
    pad.is_saved()
    entries = pad.scorer.reading.entries
    assert [entries[2, f"bid-{seat}"]["bid"] for seat in (3, 4, 1)] == [1, 0, 1]
    expect(bar(page)).to_have_count(0)
    expect(bar(marge)).to_contain_text("Hand 2: Another phone changed Ann’s bid: 0 → 1.")
    bar(marge).get_by_role("button", name="OK").tap()
    expect(bar(marge)).to_have_count(0)
    marge.reload()
    expect(marge.locator(".pad h2 bdi")).to_have_text("Bo")
    expect(bar(marge)).to_have_count(0)


@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(409)
def test_all_of_a_hand_that_is_scored_leads_to_its_correction_with_everything_filled_in(pad: Pad) -> None:
    page, marge = pad.page, pad.marge
    unplug(page)
    pad.bids({3: 1, 4: 0, 1: 0, 2: 0}, [3, 4, 1, 2])
    pad.fewer("Cy")
    pad.more("Di")
    pad.more("Di")
    pad.tap(pad.score)
    marge.hand({3: 0, 4: 1, 1: 0, 2: 2}, {3: 0, 4: 1, 1: 0, 2: 1})
    ring(pad)
    expect(bar(page)).to_contain_text("Hand 2: Cy’s bid 0 or 1?")
    bar(page).get_by_role("button", name="Look").tap()
    page.get_by_role("link", name="Use all of mine").tap()
    page.get_by_role("button", name="Confirm").tap()
    expect(bar(page)).to_contain_text("Hand 2 was changed: ")
    assert "/pad/" in page.url
    entries = pad.scorer.reading.entries
    assert [entries[2, f"bid-{seat}"]["bid"] for seat in (3, 4, 1, 2)] == [1, 0, 0, 0]
    assert entries[2, "tricks"] == {"tricks-3": 0, "tricks-4": 2, "tricks-1": 0, "tricks-2": 0}
    pad.load()
    pad.is_saved()
    expect(bar(page)).to_have_count(0)


@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(409)
def test_what_would_have_taken_back_a_tap_that_is_left_out_goes_with_it(pad: Pad) -> None:
    page, marge = pad.page, pad.marge
    # The first tap reaches the site and its answer does not come back: then it can only be taken back there.
    page.route("**/enter/", lambda route: route.abort())
    pad.bid(1)
    expect(pad.sent).to_have_text("1 to send")
    pad.tap(pad.back)
    sure_of(marge.bid(3, 0))
    page.unroute("**/enter/")
    ring(pad)
    bar(page).get_by_role("button", name="Look").tap()
    page.get_by_role("dialog").get_by_role("button", name="Keep 0").tap()
    pad.is_saved()
    expect(bar(page)).to_have_count(0)
    assert pad.scorer.reading.entries[2, "bid-3"] == {"bid": 0}


# Read it back


@pytest.mark.journey
def test_last_hand_is_read_back_in_large_letters_and_aloud_only_on_a_tap(
    phone: Page, axe: Callable[[Page], None]
) -> None:
    phone.add_init_script(
        """window.told = [];
        window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } };
        Object.defineProperty(window, 'speechSynthesis', { value: {
          speaking: false, cancel() { told.push('stop') }, speak(said) { told.push(said.text) } } });"""
    )
    pad = Pad(phone, 4, hands=1)
    pad.open("more")
    pad.tap(phone.get_by_role("link", name="Read it back"))
    panel = phone.get_by_role("dialog", name="Hand 1")
    first = panel.locator("li").first
    expect(first).to_contain_text("Ann")
    expect(first).to_contain_text("bid 0, took 0")
    # Its style comes after it.
    expect(first.locator("b")).to_have_css("font-size", re.compile(r"^(2[6-9]|[3-9]\d)(\.\d+)?px$"))
    axe(phone)
    assert [said for said in phone.evaluate("told") if said != "stop"] == []
    panel.get_by_role("button", name="Read it aloud").tap()
    told = [said for said in phone.evaluate("told") if said != "stop"]
    assert told[:2] == ["Hand 1.", "Ann bid 0, took 0: plus 5. 5 now."]
    on_the_pad = panel.locator("[data-say]").evaluate_all("all => all.map(it => it.dataset.say)")
    panel.get_by_role("button", name="Close").tap()
    phone.goto(pad.url("read_back"))
    assert phone.locator("[data-say]").evaluate_all("all => all.map(it => it.dataset.say)") == on_the_pad
    expect(phone.get_by_role("button", name="Read it aloud")).to_be_visible()
    axe(phone)


@pytest.mark.usefixtures("off_the_net")
def test_hand_that_was_not_sent_yet_is_read_back_too(pad: Pad) -> None:
    page = pad.page
    pad.open("more")
    pad.tap(page.get_by_role("link", name="Read it back"))
    # More has a button of that name, too, and stands there until the hand comes.
    page.locator("#panel[open]").get_by_role("button", name="Close").tap()
    unplug(page)
    pad.bids(likely_bids([3, 4, 1, 2], 2), [3, 4, 1, 2])
    pad.count_out()
    pad.rest()
    pad.open("more")
    pad.tap(page.get_by_role("link", name="Read it back"))
    expect(page.get_by_role("dialog").locator("h2")).to_contain_text("Hand 2")


def test_phone_without_a_voice_offers_none(phone: Page) -> None:
    phone.add_init_script("delete window.speechSynthesis; delete Window.prototype.speechSynthesis")
    pad = Pad(phone, 4, hands=1)
    phone.goto(pad.url("read_back"))
    expect(phone.locator(".back-read li")).to_have_count(4)
    expect(phone.get_by_role("button", name=re.compile("aloud"))).to_have_count(0)
