"""Dingo on a phone at the table: whole hands by taps, what cannot be tapped, and an evening without network."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoresheets.models import Seat
from tests.browser import dingo
from tests.browser.conftest import DESK, PHONE
from tests.browser.dingo import answer, played, seat_in, section
from tests.browser.games import export, open_table
from tests.browser.pads import Pad, is_dressed, is_kept, unplug
from tests.browser.test_paper import A4, pages_of, printed
from tests.browser.waits import is_still
from tests.factories import sure_of
from tests.rules.hunting import play

NAMES = ["Ann", "Bo", "Cy", "Di"]
#: Forty letters each.
LONG = [f"{name} Wolfeschlegelsteinhausenbergerdorff"[:39] + "W" for name in ("Annabell", "Bobbie", "Cyra", "Diandra")]
SHOWN = "all => all.filter(one => one.checkVisibility()).map(one => one.dataset.ask)"

#: What lies outside of the window or can be scrolled; [] is well.
AMISS = """() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollHeight > innerHeight || page.scrollWidth > page.clientWidth) found.push('the page scrolls');
  for (const part of document.querySelectorAll('.phone, .top, .piles, .around, .asks, .pad')) {
    const scrolls = part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
    if (part.checkVisibility() && scrolls) found.push(`${part.className} scrolls`);
  }
  const targets = '.phone :is(button, a, select, label.player, label.chip, .mark, .worth)';
  for (const part of document.querySelectorAll(targets)) {
    if (!part.checkVisibility({visibilityProperty: true}) || part.closest('.visually-hidden')) continue;
    const box = part.getBoundingClientRect();
    const beyond = box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
    if (beyond || box.top < -0.5 || box.left < -0.5) found.push(`${part.className || part.textContent} lies outside`);
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (part.matches('button, a, select, label') && !part.contains(top)) found.push(`${part.textContent} is covered`);
  }
  return found;
}"""
#: Width and height of whatever a finger is meant for, and what is written in it.
TARGETS = """() => [...document.querySelectorAll('.phone :is(button, a, select, label.player, label.chip)')]
  .filter(one => one.checkVisibility({visibilityProperty: true}))
  .map(one => [one.textContent.trim().replace(/\\s+/g, ' '), one.getBoundingClientRect()])
  .map(([text, box]) => [text, Math.round(box.width), Math.round(box.height)])"""
#: Sizes of letters in pixels: of what is asked, and of numbers.
LETTERS = """() => [...document.querySelectorAll('.phone *')]
  .filter(one => one.checkVisibility() && !one.closest('.visually-hidden, svg'))
  .filter(one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .map(one => [one.textContent.trim(), parseFloat(getComputedStyle(one).fontSize)])"""


@pytest.fixture
def pad(phone: Page) -> Pad:
    return Pad(phone, 4, game="dingo", plan={})


def due(page: Page) -> list[str]:
    """The asks in front of the scorekeeper."""
    return page.eval_on_selector_all("section[data-ask]", SHOWN)


def can_be_tapped(part: Any) -> bool:
    return bool(part.evaluate("one => one.checkVisibility({visibilityProperty: true}) && !one.disabled"))


#: Elements of the pad with one ask; with all fourteen it has 1,600.
MOST_ELEMENTS = 450


def is_alone(page: Page, ask: str) -> None:
    """Only this ask is part of the page."""
    sections = page.locator("section[data-ask]")
    expect(sections).to_have_count(1)
    expect(sections).to_have_attribute("data-ask", ask)
    expect(sections).to_be_visible()
    assert page.locator("#pad *").count() <= MOST_ELEMENTS


def write_up_to(pad: Pad, ask: str, steps: dict[str, dict[str, Any]]) -> None:
    """Everything before that ask, behind the page's back."""
    for name, step in steps.items():
        if name == ask:
            break
        pad.scorer.enter_step(pad.scorer.reading.next_hand, name, step)
    pad.load()


# -- whole hands ---------------------------------------------------------------------------------------


def test_whole_game_by_taps_is_what_the_command_line_scores(
    phone: Page, tmp_path: Path, score: Callable[[Path], dict[str, Any]]
) -> None:
    hands = [play(random.Random(seed), missed=0.05) for seed in (3, 8)]
    document = {"game": "dingo", "players": NAMES, "first_dealer": "Cy", "house_rules": {"hands": 2, "ten_value": 1}}
    open_table(phone, document)
    pad = Pad.__new__(Pad)
    pad.page, pad.taps = phone, 0
    for number, hand in enumerate(hands, 1):
        expect(phone.locator("#pad h1")).to_have_text(f"Hand {number} of 2", use_inner_text=True)
        expect(phone.locator(".facts")).to_have_text(f"{('Cy', 'Di')[number - 1]} deals and begins")
        dingo.hand(pad, hand.steps(dingo.SEATS))
    phone.wait_for_url("**/result/")
    settled, file = phone.url, tmp_path / "sheet.json"
    kept = export(phone, file)
    assert kept["hands"] == [hand.item(NAMES) for hand in hands]
    result = score(file)
    points = [[hand.points(place, ten=1) for place in range(4)] for hand in hands]
    assert [list(row["points"].values()) for row in result["hands"]] == points
    assert [row["winners"] for row in result["hands"]] == [
        [NAMES[place] for place in hand.winners({"ten_value": 1})] for hand in hands
    ]
    phone.goto(settled)
    places = phone.locator(".places li")
    expect(places).to_have_count(4)
    for at, one in enumerate(result["placings"]):
        expect(places.nth(at)).to_contain_text(one["player"])
        expect(places.nth(at)).to_contain_text("a hand")


@pytest.mark.parametrize("seed", [1, 2])
def test_no_rank_takes_more_than_three_taps(pad: Pad, seed: int) -> None:
    steps = played(seed, eager=1, noted=1)
    taps = dingo.hand(pad, steps)
    ranks = {ask: count for ask, count in taps.items() if ask.startswith("hunt-")}
    assert max(ranks.values()) <= dingo.MOST_FOR_A_RANK, ranks
    assert all(ranks[ask] == 1 for ask in ranks if "dingo" not in steps[ask])
    assert taps["ace-hunt"] <= dingo.MOST_FOR_THE_ACES
    assert taps["held"] == dingo.FOR_NOTHING_HELD
    assert sum(taps.values()) <= dingo.MOST_FOR_A_HAND == 42
    pad.is_saved()
    assert pad.scorer.reading.sheet.rows[0].hand.steps == steps


@pytest.mark.journey
def test_piles_grow_in_sight_and_the_last_hand_is_told_until_the_hunt_begins(pad: Pad) -> None:
    page = pad.page
    answer(pad, "hunt-2", {"dingo": 1, "second": 3, "first": 2})
    answer(pad, "hunt-3", {"dingo": 1})
    pad.is_saved()
    ann, bo, cy, _ = page.locator(".piles li").all()
    expect(ann.locator(".worth")).to_have_text("this hand: 2 − 1")
    expect(ann.locator(".pile")).to_contain_text("dingoes 2")
    expect(ann.locator(".penalty")).to_have_text("penalty pile ♥3")
    expect(cy.locator(".pile")).to_contain_text("rabbits 2")
    assert not bo.locator(".pile > :visible").count()
    for number in range(4, 14):
        pad.scorer.enter_step(1, f"hunt-{number}", {})
    pad.scorer.enter_step(1, "ace-hunt", {"dingo": 4, "holder": 4})
    pad.scorer.enter_step(1, "held", {})
    pad.load()
    expect(page.locator(".piles li").first.locator(".last")).to_have_text("hand 1: 2 − 1")
    expect(page.locator(".piles li").nth(2).locator(".last")).to_have_text("hand 1: 2 − 0, won")
    expect(page.locator(".piles li").nth(2).locator(".won")).to_have_text("1 won")
    expect(page.locator(".rounds")).to_be_visible()
    answer(pad, "hunt-2", {"dingo": 2})
    pad.is_saved()
    expect(page.locator(".rounds, .last").locator("visible=true")).to_have_count(0)
    expect(page.locator(".ranks")).to_be_visible()


def test_rank_that_is_written_is_opened_again_and_put_right(pad: Pad) -> None:
    page = pad.page
    for ask, step in (("hunt-2", {"dingo": 1, "wolf": 2}), ("hunt-3", {}), ("hunt-4", {"dingo": 3})):
        answer(pad, ask, step)
    page.locator(".ranks a", has_text="2").first.tap()
    assert due(page) == ["hunt-2"]
    expect(seat_in(section(page, "hunt-2"), "dingo", 1)).to_be_visible()
    pad.rest()
    section(page, "hunt-2").get_by_role("link", name="Cancel").tap()
    assert due(page) == ["hunt-5"]
    pad.rest()
    page.locator(".ranks a", has_text="2").first.tap()
    pad.rest()
    section(page, "hunt-2").get_by_role("button", name="Choose again").tap()
    answer(pad, "hunt-2", {"dingo": 4, "second": 2})
    assert due(page) == ["hunt-5"]
    pad.is_saved()
    entries = pad.scorer.reading.entries
    assert [entries[1, f"hunt-{number}"] for number in (2, 3, 4)] == [{"dingo": 4, "second": 2}, {}, {"dingo": 3}]


# -- what cannot be ------------------------------------------------------------------------------------


def test_who_played_the_dingo_and_a_wolf_out_of_turn_are_not_offered(pad: Pad) -> None:
    page = pad.page
    part = section(page, "hunt-2")
    pad.tap(seat_in(part, "dingo", 2))
    assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "wolf", seat))] == [1, 3, 4]
    assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "second", seat))] == [1, 3, 4]
    # Left of Bo sits Cy, then Di, then Ann.
    for second, firsts in ((3, [3]), (4, [3, 4]), (1, [1, 3, 4])):
        pad.tap(seat_in(part, "second", second))
        assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "first", seat))] == firsts
        part.get_by_role("button", name="Choose again").tap()
        pad.tap(seat_in(part, "dingo", 2))


def test_seventh_card_is_not_offered(pad: Pad) -> None:
    steps = {f"hunt-{number}": {"dingo": 1} for number in range(2, 7)}
    steps |= {"hunt-7": {}, "hunt-8": {}, "hunt-9": {}}
    write_up_to(pad, "hunt-9", steps)
    part = section(pad.page, "hunt-9")
    # Ann has shown five: one wolf is still hers, two are not.
    pad.tap(seat_in(part, "dingo", 4))
    pad.tap(seat_in(part, "second", 1))
    assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "first", seat))] == []
    part.get_by_role("button", name="Choose again").tap()
    pad.tap(seat_in(part, "dingo", 1))
    pad.tap(part.locator(".no-wolf"))
    pad.rest()
    pad.is_saved()
    part = section(pad.page, "hunt-10")
    assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "dingo", seat))] == [2, 3, 4]
    pad.tap(seat_in(part, "dingo", 2))
    assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "wolf", seat))] == [3, 4]


def test_rabbit_is_not_offered_too_early_and_four_aces_of_one_hand_need_their_room(pad: Pad) -> None:
    steps = {f"hunt-{number}": {"dingo": 1} if number < 6 else {} for number in range(2, 14)} | {"ace-hunt": {}}
    write_up_to(pad, "ace-hunt", steps)
    page, part = pad.page, section(pad.page, "ace-hunt")

    def chosen(*fields: tuple[str, int]) -> None:
        if part.get_by_role("button", name="Choose again").is_visible():
            part.get_by_role("button", name="Choose again").tap()
        for field, seat in fields:
            pad.tap(seat_in(part, field, seat))

    # Ann has shown four. With the dingo and the rabbit hers, no wolf can be.
    chosen(("dingo", 1), ("holder", 1))
    assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "wolf", seat))] == [2, 3, 4]
    chosen(("dingo", 1), ("holder", 2))
    assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "wolf", seat))] == [1, 2, 3, 4]
    expect(part.locator(".ran")).to_be_hidden()
    pad.tap(seat_in(part, "second", 3))
    expect(part.locator(".ran")).to_be_hidden()
    assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "first", seat))] == [2, 3]
    chosen(("dingo", 1), ("holder", 4), ("second", 3))
    expect(part.locator(".ran")).to_be_visible()
    chosen(("dingo", 1), ("holder", 4), ("second", 1))
    expect(part.locator(".ran")).to_be_hidden()
    assert [seat for seat in dingo.SEATS if can_be_tapped(seat_in(part, "first", seat))] == [2, 3, 4]
    assert due(page) == ["ace-hunt"]


def test_only_red_cards_that_nobody_played_can_be_held(pad: Pad) -> None:
    steps = played(6)
    write_up_to(pad, "held", steps)
    pad.tap(section(pad.page, "held").locator("summary"))
    offered = [
        number
        for number in range(2, 14)
        if can_be_tapped(section(pad.page, "held").locator(f"select[name=f-heart-{number}]"))
    ]
    assert offered == [number for number in range(2, 14) if "dingo" not in steps[f"hunt-{number}"]]


#: What is posted to an ask, and the sentence that refuses it.
IMPOSSIBLE: dict[str, list[tuple[dict[str, Any], str]]] = {
    "hunt-2": [
        ({"dingo": 1, "wolf": 1}, "The player of the dingo cannot play a wolf of that rank."),
        ({"wolf": 1}, "A wolf was played, so somebody played the dingo."),
        ({"dingo": 2, "second": 3, "first": 1}, "The turn goes to the left"),
        ({"dingo": 2, "second": 3, "wolf": 1}, "Either one wolf was played or two"),
    ],
    "hunt-7": [({"dingo": 2, "wolf": 1}, "That would be 7 cards of the same player; everybody had six.")],
    "ace-hunt": [
        ({"dingo": 2, "holder": 3, "wolf": 4, "played": "true"}, "only after both black aces"),
        ({"dingo": 2, "holder": 3, "first": 4, "second": 4, "played": "true"}, "was still held"),
    ],
    "held": [({"heart-3": 2}, "That dingo was played in its hunt.")],
}


@pytest.mark.allow_statuses(422)
@pytest.mark.parametrize("ask", list(IMPOSSIBLE))
def test_what_cannot_be_is_refused_with_a_sentence_when_it_is_posted_by_hand(pad: Pad, ask: str) -> None:
    steps: dict[str, Any] = {f"hunt-{number}": {} for number in range(2, 14)}
    steps |= {"hunt-3": {"dingo": 1}, "ace-hunt": {"dingo": 4, "holder": 4}, "held": {}}
    if ask == "hunt-7":
        steps |= {f"hunt-{number}": {"dingo": 1} for number in (2, 3, 4, 6)}
        steps["hunt-5"] = {"dingo": 2, "second": 1, "first": 1}
    write_up_to(pad, ask, steps)
    page, part = pad.page, section(pad.page, ask)
    form = {
        field.get_attribute("name"): field.input_value() for field in part.locator("input[type=hidden][name]").all()
    }
    for number, (fields, sentence) in enumerate(IMPOSSIBLE[ask]):
        answer = page.request.post(
            pad.url("enter"),
            form=form
            | {"key": f"{form['key']}-{number}"}
            | {f"f-{name}": str(value) for name, value in fields.items()},
            headers={"Referer": page.url},
        )
        assert answer.status == 422, fields
        assert sentence in answer.text(), fields
        assert (1, ask) not in pad.scorer.reading.entries


# -- without network -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("off_the_net")
def test_hand_without_network_is_kept_over_a_reload_and_sent(open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE, service_workers="allow")
    pad = Pad(page, 4, game="dingo", plan={})
    steps = played(11)
    answer(pad, "hunt-2", steps["hunt-2"])
    pad.is_saved()
    is_kept(page)
    unplug(page)
    for ask, step in list(steps.items())[1:8]:
        answer(pad, ask, step)
    page.reload()
    assert due(page) == [list(steps)[8]]
    for ask, step in list(steps.items())[8:]:
        answer(pad, ask, step)
    expect(page.locator("#pad h1")).to_have_text("Hand 2 of 4", use_inner_text=True)
    expect(page.locator(".top .line")).to_have_text("no connection: points of hand 1 come later")
    expect(page.locator(".facts")).to_have_text("Bo deals and begins")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    row = pad.scorer.reading.sheet.rows[0]
    assert row.hand.steps == steps
    assert list(pad.totals().values()) == list(row.points.values())


@pytest.mark.usefixtures("off_the_net")
def test_kept_page_with_an_old_name_says_the_new_one_of_a_hunt_that_waits(open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE, service_workers="allow")
    pad = Pad(page, 4, game="dingo", plan={})
    is_kept(page)
    Seat.objects.filter(sheet=pad.scorer.sheet, number=1).update(name="Zoe")
    sure_of(pad.marge.enter(1, "hunt-2"))
    expect(page.locator(".piles .name").first).to_contain_text("Zoe")
    pad.rest()
    unplug(page)
    answer(pad, "hunt-3", {"dingo": 1})
    page.reload()
    is_alone(page, "hunt-4")
    expect(pad.back).to_have_text("Take back: dingo by Zoe")


def test_rank_is_put_right_without_a_script(plain_phone: Page) -> None:
    pad = Pad(plain_phone, 4, game="dingo", plan={})
    pad.scorer.enter_step(1, "hunt-2", {"dingo": 1, "second": 3, "first": 2})
    pad.load()
    plain_phone.locator(".ranks a").first.tap()
    part = section(plain_phone, "hunt-2")
    seat_in(part, "dingo", 2).tap()
    seat_in(part, "second", 4).tap()
    seat_in(part, "first", 3).tap()
    expect(section(plain_phone, "hunt-3")).to_be_visible()
    assert pad.scorer.reading.entries[1, "hunt-2"] == {"dingo": 2, "second": 4, "first": 3}


@pytest.mark.journey
def test_hand_is_kept_without_a_script(plain_phone: Page) -> None:
    pad = Pad(plain_phone, 4, game="dingo", plan={})
    steps = played(12)
    for ask, step in steps.items():
        assert due(plain_phone) == [ask]
        for what in dingo.taps_for(plain_phone, ask, step):
            what.tap()
        expect(section(plain_phone, ask)).to_be_hidden()
    expect(plain_phone.locator("#pad h1")).to_have_text("Hand 2 of 4", use_inner_text=True)
    assert pad.scorer.reading.sheet.rows[0].hand.steps == steps


# -- how it looks --------------------------------------------------------------------------------------


def stages(pad: Pad) -> Any:
    """The page at every turn a hand can take: what it is, while it is so."""
    page = pad.page
    yield "before the hunt"
    part = section(page, "hunt-2")
    pad.tap(seat_in(part, "dingo", 1))
    yield "which wolves"
    pad.tap(seat_in(part, "second", 4))
    yield "whose was the first"
    pad.tap(seat_in(part, "first", 2))
    pad.rest()
    pad.is_saved()
    yield "some ranks behind"
    for number in range(3, 14):
        pad.scorer.enter_step(1, f"hunt-{number}", {} if number % 3 else {"dingo": 2, "second": 1, "first": 3})
    pad.load()
    yield "the ace dingo"
    part = section(page, "ace-hunt")
    pad.tap(seat_in(part, "dingo", 4))
    yield "the ace rabbit"
    pad.tap(seat_in(part, "holder", 3))
    yield "which black aces"
    pad.tap(seat_in(part, "second", 2))
    yield "whose was the first, and whether the rabbit ran"
    pad.tap(part.locator(".ran"))
    pad.tap(seat_in(part, "first", 1))
    pad.rest()
    pad.is_saved()
    yield "still held"
    page.locator(".ranks a").last.tap()
    pad.rest()
    part.get_by_role("button", name="Choose again").tap()
    pad.tap(seat_in(part, "dingo", 4))
    pad.tap(seat_in(part, "holder", 3))
    yield "the aces again"
    part.get_by_role("link", name="Cancel").tap()
    pad.rest()
    pad.tap(section(page, "held").locator("summary"))
    yield "somebody holds one"
    pad.tap(section(page, "held").locator(".go"))
    pad.rest()
    pad.is_saved()
    expect(page.locator(".rounds")).to_be_visible()
    is_still(page)
    yield "the next hand"


def test_nothing_scrolls_whatever_the_names_and_the_hour(
    open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    page = open_page(PHONE)
    pad = Pad(page, LONG, game="dingo", plan={})
    for stage in stages(pad):
        assert page.evaluate(AMISS) == [], stage
        small = [one for one in page.evaluate(TARGETS) if one[1] < 48 or one[2] < 48]
        assert small == [], stage
        assert [one for one in page.evaluate(LETTERS) if one[1] < 17] == [], stage
        axe_day_and_night(page)


def test_long_name_of_the_dealer_gives_way_and_not_what_the_dealer_does(phone: Page) -> None:
    Pad(phone, (LONG[0], "Bo", "Cy", "Di"), game="dingo", plan={})
    shown, whole = phone.locator(".facts bdi").evaluate("name => [name.clientWidth, name.scrollWidth]")
    assert 100 < shown < whole, "a long name has what is left"
    expect(phone.locator(".facts")).to_contain_text("deals and begins")


def test_page_is_fit_for_a_desk(open_page: Callable[..., Page], axe: Callable[[Page], None]) -> None:
    page = open_page(DESK)
    pad = Pad(page, 4, game="dingo", plan={}, hands=2)
    is_dressed(page)
    assert pad.title == "Hand 3 of 4"
    assert page.evaluate(AMISS) == []
    axe(page)


def test_printed_sheet_is_one_page_and_tells_hands_won(desk: Page) -> None:
    pad = Pad(desk, LONG, game="dingo", plan={}, hands=3)
    pad.scorer.enter_step(4, "hunt-2", {"dingo": 1, "wolf": 2})
    desk.goto(pad.url("sheet"))
    is_still(desk)
    assert pages_of(printed(desk)) == [A4]
    desk.emulate_media(media="print")
    under = desk.locator(".dingo-paper")
    expect(under).to_be_visible()
    reading = pad.scorer.reading
    for seat, said in reading.game.beside_places(reading.sheet.table).items():
        expect(under.locator("li").nth(seat - 1)).to_have_text(f"{LONG[seat - 1]}: {said}")
    expect(desk.locator("#hand-1")).to_contain_text("won")
    expect(desk.locator("#hand-4")).to_contain_text("1 − 0")


# -- what a slow phone has to do -----------------------------------------------------------------------


@pytest.mark.journey
def test_only_the_hunt_in_front_is_part_of_the_page(pad: Pad) -> None:
    page = pad.page
    is_alone(page, "hunt-2")
    answer(pad, "hunt-2", {"dingo": 1, "wolf": 2})
    is_alone(page, "hunt-3")
    # Another phone goes on.
    pad.is_saved()
    sure_of(pad.marge.enter(1, "hunt-3", dingo=2))
    expect(section(page, "hunt-4")).to_be_visible()
    is_alone(page, "hunt-4")
    # Back to an earlier one, in which something is chosen and left.
    pad.rest()
    page.locator(".ranks a").first.tap()
    is_alone(page, "hunt-2")
    expect(section(page, "hunt-2").locator("[name=f-dingo]:checked")).to_have_value("1")
    pad.rest()
    section(page, "hunt-2").get_by_role("link", name="Cancel").tap()
    is_alone(page, "hunt-4")
    pad.rest()
    pad.tap(pad.back)
    is_alone(page, "hunt-3")
    expect(section(page, "hunt-3").locator("[name=f-dingo]:checked")).to_have_count(0)


def test_only_the_hunt_in_front_is_part_of_the_page_without_a_script(plain_phone: Page) -> None:
    pad = Pad(plain_phone, 4, game="dingo", plan={})
    write_up_to(pad, "hunt-4", played(12))
    is_alone(plain_phone, "hunt-4")
    plain_phone.goto(f"{pad.url('pad')}?again=hunt-2")
    is_alone(plain_phone, "hunt-2")
