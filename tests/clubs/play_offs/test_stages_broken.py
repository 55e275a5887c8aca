"""What can go wrong with the stages of a play-off: two taps at once, people at two groups, nights that are put away."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.urls import reverse

from clubs.access.outdated import NotNow
from clubs.club.settings import show_sheets
from clubs.models import Chair, Club, Member, Placing, PlayerAlias, PlayOff, Stage, Table
from clubs.nights.nights import bring_back, put_away
from clubs.play_off_rounds.stages import abandon, draw_next, open_next, restore
from clubs.play_offs.state import play_off_of
from rules import all_games, find_game
from rules.core.playoffs.plan import makes_sense
from scoresheets.access.scorekeepers import make_link
from scoresheets.models import Sheet
from tests.club_factories import UserFactory
from tests.clubs.play_offs.evening import PlayOffEvening, drawn_groups, play_off, reading_of, scorer_of

pytestmark = pytest.mark.django_db


def at_the_finals(**more: object) -> PlayOffEvening:
    evening = play_off([4, 4], places=2, **more)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6])
    evening.open_next()
    return evening


@pytest.mark.django_db(transaction=True)
def test_two_organisers_at_the_same_moment_open_one_stage() -> None:
    evening = play_off([4, 4], places=2)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6])
    proposed, user = draw_next(evening.now), UserFactory()

    def tap(_: int) -> list[int]:
        try:
            made = PlayOff.objects.get(pk=evening.play_off.pk)
            return [stage.pk for stage in open_next(made, proposed, hands=4, user=user, keeper="Olga")]
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(tap, range(3)))
    assert answers[0] == answers[1] == answers[2]
    assert Stage.objects.count() == 3
    assert Sheet.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_two_organisers_at_the_same_moment_open_one_play_off() -> None:
    drawn, user = drawn_groups([4, 4], places=2), UserFactory()

    def tap(_: int) -> int:
        try:
            return drawn.open(user).play_off.pk
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(tap, range(3)))
    assert len(set(answers)) == 1
    assert Table.objects.count() == 2


def test_player_who_sits_at_two_groups_has_one_chair_at_the_finals() -> None:
    evening = play_off([4, 4], places=2)
    first, second = evening.groups
    evening.finish(first, [9, 8, 7, 6])
    evening.play(second, [9, 8, 7, 6], hands=2)
    evening.arrives(second, "Ann too")
    twin = next(one.player for one in evening.now.people.values() if one.name == "Ann too")
    PlayerAlias.objects.create(club=evening.club, player_id=twin, member=evening.members["Ann"])
    evening.rest(second)
    drawn = draw_next(evening.now)
    people = [one.member for side in drawn for table in side.tables for one in table.people]
    assert people.count(evening.members["Ann"]) == 1
    open_next(evening.play_off, drawn, hands=4, user=UserFactory(), keeper="")
    chairs = Chair.objects.filter(table__stage__number=2)
    assert chairs.filter(member=evening.members["Ann"]).count() == 1


def test_everybody_sits_at_the_finals_as_the_player_of_their_group() -> None:
    evening = play_off([4, 4], places=2)
    first, second = evening.groups
    evening.play(first, [9, 8, 7, 6], hands=2)
    evening.arrives(first, "Kay")
    evening.rest(first)
    evening.finish(second, [9, 8, 7, 6])
    kay = next(one.player for one in evening.now.people.values() if one.name == "Kay")
    other = Member.objects.create(
        club=evening.club, player=evening.members["Ann"].player.__class__.objects.create(name="Kay"), name="Kay"
    )
    PlayerAlias.objects.filter(club=evening.club, player=kay).update(member=other)
    evening.open_next()
    seated = {chair.player for table in (evening.final(), evening.final("losers")) for chair in
              reading_of(table).sitting.now.values()}  # fmt: skip
    assert kay in seated
    assert other.player_id not in seated
    assert Member.objects.filter(name="Kay", role="member").count() == 1


def test_final_that_was_drawn_anew_is_no_game_to_bring_in() -> None:
    evening = at_the_finals()
    final = evening.final()
    abandon(final.stage)
    link = reverse("keep", args=[make_link(final.sheet, by=scorer_of(final).by)])
    answer = evening.organiser().get(f"/clubs/{evening.club.slug}/bring-in/", {"link": f"http://testserver{link}"})
    assert answer.status_code == 422
    assert "That was a table of a play-off that was drawn again." in answer.content.decode()
    final.refresh_from_db()
    assert final.stage is not None
    assert final.withdrawn_at is not None


def test_night_that_is_put_away_has_no_play_off_that_counts_and_comes_back_with_it() -> None:
    evening = at_the_finals()
    evening.finish(evening.final(), [9, 8, 7, 6])
    evening.finish(evening.final("losers"), [9, 8, 7, 6])
    placings = set(Placing.objects.values_list("member", "place"))
    assert placings
    put_away(evening.night)
    assert not PlayOff.objects.standing().exists()
    assert Table.objects.counting().count() == 0
    bring_back(evening.night)
    assert PlayOff.objects.standing().exists()
    assert set(Placing.objects.values_list("member", "place")) == placings


def test_tables_of_a_club_that_is_for_members_only_stay_shut_through_all_stages() -> None:
    evening = play_off([4, 4], places=2)
    Club.objects.filter(pk=evening.club.pk).update(visibility=Club.Visibility.MEMBERS)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6])
    stages = evening.open_next()
    new = Sheet.objects.filter(table__stage__in=stages)
    assert all(new.values_list("members_only", flat=True))
    abandon(stages[0])
    assert all(new.values_list("members_only", flat=True))
    for visibility, shut in ((Club.Visibility.PUBLIC, False), (Club.Visibility.MEMBERS, True)):
        # What was drawn anew is still seen on the club's pages, and so by nobody else.
        Club.objects.filter(pk=evening.club.pk).update(visibility=visibility)
        show_sheets(Club.objects.get(pk=evening.club.pk))
        assert set(new.values_list("members_only", flat=True)) == {shut}
    restore(stages[0])
    assert all(new.values_list("members_only", flat=True))


def test_group_that_is_taken_away_counts_no_more_and_the_rest_goes_on() -> None:
    evening = play_off([4, 4, 4], places=2)
    Table.objects.filter(pk=evening.groups[2].pk).update(withdrawn_at=evening.night.begun_at)
    for table in evening.groups[:2]:
        evening.finish(table, [9, 8, 7, 6])
    state = evening.now
    assert len(state.groups.tables) == 2
    assert [len(due.players) for due in state.due] == [4, 4]
    assert state.abandoned == ()


def test_play_off_without_any_table_left_is_waiting_for_nothing_and_breaks_nothing() -> None:
    evening = play_off([4, 4], places=2)
    Table.objects.update(withdrawn_at=evening.night.begun_at)
    state = evening.now
    assert (state.due, state.outcome, state.if_it_ended_now, state.is_over) == ((), None, None, False)


def test_called_off_play_off_draws_nothing_more() -> None:
    evening = play_off([4, 4], places=2)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6])
    drawn = draw_next(evening.now)
    PlayOff.objects.update(called_off_at=evening.night.begun_at)
    evening.play_off.refresh_from_db()
    with pytest.raises(NotNow, match="tables have changed"):
        open_next(evening.play_off, drawn, hands=4, user=UserFactory(), keeper="")
    assert play_off_of(evening.night) is None


#: Those that have play-offs, with one final in each.
WITHOUT_LOSERS_TABLE = [game.slug for game in all_games() if game.play_off.possible and not game.play_off.losers_table]


@pytest.mark.parametrize("slug", WITHOUT_LOSERS_TABLE)
def test_other_games_play_one_round_of_groups_and_one_final(slug: str) -> None:
    game = find_game(slug)
    size = game.made_for[0]
    groups = next(count for count in range(2, 12) if makes_sense(game, size * count))
    places = max(1, size // groups)
    evening = play_off([size] * groups, places=places, losers_count=0, game=slug)
    assert {str(table) for table in evening.groups} == {f"Group {number}" for number in range(1, groups + 1)}
    state = evening.now
    assert state.groups.tables[0].cut.ties or state.groups.tables[0].cut.through
    assert state.due == ()


@pytest.mark.thorough
def test_nobody_is_lost_or_doubled_whatever_the_sizes() -> None:
    dice = random.Random(14)
    for sizes, places, losers in (
        ((6, 5), 2, None), ((4, 4, 4), 3, 1), ((5, 5, 4, 4), 3, None), ((10, 9), 6, 3), ((4, 4), 4, None),
    ):  # fmt: skip
        evening = play_off(sizes, places=places, losers_count=losers)
        everybody = set(evening.members)
        state = evening.now
        while True:
            for stage in state.stages:
                for table in stage.tables:
                    if not table.is_over:
                        scores = dice.sample(range(-40, 60), len(table.people))
                        evening.finish(table.table, scores)
            state = evening.now
            if not state.due:
                break
            people = [one.name for due in state.due for one in due.players]
            assert len(people) == len(set(people))
            assert set(people) <= everybody
            evening.open_next()
            state = evening.now
        finals = [final for side in ("winners", "losers") if (final := state.final(side))]
        names = [one.name for final in finals for one in final.tables[0].people]
        assert len(names) == len(set(names))
        assert state.is_over
        assert state.outcome.winner != state.outcome.loser
        if losers is None and all(stage.stage.number < 3 for stage in state.stages):
            assert set(names) == everybody
