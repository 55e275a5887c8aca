"""A backup is restored in the middle of an evening: phones bring back what it lacks, and watchers see what it has."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from scoresheets.caches.generation import begin_generation
from scoresheets.models import Entry, Revision, Sheet
from tests.browser.pads import Pad, unplug
from tests.browser.waits import wait_for
from tests.factories import sure_of
from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.usefixtures("off_the_net"), pytest.mark.allow_statuses(409, 422)]


def restored_to(pad: Pad, version: int) -> None:
    """The database is the one of a backup that was made at `version` of the sheet, all at once."""
    with transaction.atomic():
        take_back(pad, version)
        begin_generation()


def take_back(pad: Pad, version: int) -> None:
    Entry.objects.filter(sheet=pad.scorer.sheet, added_by__version__gt=version).delete()
    Entry.objects.filter(sheet=pad.scorer.sheet, withdrawn_by__version__gt=version).update(withdrawn_by=None)
    Revision.objects.filter(sheet=pad.scorer.sheet, version__gt=version).delete()
    Sheet.objects.filter(pk=pad.scorer.sheet.pk).update(version=version, finished_at=None)


def version(pad: Pad) -> int:
    return Sheet.objects.get(pk=pad.scorer.sheet.pk).version


def comes_back(pad: Pad, entries: object) -> None:
    """Wait until the phones have sent all of that again."""
    wait_for(pad.page, lambda: pad.scorer.reading.entries == entries)
    pad.is_saved()


@pytest.fixture
def pad(phone: Page) -> Pad:
    return Pad(phone, 4, hands=1)


@pytest.mark.promise(12)
@pytest.mark.journey
def test_phone_sends_what_the_backup_lacks_and_a_watcher_sees_the_restored_rows(
    pad: Pad, open_page: Callable[..., Page], attempt: Attempt
) -> None:
    watcher = open_page()
    watcher.goto(f"/watch/{pad.scorer.sheet.watch}/")
    pad.bid(1)
    pad.is_saved()
    backup = version(pad)
    pad.bid(0, 1)
    pad.is_saved()
    # One was changed, and that was taken back.
    pad.tap(pad.page.locator("a.bid").first)
    pad.page.get_by_label("Ann bid 0", exact=True).tap()
    pad.is_saved()
    pad.tap(pad.back)
    pad.rest()
    pad.bid(2)
    pad.is_saved()
    newest = pad.scorer.reading
    expect(watcher.locator("#sheet tr.now td").nth(1)).to_contain_text("bids 2")
    pad.page.route("**/state/**", lambda route: route.abort())
    restored_to(pad, backup)
    expect(watcher.locator("#sheet tr.now td").nth(1)).not_to_contain_text("bids 2")
    pad.page.unroute("**/state/**")
    comes_back(pad, newest.entries)
    expect(watcher.locator("#sheet tr.now td").nth(1)).to_contain_text("bids 2")
    assert version(pad) == newest.version
    expect(pad.score).to_be_visible()
    attempt.saw("a phone with newer entries sent them by itself")


def test_whole_hands_come_back_in_their_order(pad: Pad) -> None:
    backup = version(pad)
    for order in ([3, 4, 1, 2], [4, 1, 2, 3]):
        pad.bids(dict.fromkeys(order, 1), order)
        pad.count_out()
        pad.rest()
    pad.is_saved()
    newest = pad.scorer.reading.entries
    restored_to(pad, backup)
    comes_back(pad, newest)
    expect(pad.page.locator("h1")).to_have_text("Hand 4 of 4")


def test_phone_without_network_learns_of_it_when_it_comes_back_and_sends_both(pad: Pad) -> None:
    pad.bid(1)
    pad.is_saved()
    unplug(pad.page)
    pad.bid(0)
    restored_to(pad, version(pad) - 1)
    pad.page.context.set_offline(False)
    pad.page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    entries = pad.scorer.reading.entries
    assert (entries[2, "bid-3"], entries[2, "bid-4"]) == ({"bid": 1}, {"bid": 0})
    expect(pad.page.locator(".bar")).to_have_count(0)


@pytest.mark.promise(12)
@pytest.mark.journey
def test_what_another_phone_wrote_since_is_a_conflict(pad: Pad, attempt: Attempt) -> None:
    pad.bid(1, 0)
    pad.is_saved()
    pad.page.route("**/state/**", lambda route: route.abort())
    restored_to(pad, version(pad) - 2)
    sure_of(pad.marge.bid(3, 0))
    pad.page.unroute("**/state/**")
    bar = pad.page.locator(".bar")
    expect(bar).to_contain_text("Hand 2: Cy’s bid 0 or 1?")
    bar.get_by_role("button", name="Look").tap()
    pad.page.get_by_role("dialog").get_by_role("button", name="Use 1").tap()
    pad.is_saved()
    entries = pad.scorer.reading.entries
    assert (entries[2, "bid-3"], entries[2, "bid-4"]) == ({"bid": 1}, {"bid": 0})
    attempt.saw("what another phone wrote since is a conflict it is asked about")


def test_pad_that_is_opened_after_it_believes_the_site_and_sends_what_it_had(pad: Pad) -> None:
    pad.bid(1, 0)
    pad.is_saved()
    pad.page.goto("about:blank")
    restored_to(pad, version(pad) - 1)
    pad.load()
    pad.is_saved()
    assert pad.scorer.reading.entries[2, "bid-4"] == {"bid": 0}
    expect(pad.page.locator(".pad h2 bdi")).to_have_text("Ann")


def test_two_phones_bring_back_what_each_of_them_wrote(pad: Pad, open_page: Callable[..., Page]) -> None:
    other = open_page()
    pad.second_phone(other)
    backup = version(pad)
    pad.bid(1)
    pad.is_saved()
    expect(other.get_by_label("Cy bid 1. I typed it wrong")).to_be_visible()
    other.locator(".pad .keys button[value='0']").tap()
    expect(pad.page.get_by_label("Di bid 0. I typed it wrong")).to_be_visible()
    pad.bid(1)
    pad.is_saved()
    newest = pad.scorer.reading.entries
    restored_to(pad, backup)
    comes_back(pad, newest)
    expect(pad.page.locator(".pad h2 bdi")).to_have_text("Bo")
    expect(other.locator(".pad h2 bdi")).to_have_text("Bo")
    expect(pad.page.locator(".bar")).to_have_count(0)
