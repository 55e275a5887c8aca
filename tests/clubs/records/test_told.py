"""Streaks of wins and personal bests: told on the sheet once the game is counted."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from clubs.members.privacy import hide_name
from clubs.models import Club, Member, Table
from clubs.projections.update import remake
from clubs.records.bests import LEAST_GAMES
from tests.club_factories import MemberFactory, NightFactory, played, scored
from tests.clubs.trophy_night import take_last_hand_back
from tests.counted import change

pytestmark = pytest.mark.django_db


def told(table: Table) -> list[str]:
    """The sentences on the watch page of the table."""
    assert table.sheet is not None
    html = Client().get(reverse("watch", args=[table.sheet.watch])).content.decode()
    items = html.partition('<ul class="superlatives">')[2].partition("</ul>")[0].split("</li>")
    sentences = [" ".join(strip_tags(item).split()) for item in items]
    return [text for text in sentences if text.startswith("Personal best") or "games of" in text]


@pytest.fixture
def six_before(club: Club, four: list[Member]) -> list[Member]:
    """Ann's best was 26 points, which is what she makes of a game of clear hands; Bo's was −50."""
    ann, bo, cy, di = four
    for _ in range(LEAST_GAMES):
        scored(NightFactory(club=club), [(di, 40), (cy, 30), (ann, 20), (bo, -50)])
    remake(club)
    return four


def test_personal_best_is_told_on_the_watch_page_with_the_best_before(club: Club, six_before: list[Member]) -> None:
    table = played(NightFactory(club=club), six_before)
    assert told(table)[:2] == [
        "Personal best for Ann: highest score, 26 points (20 before).",
        "Personal best for Bo: highest score, −4 points (−50 before).",
    ]
    assert not any("Cy" in sentence and "highest" in sentence for sentence in told(table))
    again = played(NightFactory(club=club), six_before)
    assert not any("highest score" in sentence for sentence in told(again)), "it was reached, and not beaten"


def test_nothing_is_told_before_somebody_has_played_enough(club: Club, four: list[Member]) -> None:
    for _ in range(2):
        assert told(played(NightFactory(club=club), four)) == []


def test_three_wins_of_somebody_are_told_unless_they_were_games_of_the_club_in_a_row(
    club: Club, four: list[Member]
) -> None:
    ann, bo, cy, di = four
    eve = MemberFactory(club=club, name="Eve")
    for _ in range(2):
        played(NightFactory(club=club), four)
        # Between Ann's games somebody else wins one at which she did not sit.
        scored(NightFactory(club=club), [(bo, 9), (cy, 7), (eve, 5)])
    table = played(NightFactory(club=club), four)
    assert told(table) == ["Ann has won three games of Dirty Dog in a row."]
    again = played(NightFactory(club=club), [ann, cy, di, eve])
    assert "Ann has won four games of Dirty Dog in a row." in told(again)


def test_win_after_win_of_the_club_is_back_to_back_alone(club: Club, four: list[Member]) -> None:
    tables = [played(NightFactory(club=club), four) for _ in range(3)]
    assert told(tables[-1]) == []
    page = Client().get(reverse("watch", args=[tables[-1].sheet.watch])).content.decode()  # type: ignore[union-attr]
    assert "has won 3 games running" in page


def test_nothing_is_told_of_a_game_for_fun_nor_of_one_that_is_open_again(club: Club, six_before: list[Member]) -> None:
    night = NightFactory(club=club)
    table = played(night, six_before)
    assert told(table) != []
    night.for_fun = True
    night.save()
    change(club.pk, night)
    assert told(table) == []
    other = played(NightFactory(club=club), six_before)
    take_last_hand_back(other)
    other.sheet.refresh_from_db()  # type: ignore[union-attr]
    assert other.sheet.also_called == []  # type: ignore[union-attr]


def test_what_was_told_stays_after_later_games_and_when_all_is_made_again(club: Club, six_before: list[Member]) -> None:
    table = played(NightFactory(club=club), six_before)
    before = told(table)
    scored(NightFactory(club=club), [(six_before[0], 90), (six_before[1], 80)])
    remake(club)
    assert told(table) == before


def test_name_that_is_hidden_is_told_as_the_sheet_has_it(club: Club, six_before: list[Member]) -> None:
    table = played(NightFactory(club=club), six_before)
    assert "for Ann:" in told(table)[0]
    hide_name(six_before[0], by=None)
    assert told(table)[0].startswith("Personal best for Somebody: highest score")
    assert not any("Ann" in sentence for sentence in told(table))


def test_merged_records_have_one_best(club: Club, six_before: list[Member]) -> None:
    anna = MemberFactory(club=club, name="Anna", same_as=six_before[0])
    table = played(NightFactory(club=club), [anna, *six_before[1:]])
    assert told(table)[0] == "Personal best for Anna: highest score, 26 points (20 before)."


def test_other_bests_that_are_no_news_are_not_told(client: Client, club: Club, four: list[Member]) -> None:
    """A worst hand is a record, and nothing to be told."""
    for _ in range(LEAST_GAMES + 1):
        table = played(NightFactory(club=club), four)
    assert not any("worst" in sentence or "lowest" in sentence for sentence in told(table))
