"""Deleting a club, a sheet or an account: after a tick and a backup, and nothing else goes with it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from clubs.erasure.club import NEEDED_BY_PLAY_OFF
from clubs.evening.adopt import take_out
from clubs.models import Award, Club, ClubExport, Member, Night, Placing, Table, User
from clubs.owner import deletion
from clubs.play_off_rounds.call_off import bring_back, call_off
from scoresheets.models import Player, Seat, Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.clubs.full_club import FullClub
from tests.clubs.play_offs.evening import play_off
from tests.factories import scorer

pytestmark = [pytest.mark.django_db]
#: The backup of a test is another connection's, which sees nothing of its transaction: whether it is there is enough.
with_backup = pytest.mark.sqlite
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite always makes its backup itself")


def confirm(browser: Client, address: str, **more: str) -> tuple[int, str]:
    """What the page answers to the tick and the button."""
    saw = browser.get(address).context["deletion"].mark
    answer = browser.post(address, {"saw": saw, "sure": "on"} | more)
    return answer.status_code, answer.text


def rows() -> dict[str, int]:
    """How many rows there are of every model of ours."""
    models = [*apps.get_app_config("clubs").get_models(), *apps.get_app_config("scoresheets").get_models()]
    return {model.__name__: model._base_manager.count() for model in models if not model._meta.proxy}


@pytest.mark.thorough
@with_backup
def test_club_goes_with_everything_that_hangs_on_it_and_nothing_else_does(ona: Client, var: Path) -> None:
    other = ClubFactory()
    played(NightFactory(club=other), MemberFactory.create_batch(4, club=other))
    scorer()
    before = rows()
    house = FullClub()
    ClubExport.objects.create(club=house.club, key="k")
    brought, link = house.brought.sheet, house.club.slug
    status, page = confirm(ona, f"/owner/clubs/{link}/delete/")
    assert status == 200
    backup = next((var / "backups").iterdir())
    assert str(backup) in page
    assert Sheet.objects.filter(pk=brought.pk).exists()
    assert not Club.objects.filter(slug=link).exists()
    seats = brought.seats.values_list("player", flat=True)
    Sheet.objects.filter(pk=brought.pk).delete()
    Player.objects.filter(pk__in=list(seats)).delete()
    after = rows()
    # The accounts stay, with what they have handed in elsewhere, and the other club of a visitor of the full club.
    stays = {"User", "BrowserSession", "Upload", "CacheRow", "GlossaryTerm", "Club", "Member", "Player"}
    assert {
        name: (before[name], after[name]) for name in after if before[name] != after[name] and name not in stays
    } == {}
    assert not Member.objects.filter(club__slug=link).exists()


@with_backup
def test_page_says_what_goes_and_what_stays(ona: Client) -> None:
    club = ClubFactory(slug="trumps")
    night, people = NightFactory(club=club), MemberFactory.create_batch(4, club=club)
    MemberFactory(club=club, user=UserFactory(), role="organiser")
    played(night, people, hands=1)
    Table.objects.filter(pk=played(night, people, hands=1).pk).update(source=Table.Source.BROUGHT)
    said = ona.get("/owner/clubs/trumps/delete/").context["deletion"]
    assert said.goes[0].startswith("5 people,")
    assert said.goes[1:] == ["1 night.", "1 sheet, with every hand on them."]
    assert [line.split(":")[0] for line in said.stays] == [
        "1 account", "1 sheet that began elsewhere, from now on without a club.",
    ]  # fmt: skip


@with_backup
def test_sheet_goes_with_the_players_who_sat_nowhere_else(ona: Client, var: Path) -> None:
    other = scorer().sheet
    sheet = scorer().sheet
    shared = other.seats.first()
    Seat.objects.filter(pk=sheet.seats.first().pk).update(player=shared.player)
    gone = [seat.player_id for seat in sheet.seats.all()][1:]
    assert confirm(ona, f"/owner/sheets/{sheet.code}/delete/")[0] == 200
    assert [*Sheet.objects.all()] == [other]
    assert Player.objects.filter(pk=shared.player_id).exists()
    assert not Player.objects.filter(pk__in=gone).exists()
    assert (var / "backups").exists()


@with_backup
def test_sheet_of_a_club_goes_and_its_club_is_told(ona: Client, var: Path) -> None:
    night = NightFactory(club=ClubFactory(name="The Trumps", slug="trumps"))
    TrophyFactory(club=night.club)
    table = played(night, MemberFactory.create_batch(4, club=night.club))
    Award.objects.update(confirmed_at=timezone.now())
    page = f"/owner/sheets/{table.sheet.code}/"
    assert f'href="{page}delete/"' in ona.get(page).text
    asked = ona.get(f"{page}delete/").context["deletion"]
    assert asked.goes[1:] == ["What it counts for in The Trumps: all results are counted again without it."]
    assert [line.partition(",")[0] for line in asked.stays] == [f"The night of {night.on:%-d %B %Y}", "The Cup"]
    status, answer = confirm(ona, f"{page}delete/")
    assert (status, str(next((var / "backups").iterdir())) in answer) == (200, True)
    assert 'href="/owner/clubs/trumps/">Back to the club' in answer
    assert not Sheet.objects.exists()
    assert not Placing.objects.exists()
    assert f"The owner of the site deleted the sheet “{asked.name}”." in log_of(night.club)
    assert ona.get(page).status_code == 404


def log_of(club: Club) -> list[str]:
    return list(club.audit_entries.values_list("says", flat=True))


def test_sheet_that_a_play_off_needs_is_not_deleted_and_its_page_says_what_to_do_first(ona: Client) -> None:
    evening = play_off((4, 4), places=2)
    sheet = evening.groups[0].sheet
    page, way = f"/owner/sheets/{sheet.code}/", evening.url("call_off")
    for answer in (ona.get(f"{page}delete/"), ona.post(f"{page}delete/", {"sure": "on"})):
        assert (answer.status_code, answer.headers["Location"]) == (302, page)
    assert f'<a href="{way}">call the play-off off</a> before you delete it.' in ona.get(page).text
    assert ona.get(way).status_code == 200
    Night.objects.update(archived_at=timezone.now())
    assert f'<a href="/clubs/{evening.club.slug}/nights/">bring the night back</a>' in ona.get(page).text


@with_backup
def test_sheet_that_a_play_off_needs_again_by_now_is_not_deleted(ona: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = play_off((4, 4), places=2)
    address = f"/owner/sheets/{evening.groups[0].sheet.code}/delete/"
    call_off(evening.play_off, by=None)
    backup = deletion.backup_first

    def meanwhile(*, has_own: bool) -> Path | None:
        bring_back(evening.play_off, by=None)
        return backup(has_own=has_own)

    monkeypatch.setattr(deletion, "backup_first", meanwhile)
    assert "The way back to the play-off" in ona.get(address).text
    status, page = confirm(ona, address)
    assert (status, NEEDED_BY_PLAY_OFF in page) == (409, True)
    assert Sheet.objects.count() == 2


@with_backup
def test_club_from_which_a_sheet_was_taken_out_keeps_the_trophy_that_was_won_there(ona: Client) -> None:
    night = NightFactory()
    people = MemberFactory.create_batch(4, club=night.club)
    table = played(night, people)
    award = Award.objects.create(
        trophy=TrophyFactory(club=night.club), member=people[0], on=night.on, table=table, confirmed_at=timezone.now()
    )
    take_out(table, by=None)
    assert confirm(ona, f"/owner/sheets/{table.sheet.code}/delete/")[0] == 200
    award.refresh_from_db()
    assert award.table.sheet is None
    assert ona.get(f"/clubs/{night.club.slug}/nights/{night.pk}/").status_code == 200


@with_backup
def test_account_goes_and_its_members_keep_their_results(ona: Client) -> None:
    user = UserFactory()
    member = MemberFactory(user=user, role="organiser", name="Ann")
    browser = Client()
    browser.force_login(user)
    said = ona.get(f"/owner/accounts/{user.pk}/delete/").context["deletion"]
    assert any("without an organiser" in line for line in said.stays)
    assert confirm(ona, f"/owner/accounts/{user.pk}/delete/")[0] == 200
    member.refresh_from_db()
    assert (member.user, member.name) == (None, "Ann")
    assert browser.get("/account/").status_code == 302


def test_account_that_owns_the_site_is_not_deleted(ona: Client) -> None:
    owner = User.objects.get()
    assert ona.get(f"/owner/accounts/{owner.pk}/delete/").status_code == 404
    assert "--revoke" in ona.get(f"/owner/accounts/{owner.pk}/").text


@pytest.fixture
def sheet() -> Sheet:
    return scorer().sheet


@pytest.fixture
def address(sheet: Sheet) -> str:
    return f"/owner/sheets/{sheet.code}/delete/"


@with_backup
def test_nothing_goes_without_the_tick(ona: Client, address: str) -> None:
    status, page = confirm(ona, address, sure="")
    assert status == 422
    assert "Tick the box" in page
    assert Sheet.objects.exists()


@with_backup
def test_nothing_goes_when_it_has_changed_since_the_page_was_shown(ona: Client, address: str, sheet: Sheet) -> None:
    saw = ona.get(address).context["deletion"].mark
    Sheet.objects.filter(pk=sheet.pk).update(version=99)
    assert ona.post(address, {"saw": saw, "sure": "on"}).status_code == 409
    assert Sheet.objects.exists()


@with_backup
def test_nothing_goes_without_a_backup(ona: Client, address: str, no_backup: None) -> None:
    for more in ({}, {"backed_up": "on"}):
        status, page = confirm(ona, address, **more)
        assert status == 409
        assert "The disk is full." in page
        assert "backed_up" not in page
        assert Sheet.objects.exists()


@on_postgresql
def test_where_a_backup_fails_a_second_tick_says_that_there_is_another(
    ona: Client, address: str, no_backup: None
) -> None:
    assert "backed_up" not in ona.get(address).text
    status, page = confirm(ona, address)
    assert (status, "The disk is full." in page, "I have made a backup." in page) == (409, True, True)
    assert Sheet.objects.exists()
    status, page = confirm(ona, address, backed_up="on")
    assert (status, "make restore" in page) == (200, False)
    assert not Sheet.objects.exists()


def test_where_the_site_makes_no_backups_a_second_tick_says_that_there_is_one(
    ona: Client, address: str, no_programs: None
) -> None:
    assert "pg_dump" in ona.get(address).text
    status, page = confirm(ona, address)
    assert (status, "Make a backup and tick the box." in page) == (422, True)
    assert Sheet.objects.exists()
    assert confirm(ona, address, backed_up="on")[0] == 200
    assert not Sheet.objects.exists()


@on_postgresql
def test_backup_of_postgresql_comes_first_and_the_page_says_where_it_is(ona: Client, var: Path, address: str) -> None:
    status, page = confirm(ona, address)
    (backup,) = (var / "backups").glob("*.dump")
    assert (status, f"make restore FILE={backup}" in page) == (200, True)
    assert not Sheet.objects.exists()


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_backup_has_what_was_deleted(ona: Client, var: Path, address: str, sheet: Sheet) -> None:
    confirm(ona, address)
    backup = next((var / "backups").iterdir())
    with closing(sqlite3.connect(backup)) as opened:
        assert opened.execute("SELECT code FROM scoresheets_sheet").fetchall() == [(sheet.code,)]


@pytest.mark.parametrize("what", ["clubs/{club}", "sheets/{sheet}", "accounts/{account}"])
def test_nobody_else_deletes_anything(what: str, sheet: Sheet) -> None:
    organiser = MemberFactory(user=UserFactory(), role="organiser")
    address = f"/owner/{what.format(club=organiser.club.slug, sheet=sheet.code, account=organiser.user.pk)}/delete/"
    client = Client()
    assert client.post(address, {"sure": "on"}).status_code == 403
    client.force_login(organiser.user)
    assert client.post(address, {"sure": "on"}).status_code == 404
    assert (Club.objects.count(), Sheet.objects.count(), User.objects.count()) == (1, 1, 1)
