"""A member finds themselves in the standings on their phone; an organiser makes a season, locks it, and corrects it."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from clubs.standings.store import keep_standings
from tests.browser.conftest import DESK, PHONE
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, scored

LONG = "Theodora-Wilhelmina Featherstonehaugh-Vi"
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Joe", "Kit", LONG]


@pytest.fixture
def club(transactional_db: None) -> Club:
    """Twelve people; the first are ahead by far, the last has the longest name."""
    club = ClubFactory(name="The Thursday Club", slug="thursday")
    members = [MemberFactory(club=club, name=name) for name in NAMES]
    today = timezone.localdate()
    for back in (21, 14, 7):
        night = NightFactory(club=club, on=today - datetime.timedelta(days=back))
        for half in (members[:6], members[6:]):
            scored(night, [(member, 60 - 10 * k - back % 5) for k, member in enumerate(half)], hands=14, boxes=2)
    keep_standings(club)
    return club


def go_as(page: Page, live_server: LiveServer, name: str, value: str) -> None:
    page.context.add_cookies([{"name": name, "value": value, "url": live_server.url}])


def organiser(club: Club) -> str:
    """The session of somebody who organises."""
    user = UserFactory()
    Member.objects.filter(club=club, name="Ann").update(user=user, role="organiser")
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.journey
@pytest.mark.parametrize("width", [1152, 1280])
def test_no_column_hangs_out_of_the_standings_of_one_game(
    club: Club, live_server: LiveServer, open_page: Callable[..., Page], width: int
) -> None:
    page = open_page({"viewport": {"width": width, "height": 800}})
    go_as(page, live_server, f"club-{club.pk}", f"{club.key}.0")
    page.goto("/clubs/thursday/standings/")
    expect(page.get_by_role("columnheader", name="Average")).to_be_visible()
    over = "box => box.querySelector('table').getBoundingClientRect().right - box.getBoundingClientRect().right"
    assert page.locator(".sorted").evaluate(over) <= 0


@pytest.mark.journey
def test_member_finds_themselves_on_their_phone_and_what_is_behind_their_figures(
    club: Club, live_server: LiveServer, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    page = open_page(PHONE | {"viewport": {"width": 360, "height": 664}})
    me = club.members.get(name=LONG)
    go_as(page, live_server, f"club-{club.pk}", f"{club.key}.{me.pk}")
    page.goto("/clubs/thursday/standings/")
    expect(page.get_by_text("11th with Flo, tied with Kit")).to_be_visible()
    mine = page.locator("tr.mine")
    expect(mine).to_have_count(1)
    expect(mine.get_by_role("cell").first).to_be_in_viewport(ratio=0.5)
    fits(page)
    axe(page)
    page.get_by_role("link", name="All columns").tap()
    expect(page.get_by_role("columnheader", name="Boxes")).to_be_visible()
    fits(page)
    axe(page)
    mine.get_by_role("link", name="in the circle").tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("What counts")
    expect(page.get_by_role("row")).to_have_count(4)
    fits(page)
    axe(page)


def test_desk_shows_everything_and_sorts_by_any_column(
    club: Club, live_server: LiveServer, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    page = open_page(DESK, dark=True)
    page.goto("/clubs/thursday/standings/")
    head = page.get_by_role("columnheader", name="Boxes")
    expect(head).to_be_visible()
    head.get_by_role("link").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    head.get_by_role("link").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    fits(page)
    axe(page)


@pytest.mark.allow_statuses(422)
def test_organiser_makes_a_season_locks_it_and_takes_a_correction_over(
    club: Club, live_server: LiveServer, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    page = open_page(PHONE)
    go_as(page, live_server, settings.SESSION_COOKIE_NAME, organiser(club))
    today = timezone.localdate()
    page.goto("/clubs/thursday/seasons/")
    axe(page)
    page.get_by_role("link", name="A new season").tap()
    page.get_by_label("From").fill((today - datetime.timedelta(days=30)).isoformat())
    page.get_by_label("To", exact=True).fill((today - datetime.timedelta(days=1)).isoformat())
    page.get_by_text("Raw score").tap()
    page.get_by_label("Dirty Dog").check()
    expect(page.get_by_label("Points for the first place")).to_be_hidden()
    page.get_by_role("button", name="Create season").tap()
    expect(page.get_by_text("What is the season called?").last).to_be_visible()
    expect(page.get_by_role("radio", name="Raw score")).to_be_checked()
    axe(page)
    page.get_by_label("What is it called?").fill("Spring")
    page.get_by_role("button", name="Create season").tap()
    expect(page.get_by_label("Standings").locator("[aria-current=page]")).to_have_text("Spring")
    page.get_by_role("link", name="All seasons").tap()
    page.get_by_text("For organisers").first.tap()
    page.get_by_role("link", name="Lock").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lock the season")
    axe(page)
    page.get_by_role("button", name="Lock Spring").tap()
    expect(page.get_by_text("They agree with the sheets.")).to_be_visible()

    bo = club.members.get(name="Bo")
    night = club.nights.order_by("on").last()
    scored(night, [(bo, 500)])  # type: ignore[arg-type]
    keep_standings(club, [bo])
    page.goto("/clubs/thursday/seasons/")
    page.get_by_role("link", name="See what would change").tap()
    expect(page.get_by_text("place 3 → 1")).to_be_visible()
    fits(page)
    axe(page)
    page.get_by_role("button", name="Apply").tap()
    expect(page.get_by_text("They agree with the sheets.")).to_be_visible()

    page.goto("/clubs/thursday/seasons/")
    page.get_by_text("For organisers").first.tap()
    page.get_by_role("link", name="What if").first.tap()
    page.get_by_text("Games won", exact=True).tap()
    page.get_by_role("button", name="Show it").tap()
    expect(page.get_by_role("heading", name="Games won: Spring")).to_be_visible()
    fits(page)
    axe(page)
