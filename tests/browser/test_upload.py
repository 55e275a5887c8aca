"""A large file shows how far it is, can be canceled, and says what is wrong with it in place."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Error, Page, Route, expect

from clubs.members.people import new_member
from clubs.models import Club, Member, Trophy
from tests.club_factories import ClubFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def club(phone: Page, client: Any, live_server: Any) -> Club:
    club = ClubFactory(name="Thursday", slug="thursday")
    ann = new_member(club, "Ann")
    Member.objects.filter(pk=ann.pk).update(user=UserFactory(), role="organiser")
    client.force_login(Member.objects.get(pk=ann.pk).user)
    cookie = client.cookies["sessionid"].value
    phone.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    return club


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    file = tmp_path / "cup.png"
    Image.effect_noise((1200, 900), 90).save(file)
    assert file.stat().st_size > 500_000
    return file


@pytest.mark.journey
def test_photo_on_a_slow_line_shows_how_far_it_is_and_can_be_canceled(
    phone: Page, club: Club, live_server: Any, photo: Path, axe: Callable[[Page], None]
) -> None:
    phone.goto(live_server.url + reverse("new_trophy", args=[club.slug]))
    phone.get_by_label("What it is called").fill("The Cup")
    phone.get_by_label("Or a photo of the trophy").set_input_files(photo)
    # A line on which nothing goes on.
    held: list[Route] = []
    phone.route("**/trophies/new/", lambda route: held.append(route))
    button = phone.get_by_role("button", name="Save").or_(phone.locator("button.go")).first
    button.click()
    expect(phone.locator(".upload p")).to_be_visible()
    expect(phone.get_by_role("progressbar", name="Upload")).to_be_visible()
    expect(button).to_be_disabled()
    axe(phone)
    phone.get_by_role("button", name="Cancel").click()
    expect(phone.get_by_role("status")).to_have_text("Canceled. Nothing was saved.")
    assert not Trophy.objects.exists()
    # Else a browser that is slow to cancel it sends it after all.
    for route in held:
        with suppress(Error):
            route.abort()
    phone.unroute("**/trophies/new/")
    button.click()
    expect(phone.get_by_role("heading", name="The Cup")).to_be_visible()
    assert Trophy.objects.get().picture


@pytest.mark.allow_statuses(422)
def test_what_is_wrong_with_a_large_file_is_said_in_place(
    phone: Page, club: Club, live_server: Any, photo: Path
) -> None:
    phone.goto(live_server.url + reverse("import_club", args=[club.slug]))
    phone.get_by_label("The club file").set_input_files(photo)
    phone.get_by_role("button", name="See what changes").click()
    expect(phone.get_by_role("alert")).to_contain_text("cannot be read")
    # The form is there again, and goes on working.
    phone.get_by_label("The club file").set_input_files(photo)
    phone.get_by_role("button", name="See what changes").click()
    expect(phone.locator(".upload")).to_have_count(0)
    expect(phone.get_by_role("alert")).to_contain_text("cannot be read")
