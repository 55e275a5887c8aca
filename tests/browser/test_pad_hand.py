"""A hand on the pad, tap by tap."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.conftest import DESK, PHONE
from tests.browser.pads import Pad, is_dressed, likely_bids

SPOKEN = ["Bo", "Cy", "Di", "Ed", "Flo", "Ann"]


@pytest.fixture
def pad(phone: Page) -> Pad:
    """Six players in hand 7 of 18, seven cards, Ann deals and Bo leads."""
    return Pad(phone, 6, hands=6, plan={"peak": 8})


@pytest.mark.journey
def test_bids_take_one_tap_each_and_the_light_goes_round(pad: Pad) -> None:
    lit = pad.page.locator(".seats > li[aria-current]")
    for name in SPOKEN:
        expect(lit).to_have_count(1)
        assert (pad.due, lit.locator("bdi").inner_text()) == (name, name)
        pad.bid(0)
    assert pad.taps == 6
    expect(pad.score).to_be_visible()


def test_a_bid_of_nothing_looks_different_from_no_bid_yet(pad: Pad) -> None:
    pad.bid(0)
    rows = pad.page.locator(".seats > li")
    expect(rows.nth(1).locator(".bid")).to_have_text("0")
    expect(rows.nth(2).locator(".bid")).to_have_text("not yet")
    assert rows.nth(2).locator(".bid").inner_text().strip() == "not yet"
    expect(pad.page.locator(".sum")).to_have_text("0 bid of 7")


@pytest.mark.journey
def test_the_forbidden_number_is_struck_out_can_be_reached_and_shows_its_sum(pad: Pad) -> None:
    pad.bid(2, 0, 1, 3)
    assert pad.line == ""
    pad.bid(0)
    assert pad.line == "The Rule: you cannot bid 1."
    struck = pad.page.get_by_role("button", name="Ann bids 1", exact=True)
    expect(struck).to_have_attribute("aria-disabled", "true")
    expect(struck).to_have_attribute("aria-describedby", "reason")
    struck.focus()
    expect(struck).to_be_focused()
    pad.tap(struck)
    assert pad.line == "The Rule: 6 + 1 would make 7."
    assert pad.due == "Ann"
    pad.bid(2)
    expect(pad.score).to_be_visible()


def test_there_is_nothing_forbidden_where_the_others_have_overbid(pad: Pad) -> None:
    pad.bid(7, 7, 0, 0, 0)
    assert pad.line == ""
    expect(pad.page.locator(".keys .no")).to_have_count(0)


@pytest.mark.parametrize(
    ("bids", "word"),
    [((7, 1, 0, 0, 0, 0), "Overbid"), ((6, 0, 0, 0, 0, 0), "Floater"), ((1, 0, 0, 0, 0, 0), "Float’age")],
)
def test_the_table_has_a_word_for_what_was_bid(pad: Pad, bids: tuple[int, ...], word: str) -> None:
    pad.bid(*bids)
    assert pad.line == f"{word}: {sum(bids)} bid of 7. Bo leads and deals next."
    assert pad.url("words") + "#" in pad.page.locator("#reason a").get_attribute("href")


@pytest.mark.journey
def test_the_latest_bid_is_taken_back_the_dealers_until_the_tricks(pad: Pad) -> None:
    pad.bid(2, 0)
    assert pad.back.inner_text() == "Take back Cy’s 0"
    pad.tap(pad.back)
    assert pad.due == "Cy"
    pad.rest()
    pad.bid(1, 0, 0, 0, 0)
    pad.rest()
    pad.tap(pad.back)
    assert pad.due == "Ann"
    pad.is_saved()
    assert set(pad.scorer.reading.sheet.open.hand.steps) == {f"bid-{seat}" for seat in range(2, 7)}


def test_a_dealer_whose_bid_is_final_cannot_take_it_back(phone: Page) -> None:
    pad = Pad(phone, 4, hands=1, house_rules={"dealer_bid_final": True})
    pad.bid(1, 1, 1, 1)
    expect(pad.score).to_be_visible()
    expect(pad.back).to_have_attribute("aria-disabled", "true")


@pytest.mark.journey
def test_any_bid_can_have_been_typed_wrong_and_only_the_dealer_is_asked_again(pad: Pad) -> None:
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    pad.open("retype-3")
    panel = pad.page.get_by_role("dialog")
    expect(panel.get_by_role("heading")).to_have_text("Cy bid …")
    pad.tap(panel.get_by_role("button", name="Cy bid 1", exact=True))
    expect(panel).to_have_count(0)
    expect(pad.page.get_by_label("Cy bid 1. I typed it wrong")).to_be_visible()
    pad.rest()
    # 2 + 1 + 1 + 3 + 0 + 2 is nine of seven; with Ed's 1 Ann would make it seven.
    pad.open("retype-5")
    pad.tap(panel.get_by_role("button", name="Ed bid 1", exact=True))
    assert pad.due == "Ann"
    assert pad.line == "The Rule: you cannot bid 2."
    pad.is_saved()
    assert set(pad.scorer.reading.sheet.open.hand.steps) == {f"bid-{seat}" for seat in range(2, 7)}


def test_the_dealer_cannot_have_typed_what_the_rule_forbids(pad: Pad) -> None:
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    pad.open("retype-1")
    panel = pad.page.get_by_role("dialog")
    expect(panel).to_contain_text("The Rule: it cannot have been 1.")
    pad.tap(panel.get_by_role("button", name="Ann bid 1", exact=True))
    expect(panel).to_be_visible()
    pad.tap(panel.get_by_role("button", name="Ann bid 3", exact=True))
    pad.is_saved()
    assert pad.scorer.reading.entries[7, "bid-1"] == {"bid": 3}


def test_counts_stay_when_trump_is_noted_after_them(pad: Pad) -> None:
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    pad.fewer("Ed")
    pad.open("trump")
    pad.tap(pad.page.get_by_role("dialog").get_by_label("Spades"))
    pad.is_saved()
    pad.page.reload()
    assert pad.line == "7 of 7 tricks. Set: Ed. Everyone else made it."


def test_enter_in_a_count_does_not_score_what_does_not_come_out(pad: Pad) -> None:
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    count = pad.page.get_by_label("Ed took")
    count.fill("3")
    count.press("Enter")
    assert pad.line == "One too many: who took fewer?"
    pad.rest()
    count.fill("2")
    count.press("Enter")
    expect(pad.page.locator("h1")).to_have_text("Hand 8 of 18")


def test_trump_folds_into_the_heading_and_stays_changeable_until_the_hand_is_scored(pad: Pad) -> None:
    pad.tap(pad.page.get_by_label("Hearts"))
    turned = pad.page.get_by_label("Trump: hearts. Change")
    expect(turned).to_be_visible()
    expect(pad.page.locator(".slot .trump")).to_have_count(0)
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    pad.tap(turned)
    pad.tap(pad.page.get_by_role("dialog").get_by_role("button", name="Ace: no trump"))
    expect(pad.page.get_by_label("Trump: no trump. Change")).to_have_text("Ace")
    pad.is_saved()
    assert pad.scorer.reading.entries[7, "trump"] == {"suit": "NT"}


def test_trump_can_be_noted_while_the_hand_is_played_and_the_exact_card_under_more(pad: Pad) -> None:
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    pad.open("trump")
    pad.tap(pad.page.get_by_role("dialog").get_by_label("Spades"))
    expect(pad.page.get_by_label("Trump: spades. Change")).to_be_visible()
    pad.open("more")
    pad.page.get_by_label("The card turned for trump").select_option("TD")
    pad.tap(pad.page.get_by_role("button", name="Save", exact=True))
    expect(pad.page.get_by_label("Trump: diamonds, ten of diamonds turned. Change")).to_have_text("10♦\ufe0e")
    pad.is_saved()
    assert pad.scorer.reading.entries[7, "trump"] == {"turned": "TD"}


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("bids", [(2, 0, 1), (2, 0, 1, 3, 0, 2)], ids=["while bids fall", "while it is played"])
def test_a_misdeal_is_one_tap_under_more_and_one_to_take_back(pad: Pad, bids: tuple[int, ...]) -> None:
    pad.bid(*bids)
    pad.rest()
    before = pad.page.locator("#pad .seats").inner_text()
    pad.open("more")
    pad.tap(pad.page.get_by_role("button", name="Misdeal"))
    assert pad.due == "Bo"
    expect(pad.page.locator(".sum")).to_have_text("0 bid of 7")
    pad.is_saved()
    pad.rest()
    assert "the misdeal" in pad.back.inner_text()
    pad.tap(pad.back)
    pad.is_saved()
    assert pad.page.locator("#pad .seats").inner_text() == before


def test_while_the_hand_is_played_the_page_answers_without_a_tap(pad: Pad) -> None:
    pad.tap(pad.page.get_by_label("Hearts"))
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    told = pad.page.locator("#pad").inner_text()
    assert "7 cards" in told
    assert "over by 1" in told
    assert "Overbid: 8 bid of 7. Bo leads and deals next." in told
    expect(pad.page.get_by_label("Trump: hearts. Change")).to_be_visible()
    bids = pad.page.locator(".took .b")
    assert [text.split()[-1] for text in bids.all_inner_texts()] == ["2", "2", "0", "1", "3", "0"]
    assert min(bids.evaluate_all("all => all.map(b => parseFloat(getComputedStyle(b).fontSize))")) >= 22
    assert pad.page.locator(".pts").all_inner_texts() == [""] * 6
    expect(pad.page.locator(".could")).to_have_count(0)


def test_no_count_changes_that_nobody_touched(pad: Pad) -> None:
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    pad.more("Cy")
    counts = pad.page.locator(".step input")
    values = "all => all.map(input => input.value)"
    assert counts.evaluate_all(values) == ["2", "2", "1", "1", "3", "0"]
    assert pad.line == "Two too many: who took fewer?"
    assert pad.page.locator(".could bdi").all_inner_texts() == ["Ann", "Bo", "Di", "Ed"]
    expect(pad.score).to_have_attribute("aria-disabled", "true")
    pad.fewer("Ed")
    assert pad.line == "One too many: who took fewer?"
    pad.fewer("Ed")
    assert counts.evaluate_all(values) == ["2", "2", "1", "1", "1", "0"]
    assert pad.line == "7 of 7 tricks. Set: Cy, Ed. Everyone else made it."
    assert pad.page.locator(".pts").all_inner_texts() == ["+7", "+7", "−1", "+6", "−3", "+5"]
    expect(pad.page.locator(".could")).to_have_count(0)


def test_the_last_one_nobody_touched_gets_what_is_left(phone: Page) -> None:
    pad = Pad(phone, 4, hands=1)
    pad.bid(1, 1, 1, 0)
    pad.rest()
    pad.fewer("Cy")
    pad.fewer("Di")
    assert pad.line == "One missing: who took more?"
    pad.more("Bo")
    # Only Ann is left, and one trick with her.
    assert phone.locator(".step input").evaluate_all("all => all.map(i => i.value)") == ["1", "1", "0", "0"]
    assert pad.line == "2 of 2 tricks. Made it: Ann. Everyone else was set."


def test_a_tap_on_a_score_button_that_is_not_ready_says_what_is_missing(pad: Pad) -> None:
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    pad.tap(pad.score)
    assert pad.line == "One too many: who took fewer?"
    expect(pad.score).to_be_visible()


def test_a_hand_costs_no_more_taps_than_it_says(pad: Pad) -> None:
    """n bids, one for trump, one for each who missed by one, one to score."""
    pad.tap(pad.page.get_by_label("Clubs"))
    pad.bid(2, 0, 1, 3, 0, 2)
    pad.rest()
    pad.more("Cy")
    pad.fewer("Ed")
    pad.fewer("Di")
    pad.tap(pad.score)
    assert pad.taps == 6 + 1 + 3 + 1
    expect(pad.page.locator("h1")).to_have_text("Hand 8 of 18")
    pad.is_saved()
    assert pad.scorer.reading.sheet.rows[-1].points == {1: 7, 2: 7, 3: -1, 4: -1, 5: -3, 6: 5}


@pytest.mark.journey
def test_box_and_circle_are_drawn_when_the_hand_is_scored(phone: Page) -> None:
    pad = Pad(phone, 4, hands=0)
    assert pad.marks() == {"boxed": [], "circled": []}
    pad.bid(1, 0, 0, 1)
    pad.rest()
    pad.fewer("Ann")
    pad.tap(pad.score)
    assert pad.totals() == {"Ann": -1, "Bo": 6, "Cy": 5, "Di": 5}
    assert pad.marks() == {"boxed": ["Bo"], "circled": ["Ann"]}
    expect(phone.locator(".drawn-now")).to_have_count(2)
    assert pad.back.inner_text() == "Back to hand 1"
    pad.rest()
    pad.tap(pad.back)
    expect(pad.score).to_have_text("Score hand 1")
    assert phone.locator(".step input").evaluate_all("all => all.map(i => i.value)") == ["0", "1", "0", "0"]


def test_the_last_hand_says_so(phone: Page) -> None:
    Pad(phone, 4, hands=3)
    assert " ".join(phone.locator(".facts").inner_text().split()) == "Last hand: Di deals one card"


def test_a_call_out_stands_in_one_line_and_leads_to_the_words(phone: Page) -> None:
    pad = Pad(phone, 4, hands=0)
    pad.bid(0, 0, 0, 0)
    pad.rest()
    pad.more("Cy")
    pad.tap(pad.score)
    pad.is_saved()
    expect(phone.locator("#reason")).to_have_text("Hand 1: Dog Pile for Cy")
    assert phone.locator("#reason a").get_attribute("href") == pad.url("words") + "#dog-pile"


@pytest.mark.journey
@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
def test_the_sheet_stands_beside_the_pad_or_one_tap_away_and_grows_by_a_row(
    open_page: Callable[..., Page], device: dict[str, object]
) -> None:
    page = open_page(device | {"has_touch": True})
    pad = Pad(page, 4, hands=1)
    pad.bid(1, 0, 0, 0)
    pad.rest()
    pad.more("Cy")
    pad.tap(pad.score)
    pad.is_saved()
    if device is PHONE:
        pad.open("sheet")
    expect(page.locator("table.sheet tbody#hand-2 .mark")).to_have_count(4)
    expect(page.locator("table.sheet")).to_be_visible()
    if device is PHONE:
        page.get_by_role("dialog").get_by_role("button", name="Close").tap()
        expect(page.locator("#beside table.sheet")).to_have_count(1)
    pad.rest()
    pad.tap(pad.back)
    pad.is_saved()
    expect(page.locator("table.sheet tbody#hand-2 .mark")).to_have_count(0)


def test_bids_written_while_nobody_looked_are_there_when_the_sheet_opens(phone: Page) -> None:
    pad = Pad(phone, 4)
    answers: list[Response] = []
    phone.on("response", lambda answer: answers.append(answer) if answer.url.endswith("/enter/") else None)
    is_dressed(phone)
    pad.bid(1, 0)
    pad.is_saved()
    assert [answer.json()["row"] for answer in answers] == ["", ""]
    pad.open("sheet")
    expect(phone.locator("#whole-sheet tbody#hand-1")).to_contain_text("bids 1")
    phone.get_by_role("dialog").get_by_role("button", name="Close").tap()
    pad.bid(0, 1)
    pad.rest()
    pad.count_out()
    expect(phone.locator("h1")).to_contain_text("Hand 2 of")
    pad.is_saved()
    assert ["<tbody" in answer.json()["row"] for answer in answers] == [False] * 4 + [True]
    # The score came with its row: it can be read without network, and nothing is asked for.
    pages: list[str] = []
    phone.on("request", lambda request: pages.append(request.url) if request.url.endswith("/pad/") else None)
    pad.open("sheet")
    expect(phone.locator("#whole-sheet tbody#hand-1 .mark")).to_have_count(4)
    expect(phone.locator("#whole-sheet tbody.unsent")).to_have_count(0)
    assert pages == []


def test_bids_that_are_sent_while_the_sheet_is_open_come_with_their_row(phone: Page) -> None:
    pad = Pad(phone, 4)
    is_dressed(phone)
    phone.route("**/enter/", lambda route: None)
    pad.bid(1, 0)
    pad.open("sheet")
    expect(phone.locator("#whole-sheet tbody#hand-1")).not_to_contain_text("bids 0")
    # What was held is sent now.
    phone.unroute("**/enter/")
    expect(phone.locator("#whole-sheet tbody#hand-1")).to_contain_text("bids 0")


def test_bids_come_with_their_row_where_the_sheet_stands_beside_the_pad(open_page: Callable[..., Page]) -> None:
    page = open_page(DESK | {"has_touch": True})
    pad = Pad(page, 4)
    is_dressed(page)
    pad.bid(1)
    pad.is_saved()
    expect(page.locator("#beside tbody#hand-1")).to_contain_text("bids 1")
    pages: list[str] = []
    page.on("request", lambda request: pages.append(request.url) if request.url.endswith("/pad/") else None)
    pad.bid(0)
    pad.is_saved()
    expect(page.locator("#beside tbody#hand-1")).to_contain_text("bids 0")
    assert pages == []


def test_a_tablet_that_is_turned_has_every_bid_on_the_sheet(open_page: Callable[..., Page]) -> None:
    page = open_page({"viewport": {"width": 600, "height": 1000}, "has_touch": True})
    pad = Pad(page, 4)
    is_dressed(page)
    pad.bid(1)
    pad.is_saved()
    page.set_viewport_size({"width": 1000, "height": 600})
    expect(page.locator("#beside tbody#hand-1")).to_contain_text("bids 1")


def test_the_pad_is_used_by_keyboard_alone(open_page: Callable[..., Page]) -> None:
    page = open_page(DESK)
    pad = Pad(page, 4, hands=0)
    bids = likely_bids([2, 3, 4, 1], 1)
    page.keyboard.press("Tab")
    for seat in (2, 3, 4, 1):
        pad.key(bids[seat]).focus()
        page.keyboard.press("Enter")
        pad.rest()
    # The focus is still on the page, at the first count.
    expect(page.get_by_role("button", name="Ann one fewer")).to_be_focused()
    page.get_by_role("button", name="Bo one fewer").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Bo one fewer")).to_be_focused()
    page.locator(".go").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Hand 2 of 4")
