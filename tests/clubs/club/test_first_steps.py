"""The first steps of a new club on its home, for organisers."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from clubs.club.first_steps import first_steps
from clubs.models import Club, Table
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TableFactory, TrophyFactory
from tests.clubs.visitors import account, get, post, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="nine-of-clubs", visibility="link")


@pytest.fixture
def olga(club: Club) -> Client:
    return account(club, "organiser")[0]


def done(club: Club) -> list[bool]:
    return [step.is_done for step in first_steps(Club.objects.get(pk=club.pk))]


def test_each_step_is_ticked_by_what_is_there_and_the_list_goes_when_all_are(club: Club, olga: Client) -> None:
    assert done(club) == [False] * 5
    page = text(get(olga, "club", club))
    for step in first_steps(club):
        assert step.name in page
        assert olga.get(step.to).status_code == 200
    MemberFactory(club=club, role="guest")
    assert done(club)[0] is False, "a guest is no member"
    MemberFactory(club=club)
    TrophyFactory(club=club)
    assert done(club) == [True, True, False, False, False]
    past = NightFactory(club=club)
    TableFactory(night=past, source=Table.Source.PAST)
    assert done(club) == [True, True, False, False, True], "a night of the past is none that was planned"
    NightFactory(club=club, begun_at=None)
    assert done(club) == [True, True, True, False, True]
    assert post(olga, "club_settings", club, do="open-code")["Location"] == f"/clubs/{club.slug}/sign/"
    assert done(club) == []
    assert "First steps" not in text(get(olga, "club", club))


@pytest.mark.parametrize(("do", "at"), [("code-done", 3), ("no-past", 4)])
def test_an_answer_ticks_a_step_and_leads_back(club: Club, olga: Client, do: str, at: int) -> None:
    assert post(olga, "club_settings", club, do=do)["Location"] == club.get_absolute_url()
    assert [number for number, is_done in enumerate(done(club)) if is_done] == [at]


def test_list_is_hidden_at_a_tap_and_is_for_organisers_alone(club: Club, olga: Client) -> None:
    member = account(club)[0]
    assert "First steps" not in text(get(member, "club", club))
    assert post(member, "club_settings", club, do="hide-steps").status_code == 403
    assert "First steps" in text(get(olga, "club", club))
    post(olga, "club_settings", club, do="hide-steps")
    assert "First steps" not in text(get(olga, "club", club))


def test_list_costs_one_query_and_none_where_it_is_hidden(club: Club, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        first_steps(club)
    club.first_steps_hidden = True
    with django_assert_num_queries(0):
        first_steps(club)


def test_clubs_that_have_played_are_not_asked_after_the_update(club: Club) -> None:
    old, planned = ClubFactory(), ClubFactory()
    NightFactory(club=old)
    NightFactory(club=planned, begun_at=None)
    migration = importlib.import_module("clubs.migrations.0018_usual_evening")
    migration.hide_first_steps(apps, SimpleNamespace(connection=connection))
    hidden = Club.objects.filter(first_steps_hidden=True)
    assert [each.pk for each in hidden] == [old.pk]
