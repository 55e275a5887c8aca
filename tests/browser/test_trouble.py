"""The site cannot write for a while: what was tapped waits on the phone, and is written once."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

import pytest
from django.db import OperationalError
from playwright.sync_api import Page, Request, expect

from clubs.server.rsgi import PLAIN, STALLED
from scoresheets.access.scorekeepers import make_link
from scoresheets.models import Revision
from tests.browser.pads import Pad
from tests.browser.waits import wait_for
from tests.factories import Scorer, scorer
from tests.trust.attempts import Attempt

WRITES = "scoresheets.commands.enter.append_revision"


@pytest.fixture
def ann(transactional_db: None) -> Scorer:
    return scorer(4)


@pytest.mark.journey
@pytest.mark.allow_statuses(503)
def test_tap_that_could_not_be_written_is_sent_again_from_the_page_that_says_so(plain_phone: Page, ann: Scorer):
    page = plain_phone
    page.goto(f"/keep/{make_link(ann.sheet, by=ann.by)}/")
    page.get_by_role("button").first.click()
    page.wait_for_url("**/pad/")
    with patch(WRITES, side_effect=OperationalError("database is locked")):
        page.locator(".pad .keys button[value='1']").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Not just now")
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/trouble.png")
        page.get_by_role("button", name="Send it again").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Not just now")
    page.get_by_role("button", name="Send it again").click()
    page.wait_for_url("**/pad/")
    assert Revision.objects.filter(sheet=ann.sheet, verb="enter").count() == 1


@pytest.mark.allow_statuses(503)
def test_page_that_could_not_be_read_can_be_tried_again(dark_phone: Page, ann: Scorer, axe) -> None:
    with patch("scoresheets.views.public.sheet.read_for", side_effect=OperationalError("database is locked")):
        dark_phone.goto(f"/sheets/{ann.sheet.code}/")
        axe(dark_phone)
        if folder := os.environ.get("PICTURES"):
            dark_phone.screenshot(path=f"{folder}/trouble-read.png")
    dark_phone.get_by_role("link", name="Try again").click()
    expect(dark_phone.locator("#sheet")).to_be_visible()


@contextmanager
def locked(pad: Pad) -> Iterator[None]:
    """The site answers 503: its database takes no write."""
    with patch(WRITES, side_effect=OperationalError("database is locked")):
        yield


@contextmanager
def too_slow(pad: Pad) -> Iterator[None]:
    """The site answers 408, which is no JSON: what it was sent did not come whole."""
    pad.page.route("**/enter/", lambda route: route.fulfill(status=408, headers=dict(PLAIN), body=STALLED))
    yield
    pad.page.unroute("**/enter/")


@pytest.mark.promise(5)
@pytest.mark.allow_statuses(408, 503)
@pytest.mark.parametrize(
    ("trouble", "says"),
    [(locked, "What was entered before is kept."), (too_slow, "The site has trouble. Kept on this phone.")],
)
def test_what_was_typed_stays_on_the_pad_and_arrives_once_by_itself(
    phone: Page, attempt: Attempt, trouble: Callable[[Pad], AbstractContextManager[None]], says: str
) -> None:
    """Nobody taps on anything after the bids, and the page is loaded again meanwhile."""
    pad, sent = Pad(phone, 4, hands=1), list[Request]()
    phone.on("request", lambda request: sent.append(request) if request.url.endswith("/enter/") else None)
    written = Revision.objects.filter(sheet=pad.scorer.sheet, verb="enter")
    before = written.count()
    with trouble(pad):
        pad.bid(1, 0)
        wait_for(phone, lambda: len(sent) > 1)
        expect(pad.sent).to_have_text("2 to send")
        expect(phone.locator(".bar")).to_contain_text(says)
        phone.reload()
        assert pad.due == "Ann"
        expect(pad.sent).to_have_text("2 to send")
        again = len(sent)
        wait_for(phone, lambda: len(sent) > again)
        assert written.count() == before
    pad.is_saved()
    entries = pad.scorer.reading.entries
    assert (entries[2, "bid-3"], entries[2, "bid-4"]) == ({"bid": 1}, {"bid": 0})
    assert written.count() == before + 2
    # The first tap was sent again and again, and always the same.
    refused = [request.post_data for request in sent[:-1]]
    assert len(set(refused)) == 1
    status = 503 if trouble is locked else 408
    attempt.saw(f"in Chromium two bids stay on the pad while posts get {status}, reloaded too, and arrive once")
