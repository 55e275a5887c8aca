"""What the site tells browsers about itself with every page."""

import pytest
from django.test import Client

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
