"""What is kept game by game is what a full remake makes of it."""

from __future__ import annotations

import datetime
import random

import pytest
from django.utils import timezone

from clubs.models import Club, Member, Placing, Season, Standing, Table
from clubs.standings.compute import results_of
from clubs.standings.schemes import SCHEMES, TIE_BREAKS, Result
from clubs.standings.store import keep_standings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, scored

pytestmark = pytest.mark.django_db


def rows_of(club: Club) -> list[tuple[object, ...]]:
    """All rows of all standings, without their ids."""
    return sorted((tuple(row[1:]) for row in Standing.objects.filter(club=club).values_list()), key=repr)


class Dice:
    """A club in which things happen at random; each says whose games it has touched."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.club = ClubFactory()
        #: The table that ended last, where nothing else has happened since.
        self.ended: Table | None = None
        self.played = 0
        self.members = MemberFactory.create_batch(7, club=self.club)
        self.nights = [NightFactory(club=self.club, on=datetime.date(2026, 3, 1 + day // 2)) for day in range(8)]
        for _ in range(2):
            self.season()

    def season(self) -> Season:
        first, last = sorted(self.dice.sample(range(1, 6), 2))
        return SeasonFactory(
            club=self.club, begins=datetime.date(2026, 3, first), ends=datetime.date(2026, 3, last),
            scheme=self.dice.choice(list(SCHEMES)), order=self.dice.sample(list(TIE_BREAKS), 2),
            drops=self.dice.randrange(3), least_nights=self.dice.randrange(3),
            games=self.dice.choice([[], ["dingo"]]), numbers=self.dice.choice([{}, {"points": [5, 3, 1]}]),
        )  # fmt: skip

    def happens(self) -> set[Member] | None:
        self.ended = None
        return getattr(self, self.dice.choice(["play", "play", "play", "correct", "take_away", "for_fun", "merge"]))()

    def play(self) -> set[Member]:
        sat = self.dice.sample(self.members, self.dice.randint(2, 5))
        taken: dict[int, Member] = {}
        for member in sat:
            taken.setdefault(Member.objects.get(pk=member.pk).main_record.pk, member)
        game = self.dice.choice(["dingo", "hotdog"])
        night = self.nights[min(self.dice.randrange(4) + self.played // 2, 7)]
        self.ended = scored(night, [(m, self.dice.randint(-3, 3)) for m in taken.values()], game=game)
        self.played += 1
        if self.dice.randrange(4) == 0:
            # Typed in from a list that has places and nothing else, or somebody went home.
            self.ended.placings.filter(member=min(taken)).update(score=None)
            self.ended.placings.filter(winner=True).update(place=self.dice.choice([None, 1]))
        return self.fresh(taken.values())

    def correct(self) -> set[Member]:
        placing = self.dice.choice(list(Placing.objects.order_by("pk")) or [None])
        if placing is None:
            return set()
        Placing.objects.filter(pk=placing.pk).update(score=self.dice.randint(-9, 9), place=None, winner=True)
        return self.fresh(Member.objects.filter(placings__table=placing.table_id))

    def take_away(self) -> set[Member]:
        table = self.dice.choice(list(Table.objects.order_by("pk")) or [None])
        if table is None:
            return set()
        table.withdrawn_at = None if table.withdrawn_at else timezone.now()
        table.number = table.pk
        table.save()
        return self.fresh(Member.objects.filter(placings__table=table))

    def for_fun(self) -> set[Member]:
        night = self.dice.choice(self.nights)
        night.for_fun = not night.for_fun
        night.save()
        return self.fresh(Member.objects.filter(placings__table__night=night))

    def merge(self) -> set[Member]:
        """Two become one, or two again; where they sat at one table it is refused elsewhere."""
        merged = Member.objects.filter(club=self.club, same_as__isnull=False).first()
        if merged is not None:
            other = merged.same_as
            merged.same_as = None
            merged.save()
            return self.fresh([merged, other])
        one, other = self.dice.sample(self.members, 2)
        if set(one.placings.values_list("table")) & set(other.placings.values_list("table")):
            return set()
        one.same_as = other
        one.save()
        return self.fresh([one, other])

    def fresh(self, members: object) -> set[Member]:
        return set(Member.objects.filter(pk__in=[member.pk for member in members]))  # type: ignore[attr-defined]


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("seed", range(2, 12))
def test_keeping_game_by_game_comes_to_the_same_as_making_all_of_it_again(seed: int) -> None:
    dice = Dice(seed)
    most = 0
    for _ in range(14):
        whose = dice.happens()
        keep_standings(dice.club, whose, ended=[dice.ended] if dice.ended else [])
        kept = rows_of(dice.club)
        most = max(most, len(kept))
        keep_standings(dice.club)
        assert kept == rows_of(dice.club)
    assert most > 0


def test_keeping_one_table_asks_as_much_after_many_games_as_after_few(django_assert_max_num_queries: object) -> None:
    club = ClubFactory()
    members = MemberFactory.create_batch(5, club=club)
    for _ in range(12):
        scored(NightFactory(club=club), [(member, k) for k, member in enumerate(members)])
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        keep_standings(club, members)


def test_table_that_ends_is_added_without_reading_the_games_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    club = ClubFactory()
    members = MemberFactory.create_batch(5, club=club)
    for _ in range(3):
        table = scored(NightFactory(club=club), [(member, k) for k, member in enumerate(members)])
        keep_standings(club, members, ended=[table])
    read: list[object] = []

    def results(club: Club, season: Season | None, whose: object, tables: object = None) -> dict[int, list[Result]]:
        read.append(tables)
        return results_of(club, season, None, tables)  # type: ignore[arg-type]

    monkeypatch.setattr("clubs.standings.compute.results_of", results)
    table = scored(NightFactory(club=club), [(member, -k) for k, member in enumerate(members)])
    keep_standings(club, members, ended=[table])
    assert read == [[table.pk]]
    assert {(row.games, row.nights) for row in Standing.objects.filter(club=club)} == {(4, 4)}
