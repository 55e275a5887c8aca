"""A program that sends the site what none sends: to every address of the API, with keys that are good and others."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client, TestCase

from clubs.api.keys import make_key, revoke_key
from clubs.api.rate import reading
from scoresheets.access.scorekeepers import make_link
from scoresheets.models.sheet import new_token
from tests.clubs.access.test_who_may import ROUTES
from tests.clubs.full_club import FullClub
from tests.factories import new_key
from tests.fuzz.fuzzer import JUNK_HEADERS, METHODS, NASTY
from tests.fuzz.tables import PLACE, Writes, difference, quoted
from tests.fuzz.test_club_forms import everything
from tests.fuzz.test_fuzz import SAFE, text_of

ENTRIES = "/api/v1/sheets/mine/entries/"
TEXTS = [text for text in NASTY if isinstance(text, str)]
#: Values of JSON that no field of an entry has, and whole documents that are none.
VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 99, 1.5, 2**31, 2**63, -(2**63) - 1, 10**30, 10**4000, [], {}, [1], {"a": 1},
    [[]] * 50, {"bid": [1]}, *(text for text in TEXTS if len(text) < 3_000),
]  # fmt: skip
DOCUMENTS: list[bytes] = [
    b"", b" ", b"{", b"[]", b"1", b'"x"', b"null", b"{}", b"[" * 50_000, b'{"a":' * 50_000, b"[" * 500 + b"]" * 500,
    b'{"hand": 1e999}', b'{"hand": NaN}', b'{"hand": -Infinity}', b'{"hand": ' + b"9" * 5_000 + b"}", b"\xff\xfe{}",
    b'{"ask": "\\ud800"}', b'{"\\udfff": 1}', b'{"ask": "\xed\xa0\x80"}', b'{"ask": "\x00"}', b'{"ask": "\\u0000"}',
    b'\xef\xbb\xbf{"hand": 1}', '{"hand": 1}'.encode("utf-16"), b'{"hand": 1, "hand": 2, "ask": "x", "step": {}}',
    b'{"ask": "' + b"x" * 1_000_000 + b'"}', b'{"hand": 1}\x00', b'{"hand": 01}', b"{'hand': 1}", b'{"hand": 1,}',
]  # fmt: skip
TYPES = (
    *["application/json"] * 12, "", "text/plain", "application/json; charset=utf-16",
    "application/json; charset=no-such", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "\xff",
)  # fmt: skip
SCHEMES = ("bearer {}", "Bearer  {} ", "Basic {}", "{}", "Bearer {}\x00", "Bearer \xff{}", "Bearer {0} {0}")
ASKED = ("page", "size", "season", "game", "since", "key", "member", "on", "v")


class Program:
    """It throws dice; the same seed throws the same. `rows` is what the database has."""

    def __init__(self, seed: object) -> None:
        self.dice = Random(f"program {seed}")
        self.house = FullClub()
        club, sheet = self.house.club, self.house.sheet
        self.link = make_link(sheet, by=None)
        good, revoked = (str(make_key(club, label, uid=new_token(), by=None)) for label in ("A program", "Another"))
        revoke_key(club, club.read_keys.latest("pk").pk, by=None)
        self.reads = (good, good, good, self.link, revoked, new_token(), "")
        # The first use of a key on a day is written down.
        Client().get(f"/api/v1/clubs/{club.slug}/", headers={"Authorization": f"Bearer {good}"})
        self.routes = [route for route, name in ROUTES if name.startswith("api_")]
        self.taken = 0
        self.rows = everything()

    def throw(self) -> None:
        """Send something, and hold the site to its word."""
        if self.dice.random() < 0.7:
            method, path, body, key = "POST", ENTRIES, self.body(), self.some((*[self.link] * 30, *self.reads))
        else:
            method, path = self.some(("GET", "GET", "GET", *METHODS)), self.path()
            body, key = b"" if method in SAFE else self.body(), self.some(self.reads)
        headers = self.headers(key)
        content_type = self.some(TYPES)
        try:
            self.send(method, path, body, content_type, headers)
        except BaseException as problem:
            problem.add_note(f"after {method} {path[:300]} {headers} {content_type} {body[:400]!r}")
            raise

    def send(self, method: str, path: str, body: bytes, content_type: str, headers: dict[str, str]) -> None:
        writes = Writes()
        with connection.execute_wrapper(writes), TestCase.captureOnCommitCallbacks(execute=True):
            answer = Client().generic(method, path, body, content_type, **headers)
        status = answer.status_code
        assert status < 500, status
        changed = difference(self.rows, after := everything()) if writes.any else ""
        if status >= 400 or method in SAFE:
            assert changed == "", f"{status}, and yet:\n{changed}"
        if status >= 400 and method != "HEAD":
            says_why(answer)
        elif changed:
            self.taken, self.rows = self.taken + 1, after
        if status == 429:
            cache.clear()
        reading.clear()

    def look_at_the_end(self) -> None:
        """Nothing was written unseen."""
        assert difference(self.rows, everything()) == ""

    # What it sends

    def body(self) -> bytes:
        """An entry as it is asked for, mostly with one thing about it changed; or no document at all."""
        if self.dice.random() < 0.25:
            return self.some(DOCUMENTS)
        entry = self.entry()
        for _ in range(self.some((0, 1, 1, 1, 2, 3))):
            self.spoil(entry if self.dice.random() < 0.5 or not isinstance(entry.get("step"), dict) else entry["step"])
        text = json.dumps(entry, ensure_ascii=self.dice.random() < 0.5)
        return text.encode("utf-8", "surrogatepass")

    def entry(self) -> dict[str, Any]:
        """What the sheet asks for next."""
        answer = Client().get(ENTRIES, headers={"Authorization": f"Bearer {self.link}"})
        reading.clear()
        asked = json.loads(answer.content)
        ask = next((ask for ask in asked["asks"] if ask["ask"] == asked["due"]), {"ask": "bid-1", "fields": []})
        step = {field["name"]: self.right(field) for field in ask["fields"]}
        return {"hand": asked["hand"], "ask": ask["ask"], "step": step, "sure": True}

    def right(self, field: dict[str, Any]) -> Any:
        """Something that the field may hold."""
        if field["kind"] == "count":
            return self.dice.randint(field["low"], min(field["high"], field["low"] + 20))
        return self.some(field.get("choices") or field.get("seats") or (True,))

    def spoil(self, said: dict[str, Any]) -> None:
        name = self.some((*said, "saw", "sure", "step", "hand", "key", "x", "\ud800", "\x00"))
        what = self.some(("value", "value", "value", "near", "drop"))
        if what == "drop":
            said.pop(name, None)
        else:
            said[name] = self.some(VALUES) if what == "value" else self.dice.randint(0, 12)

    def path(self) -> str:
        """An address of the API with something at each of its places, now and then what belongs there."""
        route = self.some(self.routes)
        if self.dice.random() < 0.5:
            path = self.house.address(route)
        else:
            path = PLACE.sub(lambda place: quoted(self.some(("mine", "ours", *NASTY))[:300]), route)
        if self.dice.random() < 0.5:
            path += "?" + "&".join(f"{self.some(ASKED)}={quoted(self.some(NASTY)[:3000])}" for _ in range(2))
        return path

    def headers(self, key: str) -> dict[str, str]:
        """The key as it is sent, mostly; and the key of a tap."""
        junk = self.some(JUNK_HEADERS) if self.dice.random() < 0.2 else {}
        sent = "Bearer {}" if self.dice.random() < 0.8 else self.some(SCHEMES)
        tap = new_key() if self.dice.random() < 0.85 else self.some(TEXTS)[:3000]
        return {**junk, "HTTP_AUTHORIZATION": sent.format(key), "HTTP_IDEMPOTENCY_KEY": tap}

    def some(self, among: Any) -> Any:
        return self.dice.choice(among)


def says_why(answer: HttpResponse) -> None:
    """A refusal is a problem in JSON, or a page where the address is none of the API."""
    if answer.headers.get("Content-Type", "").startswith("application/json"):
        assert json.loads(text_of(answer))["problem"].strip()
    else:
        assert answer.content
