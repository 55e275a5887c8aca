"""The picture of a sheet, drawn on the site."""

import xml.etree.ElementTree as ET

import pytest

from scoresheets.files.image import NAME_SIZE, NAME_WIDTH, Picture, width_of, wrapped
from tests.factories import scorer, sure_of
from tests.scoresheets.files.test_import import GAMES, kept
from tests.scoresheets.laid import document, hand, reading_of
from tests.scoresheets.people import leave

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["<script>x</script>", 'Ann "&" Co', "محمد عبد الرحمن بن يوسف بن عبد الله", "👩‍👩‍👧‍👦" * 5]


def drawn(client, address: str) -> ET.Element:
    response = client.get(address)
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert "default-src 'none'" in response["Content-Security-Policy"]
    text = response.content.decode()
    assert " style=" not in text
    assert "<style" not in text
    return ET.fromstring(text)


def texts(picture: ET.Element) -> list[str]:
    return [text.text for text in picture.iter(f"{SVG}text")]


def marks(picture: ET.Element) -> list[tuple[str, str]]:
    """What is drawn round which total."""
    found = []
    for row in picture.findall(f"{SVG}g")[:-1]:
        total = [text.text for text in row.iter(f"{SVG}text") if text.get("text-anchor")][-1]
        found += [(use.get("href")[1:-2], total) for use in row.iter(f"{SVG}use")]
    return found


@pytest.mark.django_db
def test_picture_has_players_totals_box_circle_winner_loser_title_and_day(client):
    reading = kept(GAMES["dirty_dog-level_at_both_ends"] | {"table": "Thursday", "played_on": "2019-03-02"})
    picture = drawn(client, f"/sheets/{reading.record.code}/picture.svg")
    said = " ".join(texts(picture))
    names, totals = reading.names, reading.sheet.totals
    assert f"{names[reading.sheet.winner]} wins." in said
    assert f"{names[reading.sheet.loser]} takes the circle." in said
    assert "Thursday" in said
    assert "2 March 2019" in said
    assert all(name in said for name in names.values())
    assert marks(picture) == [
        ("box", str(totals[reading.sheet.winner])), ("ring", str(totals[reading.sheet.loser]).replace("-", "−"))
    ]  # fmt: skip
    watched = drawn(client, f"/watch/{reading.record.watch}/picture.svg")
    assert texts(watched) == texts(picture)


@pytest.mark.django_db
def test_running_sheet_has_the_marks_of_now(client):
    p = scorer(4)
    p.clear_hand()
    picture = drawn(client, f"/sheets/{p.sheet.code}/picture.svg")
    said = " ".join(texts(picture))
    assert "After hand 1 of 4" in said
    assert said.count("Dirty Dog") == 1
    assert marks(picture) == [("box", "6"), ("ring", "−1")]


@pytest.mark.django_db
def test_running_sheet_says_who_went_home_and_takes_the_trophy(client):
    p = scorer(5)
    p.clear_hand()
    sure_of(leave(p, 2))
    picture = drawn(client, f"/sheets/{p.sheet.code}/picture.svg")
    said = " ".join(texts(picture))
    assert "Bo went home after hand 1 with −1 and takes the loser’s trophy unless somebody ends lower." in said


@pytest.mark.django_db
def test_names_are_text_and_the_picture_stays_well_formed(client):
    p = scorer(HOSTILE)
    picture = drawn(client, f"/sheets/{p.sheet.code}/picture.svg")
    assert HOSTILE[0] in texts(picture)
    assert not list(picture.iter(f"{SVG}script"))


def test_picture_without_any_hand_has_no_marks():
    picture = Picture(reading_of(document(plan={"hands": 4})))
    assert [row.boxed or row.circled for row in picture.rows] == [False] * 4


@pytest.mark.parametrize("name", ["W" * 40, "ann " * 10, "李" * 40, "Wolfeschlegelsteinhausenbergerdorff-Wolf"])
def test_long_name_is_wrapped_and_never_wider_than_its_place(name: str):
    lines = wrapped(name, NAME_WIDTH, NAME_SIZE)
    assert len(lines) <= 2
    assert all(width_of(line, NAME_SIZE) <= NAME_WIDTH for line in lines)
    assert lines[-1].endswith("…") or "".join(lines).replace(" ", "") == name.replace(" ", "")


def test_rows_do_not_lie_over_one_another():
    names = ["W" * 40, "Bo", "x" * 40, "Di"]
    scored = hand(" ", "") | {
        "bids": dict.fromkeys([*names[1:], names[0]], 0),
        "tricks": dict.fromkeys(names, 0) | {"Bo": 1},
    }
    picture = Picture(reading_of(document(plan={"hands": 4}) | {"players": names, "hands": [scored]}))
    tops = [row.top for row in picture.rows] + [picture.bottom]
    for row, top, end in zip(picture.rows, tops, tops[1:], strict=False):
        # Letters rise above the line they stand on, and some hang below it.
        assert top <= row.name[0].y - NAME_SIZE
        assert row.name[-1].y + NAME_SIZE / 4 < end
    assert picture.bottom < picture.height
