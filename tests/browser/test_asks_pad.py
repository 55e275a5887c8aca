"""A game that is written down ask by ask is kept on a phone: the page has all of it, the script shows what is due."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.pads import Pad, is_dressed, is_kept, unplug
from tests.browser.waits import wait_for
from tests.factories import sure_of


@pytest.fixture
def own(marbles_page: None, phone: Page) -> Pad:
    """The same game with a page of its own."""
    return Pad(phone, 4, game="marbles", plan={})


@pytest.fixture
def pad(marbles: None, phone: Page) -> Pad:
    """Four players at a game that has no page of its own."""
    return Pad(phone, 4, game="marbles", plan={})


def shown(page: Page) -> list[str]:
    """The asks in front of the scorekeeper."""
    return page.eval_on_selector_all(
        "section[data-ask]", "all => all.filter(one => one.checkVisibility()).map(one => one.dataset.ask)"
    )


#: Notes in `written` every ask that is not in front and yet is touched, and how.
NOTE_WHAT_IS_WRITTEN = """() => {
  window.written = [];
  const seen = (changes) => written.push(...changes.map((one) => `${one.target.className} ${one.attributeName}`));
  const all = {subtree: true, childList: true, attributes: true};
  for (const one of document.querySelectorAll('section[data-ask]'))
    if (!one.checkVisibility()) new MutationObserver(seen).observe(one, all);
}"""


@pytest.mark.journey
def test_one_ask_is_in_front_and_a_tap_goes_on_to_the_next(pad: Pad) -> None:
    page = pad.page
    assert shown(page) == ["shooter"]
    pad.tap(page.locator("section[data-ask=shooter]").get_by_role("button", name="Bo", exact=True))
    assert shown(page) == ["ring"]
    pad.rest()
    pad.tap(page.get_by_role("button", name="Save").locator("visible=true"))
    pad.tap(page.get_by_label("Seven", exact=True))
    pad.tap(page.get_by_label("it rained"))
    pad.rest()
    pad.tap(page.get_by_role("button", name="Save").locator("visible=true"))
    assert shown(page) == ["marbles"]
    pad.rest()
    pad.is_saved()
    assert pad.scorer.reading.entries[1, "ring"] == {"card": "7", "rain": True}
    expect(pad.back).to_contain_text("Take back")


@pytest.mark.journey
def test_a_tap_lays_out_no_ask_but_the_one_in_front(own: Pad) -> None:
    page = own.page
    own.scorer.enter_step(1, "shooter", {"first": 2})
    own.load()
    is_dressed(page)
    assert shown(page) == ["ring"]
    page.evaluate(NOTE_WHAT_IS_WRITTEN)
    for chip in ("Nine", "rain"):
        own.tap(page.get_by_label(chip, exact=True))
        expect(page.get_by_label(chip, exact=True)).to_be_checked()
    assert page.evaluate("written") == []


def test_words_of_a_game_that_has_no_page_fit_on_their_keys(sparrow: None, phone: Page) -> None:
    Pad(phone, 4, game="sparrow", plan={})
    keys = phone.locator("section[data-ask=trump] .keys button")
    expect(keys).to_have_text(["Clubs", "Diamonds", "Hearts", "Spades"])
    assert not keys.evaluate_all("all => all.filter(key => key.scrollWidth > key.clientWidth).length")


def kept(*counts: int) -> dict[str, int]:
    return {f"marbles_{seat}": count for seat, count in enumerate(counts, 1)}


def ring(pad: Pad, first: str, *kept: int) -> None:
    """A whole ring: who hit first, the two, and who kept how many."""
    page = pad.page
    pad.tap(page.locator("section[data-ask=shooter]").get_by_role("button", name=first, exact=True))
    pad.rest()
    pad.tap(page.locator("section[data-ask=ring]").get_by_label("Two", exact=True))
    pad.tap(page.locator("section[data-ask=ring] .go"))
    pad.rest()
    steps = page.locator("section[data-ask=marbles] .step")
    for at, count in enumerate(kept):
        steps.nth(at).locator("input").fill(str(count))
    pad.tap(page.locator("section[data-ask=marbles] .go"))
    pad.rest()


@pytest.mark.usefixtures("off_the_net")
def test_rings_go_on_without_network_and_their_points_come_with_it(pad: Pad) -> None:
    page = pad.page
    ring(pad, "Ann", 4, 3, 0)
    pad.is_saved()
    assert pad.title == "Hand 2"
    assert pad.totals() == {"Ann": 4, "Bo": 3, "Cy": 0, "Di": 0}
    is_dressed(page)
    unplug(page)
    tried: list[str] = []
    page.on("requestfailed", lambda request: tried.append(request.url))
    ring(pad, "Bo", 1, 5, 1)
    assert pad.title == "Hand 3"
    before = len(tried)
    # The phone tries again and again, and what it says stays.
    wait_for(page, lambda: len(tried) >= before + 2)
    expect(page.locator(".top .line")).to_have_text("no connection: points of hand 2 come later")
    expect(page.locator(".top .facts")).to_contain_text("Cy deals")
    ring(pad, "Cy", 0, 0, 0)
    assert pad.title == "Hand 4"
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    expect(page.locator(".top .line")).to_be_hidden()
    assert pad.totals() == {"Ann": 5, "Bo": 8, "Cy": 1, "Di": 7}


def ready(pad: Pad) -> None:
    """Wait until the pad has loaded what it does not need at first."""
    pad.is_saved()
    is_dressed(pad.page)


def mend(pad: Pad) -> None:
    pad.page.context.set_offline(False)
    pad.page.evaluate("dispatchEvent(new Event('online'))")


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
def test_the_page_is_loaded_again_without_network(marbles: None, open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE, service_workers="allow")
    pad = Pad(page, 4, game="marbles", plan={})
    is_kept(page)
    unplug(page)
    pad.tap(page.locator("section[data-ask=shooter]").get_by_role("button", name="Cy", exact=True))
    page.reload()
    assert shown(page) == ["ring"]
    expect(pad.back).to_have_text("Take back: Cy")
    expect(pad.sent).to_have_text("1 to send")
    pad.open("sheet")
    expect(page.locator("#whole-sheet table.sheet")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    mend(pad)
    pad.is_saved()
    assert pad.scorer.reading.entries == {(1, "shooter"): {"first": 3}}


@pytest.mark.usefixtures("off_the_net")
@pytest.mark.allow_statuses(422)
def test_rings_written_after_the_match_was_over_are_refused_in_a_sentence(pad: Pad) -> None:
    page = pad.page
    for _ in range(3):
        for ask, step in (("shooter", {}), ("ring", {"card": "2"}), ("marbles", kept(7, 0, 0, 0))):
            sure_of(pad.scorer.enter(pad.scorer.reading.next_hand, ask, **step))
    pad.load()
    ready(pad)
    unplug(page)
    ring(pad, "Ann", 7, 0, 0)
    assert pad.title == "Hand 5"
    # Nobody knows here that the match is over.
    ring(pad, "Bo", 0, 7, 0)
    pad.tap(page.locator("section[data-ask=shooter]").get_by_role("button", name="Cy", exact=True))
    mend(pad)
    bar = page.locator(".bar")
    expect(bar).to_contain_text("The game was over before that: it has no place on the sheet.")
    expect(pad.sent).to_have_text("not saved")
    bar.get_by_role("button", name="Leave it out").tap()
    page.wait_for_url(f"**{pad.url('result')}")
    assert pad.scorer.reading.sheet.winner == 1


@pytest.mark.allow_statuses(422)
def test_what_the_site_refuses_says_so_in_its_place_and_is_mended_there(own: Pad) -> None:
    page = own.page
    own.tap(page.get_by_role("button", name="Di", exact=True))
    own.rest()
    own.tap(page.get_by_label("Seven", exact=True))
    own.tap(page.locator(".glass").get_by_label("Cy"))
    own.rest()
    own.is_saved()
    own.tap(page.get_by_role("link", name="slipped?"))
    own.rest()
    # A phone that has not heard what cannot be.
    page.get_by_role("button", name="Di", exact=True).evaluate("button => { button.disabled = false; button.click(); }")
    own.rest()
    expect(page.locator(".bar")).to_contain_text("Who hit first has not slipped.")
    own.tap(page.get_by_role("link", name="slipped?"))
    own.rest()
    expect(page.locator("section[data-ask=slip] .reason")).to_have_text("Who hit first has not slipped.")
    own.tap(page.get_by_role("button", name="Ann", exact=True))
    own.is_saved()
    assert own.scorer.reading.entries[1, "slip"] == {"who": 1}


@pytest.mark.allow_statuses(422)
def test_what_is_only_unwise_is_written_by_who_is_sure(own: Pad) -> None:
    page = own.page
    is_dressed(page)
    own.tap(page.get_by_role("button", name="Di", exact=True))
    own.rest()
    own.tap(page.get_by_label("rain"))
    own.tap(page.get_by_label("Two", exact=True))
    own.tap(page.locator(".glass").get_by_label("Cy"))
    bar = page.locator(".bar")
    expect(bar).to_contain_text("A two is seldom seen in the rain. Is it right?")
    assert shown(page) == ["ring"]
    bar.get_by_role("button", name="Save it").tap()
    own.is_saved()
    assert own.scorer.reading.entries[1, "ring"] == {"card": "2", "rain": True, "glass": 3}


@pytest.mark.journey
@pytest.mark.allow_statuses(409)
def test_two_phones_with_two_answers_are_asked(pad: Pad) -> None:
    page = pad.page
    # Nothing is heard of the other phone before the tap.
    page.route("**/state/**", lambda route: route.fulfill(status=204))
    is_dressed(page)
    sure_of(pad.marge.enter(1, "shooter", first=3))
    pad.tap(page.locator("section[data-ask=shooter]").get_by_role("button", name="Bo", exact=True))
    bar = page.locator(".bar")
    expect(bar).to_contain_text("Hand 1: who hit first Cy or Bo?")
    bar.get_by_role("button", name="Look").tap()
    panel = page.get_by_role("dialog", name="Two phones, two answers")
    panel.get_by_role("button", name="Use Bo").tap()
    pad.is_saved()
    assert pad.scorer.reading.entries[1, "shooter"] == {"first": 2}


def test_what_another_phone_wrote_comes_to_this_one(own: Pad) -> None:
    sure_of(own.marge.enter(1, "shooter", first=3))
    expect(own.page.locator(".strip")).to_contain_text("Cy first")
    assert shown(own.page) == ["ring"]


def test_a_misdeal_sweeps_the_ring_and_is_taken_back(own: Pad) -> None:
    page = own.page
    own.tap(page.get_by_role("button", name="Di", exact=True))
    own.open("more")
    own.tap(page.get_by_role("button", name="Misdeal"))
    own.rest()
    assert shown(page) == ["shooter"]
    own.is_saved()
    own.tap(own.back)
    assert shown(page) == ["ring"]
    own.is_saved()
    assert own.scorer.reading.entries == {(1, "shooter"): {"first": 4}}


def test_the_hand_before_is_opened_again(pad: Pad) -> None:
    ring(pad, "Ann", 4, 3, 0)
    pad.is_saved()
    expect(pad.back).to_have_text("Back to hand 1")
    pad.tap(pad.back)
    assert pad.title == "Hand 1"
    assert shown(pad.page) == ["marbles"]
    assert set(pad.totals().values()) == {0}
    pad.is_saved()
    assert pad.scorer.reading.sheet.rows == ()


@pytest.mark.usefixtures("marbles_page")
def test_a_ring_is_kept_without_a_script(plain_phone: Page) -> None:
    pad = Pad(plain_phone, 4, game="marbles", plan={})
    page = plain_phone
    page.get_by_role("button", name="Di", exact=True).tap()
    expect(page.get_by_role("heading", name="What lay in it?")).to_be_visible()
    expect(page.get_by_role("heading", name="Who hit first?")).to_be_hidden()
    expect(page.locator(".strip")).to_contain_text("Di first")
    page.get_by_role("link", name="wrong?").tap()
    page.get_by_role("button", name="Nobody").tap()
    page.get_by_label("Nine", exact=True).check()
    page.get_by_role("button", name="Save").tap()
    for seat, count in enumerate((6, 0, 0, 1), 1):
        page.locator(f"[name=f-marbles-{seat}]").fill(str(count))
    page.get_by_role("button", name="Score it").tap()
    expect(page.get_by_role("heading", name="Hand 2", exact=True)).to_be_visible()
    assert pad.scorer.reading.entries[1, "shooter"] == {}
    assert pad.scorer.reading.sheet.totals == {1: 6, 2: 0, 3: 0, 4: 1}


@pytest.mark.usefixtures("marbles")
def test_every_ask_is_open_to_everybody(
    open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    page = open_page(PHONE)
    pad = Pad(page, 4, game="marbles", plan={})
    axe_day_and_night(page)
    pad.tap(page.locator("section[data-ask=shooter]").get_by_role("button", name="Bo", exact=True))
    axe_day_and_night(page)
    pad.rest()
    pad.tap(page.locator("section[data-ask=ring]").get_by_label("Two", exact=True))
    pad.tap(page.locator("section[data-ask=ring] .go"))
    pad.rest()
    axe_day_and_night(page)
    pad.tap(page.locator("section[data-ask=marbles] .go"))
    axe_day_and_night(page)


def test_a_page_of_its_own_sends_with_a_tap_and_what_is_revealed_is_needed(own: Pad) -> None:
    page = own.page
    strip = page.locator(".strip")
    expect(strip).to_contain_text("nobody has hit yet")
    own.tap(page.get_by_role("button", name="Di", exact=True))
    expect(strip).to_contain_text(", Di first")
    own.rest()
    # The glass one is asked for where it is shown, and only there.
    own.tap(page.get_by_label("Seven", exact=True))
    assert shown(page) == ["ring"]
    own.tap(page.get_by_label("rain"))
    own.tap(page.locator(".glass").get_by_label("Cy"))
    assert shown(page) == ["marbles"]
    own.is_saved()
    assert own.scorer.reading.entries[1, "ring"] == {"card": "7", "rain": True, "glass": 3}
    expect(strip).to_contain_text("here lay the 7")
    own.rest()
    # It was not the seven.
    own.tap(strip.get_by_role("link", name="wrong?"))
    assert shown(page) == ["shooter"]
    own.rest()
    own.tap(page.get_by_role("button", name="Nobody"))
    assert shown(page) == ["marbles"]
    own.is_saved()
    assert own.scorer.reading.entries[1, "shooter"] == {}
    expect(strip).to_contain_text(", nobody first")
    own.tap(own.back)
    own.is_saved()
    assert own.scorer.reading.entries[1, "shooter"] == {"first": 4}


def test_what_cannot_be_is_not_offered_and_an_ask_that_may_be_left_out_is_opened(own: Pad) -> None:
    page = own.page
    own.tap(page.get_by_role("button", name="Di", exact=True))
    own.rest()
    own.tap(page.get_by_role("link", name="slipped?"))
    assert shown(page) == ["ring"]
    own.tap(page.get_by_label("Seven", exact=True))
    own.tap(page.locator(".glass").get_by_label("Cy"))
    own.is_saved()
    own.rest()
    own.tap(page.get_by_role("link", name="slipped?"))
    assert shown(page) == ["slip"]
    own.rest()
    expect(page.get_by_role("button", name="Di", exact=True)).to_be_disabled()
    own.tap(page.get_by_role("button", name="Bo", exact=True))
    assert shown(page) == ["marbles"]
    own.is_saved()
    assert own.scorer.reading.entries[1, "slip"] == {"who": 2}
    expect(page.get_by_role("link", name="Bo slipped?")).to_be_visible()


def test_counts_come_to_their_sum(own: Pad) -> None:
    page = own.page
    own.tap(page.get_by_role("button", name="Di", exact=True))
    own.rest()
    own.tap(page.get_by_label("Nine", exact=True))
    own.tap(page.locator(".glass").get_by_label("Cy"))
    own.rest()
    go, reason = page.locator("section[data-ask=marbles] .go"), page.locator("section[data-ask=marbles] .reason")
    expect(go).to_have_attribute("aria-disabled", "true")
    own.tap(go)
    expect(reason).to_have_text("Seven missing: they add up to 7.")
    for name in ("Ann", "Ann", "Bo", "Cy"):
        page.get_by_role("button", name=f"{name} one more").tap()
    counts = page.locator("section[data-ask=marbles] input.num")
    assert counts.evaluate_all("all => all.map(one => one.value)") == ["2", "1", "1", "3"]
    expect(go).not_to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Di one more").tap()
    own.rest()
    own.tap(go)
    expect(reason).to_have_text("One too many: they add up to 7.")
    page.get_by_role("button", name="Di one fewer").tap()
    own.rest()
    own.tap(go)
    own.is_saved()
    assert own.title == "Hand 2"
    assert own.totals() == {"Ann": 2, "Bo": 1, "Cy": 3, "Di": 3}
