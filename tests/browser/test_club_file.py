"""The club's file in a browser: it is asked for, its progress is seen without a reload, and then it is saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from clubs.archive import background
from clubs.archive.export import packed
from clubs.models import Club, Table
from tests.browser.test_organisers_night import fits, sign_in
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played


@pytest.fixture
def club(transactional_db: None, settings: Any, tmp_path: Path) -> Club:
    settings.VAR = tmp_path
    club = ClubFactory(slug="trumps", name="The Trumps")
    played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    return club


@pytest.mark.journey
def test_file_shows_how_far_it_is_and_is_saved(
    phone: Page, club: Club, axe_day_and_night: Callable[[Page], None]
) -> None:
    sign_in(phone, club)
    phone.goto("/clubs/trumps/export/")
    axe_day_and_night(phone)
    phone.get_by_role("button", name="Make the file").tap()
    expect(phone.get_by_text("The file is being made")).to_be_visible()
    export = background.claim_next()
    assert export
    background.mark(export, done=2, total=9)
    expect(phone.get_by_text("2 of 9 sheets")).to_be_visible()
    expect(phone.get_by_role("progressbar", name="Sheets in the file")).to_have_js_property("value", 2)
    axe_day_and_night(phone)
    assert fits(phone)
    background.make(export.key)
    link = phone.get_by_role("link", name="Save the file")
    expect(link).to_be_visible()
    axe_day_and_night(phone)
    with phone.expect_download() as download:
        link.tap()
    assert Path(download.value.path()).read_bytes() == packed(club)
    assert download.value.suggested_filename.startswith("trumps-")
    phone.get_by_role("button", name="Make a new one").tap()
    expect(phone.get_by_text("The file is being made")).to_be_visible()


def test_file_is_had_without_a_script_too(plain_phone: Page, club: Club) -> None:
    sign_in(plain_phone, club)
    plain_phone.goto("/clubs/trumps/export/")
    plain_phone.get_by_role("button", name="Make the file").tap()
    expect(plain_phone.get_by_text("The file is being made")).to_be_visible()
    export = background.claim_next()
    assert export
    background.fail(export, background.NO_ROOM)
    plain_phone.reload()
    expect(plain_phone.get_by_text(background.NO_ROOM)).to_be_visible()
    plain_phone.get_by_role("button", name="Try again").tap()
    expect(plain_phone.get_by_text("The file is being made")).to_be_visible()


def test_conflicts_of_a_file_are_read_before_anything_changes(
    phone: Page, club: Club, tmp_path: Path, axe_day_and_night: Callable[[Page], None]
) -> None:
    night = club.nights.get()
    there = Table.objects.create(night=night, number=2, game="dirty-dog")
    file = tmp_path / "club.gz"
    file.write_bytes(packed(club))
    there.delete()
    Table.objects.create(night=night, number=2, game="dingo")
    sign_in(phone, club)
    phone.goto("/clubs/trumps/import/")
    phone.locator("input[type=file]").set_input_files(file)
    phone.get_by_role("button", name="See what changes").tap()
    expect(phone.get_by_text("another table of that night has this number here.")).to_be_visible()
    expect(phone.get_by_role("button", name="Import")).to_have_count(0)
    assert fits(phone)
    axe_day_and_night(phone)
