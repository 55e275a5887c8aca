"""The front page and the help pages of every game: on a phone and a desk, by day and by night."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from rules import all_games
from tests.browser.conftest import phone_by_day_desk_by_night
from tests.browser.pads import Pad

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


def scrolls_sideways(page):
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@GAMES
def test_help_of_every_game_is_accessible_and_never_scrolls_sideways(phone, axe, game):
    for which in ("Rules", "Words"):
        phone.goto("/")
        for hour in phone_by_day_desk_by_night(phone):
            assert not scrolls_sideways(phone), hour
        phone.get_by_role("link", name=f"The {which.lower()} of {game.name}").click()
        expect(phone.get_by_role("heading", level=1)).to_have_text(f"The {which.lower()} of {game.name}")
        for hour in phone_by_day_desk_by_night(phone):
            axe(phone)
            assert not scrolls_sideways(phone), hour


@GAMES
def test_rules_stand_beside_the_hand_that_is_played_in_every_game(phone, axe, game):
    pad = Pad(phone, game=game.slug, hands=1)
    phone.goto(pad.url("rules_page"))
    expect(phone.get_by_role("heading", name="Hand 2")).to_be_visible()
    axe(phone)
    assert not scrolls_sideways(phone)
    phone.get_by_role("link", name="Back to the table").first.tap()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("2")


def test_front_page_leads_to_every_game(phone, axe):
    phone.goto("/")
    axe(phone)
    for game in all_games():
        phone.goto("/")
        phone.locator(f".opens[href$='game={game.slug}']").tap()
        expect(phone.locator(f"input[name=game][value={game.slug}]")).to_be_checked()
        expect(phone.locator("#game")).to_contain_text(game.name)
