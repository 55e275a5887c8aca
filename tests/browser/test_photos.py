"""A member adds a photo of the night on a phone, looks at it, and deletes it again."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import PHONE
from tests.browser.test_trophies import fits, sign_in
from tests.club_factories import ClubFactory, NightFactory


def a_photo(colour: str) -> dict[str, object]:
    """As a phone sends it: large enough that its way is shown."""
    file = io.BytesIO()
    Image.effect_noise((1200, 900), 60).convert("RGB").save(file, "JPEG", quality=95, comment=colour.encode())
    return {"name": f"{colour}.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()}


@pytest.mark.journey
def test_photo_of_a_night_is_added_looked_at_and_deleted_on_a_phone(
    open_page: Callable[..., Page], live_server: LiveServer, axe: Callable[[Page], None]
) -> None:
    club = ClubFactory(name="The Thursday Players", slug="thursday")
    night = NightFactory(club=club)
    phone = open_page(PHONE)
    sign_in(phone, club, live_server.url)
    phone.goto(night.get_absolute_url())
    for number, caption in ((1, ""), (2, "Ed shows all five of them, and nobody believes it")):
        phone.get_by_text("Add a photo").tap()
        phone.get_by_label("Photo", exact=True).set_input_files(a_photo(f"photo {number}"))
        phone.get_by_label("Caption").fill(caption)
        phone.get_by_role("button", name="Add photo").tap()
        expect(phone.locator(".photos img")).to_have_count(number)
    expect(phone.locator(".photos")).to_contain_text("nobody believes it")
    axe(phone)
    assert fits(phone)
    assert phone.locator(".photos img").first.evaluate("image => image.decode().then(() => image.naturalWidth)") == 480

    phone.get_by_role("link", name="Ed shows").tap()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Ed shows all five")
    axe(phone)
    assert fits(phone)
    phone.get_by_role("link", name="Previous").tap()
    expect(phone.get_by_text("1 of 2")).to_be_visible()
    phone.get_by_text("Delete this photo").tap()
    phone.get_by_role("button", name="Delete").tap()
    expect(phone.get_by_role("heading", name="Photos")).to_be_visible()
    expect(phone.locator(".photos img")).to_have_count(1)
    assert club.photos.get().caption.startswith("Ed shows")
