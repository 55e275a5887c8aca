"""A members' club is not there for strangers: every address of it is answered as that of a club that never was.

It takes as long, too: the same is asked of the database for both.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse
from django.utils import timezone

from clubs.access.club_key import KEY
from clubs.api.keys import make_key
from clubs.api.rate import reading
from tests.club_factories import ClubFactory
from tests.clubs.full_club import FullClub
from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.django_db, pytest.mark.promise(9)]

HERE, NEVER_WAS = "nine-of-clubs", "ten-of-hearts"
NO_KEY = "A" * 22
#: Of how many addresses that was seen.
TOLD_NOTHING = "times asked for a members' club: answered as if it never was"
#: What would be asked beside an address.
ASKED: tuple[dict[str, str], ...] = (
    {},
    {"code": "AAAA-AAAA", "from": NO_KEY, "v": "1", "page": "2", "next": "/", "do": "mine"},
)
#: Nobody; an organiser of another club, one who belonged to this one, a browser that came in before the club was for
#: members, the scorekeeper of one of its tables.
STRANGERS = ("nobody", "stranger", "member", "watcher", "phone")
strangers = pytest.mark.parametrize("who", STRANGERS)


@pytest.fixture
def house() -> FullClub:
    """Something of everything, so that what stands in the addresses is right. Its member has left."""
    house = FullClub()
    house.club.slug = HERE
    house.club.save()
    house.show_to("members")
    house.club.members.filter(user=house.users["member"]).update(left_at=timezone.now())
    # The first wrong link of a network makes the row in which they are counted.
    Client().get(reverse("come_in", args=[NEVER_WAS, NO_KEY]))
    return house


def addresses(house: FullClub, begins: str = "clubs/") -> list[str]:
    """All addresses that have the address of the club in them. Its own link is wrong: a right one says whose it is."""
    routes = [str(pattern.pattern) for pattern in get_resolver().url_patterns]
    of_club = [route for route in routes if route.startswith(f"{begins}<slug:slug>/")]
    return [f"/{house.address(route)}".replace(house.club.key, NO_KEY) for route in of_club]


def browser(house: FullClub, who: str) -> Client:
    """Of somebody who has been on the site today: their session is written once a day."""
    client = house.browser(who)
    client.get(reverse("club", args=[NEVER_WAS]))
    return client


#: A moment as headers say it: between two answers a second may begin.
MOMENT = re.compile(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT")


def seen(answer: HttpResponse, slug: str) -> tuple[object, ...]:
    """What a stranger sees of an answer, but for what they have asked themselves."""
    told = answer.content.decode().replace(slug, "the-club")
    told = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", told)
    headers = {name: MOMENT.sub("then", value.replace(slug, "the-club")) for name, value in answer.headers.items()}
    headers.pop("Content-Length", None)
    return answer.status_code, headers, MOMENT.sub("then", answer.cookies.output()), told


def statements(queries: CaptureQueriesContext) -> list[str]:
    """What was asked of the database, without the values."""
    return [re.sub(r"'[^']*'|\b\d+\b|\bs\d+_x\d+\b", "?", query["sql"]) for query in queries.captured_queries]


def differences(paths: list[str], ask: Callable[[str], HttpResponse]) -> list[tuple[object, ...]]:
    """Those of the paths that are answered otherwise than at a club that never was: both statuses and their queries."""
    assert paths
    different = []
    for path in paths:
        answers = []
        for slug in (HERE, NEVER_WAS):
            with CaptureQueriesContext(connection) as queries:
                answer = ask(path.replace(HERE, slug))
            answers.append((*seen(answer, slug), statements(queries)))
        if answers[0] != answers[1]:
            different.append((path, *[(status, len(asked_of_it)) for status, *_, asked_of_it in answers]))
    return different


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("method", ["get", "post"])
@strangers
def test_address_of_a_members_club_is_answered_as_one_that_never_was(
    house: FullClub, who: str, method: str, attempt: Attempt
) -> None:
    client, paths = browser(house, who), addresses(house)
    assert len(paths) > 60
    told = []
    for asked in ASKED:
        told += differences(paths, lambda at, asked=asked: getattr(client, method)(at, asked))  # type: ignore[misc]
    assert not told
    attempt.count(len(ASKED) * len(paths), TOLD_NOTHING)


#: Ways to ask beside what a browser does.
WAYS: dict[str, Callable[[Client, str], HttpResponse]] = {
    "HEAD": lambda client, at: client.head(at),
    "OPTIONS": lambda client, at: client.options(at),
    "PUT": lambda client, at: client.put(at),
    "DELETE": lambda client, at: client.delete(at),
    "JSON": lambda client, at: client.get(at, headers={"Accept": "application/json"}),
    "htmx": lambda client, at: client.get(at, headers={"HX-Request": "true"}),
    "if changed": lambda client, at: client.get(at, headers={"If-None-Match": "*", "Range": "bytes=0-9"}),
    "JSON posted": lambda client, at: client.post(at, {"version": 1}, "application/json"),
}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("way", WAYS)
def test_no_way_to_ask_tells_it(house: FullClub, way: str, attempt: Attempt) -> None:
    client = browser(house, "stranger")
    paths = addresses(house)
    told = differences(paths, lambda at: WAYS[way](client, at))
    assert not told
    attempt.count(len(paths), TOLD_NOTHING)


def test_post_of_another_site_does_not_tell_it(house: FullClub, attempt: Attempt) -> None:
    client = Client(enforce_csrf_checks=True)
    paths = addresses(house)
    told = differences(paths, lambda at: client.post(at))
    assert not told
    attempt.count(len(paths), TOLD_NOTHING)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("visibility", ["link", "members"])
@pytest.mark.parametrize("who", ["nobody", "stranger"])
def test_key_of_another_club_does_not_tell_it(house: FullClub, who: str, visibility: str, attempt: Attempt) -> None:
    """It leads from an address that its club does not have any more to the one that it has."""
    other, client = ClubFactory(visibility=visibility), browser(house, who)
    paths = addresses(house)
    told = differences(paths, lambda at: client.get(at, {KEY: other.key}))
    assert not told
    attempt.count(len(paths), TOLD_NOTHING)


def test_wrong_key_does_not_tell_it(house: FullClub, attempt: Attempt) -> None:
    """So few that it is not counted as guessing."""
    paths = addresses(house)[::15]
    told = differences(paths, lambda at: Client().get(at, {KEY: NO_KEY}))
    assert not told
    attempt.count(len(paths), TOLD_NOTHING)


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("with_key", [False, True])
@pytest.mark.parametrize("way", ["get", "head", "post", "options"])
def test_programs_are_not_told(house: FullClub, way: str, with_key: bool, attempt: Attempt) -> None:
    headers = {}
    if with_key:
        headers["Authorization"] = f"Bearer {make_key(ClubFactory(), 'ours', uid='u' * 22, by=None)}"
        Client().get("/api/v1/clubs/never-was/", headers=headers)

    def ask(at: str) -> HttpResponse:
        reading.clear()
        return getattr(Client(), way)(at, headers=headers)  # type: ignore[no-any-return]

    paths = addresses(house, "api/v1/clubs/")
    told = differences(paths, ask)
    assert not told
    attempt.count(len(paths), TOLD_NOTHING)


@pytest.mark.thorough(but=2)
@strangers
def test_calendar_of_a_members_club_is_as_none(house: FullClub, who: str, attempt: Attempt) -> None:
    """The address is a secret, but may be known from before the club was for its members."""
    client, key = browser(house, who), house.club.calendar_key

    def ask(at: str) -> HttpResponse:
        return client.get(at.replace(HERE, key).replace(NEVER_WAS, NO_KEY))  # type: ignore[return-value]

    told = differences([f"/calendar/{HERE}.ics"], ask)
    assert not told
    attempt.count(1, TOLD_NOTHING)


@pytest.mark.thorough(but=2)
@strangers
def test_no_list_has_it(house: FullClub, who: str, attempt: Attempt) -> None:
    client, lists = browser(house, who), ("/", "/clubs/", "/sitemap.xml", "/robots.txt", "/api/v1/")
    pages = [client.get(path).text for path in lists]
    told = [path for path, page in zip(lists, pages, strict=True) if HERE in page or house.club.name in page]
    assert not told
    attempt.count(len(lists), "lists without the club")
