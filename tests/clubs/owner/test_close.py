"""Closing a sheet, a club or an account, and opening it again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from clubs.access.visit import BEGINNING_PAGES
from clubs.models import Club, User
from clubs.owner.closing import CLOSED
from scoresheets.access.scorekeepers import find_link, make_link
from scoresheets.log.answers import Refused
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.clubs.full_club import FullClub
from tests.clubs.visitors import account
from tests.factories import scorer

pytestmark = pytest.mark.django_db
CODE = re.compile(r"\b[B-Z]{4}-[B-Z]{4}\b")


def test_closed_sheet_can_be_read_and_not_written_on(ona: Client) -> None:
    kept = scorer()
    link = make_link(kept.sheet, by=None)
    ona.post(f"/owner/sheets/{kept.sheet.code}/", {"do": "close"})
    assert isinstance(kept.bid(kept.reading.sheet.open.hand.order[0], 1), Refused)
    assert find_link(link) is None
    assert Client().get(f"/sheets/{kept.sheet.code}/").status_code == 200
    page = ona.get(f"/owner/sheets/{kept.sheet.code}/").text
    assert CLOSED in page
    assert "you can enter scores on it" not in page


def test_club_is_told_that_a_sheet_of_its_was_closed_and_opened_again(ona: Client) -> None:
    night = NightFactory()
    sheet = played(night, MemberFactory.create_batch(4, club=night.club), hands=1).sheet
    for do in ("close", "close", "open", "open"):
        ona.post(f"/owner/sheets/{sheet.code}/", {"do": do})
    opened, closed = night.club.audit_entries.filter(says__contains=sheet.title).values_list("says", flat=True)
    assert (" opened the sheet " in opened, " closed the sheet " in closed) == (True, True)


def test_sheet_that_was_opened_again_takes_a_new_scorekeeper(ona: Client) -> None:
    sheet = scorer().sheet
    for do in ("close", "open"):
        ona.post(f"/owner/sheets/{sheet.code}/", {"do": do})
    sheet.refresh_from_db()
    assert sheet.closed == ""
    phone = Client()
    assert phone.get(f"/sheets/{sheet.code}/pad/").status_code == 302
    phone.post(f"/keep/{make_link(sheet, by=None)}/")
    assert phone.get(f"/sheets/{sheet.code}/pad/").status_code == 200


def test_sheet_that_its_club_has_closed_is_not_opened_here(ona: Client) -> None:
    sheet = scorer().sheet
    sheet.closed = "This table was drawn again."
    sheet.save(update_fields=["closed"])
    assert "Open the sheet again" not in ona.get(f"/owner/sheets/{sheet.code}/").text
    ona.post(f"/owner/sheets/{sheet.code}/", {"do": "open"})
    sheet.refresh_from_db()
    assert sheet.closed == "This table was drawn again."


@pytest.fixture
def trumps() -> Club:
    return ClubFactory(slug="trumps", name="The Trumps")


def test_archived_club_is_read_by_its_members_and_nothing_new_begins(ona: Client, trumps: Club) -> None:
    member, _ = account(trumps)
    organiser, _ = account(trumps, "organiser")
    night = NightFactory(club=trumps)
    ona.post("/owner/clubs/trumps/", {"do": "put-away"})
    assert Client().get("/clubs/trumps/").status_code == 403
    for page in ("", "nights/", "standings/", f"nights/{night.pk}/"):
        assert "not start anything new" in member.get(f"/clubs/trumps/{page}").text
    for page in ("nights/new/", f"nights/{night.pk}/draw/", "members/add/", "invitations/", "trophies/new/"):
        for answer in (organiser.get(f"/clubs/trumps/{page}"), organiser.post(f"/clubs/trumps/{page}")):
            assert answer.status_code == 403
            assert "The club is archived" in answer.text


@pytest.mark.thorough
def test_nothing_that_begins_something_opens_in_an_archived_club() -> None:
    house = FullClub()
    routes = {
        pattern.name: f"/{pattern.pattern}"
        for pattern in get_resolver("clubs.urls").url_patterns
        if hasattr(pattern, "name")
    }
    organiser = house.browser("organiser")
    for name in sorted(BEGINNING_PAGES):
        assert organiser.get(house.address(routes[name])).status_code != 403, name
    Club.objects.filter(pk=house.club.pk).update(archived_at=timezone.now())
    for name in sorted(BEGINNING_PAGES):
        for answer in (organiser.get(house.address(routes[name])), organiser.post(house.address(routes[name]))):
            assert (answer.status_code, "The club is archived" in answer.text) in ((403, True), (405, False)), name


@pytest.mark.parametrize("browser", ["owner", "organiser"])
def test_club_is_brought_back(ona: Client, trumps: Club, browser: str) -> None:
    ona.post("/owner/clubs/trumps/", {"do": "put-away"})
    if browser == "owner":
        ona.post("/owner/clubs/trumps/", {"do": "bring-back"})
    else:
        account(trumps, "organiser")[0].post("/clubs/trumps/settings/", {"do": "bring-back"})
    assert Client().get("/clubs/trumps/").status_code == 200
    assert account(trumps, "organiser")[0].get("/clubs/trumps/nights/new/").status_code == 200
    assert {"Archived the club.", "Brought the club back."} <= {*trumps.audit_entries.values_list("says", flat=True)}


def test_account_that_is_closed_is_signed_out_and_gets_no_code(ona: Client, trumps: Club) -> None:
    browser, ann = account(trumps, name="Ann")
    ona.post(f"/owner/accounts/{ann.user.pk}/", {"do": "close"})
    assert browser.get("/account/").status_code == 302
    Client().post("/account/login/code/", {"email": ann.user.email})
    assert [sent for sent in mail.outbox if CODE.search(sent.body)] == []
    assert not User.objects.get(pk=ann.user.pk).is_active
    assert trumps.members.get(name="Ann").user == ann.user
    assert "The owner of the site closed the account of Ann." in trumps.audit_entries.first().says


def test_account_that_was_opened_again_signs_in(ona: Client, trumps: Club) -> None:
    _, ann = account(trumps, name="Ann")
    for do in ("close", "open"):
        ona.post(f"/owner/accounts/{ann.user.pk}/", {"do": do})
    browser = Client()
    browser.force_login(User.objects.get(pk=ann.user.pk))
    assert browser.get("/account/").status_code == 200
    assert trumps.audit_entries.count() == 2


def test_club_whose_only_organiser_was_closed_has_none(ona: Client, trumps: Club) -> None:
    user = MemberFactory(club=trumps, user=UserFactory(), role="organiser").user
    assert "Nobody organises" not in ona.get("/owner/").text
    ona.post(f"/owner/accounts/{user.pk}/", {"do": "close"})
    assert "Nobody organises" in ona.get("/owner/").text


def test_account_that_owns_the_site_is_not_closed(ona: Client) -> None:
    owner = User.objects.get()
    ona.post(f"/owner/accounts/{owner.pk}/", {"do": "close"})
    assert ona.get("/owner/").status_code == 200


@dataclass
class Closing:
    """One of three things that can be closed on its page, by what the button there says."""

    page: str
    do: dict[str, str]
    rows: tuple[Sheet, User, Club]

    @property
    def is_open(self) -> bool:
        """Whether none of the three is closed."""
        for row in self.rows:
            row.refresh_from_db()
        sheet, user, club = self.rows
        return not sheet.closed and user.is_active and club.archived_at is None


@pytest.fixture(params=["sheets", "accounts", "clubs"])
def closing(request: pytest.FixtureRequest, trumps: Club) -> Closing:
    what, sheet, user = request.param, scorer().sheet, account(trumps, name="Ann")[1].user
    address = {"sheets": sheet.code, "accounts": user.pk, "clubs": "trumps"}[what]
    do = {"do": "put-away" if what == "clubs" else "close"}
    return Closing(f"/owner/{what}/{address}/", do, (sheet, user, trumps))


def test_a_backup_comes_first(ona: Client, var: Path, closing: Closing) -> None:
    page = ona.get(closing.page).text
    assert "A backup is made first." in page
    assert "backed_up" not in page
    assert ona.post(closing.page, closing.do).status_code == 303
    assert not closing.is_open
    assert len(list((var / "backups").iterdir())) == 1


@pytest.mark.sqlite
def test_without_a_backup_nothing_is_closed(ona: Client, no_backup: None, closing: Closing) -> None:
    for more in ({}, {"backed_up": "on"}):
        answer = ona.post(closing.page, closing.do | more)
        assert answer.status_code == 409
        assert "The disk is full." in answer.text
        assert closing.is_open


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite always makes its backup itself")
def test_where_a_backup_fails_a_tick_says_that_there_is_another(ona: Client, no_backup: None, closing: Closing) -> None:
    answer = ona.post(closing.page, closing.do)
    assert answer.status_code == 409
    assert "The disk is full." in answer.text
    assert "I have made a backup." in answer.text
    assert closing.is_open
    assert ona.post(closing.page, closing.do | {"backed_up": "on"}).status_code == 303
    assert not closing.is_open


def test_where_the_site_makes_no_backups_a_tick_says_that_there_is_one(
    ona: Client, no_programs: None, closing: Closing
) -> None:
    page = ona.get(closing.page).text
    assert "I have made a backup." in page
    assert "A backup is made first." not in page
    answer = ona.post(closing.page, closing.do)
    assert answer.status_code == 422
    assert "Make a backup and tick the box." in answer.text
    assert re.search(r"<details\s+open>", answer.text)
    assert closing.is_open
    assert ona.post(closing.page, closing.do | {"backed_up": "on"}).status_code == 303
    assert not closing.is_open


def test_organiser_who_archives_their_club_is_asked_for_no_backup(no_programs: None, trumps: Club) -> None:
    organiser, _ = account(trumps, "organiser")
    page = organiser.get("/clubs/trumps/settings/").text
    assert "Archive the club" in page
    assert "backed_up" not in page


def test_buttons_say_nothing_that_the_page_does_not_know(ona: Client, trumps: Club) -> None:
    sheet, user = scorer().sheet, UserFactory()
    for address in (f"/owner/sheets/{sheet.code}/", f"/owner/accounts/{user.pk}/", "/owner/clubs/trumps/"):
        assert ona.post(address, {"do": "something"}).status_code < 400
    sheet.refresh_from_db()
    assert (sheet.closed, User.objects.get(pk=user.pk).is_active) == ("", True)
