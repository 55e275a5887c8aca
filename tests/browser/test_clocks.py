"""Phones whose clocks are ten minutes off: the site goes by its own, and hears nothing of theirs."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Request, expect

from scoresheets.models import Revision
from tests.browser.conftest import PHONE
from tests.browser.pads import Pad, unplug
from tests.browser.waits import rested
from tests.trust.attempts import Attempt

pytestmark = pytest.mark.usefixtures("off_the_net")

#: Minutes that the clocks of two phones are ahead.
AHEAD, BEHIND = 10, -10
CLOCK = """
const Right = Date, off = %d * 60000;
globalThis.Date = class extends Right {
  constructor(...given) {
    if (given.length) super(...given);
    else super(Right.now() + off);
  }
  static now() {
    return Right.now() + off;
  }
};
"""
#: Moments as a phone might write them: in seconds or milliseconds since 1970, or with a day.
SINCE_1970 = re.compile(r"(?<!\d)(1\d{9})(\d{3})?(?!\d)")
WITH_A_DAY = re.compile(r"20\d\d-\d\d-\d\d|\d\d? [A-Z][a-z]{2} 20\d\d|[A-Z][a-z]{2} \d\d? 20\d\d")
#: No moment so far from now is meant by a number that looks like one.
NEAR = datetime.timedelta(days=1)


@dataclass
class Heard:
    """Everything that phones have sent to the site."""

    requests: list[str] = field(default_factory=list)
    posts: int = 0

    def listen(self, page: Page) -> None:
        page.context.on("request", self.note)

    def note(self, request: Request) -> None:
        headers = "".join(f"{name}: {value}\n" for name, value in request.headers.items())
        self.requests.append(f"{request.method} {request.url}\n{headers}\n{request.post_data or ''}")
        self.posts += request.method == "POST"

    def moments(self) -> list[str]:
        """What of it is a moment."""
        return [found for said in self.requests for found in moments_in(said)]


def moments_in(said: str) -> Iterator[str]:
    yield from WITH_A_DAY.findall(said)
    now = timezone.now()
    for found in SINCE_1970.finditer(said):
        moment = datetime.datetime.fromtimestamp(int(found[1]), datetime.UTC)
        if abs(now - moment) < NEAR:
            yield found[0]


def test_moments_are_found_as_phones_may_write_them() -> None:
    now = timezone.now()
    for said in (f"at={now.timestamp():.0f}", f'{{"at":{now.timestamp() * 1000:.0f}}}', now.isoformat()):
        assert list(moments_in(said)), said
    assert list(moments_in("key=1234567890123&hand=12")) == []


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def ahead(open_page: Callable[..., Page], heard: Heard) -> Pad:
    """The phone that keeps score, whose clock is ahead."""
    return Pad(off(open_page(PHONE), AHEAD, heard), 4, plan={"hands": 4})


@pytest.fixture
def behind(ahead: Pad, open_page: Callable[..., Page], heard: Heard) -> Page:
    """A second phone on the same sheet, whose clock is behind."""
    page = off(open_page(PHONE), BEHIND, heard)
    ahead.second_phone(page)
    return page


def off(page: Page, minutes: int, heard: Heard) -> Page:
    """A phone whose clock is so many minutes ahead."""
    page.add_init_script(CLOCK % minutes)
    heard.listen(page)
    return page


def ahead_by(page: Page) -> float:
    """How many minutes the clock of a phone is ahead."""
    return float(page.evaluate("Date.now()") / 1000 - timezone.now().timestamp()) / 60


def bid(page: Page, name: str) -> None:
    """The next is to bid, by whatever phone the one before has."""
    expect(page.locator(".pad h2 bdi")).to_have_text(name)
    rested(page)
    page.locator(".pad .keys button[value='0']").tap()


@pytest.mark.promise(14)
def test_site_goes_by_its_own_clock_where_those_of_phones_are_off(
    ahead: Pad, behind: Page, heard: Heard, attempt: Attempt
) -> None:
    begin = timezone.now().replace(microsecond=0)
    assert round(ahead_by(ahead.page)) == AHEAD
    assert round(ahead_by(behind)) == BEHIND
    hands = attempt.size(1, 3)
    for number in range(hands):
        reading = ahead.scorer.reading
        names = [reading.names[seat] for seat in reading.sheet.open.hand.order]
        bid(ahead.page, names[0])
        bid(behind, names[1])
        unplug(behind)
        bid(behind, names[2])
        behind.context.set_offline(False)
        bid(ahead.page, names[3])
        ahead.rest()
        ahead.count_out()
        expect(ahead.page.locator("h1")).to_contain_text(f"Hand {number + 2} ")
        # The pad shows the next hand before the site has this one.
        ahead.is_saved()
    writes = Revision.objects.filter(sheet=ahead.scorer.sheet).order_by("version")
    moments = [write.at for write in writes if write.at >= begin]
    assert [write.version for write in writes] == list(range(1, len(writes) + 1))
    assert len(moments) >= 5 * hands
    assert moments == sorted(moments)
    assert moments[-1] <= timezone.now()
    says = ahead.sent.inner_text()
    assert says in {f"saved {moment:%H:%M}" for moment in (moments[-1], moments[-1].astimezone())}
    assert heard.posts >= len(moments)
    assert heard.moments() == []
    attempt.saw(
        f"{len(moments)} writes by two phones whose clocks are {AHEAD} minutes off: in order, at the time of the site;"
        f" nothing of a clock in {len(heard.requests)} requests"
    )
