"""The people of a club in a real browser: an organiser with their phone, and somebody who comes by their code."""

from collections.abc import Callable
from importlib import import_module

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from playwright.sync_api import Page, expect

from clubs.members.people import claim_code, new_guest
from clubs.models import Club, User
from tests.browser.conftest import DESK, PHONE
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "Bartholomew of Hohenzollern-Sigmaringen"


def sign_in(page: Page, base: str, user: User) -> None:
    """The cookie that signing in would leave."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key, "url": base}])


def fits(page: Page) -> None:
    """Nothing hangs over the edge."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url


@pytest.fixture
def club() -> Club:
    return ClubFactory(name="The Nine of Clubs", slug="nine-of-clubs", visibility="link")


@pytest.mark.journey(seconds=15)
@pytest.mark.allow_statuses(409)
def test_somebody_comes_in_by_a_code_and_is_made_one_with_who_they_were(
    club: Club, live_server: object, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    base = live_server.url  # type: ignore[attr-defined]
    user = UserFactory()
    MemberFactory(club=club, name="Flo", user=user, role="organiser")
    flo, ann = open_page(PHONE | {"viewport": {"width": 360, "height": 640}}), open_page(PHONE, dark=True)
    sign_in(flo, base, user)

    def looked_at(page: Page, heading: str = "") -> None:
        """Look the page over, once it shows this heading: a tap does not wait for the page that it leads to."""
        if heading:
            expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        fits(page)
        axe(page)

    # The list of a paper book, typed in.
    flo.goto("/clubs/nine-of-clubs/members/")
    flo.get_by_label("Names, one on each line").fill(f"Ann\nBo\n{LONG}")
    flo.get_by_role("button", name="Next").click()
    looked_at(flo, "Check the names")
    flo.get_by_role("button", name="Save").click()
    expect(flo.get_by_role("listitem").filter(has_text=LONG)).to_be_visible()
    looked_at(flo)

    # A code for the wall; somebody scans it and waits.
    flo.get_by_role("link", name="Invite by link or QR code").click()
    looked_at(flo, "Invite somebody")
    flo.get_by_role("button", name="Create invitation").click()
    expect(flo.locator("svg.qr")).to_be_visible()
    looked_at(flo)
    ann.goto(flo.locator(".address").inner_text())
    looked_at(ann)
    ann.get_by_label("Your name").fill("ann")
    ann.get_by_role("button", name="Ask to join").click()
    expect(ann.get_by_text("you have asked to join")).to_be_visible()
    looked_at(ann)

    # This is the Ann of the book.
    flo.goto("/clubs/nine-of-clubs/members/")
    looked_at(flo)
    flo.get_by_role("button", name="Yes, it is Ann").click()
    expect(flo.get_by_role("heading", name="Asking to join")).to_be_hidden()
    # The other page has heard of it by itself.
    ann.wait_for_url("**/clubs/nine-of-clubs/")
    ann.goto("/clubs/nine-of-clubs/members/")
    expect(ann.locator("li.mine")).to_contain_text("Ann")
    expect(ann.locator("li.mine")).to_contain_text("you")
    looked_at(ann)
    ann.get_by_role("link", name="You are Ann").click()
    looked_at(ann, "You are Ann")

    # This member was a guest before; without an account an organiser looks at it.
    night = NightFactory(club=club)
    guest = new_guest(club, "Annie", night)
    played(night, [guest, *MemberFactory.create_batch(3, club=club)])
    book = club.members.filter(name="Ann").order_by("pk")[0]
    sheet = played(night, [book, *MemberFactory.create_batch(3, club=club)], hands=1).sheet
    assert sheet
    sheet.home = club.get_absolute_url()
    sheet.save()
    ann.goto(f"/watch/{sheet.watch}/")
    expect(ann.locator("#sheet thead th.me")).to_contain_text("Ann")
    looked_at(ann)
    ann.go_back()
    ann.get_by_role("link", name="I was a guest before").click()
    ann.get_by_label("The code").fill(claim_code(guest).lower())
    ann.get_by_role("button", name="Look it up").click()
    expect(ann.get_by_text("place 1 of 4")).to_be_visible()
    looked_at(ann)
    ann.get_by_role("button", name="That was me").click()
    expect(ann.get_by_text("An organiser now checks")).to_be_visible()

    # Both side by side, one, and two again.
    flo.goto("/clubs/nine-of-clubs/members/")
    flo.get_by_role("link", name="Compare").click()
    expect(flo.get_by_role("table")).to_contain_text("1, 1 won")
    looked_at(flo)
    flo.get_by_role("button", name="Merge").click()
    expect(flo.get_by_role("listitem").filter(has_text="counts as Ann").filter(has_text="Annie")).to_be_visible()
    looked_at(flo)
    flo.get_by_role("button", name="Undo merging Annie with Ann").click()
    expect(flo.get_by_role("button", name="Undo merging Annie with Ann")).to_be_hidden()

    # The name is hidden, on the pages of everybody else.
    flo.get_by_role("button", name="Hide the name").click()
    expect(flo.get_by_text("others see Somebody")).to_be_visible()
    ann.goto("/clubs/nine-of-clubs/members/")
    expect(ann.locator("li.mine")).to_contain_text("Somebody")
    desk = open_page(DESK)
    sign_in(desk, base, user)
    desk.goto(flo.url)
    looked_at(desk)
