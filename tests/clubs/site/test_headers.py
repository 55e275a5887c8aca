"""What the site tells browsers about itself with every page."""

import pytest
from django.test import Client
from django.urls import reverse

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from tests.club_factories import ClubFactory, UserFactory
from tests.clubs.visitors import signed_in
from tests.factories import opened

pytestmark = pytest.mark.django_db


def test_policy_allows_nothing_but_our_own_files(client: Client) -> None:
    policy = dict(part.strip().split(" ", 1) for part in client.get("/")["Content-Security-Policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "font-src": "'self'",
        "manifest-src": "'self'",
        "worker-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }


def test_address_of_a_page_does_not_travel_to_another_site(client: Client) -> None:
    response = client.get("/")
    assert response["Referrer-Policy"] == "same-origin"
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"


def test_front_page_needs_no_session(client: Client) -> None:
    assert "sessionid" not in client.get("/").cookies


def test_page_is_compressed_for_who_can_read_it(client: Client) -> None:
    response = client.get("/", headers={"accept-encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"
    assert int(response["Content-Length"]) == len(response.content)


def test_over_tls_every_cookie_is_one_that_no_other_host_can_set() -> None:
    club = ClubFactory(visibility="link")
    browser = Client(REMOTE_ADDR="192.0.2.1")
    browser.get("/account/login/", secure=True)
    browser.get(f"{club.get_absolute_url()}?key={club.key}", secure=True)
    assert set(browser.cookies) == {"__Host-csrftoken", f"__Host-club-{club.pk}"}
    for cookie in browser.cookies.values():
        assert cookie["secure"]
        assert cookie["path"] == "/"
        assert not cookie["domain"]
    assert browser.get(club.get_absolute_url(), secure=True).status_code == 200


def test_over_tls_nobody_is_signed_in_by_a_cookie_that_a_neighbour_could_set() -> None:
    browser = signed_in(UserFactory())
    session = browser.cookies.pop("sessionid").value
    account = reverse("account")
    for name, status in (("sessionid", 302), ("__Host-sessionid", 200)):
        browser.cookies.clear()
        browser.cookies[name] = session
        assert browser.get(account, secure=True).status_code == status
    gone = browser.post(reverse("account_logout"), secure=True)
    assert gone.cookies["__Host-sessionid"]["max-age"] == 0


def test_phone_that_kept_score_before_cookies_had_the_prefix_goes_on() -> None:
    secret, phone = "p" * 22, Client()
    table = opened(4, browser=hashed(secret))
    phone.cookies[BROWSER_COOKIE] = secret
    there = reverse("pad", args=[table.sheet.code])
    assert [phone.get(there, secure=is_tls).status_code for is_tls in (False, True)] == [200, 200]
    phone.cookies[f"__Host-{BROWSER_COOKIE}"] = "q" * 22
    assert phone.get(there, secure=True).status_code != 200
