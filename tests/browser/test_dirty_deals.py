"""Dirty Deals on a phone: a whole match by taps, what cannot be, without network, small, dark, aloud and on paper."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import games
from tests.browser.claims import NAMES, Claims
from tests.browser.conftest import PHONE
from tests.browser.pads import is_kept, unplug
from tests.browser.waits import is_still

GOLDEN = Path(__file__).parent.parent / "sheets" / "games" / "dirty_deals-five_rubbers.json"
#: Taps for a deal: who, which suit, who holds the bower, how many. Given up: one.
A_CLAIM, GIVEN_UP = 4, 1
LONG = ("Annabella-Konstantina of the Upper Valley"[:40], "Bartholomäus Maximilian von Hohenfels", "W" * 40, "Q" * 40)


@pytest.fixture
def pad(phone: Page) -> Claims:
    return Claims(phone)


# -- a whole match -------------------------------------------------------------------------------------


def test_whole_match_by_taps_comes_to_what_the_command_line_says(
    phone: Page, tmp_path: Path, score: Callable[[Path], dict[str, Any]]
) -> None:
    match = json.loads(GOLDEN.read_text("utf-8"))
    deals, rows = match["document"]["hands"], match["expect"]["hands"]
    pad = Claims(phone, first_dealer=NAMES.index(match["document"]["first_dealer"]))
    won: list[str] = []
    for place, (deal, row) in enumerate(zip(deals, rows, strict=True)):
        assert pad.title == f"Hand {row['number']}"
        expect(phone.locator(".top .facts")).to_contain_text(f"{row['dealer']} deals")
        before = pad.taps
        if "given_up" in deal:
            pad.give_up()
        else:
            pad.claim(deal["claimer"], deal["suit"], deal["bower_holder"], deal["surplus"])
        assert pad.taps - before == (GIVEN_UP if "given_up" in deal else A_CLAIM)
        if place == len(deals) - 1:
            break
        pad.is_saved()
        legs = [leg["winner"] for leg in match["expect"]["legs"] if leg["totals"] == row["totals"]]
        won += legs
        assert pad.totals() == (dict.fromkeys(NAMES, 0) if legs else row["totals"])
        strip = phone.locator(".rubbers").inner_text()
        assert all(f"{name} {won.count(name)}" in strip for name in won), strip
        assert f"Rubber {len(won) + 1} to 9" in strip
    phone.wait_for_url("**/result/")
    document = games.export(phone, tmp_path / "sheet.json")
    assert [{key: hand[key] for key in hand if key != "note"} for hand in document["hands"]] == deals
    result = score(tmp_path / "sheet.json")
    assert result == match["expect"]


# -- one claim -----------------------------------------------------------------------------------------


def test_one_thing_is_asked_after_the_other(pad: Claims) -> None:
    assert pad.asked == "Who claims?"
    pad.tap(pad.pick("claimer", 1))
    assert pad.asked == "Which suit?"
    pad.tap(pad.pick("suit", "H"))
    assert pad.asked == "Who holds the J♦?"
    pad.tap(pad.pick("bower", 2))
    assert pad.asked == "How many besides Ann’s six ♥? Bo holds the J♦: +3"
    pad.tap(pad.pick("bower", 1))
    assert pad.asked == "How many besides Ann’s six ♥? Count the J♦ too."
    pad.tap(pad.pick("suit", "C"))
    assert pad.asked == "How many besides Ann’s six ♣? Count the J♠ too."


def test_points_stand_on_the_numbers_before_they_are_scored(pad: Claims) -> None:
    pad.say("Ann", "H", "Bo")
    points = {n: f"+{9 - n}" if n < 9 else "0" for n in range(18)}
    assert pad.numbers() == points
    pad.tap(pad.number(4))
    pad.rest()
    pad.is_saved()
    assert pad.totals() == {"Ann": 5, "Bo": 3, "Cy": 0, "Di": 0}
    assert pad.page.locator(".last li").all_inner_texts() == ["♥ +5", "J♦ +3", "", ""]
    pad.say("Bo", "H", "Cy")
    for mark in (".box", ".ring"):
        expect(pad.page.locator(f".scores .pencil{mark}").first).to_be_visible()


def test_what_cannot_be_is_not_offered(pad: Claims) -> None:
    pad.say("Cy", "S", "Cy")
    assert 0 not in pad.numbers(), "who holds the bower has that card besides the six"
    assert list(pad.numbers()) == list(range(1, 19))
    assert pad.numbers()[1] == "+6"
    pad.tap(pad.pick("bower", 4))
    assert list(pad.numbers()) == list(range(18)), "who has not the bower has not all the cards"
    pad.tap(pad.by_cards)
    assert not [card for card in pad.cards() if card.endswith("S")], "the six are the claim"
    assert "JC" not in pad.cards(), "Di holds it"
    assert len(pad.cards()) == 17
    pad.tap(pad.pick("bower", 3))
    assert pad.cards().count("JC") == 1
    assert len(pad.cards()) == 18
    expect(pad.page.locator(".nobody")).to_be_hidden()


#: What is posted beside Ann's claim of hearts with the bower at Bo's, and what is said to it.
IMPOSSIBLE = (
    ({"surplus": "19"}, "The number here can be 0 to 18."),
    ({"surplus": "-1"}, "The number here can be 0 to 18."),
    ({"surplus": "18"}, "at most 17 cards"),
    ({"surplus": "0", "bower": "1"}, "at least that one card"),
    ({"surplus": "2", "suit": "NT"}, "not one of the choices"),
    ({"surplus": "2", "claimer": "7"}, "in that seat cannot be chosen"),
    ({}, "other cards are still missing"),
    ({"card-9C": "true", "surplus": "2"}, "2 were counted"),
    ({"card-JD": "true"}, "nobody else can hold it"),
    ({"card-9C": "true", "bower": "1"}, "not among the cards"),
    ({"card-9H": "true"}, "the 10♥ is not there"),
    ({"surplus": "2", "given-up": "true"}, "was given up has no claim"),
)


@pytest.mark.allow_statuses(422)
def test_what_cannot_be_is_refused_when_it_is_posted_by_hand(pad: Claims) -> None:
    for step, reason in IMPOSSIBLE:
        fields = {"claimer": "1", "suit": "H", "bower": "2"} | step
        status, said = pad.page.evaluate(
            """async ([url, fields]) => {
              const key = `by-hand-${crypto.randomUUID()}`;
              const body = new URLSearchParams({ key, hand: 1, ask: 'claim', saw: '' });
              for (const [name, value] of Object.entries(fields)) body.set(`f-${name}`, value);
              const token = document.querySelector('[name=csrfmiddlewaretoken]').value;
              const headers = { Accept: 'application/json', 'X-CSRFToken': token };
              const response = await fetch(url, { method: 'POST', body, headers });
              return [response.status, await response.json()];
            }""",
            [pad.url("enter"), fields],
        )
        assert status == 422, step
        assert reason in json.dumps(said, ensure_ascii=False), step
        assert (1, "claim") not in pad.scorer.reading.entries


def test_cards_are_ticked_instead_of_counted(pad: Claims) -> None:
    pad.say("Di", "D", "Di")
    pad.tap(pad.by_cards)
    go = pad.page.locator(".besides .go:not(.none)")
    expect(go).to_have_attribute("aria-disabled", "true")
    for card in ("9C", "AS"):
        pad.tap(pad.card(card))
    expect(go).to_have_attribute("aria-disabled", "true")
    pad.tap(pad.card("JH"))
    expect(go).to_have_text("Save 3 more, +4", use_inner_text=True)
    before = pad.taps
    pad.tap(go)
    pad.rest()
    pad.is_saved()
    assert pad.taps - before == 1
    assert pad.totals() == {"Ann": 0, "Bo": 0, "Cy": 0, "Di": 4}
    step = pad.scorer.reading.entries[1, "claim"]
    assert {name for name, value in step.items() if value is True} == {"card-9C", "card-AS", "card-JH"}


def test_claim_of_the_six_alone_is_ticked_by_ticking_nothing(pad: Claims) -> None:
    pad.say("Di", "D", "Ann")
    pad.tap(pad.by_cards)
    pad.tap(pad.page.get_by_role("button", name="Nothing else: +9"))
    pad.rest()
    pad.is_saved()
    assert pad.scorer.reading.sheet.rows[0].points == {1: 3, 2: 0, 3: 0, 4: 9}


def test_claim_is_started_over_taken_back_and_written_again(pad: Claims) -> None:
    pad.say("Ann", "H", "Bo")
    pad.tap(pad.page.get_by_role("button", name="Start over"))
    assert pad.asked == "Who claims?"
    expect(pad.page.locator(".nobody")).to_be_visible()
    pad.claim("Bo", "C", "Bo", 3)
    pad.is_saved()
    assert pad.totals()["Bo"] == 4
    pad.tap(pad.back)
    pad.rest()
    pad.is_saved()
    assert pad.title == "Hand 1"
    pad.claim("Bo", "C", "Bo", 2)
    pad.is_saved()
    assert pad.totals()["Bo"] == 5


def test_shared_lead_past_the_target_is_played_on(pad: Claims) -> None:
    pad = Claims(pad.page, house_rules={"target": 3})
    pad.claim("Ann", "H", "Bo", 6)
    pad.is_saved()
    level = pad.page.get_by_text("Level at 3: play on until one leads alone.")
    expect(level).to_be_visible()
    pad.claim("Cy", "H", "Di", 0)
    pad.is_saved()
    expect(level).to_be_hidden()
    expect(pad.page.get_by_text("Cy takes rubber 1.")).to_be_visible()


# -- without network -----------------------------------------------------------------------------------


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
def test_deals_go_on_without_network_and_their_points_come_with_it(open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE, service_workers="allow")
    pad = Claims(page)
    pad.claim("Ann", "H", "Bo", 4)
    pad.is_saved()
    is_kept(page)
    unplug(page)
    pad.claim("Bo", "S", "Bo", 3)
    assert pad.title == "Hand 3"
    expect(page.locator(".top .facts")).to_contain_text("Cy deals")
    page.reload()
    assert pad.title == "Hand 3"
    pad.rest()
    pad.give_up()
    assert pad.title == "Hand 4"
    expect(page.locator(".top .line")).to_have_text("no connection: points of 2 hands come later")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    assert pad.totals() == {"Ann": 5, "Bo": 7, "Cy": 0, "Di": 0}
    assert [len(row.hand.steps) for row in pad.scorer.reading.sheet.rows] == [1, 1, 1]


# -- small, dark, read aloud, on paper -----------------------------------------------------------------

AMISS = """() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollHeight > innerHeight || page.scrollWidth > page.clientWidth) found.push('the page scrolls');
  for (const part of document.querySelectorAll('.phone, .top, .asks, .around, .claim, .pad, .facts, .strip')) {
    if (!part.checkVisibility()) continue;
    const scrolls = part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
    if (scrolls) found.push(`${part.className} scrolls`);
  }
  const controls = '#pad button, #pad a.button, #pad .pick, #pad .card-of, #pad .how';
  for (const part of document.querySelectorAll(controls)) {
    if (!part.checkVisibility()) continue;
    const at = part.getBoundingClientRect();
    const far = at.right <= innerWidth + 0.5 && at.bottom <= innerHeight + 0.5;
    const isInside = at.left >= -0.5 && at.top >= -0.5 && far;
    if (!isInside) found.push(`${part.textContent.trim()} lies outside`);
    if (at.width < 47.5 || at.height < 47.5) found.push(`${part.textContent.trim()} is ${at.width} x ${at.height}`);
    const hit = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
    if (isInside && !part.contains(hit)) found.push(`${part.textContent.trim()} lies under ${hit?.className}`);
  }
  for (const part of document.querySelectorAll('#pad *')) {
    const text = [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!text || !part.checkVisibility() || part.closest('.visually-hidden')) continue;
    if (parseFloat(getComputedStyle(part).fontSize) < 16.9) found.push(`${part.textContent.trim()} is small`);
  }
  return [...new Set(found)];
}"""


@pytest.mark.parametrize("players", [NAMES, LONG], ids=["short names", "names of 40 characters"])
def test_nothing_scrolls_and_nothing_is_too_small_by_day_and_by_night(
    phone: Page, axe_day_and_night: Callable[[Page], None], players: tuple[str, ...]
) -> None:
    page = phone
    pad = Claims(page, players)
    for seat in (1, 2):
        pad.scorer.enter_step(seat, "claim", {"claimer": seat, "suit": "H", "surplus": 0, "bower": 3})
    pad.load()

    def looks_well(when: str) -> None:
        is_still(page)
        for hour in ("dark", "light"):
            page.emulate_media(color_scheme=hour)
            assert page.evaluate(AMISS) == [], (when, hour)
        axe_day_and_night(page)

    looks_well("who claims")
    pad.negotiate()
    looks_well("a negotiation, and whether it is to ring")
    pad.tap(page.get_by_role("button", name="Yes"))
    looks_well("a negotiation")
    pad.say(players[0], "S", players[1])
    looks_well("how many")
    pad.tap(pad.pick("bower", 1))
    looks_well("how many, the bower among them")
    pad.tap(pad.by_cards)
    looks_well("which cards")


def test_it_works_without_script(plain_phone: Page) -> None:
    pad = Claims(plain_phone)
    page = plain_phone
    pad.tap(page.get_by_role("button", name="Negotiate"))
    expect(page.locator(".clock .until")).to_contain_text("until")
    expect(page.locator(".clock .called")).to_be_visible()
    pad.tap(page.get_by_role("button", name="End it"))
    expect(page.locator(".clock")).to_be_hidden()
    pad.say("Ann", "H", "Ann")
    pad.tap(pad.number(2))
    expect(page.locator("h1")).to_contain_text("Hand 2")
    assert pad.totals()["Ann"] == 5
    pad.give_up()
    expect(page.locator("h1")).to_contain_text("Hand 3")


def test_sheet_says_how_the_points_came_about_and_prints(desk: Page, axe: Callable[[Page], None]) -> None:
    pad = Claims(desk)
    pad.scorer.enter_step(1, "claim", {"claimer": 1, "suit": "H", "surplus": 3, "bower": 2})
    pad.scorer.enter_step(2, "claim", {"claimer": 2, "suit": "S", "surplus": 5, "bower": 2})
    pad.scorer.enter_step(3, "claim", {"given-up": True})
    desk.goto(pad.url("sheet"))
    rows = desk.locator("#sheet tbody")
    expect(rows.nth(0)).to_contain_text("9−3")
    expect(rows.nth(0)).to_contain_text("J♦")
    expect(rows.nth(1)).to_contain_text("9−3−4")
    expect(rows.nth(2)).to_contain_text("–")
    axe(desk)
    desk.emulate_media(media="print")
    expect(desk.locator(".key-to-rows")).to_be_visible()
    expect(desk.get_by_text("less 1 for each card besides the six")).to_be_visible()


def test_help_has_the_rules_and_the_house_rules_of_the_sheet(phone: Page, axe: Callable[[Page], None]) -> None:
    pad = Claims(phone, house_rules={"target": 7, "negotiation_minutes": 5})
    phone.goto(f"/sheets/{pad.code}/rules/")
    expect(phone.get_by_role("heading", name="The rules of Dirty Deals")).to_be_visible()
    expect(phone.locator("main")).to_contain_text("The bower of a suit is the other jack of its colour")
    expect(phone.locator("main")).to_contain_text("7 points, alone in the lead")
    axe(phone)
