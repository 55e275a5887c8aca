"""Ratings of a club: kept game by game, corrected from the changed day on, and shown."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Member, PendingUpdate, Placing, PlayOff, Rating, Stage, Standing, Table
from clubs.projections import worker
from clubs.projections.update import remake
from clubs.queue.changes import results_changed
from clubs.ratings.games import games_of
from clubs.ratings.skill import START
from clubs.ratings.store import changes_of, keep_ratings, write_changes
from clubs.records.hands import Person
from clubs.records.rating_curve import rating_of
from rules import find_game
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, played, scored
from tests.counted import not_counted

pytestmark = pytest.mark.django_db
FIRST = datetime.date(2026, 3, 1)


def rows_of(club: Club) -> list[tuple[object, ...]]:
    """All ratings, without their ids."""
    return sorted(row[1:] for row in Rating.objects.filter(club=club).values_list())


def numbers(club: Club, game: str = "dirty-dog") -> dict[str, int]:
    """The rating of everybody today, by name."""
    rows = Rating.objects.filter(club=club, game=game).order_by("games").select_related("member")
    return {row.member.name: round(START + 20 * (row.mean - 25)) for row in rows}


def nights_of(club: Club, count: int) -> list[object]:
    return [NightFactory(club=club, on=FIRST + datetime.timedelta(days=day)) for day in range(count)]


def test_game_that_ends_and_its_correction_are_rated_on_the_usual_way() -> None:
    club = ClubFactory()
    people = MemberFactory.create_batch(4, club=club)
    table = played(NightFactory(club=club, on=FIRST), people)
    later = played(NightFactory(club=club, on=FIRST + datetime.timedelta(days=1)), people, seed=5)
    assert Rating.objects.filter(table=table).count() == Rating.objects.filter(table=later).count() == 4
    best = Placing.objects.get(table=table, place=1).member
    assert Rating.objects.get(table=table, member=best).mean > 25
    before = rows_of(club)
    # The scores are the other way round now.
    for placing in Placing.objects.filter(table=table):
        Placing.objects.filter(pk=placing.pk).update(place=5 - (placing.place or 0))
    write_changes(changes_of(club, FIRST))
    corrected = rows_of(club)
    assert corrected != before
    keep_ratings(club)
    assert rows_of(club) == corrected
    # What the sheet says is counted again.
    results_changed(club.pk, Sheet.objects.get(table=table))
    worker.catch_up()
    assert rows_of(club) == before


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_rating_from_the_corrected_day_on_is_that_of_a_full_count(seed: int) -> None:
    dice = random.Random(seed)
    club = ClubFactory()
    members, nights = MemberFactory.create_batch(7, club=club), nights_of(club, 5)
    for night in nights:
        for game in dice.sample(["dingo", "hotdog", "dingo"], 2):
            sat = dice.sample(members, dice.randint(2, 5))
            scored(night, [(member, dice.randint(0, 4)) for member in sat], game=game)  # type: ignore[arg-type]
    keep_ratings(club)
    for _ in range(6):
        table = dice.choice(list(Table.objects.order_by("pk")))
        if dice.randrange(3):
            for placing in table.placings.all():
                Placing.objects.filter(pk=placing.pk).update(place=dice.choice([1, 2, 3, None]))
        else:
            table.withdrawn_at = None if table.withdrawn_at else timezone.now()
            table.number = table.pk
            table.save()
        write_changes(changes_of(club, table.night.on))
        kept = rows_of(club)
        assert changes_of(club) == []
        Rating.objects.filter(club=club).delete()
        keep_ratings(club)
        assert kept == rows_of(club)


def test_game_that_counts_no_more_has_no_rating_and_one_without_opponents_neither() -> None:
    club = ClubFactory()
    one, other, third = MemberFactory.create_batch(3, club=club)
    fun, alone, night = nights_of(club, 3)
    fun.for_fun = True  # type: ignore[attr-defined]
    fun.save()  # type: ignore[attr-defined]
    scored(fun, [(one, 2), (other, 1)])  # type: ignore[arg-type]
    scored(alone, [(third, 2)])  # type: ignore[arg-type]
    table = scored(night, [(one, 2), (other, 1), (third, 0)])  # type: ignore[arg-type]
    # Two who went home early: one was given the last place.
    Placing.objects.filter(table=table, member=third).update(place=None, loser=True)
    keep_ratings(club)
    assert set(Rating.objects.values_list("table", "games")) == {(table.pk, 1)}
    assert numbers(club)[third.name] < numbers(club)[other.name] < numbers(club)[one.name]
    Placing.objects.filter(table=table, member=third).update(loser=False)
    keep_ratings(club)
    assert third.name not in numbers(club)


def test_games_of_one_person_under_two_records_are_one_course() -> None:
    club = ClubFactory()
    one, other, third = MemberFactory.create_batch(3, club=club)
    first, second = nights_of(club, 2)
    scored(first, [(one, 2), (other, 1)])  # type: ignore[arg-type]
    scored(second, [(third, 2), (other, 1)])  # type: ignore[arg-type]
    keep_ratings(club)
    third.same_as = one
    third.save()
    worker.catch_up()
    assert list(Rating.objects.filter(member=one).order_by("games").values_list("games", flat=True)) == [1, 2]
    assert not Rating.objects.filter(member=third).exists()
    third.same_as = None
    third.save()
    worker.catch_up()
    assert Rating.objects.get(member=third).games == 1


@pytest.fixture
def _waiting() -> Iterator[None]:
    with not_counted():
        yield


@pytest.mark.usefixtures("_waiting")
def test_all_tables_of_a_play_off_are_one_game() -> None:
    club = ClubFactory()
    members, night = MemberFactory.create_batch(4, club=club), NightFactory(club=club)
    play_off = PlayOff.objects.create(
        night=night, game="dirty-dog", places=2, losers_count=2, decided_at=timezone.now()
    )
    for side, places in (("winners", (1, 2)), ("losers", (3, 4))):
        stage = Stage.objects.create(play_off=play_off, number=2, side=side, hands=5)
        table = scored(night, [(members[place - 1], -place) for place in places])
        Table.objects.filter(pk=table.pk).update(stage=stage)
        for place in places:
            Placing.objects.filter(member=members[place - 1]).update(place=place, players=4)
    [game] = games_of(Placing.objects.filter(table__night=night))
    assert game.ranks == {member.pk: place for place, member in enumerate(members, 1)}
    PlayOff.objects.update(called_off_at=timezone.now())
    assert len(games_of(Placing.objects.filter(table__night=night))) == 2


def test_remake_reports_a_rating_that_was_wrong_and_mends_it() -> None:
    club = ClubFactory()
    played(NightFactory(club=club), MemberFactory.create_batch(4, club=club))
    right = rows_of(club)
    Rating.objects.filter(club=club).update(mean=0)
    remake(club)
    assert rows_of(club) == right


def test_latest_game_is_rated_with_as_many_queries_after_many_games() -> None:
    club = ClubFactory()
    members, nights = MemberFactory.create_batch(5, club=club), nights_of(club, 12)
    needed = []
    for night in nights:
        scored(night, [(member, k) for k, member in enumerate(members)])  # type: ignore[arg-type]
        with CaptureQueriesContext(
            connection,
        ) as queries:
            changes = changes_of(club, night.on)  # type: ignore[attr-defined]
        write_changes(changes)
        needed.append(len(queries))
        assert len(changes) == 5
    assert needed == [3] * 12


def test_update_of_the_site_counts_the_games_that_are_there() -> None:
    club = ClubFactory()
    night = NightFactory(club=club)
    with not_counted():
        scored(night, [(member, k) for k, member in enumerate(MemberFactory.create_batch(3, club=club))])
        PendingUpdate.objects.all().delete()
        migration = __import__("clubs.migrations.0016_ratings", fromlist=["wait_for_ratings"])
        migration.wait_for_ratings(apps, connection.schema_editor())
        assert list(PendingUpdate.objects.values_list("club", "kind")) == [(club.pk, "standing")]
    worker.catch_up()
    assert Rating.objects.filter(club=club).count() == 3


# On pages


def club_of_games(games: int) -> tuple[Club, list[Member]]:
    """A club whose first member always wins, the second comes second …"""
    club = ClubFactory()
    members = MemberFactory.create_batch(3, club=club)
    for night in nights_of(club, games):
        scored(night, [(member, -k) for k, member in enumerate(members)])  # type: ignore[arg-type]
    results_changed(club.pk, club)
    worker.catch_up()
    return club, members


def test_member_page_has_number_curve_and_meaning_and_calls_who_played_little_new() -> None:
    club, members = club_of_games(5)
    text = Client().get(members[0].get_absolute_url()).content.decode()
    rating = rating_of(club, Person.of(members[0]), find_game("dirty-dog"))
    assert rating
    assert rating.curve
    assert f"{rating.skill.number} ± {rating.skill.uncertainty} after 5 games" in text
    assert rating.skill.number == numbers(club)[members[0].name] > START
    assert "What the rating means" in text
    low, high = rating.curve.sides[-1]
    assert 0 <= low < rating.curve.dots[-1].share < high <= 1
    Rating.objects.filter(games=5).delete()
    text = Client().get(members[0].get_absolute_url()).content.decode()
    assert "New: 4 of 5 games so far." in text
    assert "chart-rating" not in text


def test_game_by_game_lists_the_ratings_of_all_time_alone() -> None:
    club, members = club_of_games(5)
    season = SeasonFactory(club=club, begins=FIRST, ends=FIRST + datetime.timedelta(days=30))
    text = Client().get(reverse("standing_games", args=[club.slug, "all-time"])).content.decode()
    for member in members:
        assert re.search(rf"\b{numbers(club)[member.name]}\b", text)
    assert "Rating" not in Client().get(reverse("standing_games", args=[club.slug, season.pk])).content.decode()


def test_season_by_rating_begins_anew_and_has_places_from_the_fifth_game_on() -> None:
    club, members = club_of_games(8)
    of_games = {"games": ["dirty-dog"], "scheme": "rating", "order": ["won"], "drops": 2}
    short = SeasonFactory(club=club, begins=FIRST, ends=FIRST + datetime.timedelta(days=3), **of_games)
    long = SeasonFactory(club=club, begins=FIRST + datetime.timedelta(days=3), ends=FIRST.replace(day=30), **of_games)
    results_changed(club.pk, club)
    worker.catch_up()
    assert set(Standing.objects.filter(season=short).values_list("place", flat=True)) == {None}
    rows = list(Standing.objects.filter(season=long).order_by("place").select_related("member"))
    assert [row.member for row in rows] == members
    assert [(row.place, row.games) for row in rows] == [(1, 5), (2, 5), (3, 5)]
    assert all(row.uncertainty and row.uncertainty < 333 for row in rows)
    # As after five games, of which it has as many.
    fifth = Rating.objects.get(member=members[0], games=5)
    assert rows[0].points == round(START + 20 * (fifth.mean - 25))
    text = Client().get(reverse("standing", args=[club.slug, long.pk])).content.decode()
    assert f"±&nbsp;{rows[0].uncertainty}" in text
    assert "Players with fewer than 5 games have no place yet." in text
    assert "left out" not in text
    behind = Client().get(reverse("behind", args=[club.slug, long.pk, members[0].pk, "points"])).content.decode()
    moves = [int(move) for move in re.findall(r'<td class="num">(\d+)</td>\s*</tr>', behind)]
    assert START + sum(moves) == rows[0].points
    assert len(moves) == 5


def test_standing_by_rating_goes_on_game_by_game_as_a_full_count_makes_it() -> None:
    club, members = club_of_games(5)
    season = SeasonFactory(
        club=club, begins=FIRST, ends=FIRST.replace(day=30), games=["dirty-dog"], scheme="rating", order=[]
    )  # fmt: skip
    newcomer = MemberFactory(club=club)
    for day, sat in ((10, [members[1], members[0]]), (8, [members[2], newcomer])):
        night = NightFactory(club=club, on=FIRST.replace(day=day))
        scored(night, [(member, -k) for k, member in enumerate(sat)])
        results_changed(club.pk, night)
        worker.catch_up()
        kept = sorted(row[1:] for row in Standing.objects.filter(season=season).values_list())
        remake(club)
        assert kept == sorted(row[1:] for row in Standing.objects.filter(season=season).values_list())
    assert Standing.objects.get(season=season, member=newcomer).place is None
