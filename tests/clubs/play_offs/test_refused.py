"""What is refused about a play-off is said in a sentence with the right status, and leaves nothing half-written."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from django.test import Client

from clubs.access.outdated import TABLES_HAVE_CHANGED, NotNow
from clubs.models import AuditEntry, Night, PlayOff, Ruling, Stage, Table
from clubs.play_off_rounds import call_off, corrections, rulings, stages
from clubs.play_off_rounds.stages import FINAL_OF_ONE, NOT_SO_MANY, ONE_GAME, abandon, draw_next, open_next
from clubs.tables.open import NotOpened
from clubs.views.play_offs import next_tables
from rules import find_game
from rules.core.problems import Problem
from scoresheets.models import Sheet
from tests.club_factories import UserFactory
from tests.clubs.play_offs.evening import PlayOffEvening, drawn_groups, play_off, reading_of, scorer_of
from tests.clubs.play_offs.test_corrections import drawn, mark, put_right
from tests.clubs.play_offs.test_other_games import play
from tests.clubs.play_offs.test_ties import rule, seat
from tests.factories import new_key

pytestmark = pytest.mark.django_db


def finished(**more: Any) -> PlayOffEvening:
    """Two groups of four to their end, two through of each, the finals not drawn."""
    evening = play_off([4, 4], places=2, **more)
    for at, table in enumerate(evening.groups):
        evening.finish(table, [20 - at, 12 - at, 3 - at, -8 - at])
    return evening


# The groups


def refused(found: Any) -> Problem:
    with pytest.raises(NotOpened) as error:
        found.open()
    assert not PlayOff.objects.exists()
    assert not Table.objects.exists()
    assert not Sheet.objects.exists()
    return error.value.problem


def test_groups_of_two_games_are_none() -> None:
    found = drawn_groups([4, 4])
    found.drawing.tables[1].game = find_game("dingo")
    assert refused(found) == ONE_GAME


@pytest.mark.parametrize(("places", "losers_count"), [(0, None), (4, None), (2, 2)])
def test_more_than_sit_in_a_group_go_on_from_none(places: int, losers_count: int | None) -> None:
    found = drawn_groups([5, 3], places=places, losers_count=losers_count)
    assert refused(found) == NOT_SO_MANY


def test_groups_are_called_off_and_not_abandoned() -> None:
    evening = play_off([4, 4])
    with pytest.raises(ValueError, match="called off with their play-off"):
        abandon(Stage.objects.get())
    assert evening.groups


def test_a_stage_that_was_abandoned_is_not_abandoned_again_with_what_was_drawn_in_its_place() -> None:
    evening = finished()
    old, *_ = evening.open_next()
    assert abandon(old) == [old]
    (new,) = evening.open_next()
    assert abandon(old) == []
    new.refresh_from_db()
    assert new.abandoned_at is None


# What comes after them


@pytest.mark.thorough
def test_final_of_a_game_that_so_many_cannot_play_is_refused() -> None:
    evening = play_off([4, 4], places=2, losers_count=0, game="dingo", hands=0)
    play(evening)
    out = evening.now.due[0].players[0].player
    olga = evening.organiser()
    page = olga.get(evening.url("draw_next"), {"out": out})
    assert [problem.code for problem in page.context["finals"].drawn[0].problems] == ["bad-players"]
    posted = {"saw": page.context["finals"].mark, "do": "open", "stage": "winners.2", "out": out}
    answer = olga.post(evening.url("draw_next"), posted)
    assert answer.status_code == 422
    assert find_game("dingo").players_sentence() in answer.content.decode()
    assert Stage.objects.count() == 1


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("places", [4, 6, 10])
def test_of_another_round_not_everybody_can_go_on(places: int) -> None:
    evening = play_off([4, 4, 4], places=4, losers_count=0)
    for table in evening.groups:
        evening.finish(table, [20, 12, 3, -8])
    olga = evening.organiser()
    wish = {"places-winners": places}
    page = olga.get(evening.url("draw_next"), wish)
    is_blocked = places >= 6
    assert page.context["finals"].is_blocked == is_blocked
    posted = {"saw": page.context["finals"].mark, "do": "open", "stage": "winners.2", **wish}
    answer = olga.post(evening.url("draw_next"), posted)
    assert answer.status_code == (422 if is_blocked else 303)
    assert (NOT_SO_MANY.message in answer.content.decode()) == is_blocked
    assert Stage.objects.count() == (1 if is_blocked else 2)


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (NotOpened(1, FINAL_OF_ONE), 422, FINAL_OF_ONE.message),
        (None, 409, "have changed since this page was shown"),
    ],
    ids=["not opened", "moved on"],
)
def test_what_is_found_out_while_they_are_opened_is_said_and_opens_nothing(
    monkeypatch: pytest.MonkeyPatch, error: Exception | None, status: int, says: str
) -> None:
    evening = finished()
    olga = evening.organiser()
    finals = olga.get(evening.url("draw_next")).context["finals"]

    def opened_and_refused(*args: Any, **more: Any) -> None:
        open_next(*args, **more)
        raise error or NotNow(TABLES_HAVE_CHANGED)

    monkeypatch.setattr(next_tables, "open_next", opened_and_refused)
    posted = {"saw": finals.mark, "do": "open", "stage": ["winners.2", "losers.2"]}
    answer = olga.post(evening.url("draw_next"), posted)
    assert (answer.status_code, says in answer.content.decode()) == (status, True)
    assert (Stage.objects.count(), Sheet.objects.count()) == (1, 2)
    assert not AuditEntry.objects.filter(says__startswith="Drew").exists()


def test_of_two_tables_one_of_which_is_open_already_the_other_is_looked_at_again() -> None:
    evening = finished()
    olga = evening.organiser()
    seen = olga.get(evening.url("draw_next")).context["finals"].mark
    winners, _ = draw_next(evening.now)
    open_next(evening.play_off, [winners], hands=4, user=UserFactory(), keeper="Olga")
    answer = olga.post(evening.url("draw_next"), {"saw": seen, "do": "open", "stage": ["winners.2", "losers.2"]})
    assert answer.status_code == 409
    assert not Stage.objects.filter(side="losers").exists()


def test_called_off_nothing_is_opened_that_was_proposed_before() -> None:
    evening = finished()
    proposed = draw_next(evening.now)
    call_off.call_off(evening.play_off, by=None)
    play_off_now = PlayOff.objects.get(pk=evening.play_off.pk)
    with pytest.raises(NotNow, match="tables have changed"):
        open_next(play_off_now, proposed, hands=4, user=UserFactory(), keeper="Olga")
    assert Stage.objects.count() == 1


def test_a_blocked_drawing_is_not_opened_whoever_asks() -> None:
    evening = finished()
    winners, losers = draw_next(evening.now)
    for wrong in (dataclasses.replace(losers, problems=[FINAL_OF_ONE]), dataclasses.replace(losers, tables=[])):
        with pytest.raises(NotOpened):
            open_next(evening.play_off, [winners, wrong], hands=4, user=UserFactory(), keeper="Olga")
    assert (Stage.objects.count(), Sheet.objects.count()) == (1, 2)


def test_both_finals_are_told_a_hand_or_neither() -> None:
    evening = finished(hands=8)
    evening.open_next(hands=8)
    scorer = scorer_of(evening.final("losers"))
    for _ in range(3):
        scorer.clear_hand()
    answer = evening.organiser().post(evening.url("stop_stage"), {"round": 2, "hand": 2, "key": new_key()})
    assert answer.status_code == 422
    assert [reading_of(evening.final(side)).last_hand for side in ("winners", "losers")] == [None, None]


# By hand


def test_only_a_tie_at_a_table_of_a_play_off_is_ruled_on() -> None:
    evening = finished()
    table = evening.groups[0]
    table.stage = None
    with pytest.raises(ValueError, match="a sheet of a play-off"):
        rulings.rule(table, [1], edge=None, reason="So", key=new_key(), keeper=scorer_of(table).by, by=None)


def test_what_was_ruled_before_another_ruling_is_taken_back_after_it() -> None:
    evening = play_off([4, 4], places=1, losers_count=1)
    evening.finish(evening.groups[0], [9, 9, 9, 9])
    evening.finish(evening.groups[1], [12, 10, 3, -8])
    olga, table = evening.organiser(), evening.groups[0]
    assert rule(evening, olga, "Ann").status_code == 303
    assert rule(evening, olga, goes=str(seat(table, "Di")), edge="below").status_code == 303
    first, second = Ruling.objects.order_by("pk")
    answer = olga.post(evening.url("change_ruling", first.pk), {"key": new_key()})
    said = "Something has been entered on its sheet since" in answer.content.decode()
    assert (answer.status_code, said) == (409, True)
    first.refresh_from_db()
    assert first.withdrawn_at is None
    for ruling in (second, first):
        assert olga.post(evening.url("change_ruling", ruling.pk), {"key": new_key()}).status_code == 303
    assert evening.now.groups.tables[0].cut.ties


def test_a_play_off_that_was_called_off_is_corrected_by_nobody() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    seen = mark(evening)
    call_off.call_off(evening.play_off, by=None)
    assert corrections.moves(evening.now) is None
    with pytest.raises(NotNow, match="Bring it back first"):
        corrections.keep(evening.play_off, seen, reason="So", by=None)
    with pytest.raises(NotNow, match="Bring it back first"):
        rulings.draw(evening.play_off, {}, saw="", by=None)
    assert not Ruling.objects.exists()


def test_it_is_not_brought_back_beside_another_whoever_asks() -> None:
    evening = play_off([4, 4], places=2)
    call_off.call_off(evening.play_off, by=None)
    PlayOff.objects.create(night=evening.night, game="dirty-dog", places=2)
    with pytest.raises(NotNow, match="another play-off by now"):
        call_off.bring_back(evening.play_off, by=None)
    assert PlayOff.objects.get(pk=evening.play_off.pk).called_off_at is not None


def test_calling_it_off_and_bringing_it_back_a_second_time_does_nothing() -> None:
    evening = play_off([4, 4], places=2)
    for change, says in (
        (call_off.call_off, "Called the play-off"),
        (call_off.bring_back, "Brought the play-off"),
    ):
        for _ in range(2):
            change(evening.play_off, by=None)
        assert AuditEntry.objects.filter(says__startswith=says).count() == 1


def test_a_redraw_whose_tables_were_closed_since_is_not_taken_back() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    posted = {"do": "redraw", "saw": mark(evening), "reason": "Cy was ahead"}
    evening.organiser().post(evening.url("play_off_moves"), posted)
    ruling = Ruling.objects.get()
    assert corrections.why_it_stays(ruling) == ""
    abandon(corrections.stages_in(ruling, "new")[0])
    assert corrections.why_it_stays(ruling) == corrections.DRAWN_SINCE


def test_who_owns_the_site_and_is_no_member_is_refused_nothing() -> None:
    evening = play_off([4, 4], places=2)
    evening.finish(evening.groups[0], [20, 9, 9, -3])
    evening.finish(evening.groups[1], [12, 10, 3, -8])
    owner = Client()
    owner.force_login(UserFactory(is_superuser=True))
    assert rule(evening, owner).status_code == 303
    posted = {"saw": owner.get(evening.url("draw_next")).context["finals"].mark, "do": "open"}
    assert owner.post(evening.url("draw_next"), posted | {"stage": ["winners.2", "losers.2"]}).status_code == 303
    put_right(evening.groups[0], Di=30)
    posted = {"do": "redraw", "saw": mark(evening), "reason": "Di was ahead"}
    assert owner.post(evening.url("play_off_moves"), posted).status_code == 303
    assert "Di" in evening.names_at(evening.final())


def test_a_redraw_that_cannot_be_opened_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    olga, seen = evening.organiser(), mark(evening)

    def cannot(*args: Any, **more: Any) -> None:
        raise NotOpened(1, FINAL_OF_ONE)

    monkeypatch.setattr(corrections, "open_next", cannot)
    posted = {"do": "redraw", "saw": seen, "reason": "Cy was ahead"}
    answer = olga.post(evening.url("play_off_moves"), posted)
    assert answer.status_code == 422
    assert FINAL_OF_ONE.message in answer.content.decode()
    assert 'value="Cy was ahead"' in answer.content.decode()
    assert not Ruling.objects.exists()
    assert not Stage.objects.filter(abandoned_at__isnull=False).exists()
    assert not Sheet.objects.exclude(closed="").exists()


def test_pages_of_a_night_that_was_put_away_are_not_there() -> None:
    evening = finished()
    olga, table = evening.organiser(), evening.groups[0]
    Night.objects.update(archived_at="2026-11-26T23:00Z")
    for name, *args in (
        ("play_off",), ("play_off_now",), ("draw_cards",), ("play_off_moves",), ("call_off",), ("rule_cut", table.pk),
    ):  # fmt: skip
        assert olga.get(evening.url(name, *args)).status_code == 404, name
    assert olga.post(evening.url("stop_stage"), {"round": 1, "hand": 3, "key": new_key()}).status_code == 404


def test_the_same_tap_opens_one_play_off() -> None:
    found = drawn_groups([4, 4])
    user = UserFactory()
    first = found.open(user).play_off
    again = stages.open_groups(found.drawing, found.plan, user=user, keeper="Olga")
    assert (again, Stage.objects.count(), Sheet.objects.count()) == (first, 1, 2)
