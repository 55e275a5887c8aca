"""What an organiser decides about a play-off by hand, on a phone: a tie, a correction after the draw, cards."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Ruling, Stage
from tests.browser.conftest import PHONE
from tests.clubs.play_offs.evening import play_off
from tests.clubs.play_offs.test_corrections import put_right

LOOK = os.environ.get("LOOK", "")


def seen(page: Page, name: str) -> None:
    """The page fits a phone; where somebody wants to look at it, by night too."""
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"], name
    if LOOK:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.screenshot(path=f"{LOOK}/{name}-{scheme}.png", full_page=True)
        page.emulate_media(color_scheme="light")


@pytest.mark.journey
def test_an_organiser_rules_answers_a_correction_and_notes_cards(
    live_server: LiveServer, open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    evening = play_off([5, 4], places=2)
    session = evening.organiser().cookies[settings.SESSION_COOKIE_NAME].value
    page = open_page(PHONE)
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    first, second = evening.groups
    evening.finish(first, [20, 9, 9, 4, -3])
    evening.finish(second, [12, 10, 3, -8])

    page.goto(evening.url("rule_cut", first.pk))
    seen(page, "tie")
    axe_day_and_night(page)
    page.get_by_role("radio", name="Cy").check()
    page.get_by_label("Why?").fill("They have to catch a train")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("They have to catch a train")).to_be_visible()
    page.goto(evening.url("rule_cut", first.pk))
    seen(page, "tie-ruled")

    evening.open_next()
    evening.play(evening.final(), [1, 2, 3, 4], hands=2)
    put_right(first, Di=20)
    page.goto(evening.url("play_off_moves"))
    expect(page.get_by_text("the winners’ table has 2 hands played")).to_be_visible()
    seen(page, "moves")
    axe_day_and_night(page)
    page.get_by_label("Why?").fill("Di’s bid was typed wrong")
    page.get_by_role("button", name="Draw again").click()
    expect(page.get_by_text("Di’s bid was typed wrong")).to_be_visible()
    assert sorted(evening.names_at(evening.final())) == ["Ann", "Di", "Flo", "Gus"]
    page.goto(evening.url("change_ruling", Ruling.objects.latest("pk").pk))
    seen(page, "ruling")
    axe_day_and_night(page)

    evening.finish(evening.final(), [7, 8, 9, 10])
    evening.finish(evening.final(Stage.Side.LOSERS), [1, 2, -5, -5, 3])
    page.goto(evening.url("draw_cards"))
    seen(page, "cards")
    axe_day_and_night(page)
    for ranks, rank in zip(page.locator("fieldset.drawing").all(), ("K", "4"), strict=True):
        ranks.get_by_role("radio", name=rank, exact=True).check()
    page.get_by_role("button", name="Save the cards").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Play-off")
    seen(page, "play-off")
    page.goto(evening.url("call_off"))
    seen(page, "call-off")
    axe_day_and_night(page)
