"""Whatever is posted from the pages of a club, or asked of them, is answered; what is refused leaves no trace.

Every page of a club is opened as an organiser, and every form on it is spoiled. The number is the seed of the dice:
`pytest tests/fuzz/test_club_forms.py -k "[3]"`, from 1 on with `-m long`.
"""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client

from tests.clubs.access.test_who_may import ROUTES
from tests.clubs.full_club import FullClub
from tests.fuzz.fuzzer import NASTY
from tests.fuzz.tables import Form, Seen, Writes, is_html, quoted, take_back

pytestmark = [pytest.mark.django_db, pytest.mark.filterwarnings("ignore::RuntimeWarning"), pytest.mark.timeout(600)]

OF_A_CLUB = re.compile(r"/clubs/|/calendar/|/join/|/account/$")
#: Of a club, and of the sheets it opens. What is remembered for a while only is nobody's.
NO_TRACE = ("CacheRow", "Upload", "ClubExport")
#: Values that are long take long, and are tried seldom.
SHORT = [value for value in NASTY if len(value) < 5_000]
LONG = [value for value in NASTY if len(value) >= 5_000]
NEAR = [
    *map(str, range(12)), "99", "2026-03-01", "2026-02-30", "0001-01-01", "9999-12-31", "19:30", "25:00", "on", "link",
    "members", "organiser", "guest", "dirty-dog", "dingo", "raw", "places", "won", "bids", "winner", "loser", "table",
    "play-off", "nothing", "Ann", "Europe/Berlin", "Atlantis/Here", "new-link", "put-away", "away", "keep", "move",
    "1998 Ann\n2001 Bo", "Ann\nAnn\nAnn", "[1, 2]", '{"a": 1}',
]  # fmt: skip
FIELDS = (
    "name",
    "do",
    "member",
    "members",
    "on",
    "role",
    "who",
    "speaks",
    "says",
    "pk",
    "table",
    "game",
    "sure",
    "plan",
    "saw",
    "goes",
    "edge",
    "round",
    "reason",
    "plays",
    "out",
    "mixed",
    "carry_over",
    "cut_by_high_card",
    "stage",
    "hand",
    "again",
    "rank-1",
    "hands-final",
)
ASKED = (
    "page",
    "sort",
    "game",
    "season",
    "q",
    "one",
    "other",
    "from",
    "table",
    "speaks",
    "again",
    "out",
    "plays",
    "round",
    "stage",
)


def everything() -> dict[str, Counter[str]]:
    """Every row of clubs and sheets."""
    models = [*apps.get_app_config("clubs").get_models(), *apps.get_app_config("scoresheets").get_models()]
    return {
        model.__name__: Counter(map(repr, model._base_manager.values_list()))
        for model in models
        if model.__name__ not in NO_TRACE
    }


def as_sent(value: object) -> str | bytes:
    return value if isinstance(value, bytes) else str(value)


class Fuzzer:
    """An organiser who sends what no page sends."""

    def __init__(self, seed: object) -> None:
        self.dice = Random(f"club {seed}")
        self.house = FullClub()
        self.forms: dict[tuple[object, ...], Form] = {}
        self.house.browser("organiser")
        self.rows = everything()

    @property
    def browser(self) -> Client:
        return self.house.browser("organiser")

    def look_round(self) -> None:
        """Open every page of the club, once as it is and once asked for nonsense; keep its forms."""
        for route, name in ROUTES:
            if not OF_A_CLUB.match(route):
                continue
            address = self.house.address(route)
            response = self.send("GET", address, self.house.more(name, "GET"))
            if is_html(response):
                for form in Seen(response.content.decode(), address).forms:
                    if form.method == "post" and OF_A_CLUB.match(form.action):
                        self.forms[form.kind] = form
            self.send("GET", address, {self.dice.choice(ASKED): self.value() for _ in range(2)})

    def spoiled(self, form: Form) -> list[tuple[str, str | bytes]]:
        """What the form sends, with a few things about it changed."""
        fields: list[tuple[str, str | bytes]] = list(form.fields)
        for _ in range(self.dice.choice((1, 1, 2, 4))):
            at = self.dice.randrange(len(fields)) if fields else -1
            what = self.dice.choice(("value", "value", "value", "drop", "double", "add"))
            if at < 0 or what == "add":
                fields.append((self.dice.choice(FIELDS), self.value()))
            elif what == "drop":
                del fields[at]
            elif what == "double":
                fields.append((fields[at][0], self.value()))
            else:
                fields[at] = (fields[at][0], self.value())
        return fields

    def value(self) -> str | bytes:
        return self.dice.choice(NEAR if self.dice.random() < 0.5 else SHORT if self.dice.random() < 0.95 else LONG)

    def throw(self) -> None:
        form = self.dice.choice(list(self.forms.values()))
        fields = self.spoiled(form)
        body = "&".join(f"{quoted(name)}={quoted(value)}" for name, value in fields)
        self.send("POST", form.action, body)

    def answer(self, method: str, address: str, said: Any) -> HttpResponse:
        if method != "GET":
            return self.browser.post(address, said, "application/x-www-form-urlencoded")  # type: ignore[return-value]
        asked = "&".join(f"{name}={quoted(as_sent(value))}" for name, value in said.items())
        return self.browser.get(f"{address}?{asked}")  # type: ignore[return-value]

    def look_at_the_end(self) -> None:
        """Nothing was written unseen: by no statement, or by one that was thought to read."""
        assert everything() == self.rows

    def send(self, method: str, address: str, said: Any) -> HttpResponse:
        """Send it, and take it back; it fails with what was sent."""
        before, writes = transaction.savepoint(), Writes()
        try:
            with connection.execute_wrapper(writes):
                response = self.answer(method, address, said)
            assert response.status_code < 500, response.status_code
            if writes.any and (response.status_code >= 400 or method == "GET"):
                assert everything() == self.rows, f"{response.status_code}, and yet something was written"
            if response.status_code >= 400:
                assert is_html(response)
        except BaseException as problem:
            problem.add_note(f"after {method} {address[:200]} {str(said)[:600]}")
            raise
        finally:
            take_back(before)
            cache.clear()
        return response


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 40))])
def test_spoiled_forms_of_a_club_are_answered_and_leave_no_trace(seed: int) -> None:
    fuzzer = Fuzzer(seed)
    fuzzer.look_round()
    assert len(fuzzer.forms) > 30
    for _ in range(150):
        fuzzer.throw()
    fuzzer.look_at_the_end()
