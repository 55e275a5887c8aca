"""On the page of a play-off everybody is called as they are called now."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from clubs.members.identity import distinct_names
from clubs.members.merge import merge
from clubs.members.privacy import hide_name
from clubs.models import Member
from tests.club_factories import ClubFactory, MemberFactory, TrophyFactory
from tests.clubs.night_played import page
from tests.clubs.play_offs.evening import play_off

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_page_calls_everybody_as_they_are_called_since() -> None:
    evening = play_off([4, 4], places=2)
    TrophyFactory(club=evening.club)
    for group in evening.groups:
        evening.finish(group, [9, 6, 3, 1])
    evening.open_next()
    winners, losers = evening.final("winners"), evening.final("losers")
    evening.finish(winners, {"Ann": 9, "Bo": 4, "Ed": 3, "Flo": 2})
    evening.finish(losers, {"Cy": 1, "Di": 2, "Gus": -3, "Hal": 3})
    ann = evening.members["Ann"]

    def shown() -> str:
        return Client().get(evening.url("play_off")).content.decode()

    shown()
    assert "Zebra" not in shown()
    ann.nickname = "Zebra"
    ann.save()
    assert "Zebra" in shown()
    merge(ann, MemberFactory(club=evening.club, name="Wim"), by=None)
    assert "Wim" in shown()
    assert "Zebra" not in shown()


def test_rows_and_sentences_call_everybody_the_same_by_nickname_and_alias() -> None:
    evening = play_off([5, 5], places=2)
    evening.finish(evening.groups[0], [20, 9, 9, 5, -3])
    Member.objects.filter(pk=evening.members["Bo"].pk).update(nickname="Buster")
    Member.objects.filter(pk=evening.members["Ed"].pk).update(nickname="Buster")
    hide_name(evening.members["Cy"], by=None)
    text = page(Client().get(evening.url("play_off"))).text
    assert "Buster and Somebody are tied at 9, and one of them goes through." in text
    assert "2 Buster tied 9" in text
    assert "Somebody tied 9" in text
    # Two of one name are told apart.
    assert "5 Ed −3" in text
    evening.blind(evening.groups[0], made=["Bo"])
    text = page(Client().get(evening.url("play_off"))).text
    assert re.search(r"Group 1, blind hand: .*Buster \+5", text)
    assert not re.search(r"\b(Bo|Cy)\b", text)


def test_who_left_under_another_name_is_not_called_by_their_own_beside_a_namesake() -> None:
    club = ClubFactory()
    people = [
        MemberFactory(club=club, name="Ann", shown_as="Nemo"),
        MemberFactory(club=club, name="Bo", shown_as="Nemo"),
    ]
    assert list(distinct_names(people).values()) == ["Nemo", "Nemo 2"]
