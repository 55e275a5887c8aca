"""The pictures of README.md, made from the demo: `make pictures`.

It is a test like any other, so that a page that complains gives no picture. It is only run when asked for.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Page, expect

from clubs.demo import sheets as demo
from scoresheets.models import Sheet
from tests.browser.conftest import DESK, PHONE
from tests.browser.pads import wait_until


@pytest.fixture
def links(transactional_db: None) -> dict[str, str]:
    call_command("demo", verbosity=0)
    return demo.links()


@pytest.fixture
def frame(project: Path) -> Callable[[Page, str], None]:
    """`frame(page, name)` puts what the window shows into fixtures/pictures, once it has come to rest."""

    def framed(page: Page, name: str) -> None:
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(700)
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
    page.wait_for_timeout(700)


def test_pictures_of_readme(links: dict[str, str], open_page: Callable[..., Page], frame: Callable[..., None]) -> None:
    watcher = open_page(DESK)
    watcher.goto(links["watch"])

    phone = open_page(PHONE)
    phone.goto(links["keep"])
    phone.wait_for_url(re.compile(r"/pad/$"))
    pad = phone.url
    forbidden = phone.locator(".keys .no")
    expect(phone.locator(".keys button").first).to_be_visible()
    while not forbidden.count():
        bid(phone, 1)
    frame(phone, "bids")
    frame(watcher, "watch")

    # The dealer bids one too many and takes one fewer: the hand comes out even, and they are set.
    dealer = phone.locator(".seats li.now .name bdi").inner_text()
    bid(phone, int(forbidden.inner_text()) + 1)
    phone.get_by_role("button", name=f"{dealer} one fewer").tap()
    expect(phone.locator(".read")).to_contain_text(f"Set: {dealer}")
    frame(phone, "tricks")
    phone.goto(pad.replace("/pad/", "/"))
    frame(phone, "sheet")

    # Of the demo alone: those of the demo club lead to their nights.
    finished = Sheet.objects.finished().get(game="dirty-dog", home="")
    phone.goto(reverse("result", args=[finished.code]))
    frame(phone, "result")
