"""The page of the pad as a whole: drawn alike by site and script, light to load, and open to everybody."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from scoresheets.pad.state import SHAPE
from tests.browser.conftest import DESK, PHONE
from tests.browser.pads import Pad, likely_bids
from tests.factories import Scorer

LONG = ["Maximiliana Konstantinopolitanska-Lang", "محمد عبد الرحمن", "<b>Zoë</b> & “Co”", "Ed J."]

#: The page as the site renders it now, and as the script has drawn it: without what only forms without a script need.
BOTH = """async (url) => {
  const answer = await fetch(url);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const told = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE) return '';
    if (node.matches('.sent')) return '';
    if (node.matches('[type=hidden]') && !['hand', 'ask', 'touched'].includes(node.name)) return '';
    const classes = (value) => value.replaceAll('drawn-now', '').trim().replace(/\\s+/g, ' ');
    const attributes = [...node.attributes]
      .map(({ name, value }) => [name, name === 'class' ? classes(value) : value])
      .filter(([name, value]) => !(name === 'class' && !value)).map(([name, value]) => `${name}=${value}`).sort();
    return `<${node.localName} ${attributes.join(' ')}>${[...node.childNodes].map(told).join('')}</${node.localName}>`;
  };
  const plain = (root) => [...root.childNodes].map(told).join('').replace(/\\s+/g, ' ')
    .replace(/> /g, '>').replace(/ </g, '<').replaceAll('><', '>\\n<');
  return [plain(page.getElementById('pad')), plain(document.getElementById('pad'))];
}"""


def same(pad: Pad) -> None:
    """The script draws what the site renders."""
    pad.is_saved()
    site, script = pad.page.evaluate(BOTH, pad.url("pad"))
    assert script.split("\n") == site.split("\n")


@pytest.mark.parametrize("players", [2, 4, 6, 7, 10, LONG], ids=str)
def test_script_and_site_draw_the_same_page_through_a_whole_hand(phone: Page, players: int | list[str]) -> None:
    pad = Pad(phone, players, hands=1)
    same(pad)
    hand = pad.scorer.reading.sheet.open.hand
    bids = likely_bids(hand.order, hand.cards)
    for seat in hand.order[:-1]:
        pad.bid(bids[seat])
    same(pad)
    pad.tap(phone.get_by_label("Diamonds"))
    same(pad)
    pad.bid(bids[hand.order[-1]])
    pad.rest()
    same(pad)
    pad.count_out()
    pad.rest()
    same(pad)
    pad.tap(pad.back)
    pad.rest()
    pad.is_saved()
    expect(pad.score).to_be_visible()


@pytest.mark.journey
def test_script_and_site_draw_the_same_turned_card(phone: Page) -> None:
    pad = Pad(phone, 4, hands=3)
    for card in ("TD", "AS", "7C"):
        pad.open("more")
        phone.get_by_label("The card turned for trump").select_option(card)
        pad.tap(phone.get_by_role("button", name="Save", exact=True))
        same(pad)
        pad.rest()


def blind(scorer: Scorer) -> None:
    """Four hands of one card, after which Cy and Di are tied for the lead."""
    for taker in (1, 1, 2, 2):
        scorer.hand(dict.fromkeys(range(1, 5), 0), {seat: int(seat == taker) for seat in range(1, 5)})


def test_script_and_site_draw_the_same_blind_hand_and_it_is_led_to_the_draw(phone: Page) -> None:
    pad = Pad(phone, 4, plan={"peak": 1})
    blind(pad.scorer)
    pad.load()
    expect(phone.locator("h1")).to_have_text("Blind hand for the lead")
    expect(phone.locator(".facts")).to_contain_text("Nobody looks! Bids first")
    expect(phone.locator(".seats em").filter(has_text="plays along, doesn’t count")).to_have_count(2)
    expect(phone.locator(".slot")).to_have_text("Grey: plays along, doesn’t count.")
    same(pad)
    pad.bid(0, 1, 0)
    same(pad)
    pad.bid(0)
    pad.rest()
    same(pad)
    for _ in range(4):
        pad.more("Bo")
    pad.tap(pad.score)
    phone.wait_for_url(f"**{pad.url('draw')}")
    assert pad.scorer.reading.sheet.winner == 3


def test_a_tap_is_drawn_in_a_few_milliseconds(phone: Page) -> None:
    pad = Pad(phone, 10, hands=4, plan={"peak": 5})
    tap = """() => {
      document.querySelector(".keys button[value='1']").click();
      document.querySelector('.seats').getBoundingClientRect();
    }"""
    # The time of the processor: what the machine does beside it is nothing of the pad's.
    browser = phone.context.new_cdp_session(phone)
    browser.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy_for() -> float:
        metrics = {metric["name"]: metric["value"] for metric in browser.send("Performance.getMetrics")["metrics"]}
        return 1000 * metrics["TaskDuration"]

    pad.key(0).tap()
    pad.rest()
    before = busy_for()
    phone.evaluate(tap)
    assert 0 < busy_for() - before < 50
    assert pad.due != "Di"


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
def test_everything_on_the_pad_is_open_to_everybody(
    open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None], device: dict[str, object]
) -> None:
    page = open_page(device | {"has_touch": True})
    pad = Pad(page, 6, hands=6, plan={"peak": 8})
    axe_day_and_night(page)
    pad.bid(2, 0, 1, 3, 0)
    axe_day_and_night(page)
    pad.open("retype-3")
    axe_day_and_night(page)
    page.get_by_role("button", name="Close").tap()
    pad.open("more")
    axe_day_and_night(page)
    page.get_by_role("link", name="Close").tap()
    pad.open("sheet")
    axe_day_and_night(page)
    page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    pad.bid(2)
    pad.rest()
    axe_day_and_night(page)
    pad.more("Cy")
    axe_day_and_night(page)
    pad.fewer("Ed")
    pad.fewer("Ed")
    axe_day_and_night(page)


@pytest.mark.file_by_file
def test_the_pages_without_a_script_are_open_to_everybody_too(
    open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    """They are looked at with the script that the check needs, but without the pad's own."""
    page = open_page(PHONE)
    page.route("**/js/pad/bidding*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    pad = Pad(page, 4, hands=1)
    for panel in ("", "?open=more", "?open=trump"):
        page.goto(pad.url("pad") + panel)
        axe(page)
    pad.scorer.bids({1: 0, 2: 1, 3: 1, 4: 1})
    for panel in ("", "?open=retype-3"):
        page.goto(pad.url("pad") + panel)
        axe(page)


def test_a_hand_is_kept_without_a_script(plain_phone: Page) -> None:
    pad = Pad(plain_phone, 4, hands=1)
    for number in (1, 1, 1, 1):
        pad.key(number).tap()
    expect(pad.score).to_have_text("Score hand 2")
    pad.fewer("Ann")
    pad.fewer("Bo")
    expect(plain_phone.locator("#reason")).to_have_text("2 of 2 tricks. Set: Ann, Bo. Everyone else made it.")
    pad.tap(pad.score)
    expect(plain_phone.locator("h1")).to_have_text("Hand 3 of 4")
    pad.tap(pad.back)
    expect(pad.score).to_have_text("Score hand 2")


def test_no_turned_card_is_noted_that_nobody_chose(phone: Page) -> None:
    pad = Pad(phone)
    phone.locator("#pad [data-open=more]").tap()
    phone.get_by_role("button", name="Save", exact=True).tap()
    assert pad.scorer.reading.sheet.open.hand.steps == {}
    phone.get_by_label("The card turned for trump").select_option("7D")
    phone.get_by_role("button", name="Save", exact=True).tap()
    expect(phone.locator("#pad .turned")).to_have_accessible_name(re.compile("diamonds"))


@pytest.mark.parametrize(("shape", "is_believed"), [(SHAPE, True), (SHAPE - 1, False)])
def test_a_kept_pad_is_believed_if_it_has_the_shape_of_this_release(phone: Page, shape: int, is_believed: bool) -> None:
    """The release before this one kept the shape beside the pad, and not in it."""
    pad = Pad(phone, 4, hands=1)
    phone.route("**/state/**", lambda route: route.fulfill(status=204))
    phone.evaluate(
        """([place, shape]) => {
          const kept = JSON.parse(localStorage[place]);
          delete kept.pad.shape;
          kept.pad.version += 9;
          kept.pad.names[1] = "Zoe";
          localStorage[place] = JSON.stringify({ ...kept, shape });
        }""",
        [f"kept-{pad.code}", shape],
    )
    pad.load()
    expect(phone.locator(".seats bdi").first).to_have_text("Zoe" if is_believed else "Ann")


def test_a_pad_is_loaded_anew_when_the_site_has_another_shape(phone: Page) -> None:
    pad = Pad(phone, 4, hands=1)

    def of_another_release(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["pad"]["shape"] = SHAPE + 1
        route.fulfill(response=answer, json=body)

    phone.route("**/enter/", of_another_release)
    with phone.expect_navigation():
        pad.key(1).tap()
    expect(phone.locator(".bid:not(.none)")).to_have_count(1)
    pad.is_saved()
