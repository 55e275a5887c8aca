"""The pages of a club of two hundred members: how much they weigh, and how many queries they ask."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Honour, Member
from rules import all_games
from tests.club_factories import NightFactory, scored
from tests.clubs.evenings import A_WEEK, THURSDAY
from tests.clubs.visitors import account
from tests.counted import not_counted
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db

MEMBERS = 200
MOST_BYTES = 130_000
A_LINK = re.compile(r'href="(\?open=[\w.-]+)(#[\w.-]+)"')


@pytest.fixture
def people(club: Club) -> list[Member]:
    """Two hundred people, each with a first name and a surname."""
    return Member.objects.bulk_create(
        Member(club=club, name=name, player=PlayerFactory(name=name))
        for name in (f"Maximilian Underwood {number:03}" for number in range(MEMBERS))
    )


def call_out_everything(club: Club, people: list[Member]) -> None:
    """Everything that can be called out was called out of everybody."""
    with not_counted():
        tables = {game.slug: scored(NightFactory(club=club), [(people[0], 1)], game=game.slug) for game in all_games()}
    Honour.objects.bulk_create(
        Honour(table=tables[game.slug], member=member, hand=hand, game=game.slug, tag=word.call, value=2)
        for game in all_games()
        for word in game.words
        if word.call
        for rank, member in enumerate(people)
        for hand in range(2 if rank < 5 else 1)
    )


def test_honours_show_the_first_of_every_call_out_and_all_of_one(club: Club, people: list[Member]) -> None:
    call_out_everything(club, people)
    address = reverse("honours", args=[club.slug])
    page = Client().get(address).content
    assert len(page) <= MOST_BYTES
    links = A_LINK.findall(page.decode())
    assert len(links) == len({(honour.game, honour.tag) for honour in Honour.objects.only("game", "tag")})
    first_people = page.decode().count("?of=")
    query, anchor = links[0]
    opened = Client().get(address + query).content
    assert len(opened) <= MOST_BYTES
    assert f'id="{anchor[1:]}"' in opened.decode(), "the link leads to the call-out it has opened"
    assert opened.decode().count("?of=") == first_people + MEMBERS - 5
    assert len(A_LINK.findall(opened.decode())) == len(links) - 1


@pytest.mark.parametrize("asked", ["", "nothing", "dirty-dog-nothing", "x" * 5000])
def test_honours_open_nothing_for_a_call_out_there_is_not(club: Club, people: list[Member], asked: str) -> None:
    call_out_everything(club, people[:20])
    page = Client().get(reverse("honours", args=[club.slug]), {"open": asked})
    assert page.status_code == 200
    assert "Fewer" not in page.content.decode()


def test_honours_ask_as_many_queries_for_two_hundred_people_as_for_ten(
    club: Club, people: list[Member], django_assert_num_queries: Any
) -> None:
    call_out_everything(club, people[:10])
    address, visitor = reverse("honours", args=[club.slug]), Client()
    with django_assert_num_queries(QUERIES_OF_HONOURS):
        visitor.get(address)
    call_out_everything(club, people)
    with django_assert_num_queries(QUERIES_OF_HONOURS):
        visitor.get(address)


def test_roll_call_of_two_hundred_is_no_heavier_than_its_answers(
    club: Club, people: list[Member], django_assert_num_queries: Any
) -> None:
    with not_counted():
        scored(NightFactory(club=club, on=THURSDAY - A_WEEK), [(member, 1) for member in people])
    night = NightFactory(club=club, on=THURSDAY, begun_at=None)
    organiser, address = account(club, "organiser", name="Flo")[0], reverse("roll_call", args=[club.slug, night.pk])
    organiser.get(address)
    with django_assert_num_queries(QUERIES_OF_ROLL_CALL):
        page = organiser.get(address)
    assert page.content.decode().count("<legend>") == MEMBERS + 1
    assert len(page.content) <= MOST_BYTES


#: Exact: what a page asks more is asked on purpose.
QUERIES_OF_HONOURS = 4
QUERIES_OF_ROLL_CALL = 15
