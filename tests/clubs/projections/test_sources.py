"""Whatever changes results asks for them to be counted: files, seasons and an update of the site among them."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.access.outdated import NotNow
from clubs.archive.export import packed
from clubs.archive.parse import unpacked
from clubs.archive_import.apply import take_in
from clubs.models import (
    Club,
    Honour,
    Night,
    PendingUpdate,
    PersonalBest,
    Placing,
    PlayerAlias,
    PlayOff,
    Ruling,
    Season,
    Stage,
    Standing,
    Table,
    Upload,
)
from clubs.models.base import ResultSource, ResultSourceQuerySet
from clubs.projections import worker
from clubs.projections.update import remake
from clubs.queue.changes import standings_are_missing
from clubs.queue.sources import SOURCES
from clubs.standings import seasons
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, UserFactory, played, scored
from tests.clubs.archive.years import forgotten
from tests.clubs.night_played import scorer_of
from tests.clubs.projections.test_queue import rows_of
from tests.counted import change, not_counted
from tests.factories import sure_of

pytestmark = pytest.mark.django_db

Kind = PendingUpdate.Kind


@pytest.fixture
def club() -> Club:
    """A table with a sheet, and one of the past."""
    club = ClubFactory()
    people = MemberFactory.create_batch(4, club=club)
    played(NightFactory(club=club, on=datetime.date(2026, 3, 1)), people)
    past = scored(
        NightFactory(club=club, on=datetime.date(2026, 3, 8)), [(one, place) for place, one in enumerate(people)]
    )
    change(club.pk, past)
    change(club.pk, club)
    return club


def waiting(club: Club) -> set[str]:
    return set(PendingUpdate.objects.filter(club=club).values_list("kind", flat=True))


def counted_of(club: Club) -> dict[str, int]:
    rows = {
        model.__name__: model.objects.filter(table__night__club=club).count()
        for model in (Placing, PersonalBest, Honour)
    }
    return rows | {"Standing": Standing.objects.filter(club=club).count()}


def test_club_that_comes_with_a_file_is_counted_after_it(club: Club) -> None:
    kept, file = counted_of(club), packed(club)
    assert all(kept.values()), kept
    forgotten(club)
    with not_counted():
        again = take_in(unpacked(file), None).club
        assert again is not None
        # What was typed of a game of the past is no copy.
        assert counted_of(again) == {"Placing": 4, "PersonalBest": 0, "Honour": 0, "Standing": 0}
        assert waiting(again) == {Kind.TABLE, Kind.CLUB}
    worker.catch_up()
    assert waiting(again) == set()
    assert counted_of(again) == kept
    rows = rows_of(again)
    remake(again)
    assert rows == rows_of(again)


def test_sheet_of_a_table_that_was_taken_away_is_over_for_the_club_as_long_as_it_is(club: Club) -> None:
    table = Table.objects.get(night__club=club, sheet__isnull=False)
    table.withdrawn_at = timezone.now()
    table.save()
    sure_of(scorer_of(table).undo())
    table.refresh_from_db()
    assert table.ended_at is None
    scorer_of(table).clear_game()
    table.refresh_from_db()
    assert table.sheet is not None
    assert table.ended_at == table.sheet.finished_at is not None
    assert not table.placings.exists()


def test_tables_that_came_with_a_file_are_counted_some_at_a_time(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clubs.projections.update.ENOUGH", 0)
    file = packed(club)
    forgotten(club)
    with not_counted():
        again = take_in(unpacked(file), None).club
        assert again is not None
        for left in (1, 0):
            worker.count_next()
            assert PendingUpdate.objects.filter(club=again, kind=Kind.TABLE).count() == left
            assert not Standing.objects.filter(club=again).exists(), "these are counted once, at the end"
    worker.catch_up()
    assert Standing.objects.filter(club=again).count() == 4


def test_season_that_is_made_changed_or_opened_is_counted_after_it(club: Club) -> None:
    says = {"name": "Spring", "begins": datetime.date(2026, 3, 1), "ends": datetime.date(2026, 3, 31)}

    def is_counted_after(step: str) -> Season:
        assert waiting(club) == {Kind.SEASON}, step
        worker.catch_up()
        assert waiting(club) == set(), step
        return club.seasons.get()

    with not_counted():
        season = seasons.make_season(club, says, by=None)
        assert not season.standings.exists()
        season = is_counted_after("made")
        assert season.standings.filter(games=2).count() == 4
        seasons.change_season(season, {"ends": datetime.date(2026, 3, 2)}, by=None)
        assert season.standings.filter(games=2).count() == 4
        season = is_counted_after("changed")
        assert season.standings.filter(games=1).count() == 4
        seasons.lock(season, by=None)
        assert waiting(club) == set()
        season.standings.update(games=7)
        season.refresh_from_db()
        seasons.open_again(season, by=None)
        assert season.standings.filter(games=7).count() == 4
        season = is_counted_after("opened")
        assert season.standings.filter(games=1).count() == 4


def test_season_is_not_locked_while_results_are_being_counted(club: Club) -> None:
    season = SeasonFactory(club=club, begins=datetime.date(2026, 3, 1), ends=datetime.date(2026, 3, 31))
    with not_counted():
        table = played(NightFactory(club=club, on=datetime.date(2026, 3, 15)), list(club.members.all()))
        with pytest.raises(NotNow, match="still being counted"):
            seasons.lock(season, by=None)
        PendingUpdate.objects.update(failures=3)
        seasons.lock(season, by=None)
    season.refresh_from_db()
    assert season.locked_at is not None, "nobody waits for what fails again and again"
    assert table.ended_at is None


def test_standings_that_an_update_took_away_are_counted_when_the_site_is_open(club: Club) -> None:
    season = SeasonFactory(club=club, begins=datetime.date(2026, 3, 1), ends=datetime.date(2026, 3, 31))
    before = set(Standing.objects.filter(club=club, season=None).values_list("member", "place"))
    Standing.objects.all().delete()
    with not_counted():
        standings_are_missing(using=DEFAULT_DB_ALIAS)
        standings_are_missing(using=DEFAULT_DB_ALIAS)
        assert PendingUpdate.objects.filter(club=club).count() == 1
        assert not Standing.objects.exists()
    worker.catch_up()
    assert set(Standing.objects.filter(club=club, season=None).values_list("member", "place")) == before
    assert season.standings.count() == 4
    standings_are_missing(using=DEFAULT_DB_ALIAS)
    assert not PendingUpdate.objects.exists()


@pytest.mark.parametrize("seed", range(3))
def test_who_sat_at_a_table_is_asked_once_and_comes_to_the_same(seed: int) -> None:
    """Also of somebody who came late, by a record of their own or as a player who is known as a member."""
    dice = random.Random(seed)
    club = ClubFactory()
    people = MemberFactory.create_batch(4, club=club)
    typed = MemberFactory(name="Ann")
    PlayerAlias.objects.create(club=club, player=typed.player, member=MemberFactory(club=club))
    with not_counted():
        table = played(NightFactory(club=club), dice.sample([*people, typed], 4))
    with CaptureQueriesContext(connection) as queries:
        worker.catch_up()
    asked = [query["sql"] for query in queries if '"clubs_playeralias"' in query["sql"].partition("WHERE")[0]]
    assert len(asked) == 1, asked
    assert table.placings.count() == 4


def test_saving_a_source_of_results_puts_it_into_the_queue(club: Club) -> None:
    night = club.nights.earliest("on")
    play_off = PlayOff.objects.create(night=night, game="dirty-dog", places=1)
    with not_counted():
        night.for_fun = True
        night.save(update_fields=["for_fun"])
        assert queued(club) == {(Kind.NIGHT, night.pk)}
        play_off.called_off_at = timezone.now()
        play_off.save(update_fields=["called_off_at"])
        assert queued(club) == {(Kind.PLAY_OFF, play_off.pk), (Kind.TROPHIES, night.pk)}
        ruling = play_off.rulings.create(kind=Ruling.Kind.DRAW)
        assert queued(club) == {(Kind.PLAY_OFF, play_off.pk)}
        ruling.save(update_fields=["withdrawn_at"])
        assert queued(club) == {(Kind.PLAY_OFF, play_off.pk)}
        season = SeasonFactory(club=club)
        assert queued(club) == {(Kind.SEASON, season.pk)}
        season.save(update_fields=["drops"])
        assert queued(club) == {(Kind.SEASON, season.pk)}


def test_saving_what_no_result_follows_from_puts_nothing_into_the_queue(club: Club) -> None:
    with not_counted():
        night = NightFactory(club=club)
        night.save(update_fields=["title", "begins"])
        play_off = PlayOff.objects.create(night=night, game="dirty-dog", places=1)
        play_off.save(update_fields=["final_hands"])
        season = SeasonFactory(club=club, locked_at=timezone.now())
        season.save()
        assert queued(club) == set()
        season.locked_at = None
        season.save(update_fields=["name"])
        assert queued(club) == set()


class Sources:
    """A row of every model that results follow from, and how each is written so that results change."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.night = club.nights.earliest("on")
        self.table = self.night.tables.get()
        self.past = Table.objects.get(sheet=None)
        self.play_off = PlayOff.objects.create(night=self.night, game="dirty-dog", places=1)
        self.season = SeasonFactory(club=club)
        self.ann, self.bo, self.cy = club.members.order_by("pk")[:3]
        self.alias = PlayerAlias.objects.create(club=club, player=self.ann.player, member=None)
        self.uploads = {
            kind: Upload.objects.create(club=club, by=UserFactory(), kind=kind, content=b"", called="old", added=1)
            for kind in Upload.Kind
        }

    def changes(self) -> Iterator[tuple[ResultSource, dict[str, Any], set[tuple[str, int]]]]:
        """Rows, what is written to them, and what is then to be counted, one after the other."""
        club, night, now = self.club.pk, self.night.pk, timezone.now()
        yield self.night, {"for_fun": True}, {(Kind.NIGHT, night)}
        yield self.night, {"archived_at": now, "trophies": "play-off"}, {(Kind.NIGHT, night)}
        yield self.night, {"trophies": "", "trophies_table": None}, {(Kind.TROPHIES, night)}
        yield self.table, {"withdrawn_at": now}, {(Kind.SHEET, self.table.sheet_id or 0)}
        yield self.past, {"night": self.night, "number": 9}, {(Kind.TABLE, self.past.pk), (Kind.CLUB, club)}
        play_off = (Kind.PLAY_OFF, self.play_off.pk)
        yield self.play_off, {"called_off_at": now}, {play_off, (Kind.TROPHIES, night)}
        stage = self.play_off.stages.create(number=1, side="all", hands=4, places=1)
        yield stage, {"abandoned_at": now}, {play_off}
        yield Ruling.objects.create(play_off=self.play_off, kind="draw"), {"withdrawn_at": now}, {play_off}
        yield self.season, {"drops": 1}, {(Kind.SEASON, self.season.pk)}
        ann, bo, cy = ((Kind.MEMBER, member.pk) for member in (self.ann, self.bo, self.cy))
        yield self.bo, {"same_as": self.ann}, {ann, bo}
        yield self.bo, {"same_as": self.cy}, {ann, bo, cy}
        yield self.bo, {"same_as": None}, {bo, cy}
        Night.objects.update(archived_at=None)
        Table.objects.update(withdrawn_at=None)
        yield self.alias, {"member": self.bo}, {(Kind.SHEET, self.table.sheet_id or 0)}
        results, holders, whole = (self.uploads[kind] for kind in ("results", "holders", "club"))
        yield whole, {"taken_at": now}, set()
        yield results, {"confirmed_at": now}, {(Kind.PAST, results.pk)}
        yield results, {"taken_at": now}, {(Kind.CLUB, club)}
        yield holders, {"confirmed_at": now}, {(Kind.PAST, holders.pk)}
        yield holders, {"taken_at": now}, set()


def save(row: Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=[*values])


def save_all(row: Model, values: dict[str, Any]) -> None:
    type(row)._default_manager.filter(pk=row.pk).update(**values)


def save_by_id(row: Model, values: dict[str, Any]) -> None:
    fields = {name: row._meta.get_field(name) for name in values}
    keys = {getattr(fields[name], "attname", name): getattr(value, "pk", value) for name, value in values.items()}
    type(row)._default_manager.filter(pk=row.pk).update(**keys)


def save_many(row: Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    type(row)._default_manager.bulk_update([row], [*values])


def save_conditionally(row: Model, values: dict[str, Any]) -> None:
    """Written so that it does not fit its own condition afterwards."""
    (name, value), *more = values.items()
    fits = type(row)._default_manager.exclude(**{name: value}) if value is not None else row.__class__._default_manager
    assert fits.filter(pk=row.pk).update(**{name: value} | dict(more)) == 1


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("write", [save, save_all, save_by_id, save_many, save_conditionally])
def test_every_source_of_results_announces_itself_however_it_is_written(
    club: Club, write: Callable[[Model, dict[str, Any]], None]
) -> None:
    with not_counted():
        written = set()
        for row, values, wanted in Sources(club).changes():
            queued(club)
            row.refresh_from_db()
            write(row, values)
            assert queued(club) == wanted, (row, values)
            written.add(type(row))
    assert written == set(SOURCES) == set(sources_of_results())


def sources_of_results() -> Iterator[type[ResultSource]]:
    for model in apps.get_models():
        if issubclass(model, ResultSource):
            assert isinstance(model._default_manager.all(), ResultSourceQuerySet), model
            assert {*model.result_fields} <= {field.name for field in model._meta.get_fields()}, model
            yield model


@pytest.mark.parametrize("make", [Model.save, lambda row: type(row)._default_manager.bulk_create([row])])
def test_new_source_of_results_announces_itself_however_it_is_made(
    club: Club, make: Callable[[ResultSource], object]
) -> None:
    with not_counted():
        rows = Sources(club)
        sheet, player = rows.table.sheet, rows.ann.player
        assert sheet is not None
        rows.alias.delete()
        queued(club)

        def is_made(row: ResultSource) -> set[tuple[str, int]]:
            make(row)
            return queued(club)

        play_off, of_sheet = {(Kind.PLAY_OFF, rows.play_off.pk)}, {(Kind.SHEET, sheet.pk)}
        assert is_made(Ruling(play_off=rows.play_off, kind="draw")) == play_off
        assert is_made(Stage(play_off=rows.play_off, number=2, side="all", hands=4)) == set(), "nothing is played yet"
        assert is_made(PlayerAlias(club=club, player=player, member=rows.bo)) == of_sheet
        season = Season(club=club, name="Another", begins=rows.night.on, ends=rows.night.on, scheme="won")
        assert is_made(season) == {(Kind.SEASON, season.pk)}
        assert is_made(Table(night=rows.night, number=8, game="dirty-dog", source="past")) == set(), "an empty one"
        Table.objects.filter(pk=rows.table.pk).update(sheet=None)
        assert is_made(Table(night=rows.night, number=7, game="dirty-dog", sheet=sheet)) == of_sheet


def test_rows_that_are_written_at_once_cost_the_same_however_many_they_are(club: Club) -> None:
    for game in range(5):
        NightFactory(club=club, on=datetime.date(2026, 4, 1 + game))
    with not_counted():
        counted = []
        for nights in (club.nights.filter(on__month=3), club.nights.all()):
            with CaptureQueriesContext(connection) as queries:
                nights.update(for_fun=True)
            counted.append(len(queries))
        with CaptureQueriesContext(connection) as queries:
            club.nights.update(closed_at=None)
    assert (counted, len(queries)) == ([4, 4], 1)


def queued(club: Club) -> set[tuple[str, int]]:
    """What waits, and it waits no longer."""
    rows = club.pending_updates.all()
    waiting = set(rows.values_list("kind", "subject"))
    rows.delete()
    return waiting
