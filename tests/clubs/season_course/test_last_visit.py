"""What is new since a browser has shown it last: said once, from a cookie, without a row in the database."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Award, Club
from clubs.season_course.last_visit import Seen, news
from clubs.standings.store import keep_standings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, scored

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _today() -> Any:
    with time_machine.travel(datetime.datetime(2026, 3, 20, 20, tzinfo=datetime.UTC), tick=False):
        yield


@pytest.fixture
def club() -> Club:
    club = ClubFactory()
    for name in ("Ann", "Bo", "Cy"):
        MemberFactory(club=club, name=name)
    game(club, "Ann", "Bo", "Cy")
    return club


def game(club: Club, *names: str) -> None:
    """A game that these have played, who ended in this order; it counts at once."""
    people = {member.name: member for member in club.members.all()}
    night = NightFactory(club=club, on=datetime.date(2026, 3, 1))
    scored(night, [(people[name], -at) for at, name in enumerate(names)])
    keep_standings(club)


def as_me(club: Club, name: str) -> Client:
    client = Client()
    client.cookies[f"club-{club.pk}"] = f"{club.key}.{club.members.get(name=name).pk}"
    return client


def news_on(client: Client, club: Club, view: str = "standings") -> list[str]:
    text = client.get(reverse(view, args=[club.slug])).content.decode()
    part = re.search(r'<section class="since".*?</section>', text, re.S)
    return re.findall("<li>(.*?)</li>", part.group()) if part else []


def test_what_has_changed_is_said_once(club: Club) -> None:
    cy = as_me(club, "Cy")
    assert news_on(cy, club) == [], "on a first visit nothing is new"
    game(club, "Cy", "Bo", "Ann")
    game(club, "Cy", "Bo", "Ann")
    assert news_on(cy, club) == ["2 more games of yours count.", "Your place: from 3rd to 1st."]
    assert news_on(cy, club) == [], "it has been seen"
    assert news_on(cy, club, "club") == [], "on the other page, too"


def test_new_trophies_are_told_on_the_page_of_the_club(club: Club) -> None:
    cup = TrophyFactory(club=club, name="The Cup")
    bo = as_me(club, "Bo")
    assert news_on(bo, club, "club") == []
    ann, on = club.members.get(name="Ann"), datetime.date(2026, 3, 1)
    Award.objects.create(trophy=cup, member=ann, on=on, source=Award.Source.TYPED, confirmed_at=timezone.now())
    assert news_on(bo, club) == [], "the page of the standings knows no trophies"
    assert news_on(bo, club, "club") == ["Ann won The Cup."]
    assert news_on(bo, club, "club") == []


def test_stranger_has_no_cookie_and_somebody_else_on_the_phone_no_news(club: Club) -> None:
    stranger = Client()
    assert news_on(stranger, club) == []
    assert not stranger.cookies
    cy = as_me(club, "Cy")
    news_on(cy, club)
    game(club, "Bo", "Cy", "Ann")
    cy.cookies[f"club-{club.pk}"] = f"{club.key}.{club.members.get(name='Bo').pk}"
    assert news_on(cy, club) == []


@pytest.mark.parametrize("cookie", ["", "x", "1.2.3", "1.2.3.4.5.6", "1.-2.3.4.5", "1.2.3.4." + "9" * 40, "1.2.3.4.²"])
def test_cookie_that_says_nothing_is_a_first_visit(club: Club, cookie: str) -> None:
    cy = as_me(club, "Cy")
    cy.cookies[f"seen-{club.pk}"] = cookie
    assert news_on(cy, club) == []
    assert cy.cookies[f"seen-{club.pk}"].value == f"{club.members.get(name='Cy').pk}.0.3.1.0"


def test_known_reader_costs_the_page_of_standings_no_query_more(club: Club, django_assert_num_queries: Any) -> None:
    cy = as_me(club, "Cy")
    with django_assert_num_queries(3):
        news_on(cy, club)


NUMBERS = st.integers(0, 40)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_there_is_news_exactly_where_something_is_different(
    place: int, games: int, place_now: int, games_now: int
) -> None:
    seen, now = Seen(1, 2, place, games), Seen(1, 2, place_now, games_now)
    said = news(seen, now, None)
    assert bool(said) == (games != games_now or (place != place_now and place_now > 0))
    assert news(seen, Seen(1, 3, place_now, games_now), None) == [], "another standing is not compared"
