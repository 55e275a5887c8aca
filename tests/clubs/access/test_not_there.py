"""A members' club is not there for strangers: every address of it is answered as that of a club that never was."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, reverse

from clubs.access.visit import COOKIE
from clubs.members.people import new_guest
from clubs.models import Club, Night, PlayOff, Ruling, Stage, Table
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, TrophyFactory, played
from tests.clubs.visitors import account

pytestmark = pytest.mark.django_db

HERE, NEVER_WAS = "nine-of-clubs", "ten-of-hearts"
#: What would be asked beside an address.
ASKED: tuple[dict[str, str], ...] = (
    {},
    {"code": "AAAA-AAAA", "from": "A" * 22, "v": "1", "page": "2", "next": "/", "do": "mine"},
)


@pytest.fixture
def club() -> Club:
    """Something of everything, so that the numbers in its addresses are right."""
    club = ClubFactory(slug=HERE, name="The Nine", visibility="members")
    night = NightFactory(club=club)
    people = [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di")]
    TrophyFactory(club=club)
    table = played(night, people)
    play_off = PlayOff.objects.create(night=night, game=table.game, places=2)
    table.stage = Stage.objects.create(play_off=play_off, number=1, side="all", hands=4, places=2)
    table.save()
    Ruling.objects.create(play_off=play_off, kind="keep", says={"stages": []}, reason="So")
    SeasonFactory(club=club)
    new_guest(club, "Gus", night)
    return club


def numbers(club: Club) -> dict[str, Any]:
    """A number that is right, or something that may be, for every place in an address."""
    member, night = club.members.first(), Night.objects.get(club=club)
    return {
        "key": "A" * 22, "member": member.pk, "table": Table.objects.get(night=night).pk, "pk": night.pk,
        "which": "all", "size": "small",
        "ending": "csv", "figure": "games", "game": "dirty-dog", "tag": "dirty-dog", "deed": "confirm",
        "sample": "results", "token": "0" * 32, "ruling": Ruling.objects.get().pk,
    }  # fmt: skip


def addresses(club: Club) -> list[tuple[str, dict[str, Any]]]:
    """All addresses that have the address of a club in them."""
    found = []
    for pattern in get_resolver().url_patterns:
        route = str(pattern.pattern)
        if route.startswith("clubs/<slug:slug>/"):
            places = re.findall(r"<\w+:(\w+)>", route)
            known = numbers(club)
            found.append((pattern.name, {place: known[place] for place in places if place != "slug"}))
    assert len(found) > 60
    return found


def seen(answer: HttpResponse, slug: str) -> tuple[object, ...]:
    """What a stranger sees of an answer, but for what they have asked themselves."""
    told = answer.content.decode().replace(slug, "the-club")
    told = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", told)
    headers = {name: value.replace(slug, "the-club") for name, value in answer.headers.items()}
    headers.pop("Content-Length", None)
    return answer.status_code, headers, told


def strangers(club: Club) -> dict[str, Client]:
    """A browser that knows nothing; one with an account elsewhere; one that came in before the club was for members."""
    stale = Client()
    stale.cookies[COOKIE.format(club.pk)] = f"{club.key}.{club.members.first().pk}"
    return {
        "nobody": Client(),
        "elsewhere": account(ClubFactory(), "organiser", name="Zed")[0],
        "by its old link": stale,
    }


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("who", ["nobody", "elsewhere", "by its old link"])
def test_address_of_a_members_club_is_answered_as_one_that_never_was(club: Club, who: str, method: str) -> None:
    client = strangers(club)[who]
    told = []
    for view, places in addresses(club):
        for asked in ASKED:
            answers = []
            for slug in (HERE, NEVER_WAS):
                there = reverse(view, kwargs={"slug": slug, **places})
                answers.append(seen(getattr(client, method)(there, asked), slug))
            if answers[0] != answers[1]:
                told.append((view, asked, answers[0][0], answers[1][0]))
    assert not told
