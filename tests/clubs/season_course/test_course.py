"""Places after each night, the nights left out, and the pages that show them."""

from __future__ import annotations

import datetime
import random
import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Season, Standing
from clubs.season_course.course import course_of
from clubs.season_course.dropped_nights import dropped_rows
from clubs.season_course.race_chart import COLOURED, MOST_LINES, RaceChart
from clubs.standings.schemes import SCHEMES
from clubs.standings.store import keep_standings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, scored

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _today() -> Any:
    with time_machine.travel(datetime.datetime(2026, 3, 20, 20, tzinfo=datetime.UTC), tick=False):
        yield


def club_of(*nights: list[list[str]], **says: Any) -> tuple[Club, Season]:
    """A club with a season in which each night had these tables, everybody in the order they ended in."""
    club = ClubFactory()
    people: dict[str, Any] = {}
    for day, tables in enumerate(nights, 1):
        night = NightFactory(club=club, on=datetime.date(2026, 3, day))
        for table in tables:
            for name in table:
                if name not in people:
                    people[name] = MemberFactory(club=club, name=name)
            scored(night, [(people[name], 10 * (len(table) - at)) for at, name in enumerate(table)])
    season = SeasonFactory(
        club=club, name="Spring", begins=datetime.date(2026, 3, 1), ends=datetime.date(2026, 3, 31), **says
    )
    keep_standings(club)
    return club, season


def page(club: Club, name: str, season: Season, client: Client | None = None, **query: Any) -> str:
    response = (client or Client()).get(reverse(name, args=[club.slug, season.pk]), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def spring() -> tuple[Club, Season]:
    return club_of(
        [["Ann", "Bo", "Cy"]], [["Cy", "Bo"]], [["Cy", "Bo", "Di"]], [["Ann", "Bo", "Cy", "Di"]],
        scheme="places", order=[], drops=1,
    )  # fmt: skip


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_course_ends_with_the_standing_and_the_night_before_is_where_everybody_was(scheme: str) -> None:
    dice = random.Random(scheme)
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
    nights = [[dice.sample(names, dice.randint(2, 5)) for _ in range(dice.randint(1, 2))] for _ in range(6)]
    club, season = club_of(*nights, scheme=scheme, order=["won"], drops=1, least_nights=2, games=["dirty-dog"])
    course = course_of(club, season)
    rows = Standing.objects.filter(season=season)
    assert course.last.places == {row.member_id: row.place for row in rows if row.place}
    assert course.stops[-2].places == {row.member_id: row.place_before for row in rows if row.place_before}
    assert [stop.on for stop in course.stops] == sorted({stop.on for stop in course.stops})
    latest = course_of(club, season, most=2)
    assert latest.stops == course.stops[-2:], "a part of the course is the same as in the whole"


def test_course_begins_with_the_first_night_after_which_somebody_has_a_place() -> None:
    club, season = club_of([["Ann", "Bo"]], [["Ann", "Cy"]], [["Bo", "Cy"]], least_nights=2)
    course = course_of(club, season)
    assert [stop.on.day for stop in course.stops] == [2, 3]
    ann, bo = (club.members.get(name=name).pk for name in ("Ann", "Bo"))
    assert course.places_of(ann)[0] == 1
    assert course.places_of(bo)[0] is None


def test_every_line_has_its_own_row_on_every_night(spring: tuple[Club, Season]) -> None:
    chart = RaceChart(course_of(*spring))
    for rows in chart.rows_by_night:
        assert sorted(rows.values()) == list(range(len(rows)))
    assert [line.short for line in chart.lines] == ["Bo", "Cy", "Ann", "Di"]
    assert {line.short: line.begins_later for line in chart.lines} == {
        "Bo": False,
        "Cy": False,
        "Ann": False,
        "Di": True,
    }
    last = chart.drawn[-1]
    assert last.line.short == "Bo", "who is in front is painted last"
    assert last.path.startswith(f"M{chart.x(0)} "), "from the first night"
    assert last.end_y == chart.y(0)
    left = {line.short: chart.left_rows[line.member.pk] for line in chart.lines}
    assert left == {"Ann": 0, "Bo": 1, "Cy": 2, "Di": 3}, "who came later has the row that is free"


def test_first_ten_have_ten_colours_and_of_many_the_first_and_the_reader_are_drawn() -> None:
    names = [f"Player {number:02}" for number in range(MOST_LINES + 4)]
    club, season = club_of([names[at : at + 2] for at in range(0, len(names), 2)], scheme="won", order=[])
    last = club.members.get(name=names[-1])
    chart = RaceChart(course_of(club, season), chosen=last.pk)
    assert len(chart.lines) == MOST_LINES + 1
    assert chart.left_out == 3
    assert chart.lines[-1].is_chosen
    assert chart.drawn[-1].line.is_chosen, "painted above all others"
    coloured = [line.badge.colour for line in chart.lines if line.is_coloured]
    assert len(coloured) == len(set(coloured)) == COLOURED
    assert len({line.short for line in chart.lines}) > 1


def test_race_page_draws_a_line_and_a_row_for_everybody(
    spring: tuple[Club, Season], django_assert_max_num_queries: Any
) -> None:
    club, season = spring
    with django_assert_max_num_queries(6):
        text = page(club, "race_chart", season)
    assert text.count('class="way"') == text.count("data-says=") == 4
    rows = re.findall(r'<th scope="row"><bdi>(.*?)</bdi></th>\s*((?:<td>.</td>)+)', text)
    assert [(name, re.findall("<td>(.)</td>", cells)) for name, cells in rows] == [
        ("Bo", ["2", "2", "2", "1"]),
        ("Cy", ["3", "2", "1", "1"]),
        ("Ann", ["1", "1", "2", "3"]),
        ("Di", ["–", "–", "4", "4"]),
    ]
    assert "following" not in text


def test_line_is_followed_without_a_script(spring: tuple[Club, Season]) -> None:
    club, season = spring
    di = club.members.get(name="Di")
    text = page(club, "race_chart", season, line=di.pk)
    assert 'class="following"' in text
    assert re.search(rf'href="\?line=0"\s+data-line="{di.pk}"', text)
    assert "<b><bdi>Di</bdi></b>: 4th at first, 4th at best, 4th now" in text
    for broken in ("x", "0", "99999999999", "-1"):
        assert "following" not in page(club, "race_chart", season, line=broken)


def test_race_page_of_a_club_that_has_not_played_says_so() -> None:
    club = ClubFactory()
    text = Client().get(reverse("race_chart", args=[club.slug, "all-time"])).content.decode()
    assert "The race chart begins once somebody has a place." in text


def test_each_row_says_which_night_is_left_out_and_how_it_would_stand_with_it(spring: tuple[Club, Season]) -> None:
    rows = {row.member.name: row for row in dropped_rows(*spring)}
    points = {
        name: (row.points, row.points_with_all, [(n.on.day, n.points) for n in row.nights])
        for name, row in rows.items()
    }
    assert points == {
        "Ann": (3, 5, [(1, 2)]), "Bo": (4, 4, [(2, 0)]), "Cy": (4, 4, [(1, 0)]), "Di": (0, 0, [(3, 0)]),
    }  # fmt: skip
    assert [(row.place, row.place_with_all, row.moves) for row in rows.values()] == [
        (1, 2, 1),
        (1, 2, 1),
        (3, 1, -2),
        (4, 4, 0),
    ]
    text = page(spring[0], "nights_left_out", spring[1])
    assert "leaving out costs </span>2" in text
    assert "1 Mar: 2" in text


def test_where_nothing_is_left_out_the_page_says_so() -> None:
    club, season = club_of([["Ann", "Bo"]])
    assert dropped_rows(club, season) == []
    assert "No nights are left out" in page(club, "nights_left_out", season)
    assert "Nights left out" not in page(club, "standing", season)


# Form


def test_latest_five_games_are_marks_with_words() -> None:
    nights = [[["Ann", "Bo", "Cy"]], [["Bo", "Ann", "Cy"]], [["Cy", "Bo", "Ann"]]]
    club, season = club_of(*nights, *nights)
    text = page(club, "standing", season)
    row = text[text.index("<bdi>Ann</bdi>") :]
    assert re.search(r'aria-label="(.*?)"', row).group(1) == "Latest games: in between, lost, won, in between, lost"  # type: ignore[union-attr]
    assert re.search(r'role="img".*?</span>', row).group().count("<i ") == 5  # type: ignore[union-attr]


# The last night


def last_night(club: Club, day: int = 29) -> None:
    NightFactory(club=club, on=datetime.date(2026, 3, day), begun_at=None)


@pytest.mark.thorough
def test_before_the_last_night_it_says_what_must_happen() -> None:
    club, season = club_of([["Ann", "Bo", "Cy"]], [["Ann", "Cy", "Bo"]], scheme="places", order=[])
    assert "What must happen" not in page(club, "standing", season), "nobody knows that it is the last night"
    last_night(club)
    text = page(club, "standing", season)
    assert re.findall("<li>(Ann .*?|Bo .*?|Cy .*?)</li>", text) == [
        "Ann wins the season if they finish 3rd or better, whoever plays."
    ]
    last_night(club, 30)
    assert "What must happen" not in page(club, "standing", season), "two nights are left"


@pytest.mark.thorough
def test_nothing_is_claimed_once_the_last_night_has_begun_or_by_scores() -> None:
    club, season = club_of([["Ann", "Bo", "Cy"]], [["Ann", "Cy", "Bo"]], scheme="places", order=[])
    last_night(club, 20)
    assert "What must happen" in page(club, "standing", season)
    ann, bo = club.members.filter(name__in=("Ann", "Bo")).order_by("name")
    scored(club.nights.get(on=datetime.date(2026, 3, 20)), [(ann, 1), (bo, 0)])
    keep_standings(club)
    assert "What must happen" not in page(club, "standing", season)
    Season.objects.update(scheme="score", games=["dirty-dog"])
    club.nights.filter(on=datetime.date(2026, 3, 20)).update(on=datetime.date(2026, 3, 21))
    keep_standings(club)
    assert "What must happen" not in page(club, "standing", season)
