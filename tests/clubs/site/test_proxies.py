"""Which address a request came from, as far as trusted proxies tell."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from clubs.server.environ import environ_of
from clubs.site.proxies import TrustedProxies, behind_proxies

PROXIES = TrustedProxies(["127.0.0.1", "10.0.0.0/8", "fd00::/8"])


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        pytest.param("127.0.0.1", "203.0.113.9", "203.0.113.9", id="one-proxy"),
        pytest.param("127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9", id="what-the-client-wrote-counts-not"),
        pytest.param("127.0.0.1", "203.0.113.9, 10.1.2.3", "203.0.113.9", id="two-proxies"),
        pytest.param("127.0.0.1", "203.0.113.9:4711", "203.0.113.9", id="with-a-port"),
        pytest.param("127.0.0.1", "[2001:db8::1]:4711", "2001:db8::1", id="long-address-with-a-port"),
        pytest.param("::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9", id="proxy-by-its-mapped-address"),
        pytest.param("127.0.0.1", "unknown, 10.1.2.3", "10.1.2.3", id="no-address"),
        pytest.param("127.0.0.1", "", "127.0.0.1", id="no-header"),
        pytest.param("203.0.113.1", "198.51.100.1", "203.0.113.1", id="stranger-is-not-believed"),
    ],
)
def test_client_is_the_last_that_a_trusted_proxy_wrote(peer: str, forwarded: str, client: str) -> None:
    assert PROXIES.client(peer, forwarded) == client


def test_everybody_is_believed_where_the_owner_says_so() -> None:
    assert TrustedProxies(["*"]).client("203.0.113.1", "198.51.100.1") == "198.51.100.1"


@pytest.mark.parametrize(("peer", "scheme"), [("127.0.0.1", "https"), ("203.0.113.1", "http")])
def test_scheme_is_taken_from_a_trusted_proxy_alone(peer: str, scheme: str) -> None:
    heard: dict[str, Any] = {}

    def site(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        heard.update(environ)
        return []

    environ = {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_PROTO": "https", "wsgi.url_scheme": "http"}
    behind_proxies(site, PROXIES)(environ, None)
    assert heard["wsgi.url_scheme"] == scheme


def scope(*headers: tuple[str, str], **more: Any) -> Any:
    given = {
        "method": "GET", "path": "/", "query_string": "", "http_version": "1.1", "scheme": "http", "authority": None,
        "client": "127.0.0.1:4711", "server": "127.0.0.1:8000", "headers": SimpleNamespace(items=lambda: headers),
    }  # fmt: skip
    return SimpleNamespace(**given | more)


def test_header_with_an_underscore_is_not_the_one_with_a_hyphen() -> None:
    environ = environ_of(scope(("x-forwarded-for", "203.0.113.9"), ("x_forwarded_for", "198.51.100.1")))
    assert environ["HTTP_X_FORWARDED_FOR"] == "203.0.113.9"
    assert "HTTP_X_FORWARDED_FOR" not in environ_of(scope(("x_forwarded_for", "198.51.100.1")))


def test_environment_is_the_one_of_the_standard() -> None:
    headers = (("content-type", "text/plain"), ("cookie", "a=1"), ("cookie", "b=2"), ("accept", "a"), ("accept", "b"))
    environ = environ_of(
        scope(*headers, path="/clubs/ärger/", client="[2001:db8::1]:9", authority="cards.example.org", method="POST")
    )
    assert environ["PATH_INFO"] == "/clubs/ärger/".encode().decode("latin-1")
    assert environ["REMOTE_ADDR"] == "2001:db8::1"
    assert environ["CONTENT_TYPE"] == "text/plain"
    assert environ["HTTP_COOKIE"] == "a=1; b=2"
    assert environ["HTTP_ACCEPT"] == "a,b"
    assert environ["HTTP_HOST"] == "cards.example.org"
    assert (environ["SERVER_NAME"], environ["SERVER_PORT"]) == ("127.0.0.1", "8000")
