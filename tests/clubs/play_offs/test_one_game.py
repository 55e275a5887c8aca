"""A play-off is one game in everything a club keeps of its people."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Honour, PersonalBest, Placing, PlayerAlias, PlayOff, Ruling, Standing, Table
from clubs.play_off_rounds.stages import abandon, restore
from clubs.projections.update import remake
from clubs.records.figures import InOneGame
from clubs.records.hands import Person
from clubs.records.records import played_games
from clubs.standings.evidence import FIGURES, games_behind, hands_behind
from clubs.trophies.register import champion
from rules import find_game
from scoresheets.models import HandFact
from tests.club_factories import NightFactory
from tests.club_factories import played as played_at
from tests.clubs.play_offs.evening import PlayOffEvening, play_off, reading_of, scorer_of
from tests.counted import change
from tests.demo.random_games import whole_game
from tests.factories import sure_of
from tests.scoresheets.people import leave

pytestmark = pytest.mark.django_db


def played(**more: object) -> PlayOffEvening:
    """Two groups of four and three; Flo, lowest of the winners' table, is below everybody at the losers' table."""
    evening = play_off([4, 3], places=2, **more)  # type: ignore[arg-type]
    first, second = evening.groups
    evening.finish(first, {"Ann": 12, "Bo": 10, "Cy": 5, "Di": -3})
    evening.finish(second, {"Ed": 20, "Flo": 9, "Gus": 1})
    evening.open_next()
    return evening


def finals(evening: PlayOffEvening) -> None:
    evening.finish(evening.final("winners"), {"Ann": 7, "Bo": 9, "Ed": 2, "Flo": -30})
    evening.finish(evening.final("losers"), {"Cy": 3, "Di": 3, "Gus": -8})


def places(evening: PlayOffEvening) -> dict[str, tuple[int | None, int | None]]:
    rows = Placing.objects.filter(table__night=evening.night).select_related("member")
    assert all(row.players == 7 for row in rows)
    return {row.member.name: (row.place, row.score) for row in rows.order_by("place", "member__name")}


def test_nothing_counts_before_both_trophies_are_settled() -> None:
    evening = played()
    evening.finish(evening.final("winners"), {"Ann": 7, "Bo": 9, "Ed": 2, "Flo": -30})
    assert not any(kept.objects.exists() for kept in (Placing, Standing, Honour, PersonalBest))
    assert not Table.objects.counting().exists()


def test_everybody_has_one_placing_with_the_place_of_the_whole_evening() -> None:
    evening = played()
    finals(evening)
    assert places(evening) == {
        "Bo": (1, 9), "Ann": (2, 7), "Ed": (3, 2), "Flo": (4, -30), "Cy": (5, 3), "Di": (5, 3), "Gus": (7, -8),
    }  # fmt: skip
    assert [one.member.name for one in Placing.objects.filter(winner=True)] == ["Bo"]
    assert [one.member.name for one in Placing.objects.filter(loser=True)] == ["Flo"]
    standings = Standing.objects.filter(club=evening.club)
    assert {(row.games, row.nights, row.hands, row.bids) for row in standings} == {(1, 1, 2, 2)}
    change(evening.club.pk, evening.play_off)
    before = sorted(Placing.objects.values_list("member", "table", "place", "score", "winner", "loser", "hands"))
    assert remake(evening.club) == 4
    assert before == sorted(
        Placing.objects.values_list("member", "table", "place", "score", "winner", "loser", "hands")
    )


def test_who_has_gone_home_has_no_place() -> None:
    """In the middle of a group as at any table, and before the table they belonged to."""
    evening = play_off([5, 4], places=2)
    first, second = evening.groups
    evening.play(first, {"Ann": 50, "Bo": 40, "Cy": 30, "Di": 20, "Ed": 60}, hands=3)
    scorer = scorer_of(first)
    sure_of(leave(scorer, 5))
    scorer.any_hand()
    evening.finish(second, {"Flo": 20, "Gus": 9, "Hal": 1, "Ivy": 0})
    evening.open_next(leaving=["Hal"])
    evening.finish(evening.final("winners"), {"Ann": 7, "Bo": 9, "Flo": 2, "Gus": 0})
    evening.finish(evening.final("losers"), {"Cy": 3, "Di": 4, "Ivy": -8})
    gone = Placing.objects.filter(table__night=evening.night, place=None)
    assert {(one.member.name, one.players, one.loser) for one in gone} == {("Ed", 7, False), ("Hal", 7, False)}
    assert Placing.objects.filter(table__night=evening.night).count() == 9


def test_who_was_out_in_the_middle_stands_between_the_finals_by_place_and_score_of_the_group() -> None:
    evening = play_off([6, 5], places=2, losers_count=2)
    first, second = evening.groups
    evening.finish(first, [20, 18, 11, 9, 3, 1])  # Cy and Di are in the middle
    evening.finish(second, [20, 18, 12, 3, 1])  # and Ivy, whose place in her group is Cy's
    evening.open_next()
    evening.finish(evening.final("winners"), [4, 3, 2, 1])
    evening.finish(evening.final("losers"), [4, 3, 2, 1])
    between = Placing.objects.filter(table__in=evening.groups).order_by("place")
    assert [(one.place, one.member.name, one.score) for one in between] == [(5, "Ivy", 12), (6, "Cy", 11), (7, "Di", 9)]
    assert set(Placing.objects.values_list("place", flat=True)) == set(range(1, 12))


@pytest.mark.thorough
def test_a_final_that_was_drawn_anew_counts_for_nothing() -> None:
    evening = played()
    finals(evening)
    old = evening.final("winners")
    assert old.stage is not None
    abandon(old.stage)
    assert not any(kept.objects.exists() for kept in (Placing, Standing, Honour, PersonalBest))
    evening.open_next()
    evening.finish(evening.final("winners"), {"Ann": 20, "Bo": 9, "Ed": 2, "Flo": -30})
    assert places(evening)["Ann"] == (1, 20)
    assert not any(rows.exists() for rows in (old.placings, old.personal_bests, old.honours))
    assert old not in Table.objects.counting()
    restore(old.stage)
    assert places(evening)["Ann"] == (2, 7)


@pytest.mark.thorough
def test_called_off_its_tables_are_games_of_their_own_and_there_is_a_way_back() -> None:
    evening = played()
    finals(evening)
    for called_off_at in (timezone.now(), None):
        evening.play_off.called_off_at = called_off_at
        evening.play_off.save()
        change(evening.club.pk, evening.play_off)
        games = set(Standing.objects.filter(club=evening.club).values_list("games", flat=True))
        assert games == ({2} if called_off_at else {1})
        assert Table.objects.counting().one_a_game().count() == (4 if called_off_at else 1)


def test_correcting_a_final_makes_everything_again() -> None:
    evening = played()
    finals(evening)
    scorer = scorer_of(evening.final("winners"))
    sure_of(scorer.undo())
    assert not Placing.objects.exists()
    assert not Standing.objects.exists()
    assert PlayOff.objects.get().decided_at is None


# What the pages say


@pytest.fixture
def thrown() -> PlayOffEvening:
    """A whole play-off by the dice, with all its hands, and the same club's game at one table before it."""
    evening = play_off([5, 4], places=2)
    dice = random.Random(8)
    for table in evening.groups:
        throw(dice, table)
    evening.open_next()
    for side in ("winners", "losers"):
        throw(dice, evening.final(side))
    outcome = evening.now.outcome
    assert outcome is not None
    if outcome.draw:
        ranks = dict(zip(map(str, outcome.draw), "AKQJ98765", strict=False))
        Ruling.objects.create(play_off=evening.play_off, kind=Ruling.Kind.DRAW, says=ranks)
        change(evening.club.pk, evening.play_off)
    assert evening.now.is_over
    return evening


def throw(dice: random.Random, table: Table) -> None:
    reading = reading_of(table)
    scorer = scorer_of(table)
    for address, step in whole_game(dice, reading.game, reading.table, steady={}).items():
        sure_of(scorer.enter(*address, **step))


@pytest.mark.thorough
def test_every_figure_opens_what_it_is_made_of(thrown: PlayOffEvening) -> None:
    rows = list(Standing.objects.filter(club=thrown.club))
    assert len(rows) == 9
    assert {row.nights for row in rows} == {1}
    for row in rows:
        for name, made_of in FIGURES.items():
            value = getattr(row, name)
            if made_of.hands is not None:
                assert hands_behind(thrown.club, None, row, made_of).count() == value, name
                continue
            games = list(games_behind(thrown.club, None, row, made_of))
            assert len(games) == (value if name in ("won", "lost") else 1), name
            assert all(game.score == value for game in games if name in ("best", "worst", "score", "average"))


@pytest.mark.thorough
def test_the_list_of_games_has_one_line_and_so_has_everybody(thrown: PlayOffEvening) -> None:
    client, club = thrown.organiser(), thrown.club
    text = client.get(reverse("games", args=[club.slug])).content.decode()
    assert "1 game" in text
    assert text.count(thrown.url("play_off")) == 1
    assert played_games(club) == {"dirty-dog": 1}
    for member in thrown.members.values():
        text = client.get(reverse("games", args=[club.slug]), {"member": member.pk}).content.decode()
        assert f"1 game of <bdi>{member.name}</bdi>" in text
        assert client.get(reverse("member", args=[club.slug, member.pk])).status_code == 200


@pytest.mark.thorough
def test_their_page_has_the_hands_of_all_tables(thrown: PlayOffEvening) -> None:
    for member in thrown.members.values():
        person = Person.of(member)
        facts = HandFact.objects.filter(player=member.player_id)
        assert facts.values("sheet").distinct().count() == 2
        assert InOneGame(thrown.club, person, find_game("dirty-dog")).all.hands == facts.count()


def test_a_clean_run_is_one_of_all_tables_and_said_once() -> None:
    evening = play_off([3, 3], places=2, losers_count=0)
    for table, totals in zip(evening.groups, ([9, 8, 7], [9, 8, 7]), strict=True):
        evening.finish(table, totals)
    evening.open_next()
    evening.finish(evening.final(), [20, 8, 7, 5])
    called = Honour.objects.filter(hand=0)
    made = {p.member_id for p in Placing.objects.all() if p.bids == p.made == p.hands}
    assert {one.member_id for one in called if one.tag == "clean-run"} == made
    seconds = [one.member_id for one in called if one.tag == "first-place-loser"]
    assert seconds == [Placing.objects.get(place=2).member_id]


def test_winning_a_play_off_after_the_game_before_it_is_back_to_back() -> None:
    evening = played()
    finals(evening)
    bo, others = evening.members["Bo"], [evening.members[name] for name in ("Ann", "Cy", "Di")]
    played_at(NightFactory(club=evening.club, on=evening.night.on - timedelta(days=7)), [bo, *others])
    again = Honour.objects.get(tag="back-to-back")
    assert (again.table, again.member, again.value) == (evening.final(), bo, 2)


@pytest.mark.thorough
def test_the_champion_is_who_won_the_play_off_and_not_who_won_beside_it() -> None:
    evening = played()
    finals(evening)
    played_at(evening.night, [evening.members[name] for name in ("Di", "Cy", "Ed", "Gus")], number=9)
    assert champion(evening.club) == evening.members["Bo"]


@pytest.mark.thorough
def test_many_groups_are_kept_in_as_many_queries_as_two() -> None:
    asked = []
    for groups in (2, 10):
        evening = play_off([5] * groups, places=1, losers_count=1)
        for table in evening.groups:
            evening.finish(table, [20, 12, 11, 10, 1])
        evening.open_next()
        for side in ("winners", "losers"):
            evening.finish(evening.final(side), range(groups, 0, -1))
        assert Placing.objects.filter(table__night=evening.night).count() == 5 * groups
        with CaptureQueriesContext(connection) as queries:
            change(evening.club.pk, evening.play_off)
        asked.append(len(queries))
    assert asked[1] <= asked[0] + 3, "rows come in batches, and nothing is asked group by group"


@pytest.mark.thorough
def test_a_stranger_has_their_place_of_the_evening_and_its_page_shows_them_there() -> None:
    """They are a player of that evening: a member behind them is eighth of twelve on every page."""
    evening = play_off([6, 5], places=2, losers_count=1)
    first, second = evening.groups
    evening.finish(first, [20, 18, 11, 9, 3, 1])
    evening.play(second, [40, 38, 8, 3, 1], hands=2)
    evening.arrives(second, "Zed")
    PlayerAlias.objects.filter(club=evening.club, member__name="Zed").update(member=None)
    evening.rest(second)
    evening.open_next()
    evening.finish(evening.final("winners"), [4, 3, 2, 1])
    client = evening.organiser()
    assert "The places of the evening" not in client.get(evening.url("play_off")).content.decode()
    evening.finish(evening.final("losers"), [4, 3])
    page = client.get(evening.url("play_off"))
    ended = page.context["followed"].ended
    assert [one.seated.shown for one in ended[4:10]] == ["Ivy", "Cy", "Zed", "Di", "Joe", "Ed"]
    assert [one.place for one in ended] == list(range(1, 13))
    shown = page.content.decode()
    assert "<bdi>Zed</bdi>" in shown[shown.index("The places of the evening") :]
    di = Placing.objects.get(member=evening.members["Di"])
    assert (di.place, di.players) == (8, 12)
    assert not Placing.objects.filter(place=7).exists()
    games = client.get(reverse("games", args=[evening.club.slug]), {"member": di.member_id}).content.decode()
    assert "of 12</span>" in games
