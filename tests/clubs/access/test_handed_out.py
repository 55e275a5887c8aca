"""Every address that a club hands out, and what it answers to whom: nobody has a cookie from before.

Who made the address is an organiser; who opens it is somebody else, on another phone, in an email program or in a chat.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import quote, unquote, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from clubs.access import club_key
from clubs.access.club_key import KEY
from clubs.access.visit import COOKIE
from clubs.models import Club
from tests.club_factories import ClubFactory, UserFactory
from tests.clubs.night_played import Evening, an_evening
from tests.clubs.visitors import signed_in

pytestmark = pytest.mark.django_db

HOST = "http://testserver"
#: What makes a preview of a link in a chat: it keeps no cookies and follows what it is told.
UNFURLER = "Mozilla/5.0 (compatible; Twitterbot/1.0)"
ASKED_FOR_LINK, SIGN_IN = "Ask somebody in the club for the link", "/account/login/code/?next="


def in_mail(evening: Evening) -> str:
    page = unescape(evening.organiser().get(evening.page).text)
    (mail,) = re.findall(r'href="(mailto:[^"]+)"', page)
    return address_in(unquote(mail))


def to_be_copied(evening: Evening) -> str:
    page = unescape(evening.organiser().get(evening.page).text)
    (lines,) = re.findall(r'<pre class="card five-lines"[^>]*>(.*?)</pre>', page, re.DOTALL)
    return address_in(lines)


def in_mail_of_control_page(evening: Evening) -> str:
    page = unescape(evening.organiser().get(evening.control).text)
    (mail,) = re.findall(r'href="(mailto:[^"]+)"', page)
    return address_in(unquote(mail))


def in_calendar(evening: Evening) -> str:
    answer = evening.organiser().get(reverse("calendar", args=[evening.club.calendar_key]))
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    return str(event["url"])


def on_qr_code(evening: Evening) -> str:
    return evening.organiser().get(evening.url("club_qr_code")).context["address"]  # type: ignore[index, no-any-return]


def by_share_button(evening: Evening) -> str:
    page = unescape(evening.organiser().get(evening.page).text)
    (address,) = re.findall(r'data-share-page="([^"]+)"', page)
    return address


def address_in(text: str) -> str:
    (address,) = re.findall(rf"{HOST}[^\s<]+", text)
    return address


HANDED_OUT: dict[str, Callable[[Evening], str]] = {
    "the mail about a night": in_mail,
    "the mail from the control page": in_mail_of_control_page,
    "the lines to copy": to_be_copied,
    "the calendar": in_calendar,
    "the QR code of the club": on_qr_code,
    "the Share button": by_share_button,
}
handed_out = pytest.mark.parametrize("address_of", HANDED_OUT.values(), ids=HANDED_OUT)


def finished_night(visibility: str) -> Evening:
    evening = an_evening(visibility=visibility)
    evening.table(hands=None)
    evening.night.closed_at = timezone.now()
    evening.night.save()
    return evening


def opened(client: Client, address: str) -> HttpResponse:
    """The page that comes in the end."""
    assert address.startswith(HOST)
    return client.get(address.removeprefix(HOST), follow=True)  # type: ignore[return-value]


@pytest.mark.thorough(but=2)
@handed_out
@pytest.mark.parametrize("visibility", ["link", "public"])
def test_opens_without_a_cookie_and_goes_on_from_there(address_of: Callable[[Evening], str], visibility: str) -> None:
    evening = finished_night(visibility)
    somebody = Client()
    assert "The Trumps" in opened(somebody, address_of(evening)).text
    for name in ("club", "standings", "trophies"):
        assert somebody.get(evening.url(name)).status_code == 200, name


#: The code of the club leads to the club, and the browser remembers its key on the way.
PAGES = {what: address_of for what, address_of in HANDED_OUT.items() if address_of is not on_qr_code}


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("address_of", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("visibility", ["link", "public"])
def test_is_the_page_itself_for_what_keeps_no_cookies(address_of: Callable[[Evening], str], visibility: str) -> None:
    address = address_of(finished_night(visibility))
    assert "The Trumps" in Client(headers={"User-Agent": UNFURLER}).get(address.removeprefix(HOST)).text


@pytest.mark.thorough(but=2)
@handed_out
def test_of_a_members_club_leads_to_signing_in_and_then_there(address_of: Callable[[Evening], str]) -> None:
    evening = finished_night("members")
    address = address_of(evening).removeprefix(HOST)
    asked = Client().get(address, follow=True)
    assert "Ann" not in asked.text
    if address_of is not on_qr_code:
        assert asked.status_code == 403
        assert f'href="{SIGN_IN}{quote(address)}"' in unescape(asked.text)
    member = evening.members[0]
    member.user = UserFactory()
    member.save()
    assert "Ann" in signed_in(member.user).get(address, follow=True).text


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("address_of", PAGES.values(), ids=PAGES)
def test_of_a_members_club_tells_its_name_and_nothing_else(address_of: Callable[[Evening], str]) -> None:
    """Who has the address was given it by somebody in the club; who guesses one learns nothing."""
    evening = finished_night("members")
    address = address_of(evening).removeprefix(HOST)
    page = Client().get(address)
    assert "<h1>The Trumps</h1>" in page.text
    assert "Its pages are for its members. Sign in" in page.text
    assert not Client().get(address).cookies
    stranger = signed_in(UserFactory()).get(address)
    assert "belongs to none of them" in stranger.text
    without_key, never_was = (Client().get(path).text for path in (address.partition("?")[0], "/clubs/never-was/"))
    assert "The Trumps" not in without_key
    assert without_address(without_key) == without_address(never_was)


def without_address(page: str) -> str:
    """The page but for the address to which signing in leads."""
    return re.sub(r"next=[^\"]*", "", page)


def test_who_comes_without_the_key_is_told_what_to_ask_for() -> None:
    evening = finished_night("link")
    for name in ("club", "standings", "members"):
        answer = Client().get(evening.url(name))
        assert answer.status_code == 403
        assert ASKED_FOR_LINK in answer.text
        assert "The Trumps" not in answer.text
    stranger = signed_in(UserFactory()).get(evening.page)
    assert "The account you are signed in with belongs to no member here" in stranger.text


def test_programs_are_told_too() -> None:
    answer = Client().get(an_evening(visibility="link").page, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (403, "not-shown")


# What the key does, and what it does not


def with_key(evening: Evening, key: str = "") -> str:
    return f"{evening.page}?{KEY}={key or evening.club.key}"


def test_key_stays_a_secret() -> None:
    """No page that it leads to is told the address by the browser, and no cookie can be read by a script.

    In the page it is for what makes previews, which keeps no cookie, and for the Share button.
    """
    evening = finished_night("link")
    somebody = Client()
    answer = somebody.get(with_key(evening))
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert somebody.cookies[COOKIE.format(evening.club.pk)]["httponly"]
    lines = [line for line in answer.text.splitlines() if evening.club.key in line]
    assert all('"og:' in line or "data-share-page=" in line or "<input readonly" in line for line in lines)


def test_who_comes_again_stays_who_they_said_they_are() -> None:
    evening = finished_night("link")
    somebody, cookie = Client(), COOKIE.format(evening.club.pk)
    somebody.cookies[cookie] = "an-old-key.7"
    somebody.get(with_key(evening))
    assert somebody.cookies[cookie].value == f"{evening.club.key}.7"


def test_old_key_says_so_and_is_counted() -> None:
    evening = finished_night("link")
    old = with_key(evening)
    Club.objects.update(key="n" * 22)
    somebody = Client()
    answers = [somebody.get(old) for _ in range(31)]
    assert "This link does not open the club" in answers[0].text
    assert [answer.status_code for answer in answers] == [403] * 30 + [429]
    assert somebody.get(f"{evening.page}?{KEY}={'n' * 22}").status_code == 200


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("wrong", ["", "x", "x" * 22, "%00", "é", "' OR 1=1 --"])
def test_wrong_key_shows_nothing_and_takes_nothing_away(wrong: str) -> None:
    evening = finished_night("link")
    assert Client().get(evening.page, {KEY: wrong}).status_code == 403
    somebody = Client()
    somebody.get(with_key(evening))
    assert somebody.get(evening.page, {KEY: wrong}).status_code == 200


def test_key_of_a_members_club_opens_nothing() -> None:
    evening = finished_night("members")
    somebody = Client()
    assert somebody.get(with_key(evening)).status_code == 403
    assert not somebody.cookies


def test_key_of_a_public_club_is_remembered() -> None:
    """It opens nothing, and lets a phone answer for who uses it."""
    evening = finished_night("public")
    somebody = Client()
    assert somebody.get(with_key(evening)).status_code == 200
    assert somebody.cookies[COOKIE.format(evening.club.pk)].value == f"{evening.club.key}.0"


def test_key_of_one_club_opens_no_other() -> None:
    """It leads to the club that it is of, as from an address of none."""
    evening, other = finished_night("link"), finished_night("link")
    somebody = Client()
    answer = somebody.get(with_key(evening, other.club.key))
    assert urlsplit(answer["Location"]).path == evening.page.replace(evening.club.slug, other.club.slug)
    assert somebody.get(evening.page).status_code == 403


def test_key_of_one_club_leads_away_from_no_other_that_is_shown() -> None:
    evening, other = finished_night("public"), finished_night("link")
    assert Client().get(with_key(evening, other.club.key)).status_code == 200


def test_address_from_before_the_club_had_another_one_leads_there() -> None:
    evening = finished_night("link")
    old = with_key(evening)
    Club.objects.update(slug="new-name")
    answer = Client().get(old, follow=True)
    assert answer.status_code == 200
    assert urlsplit(answer.redirect_chain[0][0]).path == f"/clubs/new-name/nights/{evening.night.pk}/"  # type: ignore[attr-defined]


def test_address_without_a_key_asks_the_database_no_more(django_assert_num_queries: Callable[[int], object]) -> None:
    evening = finished_night("public")
    client = Client()
    client.get(evening.page)
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        Client().get("/clubs/never-was/")


@pytest.mark.parametrize("path", ["/clubs/", "/clubs/found/", "/clubs/found/organiser/"])
def test_key_at_an_address_of_no_club_leads_nowhere_else(path: str) -> None:
    """It led in a circle, and away from founding a club."""
    answer = Client().get(path, {KEY: finished_night("link").club.key})
    assert answer.headers.get("Location", "").partition("?")[0] in ("", "/account/login/code/")


@pytest.mark.parametrize(("address", "expected"), [
    ("/clubs/trumps/nights/3/", "/clubs/trumps/nights/3/?key=KEY"),
    ("/clubs/trumps/?season=2#table", "/clubs/trumps/?season=2&key=KEY#table"),
    ("/clubs/trumpet/", "/clubs/trumpet/"),
    ("/watch/abc/", "/watch/abc/"),
    ("/coming/abc/#night-3", "/coming/abc/#night-3"),
])  # fmt: skip
def test_only_pages_of_the_club_itself_have_its_key(address: str, expected: str) -> None:
    club = ClubFactory(slug="trumps", visibility="link")
    site = "https://cards.example"
    assert club_key.with_key(club, f"{site}{address}") == f"{site}{expected}".replace("KEY", club.key)
    assert club_key.handed_out(club, f"{site}{address}") == club_key.with_key(club, f"{site}{address}")
    club.visibility = "public"
    assert club_key.handed_out(club, f"{site}{address}") == f"{site}{address}"
