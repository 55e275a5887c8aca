"""Addresses that open something to whoever has them: revoked ones open nothing, and nobody is told of the others."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from clubs.api.keys import make_key, revoke_key
from clubs.api.rate import reading
from clubs.club.settings import new_calendar, new_link
from clubs.joining.invitations import revoke_invitation
from clubs.members.personal_links import revoke_link as revoke_personal_link
from clubs.members.personal_links import token_of
from scoresheets.access.scorekeepers import (
    BROWSER_COOKIE,
    cut_off,
    hashed,
    known_link,
    new_watch_address,
    revoke_link,
)
from scoresheets.models.sheet import new_token
from tests.clubs.access.test_who_may import ROUTES, VISITORS, read
from tests.clubs.full_club import PLACE, SECRET, FullClub
from tests.factories import ScorekeeperFactory
from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.promise(10), pytest.mark.django_db]

#: The words of an address behind which a secret stands, with the name of its place.
SECRETS = {
    ("sheets", "code"), ("watch", "watch"), ("keep", "token"), ("join", "token"), ("coming", "token"),
    ("mine", "token"), ("stop", "token"), ("calendar", "key"), ("in", "key"),
}  # fmt: skip
#: Answers that open nothing.
SHUT = (401, 403, 404, 410)
#: What may lie in the cache of one browser, and in none that several share.
OF_ONE_BROWSER = re.compile(r"\b(private|no-store)\b")
KEEPS_THE_ADDRESS = ("same-origin", "strict-origin", "no-referrer")

Ask = Callable[[], HttpResponse]
Revoke = Callable[[], object]


def links_of(house: FullClub) -> dict[str, tuple[Ask, Revoke]]:
    """By what it is: how each link is opened, by nobody in particular, and how it is revoked."""
    club, sheet, member = house.club, house.sheet, house.members[0]
    link, watch, key = known_link(house.link), sheet.watch, make_key(club, "A program", uid=new_token(), by=None)
    assert link
    program = Client(headers={"authorization": f"Bearer {key}"})
    phone = house.browser("phone")
    keeper = sheet.scorekeepers.get(browser=hashed(SECRET))

    def at(view: str, *args: object, **query: str) -> Ask:
        return lambda: Client().get(reverse(view, args=args), query)

    personal = token_of(house.personal_link)
    return {
        "scorekeeper link": (at("keep", house.link), lambda: revoke_link(link)),
        "scorekeeper link that is posted to": (
            lambda: Client().post(reverse("keep", args=[house.link])), lambda: revoke_link(link)
        ),
        "phone of a scorekeeper": (
            lambda: phone.get(reverse("state", args=[sheet.code])),
            lambda: cut_off(keeper, by=ScorekeeperFactory(sheet=sheet)),
        ),
        "watch link": (at("watch", watch), lambda: new_watch_address(sheet, saw=watch)),
        "preview of a sheet": (at("watch_preview", watch), lambda: new_watch_address(sheet, saw=watch)),
        "invitation": (at("accept_invitation", "i" * 22), lambda: revoke_invitation(house.invitation, by=None)),
        "personal link": (at("my_nights", personal), lambda: revoke_personal_link(member, by=None)),
        "calendar of a member": (at("my_calendar", personal), lambda: revoke_personal_link(member, by=None)),
        "calendar of a club": (
            at("calendar", club.calendar_key), lambda: new_calendar(club, saw=club.calendar_key, by=None)
        ),
        "club link": (at("come_in", club.slug, club.key), lambda: new_link(club, saw=club.key, by=None)),
        "club key in an address": (
            at("club", club.slug, key=club.key), lambda: new_link(club, saw=club.key, by=None)
        ),
        "key of a program": (
            lambda: program.get(reverse("api_club", args=[club.slug])),
            lambda: revoke_key(club, club.read_keys.latest("pk").pk, by=None),
        ),
    }  # fmt: skip


KINDS = (
    "scorekeeper link", "scorekeeper link that is posted to", "phone of a scorekeeper", "watch link",
    "preview of a sheet", "invitation", "personal link", "calendar of a member", "calendar of a club", "club link",
    "club key in an address", "key of a program",
)  # fmt: skip


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_revoked_opens_nothing(kind: str, attempt: Attempt) -> None:
    house = FullClub()
    links = links_of(house)
    assert tuple(links) == KINDS
    ask, revoke = links[kind]
    assert ask().status_code in (200, 302, 303), "good until then"
    revoke()
    reading.clear()
    answer = ask()
    assert answer.status_code in SHUT, answer.status_code
    assert not answer.cookies.get(BROWSER_COOKIE)
    shown, names = answer.content.decode(errors="replace"), [house.club.name, *(one.name for one in house.members)]
    assert [name for name in names if re.search(rf"\b{re.escape(name)}\b", shown)] == []
    attempt.count(1, "kinds of links and keys revoked: they open nothing")


def secret_pages() -> list[tuple[str, str, str]]:
    """Routes with a secret in their address, the name of each, and a visitor to whom it is answered."""
    rows, found = read(), []
    for route, name in ROUTES:
        places = {(place["noun"] or "", place["name"]) for place in PLACE.finditer(route)}
        told = rows.get((route, "GET"), [])
        if places & SECRETS and "yes" in told:
            found.append((route, name, VISITORS[told.index("yes")]))
    return found


def test_no_page_with_a_secret_in_its_address_tells_others_of_it(attempt: Attempt) -> None:
    """No cache that several share may keep it, no other site is told where somebody came from, and none is asked."""
    house, wrong, pages = FullClub(), {}, secret_pages()
    for route, name, visitor in pages[:: attempt.size(4, 1)]:
        answer = house.browser(visitor).get(house.address(route), house.more(name, "GET"))
        found = told_to_others(answer)
        wrong |= {route: found} if found else {}
    assert wrong == {}
    assert len(pages) > 40
    attempt.saw(f"{len(pages)} pages with a secret in their address: in no shared cache, and no Referer has it")


def told_to_others(answer: HttpResponse) -> list[str]:
    """What is wrong with an answer: its status, or one of its headers."""
    sent = answer.headers
    wrong = [] if answer.status_code < 400 else [str(answer.status_code)]
    if not OF_ONE_BROWSER.search(sent.get("Cache-Control", "")):
        wrong.append(f"Cache-Control: {sent.get('Cache-Control')}")
    if sent.get("Referrer-Policy") not in KEEPS_THE_ADDRESS:
        wrong.append(f"Referrer-Policy: {sent.get('Referrer-Policy')}")
    return wrong


def test_page_that_breaks_tells_its_address_to_nobody(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the journal nor any mail has it."""
    house, secrets = FullClub(), set()
    client = Client(raise_request_exception=False)
    client.cookies[BROWSER_COOKIE] = SECRET
    monkeypatch.setattr("django.core.handlers.base.BaseHandler.resolve_request", broken)
    with caplog.at_level(logging.DEBUG):
        for route, name, _ in secret_pages():
            address = house.address(route)
            assert client.get(address, house.more(name, "GET")).status_code == 500, route
            secrets |= {part for part in re.split(r"[/.]", address) if len(part) >= 16}
    assert len(secrets) > 5
    assert "A page broke." in caplog.text
    assert [secret for secret in (*secrets, SECRET) if secret in caplog.text] == []
    assert mail.outbox == []
    assert list(settings.ADMINS) == []
    attempt.saw("pages that break write no address into the journal or an email")


def broken(*_: object) -> None:
    raise RuntimeError("a page that breaks")
