"""An organiser saves the club as a file, brings a newer one, and the old book of results."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from clubs.archive import background
from clubs.archive.export import document_of
from clubs.members.people import new_member
from clubs.models import Club, Member, Placing, Upload
from clubs.projections import worker
from tests.club_factories import ClubFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.counted import not_counted

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "Wilhelmina Wwwwwwwwwwwwwwwwwwwwwwwwwwwww"
RESULTS = "Day,Game,Name,Score\n" + "".join(
    f"2019-03-14,Dirty Dog,{name},{score}\n" for name, score in (("Ann", 41), ("Bo", -7), ("Cy", 12), (LONG, 3))
)


@pytest.fixture
def club() -> Club:
    club = ClubFactory(name="Thursday", slug="thursday")
    people = [new_member(club, name) for name in ("Ann", "Bo", "Cy", "Di")]
    Member.objects.filter(pk=people[0].pk).update(user=UserFactory(), role="organiser")
    played(NightFactory(club=club), people)
    TrophyFactory(club=club)
    return club


def fits(page: Page) -> None:
    """Nothing sticks out sideways."""
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]


@pytest.mark.journey
@pytest.mark.allow_statuses(422)
def test_organiser_saves_the_club_and_takes_files_in(
    phone: Page, club: Club, live_server: Any, client: Any, axe: Callable[[Page], None], tmp_path: Path
) -> None:
    client.force_login(club.members.get(name="Ann").user)
    cookie = client.cookies["sessionid"].value
    phone.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    phone.goto(live_server.url + reverse("export_club", args=[club.slug]))
    axe(phone)
    phone.get_by_role("button", name="Make the file").click()
    expect(phone.get_by_text("The file is being made")).to_be_visible()
    export = background.claim_next()
    assert export
    background.make(export.key)
    with phone.expect_download() as saved:
        phone.get_by_role("link", name="Save the file").click()
    assert saved.value.suggested_filename.startswith("thursday-")
    # The same file changes nothing.
    file = tmp_path / "thursday.club.gz"
    saved.value.save_as(file)
    with phone.expect_navigation():
        phone.get_by_role("link", name="Import a file").click()
    axe(phone)
    phone.get_by_label("The club file").set_input_files(file)
    phone.get_by_role("button", name="See what changes").click()
    expect(phone.get_by_text("Nothing changes: everything in the file is here already.")).to_be_visible()
    phone.get_by_role("button", name="Discard file").click()
    # What is no club file is told.
    (tmp_path / "letter.txt").write_text("Dear club")
    phone.get_by_label("The club file").set_input_files(tmp_path / "letter.txt")
    phone.get_by_role("button", name="See what changes").click()
    expect(phone.get_by_role("alert").get_by_text("cannot be read")).to_be_visible()
    axe(phone)
    # A newer state.
    document = document_of(club)
    document["members"][1]["nickname"] = LONG
    document["nights"].append({"uid": "N" * 22, "on": "2026-11-28", "created": "2026-11-21T10:00:00.000000Z"})
    (tmp_path / "newer.json").write_text(json.dumps(document))
    phone.get_by_label("The club file").set_input_files(tmp_path / "newer.json")
    phone.get_by_role("button", name="See what changes").click()
    phone.get_by_text("use what is in the file").click()
    phone.get_by_role("button", name="Show what changes").click()
    phone.get_by_text("1 night").click()
    expect(phone.get_by_text("28 November 2026")).to_be_visible()
    expect(phone.get_by_text(f"nickname nothing → “{LONG}”")).to_be_visible()
    fits(phone)
    axe(phone)
    phone.get_by_role("button", name="Import").click()
    expect(phone.get_by_role("heading", name="Imported")).to_be_visible()
    assert club.nights.count() == 2


def test_organiser_brings_the_old_book(
    phone: Page, club: Club, live_server: Any, client: Any, axe: Callable[[Page], None], tmp_path: Path
) -> None:
    client.force_login(club.members.get(name="Ann").user)
    cookie = client.cookies["sessionid"].value
    phone.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    phone.goto(live_server.url + reverse("import_past", args=[club.slug]))
    axe(phone)
    (tmp_path / "old.csv").write_text(RESULTS)
    phone.get_by_label("The spreadsheet").set_input_files(tmp_path / "old.csv")
    phone.get_by_role("button", name="Check the lines").click()
    expect(phone.get_by_text("Dirty Dog, 14 March 2019")).to_be_visible()
    expect(phone.get_by_text("−7")).to_be_visible()
    fits(phone)
    axe(phone)
    phone.get_by_label(LONG).select_option("Di")
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_role("heading", name="Saved")).to_be_visible()
    assert Placing.objects.get(score=3).member.name == "Di"


def test_organiser_sees_how_far_the_old_book_is_written(
    phone: Page, club: Club, live_server: Any, client: Any, axe: Callable[[Page], None], tmp_path: Path
) -> None:
    client.force_login(club.members.get(name="Ann").user)
    cookie = client.cookies["sessionid"].value
    phone.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    phone.goto(live_server.url + reverse("import_past", args=[club.slug]))
    lines = (f"2019-03-{day},Dirty Dog,{name},1\n" for day in range(11, 16) for name in ("Ann", "Bo", "Cy", "Di"))
    (tmp_path / "old.csv").write_text("Day,Game,Name,Score\n" + "".join(lines))
    phone.get_by_label("The spreadsheet").set_input_files(tmp_path / "old.csv")
    phone.get_by_role("button", name="Check the lines").click()
    with not_counted():
        phone.get_by_role("button", name="Save").click()
        expect(phone.get_by_text("0 of 5 games saved")).to_be_visible()
        fits(phone)
        axe(phone)
        Upload.objects.update(done=2)
        expect(phone.get_by_text("2 of 5 games saved")).to_be_visible()
        expect(phone.get_by_role("progressbar", name="Saved")).to_have_js_property("value", 2)
    worker.catch_up()
    expect(phone.get_by_role("heading", name="Saved")).to_be_visible()
    assert Placing.objects.filter(table__source="past").count() == 12
