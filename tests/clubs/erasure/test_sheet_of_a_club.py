"""A sheet of a club is deleted, and the club is counted as if it had never been there."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs.access.outdated import NotNow
from clubs.archive.export import packed
from clubs.archive.parse import unpacked
from clubs.erasure.club import NEEDED_BY_PLAY_OFF, delete_sheet_of_club
from clubs.models import Award, Club, Dispute, Honour, Member, PersonalBest, Placing, PlayOff, Rating, Standing, Table
from clubs.play_off_rounds.call_off import SHEET_IS_GONE, bring_back, call_off
from clubs.play_off_rounds.stages import abandon
from clubs.projections.update import remake
from scoresheets.models import Player, Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, TrophyFactory, played
from tests.clubs.play_offs.evening import PlayOffEvening, at_the_finals, play_off
from tests.clubs.visitors import account

pytestmark = pytest.mark.django_db
Source = Table.Source


@pytest.fixture
def club() -> Club:
    club = ClubFactory(slug="trumps")
    SeasonFactory(club=club)
    return club


@pytest.fixture
def people(club: Club) -> list[Member]:
    return MemberFactory.create_batch(4, club=club)


def copies(club: Club) -> dict[str, list[tuple[Any, ...]]]:
    """All that is counted of the club, without the ids of the rows."""
    at_tables = {"table__night__club": club}
    rows = {
        model.__name__: model.objects.filter(**where)
        for model, where in (
            (Placing, at_tables), (Honour, at_tables), (PersonalBest, {"club": club}), (Rating, {"club": club}),
            (Standing, {"club": club}),
        )
    }  # fmt: skip
    return {name: sorted((row[1:] for row in found.values_list()), key=repr) for name, found in rows.items()}


@pytest.mark.parametrize("source", [Source.DRAWN, Source.BROUGHT])
def test_all_is_counted_as_if_it_had_never_been_there(club: Club, people: list[Member], source: str) -> None:
    played(NightFactory(club=club), people)
    before = copies(club)
    table = played(NightFactory(club=club), [*reversed(people)])
    Table.objects.filter(pk=table.pk).update(source=source)
    assert copies(club) != before
    delete_sheet_of_club(table)
    assert copies(club) == before
    assert not club.pending_updates.exists()
    remake(club)
    assert copies(club) == before


def test_game_that_is_running_goes_with_the_guests_who_sat_nowhere_else(club: Club, people: list[Member]) -> None:
    table = played(NightFactory(club=club), people, hands=1)
    guest = Player.objects.create(name="Zoe")
    table.sheet.seats.filter(number=1).update(player=guest)
    delete_sheet_of_club(table)
    assert not Sheet.objects.exists()
    assert not Player.objects.filter(pk=guest.pk).exists()
    assert club.members.count() == 4
    table.refresh_from_db()
    assert (table.sheet, table.withdrawn_at is None) == (None, False)


def test_pages_of_its_night_and_the_file_of_the_club_go_without_it(club: Club, people: list[Member]) -> None:
    night = NightFactory(club=club)
    played(night, people)
    delete_sheet_of_club(played(night, people))
    organiser, _ = account(club, "organiser")
    for page in ("", f"nights/{night.pk}/", f"nights/{night.pk}/control/", "standings/", "records/", "games/"):
        assert organiser.get(f"/clubs/trumps/{page}").status_code == 200, page
    assert len(unpacked(packed(club))["sheets"]) == 1


def test_trophy_that_waits_for_a_yes_goes_and_of_one_that_was_confirmed_it_is_asked(
    club: Club, people: list[Member]
) -> None:
    TrophyFactory(club=club)
    delete_sheet_of_club(played(NightFactory(club=club), people))
    assert not Award.objects.standing().exists()
    table = played(NightFactory(club=club), people)
    Award.objects.standing().update(confirmed_at=timezone.now())
    delete_sheet_of_club(table)
    award = Award.objects.standing().get()
    dispute = Dispute.objects.get(award=award, answered_at__isnull=True)
    assert "does not belong to the night" in dispute.sentence
    organiser, _ = account(club, "organiser")
    assert organiser.get(f"/clubs/trumps/trophies/{award.trophy_id}/").status_code == 200
    assert organiser.post(f"/clubs/trumps/doubts/{dispute.pk}/", {"answer": "keep"}).status_code == 303
    assert Award.objects.standing().get() == award


# Of a play-off


def sheets_of(evening: PlayOffEvening) -> set[int]:
    return {*Sheet.objects.filter(table__stage__play_off=evening.play_off).values_list("pk", flat=True)}


def test_sheet_of_a_play_off_stays_as_long_as_that_stands() -> None:
    evening = at_the_finals()
    before = sheets_of(evening)
    for table in (evening.groups[0], evening.final()):
        with pytest.raises(NotNow, match=NEEDED_BY_PLAY_OFF):
            delete_sheet_of_club(table)
    assert sheets_of(evening) == before
    assert evening.now.stages


@pytest.mark.parametrize("is_drawn_again", [False, True])
def test_sheet_of_a_play_off_that_was_called_off_goes_and_with_it_the_way_back(is_drawn_again: bool) -> None:
    evening = at_the_finals()
    table = evening.final() if is_drawn_again else evening.groups[0]
    if is_drawn_again:
        abandon(table.stage)
    call_off(evening.play_off, by=None)
    delete_sheet_of_club(table)
    assert table.sheet_id not in sheets_of(evening)
    placings = set(Placing.objects.filter(table__in=evening.groups).values_list("table", flat=True))
    assert placings == {group.pk for group in evening.groups if group != table}
    with pytest.raises(NotNow, match=SHEET_IS_GONE):
        bring_back(evening.play_off, by=None)
    remake(evening.club)
    assert {*Placing.objects.values_list("table", flat=True)} >= placings


def test_page_says_that_there_is_no_way_back() -> None:
    evening = play_off((4, 4), places=2)
    olga: Client = evening.organiser()
    call_off(evening.play_off, by=None)
    assert "Bring it back" in olga.get(evening.url("call_off")).text
    delete_sheet_of_club(evening.groups[0])
    page = olga.get(evening.url("call_off")).text
    assert "Bring it back" not in page
    assert SHEET_IS_GONE in page
    assert olga.post(evening.url("call_off"), {"do": "back"}).status_code == 409
    assert PlayOff.objects.get().called_off_at
    for name in ("night", "control", "play_off"):
        assert olga.get(evening.url(name)).status_code == 200, name
