"""A pad that goes ask by ask on a bad evening: what was swept away, put right and refused in every order."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.bird_dog import Birds
from tests.browser.pads import Pad, is_dressed, unplug
from tests.browser.waits import wait_for, wait_until
from tests.factories import scorer, sure_of


@pytest.fixture
def own(marbles_page: None, phone: Page) -> Pad:
    """A sixth game with a page of its own."""
    return Pad(phone, 4, game="marbles", plan={})


def ready(pad: Pad) -> None:
    """Wait until the pad has loaded what it does not need at first."""
    pad.is_saved()
    is_dressed(pad.page)


def outbox(pad: Pad) -> list[object]:
    """What waits on the phone."""
    return pad.page.evaluate("(place) => JSON.parse(localStorage.getItem(place)).posts", f"outbox-{pad.code}")


def cut(pad: Pad) -> None:
    unplug(pad.page)


def mend(pad: Pad) -> None:
    pad.page.context.set_offline(False)
    pad.page.evaluate("dispatchEvent(new Event('online'))")


def button(pad: Pad, ask: str, name: str):
    return pad.page.locator(f"section[data-ask={ask}]").get_by_role("button", name=name, exact=True)


def lay(pad: Pad) -> None:
    """What lay in the ring: the seven, and a glass one of Cy's."""
    pad.tap(pad.page.get_by_label("Seven", exact=True))
    pad.tap(pad.page.locator(".glass").get_by_label("Cy"))
    pad.rest()


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
def test_after_a_misdeal_without_network_nothing_of_the_swept_hand_is_in_the_way(own: Pad) -> None:
    page = own.page
    own.tap(button(own, "shooter", "Di"))
    own.rest()
    lay(own)
    ready(own)
    expect(page.locator(".strip")).to_contain_text("here lay the 7")
    cut(own)
    own.open("more")
    own.tap(page.get_by_role("button", name="Misdeal"))
    own.rest()
    expect(page.locator("[data-shows=lay]")).to_be_hidden()
    own.tap(button(own, "shooter", "Ann"))
    own.rest()
    lay(own)
    own.tap(page.get_by_role("link", name="slipped?"))
    own.rest()
    expect(button(own, "slip", "Di")).to_be_enabled()
    own.tap(button(own, "slip", "Di"))
    mend(own)
    own.is_saved()
    assert own.scorer.reading.entries[1, "slip"] == {"who": 4}
    assert own.scorer.reading.entries[1, "shooter"] == {"first": 1}


@pytest.fixture
def birds(phone: Page) -> Birds:
    return Birds(phone)


@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(422)
def test_what_waits_behind_something_that_no_longer_fits_is_sent_when_that_is_written_anew(birds: Birds) -> None:
    page = birds.page
    ready(birds)
    cut(birds)
    birds.turn("9H")
    birds.call("Ann")
    birds.nil(None)
    birds.pairs({"Ann": 2, "Bo": 2, "Cy": 2})
    # The queen was turned as well, and so there cannot be six pairs: this phone cannot know that.
    birds.rest()
    page.locator(".laid").tap()
    birds.rest()
    birds.turn("QH")
    birds.call("Ann")
    birds.tricks({"Ann": 3, "Bo": 2, "Cy": 2})
    assert birds.title == "Hand 2"
    mend(birds)
    expect(page.locator(".top .line")).to_contain_text("enter it again to send the rest")
    expect(page.locator(".bar")).to_have_count(0)
    expect(page.locator("section[data-ask=faces]")).to_be_visible()
    birds.pairs({"Ann": 2, "Bo": 2, "Cy": 1})
    birds.is_saved()
    assert birds.scorer.reading.next_hand == 2
    assert birds.scorer.reading.entries[1, "tricks"] == {"tricks-1": 3, "tricks-2": 2, "tricks-3": 2}


@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(409, 422)
@pytest.mark.parametrize("whole", [True, False], ids=["all of it", "tap by tap"])
def test_phone_that_was_away_for_two_hands_is_asked_and_comes_back(own: Pad, whole: bool) -> None:
    page = own.page
    ready(own)
    cut(own)
    for first in ("Ann", "Bo"):
        own.tap(button(own, "shooter", first))
        own.rest()
        lay(own)
        steps = page.locator("section[data-ask=marbles] .step")
        for at, count in enumerate((1, 1, 1)):
            steps.nth(at).locator("input").fill(str(count))
        own.tap(page.locator("section[data-ask=marbles] .go"))
        own.rest()
    assert own.title == "Hand 3"
    marge = own.marge
    for hand in (1, 2):
        for ask, step in (
            ("shooter", {"first": 4}),
            ("ring", {"card": "9"}),
            ("marbles", {"marbles_1": 2, "marbles_2": 2, "marbles_3": 2, "marbles_4": 1}),
        ):
            sure_of(marge.enter(hand, ask, **step))
    sure_of(marge.enter(3, "shooter", first=2))
    stands = own.scorer.reading.entries
    mend(own)
    panel = page.get_by_role("dialog", name="Two phones, two answers")
    bar = page.locator(".bar")
    expect(bar).to_contain_text("Hand 1: who hit first Di or Ann?")
    bar.get_by_role("button", name="Look").tap()
    for _ in range(2 if whole else 6):
        expect(panel).to_be_visible()
        keep = panel.get_by_role("button", name="Keep all of hand" if whole else "Keep").first
        before = len(outbox(own))
        keep.tap()
        wait_for(page, lambda before=before: len(outbox(own)) < before)
        # The next question comes under the finger.
        own.rest()
    own.is_saved()
    assert own.scorer.reading.entries == stands
    # The site is asked twice for what is new, and the first answer is on the page by the second.
    for _ in range(2):
        with page.expect_response("**/state/**") as answer:
            pass
        answer.value.finished()
    assert own.title == "Hand 3"
    assert own.totals() == {"Ann": 4, "Bo": 4, "Cy": 4, "Di": 2}


@pytest.mark.usefixtures("off_the_net")
def test_answers_that_are_lost_write_nothing_twice_whatever_is_taken_back(own: Pad) -> None:
    """Every other answer is lost after the site has written; a twin is written without any trouble."""
    page, lost = own.page, [0]

    def lose(route: Route) -> None:
        lost[0] += 1
        if lost[0] % 2:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/enter/", lose)
    page.route("**/undo/", lose)
    page.route("**/retype/", lose)
    own.tap(button(own, "shooter", "Di"))
    own.rest()
    own.tap(own.back)
    own.rest()
    own.tap(button(own, "shooter", "Bo"))
    own.rest()
    lay(own)
    own.tap(page.locator(".strip").get_by_role("link", name="wrong?"))
    own.rest()
    own.tap(button(own, "shooter", "Nobody"))
    own.rest()
    page.reload()
    own.tap(own.back)
    # Every lost answer is waited for before its tap is sent again.
    sent = "(place) => !JSON.parse(localStorage.getItem(place)).posts.length"
    wait_until(page, sent, f"outbox-{own.code}")
    own.is_saved()
    twin = scorer(4, game="marbles", plan={})
    sure_of(twin.enter(1, "shooter", first=2))
    sure_of(twin.enter(1, "ring", card="7", glass=3))
    assert own.scorer.reading.entries == twin.reading.entries
