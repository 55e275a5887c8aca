"""A result that waits at its table waits in its club too: placings, trophies, standings, notices and webhooks."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Award, Event, Placing, Table
from clubs.projections.update import remake
from clubs.projections.worker import Worker
from scoresheets.log.append import open_result
from scoresheets.models import FinalPlacing, Sheet
from scoresheets.results.finale import prizes_of
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, played
from tests.waiting import until


def held_back() -> Table:
    """A table of today's night that has played its last hand and holds the result back; its club has two trophies."""
    night = NightFactory(club=ClubFactory(), on=timezone.localdate(), begun_at=timezone.now())
    TrophyFactory(club=night.club, name="The Cup", drawing="cup")
    TrophyFactory(club=night.club, name="The Boot", goes="loser", drawing="boot")
    members = MemberFactory.create_batch(4, club=night.club)
    table = played(night, members, house_rules={"hold_result": True})
    Sheet.objects.filter(pk=table.sheet_id).update(home=f"/clubs/{night.club.slug}/nights/{night.pk}/")
    table.refresh_from_db()
    return table


def told(table: Table) -> dict[str, int]:
    """How many rows say how the table ended."""
    return {
        "events": Event.objects.filter(table=table, kind=Event.Kind.RESULT).count(),
        "placings": Placing.objects.filter(table=table).count(),
        "awards": Award.objects.filter(table=table).count(),
    }


@pytest.mark.django_db
def test_nothing_is_told_of_a_result_before_it_is_shown() -> None:
    table = held_back()
    assert told(table) == {"events": 0, "placings": 0, "awards": 0}
    # Not either where all copies of the club are made again meanwhile.
    remake(table.night.club)
    assert told(table) == {"events": 0, "placings": 0, "awards": 0}
    assert Table.objects.playing().filter(pk=table.pk).exists()
    assert prizes_of(table.sheet) == []
    for _ in range(2):
        open_result(table.sheet)
        assert told(table) == {"events": 1, "placings": 4, "awards": 2}


@pytest.mark.django_db
def test_trophies_that_were_won_are_drawn_on_the_result(client: Client) -> None:
    table = held_back()
    open_result(table.sheet)
    table.sheet.refresh_from_db()
    assert [prize.name for prize in prizes_of(table.sheet)] == ["The Cup", "The Boot"]
    page = client.get(f"/watch/{table.sheet.watch}/").content.decode()
    prizes = page.partition('<ul class="prizes">')[2].partition("</ul>")[0]
    assert prizes.count("<svg") == 2
    assert prizes.index("The Cup") < prizes.index("The Boot")


@pytest.mark.django_db
def test_page_of_the_night_and_the_wall_say_that_the_result_comes(client: Client) -> None:
    table = held_back()
    night = f"/clubs/{table.night.club.slug}/nights/{table.night.pk}/"
    for path in (night, f"{night}wall/"):
        page = client.get(path)
        assert page.status_code == 200, path
        assert "the last hand" in page.content.decode().lower(), path
        assert "wins with" not in page.content.decode(), path


@pytest.mark.django_db(transaction=True)
def test_site_shows_a_result_by_itself_once_it_has_waited_long_enough() -> None:
    table = held_back()
    Sheet.objects.filter(pk=table.sheet_id).update(result_opens_at=timezone.now() - datetime.timedelta(seconds=1))
    worker = Worker()
    try:
        until(lambda: Sheet.objects.finished().filter(pk=table.sheet_id).exists())
    finally:
        worker.stop()
    assert FinalPlacing.objects.filter(sheet=table.sheet).count() == 4
