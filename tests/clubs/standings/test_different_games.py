"""Scores of different games are never added up or compared; places, and the share of the table beaten, are."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Member, Season, Standing
from clubs.standings.compute import terms_of
from clubs.standings.schemes import SCHEMES, Result, Terms, share_beaten, share_of
from clubs.standings.seasons import lock, open_again
from clubs.standings.store import keep_standings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, UserFactory, played, scored

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    """Two nights of Dirty Dog, and a Hotdog of two that Ann has lost by 2 to 5."""
    club = ClubFactory(slug="cards")
    ann, bo, cy = (MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy"))
    scored(NightFactory(club=club, on=datetime.date(2026, 3, 1)), [(ann, 60), (bo, 50), (cy, 40)])
    scored(NightFactory(club=club, on=datetime.date(2026, 3, 8)), [(ann, 70), (bo, 50), (cy, 30)])
    scored(NightFactory(club=club, on=datetime.date(2026, 3, 9)), [(bo, 5), (ann, 2)], game="hotdog")
    keep_standings(club)
    return club


@pytest.fixture
def organiser(club: Club) -> Client:
    client, user = Client(), UserFactory()
    MemberFactory(club=club, name="Olga", user=user, role="organiser")
    client.force_login(user)
    return client


def row(name: str, season: Season | None = None) -> Standing:
    return Standing.objects.get(member__name=name, season=season)


def page(client: Client, view: str, *args: Any, **query: Any) -> str:
    response = client.get(reverse(view, args=["cards", *args]), query)
    assert response.status_code == 200
    return response.content.decode()


# What can be compared


@pytest.mark.parametrize(
    ("place", "players", "sharing", "share"),
    [
        pytest.param(1, 6, 0, 10_000, id="the winner has beaten everybody"),
        pytest.param(2, 6, 0, 8_000, id="(n - place) / (n - 1)"),
        pytest.param(6, 6, 0, 0, id="who is last has beaten nobody"),
        pytest.param(1, 4, 1, 8_333, id="two first places: the mean of first and second"),
        pytest.param(1, 5, 4, 5_000, id="all level: half"),
        pytest.param(1, 2, 0, 10_000, id="a table of two"),
        pytest.param(1, 1, 0, None, id="alone"),
        pytest.param(None, 6, 0, None, id="no place"),
        pytest.param(9, 6, 0, 0, id="nonsense is no less than nothing"),
    ],
)
def test_share_of_the_table_beaten(place: int | None, players: int, sharing: int, share: int | None) -> None:
    assert share_of(place, players, sharing) == share


def test_who_went_home_early_counts_only_where_it_was_decided() -> None:
    gone = {"place": None, "score": 3, "players": 5}
    assert share_beaten(Result(1, won=False, lost=False, **gone)) is None
    assert share_beaten(Result(1, won=True, lost=False, **gone)) == 10_000
    assert share_beaten(Result(1, won=False, lost=True, **gone)) == 0


def test_share_is_a_scheme_of_its_own(club: Club) -> None:
    season = SeasonFactory(club=club, scheme="share", order=["won"])
    keep_standings(club)
    points = {one.member.name: one.points for one in season.standings.all()}
    assert points == {"Ann": 200, "Bo": 200, "Cy": 0}
    assert row("Ann", season).reason == ""
    assert row("Bo", season).reason == "games won: 1 to 2"


def test_places_that_are_shared_at_a_table_with_a_sheet_count_half() -> None:
    club = ClubFactory()
    people = [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di")]
    table = played(NightFactory(club=club), people)
    at_place: dict[int, list[int]] = {}
    for placing in table.placings.all():
        at_place.setdefault(placing.place, []).append(placing.sharing)
    assert max(map(len, at_place.values())) > 1, "somebody shares a place"
    assert all(set(sharing) == {len(sharing) - 1} for sharing in at_place.values())


# What is not compared any more


def test_standing_over_several_games_has_no_scores(club: Club) -> None:
    ann = row("Ann")
    assert (ann.average, ann.best, ann.worst, ann.score) == (None, None, None, None)
    assert (ann.share, ann.compared) == (Decimal("66.67"), 3)


def test_averages_are_there_while_there_is_one_game_and_come_back_with_it(club: Club) -> None:
    hotdog = club.nights.get(on=datetime.date(2026, 3, 9))
    hotdog.for_fun = True
    hotdog.save()
    keep_standings(club, list(Member.objects.filter(placings__table__night=hotdog)))
    assert [(row(name).average, row(name).worst) for name in ("Ann", "Bo", "Cy")] == [(65, 60), (50, 50), (35, 30)]
    table = scored(NightFactory(club=club, on=datetime.date(2026, 3, 20)), [(row("Cy").member, 1)], game="dingo")
    keep_standings(club, [row("Cy").member], ended=[table])
    assert {one.average for one in Standing.objects.all()} == {None}


def test_page_shows_no_column_of_what_is_not_compared(club: Club) -> None:
    text = page(Client(), "standings", columns="all")
    assert "Table beaten" in text
    assert "66.67" in text
    assert not any(f"sort=-{name}" in text for name in ("average", "best", "worst"))
    assert Client().get(reverse("behind", args=["cards", "all-time", row("Ann").member_id, "worst"])).status_code == 404
    assert "See the averages game by game" in text


def test_file_of_a_standing_has_no_sum_of_different_games(club: Club, organiser: Client) -> None:
    found = json.loads(organiser.get(reverse("standing_file", args=["cards", "all-time", "json"])).content)
    assert next((one["name"], one["share"], one["average"], one["score"]) for one in found["standing"]) == (
        "Ann", 66.67, None, None,
    )  # fmt: skip


def test_averages_are_told_game_by_game(club: Club) -> None:
    text = page(Client(), "standing_games", "all-time")
    assert "<h2>Dirty Dog</h2>" in text, "the game that is played most comes first"
    assert text.index("<bdi>Ann") < text.index("<bdi>Bo<") < text.index("<bdi>Cy")
    assert [number in text for number in (">65<", ">50<", ">35<", ">70<", ">60<")] == [True] * 5
    hotdog = page(Client(), "standing_games", "all-time", game="hotdog")
    assert "Cy" not in hotdog
    assert "Average" not in hotdog, "Hotdog is won by games, not by points"
    assert "<h2>Dirty Dog</h2>" in page(Client(), "standing_games", "all-time", game="chess")


def test_game_by_game_costs_the_same_whatever_was_played(club: Club, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(5):
        page(Client(), "standing_games", "all-time")


# What organisers choose


FILLED = {
    "name": "Spring", "begins": "2026-03-01", "ends": "2026-03-31", "scheme": "score", "points": "", "tie_1": "best",
    "tie_2": "", "tie_3": "", "drops": "", "least_nights": "",
}  # fmt: skip


@pytest.mark.parametrize("games", [[], ["dirty-dog", "hotdog"]])
def test_raw_score_over_several_games_is_refused_with_a_sentence(club: Club, organiser: Client, games: Any) -> None:
    response = organiser.post(reverse("new_season", args=["cards"]), FILLED | {"games": games})
    assert response.status_code == 422
    text = response.content.decode()
    assert "Raw score cannot be added up over different games. Count one game only" in text
    assert "Best game cannot be compared over different games." in text


def test_raw_score_of_one_game_is_a_scheme_as_ever(club: Club, organiser: Client) -> None:
    response = organiser.post(reverse("new_season", args=["cards"]), FILLED | {"games": ["dirty-dog"]})
    assert response.status_code == 303
    season = club.seasons.get()
    assert [(one.member.name, one.points, one.best) for one in season.standings.order_by("place")] == [
        ("Ann", 130, 70), ("Bo", 100, 50), ("Cy", 70, 40),
    ]  # fmt: skip


def test_what_if_supposes_no_sum_of_different_games(club: Club, organiser: Client) -> None:
    answer = organiser.get(reverse("what_if", args=["cards"]), {"of": "all-time", "scheme": "score"})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("scheme", "order", "nearest"),
    [
        ("score", ["average", "won"], ("share", ("share", "won"))),
        ("won", ["average", "best", "lost"], ("won", ("share", "lost"))),
        ("places", ["won"], ("places", ("won",))),
    ],
)
def test_nearest_terms_compare_no_scores(scheme: str, order: list[str], nearest: Any) -> None:
    terms = Terms(SCHEMES[scheme], tuple(order)).comparable
    assert (terms.scheme.slug, terms.order) == nearest
    assert Terms(SCHEMES[scheme], tuple(order), one_game=True).comparable.order == tuple(order)


# Standings that an upgrade has changed


def count_differently(*seasons: Season) -> None:
    """Mark the standings as the upgrade did that stopped comparing scores of different games."""
    today = timezone.localdate()
    Club.objects.update(counted_since=today, counted_before="Games won, ties by average score")
    for season in seasons:
        season.counted_since, season.counted_before = today, "Raw score, ties by average score, then games won"
        season.save()
    keep_standings(Club.objects.get())


def test_changed_standing_says_how_it_was_counted(club: Club, organiser: Client) -> None:
    raw = SeasonFactory(club=club, scheme="share", order=["share", "won"], name="Raw")
    one = SeasonFactory(club=club, scheme="score", order=["average"], games=["dirty-dog"], name="One game")
    count_differently(raw)
    assert [row.points for row in raw.standings.order_by("place")] == [200, 200, 0]
    text = page(Client(), "standing", raw.pk)
    assert "these standings have been counted differently" in text
    assert "Before: Raw score, ties by average score, then games won." in text
    assert "Now: Share of the table beaten, ties by share of the table beaten, then games won." in text
    assert "Dismiss" not in text, "only organisers dismiss it"
    assert "counted differently" in page(Client(), "standing", "all-time"), "the standing of all time, too"
    assert "counted differently" not in page(Client(), "standing", one.pk)
    assert "2 standings are counted differently" in page(organiser, "organise")


def test_note_is_dismissed_by_an_organiser_and_stays_readable(club: Club, organiser: Client) -> None:
    count_differently()
    assert "Dismiss for everybody" in page(organiser, "standings")
    for _ in range(2):
        assert organiser.post(reverse("counting_seen", args=["cards", "all-time"])).status_code == 303
    text = page(Client(), "standings")
    assert "these standings have been counted differently" not in text
    assert "it was counted like this: Games won, ties by average score." in text
    assert club.audit_entries.count() == 1
    assert "counted differently" not in page(organiser, "organise")


def test_season_that_was_locked_stays_as_it_was_locked_until_it_is_opened(club: Club) -> None:
    season = SeasonFactory(club=club, scheme="score", order=["average"], locked_at=datetime.datetime.now(datetime.UTC))
    Standing.objects.create(
        club=club, season=season, member=row("Ann").member, place=1, points=132, score=132, average=44, best=70,
        worst=2, nights=3, games=3, won=2, lost=1,
    )  # fmt: skip
    count_differently()
    season.refresh_from_db()
    assert (season.scheme, season.counted_since, terms_of(season).scheme.slug) == ("score", None, "score")
    assert (row("Ann", season).points, row("Ann", season).worst) == (132, 2)
    text = page(Client(), "standing", season.pk, columns="all")
    assert "Average" in text
    assert "Table beaten" not in text
    open_again(season, by=None)
    season.refresh_from_db()
    assert (season.scheme, season.counted_before) == ("share", "Raw score, ties by average score")
    lock(season, by=None)
    season.refresh_from_db()
    assert terms_of(season).scheme.slug == "share"
    keep_standings(club)
    season.refresh_from_db()
    assert not season.differs, "what is locked now is what would be counted"
