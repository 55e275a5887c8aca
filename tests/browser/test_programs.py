"""What organisers and web sites do with the interface for programs: a key, its page, a standing in a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from tests.browser.conftest import DESK, PHONE
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.clubs.visitors import account
from tests.ports import free_port


def organiser_of(club: Club, live_server: LiveServer, page: Page) -> None:
    client, _ = account(club, "organiser", name="Flo")
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])


@pytest.mark.journey
def test_organiser_makes_a_key_copies_it_and_revokes_it(
    live_server: LiveServer, open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    club = ClubFactory(name="The Trumps", slug="trumps", frame_origin="https://www.bakery.example")
    page = open_page(PHONE)
    organiser_of(club, live_server, page)
    page.goto("/clubs/trumps/settings/")
    page.get_by_role("link", name="For programs").click()
    page.get_by_label("What is the new key for?").fill("Our web site")
    page.get_by_role("button", name="Make a key").click()
    expect(page.get_by_text("you’ll only see this key once")).to_be_visible()
    expect(page.get_by_text("<iframe src=")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    axe_day_and_night(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status")).to_contain_text("Copied.")
    key = page.locator("#key").inner_text()
    answer = page.request.get("/api/v1/clubs/trumps/", headers={"Authorization": f"Bearer {key}"})
    assert answer.json()["name"] == "The Trumps"
    page.get_by_role("button", name="Revoke the key for Our web site").click()
    expect(page.get_by_text("No keys yet.")).to_be_visible()
    answer = page.request.get("/api/v1/clubs/trumps/", headers={"Authorization": f"Bearer {key}"})
    assert answer.status == 401


def test_page_about_the_interface_is_accessible_and_fits(
    open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    for device in (PHONE, DESK):
        page = open_page(device)
        page.goto("/api/")
        axe_day_and_night(page)
        assert page.evaluate("document.documentElement.scrollWidth") == device["viewport"]["width"]


@pytest.fixture
def bakery() -> Iterator[ThreadingHTTPServer]:
    """A web site of its own, whose only page shows in a frame what `frame` says."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f'<title>Bakery</title><iframe title="Standing" src="{vars(self.server)["frame"]}"></iframe>'
            self.send_response(200 if self.path == "/" else 204)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode() if self.path == "/" else b"")

        def log_message(self, *_: object) -> None:
            """Nothing is told of it."""

    with ThreadingHTTPServer(("127.0.0.1", free_port()), Site) as site:
        thread = Thread(target=site.serve_forever, daemon=True)
        thread.start()
        yield site
        site.shutdown()
        thread.join()


@pytest.mark.journey
def test_web_site_that_the_club_names_shows_its_standing(
    live_server: LiveServer, open_page: Callable[..., Page], bakery: ThreadingHTTPServer
) -> None:
    address = f"http://127.0.0.1:{bakery.server_port}"
    club = ClubFactory(name="The Trumps", slug="trumps", frame_origin=address)
    played(NightFactory(club=club), MemberFactory.create_batch(4, club=club))
    vars(bakery)["frame"] = f"{live_server.url}/clubs/trumps/standings/all-time/frame/"
    page = open_page(DESK)
    page.goto(address)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("row")).to_have_count(5)
    expect(frame.get_by_role("link", name="Everything about it")).to_have_attribute("target", "_blank")
