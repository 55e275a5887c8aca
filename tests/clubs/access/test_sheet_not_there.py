"""A sheet at a table of a members' club is not there for strangers: its addresses are answered as those of none.

They may know them from before the club was for its members. The same is asked of the database for both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.access.club_key import KEY
from tests.clubs.access.test_not_there import NO_KEY, WAYS, seen, statements
from tests.clubs.access.test_who_may import ROUTES
from tests.clubs.full_club import FullClub
from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.django_db, pytest.mark.promise(9)]

#: Where the secret of the sheet stands in its addresses.
OF_A_SHEET = re.compile(r"/(?:sheets/<str:code>|watch/<str:watch>)/")
#: Nobody; an organiser of another club, one who has left this one, a browser that came in by the link of the club.
STRANGERS = ("nobody", "stranger", "member", "watcher")
strangers = pytest.mark.parametrize("who", STRANGERS)
TOLD_NOTHING = "times asked for a sheet of a members' club: answered as none"
WRONG_KEY = "B" * 22
#: What is asked beside an address: nothing, what the pages ask (a poll), a wrong key and the right one of the club.
ASKED: tuple[dict[str, str], ...] = ({}, {"v": "1", "open": "1", "hand": "1"}, {KEY: WRONG_KEY}, {KEY: "right"})
#: What makes an answer to a client of the tests.
Ask = Callable[[Client, str], HttpResponse]


@dataclass
class Hidden:
    """A members' club that was shown to whoever had its link, and what no stranger is told: names and secrets of it."""

    house: FullClub
    secrets: list[str]
    names: list[str]

    @property
    def paths(self) -> list[str]:
        """All addresses of its sheet."""
        return [self.house.address(route) for route, _ in ROUTES if OF_A_SHEET.match(route)]

    def secret_in(self, path: str) -> str:
        return next(secret for secret in self.secrets if secret in path)


@pytest.fixture
def hidden() -> Hidden:
    """Its member has left."""
    house = FullClub()
    club, sheet = house.club, house.sheet
    club.name, club.slug = "Nine of Clubs", "nine-of-clubs"
    club.save()
    house.show_to("members")
    club.members.filter(user=house.users["member"]).update(left_at=timezone.now())
    names = [club.name, club.slug, house.table.uid, house.night.uid, *(one.name for one in house.members)]
    return Hidden(house, [sheet.code, sheet.watch], [*names, sheet.code, sheet.watch])


def browser(hidden: Hidden, who: str) -> Client:
    """Of somebody who has been on the site today: their session is written once a day."""
    client = hidden.house.browser(who)
    client.get("/open/")
    return client


def asked_of(client: Client, path: str, secret: str, ask: Ask) -> tuple[object, ...]:
    """What is seen at an address by whom no limit stops, and what was asked of the database."""
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        answer = ask(client, path)
    return len(answer.content), *seen(answer, secret), statements(queries)


def told(hidden: Hidden, client: Client, ask: Ask) -> list[tuple[object, ...]]:
    """The addresses of the sheet that are answered otherwise than those of none, and those that name what is hidden."""
    assert len(hidden.paths) > 50
    found: list[tuple[object, ...]] = []
    for path in hidden.paths:
        secret = hidden.secret_in(path)
        here = asked_of(client, path, secret, ask)
        none = asked_of(client, path.replace(secret, NO_KEY), NO_KEY, ask)
        if here != none:
            asked = Counter(here[-1]), Counter(none[-1])  # type: ignore[call-overload]
            found.append((path, here[:2], none[:2], list(asked[0] - asked[1]), list(asked[1] - asked[0])))
        found += [(path, name) for name in named(hidden, here[:-1])]
    return found


def named(hidden: Hidden, seen_of_it: list[object]) -> list[str]:
    """The names that stand in what was seen."""
    text = " ".join(map(str, seen_of_it))
    return [name for name in hidden.names if re.search(rf"\b{re.escape(name)}\b", text)]


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("method", ["get", "post"])
@strangers
def test_sheet_of_a_members_club_is_answered_as_none(hidden: Hidden, who: str, method: str, attempt: Attempt) -> None:
    client = browser(hidden, who)
    for more in ASKED:
        sent = {name: hidden.house.club.key if value == "right" else value for name, value in more.items()}
        assert not told(hidden, client, lambda browser, at, sent=sent: getattr(browser, method)(at, sent))  # type: ignore[misc]
    attempt.count(len(ASKED) * len(hidden.paths), TOLD_NOTHING)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("way", WAYS)
def test_no_way_to_ask_tells_of_the_sheet(hidden: Hidden, way: str, attempt: Attempt) -> None:
    assert not told(hidden, browser(hidden, "stranger"), WAYS[way])
    attempt.count(len(hidden.paths), TOLD_NOTHING)


def test_post_of_another_site_tells_nothing_of_the_sheet(hidden: Hidden, attempt: Attempt) -> None:
    assert not told(hidden, Client(enforce_csrf_checks=True), lambda browser, at: browser.post(at))  # type: ignore[arg-type]
    attempt.count(len(hidden.paths), TOLD_NOTHING)


def test_address_of_the_sheet_counts_as_a_wrong_one(hidden: Hidden, attempt: Attempt) -> None:
    """Whoever has asked too often is refused at it as at those of none."""
    sheet = hidden.house.sheet
    for secret, kind in ((sheet.code, "sheets"), (sheet.watch, "watch")):
        cache.clear()
        statuses = [[Client().get(f"/{kind}/{one}/").status_code for _ in range(31)] for one in (secret, NO_KEY)]
        assert statuses == [[404] * 30 + [429], [429] * 31]
    attempt.count(4 * 31, TOLD_NOTHING)


def test_phone_that_was_cut_off_reads_no_name(hidden: Hidden) -> None:
    """It is told that it was."""
    hidden.house.sheet.scorekeepers.update(revoked_at=timezone.now())
    client = browser(hidden, "phone")
    for path in hidden.paths:
        cache.clear()
        answer: HttpResponse = client.get(path)  # type: ignore[assignment]
        assert answer.status_code in (403, 404, 405), path
        assert named(hidden, list(seen(answer, hidden.secret_in(path)))) == [], path
