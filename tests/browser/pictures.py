"""The pictures of README.md, made from the demo: `make pictures`.

It is a test like any other, so that a page that complains gives no picture. It is only run when asked for.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Page, expect

from clubs.demo import sheets as demo
from clubs.demo.club import demo_access
from clubs.models import Member, Night
from scoresheets.models import Sheet
from tests.browser.conftest import DESK, PHONE
from tests.browser.test_notices import PUSH_SERVICE
from tests.browser.waits import is_still, rested, wait_until
from tests.clubs.notices.hearing import Phone

#: The upper part of a sheet of A4 in CSS pixels.
A4 = {"width": 794, "height": 950}


@pytest.fixture
def links(transactional_db: None) -> dict[str, str]:
    call_command("demo", verbosity=0)
    return demo.links()


@pytest.fixture
def frame(project: Path) -> Callable[[Page, str], None]:
    """`frame(page, name)` puts what the window shows into fixtures/pictures, once it has come to rest."""

    def framed(page: Page, name: str) -> None:
        page.wait_for_load_state("networkidle")
        is_still(page)
        folder = project / "fixtures" / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png", animations="disabled", caret="hide")

    return framed


def bid(page: Page, number: int) -> None:
    """Whoever is next bids that number."""
    before = page.locator(".pad h2").inner_text()
    page.locator(f'.keys button[value="{number}"]').tap()
    wait_until(page, "before => document.querySelector('.pad h2')?.innerText !== before", before)
    # The pad takes two taps on one key in the same moment for one.
    rested(page)


def test_pictures_of_readme(links: dict[str, str], open_page: Callable[..., Page], frame: Callable[..., None]) -> None:
    phone = open_page(PHONE)
    phone.goto(links["keep"])
    phone.wait_for_url(re.compile(r"/pad/$"))
    forbidden = phone.locator(".keys .no")
    expect(phone.locator(".keys button").first).to_be_visible()
    while not forbidden.count():
        bid(phone, 1)
    frame(phone, "bids")

    # Of the demo alone: those of the demo club lead to their nights.
    finished = Sheet.objects.finished().get(game="dirty-dog", home="")
    phone.goto(reverse("result", args=[finished.code]))
    frame(phone, "result")


def test_pictures_of_other_games_and_paper(
    links: dict[str, str], open_page: Callable[..., Page], frame: Callable[..., None]
) -> None:
    keep = {game: keep for game, keep, _ in demo.links_of_others()}
    phone = open_page(PHONE)
    phone.goto(keep["Hotdog"])
    phone.wait_for_url(re.compile(r"/pad/$"))
    frame(phone, "hotdog")
    dark = open_page(PHONE, dark=True)
    dark.goto(keep["Dingo"])
    dark.wait_for_url(re.compile(r"/pad/$"))
    frame(dark, "dark")
    page = open_page({"viewport": A4})
    finished = Sheet.objects.finished().get(game="dirty-dog", home="")
    page.goto(reverse("sheet", args=[finished.code]))
    page.emulate_media(media="print")
    # The margin comes from the printer.
    page.evaluate("document.documentElement.style.padding = '24px'")
    frame(page, "paper")


def test_pictures_of_the_club(
    links: dict[str, str], open_page: Callable[..., Page], frame: Callable[..., None]
) -> None:
    access = demo_access()
    assert access
    phone = open_page(PHONE)
    phone.goto(access.path)
    phone.goto(reverse("club", args=["the-kennel"]))
    frame(phone, "club")
    tonight = Night.objects.order_by("on").last()
    assert tonight
    phone.goto(reverse("play_off", args=["the-kennel", tonight.pk]))
    frame(phone, "play_off")
    desk = open_page(DESK)
    desk.goto(access.path)
    desk.goto(reverse("standings", args=["the-kennel"]))
    frame(desk, "standings")


def test_pictures_of_a_link_and_of_the_big_screen(
    links: dict[str, str], open_page: Callable[..., Page], frame: Callable[..., None], project: Path
) -> None:
    watched = open_page(PHONE)
    watched.goto(links["watch"])
    picture = watched.locator('meta[property="og:image"]').get_attribute("content")
    assert picture
    # It is a file already.
    answer = watched.request.get(picture)
    assert answer.ok
    (project / "fixtures" / "pictures" / "preview.png").write_bytes(answer.body())
    access, tonight = demo_access(), Night.objects.order_by("on").last()
    assert access
    assert tonight
    wall = open_page({"viewport": {"width": 1920, "height": 1080}})
    wall.goto(access.path)
    wall.goto(reverse("wall", args=["the-kennel", tonight.pk]))
    frame(wall, "wall")


def test_picture_of_the_notices(
    links: dict[str, str], open_page: Callable[..., Page], frame: Callable[..., None]
) -> None:
    access = demo_access()
    assert access
    phone = open_page(PHONE, service_workers="allow")
    phone.add_init_script(PUSH_SERVICE.replace("KEYS", json.dumps(Phone().fields)))
    phone.goto(access.path)
    phone.goto(reverse("my_page", args=["the-kennel"]))
    plays = Member.objects.current().filter(club__slug="the-kennel", user__isnull=True, role="member", hidden=False)
    phone.get_by_role("button", name=plays[0].shown, exact=True).tap()
    expect(phone.get_by_role("heading", name="You are")).to_be_visible()
    phone.goto(reverse("my_notices", args=["the-kennel"]))
    phone.get_by_role("button", name="Tell me on this phone").tap()
    expect(phone.get_by_text("It shows notices.")).to_be_visible()
    phone.get_by_role("heading", name="On this phone").evaluate("heading => heading.parentElement.scrollIntoView()")
    frame(phone, "notices")
