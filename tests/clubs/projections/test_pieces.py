"""Standings are made once for all games that were read, and written in pieces that keep nobody waiting for long."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Member, PendingUpdate, Season, Standing
from clubs.projections import lease, standings, update, worker
from clubs.projections.update import remake
from clubs.queue.changes import results_changed
from clubs.standings import store as all_standings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, played, scored
from tests.counted import not_counted
from tests.waiting import until

Kind = PendingUpdate.Kind
#: Days of the seasons, and one of no season.
FIRST, LAST = datetime.date(2026, 3, 1), datetime.date(2026, 3, 20)


@pytest.fixture
def _waiting() -> Iterator[None]:
    with not_counted():
        yield


def rows_of(club: Club) -> list[tuple[Any, ...]]:
    """All rows of all standings, without their ids."""
    return sorted((row[1:] for row in Standing.objects.filter(club=club).values_list()), key=repr)


def is_as_remade(club: Club) -> bool:
    kept = rows_of(club)
    remake(club)
    return kept == rows_of(club)


def club_of(people: int) -> tuple[Club, list[Member]]:
    """A club with a season that runs and one that is locked, in which everybody has played once."""
    club = ClubFactory(visibility="public")
    SeasonFactory(club=club, begins=FIRST, ends=LAST)
    members = MemberFactory.create_batch(people, club=club)
    night = NightFactory(club=club, on=FIRST)
    for begin in range(0, people, 4):
        scored(night, [(member, 9 - k) for k, member in enumerate(members[begin : begin + 4])])
    SeasonFactory(club=club, begins=FIRST, ends=FIRST, locked_at=datetime.datetime(2026, 3, 2, tzinfo=datetime.UTC))
    club.pending_updates.all().delete()
    return club, members


def count_all(club: Club) -> None:
    """The row that an import leaves, when all of it is written."""
    results_changed(club.pk, club)


@pytest.mark.django_db
@pytest.mark.usefixtures("_waiting")
def test_standing_of_everybody_is_written_in_pieces_and_called_final_behind_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(standings, "PIECE", 5)
    club, _ = club_of(12)
    count_all(club)
    written, client = [], Client()
    monkeypatch.setattr(
        standings, "write_rows", lambda steps: (written.append(len(steps)), all_standings.write_rows(steps))
    )

    def look(_: float) -> None:
        """Between two transactions, as any reader."""
        page = client.get(reverse("standings", args=[club.slug])).content.decode()
        assert ("Being counted" in page) == PendingUpdate.objects.filter(club=club).exists()
        assert "Being counted" in page or Standing.objects.filter(club=club).count() == 24

    while worker.has_ready():
        worker.count_next(rest=look)
    assert max(written) == 5
    assert sum(written) == 24, "all time and the season that runs, each row once"
    assert is_as_remade(club)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_waiting")
def test_standings_are_computed_outside_of_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    club, members = club_of(8)
    held: list[bool] = []

    def stand(*given: Any, **more: Any) -> Any:
        held.append(connection.in_atomic_block)
        return real(*given, **more)

    real = all_standings.positions
    monkeypatch.setattr(all_standings, "positions", stand)
    monkeypatch.setattr("clubs.standings.locked.positions", stand)
    count_all(club)
    worker.catch_up()
    played(NightFactory(club=club, on=LAST), members[:4])
    worker.catch_up()
    assert len(held) >= 3, "all time, the season that runs, the one that is locked"
    assert not any(held)


class Ended(BaseException):
    """The process is killed."""


@pytest.mark.databases_differ
@pytest.mark.thorough(but=1)
@pytest.mark.django_db
@pytest.mark.usefixtures("_waiting")
@pytest.mark.parametrize("pieces", range(1, 6))
def test_process_that_ends_between_two_pieces_leaves_the_rest_to_the_next(
    monkeypatch: pytest.MonkeyPatch, pieces: int
) -> None:
    """With games that were added to a standing, and with everybody's."""
    monkeypatch.setattr(standings, "PIECE", 3)
    club, members = club_of(8)
    for on, asks in ((FIRST, count_all), (LAST, lambda club: None)):
        asks(club)
        played(NightFactory(club=club, on=on), members[:4])
        end_after(pieces)
        assert PendingUpdate.objects.filter(club=club).exists() or pieces > 4
        worker.catch_up()
        assert is_as_remade(club)


def end_after(pieces: int) -> None:
    """The process is killed after so many transactions that write standings."""
    left = pieces

    def rest(_: float) -> None:
        nonlocal left
        if Standing.objects.exists():
            left -= 1
        if left == 0:
            raise Ended

    try:
        while worker.has_ready():
            worker.count_next(rest=rest)
    except Ended:
        pass


@pytest.mark.django_db
@pytest.mark.usefixtures("_waiting")
def test_games_that_another_process_reads_meanwhile_are_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    club, members = club_of(8)
    count_all(club)
    worker.count_next()
    night, real, once = NightFactory(club=club, on=LAST), all_standings.positions, [True]

    def stand(*given: Any, **more: Any) -> Any:
        """What is computed is old when it is to be written."""
        computed = real(*given, **more)
        if once:
            once.clear()
            played(night, members[:4])
            worker.count_some(
                PendingUpdate.objects.get(kind=Kind.SHEET), PendingUpdate.objects.ready(), "", worker.at_once
            )
        return computed

    monkeypatch.setattr(all_standings, "positions", stand)
    worker.count_next()
    assert not Standing.objects.filter(club=club, season=None).exists(), "nothing is written of what was old"
    worker.catch_up()
    assert Standing.objects.get(member=members[0], season=None).games == 2
    assert is_as_remade(club)


@pytest.mark.django_db
@pytest.mark.usefixtures("_waiting")
def test_season_that_is_locked_meanwhile_does_not_move(monkeypatch: pytest.MonkeyPatch) -> None:
    club, members = club_of(4)
    remake(club)
    season = club.seasons.get(locked_at=None)
    kept = rows_of(club)
    scored(NightFactory(club=club, on=LAST), [(member, k) for k, member in enumerate(members)])
    results_changed(club.pk, season)
    real = all_standings.positions

    def stand(club: Club, of: Season | None, *given: Any, **more: Any) -> Any:
        computed = real(club, of, *given, **more)
        club.seasons.filter(locked_at=None).update(locked_at=datetime.datetime(2026, 3, 21, tzinfo=datetime.UTC))
        return computed

    monkeypatch.setattr(all_standings, "positions", stand)
    worker.catch_up()
    season.refresh_from_db()
    assert (rows_of(club), season.differs) == (kept, True)


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.usefixtures("_waiting")
def test_tables_that_end_together_are_read_in_short_transactions_and_share_one_standing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(update, "ENOUGH", 0)
    club, members = club_of(20)
    remake(club)
    night = NightFactory(club=club, on=LAST)
    tables = [played(night, members[begin : begin + 4]) for begin in range(0, 20, 4)]
    read: list[int] = []
    kept: list[Season | None] = []
    real, steps_of = update.publish_hands, standings.steps_of
    monkeypatch.setattr(update, "publish_hands", lambda sheet: (read.append(sheet), real(sheet))[1])
    monkeypatch.setattr(
        standings, "steps_of", lambda club, season, *more: kept.append(season) or steps_of(club, season, *more)
    )
    a_transaction: list[int] = []

    def rest(_: float) -> None:
        a_transaction.append(len(read) - sum(a_transaction))

    while worker.has_ready():
        worker.count_next(rest=rest)
    assert read == [table.sheet_id for table in tables], "who waits longest comes first"
    assert max(a_transaction) == 1, "no second sheet is read once its time is over"
    assert kept == [None, club.seasons.get(locked_at=None)]
    assert is_as_remade(club)


@pytest.mark.django_db
@pytest.mark.usefixtures("_waiting")
def test_game_that_a_standing_knows_already_is_not_added_twice() -> None:
    """The season was counted between the reading of the game and its standing."""
    club, members = club_of(4)
    remake(club)
    played(NightFactory(club=club, on=LAST), members)
    results_changed(club.pk, club.seasons.get(locked_at=None))
    for kind in ("sheet", "season", "standing"):
        assert PendingUpdate.objects.ready().earliest("pk").kind == kind
        worker.count_next()
    assert {row.games for row in Standing.objects.filter(club=club, season__locked_at=None)} == {2}
    assert is_as_remade(club)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_waiting")
def test_two_processes_that_write_pieces_at_once_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "PIECE", 1)
    club, _ = club_of(8)
    count_all(club)
    monkeypatch.setattr(lease, "LEASE", datetime.timedelta(0))
    sites = [worker.Worker() for _ in range(2)]
    until(lambda: not PendingUpdate.objects.exists())
    for site in sites:
        site.stop()
    assert is_as_remade(club)
