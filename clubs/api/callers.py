"""Who asks: a program with a key, or anybody; and which clubs are shown to them.

A key comes in `Authorization: Bearer …`; where a program cannot send that (a spreadsheet, a feed reader) as `?key=`.
Cookies are not looked at: no page of another site reads what somebody who is signed in here may see.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest

from clubs.api.keys import find_key, note_use
from clubs.api.rate import reading
from clubs.models import Club, ReadKey
from rules.core.problems import Problem
from scoresheets.access.network import client_hash
from scoresheets.access.scorekeepers import hashed
from scoresheets.access.throttle import WRONG_ADDRESS, count_action

SCHEME = "Bearer "
WRONG_KEY = Problem("wrong-key", "This key is wrong, or it was revoked.")
TOO_OFTEN = Problem("too-often", "That was too often. Wait as long as Retry-After says.")


class NotAnswered(Exception):
    """Why a request is not answered: status, problem, and the seconds to wait (0: none)."""

    def __init__(self, status: int, problem: Problem, *, wait: int = 0) -> None:
        super().__init__(problem.message)
        self.status, self.problem, self.wait = status, problem, wait


@dataclass(frozen=True)
class Caller:
    """Who asks; `key` is None for who came without one."""

    key: ReadKey | None = None

    def club(self, slug: str) -> Club:
        """The club of that address, for whom it is shown. Raises `Http404`: one that is not shown is as none."""
        if self.key and self.key.club.slug == slug:
            club: Club | None = self.key.club
        else:
            club = Club.objects.filter(slug=slug, visibility=Club.Visibility.PUBLIC).first()
        if club is None or club.archived_at or club.is_evening:
            raise Http404
        return club


def key_sent(request: HttpRequest, *, in_address: bool = False) -> str:
    """The key that came with a request; "" for none. `in_address`: also as `?key=`."""
    header = request.headers.get("Authorization", "")
    if header[: len(SCHEME)].lower() == SCHEME.lower():
        return header[len(SCHEME) :].strip()
    return request.GET.get("key", "") if in_address else ""


def name_of(request: HttpRequest, key: str) -> str:
    """What the caller is counted by: the key if it was one before (`admit`), else their network."""
    name = hashed(key) if key else ""
    return name if name and reading.knows(name) else client_hash(request)


def admit(key: str) -> None:
    """The key is one: from now on it is counted by itself."""
    reading.admit(hashed(key))


def caller_of(request: HttpRequest, key: str) -> Caller:
    """Who asks with that key, "" for none. Raises `NotAnswered` where it is none."""
    if not key:
        return Caller()
    found_key = find_key(key)
    if found_key is None:
        raise wrong_key(request)
    admit(key)
    note_use(found_key)
    return Caller(found_key)


def wrong_key(request: HttpRequest) -> NotAnswered:
    """The answer to a wrong key, which is counted like a wrong address: 401, and 429 after too many."""
    wait = count_action(WRONG_ADDRESS, client_hash(request))
    return NotAnswered(429, TOO_OFTEN, wait=wait) if wait else NotAnswered(401, WRONG_KEY)
