"""As many lines as a file may have, and a name in every second of them that nobody knows: pages stay small, and what is
written comes in small pieces.
"""

from __future__ import annotations

import datetime

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.imports.spreadsheet import MOST_LINES
from clubs.imports.writing import PEOPLE_A_PIECE
from clubs.members.people import new_member
from clubs.models import AuditEntry, Award, Club, PendingUpdate, Placing, Standing, Table, Upload
from clubs.projections import worker
from tests.club_factories import TrophyFactory
from tests.clubs.imports.test_results import bring, club, organiser
from tests.counted import not_counted

__all__ = ["club", "organiser"]
# Thousands of rows are written one by one: on a busy PostgreSQL that takes longer than a test may.
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(900)]

NAMES = MOST_LINES // 2
#: Bytes of a page.
A_PAGE = 120_000
#: Statements: of a page, of a piece of people, of a step with a game or with some holders.
OF_A_PAGE, OF_PEOPLE, OF_A_GAME, OF_HOLDERS = 8, 16, 24, 40


def results() -> str:
    """Tables of four, on as many days as there are tables for three years."""
    day = datetime.date(2016, 1, 1)
    lines = [
        f"{day + datetime.timedelta(days=n // 4 % 1000)},Dirty Dog,T{n // 4},Old {n % NAMES},{40 - n % 4 * 7}\n"
        for n in range(MOST_LINES - 1)
    ]
    return "Day,Game,Table,Name,Score\n" + "".join(lines[: len(lines) // 4 * 4])


def holders() -> str:
    """A trophy that changed hands nearly every day."""
    day = datetime.date(2010, 1, 1)
    lines = [f"The Cup,{day + datetime.timedelta(days=n)},Old {n % NAMES}\n" for n in range(MOST_LINES - 1)]
    return "Trophy,Since,Name\n" + "".join(lines)


def small(organiser: Client, address: str, **posted: object) -> HttpResponse:
    """A page that is neither large nor asks much, however many lines the file has."""
    with CaptureQueriesContext(connection) as asked:
        page = organiser.post(address, posted) if posted else organiser.get(address)
    assert len(page.content) <= A_PAGE
    assert len(asked) <= OF_A_PAGE, [query["sql"] for query in asked]
    return page


def statements_of_a_piece() -> int:
    connection.queries_log.clear()
    with CaptureQueriesContext(connection) as asked:
        worker.count_next()
    return len(asked)


@pytest.mark.thorough
def test_every_page_of_very_many_unknown_names_is_small(organiser: Client, club: Club) -> None:
    people = [new_member(club, f"Member {number}") for number in range(200)]
    there = bring(organiser, club, results()).url
    page = small(organiser, there)
    seen, last = page.context["book"].mark, page.context["names"].paginator.num_pages
    assert f"with {NAMES} names" in " ".join(page.content.decode().split())
    for number in (1, last // 2, last):
        chosen = {f"who-{20 * number}": people[number].pk, "names": number, "saw": seen}
        turned = organiser.post(there, {"do": "lines-2", **chosen})
        assert f'value="{people[number].pk}"' in small(organiser, turned.url).content.decode()
    assert len(Upload.objects.get().picks) == 3


@pytest.mark.databases_differ
@pytest.mark.thorough
def test_results_are_written_in_small_pieces(organiser: Client, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    there = bring(organiser, club, results()).url
    with not_counted():
        organiser.post(there, {"saw": small(organiser, there).context["book"].mark})
    for _ in range(-(-NAMES // PEOPLE_A_PIECE)):
        assert statements_of_a_piece() <= OF_PEOPLE
    assert (club.members.count(), Table.objects.count()) == (NAMES + 3, 0)
    with monkeypatch.context() as short:
        short.setattr("clubs.imports.writing.PIECE", 0)
        for number in range(1, 11):
            assert statements_of_a_piece() <= OF_A_GAME
            assert Table.objects.count() == number, "a piece begins no further game once its time is over"
    small(organiser, there)
    monkeypatch.setattr("clubs.imports.writing.PIECE", 60)
    with not_counted():
        worker.count_next()
    games = (MOST_LINES - 1) // 4
    assert (Table.objects.count(), Placing.objects.count()) == (games, 4 * games)
    assert list(PendingUpdate.objects.values_list("kind", flat=True)) == ["club"], "all of it is counted once"
    worker.catch_up()
    assert Standing.objects.filter(club=club, season=None).count() == NAMES
    assert AuditEntry.objects.get().says == f"Added {games} games of the past from a spreadsheet."


@pytest.mark.databases_differ
@pytest.mark.thorough
def test_holders_are_written_in_small_pieces(organiser: Client, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    TrophyFactory(club=club, name="The Cup")
    there = bring(organiser, club, holders()).url
    with not_counted():
        organiser.post(there, {"saw": small(organiser, there).context["book"].mark})
    with monkeypatch.context() as short:
        short.setattr("clubs.imports.writing.PIECE", 0)
        for number in range(1, 6):
            assert statements_of_a_piece() <= OF_HOLDERS
            assert Award.objects.count() == 8 * number
    assert "40 of 4999 holders saved" in " ".join(organiser.get(there).content.decode().split())
    monkeypatch.setattr("clubs.imports.writing.PIECE", 60)
    worker.catch_up()
    assert (Award.objects.count(), club.members.count()) == (MOST_LINES - 1, 3)
    assert AuditEntry.objects.get().says == "Added 4999 holders of trophies from a spreadsheet."
