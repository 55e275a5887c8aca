"""The page that compares two members, and the way there from a member's page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from clubs.models import Club, Member
from clubs.records.comparison import Comparison, FigureRow
from clubs.records.hands import Person
from tests.club_factories import MemberFactory, NightFactory, played, scored

pytestmark = pytest.mark.django_db


def page(client: Client, member: Member, query: str = "", status: int = 200) -> str:
    response = client.get(reverse("compare", args=[member.club.slug, member.pk]) + query)
    assert response.status_code == status
    return response.content.decode()


def text_of(html: str) -> str:
    return " ".join(strip_tags(html).split())


def texts(rows: list[FigureRow]) -> dict[str, tuple[str, str]]:
    return {row.name: (row.figures[0].text, row.figures[1].text) for row in rows}


def test_two_members_are_compared_with_balance_meetings_and_figures(
    client: Client, club: Club, four: list[Member]
) -> None:
    ann, bo, cy, _ = four
    played(NightFactory(club=club), four)
    scored(NightFactory(club=club), [(bo, 9), (ann, 7), (cy, 5)])
    scored(NightFactory(club=club), [(bo, 9), (ann, 9), (cy, 5)])
    shown = text_of(page(client, ann, f"?with={bo.pk}"))
    assert "33 % ahead in 1 of 3 games" in shown.replace("\xa0", " ")
    assert "Level in 1 game." in shown
    comparison = Comparison(club, (Person.of(ann), Person.of(bo)))
    assert [meeting.places for meeting in comparison.meetings] == [
        ("place 1", "place 1"), ("place 2", "place 1"), ("place 1", "place 4"),
    ]  # fmt: skip
    in_all, in_the_game = texts(comparison.in_all), texts(comparison.in_the_game)
    assert in_all["Won"] == ("67\xa0%", "67\xa0%")
    assert in_all["Lost"] == ("0\xa0%", "33\xa0%")
    assert in_the_game["Bids made"] == ("100\xa0%", "0\xa0%")
    assert in_the_game["Games"] == ("3", "3")


def test_all_games_together_are_as_many_as_the_balance_has(client: Client, club: Club, four: list[Member]) -> None:
    ann, bo, *_ = four
    for _ in range(7):
        scored(NightFactory(club=club), [(bo, 9), (ann, 7)])
    scored(NightFactory(club=club), [(bo, 9), (four[2], 7)])
    comparison = Comparison(club, (Person.of(ann), Person.of(bo)))
    assert (comparison.balance.games, len(comparison.meetings)) == (7, 5)
    assert client.get(comparison.all_url).context["page"].paginator.count == 7


def test_member_page_leads_to_the_comparison_by_a_form(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club), four)
    html = client.get(four[0].get_absolute_url()).content.decode()
    assert f'action="{reverse("compare", args=[club.slug, four[0].pk])}"' in html
    names = re.findall(r'<option value="\d+"\s*>([^<]*)<', html)
    assert names == ["Bo", "Cy", "Di"]


def test_without_another_the_page_has_the_choice_alone(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club), four)
    for query in ("", "?with=", f"?with={four[0].pk}"):
        shown = page(client, four[0], query)
        assert "Compare with" in shown
        assert "Head to head" not in shown
    assert "Nobody has finished a game with them yet." in page(client, MemberFactory(club=club))


@pytest.mark.parametrize("query", ["?with=x", "?with=99999999", "?with=0"])
def test_comparison_with_nobody_of_the_club_is_not_there(client: Client, four: list[Member], query: str) -> None:
    page(client, four[0], query, 404)
    page(client, four[0], f"?with={MemberFactory().pk}", 404)


def test_two_who_never_met_are_told_so(client: Client, club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    scored(NightFactory(club=club), [(ann, 9), (bo, 7)])
    scored(NightFactory(club=club), [(cy, 9), (di, 7)])
    shown = page(client, ann, f"?with={cy.pk}")
    assert "They have not finished a game together yet." in shown
    assert "Side by side" in shown


def test_merged_record_leads_to_the_one_that_counts(client: Client, club: Club, four: list[Member]) -> None:
    bobby = MemberFactory(club=club, name="Bobby", same_as=four[1])
    scored(NightFactory(club=club), [(bobby, 9), (four[0], 7)])
    there = reverse("compare", args=[club.slug, four[1].pk]) + f"?with={four[0].pk}"
    answer = client.get(reverse("compare", args=[club.slug, bobby.pk]) + f"?with={four[0].pk}")
    assert answer.headers["Location"] == there
    assert "ahead in 1 of 1 games" in text_of(page(client, four[0], f"?with={bobby.pk}"))


def test_hidden_name_stays_hidden_in_the_comparison(client: Client, club: Club, four: list[Member]) -> None:
    four[1].hidden, four[1].nickname = True, "The Boss"
    four[1].save()
    scored(NightFactory(club=club), [(four[0], 9), (four[1], 7)])
    for shown in (page(client, four[0], f"?with={four[1].pk}"), page(client, four[1], f"?with={four[0].pk}")):
        assert "The Boss" not in shown
        assert "Bo<" not in shown
        assert "Somebody" in shown


def test_comparison_costs_the_same_however_much_was_played(
    client: Client, club: Club, four: list[Member], django_assert_num_queries
) -> None:  # type: ignore[no-untyped-def]
    for _ in range(2):
        played(NightFactory(club=club), four)
        with django_assert_num_queries(21):
            page(client, four[0], f"?with={four[1].pk}")


def test_page_of_a_closed_club_is_not_shown(client: Client) -> None:
    member = MemberFactory(club__visibility="members")
    page(client, member, status=403)
