"""The owner's lists of clubs, sheets without a club, and accounts."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from clubs.evening.adopt import take_out
from clubs.owner import health
from scoresheets.access.scorekeepers import make_link
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.factories import scorer

pytestmark = pytest.mark.django_db
PAGES = ("/owner/", "/owner/clubs/", "/owner/sheets/", "/owner/accounts/")


@pytest.mark.parametrize(
    "where", [*PAGES, "/owner/clubs/trumps/", "/owner/sheets/{code}/", "/owner/accounts/{account}/"]
)
def test_nobody_else_sees_them(where: str) -> None:
    ClubFactory(slug="trumps")
    client, organiser = Client(), MemberFactory(user=UserFactory(), role="organiser").user
    address = where.format(code=scorer().sheet.code, account=organiser.pk)
    assert client.get(address).headers["Location"].startswith("/account/login/code/")
    client.force_login(organiser)
    assert client.get(address).status_code == 404


def test_clubs_have_their_people_nights_sheets_and_size(ona: Client) -> None:
    club = ClubFactory(name="The Trumps", slug="trumps")
    night, people = NightFactory(club=club), MemberFactory.create_batch(4, club=club)
    MemberFactory(club=club, left_at=timezone.now())
    tables = [played(night, people), played(night, people, hands=1)]
    row = ona.get("/owner/clubs/").context["table"].rows[0].record
    assert (row.people, row.nights_held, row.sheets) == (4, 1, 2)
    assert row.writes == sum(table.sheet.version for table in tables)
    page = ona.get("/owner/clubs/trumps/").text
    assert f"2, written on {row.writes} times" in page


def test_evenings_without_a_club_have_a_list_of_their_own(ona: Client) -> None:
    ClubFactory(name="The Trumps")
    ClubFactory(name="Friday", is_evening=True)
    clubs, evenings = ona.get("/owner/clubs/").text, ona.get("/owner/clubs/?which=evenings").text
    assert "The Trumps" in clubs
    assert "Friday" not in clubs
    assert "Friday" in evenings
    assert "The Trumps" not in evenings


def test_lists_can_be_sorted(ona: Client) -> None:
    small, large = ClubFactory(), ClubFactory()
    MemberFactory.create_batch(2, club=large)
    MemberFactory(club=small)

    def in_order(sort: str) -> list[object]:
        return [row.record for row in ona.get(f"/owner/clubs/?sort={sort}").context["table"].rows]

    assert in_order("people") == [small, large]
    assert in_order("-people") == [large, small]


@pytest.mark.parametrize(
    ("organiser", "sentence"),
    [
        ({}, True),
        ({"user": None}, True),
        ({"is_active": False}, True),
        ({"left_at": timezone.now()}, True),
        ({"role": "member"}, True),
        ({"role": "organiser"}, False),
    ],
)
def test_club_that_nobody_organises_who_can_sign_in_is_a_thing_to_do(
    ona: Client, organiser: dict[str, Any], sentence: bool
) -> None:
    club = ClubFactory(name="The Trumps")
    if organiser:
        user = UserFactory(is_active=organiser.pop("is_active", True))
        MemberFactory(club=club, **{"user": user, "role": "organiser"} | organiser)
    assert ("Nobody organises" in ona.get("/owner/").text) is sentence
    assert ("no organiser" in ona.get("/owner/clubs/").text) is sentence


def test_owner_makes_a_code_for_an_organiser_which_works(ona: Client) -> None:
    club = ClubFactory(slug="trumps")
    page = ona.post("/owner/clubs/trumps/", {"do": "organiser-code"})
    user, client = UserFactory(), Client()
    client.force_login(user)
    client.post("/clubs/found/organiser/", {"code": page.context["code"], "do": "become", "called": "Ann"})
    assert club.members.get(user=user).role == "organiser"
    assert "It is shown only now" not in ona.get("/owner/clubs/trumps/").text


def test_owner_makes_a_code_that_starts_a_club(ona: Client) -> None:
    code = ona.post("/owner/founding-code/").context["code"]
    client = Client()
    client.force_login(UserFactory())
    club = {"code": code, "name": "The Trumps", "called": "Ann", "time_zone": "Europe/London", "main_game": ""}
    assert client.post("/clubs/found/", club).headers["Location"] == "/clubs/the-trumps/organise/"


def test_only_sheets_without_a_club_are_listed_as_such(ona: Client) -> None:
    night = NightFactory()
    table = played(night, MemberFactory.create_batch(4, club=night.club))
    alone = scorer().sheet

    def listed() -> set[object]:
        return {row.record for row in ona.get("/owner/sheets/").context["table"].rows}

    assert listed() == {alone}
    take_out(table, by=None)
    assert listed() == {alone, table.sheet}


def found(browser: Client, text: str) -> set[object]:
    """The sheets that the search finds."""
    return {row.record for row in browser.get("/owner/sheets/", {"text": text}).context["table"].rows}


def test_any_sheet_is_found_by_its_links_and_its_code(ona: Client) -> None:
    night = NightFactory()
    of_a_club = played(night, MemberFactory.create_batch(4, club=night.club), hands=1).sheet
    alone = scorer().sheet
    for sheet in (of_a_club, alone):
        keep = f"https://cards.example.org/keep/{make_link(sheet, by=None)}/"
        history = f" http://cards.example.org:8000/sheets/{sheet.code}/history/?page=2 "
        for text in (sheet.code, f"/watch/{sheet.watch}", keep, history):
            assert found(ona, text) == {sheet}, text
    assert found(ona, "x" * 22) == set()
    assert "No sheet has such a link" in ona.get("/owner/sheets/", {"text": "x" * 22}).text


def test_any_sheet_is_found_by_its_title_its_game_and_the_names_on_it(ona: Client) -> None:
    club = ClubFactory(name="The Trumps")
    people = [MemberFactory(club=club, name=name) for name in ("Zebediah", "Bo", "Cy", "Di")]
    of_a_club, alone = played(NightFactory(club=club), people, hands=1).sheet, scorer().sheet
    Sheet.objects.filter(pk=of_a_club.pk).update(title="The great final")
    assert found(ona, "GREAT") == found(ona, "zebed") == {of_a_club}
    assert found(ona, "dirty d") == {alone}
    page = ona.get("/owner/sheets/", {"text": "Zebediah"})
    assert "The Trumps" in page.text
    assert page.headers["Referrer-Policy"] == "strict-origin"
    assert "The Trumps" not in ona.get("/owner/sheets/").text


def test_name_that_is_hidden_on_a_sheet_finds_nothing(ona: Client) -> None:
    hidden, shown = scorer().sheet, scorer().sheet
    for sheet in (hidden, shown):
        sheet.seats.filter(number=1).update(name="Zebediah")
    sheet_aliases = {str(hidden.seats.get(number=1).player_id): "Somebody"}
    Sheet.objects.filter(pk=hidden.pk).update(aliases=sheet_aliases, aliases_version=1)
    assert found(ona, "Zebediah") == {shown}


def test_sheet_that_was_taken_out_of_its_night_is_found_without_a_club(ona: Client) -> None:
    club = ClubFactory(name="The Trumps")
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    take_out(table, by=None)
    page = ona.get("/owner/sheets/", {"text": table.sheet.code})
    assert [row.record for row in page.context["table"].rows] == [table.sheet]
    assert "The Trumps" not in page.text


def test_search_costs_one_query_more(ona: Client, django_assert_num_queries: Any) -> None:
    for _ in range(3):
        scorer()
    with django_assert_num_queries(6):
        ona.get("/owner/sheets/", {"text": "a"})


def test_clubs_and_evenings_are_found_by_their_names(ona: Client) -> None:
    ClubFactory(name="The Trumps")
    ClubFactory(name="The Aces")
    ClubFactory(name="Evening of trumps", is_evening=True)

    def listed(**query: str) -> list[str]:
        return [row.record.name for row in ona.get("/owner/clubs/", query).context["table"].rows]

    assert listed(text="TRUMP") == ["The Trumps"]
    assert listed(text="trump", which="evenings") == ["Evening of trumps"]
    assert "No club has such a name." in ona.get("/owner/clubs/", {"text": "nobody"}).text
    assert "No evening has such a name." in ona.get("/owner/clubs/", {"text": "nobody", "which": "evenings"}).text


def test_list_calls_a_club_that_was_archived_as_its_page_does(ona: Client) -> None:
    ClubFactory(slug="trumps", archived_at=timezone.now())
    page = ona.get("/owner/clubs/").text
    assert '<small class="about">archived</small>' in page
    assert "The club was archived on" in ona.get("/owner/clubs/trumps/").text


def test_page_of_a_sheet_leads_to_the_club_to_which_it_belongs(ona: Client) -> None:
    club = ClubFactory(slug="trumps")
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    assert 'href="/owner/clubs/trumps/"' in ona.get(f"/owner/sheets/{table.sheet.code}/").text
    assert "/owner/clubs/" not in ona.get(f"/owner/sheets/{scorer().sheet.code}/").text


def test_name_that_is_hidden_on_a_sheet_is_hidden_here(ona: Client) -> None:
    sheet = scorer().sheet
    seat = sheet.seats.first()
    sheet.aliases = {str(seat.player_id): "Somebody"}
    sheet.save(update_fields=["aliases"])
    for page in ("/owner/sheets/", f"/owner/sheets/{sheet.code}/"):
        assert "Somebody" in ona.get(page).text
        assert f"<bdi>{seat.name}</bdi>" not in ona.get(page).text


def test_owner_may_write_on_every_sheet(ona: Client) -> None:
    assert ona.get(f"/sheets/{scorer().sheet.code}/pad/").status_code == 200


def test_accounts_are_listed_with_their_clubs_and_found_by_their_address(ona: Client) -> None:
    ann = MemberFactory(user=UserFactory(email="ann@example.org"), club=ClubFactory(name="The Trumps")).user
    UserFactory(email="bo@example.org")
    page = ona.get("/owner/accounts/?text=ANN").text
    assert "The Trumps" in page
    assert "bo@example.org" not in page
    assert "The Trumps" in ona.get(f"/owner/accounts/{ann.pk}/").text
    assert "Nobody has such an address" in ona.get("/owner/accounts/?text=nobody").text


@pytest.mark.parametrize("address", ["/owner/clubs/nowhere/", f"/owner/sheets/{'x' * 22}/", "/owner/accounts/99999/"])
def test_what_is_not_there_is_404(ona: Client, address: str) -> None:
    assert ona.get(address).status_code == 404


@pytest.mark.parametrize(("address", "queries"), list(zip(PAGES, (12, 4, 7, 5), strict=True)))
def test_pages_ask_as_much_of_a_large_site_as_of_a_small_one(
    ona: Client, address: str, queries: int, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(many: int) -> None:
        for club in ClubFactory.create_batch(many):
            people = MemberFactory.create_batch(4, club=club)
            MemberFactory(club=club, user=UserFactory(last_login=timezone.now()))
            played(NightFactory(club=club), people, hands=1)
            scorer()

    # PostgreSQL is asked how large it is; SQLite is a file.
    queries += address == "/owner/" and connection.vendor != "sqlite"
    # Every five seconds the site writes to find out whether it can.
    monkeypatch.setattr(health.probe, "write", lambda: None)
    fill(2)
    ona.get(address)
    with django_assert_num_queries(queries):
        ona.get(address)
    fill(20)
    with django_assert_num_queries(queries):
        ona.get(address)
