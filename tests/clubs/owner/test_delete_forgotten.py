"""Sheets without a club that nobody has opened for long: the owner ticks what is deleted, and nothing else goes."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from clubs.evening.adopt import take_out
from clubs.models import AuditEntry, Club, PlayOff
from clubs.models.club import ClubQuerySet
from clubs.owner import backup_first, forgotten
from clubs.owner.forgotten import Chosen, delete_still_forgotten, evenings_of, for_how_long
from clubs.views.owner import forgotten as views
from scoresheets.models import Player, Revision, Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.clubs.evening.test_without_club import play
from tests.factories import Scorer, scorer

pytestmark = pytest.mark.django_db
with_backup = pytest.mark.sqlite
ADDRESS = "/owner/sheets/forgotten/"


@pytest.fixture
def kept() -> Scorer:
    return scorer()


@pytest.fixture
def sheet(kept: Scorer) -> Iterator[Sheet]:
    """A sheet that was begun 400 days ago and left alone."""
    with time_machine.travel(kept.sheet.opened_at + datetime.timedelta(days=400)):
        yield kept.sheet


@pytest.fixture
def host() -> Client:
    """The phone that opened the evening."""
    return Client()


@pytest.fixture
def evening(host: Client) -> Iterator[Club]:
    """A play-off without a club, whose tables were opened 400 days ago."""
    night, _ = play(host)
    with time_machine.travel(timezone.now() + datetime.timedelta(days=400)):
        yield night.club


def values(browser: Client, name: str) -> list[str]:
    """What is listed under that name."""
    lists = {shown["name"]: shown["rows"] for shown in browser.get(ADDRESS).context["lists"]}
    return [row["value"] for row in lists[name]]


def evenings(browser: Client) -> list[str]:
    return values(browser, "evening")


def listed(browser: Client) -> list[str]:
    return values(browser, "sheet")


def test_sheet_that_nobody_opened_for_a_year_is_offered(sheet: Sheet, ona: Client) -> None:
    page = ona.get("/owner/sheets/").text
    assert "Not opened for a year" in page
    assert f'href="{ADDRESS}"' in page
    page = ona.get(ADDRESS).text
    assert ", ".join(seat.name for seat in sheet.seats.order_by("number")) in page
    assert f'href="/owner/sheets/{sheet.code}/"' in page


def test_forgotten_sheets_are_a_thing_to_do_on_the_page_of_the_owner(
    sheet: Sheet, ona: Client, settings: Settings
) -> None:
    page = ona.get("/owner/").text
    assert "To do" in page
    assert "1 sheet without a club not opened for a year" in page
    assert 'href="/owner/sheets/#forgotten"' in page
    assert 'id="forgotten"' in ona.get("/owner/sheets/").text
    settings.SHEETS_FORGOTTEN_AFTER_DAYS = 0
    assert "To do" not in ona.get("/owner/").text


def test_sheet_that_was_opened_or_written_on_is_not(kept: Scorer, sheet: Sheet, ona: Client) -> None:
    Client().get(f"/watch/{sheet.watch}/")
    assert listed(ona) == []
    Sheet.objects.update(last_opened=None)
    assert listed(ona) == [sheet.code]
    kept.any_hand()
    assert listed(ona) == []


def test_owner_who_looks_at_it_first_still_finds_it(sheet: Sheet, ona: Client) -> None:
    ona.get(f"/owner/sheets/{sheet.code}/")
    ona.get(f"/sheets/{sheet.code}/")
    assert listed(ona) == [sheet.code]


def test_where_there_are_none_the_page_says_nothing(ona: Client) -> None:
    scorer()
    assert "Not opened for" not in ona.get("/owner/sheets/").text
    assert "There are none." in ona.get(ADDRESS).text


def test_sheet_of_a_club_is_not_offered_nor_one_that_was_just_taken_out(ona: Client) -> None:
    night = NightFactory()
    table = played(night, MemberFactory.create_batch(4, club=night.club))
    long_ago = timezone.now() - datetime.timedelta(days=400)
    Sheet.objects.update(opened_at=long_ago)
    Revision.objects.update(at=long_ago)
    assert listed(ona) == []
    take_out(table, by=None)
    assert listed(ona) == []
    Sheet.objects.update(last_opened=long_ago)
    assert listed(ona) == [table.sheet.code]


@pytest.mark.parametrize(
    ("days", "words", "offered"),
    [(399, "399 days", True), (401, "401 days", False), (1, "1 day", True), (730, "2 years", False), (0, "", False)],
)
def test_setting_says_how_long(
    sheet: Sheet, ona: Client, settings: Settings, days: int, words: str, offered: bool
) -> None:
    settings.SHEETS_FORGOTTEN_AFTER_DAYS = days
    assert listed(ona) == [sheet.code] * offered
    assert words in for_how_long()


@with_backup
def test_ticked_sheet_goes_with_its_players_after_a_backup(sheet: Sheet, ona: Client, var: Path) -> None:
    with time_machine.travel(sheet.opened_at):
        other = scorer().sheet
    gone = list(sheet.seats.values_list("player", flat=True))
    answer = ona.post(ADDRESS, {"sheet": sheet.code, "listed_sheet": [sheet.code, other.code]})
    assert "1 sheet is deleted." in answer.text
    assert str(next((var / "backups").iterdir())) in answer.text
    assert [*Sheet.objects.all()] == [other]
    assert not Player.objects.filter(pk__in=gone).exists()


@with_backup
def test_all_are_those_that_the_page_has_listed(sheet: Sheet, ona: Client) -> None:
    with time_machine.travel(sheet.opened_at):
        second, third = scorer().sheet, scorer().sheet
    answer = ona.post(ADDRESS, {"all": "on", "listed_sheet": [sheet.code, second.code]})
    assert "2 sheets are deleted." in answer.text
    assert [*Sheet.objects.all()] == [third]


@with_backup
def test_sheet_that_was_opened_since_the_page_was_shown_stays_and_the_page_says_so(sheet: Sheet, ona: Client) -> None:
    with time_machine.travel(sheet.opened_at):
        other = scorer().sheet
    ona.get(ADDRESS)
    Client().get(f"/sheets/{other.code}/")
    answer = ona.post(ADDRESS, {"sheet": [sheet.code, other.code]})
    assert "1 sheet is deleted." in answer.text
    assert "Used since you looked, so this stays" in answer.text
    assert f"/owner/sheets/{other.code}/" in answer.text
    assert [*Sheet.objects.all()] == [other]


def test_where_all_were_opened_no_backup_is_made(sheet: Sheet, ona: Client, var: Path) -> None:
    Client().get(f"/sheets/{sheet.code}/")
    answer = ona.post(ADDRESS, {"sheet": sheet.code, "backed_up": "on"})
    assert "Nothing is deleted" in answer.text
    assert not (var / "backups").exists()
    assert Sheet.objects.exists()


@with_backup
def test_sheet_opened_while_the_backup_is_made_stays(
    sheet: Sheet, ona: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_sheet(*, seconds: float) -> Path:
        Client().get(f"/sheets/{sheet.code}/")
        return Path("b")

    monkeypatch.setattr(backup_first, "make_backup", open_sheet)
    assert "Used since you looked" in ona.post(ADDRESS, {"sheet": sheet.code}).text
    assert Sheet.objects.exists()


@with_backup
@pytest.mark.parametrize("ticked", ["", "x" * 22, "\0"])
def test_nothing_goes_without_a_tick(sheet: Sheet, ona: Client, ticked: str) -> None:
    answer = ona.post(ADDRESS, {"sheet": ticked, "listed_sheet": sheet.code})
    assert answer.status_code == (200 if len(ticked) == 22 else 422)
    assert Sheet.objects.exists()


@with_backup
def test_nothing_goes_without_a_backup(sheet: Sheet, ona: Client, no_backup: None) -> None:
    answer = ona.post(ADDRESS, {"sheet": sheet.code})
    assert (answer.status_code, "The disk is full." in answer.text) == (409, True)
    assert Sheet.objects.exists()


def test_where_the_site_makes_no_backups_a_tick_says_that_there_is_one(
    sheet: Sheet, ona: Client, no_programs: None
) -> None:
    answer = ona.post(ADDRESS, {"sheet": sheet.code})
    assert (answer.status_code, "Make a backup and tick" in answer.text) == (422, True)
    assert Sheet.objects.exists()
    ona.post(ADDRESS, {"sheet": sheet.code, "backed_up": "on"})
    assert not Sheet.objects.exists()


def test_nobody_else_sees_or_deletes_them(sheet: Sheet) -> None:
    client = Client()
    assert client.get(ADDRESS).status_code == 302
    client.force_login(MemberFactory(user=UserFactory(), role="organiser").user)
    assert client.get(ADDRESS).status_code == 404
    assert client.post(ADDRESS, {"sheet": sheet.code}).status_code == 404
    assert Sheet.objects.exists()


def test_page_asks_as_much_for_many_sheets_as_for_one(
    sheet: Sheet, ona: Client, django_assert_num_queries: Any
) -> None:
    ona.get(ADDRESS)
    for many in (0, 20):
        with time_machine.travel(sheet.opened_at):
            for _ in range(many):
                scorer()
        with django_assert_num_queries(7):
            ona.get(ADDRESS)


def test_evening_that_nobody_used_for_a_year_is_offered(evening: Club, ona: Client, settings: Settings) -> None:
    page = ona.get("/owner/").text
    assert "1 evening without a club not opened for a year" in page
    assert f'href="{ADDRESS}"' in page
    page = ona.get(ADDRESS).text
    names = sorted(member.name for member in evening.members.all())
    assert f"<bdi>{', '.join(names)}</bdi>" in page
    assert f'href="/owner/clubs/{evening.slug}/"' in page
    settings.SHEETS_FORGOTTEN_AFTER_DAYS = 0
    assert "To do" not in ona.get("/owner/").text


USES: dict[str, Callable[[Club, Client], object]] = {
    "a guest watches": lambda evening, host: Client().get(f"/watch/{sheet_of(evening).watch}/"),
    "the host opens a sheet": lambda evening, host: host.get(f"/sheets/{sheet_of(evening).code}/"),
    "the night": lambda evening, host: host.get(evening.nights.get().get_absolute_url()),
    "the play-off": lambda evening, host: host.get(PlayOff.objects.get().get_absolute_url()),
    "the wall": lambda evening, host: host.get(reverse("wall", args=[evening.slug, evening.nights.get().pk])),
    "the links": lambda evening, host: host.get(reverse("share_evening", args=[evening.slug])),
    "somebody writes": lambda evening, host: Revision.objects.filter(sheet=sheet_of(evening)).update(at=timezone.now()),
    "a change": lambda evening, host: AuditEntry.objects.create(club=evening, says="Ann was renamed."),
    "another table": lambda evening, host: Sheet.objects.update(opened_at=timezone.now()),
    "it begins": lambda evening, host: evening.nights.update(begun_at=timezone.now()),
}  # fmt: skip


def sheet_of(evening: Club) -> Sheet:
    return Sheet.objects.filter(table__night__club=evening).order_by("pk")[0]


@pytest.mark.parametrize("use", USES)
def test_evening_that_was_used_is_not(evening: Club, host: Client, ona: Client, use: str) -> None:
    assert evenings(ona) == [evening.slug]
    answer = USES[use](evening, host)
    assert getattr(answer, "status_code", 200) == 200
    assert evenings(ona) == []


def test_evening_that_only_the_owner_looks_at_is_still_offered(evening: Club, ona: Client) -> None:
    ona.get(evening.nights.get().get_absolute_url())
    ona.get(f"/watch/{sheet_of(evening).watch}/")
    assert evenings(ona) == [evening.slug]


def test_day_beside_an_evening_is_that_of_its_last_use(evening: Club, ona: Client) -> None:
    day = timezone.localdate() - datetime.timedelta(days=380)
    Sheet.objects.filter(pk=sheet_of(evening).pk).update(last_opened=day)
    assert [row["last"] for row in ona.get(ADDRESS).context["lists"][1]["rows"]] == [day]


def test_visit_of_an_evening_is_noted_once_a_day(evening: Club, host: Client) -> None:
    address = evening.nights.get().get_absolute_url()
    host.get(address)
    assert {sheet.last_opened for sheet in Sheet.objects.all()} == {timezone.localdate()}
    with CaptureQueriesContext(connection) as queries:
        host.get(address)
    assert not [query for query in queries if query["sql"].startswith("UPDATE")]


def test_neither_a_club_nor_an_evening_that_a_club_took_in_is_offered(evening: Club, ona: Client) -> None:
    Club.objects.update(moved_to=ClubFactory())
    assert evenings(ona) == []
    Club.objects.update(moved_to=None, is_evening=False)
    assert evenings(ona) == []


@with_backup
def test_ticked_evening_goes_with_its_sheets_after_a_backup(evening: Club, ona: Client, var: Path) -> None:
    answer = ona.post(ADDRESS, {"evening": evening.slug})
    assert "1 evening is deleted, with its sheets." in answer.text
    assert "sheet is deleted" not in answer.text
    assert str(next((var / "backups").iterdir())) in answer.text
    assert not Club.objects.filter(pk=evening.pk).exists()
    assert not Sheet.objects.exists()


@with_backup
def test_all_are_the_sheets_and_evenings_that_the_page_has_listed(evening: Club, ona: Client) -> None:
    with time_machine.travel(timezone.now() - datetime.timedelta(days=400)):
        alone = scorer().sheet
    assert "All 2" in ona.get(ADDRESS).text
    answer = ona.post(ADDRESS, {"all": "on", "listed_sheet": alone.code, "listed_evening": evening.slug})
    assert "1 sheet is deleted." in answer.text
    assert "1 evening is deleted, with its sheets." in answer.text
    assert not Sheet.objects.exists()


@with_backup
def test_evening_that_was_used_while_the_backup_is_made_stays(
    evening: Club, ona: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def watch(*, seconds: float) -> Path:
        Client().get(f"/watch/{sheet_of(evening).watch}/")
        return Path("b")

    monkeypatch.setattr(backup_first, "make_backup", watch)
    answer = ona.post(ADDRESS, {"evening": evening.slug})
    assert "Used since you looked, so this stays" in answer.text
    assert f'href="/owner/clubs/{evening.slug}/"' in answer.text
    assert Club.objects.filter(pk=evening.pk).exists()


@with_backup
@pytest.mark.parametrize("slug", ["no-such-evening", "\0", "x" * 100_000])
def test_evening_that_there_is_not_deletes_nothing(evening: Club, ona: Client, slug: str) -> None:
    assert ona.post(ADDRESS, {"evening": slug}).status_code in (200, 422)
    assert Club.objects.filter(pk=evening.pk).exists()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["clubs_club", "clubs_night", "scoresheets_sheet"])
def test_what_is_chosen_is_locked_before_it_is_looked_at_again(
    evening: Club, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    with time_machine.travel(timezone.now() - datetime.timedelta(days=400)):
        alone = scorer().sheet
    left: list[int] = []

    def look(chosen: Chosen) -> ClubQuerySet:
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute(f"SELECT id FROM {table} FOR UPDATE SKIP LOCKED")
            left.extend(cursor.fetchall())
        other.close()
        return evenings_of(chosen)

    monkeypatch.setattr(forgotten, "evenings_of", look)
    assert delete_still_forgotten(Chosen([alone.code], [evening.slug])) == (1, 1)
    assert left == []


def test_page_that_lists_only_the_oldest_says_so(sheet: Sheet, ona: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with time_machine.travel(sheet.opened_at):
        scorer()
        scorer()
    assert "oldest of" not in ona.get(ADDRESS).text
    monkeypatch.setattr(views, "MOST_LISTED", 2)
    assert "These are the 2 oldest of 3." in ona.get(ADDRESS).text
    assert len(listed(ona)) == 2


def test_page_asks_as_much_for_many_evenings_as_for_one(
    evening: Club, ona: Client, django_assert_num_queries: Any
) -> None:
    ona.get(ADDRESS)
    for many in (0, 5):
        with time_machine.travel(timezone.now() - datetime.timedelta(days=400)):
            for _ in range(many):
                NightFactory(club=ClubFactory(is_evening=True))
        with django_assert_num_queries(7):
            ona.get(ADDRESS)
