"""Who may do what: every address of the site by method, as `who_may.txt` says it, for eight kinds of visitors.

The addresses come from the URL resolver, so that one without a row fails. After a change of mind:
`WHO_MAY=write pytest tests/clubs/access/test_who_may.py`, and read the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from clubs.api.rate import reading
from clubs.site.error_views import ASK_FOR_LINK, NOT_FOR_THIS_ACCOUNT
from tests.clubs.full_club import FullClub
from tests.trust.attempts import Attempt

pytestmark = pytest.mark.django_db
TABLE = Path(__file__).with_name("who_may.txt")
VISITORS = (
    "anonymous",
    "watcher",
    "phone",
    "member",
    "scorekeeper",
    "organiser",
    "stranger",
    "superuser",
)
METHODS = ("GET", "POST")
#: What `make trust` counts of them, and of the visitors of `tests/trust/security/test_roles.py`.
ROLES, AS_IN_THE_TABLE = "roles", "addresses and methods as in the table"
OURS = ("clubs", "scoresheets")
HEAD = """\
# Who may do what on this site. A club that is shown to whoever has its link; at one of its tables lies a sheet.
#
#   anonymous    knows the address and nothing else
#   watcher      came by the club's link, and has the watchers' address of the sheet
#   phone        a scorekeeper by link: this browser may write on the sheet, and never came by the club's link
#   member, scorekeeper, organiser   have an account, and this role in the club
#   stranger     an organiser of another club
#   superuser    of the site
#
#   yes      answered, be it with what is wrong about a post that says nothing
#   sign in  led to where one signs in, or told to
#   ask      told to ask for the club's link or to sign in (403), as where there is no club
#   no       told that they may not (401, 403)
#   .        not there for them (404), as if it never was
#   away     led to a page where they may only look
#
# A method that no visitor has is refused for everybody (405). What comes from others has one row a prefix.
"""


def routes(resolver: URLResolver, before: str = "/") -> Iterator[tuple[str, str]]:
    """Every route of ours with the name of its view, and one for each prefix of others."""
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            if pattern.callback.__module__.split(".")[0] in OURS:
                yield here, str(pattern.name)
            else:
                yield before, ""
        elif is_of_others(pattern):
            yield here, ""
        else:
            yield from routes(pattern, here)


def is_of_others(resolver: URLResolver) -> bool:
    return getattr(resolver.urlconf_name, "__name__", "").split(".")[0] not in OURS


ROUTES = sorted(dict.fromkeys(routes(get_resolver("clubs.urls"))))


def answer_of(response: HttpResponse) -> str:
    """What a visitor was told, in the words of the table."""
    to = response.headers.get("Location", "")
    if to.startswith("/account/login/") or (response.status_code == 403 and "Sign in first" in response.text):
        return "sign in"
    if response.status_code == 403 and (ASK_FOR_LINK in response.text or NOT_FOR_THIS_ACCOUNT in response.text):
        return "ask"
    if response.status_code in (301, 302) and re.match(r"/(sheets|watch)/[^/]+/$", to):
        return "away"
    return {401: "no", 403: "no", 404: ".", 405: "405", 429: "."}.get(response.status_code, "yes")


class Asked:
    """Asks at every address for every visitor; nothing stays of what is done."""

    def __init__(self, house: FullClub | None = None) -> None:
        self.house = house or FullClub()

    def at(self, route: str, name: str, method: str, visitor: str) -> str:
        browser: Client = self.house.browser(visitor)
        address = self.house.address(route)
        more = urlencode(self.house.more(name, method))
        before = transaction.savepoint()
        try:
            if method == "POST":
                response = browser.post(address, more, "application/x-www-form-urlencoded")
            else:
                response = browser.get(f"{address}?{more}" if more else address)
        finally:
            transaction.savepoint_rollback(before)
            cache.clear()
            reading.clear()
        assert response.status_code < 500, (route, method, visitor)
        return answer_of(response)

    def everywhere(self, visitor: str) -> dict[tuple[str, str], str]:
        """What the visitor is told by route and method; others ask for an account by themselves, see below."""
        told = {(r, m): self.at(r, name, m, visitor) for r, name in ROUTES if name for m in METHODS}
        others = "sign in" if visitor in VISITORS[:3] else "yes"
        return told | {(route, "any"): others for route, name in ROUTES if not name}


def write_table(asked: Asked) -> None:
    """Make the file what the site says today; no row where no visitor has that method."""
    told = [asked.everywhere(visitor) for visitor in VISITORS]
    rows = {row: [words[row] for words in told] for row in sorted(told[0])}
    TABLE.write_text(written({row: words for row, words in rows.items() if set(words) != {"405"}}))


def written(rows: dict[tuple[str, str], list[str]]) -> str:
    """The table as it stands in the file."""
    width = max(len(route) for route, _ in rows)
    lines = [f"{'':<{width}}  {'':<4}  " + "  ".join(f"{visitor:<11}" for visitor in VISITORS)]
    for (route, method), told in rows.items():
        lines.append(f"{route:<{width}}  {method:<4}  " + "  ".join(f"{word:<11}" for word in told))
    return HEAD + "\n" + "\n".join(line.rstrip() for line in lines) + "\n"


def read() -> dict[tuple[str, str], list[str]]:
    """The rows of the file: route and method, and what each visitor is told."""
    found = {}
    for line in TABLE.read_text().splitlines():
        if line.startswith("/"):
            route, method, *told = re.split(r"  +", line)
            found[route, method] = told
    return found


#: Pages of others that one needs before one has an account here, or after.
ENTRANCE = {
    "account_inactive", "account_login", "account_logout", "account_request_login_code", "account_reset_password",
    "account_signup", "account_password_reset_completed", "account_email_verification_sent",
    "account_confirm_password_reset_code", "account_complete_password_reset",
}  # fmt: skip


# Who may more than others or is somebody else; the others are allowed what these are, and are asked by `make test-all`.
LIKE_OTHERS = ("scorekeeper", "superuser")


@pytest.mark.promise(9)
@pytest.mark.parametrize(
    "visitor",
    [pytest.param(v, marks=pytest.mark.thorough if v in LIKE_OTHERS else ()) for v in VISITORS],
)
def test_table_says_who_may_do_what(visitor: str, attempt: Attempt) -> None:
    asked = Asked()
    if os.environ.get("WHO_MAY") == "write" and visitor == VISITORS[0]:
        write_table(asked)
    place, rows = VISITORS.index(visitor), read()
    told = asked.everywhere(visitor)
    assert told == {row: rows[row][place] if row in rows else "405" for row in told}
    assert rows.keys() <= told.keys()
    attempt.count(1, ROLES)
    attempt.count(sum(method != "any" for _, method in told), AS_IN_THE_TABLE)


def pages_of_others(resolver: URLResolver, before: str = "/") -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from pages_of_others(pattern, here)
        elif pattern.callback.__module__.split(".")[0] not in OURS:
            yield here, str(pattern.name)


@pytest.mark.parametrize("method", METHODS)
def test_pages_of_others_ask_for_an_account_but_at_the_entrance(method: str) -> None:
    asked = Asked()
    told = {name: asked.at(route, name, method, "anonymous") for route, name in pages_of_others(get_resolver())}
    assert len(told) > 15
    assert {name for name, word in told.items() if word != "sign in"} <= ENTRANCE


def test_every_address_has_a_row() -> None:
    assert {route for route, _ in ROUTES} == {route for route, _ in read()}


def test_every_row_says_something_of_every_visitor() -> None:
    for row, told in read().items():
        assert len(told) == len(VISITORS), row
        assert set(told) <= {"yes", "sign in", "ask", "no", ".", "away"}, row


#: Where the pages of a club are, but for those that have a key of their own; and its sheets.
OF_A_CLUB = re.compile(r"/clubs/<slug:slug>/(?!in/)|/calendar/(?!mine/)")
#: Another site shows it to everybody, so it is there only while everybody may see the club.
IN_FRAME = ("/clubs/<slug:slug>/standings/<slug:which>/frame/", "GET")
OF_ITS_SHEETS = re.compile(r"/sheets/|/watch/")


def told_of(visibility: str, visitor: str, *where: re.Pattern[str]) -> dict[tuple[str, str], str]:
    """What a visitor is told on the pages of a club of that visibility."""
    asked, rows = Asked(), read()
    asked.house.show_to(visibility)
    pages = [(route, name, method) for route, name in ROUTES for method in METHODS if (route, method) in rows]
    return {(r, m): asked.at(r, name, m, visitor) for r, name, m in pages if any(part.match(r) for part in where)}


def shut(row: tuple[str, str]) -> str:
    """What a members' club tells to who is no member: what to ask for, and of a code or a secret that it is none."""
    is_of_club = row[0].startswith("/clubs/<slug:slug>/") and "<str:token>" not in row[0]
    return "ask" if is_of_club else "."


def test_public_club_tells_everybody_what_it_tells_who_came_by_its_link_but_they_answer_for_nobody() -> None:
    by_link = {row: told[VISITORS.index("watcher")] for row, told in read().items()}
    by_link["/clubs/<slug:slug>/nights/<int:pk>/coming/", "POST"] = "no"
    by_link |= {row: "sign in" for row in by_link if row[0].startswith("/clubs/<slug:slug>/me/notices/")}
    told = told_of("public", "anonymous", OF_A_CLUB)
    assert told == {row: by_link[row] for row in told} | {IN_FRAME: "yes"}
    assert by_link[IN_FRAME] == "."


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("visitor", ["anonymous", "watcher", "stranger"])
def test_members_club_is_not_shown_to_anybody_else_nor_is_a_sheet_of_its_tables(visitor: str) -> None:
    told = told_of("members", visitor, OF_A_CLUB, OF_ITS_SHEETS)
    assert len(told) > 60
    assert {row: word for row, word in told.items() if word != shut(row)} == {}


def test_members_club_is_not_shown_to_who_writes_on_one_of_its_sheets_but_the_sheet_is() -> None:
    usual = {row: told[VISITORS.index("phone")] for row, told in read().items()}
    told = told_of("members", "phone", OF_A_CLUB, OF_ITS_SHEETS)
    assert told == {row: usual[row] if OF_ITS_SHEETS.match(row[0]) else shut(row) for row in told}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("visitor", ["member", "organiser"])
def test_members_club_tells_its_members_what_any_club_does(visitor: str) -> None:
    usual = {row: told[VISITORS.index(visitor)] for row, told in read().items()}
    told = told_of("members", visitor, OF_A_CLUB, OF_ITS_SHEETS)
    assert told == {row: usual[row] for row in told}
