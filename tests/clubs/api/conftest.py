"""A club with something of everything, and programs that ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from clubs.api.documents.sheets import kept_documents
from clubs.api.keys import make_key
from clubs.api.rate import reading
from clubs.models import Award, Club, Member
from scoresheets.models.sheet import new_token
from tests.club_factories import NightFactory, SeasonFactory, TrophyFactory, played, scored


class Program:
    """A program that asks the site: without a cookie, with a key if it has one."""

    def __init__(self, key: str = "") -> None:
        self.client = Client()
        self.headers = {"authorization": f"Bearer {key}"} if key else {}

    def get(self, path: str, query: dict[str, Any] | None = None, **headers: str) -> HttpResponse:
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return self.client.get(f"/api/v1/{path}", query or {}, headers=sent)  # type: ignore[return-value]

    def json(self, path: str, **query: Any) -> Any:
        answer = self.get(path, query)
        assert answer.status_code == 200, (path, answer.status_code, answer.content)
        return answer.json()  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def nobody_asked_before() -> Iterator[None]:
    for forget in (reading.clear, kept_documents.clear, cache.clear):
        forget()
    yield
    for forget in (reading.clear, kept_documents.clear, cache.clear):
        forget()


@pytest.fixture
def anybody() -> Program:
    return Program()


@pytest.fixture
def full(club: Club, four: list[Member]) -> Club:
    """Ann, Bo, Cy and Di have played two games, and one of the past; a third is running. Ann holds The Cup."""
    night = NightFactory(club=club)
    table = played(night, four)
    played(night, four, hands=2)
    scored(NightFactory(club=club), [(four[1], 30), (four[0], 20), (four[2], 10)])
    SeasonFactory(club=club, name="Spring")
    cup = TrophyFactory(club=club)
    Award.objects.create(
        trophy=cup, member=four[0], on=night.on, source="sheet", table=table, confirmed_at=timezone.now(),
        handed_at=timezone.now(),
    )  # fmt: skip
    return club


def key_of(club: Club) -> str:
    """A new read key of the club."""
    key = make_key(club, "A program", uid=new_token(), by=None)
    assert isinstance(key, str)
    return key
