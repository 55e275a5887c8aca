"""The sheet for a spreadsheet."""

import csv
import io

import pytest

from scoresheets.files.csv import csv_of
from tests.factories import scorer
from tests.scoresheets.files.test_import import GAMES, kept
from tests.scoresheets.laid import document, hand, reading_of

HAND = hand("Bo Cy Di Ann", "0000", "1000")


def rows_of(reading) -> list[dict[str, str]]:
    """The rows by the words in the head."""
    said = csv_of(reading)
    assert said.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(said.decode("utf-8-sig"), newline="")))
    assert {len(row) for row in rows} == {len(rows[0])}
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def test_one_row_a_hand_with_everything_that_was_written_and_what_it_came_to():
    first, second = rows_of(reading_of(document(hands=[HAND | {"trump": "H"}, hand("Cy Di", "10")], plan={"hands": 4})))
    assert (first["hand"], first["cards"], first["dealer"], first["trump"]) == ("1", "1", "Ann", "H")
    assert [first[f"Bo {word}"] for word in ("bid", "tricks", "points", "total", "mark")] == [
        "0",
        "1",
        "-1",
        "-1",
        "circle",
    ]
    assert first["Cy mark"] == "box"
    assert (second["hand"], second["Cy bid"], second["Cy tricks"], second["Cy total"]) == ("2", "1", "", "")


def test_box_and_circle_stand_together_where_all_are_level():
    (row,) = rows_of(reading_of(document("Ann Bo", [hand("Bo Ann", "11", "10")], plan={"hands": 2}) | {"hands": [
        {"bids": {"Bo": 0, "Ann": 0}, "tricks": {"Bo": 1, "Ann": 0}}]}))  # fmt: skip
    assert {row["Ann mark"], row["Bo mark"]} == {"box", "circle"}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "'=1+1"])
def test_name_that_could_be_a_formula_is_none(name: str):
    said = document(plan={"hands": 4}) | {"players": [name, "Bo", "Cy", "Di"]}
    text = csv_of(
        reading_of(
            said
            | {
                "hands": [
                    {"bids": {"Bo": 0, "Cy": 0, "Di": 0, name: 0}, "tricks": {"Bo": 1, "Cy": 0, "Di": 0, name: 0}}
                ]
            }
        )
    ).decode("utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert f"'{name} bid" in cells
    assert f"'{name}" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
    assert "-1" in cells, "a number below zero is a number"


def test_commas_quotes_and_breaks_stay_in_their_cell():
    name = 'Ann "the, great"'
    said = document(plan={"hands": 4}) | {"players": [name, "Bo", "Cy", "Di"]}
    assert rows_of(reading_of(said)) == []
    assert f"{name} bid" in next(csv.reader(io.StringIO(csv_of(reading_of(said)).decode("utf-8-sig"))))


@pytest.mark.django_db
def test_blind_hands_draws_and_what_happened_have_their_place():
    rows = rows_of(kept(GAMES["dirty_dog-level_at_both_ends"]))
    assert [row["hand"] for row in rows[18:]] == ["blind hand 1", "blind hand 2", "draw 1"]
    assert "drew" in rows[-1]["remarks"]
    rows = rows_of(kept(GAMES["dirty_dog-comings_and_goings"]))
    assert "Misdeal" in rows[3]["remarks"]
    assert rows[0]["Gus total"] == ""
    assert rows[5]["Gus total"] != ""


@pytest.mark.django_db
def test_totals_that_were_brought_along_stand_in_the_first_row():
    carried = {"carried": {"hands": 3, "totals": {"Ann": 3, "Bo": -4, "Cy": 0, "Di": 12}, "last_dealer": "Cy"}}
    (row,) = rows_of(kept(document(hands=[carried], plan={"hands": 8})))
    assert (row["hand"], row["Bo total"], row["remarks"]) == ("to 3", "-4", "scored elsewhere")


@pytest.mark.django_db
def test_file_is_handed_over_as_one(client, statements):
    p = scorer(4)
    p.any_hand()
    with statements(exactly=3):
        response = client.get(f"/sheets/{p.sheet.code}/export.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"].startswith('attachment; filename="dirty-dog-20')
    assert client.get(f"/sheets/{'x' * 22}/export.csv").status_code == 404
