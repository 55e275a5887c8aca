"""Every page that can be reached from the front page and the club, in each role: nothing breaks, no link is dead."""

from __future__ import annotations

import datetime
from collections import Counter, deque
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Self
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, resolve

from clubs.access.visit import COOKIE
from clubs.models import Club, Member
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.models import Scorekeeper
from tests.bench import leagues
from tests.club_factories import MemberFactory, SeasonFactory, UserFactory
from tests.clubs.archive.years import Years
from tests.trust.attempts import Attempt

ROLES = ("outsider", "watcher", "scorekeeper of a sheet", "member", "scorekeeper", "organiser", "owner")
#: The role in which most pages are opened, because it is led to most of them.
SEES_MOST = "organiser"
SECRET = "p" * 22
#: Addresses that hand a right to whoever opens them: they are opened in a browser of their own.
HANDS_OUT = {"keep", "come_in", "accept_invitation", "host_evening", "owner_sign_in", "my_nights", "stop_notices"}


class Links(HTMLParser):
    """The addresses on a page, and the ids that a link may lead to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.ids: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids.add(given.get("id") or "")
        if tag in ("a", "link", "area"):
            self.found.append(given.get("href") or "")
        if tag in ("img", "iframe", "source"):
            self.found.append(given.get("src") or "")
        if tag == "meta" and given.get("property") == "og:image":
            # The picture of a preview, whose address is whole.
            self.found.append(urlsplit(given.get("content") or "")._replace(scheme="", netloc="").geturl())
        if tag == "form" and (given.get("method") or "get").lower() == "get":
            self.found.append(given.get("action") or "")


@dataclass
class Crawl:
    """What one visitor reaches. `most`: so many addresses of each route, with the same names in their query."""

    client: Client
    most: int
    pages: int = 0
    broken: list[str] = field(default_factory=list)
    opened: Counter[tuple[object, ...]] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)
    #: By page: its ids; and the links into it that wait for that.
    ids: dict[str, set[str]] = field(default_factory=dict)
    into: list[tuple[str, str, str]] = field(default_factory=list)

    def run(self, *begin: str) -> Self:
        waiting = deque((address, "the beginning") for address in begin)
        while waiting:
            address, found_on = waiting.popleft()
            answer = self.open(address, found_on)
            if answer is None or not answer["Content-Type"].startswith("text/html"):
                continue
            links = Links(answer.content.decode())
            self.ids[address] = links.ids
            for link in links.found:
                there, part = urldefrag(urljoin(address, link))
                if part:
                    self.into.append((address, there, part))
                if self.is_new(there):
                    waiting.append((there, address))
        for page, there, part in self.into:
            if there in self.ids and part not in self.ids[there]:
                self.broken.append(f"{page} leads to #{part} of {there}, which is not there")
        return self

    def is_new(self, address: str) -> bool:
        """Whether it is one of ours that was not opened yet, and not too many of its kind were."""
        if not address.startswith("/") or address.startswith(("/static/", "//")) or address in self.seen:
            return False
        self.seen.add(address)
        kind = kind_of(address)
        self.opened[kind] += 1
        return self.opened[kind] <= self.most

    def open(self, address: str, found_on: str) -> HttpResponse | None:
        """The answer; None, and a line in `broken`, where it is none that a link may lead to."""
        route = kind_of(address)[0]
        client = Client() if route in HANDS_OUT else self.client
        answer: HttpResponse = client.get(address, headers={"Accept": "text/html"})
        self.pages += 1
        if answer.status_code >= 400:
            self.broken.append(f"{answer.status_code}: {address}, found on {found_on}")
            return None
        if answer.streaming:
            b"".join(answer.streaming_content)
            return None
        if answer.status_code in (301, 302, 303) and self.is_new(answer["Location"]):
            return self.open(answer["Location"], address)
        return answer if answer.status_code == 200 else None


def kind_of(address: str) -> tuple[object, ...]:
    """The route of an address and the names in its query: "page=2" is like "page=3"."""
    parts = urlsplit(address)
    try:
        name = resolve(parts.path).view_name
    except Resolver404:
        name = parts.path
    return name, tuple(sorted(key for key, _ in parse_qsl(parts.query, keep_blank_values=True)))


def browser(role: str, club: Club) -> Client:
    """The browser of a visitor."""
    client = Client()
    if role == "watcher":
        client.cookies[COOKIE.format(club.pk)] = f"{club.key}.0"
    elif role == "scorekeeper of a sheet":
        keepers = Scorekeeper.objects.filter(sheet__table__night__club=club, revoked_at=None).order_by("pk")
        first = {sheet: pk for pk, sheet in reversed(keepers.values_list("pk", "sheet"))}
        Scorekeeper.objects.filter(pk__in=first.values()).update(browser=hashed(SECRET))
        client.cookies[BROWSER_COOKIE] = SECRET
    elif role == "owner":
        client.force_login(UserFactory(is_superuser=True))
    elif role != "outsider":
        user = UserFactory()
        MemberFactory(club=club, user=user, role=Member.Role(role))
        client.force_login(user)
    return client


@pytest.mark.promise(16, minutes=15)
@pytest.mark.django_db
@pytest.mark.timeout(7200)
def test_no_page_breaks_and_no_link_is_dead(attempt: Attempt) -> None:
    leagues.main("ten-years", attempt.size(4, 2_080), every=7)
    club = Club.objects.get(slug="ten-years")
    years = sorted({night.on.year for night in club.nights.all()})
    for year in years:
        SeasonFactory(club=club, name=f"{year}", begins=datetime.date(year, 1, 1), ends=datetime.date(year, 12, 31))
    Years("of a crawl", club).live(attempt.size(12, 400))
    many, some, roles = attempt.size(1, 60), attempt.size(1, 6), ROLES if attempt.whole else ("outsider", SEES_MOST)
    pages, led_to, broken = Counter[str](), Counter[str](), []
    for role in roles:
        crawl = Crawl(browser(role, club), many if role == SEES_MOST else some).run("/", "/clubs/ten-years/")
        pages[role], led_to[role] = crawl.pages, len(crawl.seen)
        broken += [f"{role}: {line}" for line in crawl.broken]
        assert crawl.pages > 20
    assert broken == []
    attempt.saw(
        f"{club.nights.count()} nights of the years {years[0]} to {years[-1]}: {pages.pop(SEES_MOST):,} pages as"
        f" {SEES_MOST}, of {led_to[SEES_MOST]:,} that these lead to, and {pages.total():,} pages in {len(pages)} other"
        " roles: none broke, no dead link"
    )
