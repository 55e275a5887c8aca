"""The owner of the site on a phone: from the one-time link to a backup, forgotten sheets, and a club that is closed."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from clubs.models import Club
from scoresheets.models import Revision, Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.factories import scorer

LINK = re.compile(r"/owner/sign-in/\S+/")
LONG_AGO = datetime.timedelta(days=400)


@pytest.fixture
def link(transactional_db: None, settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What `manage.py owner` prints, on a site whose backups are its own."""
    settings.VAR = tmp_path
    call_command("owner", "ona@example.org")
    found = LINK.search(capsys.readouterr().out)
    assert found
    return found[0]


@pytest.fixture
def forgotten(link: str) -> list[Sheet]:
    """Three sheets that nobody has opened for more than a year, and one that is new."""
    scorer()
    sheets = [scorer(players).sheet for players in (4, 5, 10)]
    old = [sheet.pk for sheet in sheets]
    Sheet.objects.filter(pk__in=old).update(opened_at=timezone.now() - LONG_AGO, begun=True)
    Revision.objects.filter(sheet__in=old).update(at=timezone.now() - LONG_AGO)
    return sheets


def tap(page: Page, role: str, name: str) -> None:
    page.get_by_role(role, name=name).first.tap()


@pytest.mark.journey
@pytest.mark.sqlite
def test_owner_signs_in_deletes_what_is_forgotten_and_closes_a_club(
    phone: Page, link: str, forgotten: list[Sheet], axe_day_and_night: Callable[[Page], None]
) -> None:
    club = ClubFactory(name="The Trumps", slug="trumps")
    MemberFactory(club=club, user=UserFactory(), role="organiser")

    def looked(heading: str) -> None:
        """Look the page over, once it shows this heading."""
        expect(phone.get_by_role("heading", name=heading, level=1)).to_be_visible()
        axe_day_and_night(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390

    phone.goto(link)
    looked("Sign in")
    tap(phone, "button", "Sign in")
    looked("The site")
    tap(phone, "link", "Sheets without a club")
    looked("Sheets without a club")
    tap(phone, "link", "Choose what to delete")
    looked("Not opened for a year")
    # One is opened on another phone meanwhile.
    Sheet.objects.filter(pk=forgotten[2].pk).update(last_opened=timezone.localdate())
    phone.locator(f"[value='{forgotten[0].code}'][type=checkbox]").check()
    phone.locator(f"[value='{forgotten[2].code}'][type=checkbox]").check()
    tap(phone, "button", "Delete")
    looked("Deleted")
    expect(phone.get_by_text("1 sheet is deleted.")).to_be_visible()
    expect(phone.get_by_text("Used since you looked")).to_be_visible()
    assert not Sheet.objects.filter(pk=forgotten[0].pk).exists()
    tap(phone, "link", "Back to the list")
    looked("Sheets without a club")
    tap(phone, "link", "Choose what to delete")
    phone.get_by_role("checkbox").first.check()
    tap(phone, "button", "Delete")
    expect(phone.get_by_text("1 sheet is deleted.")).to_be_visible()
    assert Sheet.objects.count() == 2
    phone.goto("/owner/clubs/")
    looked("Clubs")
    tap(phone, "link", "The Trumps")
    looked("The Trumps")
    phone.get_by_text("Archive the club", exact=True).first.tap()
    tap(phone, "button", "Archive")
    expect(phone.get_by_text("The club was archived on")).to_be_visible()
    looked("The Trumps")
    assert Club.objects.get(pk=club.pk).archived_at
    tap(phone, "button", "Bring the club back")
    expect(phone.get_by_text("The club was archived on")).to_have_count(0)
    assert not Club.objects.get(pk=club.pk).archived_at


@pytest.mark.sqlite
def test_owner_finds_a_sheet_of_a_club_and_deletes_it_from_its_watch_page(
    phone: Page, link: str, axe_day_and_night: Callable[[Page], None]
) -> None:
    night = NightFactory(club=ClubFactory(name="The Trumps", slug="trumps"))
    sheet = played(night, MemberFactory.create_batch(4, club=night.club), hands=1).sheet
    Sheet.objects.filter(pk=sheet.pk).update(title="The great final", home=night.get_absolute_url())

    def looked(heading: str) -> None:
        expect(phone.get_by_role("heading", name=heading, level=1)).to_be_visible()
        axe_day_and_night(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390

    phone.goto(link)
    tap(phone, "button", "Sign in")
    tap(phone, "link", "Sheets without a club")
    looked("Sheets without a club")
    phone.get_by_role("searchbox").fill("great")
    tap(phone, "button", "Search")
    looked("Sheets")
    expect(phone.get_by_text("The Trumps")).to_be_visible()
    for page in (f"/sheets/{sheet.code}/", f"/watch/{sheet.watch}/"):
        phone.goto(page)
        axe_day_and_night(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        tap(phone, "link", "Close or delete")
        looked("The great final")
    tap(phone, "link", "Delete the sheet")
    looked("Delete The great final")
    phone.get_by_role("checkbox", name="Yes, delete The great final.").check()
    tap(phone, "button", "Delete")
    looked("Deleted")
    assert not Sheet.objects.exists()
    tap(phone, "link", "Back to the club")
    looked("The Trumps")
