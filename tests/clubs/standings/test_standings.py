"""Where everybody stands, kept beside the games."""

from __future__ import annotations

import datetime

import pytest

from clubs.models import Club, Member, Night, Standing
from clubs.projections.update import remake
from clubs.standings.schemes import figure_text
from clubs.standings.store import keep_standings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, played, scored

pytestmark = pytest.mark.django_db


def table_of(club: Club, season: object = None) -> list[tuple[str, int | None, int | None, str]]:
    """Name, place, place before the latest night, points."""
    rows = Standing.objects.filter(club=club, season=season).order_by("place", "member__name")
    return [(row.member.name, row.place, row.place_before, figure_text(row.points)) for row in rows]


def people(club: Club, *names: str) -> list[Member]:
    return [MemberFactory(club=club, name=name) for name in names]


def on(club: Club, day: int, **more: object) -> Night:
    return NightFactory(club=club, on=datetime.date(2026, 3, day), **more)


def test_club_has_a_standing_that_nobody_had_to_choose() -> None:
    club = ClubFactory()
    ann, bo, cy, di = people(club, "Ann", "Bo", "Cy", "Di")
    played(on(club, 1), [ann, bo, cy, di])
    assert [(name, place, points) for name, place, _, points in table_of(club)] == [
        ("Ann", 1, "1"), ("Cy", 2, "0"), ("Di", 2, "0"), ("Bo", 4, "0"),
    ]  # fmt: skip
    assert Standing.objects.get(member=bo).lost == 1
    assert Standing.objects.get(member=di).reason == "tied in everything"


def test_movement_is_told_from_before_the_latest_night() -> None:
    club = ClubFactory()
    ann, bo, cy = people(club, "Ann", "Bo", "Cy")
    scored(on(club, 1), [(ann, 9), (bo, 5), (cy, 1)])
    scored(on(club, 2), [(cy, 30), (bo, 20)])
    keep_standings(club)
    # Cy and Ann have beaten half of their tables, Cy last of one and first of the other.
    assert table_of(club) == [("Ann", 1, 1, "1"), ("Cy", 2, 3, "1"), ("Bo", 3, 2, "0")]


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda night, table: Night.objects.filter(pk=night.pk).update(for_fun=True), id="for fun"),
        pytest.param(
            lambda night, table: Night.objects.filter(pk=night.pk).update(archived_at=night.begun_at), id="put away"
        ),
        pytest.param(
            lambda night, table: table.__class__.objects.filter(pk=table.pk).update(withdrawn_at=night.begun_at),
            id="table taken away",
        ),
        pytest.param(
            lambda night, table: table.__class__.objects.filter(pk=table.pk).update(ended_at=None), id="running"
        ),
    ],
)
def test_game_that_does_not_count_counts_for_nothing(spoil: object) -> None:
    club = ClubFactory()
    ann, bo = people(club, "Ann", "Bo")
    night = on(club, 1)
    table = scored(night, [(ann, 9), (bo, 5)])
    season = SeasonFactory(club=club)
    keep_standings(club)
    assert len(table_of(club)) == len(table_of(club, season)) == 2
    spoil(night, table)  # type: ignore[operator]
    keep_standings(club)
    assert table_of(club) == table_of(club, season) == []


def test_running_game_is_no_game_yet_and_a_finished_one_counts_at_once() -> None:
    club = ClubFactory()
    four = people(club, "Ann", "Bo", "Cy", "Di")
    night = on(club, 1)
    played(night, four, hands=3)
    assert table_of(club) == []
    played(night, four)
    assert len(table_of(club)) == 4


def test_merged_people_stand_as_one_and_apart_again() -> None:
    club = ClubFactory()
    ann, bo, bobby = people(club, "Ann", "Bo", "Bobby")
    scored(on(club, 1), [(ann, 1), (bo, 9)])
    scored(on(club, 2), [(ann, 1), (bobby, 9)])
    keep_standings(club)
    apart = table_of(club)
    bobby.same_as = bo
    bobby.save()
    keep_standings(club, [bo, bobby])
    assert table_of(club) == [("Bo", 1, 1, "2"), ("Ann", 2, 2, "0")]
    bobby.same_as = None
    bobby.save()
    keep_standings(club, [bo, bobby])
    assert table_of(club) == apart


def test_locked_season_does_not_move() -> None:
    club = ClubFactory()
    ann, bo = people(club, "Ann", "Bo")
    season = SeasonFactory(club=club)
    scored(on(club, 1), [(ann, 9), (bo, 5)])
    keep_standings(club)
    season.locked_at = datetime.datetime(2026, 4, 1, tzinfo=datetime.UTC)
    season.save()
    scored(on(club, 2), [(ann, 1), (bo, 5)])
    scored(on(club, 3), [(ann, 1), (bo, 5)])
    keep_standings(club)
    assert [row[0] for row in table_of(club, season)] == ["Ann", "Bo"]
    assert [row[0] for row in table_of(club)] == ["Bo", "Ann"]
    remake(club)
    assert [row[0] for row in table_of(club, season)] == ["Ann", "Bo"]


def test_season_counts_its_dates_and_its_games() -> None:
    club = ClubFactory()
    ann, bo = people(club, "Ann", "Bo")
    season = SeasonFactory(
        club=club, begins=datetime.date(2026, 3, 2), ends=datetime.date(2026, 3, 3), games=["dingo"], scheme="score"
    )
    for day in (1, 2, 3, 4):
        scored(on(club, day), [(ann, day), (bo, 0)], game="dingo")
        scored(on(club, day), [(ann, 100), (bo, 0)])
    keep_standings(club)
    assert table_of(club, season) == [("Ann", 1, 1, "5"), ("Bo", 2, 2, "0")]


def test_shared_win_counts_for_each() -> None:
    club = ClubFactory()
    ann, bo, cy = people(club, "Ann", "Bo", "Cy")
    scored(on(club, 1), [(ann, 7), (bo, 7), (cy, 0)])
    keep_standings(club)
    assert table_of(club) == [("Ann", 1, None, "1"), ("Bo", 1, None, "1"), ("Cy", 3, None, "0")]


def test_win_of_somebody_who_had_gone_home_is_theirs_alone() -> None:
    club = ClubFactory()
    ann, bo, cy = people(club, "Ann", "Bo", "Cy")
    table = scored(on(club, 1), [(ann, 7), (bo, 5), (cy, 0)])
    table.placings.filter(member=ann).update(winner=False)
    table.placings.filter(member=bo).update(winner=True, place=None)
    keep_standings(club)
    assert [(name, points) for name, _, _, points in table_of(club)] == [("Bo", "1"), ("Ann", "0"), ("Cy", "0")]


@pytest.mark.parametrize(
    "says",
    [
        {"scheme": "luck"},
        {"scheme": "places", "numbers": {"points": ["x", None, True, -4, 10**30]}},
        {"scheme": "places", "numbers": [1]},
        {"order": [1, None, "luck", ["won"]]},
        {"order": "won"},
        {"games": [7]},
        {"games": {"dirty-dog": 1}},
        {"drops": 32767, "least_nights": 0},
    ],
    ids=str,
)
def test_season_that_came_in_with_nonsense_is_counted_by_what_makes_sense(says: dict[str, object]) -> None:
    club = ClubFactory()
    ann, bo = people(club, "Ann", "Bo")
    scored(on(club, 1), [(ann, 9), (bo, 5)])
    season = SeasonFactory(club=club, **says)
    keep_standings(club)
    assert [row[0] for row in table_of(club, season)] == ["Ann", "Bo"]


def test_scores_beyond_all_measure_are_added_up() -> None:
    club = ClubFactory()
    ann, bo = people(club, "Ann", "Bo")
    season = SeasonFactory(club=club, scheme="score", games=["dirty-dog"])
    for day in range(1, 10):
        scored(on(club, day), [(ann, 2**31 - 1), (bo, -(2**31 - 1))])
    keep_standings(club)
    assert table_of(club, season) == [("Ann", 1, 1, "19327352823"), ("Bo", 2, 2, "−19327352823")]
