"""A standing by another scheme, and as a file."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
from typing import Any

import pytest
import tablib
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Member, Standing
from clubs.standings.store import keep_standings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, UserFactory, scored

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    """By games won Ann leads; by scores Bo does."""
    club = ClubFactory(slug="cards")
    ann, bo = MemberFactory(club=club, name="Ann"), MemberFactory(club=club, name="=Bo+1")
    for day, scores in ((1, (9, 8)), (2, (9, 8)), (3, (1, 30))):
        scored(NightFactory(club=club, on=datetime.date(2026, 3, day)), list(zip((ann, bo), scores, strict=True)))
    keep_standings(club)
    return club


@pytest.fixture
def organiser(club: Club) -> Client:
    user = UserFactory()
    Member.objects.filter(name="Ann").update(user=user, role="organiser")
    client = Client()
    client.force_login(user)
    return client


def asked(client: Client, **query: str) -> Any:
    return client.get(reverse("what_if", args=["cards"]), query)


def rows(text: str) -> list[str]:
    return re.findall(r'<th scope="row">\s*<bdi>(.*?)</bdi>', text)


def test_another_scheme_is_shown_beside_what_is_kept_and_keeps_nothing(club: Club, organiser: Client) -> None:
    kept = list(Standing.objects.order_by("pk").values())
    text = asked(organiser, of="all-time", scheme="score").content.decode()
    assert rows(text) == ["=Bo+1", "Ann"]
    assert text.count('<span class="visually-hidden">up </span>1') == 1
    assert text.count('<span class="visually-hidden">down </span>1') == 1
    said = [text.index(part) for part in (">up </span>1", "=Bo+1</bdi>", ">down </span>1", "Ann</bdi>")]
    assert said == sorted(said), "up stands in the row of Bo, down in that of Ann"
    assert list(Standing.objects.order_by("pk").values()) == kept


def test_a_season_is_supposed_by_another_scheme(club: Club, organiser: Client) -> None:
    season = SeasonFactory(club=club, begins=datetime.date(2026, 3, 1), ends=datetime.date(2026, 3, 2))
    assert rows(asked(organiser, of=str(season.pk), scheme="score").content.decode()) == ["Ann", "=Bo+1"]


def test_form_comes_filled_in_as_the_standing_is_counted(club: Club, organiser: Client) -> None:
    season = SeasonFactory(club=club, scheme="places", numbers={"points": [5, 3]}, order=["lost"], drops=2)
    text = asked(organiser, of=str(season.pk)).content.decode()
    assert 'value="5, 3"' in text
    assert '<option value="lost" selected>' in text
    assert rows(text) == []


@pytest.mark.parametrize(
    "query", [{"scheme": "luck"}, {"scheme": "places", "points": "x"}, {"scheme": "", "drops": "-4"}]
)
def test_scheme_that_cannot_be_is_refused(club: Club, organiser: Client, query: dict[str, str]) -> None:
    answer = asked(organiser, **query)
    assert answer.status_code == 422
    assert 'class="problem"' in answer.content.decode()


@pytest.mark.parametrize("of", ["0", "x", "99999999999999999999", "-1"])
def test_nothing_is_supposed_of_a_season_that_is_not_there(club: Club, organiser: Client, of: str) -> None:
    assert asked(organiser, of=of).status_code == 404


# Files


def file_of(client: Client, kind: str, which: object = "all-time") -> Any:
    return client.get(reverse("standing_file", args=["cards", which, kind]))


def test_standing_goes_to_a_spreadsheet_with_cells_that_nothing_runs(club: Club, organiser: Client) -> None:
    answer = file_of(organiser, "csv")
    assert answer["Content-Disposition"] == 'attachment; filename="cards-all-time.csv"'
    found = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["Place"], row["Name"], row["Points"], row["Average score"]) for row in found] == [
        ("1", "Ann", "2", "6.33"), ("2", "'=Bo+1", "1", "15.33"),
    ]  # fmt: skip


def test_standing_goes_to_a_workbook(club: Club, organiser: Client) -> None:
    found = tablib.Dataset().load(file_of(organiser, "xlsx").content, format="xlsx")
    assert found["Name"] == ["Ann", "'=Bo+1"]
    assert found["Points"] == [2, 1]


def test_standing_goes_to_a_program_with_what_it_is_counted_by(club: Club, organiser: Client) -> None:
    season = SeasonFactory(club=club, name="Spring", scheme="places", numbers={"points": [5, 3]}, drops=1)
    keep_standings(club)
    found = json.loads(file_of(organiser, "json", season.pk).content)
    assert (found["season"], found["scheme"], found["numbers"], found["drops"]) == (
        "Spring", "places", {"points": [5, 3]}, 1,
    )  # fmt: skip
    assert [(row["place"], row["name"], row["points"]) for row in found["standing"]] == [
        (1, "Ann", 10),
        (2, "=Bo+1", 8),
    ]


@pytest.mark.parametrize("address", ["cards/standings/all-time/standing.exe", "cards/standings/9/standing.csv"])
def test_file_that_is_not_there_is_not_found(club: Club, organiser: Client, address: str) -> None:
    assert organiser.get(f"/clubs/{address}").status_code == 404


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_files_are_for_organisers(club: Club, kind: str) -> None:
    assert file_of(Client(), kind).status_code == 302, "sign in first"
    user = UserFactory()
    Member.objects.filter(name="=Bo+1").update(user=user, role="scorekeeper")
    client = Client()
    client.force_login(user)
    assert file_of(client, kind).status_code == 403
