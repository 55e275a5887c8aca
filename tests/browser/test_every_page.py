"""Every page of a club as its organiser opens it on a phone: accessible, no wider than the screen, no complaint."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.urls import get_resolver
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import ONLY_TARGETS, PHONE, see_with_axe
from tests.clubs.access.test_who_may import routes
from tests.clubs.full_club import FullClub

#: Parts of the list, for tests that run beside one another.
PARTS = 4
#: Pages of accounts: they come from django-allauth, with our templates.
ACCOUNTS = ("/account/login/code/", "/account/login/", "/account/email/", "/account/password/set/")
SMALLEST = {"viewport": {"width": 360, "height": 640}}


def pages(full_club: FullClub, visitor: str = "organiser", below: tuple[str, ...] = ("/clubs/", "/join/")) -> list[str]:
    """The addresses below those that are pages which the visitor may open; feeds, files and fragments are none."""
    client, found = full_club.browser(visitor), []
    for route, name in routes(get_resolver("clubs.urls")):
        if route.startswith(below):
            answer = client.get(full_club.address(route), full_club.more(name, "GET"))
            if answer.status_code == 200 and not answer.streaming and b"<html" in answer.content:
                found.append(answer.wsgi_request.get_full_path())
    return found


@pytest.mark.journey(seconds=15)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_of_a_club_is_accessible_and_fits(
    part: int, live_server: LiveServer, open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    full_club = FullClub()
    full_club.trophy.put_picture(None)
    full_club.trophy.save()
    addresses = [*ACCOUNTS, *pages(full_club)]
    assert len(addresses) > 50
    page = open_page(PHONE | SMALLEST)
    session = full_club.cookies["organiser"][settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    wide = []
    for address in addresses[part::PARTS]:
        page.goto(address)
        axe_day_and_night(page)
        see_with_axe(page, ONLY_TARGETS, when="with the bar")
        # A phone makes its window wider for what hangs out: it is not compared with that.
        if page.evaluate("document.documentElement.scrollWidth") > SMALLEST["viewport"]["width"]:
            wide.append(address)
    assert wide == []
