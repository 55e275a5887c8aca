"""Bird Dog on a phone: a whole game by taps, everything that cannot be, no network, small windows, eyes and paper."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bird_dog import Birds
from tests.browser.conftest import DESK, PHONE
from tests.browser.games import export
from tests.browser.pads import is_kept, unplug

GAMES = Path(__file__).parent.parent / "sheets" / "games"
FORTY = ["Annabella-Wilhelmina Featherstonehaughs", "Bartholomew Constantinopolitansky-Longly", "Cy"]
#: Taps of a hand: a card and its caller, nil, pairs of three, and no tricks. One more for a second card.
BUDGET = 7

#: What lies outside of the window, is too small or scrolls; [] is well.
AMISS = """() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollHeight > innerHeight || page.scrollWidth > page.clientWidth) found.push('the page scrolls');
  for (const part of document.querySelectorAll('.phone, .top, .scores, .around, .asks, #tools')) {
    if (part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1) {
      found.push(`${part.className || part.id} scrolls: ${part.scrollHeight} in ${part.clientHeight}`);
    }
  }
  for (const part of document.querySelectorAll('.phone button, .ruler label, .ways label')) {
    if (!part.checkVisibility()) continue;
    const box = part.getBoundingClientRect();
    const fits = box.left >= -0.5 && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5;
    if (!fits) found.push(`${part.textContent} lies outside`);
    if (box.width < 47.5 || box.height < 47.5) found.push(`${part.textContent.trim()} is ${box.width} x ${box.height}`);
  }
  for (const part of document.querySelectorAll('#pad :is(p, h2, legend, span, label, button)')) {
    const says = [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const size = parseFloat(getComputedStyle(part).fontSize);
    if (says && part.checkVisibility() && size < 17) found.push(`${part.textContent} is small`);
  }
  return found;
}"""


def story(name: str) -> dict[str, Any]:
    """A golden game of Bird Dog."""
    return json.loads((GAMES / f"bird_dog-{name}.json").read_text("utf-8"))


@pytest.fixture
def birds(phone: Page) -> Birds:
    return Birds(phone)


@pytest.mark.parametrize("name", ["tied_hand", "nil", "house_rules"])
def test_whole_game_is_kept_by_taps_and_comes_to_what_the_score_command_says(
    phone: Page, tmp_path: Path, score: Callable[[Path], dict[str, Any]], name: str
) -> None:
    played = story(name)
    document, expected = played["document"], played["expect"]
    players = document["players"]
    birds = Birds(
        phone,
        players,
        first_dealer=players.index(document["first_dealer"]),
        house_rules=document.get("house_rules", {}),
    )
    for hand, row in zip(document["hands"], expected["hands"], strict=True):
        assert birds.title == f"Hand {row['number']}"
        birds.play(hand)
        if row is not expected["hands"][-1]:
            expect(phone.locator("h1 .number")).to_have_text(str(row["number"] + 1))
            birds.is_saved()
            assert birds.totals() == row["totals"]
    phone.wait_for_url("**/result**")
    expect(phone.locator("main")).to_contain_text(expected["winner"])
    kept = export(phone, tmp_path / "sheet.json")
    assert [hand["turned"] for hand in kept["hands"]] == [hand["turned"] for hand in document["hands"]]
    assert score(tmp_path / "sheet.json") == expected


@pytest.mark.journey
def test_hand_takes_seven_taps_and_each_more_card_one(birds: Birds) -> None:
    pairs = {"Ann": 2, "Bo": 1, "Cy": 0}
    hand = {"turned": ["9H"], "caller": "Bo", "nil": None, "pairs": pairs}
    assert birds.play(hand) == BUDGET
    assert birds.play(hand | {"turned": ["9H", "TS"]}) == BUDGET + 1
    # The third card makes trump by itself: nobody calls, and the page goes on with it.
    assert birds.play(hand | {"turned": ["9H", "TS", "AD"], "caller": None}) == BUDGET + 1
    birds.is_saved()
    assert birds.totals() == {"Ann": 9, "Bo": 3, "Cy": 0}


def test_hand_with_nil_takes_two_taps_for_the_tricks_and_one_to_score_it(birds: Birds) -> None:
    hand = {"turned": ["9H"], "caller": "Bo", "nil": "Cy", "pairs": {"Ann": 3, "Bo": 1, "Cy": 0}}
    assert birds.play(hand | {"tricks": {"Ann": 4, "Bo": 3, "Cy": 0}}) == BUDGET + 2
    birds.is_saved()
    assert birds.totals() == {"Ann": 4, "Bo": 1, "Cy": 3}


def test_bird_dog_is_named_and_drawn_as_soon_as_a_card_is_tapped(birds: Birds) -> None:
    assert birds.asked() == ["turned"]
    birds.turn("TH")
    assert birds.shown("trump-red") == "10♥"
    assert birds.shown("bird-dog-red") == "10♦"
    cards = birds.page.locator(".laid .lies").all_inner_texts()
    assert [card.strip() for card in cards] == ["10♥", "10♦"]
    expect(birds.page.locator(".deck [data-is-twin]")).to_have_attribute("value", "TD")
    birds.turn("9S")
    assert birds.shown("bird-dog-black") == "9♣"
    assert birds.shown("bird-dog-red") == ""
    # Tapped again it is out, and the first one makes trump as before.
    birds.turn("9S")
    assert birds.shown("bird-dog-red") == "10♦"
    assert birds.scorer.reading.entries == {}, "nothing is written before somebody calls"


@pytest.mark.journey
def test_cards_keep_the_order_in_which_they_were_turned(birds: Birds) -> None:
    birds.turn("KS", "9C")
    places = birds.page.locator(".deck [aria-pressed=true]").evaluate_all(
        "all => Object.fromEntries(all.map(one => [one.value, one.dataset.place]))"
    )
    assert places == {"KS": "1", "9C": "2"}
    birds.call("Cy")
    birds.is_saved()
    assert birds.scorer.reading.entries[1, "turned"] == {"card-1": "KS", "card-2": "9C", "caller": 3}
    assert birds.asked() == ["nil"]
    expect(birds.part("nil")).to_contain_text("Ask from the dealer’s left: Bo first")
    expect(birds.page.locator(".turned-up .calls")).to_contain_text("Cy called")


def test_caller_can_have_been_typed_wrong(birds: Birds) -> None:
    birds.turn("KS")
    birds.call("Cy")
    birds.rest()
    birds.tap(birds.page.locator(".turned-up .laid"))
    expect(birds.page.locator(".deck [aria-pressed=true]")).to_have_attribute("value", "KS")
    birds.turn("9C")
    birds.call("Ann")
    birds.is_saved()
    assert birds.scorer.reading.entries[1, "turned"] == {"card-1": "KS", "card-2": "9C", "caller": 1}
    assert birds.asked() == ["nil"]


def test_level_at_the_top_the_next_hand_decides(phone: Page) -> None:
    birds = Birds(phone, house_rules={"target": 2})
    hand = {"turned": ["9H"], "caller": "Cy", "nil": None}
    birds.play(hand | {"pairs": {"Ann": 2, "Bo": 2, "Cy": 1}})
    birds.is_saved()
    expect(phone.locator(".say .tied")).to_have_text("Level after hand 1: the next decides.")
    said = phone.locator(".say .tied").bounding_box()
    assert said
    assert said["height"] < 30, "it is one line"
    birds.play(hand | {"pairs": {"Ann": 0, "Bo": 0, "Cy": 5}})
    # Five pairs, and no bonus for the caller: all three may win the tied hand, and the third does.
    phone.wait_for_url("**/result**")
    expect(phone.locator("main")).to_contain_text("Cy wins with 6 points.")


# What cannot be is not offered


def test_pairs_that_the_turned_cards_do_not_leave_are_not_offered(birds: Birds) -> None:
    birds.turn("JH", "QS")
    birds.call("Bo")
    birds.nil(None)
    birds.part("faces")
    # A jack and a queen are out: two kings’ pairs and one of each of the others.
    assert birds.open_numbers("faces", "pairs", "Ann") == "01234"
    birds.tap(birds.number("faces", "pairs 3", "Ann"))
    assert birds.open_numbers("faces", "pairs", "Bo") == "01"
    birds.tap(birds.number("faces", "pairs 0", "Bo"))
    assert birds.open_numbers("faces", "pairs", "Cy") == "01"
    # With the fourth pair nothing is left for Cy, and the page goes on.
    birds.tap(birds.number("faces", "pairs 1", "Bo"))
    birds.part("tricks")
    birds.is_saved()
    assert birds.scorer.reading.entries[1, "faces"] == {"pairs-1": 3, "pairs-2": 1, "pairs-3": 0}


def test_rank_never_exceeds_what_is_in_play(birds: Birds) -> None:
    birds.turn("JH")
    birds.call("Bo")
    birds.nil(None)
    birds.count_faces()
    for name in ("Ann", "Ann", "Cy", "Cy", "Bo"):
        birds.more("J", name)
    counts = birds.page.locator("input[name^='f-j-']").evaluate_all("all => all.map(one => one.value)")
    assert counts == ["2", "0", "1"]
    assert birds.page.locator(".rank").first.locator("[data-more]:not([aria-disabled])").count() == 0
    # Three faces are counted of eleven, and two may lie in the middle.
    go = birds.page.locator("section[data-ask=faces] .by-faces .go")
    expect(go).to_have_attribute("aria-disabled", "true")
    birds.tap(go)
    expect(birds.page.locator("section[data-ask=faces] .reason")).to_have_text("Six still missing.")


def test_faces_are_made_into_pairs_and_can_be_counted_again(birds: Birds) -> None:
    birds.turn("JH")
    birds.call("Bo")
    birds.nil(None)
    birds.faces({"Ann": {"J": 3, "Q": 2, "K": 0}, "Bo": {"J": 0, "Q": 2, "K": 1}, "Cy": {"J": 0, "Q": 0, "K": 3}})
    birds.part("tricks")
    birds.is_saved()
    worth = birds.page.locator("section[data-ask=tricks] .worth").all_inner_texts()
    assert worth == ["2 pairs + 1", "1 pair", "1 pair"]
    expect(birds.page.locator("section[data-ask=tricks] .hint")).to_have_text("Bonus (most pairs, not the caller)")
    birds.tap(birds.page.locator(".back"))
    birds.part("faces")
    assert birds.asked() == ["faces"]


def test_tricks_that_cannot_hold_the_pairs_are_not_offered_and_the_third_follows(birds: Birds) -> None:
    birds.turn("9H")
    birds.call("Bo")
    birds.nil("Cy")
    birds.pairs({"Ann": 3, "Bo": 1, "Cy": 0})
    section = birds.part("tricks")
    birds.is_saved()
    assert birds.open_numbers("tricks", "tricks", "Ann") == "23456"
    assert birds.open_numbers("tricks", "tricks", "Bo") == "12345"
    expect(section.get_by_role("button", name="Leave them out")).to_be_hidden()
    birds.tap(birds.number("tricks", "tricks 4", "Ann"))
    expect(section.get_by_role("button", name="Score it")).to_have_attribute("aria-disabled", "true")
    birds.tap(birds.number("tricks", "tricks 2", "Bo"))
    expect(section.locator("input[name='f-tricks-3'][value='1']")).to_be_checked()
    # Changed once more, the third changes with it.
    birds.tap(birds.number("tricks", "tricks 3", "Bo"))
    expect(section.locator("input[name='f-tricks-3'][value='0']")).to_be_checked()
    birds.score_it(section)
    birds.is_saved()
    assert birds.totals() == {"Ann": 4, "Bo": 1, "Cy": 3}


@pytest.mark.allow_statuses(422)
def test_what_is_not_offered_is_refused_when_it_is_posted_by_hand(birds: Birds) -> None:
    tour = [
        ("turned", {"card-1": "2H", "caller": "1"}),
        ("turned", {"card-1": "9H", "card-2": "9H", "caller": "1"}),
        ("turned", {"card-1": "9H"}),
        ("turned", {"card-1": "9H", "card-2": "TH", "card-3": "AH", "caller": "1"}),
        ("faces", {"pairs-1": "0", "pairs-2": "0", "pairs-3": "0"}),
        ("faces", {"pairs-1": "6", "pairs-2": "1", "pairs-3": "0"}),
        ("faces", {}),
        ("faces", {f"{rank}-{seat}": "2" for rank in "jqk" for seat in (1, 2, 3)}),
        ("tricks", {"tricks-1": "0", "tricks-2": "7", "tricks-3": "0"}),
        ("tricks", {"tricks-1": "4", "tricks-2": "4", "tricks-3": "0"}),
        ("tricks", {}),
    ]
    fits = {
        "turned": {"card-1": "9H", "caller": "2"},
        "nil": {"nil": "3"},
        "faces": {"pairs-1": "3", "pairs-2": "1", "pairs-3": "0"},
        "tricks": {"tricks-1": "4", "tricks-2": "3", "tricks-3": "0"},
    }
    page = birds.page
    for at, (ask, fitting) in enumerate(fits.items()):
        for number, (_, wrong) in enumerate(one for one in tour if one[0] == ask):
            assert posted(page, birds, ask, wrong, f"wrong-{ask}-{number}") == 422, (ask, wrong)
        assert posted(page, birds, ask, fitting, f"right-key-number-{at}") == 200, ask
    assert birds.scorer.reading.sheet.rows[0].points == {1: 4, 2: 1, 3: 3}


def posted(page: Page, birds: Birds, ask: str, step: dict[str, str], key: str) -> int:
    """The status of what a script posts by hand."""
    secret = page.locator("input[name=csrfmiddlewaretoken]").first.get_attribute("value")
    fields = {"csrfmiddlewaretoken": secret, "key": f"{key}-0123456789", "hand": "1", "ask": ask, "saw": ""}
    headers = {"Referer": page.url, "Accept": "application/json"}
    answer = page.request.post(
        birds.url("enter"), form=fields | {f"f-{name}": value for name, value in step.items()}, headers=headers
    )
    return answer.status


# Without network


@pytest.mark.usefixtures("off_the_net")
def test_hand_without_network_is_kept_through_a_reload_and_sent_later(open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE, service_workers="allow")
    birds = Birds(page)
    is_kept(page)
    unplug(page)
    birds.turn("JH")
    birds.call("Bo")
    birds.nil(None)
    birds.part("faces")
    # The Bird Dog, and what can be, are known without asking.
    assert birds.shown("bird-dog-red") == "J♦"
    expect(page.locator(".turned-up .calls")).to_contain_text("Bo called")
    assert birds.open_numbers("faces", "pairs", "Ann") == "012345"
    # A browser that loads anew may be told a moment late that it is cut off.
    assert birds.scorer.reading.entries == {}
    page.reload()
    birds.part("faces")
    assert birds.shown("bird-dog-red") == "J♦"
    birds.pairs({"Ann": 3, "Bo": 1, "Cy": 0})
    birds.leave_out()
    expect(page.locator("h1 .number")).to_have_text("2")
    assert birds.totals() == {"Ann": 0, "Bo": 0, "Cy": 0}
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    birds.is_saved()
    assert birds.totals() == {"Ann": 4, "Bo": 1, "Cy": 0}
    assert birds.scorer.reading.entries[1, "turned"] == {"card-1": "JH", "caller": 2}


# Small windows, eyes, paper


def every_ask(birds: Birds, look: Callable[[str], None]) -> None:
    """Go through a hand and look at every part of it."""
    ann, bo, cy = birds.players
    look("before a card")
    birds.turn("TH", "JS")
    look("two cards")
    birds.call(bo)
    birds.part("nil")
    look("nil")
    birds.nil(ann)
    birds.part("faces")
    look("pairs")
    birds.count_faces()
    look("faces")
    birds.tap(birds.page.get_by_text("Pairs", exact=True))
    birds.pairs({ann: 2, bo: 1, cy: 1})
    birds.part("tricks")
    birds.is_saved()
    look("tricks")
    birds.tricks({ann: 3, bo: 2, cy: 2})
    birds.part("turned")
    birds.is_saved()
    look("the next hand")


def test_nothing_scrolls_with_names_of_forty_letters(phone: Page) -> None:
    birds = Birds(phone, FORTY)

    def look(what: str) -> None:
        for hour in ("dark", "light"):
            phone.emulate_media(color_scheme=hour)
            expect_nothing(phone.evaluate(AMISS), f"{what}, {hour}")

    every_ask(birds, look)


def test_nothing_scrolls_where_nobody_went_nil(birds: Birds) -> None:
    birds.turn("9H")
    birds.call("Bo")
    birds.nil(None)
    birds.pairs({"Ann": 3, "Bo": 1, "Cy": 0})
    birds.part("tricks")
    birds.is_saved()
    expect_nothing(birds.page.evaluate(AMISS), "tricks that may be left out")


def expect_nothing(amiss: list[str], what: str) -> None:
    assert amiss == [], what


def test_every_part_is_accessible(open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]) -> None:
    birds = Birds(open_page(PHONE))
    every_ask(birds, lambda _: axe_day_and_night(birds.page))


def test_beside_the_pad_on_a_desk_stands_the_sheet_and_it_is_accessible(
    open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    page = open_page(DESK, has_touch=True)
    birds = Birds(page, hands=1)
    expect(page.locator("#beside")).to_be_visible()
    axe(page)
    assert birds.title == "Hand 2"


def test_cards_can_be_read_out(birds: Birds) -> None:
    birds.turn("TH")
    card = birds.page.get_by_role("button", name="ten of hearts")
    expect(card).to_have_attribute("aria-pressed", "true")
    said = birds.page.locator(".laid").evaluate("part => part.textContent.replace(/\\s+/g, ' ')")
    assert "trump: ten of hearts" in said
    assert "Bird Dog: ten of diamonds" in said


def test_sheet_is_printed_on_one_page(birds: Birds) -> None:
    hand = {"turned": ["TH"], "caller": "Bo", "nil": None, "pairs": {"Ann": 3, "Bo": 1, "Cy": 0}}
    birds.play(hand)
    birds.is_saved()
    page = birds.page
    page.goto(birds.url("sheet"))
    page.emulate_media(media="print")
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") <= 1
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("10♥")
    expect(sheet).to_contain_text("3 + 1")


# Without a script


def test_faces_are_typed_where_no_script_counts_them(plain_phone: Page) -> None:
    birds = Birds(plain_phone)
    birds.scorer.enter_step(1, "turned", {"card-1": "JD", "caller": 1})
    birds.scorer.enter_step(1, "nil", {})
    birds.load()
    birds.count_faces()
    counters = plain_phone.locator("section[data-ask=faces] .by-faces .step")
    expect(counters.first.locator("input")).to_be_visible()
    assert counters.locator("button").locator("visible=true").count() == 0, "they would do nothing"
    box = counters.first.locator("input").bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 48
    for name, count in {
        "j-1": 3,
        "j-2": 0,
        "j-3": 0,
        "q-1": 0,
        "q-2": 4,
        "q-3": 0,
        "k-1": 0,
        "k-2": 0,
        "k-3": 3,
    }.items():
        plain_phone.locator(f"input[name=f-{name}]").fill(str(count))
    plain_phone.locator("section[data-ask=faces] .by-faces .go").tap()
    expect(plain_phone.locator("section[data-ask=tricks]")).to_be_visible()


@pytest.mark.usefixtures("off_the_net")
def test_cards_that_wait_for_the_network_are_called_as_those_that_do_not(phone: Page) -> None:
    birds = Birds(phone)
    unplug(phone)
    birds.turn("JD")
    birds.call("Cy")
    expect(phone.locator(".top .sent")).to_have_text("1 to send")
    kept = phone.evaluate("JSON.stringify(Object.values(localStorage))")
    assert "card J♦" in kept.replace("\ufe0e", ""), "a phone that is cut off reads it out"
    expect(phone.locator(".back")).to_have_text("Take back the turned cards")


def test_hand_is_kept_without_a_script(plain_phone: Page) -> None:
    birds = Birds(plain_phone)
    page = plain_phone
    page.get_by_label("Card 1").select_option("JH")
    page.get_by_label("Card 2").select_option("9S")
    page.locator("button[name=f-caller][value='2']").tap()
    page.locator("section[data-ask=nil] button[value='3']").tap()
    expect(page.locator("section[data-ask=faces]")).to_be_visible()
    for seat, count in ((1, 3), (2, 1), (3, 0)):
        page.locator(f"input[name='f-pairs-{seat}'][value='{count}']").check(force=True)
    page.locator("section[data-ask=faces] .by-pairs .go").tap()
    expect(page.locator("section[data-ask=tricks]")).to_be_visible()
    for seat, count in ((1, 4), (2, 3), (3, 0)):
        page.locator(f"input[name='f-tricks-{seat}'][value='{count}']").check(force=True)
    page.get_by_role("button", name="Score it").tap()
    expect(page.locator("h1 .number")).to_have_text("2")
    assert birds.scorer.reading.sheet.rows[0].points == {1: 4, 2: 1, 3: 3}
