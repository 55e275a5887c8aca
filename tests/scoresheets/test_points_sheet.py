"""A sheet for any other game, on its pages: high or low wins, numbers below 0, and three ends."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from rules.core.files.results import result_document
from rules.core.files.sheet_file import score_document
from scoresheets.link_previews.of_sheet import preview_of_sheet
from scoresheets.log.state import read_sheet
from scoresheets.models import HandFact
from tests.scoresheets.opening.test_open import filled, opened, post, text
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db

LOW = {"wins": "lowest", "ends": "total", "total": 20}


def at_table(**house_rules: object) -> Plain:
    """A phone without a script at a table of three."""
    return Plain(3, game="points-sheet", plan={}, house_rules=house_rules)


def write(phone: Plain, *points: object) -> int:
    """Send the points of a hand; the status of the answer."""
    phone.look()
    form = next(owner for owner, name, value in phone.page.inputs if name == "ask" and value == "points")
    carried = {name: value for owner, name, value in phone.page.inputs if owner is form and not name.startswith("f-")}
    fields = {f"f-points-{seat}": str(number) for seat, number in enumerate(points, 1)}
    return phone.client.post(form["action"], carried | fields).status_code


def seen(phone: Plain, path: str) -> str:
    return text(phone.client.get(f"/sheets/{phone.code}/{path}"))


def test_who_wins_is_asked_whenever_a_sheet_is_opened_and_the_end_where_the_length_is(client: Client) -> None:
    asked = re.compile(r'type="radio"\s+name="house-wins"\s+value="(\w+)"(\s+checked)?')
    for _ in range(2):
        page = client.get("/open/?game=points-sheet").content.decode()
        assert [(value, bool(is_chosen)) for value, is_chosen in asked.findall(page)] == [
            ("highest", True), ("lowest", False),
        ]  # fmt: skip
        ends = {"house-wins": "lowest", "house-ends": "total", "house-total": "50", "house-hands": "7"}
        sheet = opened(post(client, filled(3, game="points-sheet", asked="points-sheet") | ends))
        # Seven hands say nothing where a total ends it.
        assert read_sheet(sheet).setup.house_rules == {"wins": "lowest", "ends": "total", "total": 50}
    look = client.post("/open/look/", filled(3, game="points-sheet", asked="points-sheet") | {"house-ends": "table"})
    assert "Until the table stops" in text(look)


def test_steps_of_the_total_are_offered_and_any_other_can_be_typed(client: Client) -> None:
    total = {"house-ends": "total", "house-total": "100"}
    form = filled(3, game="points-sheet", asked="points-sheet") | total
    assert 'name="house-total"' in (page := post(client, form, "more-total").content.decode())
    assert re.search(r'name="house-total"\s+id="house-total"\s+value="150"', page)
    answer = post(client, form | {"house-total": "0"})
    assert answer.status_code == 422
    assert "A number from 1 to 9999 belongs here." in text(answer)
    sheet = opened(post(client, form | {"house-total": "377"}))
    assert read_sheet(sheet).setup.house_rules["total"] == 377


@pytest.mark.parametrize("minus", ["-", "−"])
def test_numbers_below_nothing_are_written_with_any_minus(minus: str) -> None:
    phone = at_table()
    assert write(phone, 12, f"{minus}5", 0) == 303
    assert phone.scorer.reading.sheet.totals == {1: 12, 2: -5, 3: 0}
    assert write(phone, 1, f"{minus}1000", 0) == 422
    assert write(phone, 1, "", 0) == 422
    assert write(phone, 1, "many", 0) == 422
    assert len(phone.scorer.reading.sheet.rows) == 1


def test_a_low_game_says_everywhere_that_the_lowest_is_the_best() -> None:
    phone = at_table(**LOW)
    write(phone, 12, -5, 7)
    assert "Ends at 20, the lowest wins" in seen(phone, "pad/")
    sheet = phone.client.get(f"/sheets/{phone.code}/").content.decode()
    assert re.search(r"fewest points.*most points", sheet, re.S)
    assert "−5 is the lowest total, so it is in the box." in seen(phone, "why/1/2/")
    assert "12 is the highest total, so it is in the circle." in seen(phone, "why/1/1/")
    assert "A box round the fewest points, a circle round the most" in seen(phone, "blank/")
    rules = seen(phone, "rules/")
    assert "The total that wins. The lowest" in rules
    assert "Hands that are played" not in rules, "it says nothing at this table"
    title = preview_of_sheet(phone.scorer.sheet).title
    assert (title.split(", ")[1:]) == ["Bo leads with −5", "Ann circled"]
    csv = phone.client.get(f"/sheets/{phone.code}/export.csv").content.decode("utf-8-sig").splitlines()
    assert csv[0].startswith("hand,dealer,Ann points,Ann total,Ann mark,Bo points,")
    assert csv[1] == "1,Ann,12,12,circle,-5,-5,box,7,7,,"
    facts = HandFact.objects.filter(sheet=phone.scorer.sheet)
    write(phone, 8, 0, 0)
    assert phone.scorer.reading.sheet.finished
    assert [(fact.behind, fact.box, fact.circle) for fact in facts.filter(hand=2).order_by("seat")] == [
        (25, False, True), (0, True, False), (12, False, False),
    ]  # fmt: skip
    assert "Bo wins with −5 points." in seen(phone, "result/")


def test_where_a_total_ends_it_stopping_before_leaves_somebody_in_the_lead_and_not_the_winner() -> None:
    stopped = at_table(**LOW)
    write(stopped, 12, -5, 7)
    stopped.client.post(f"/sheets/{stopped.code}/stop/", {"key": "k" * 22, "hand": "2", "sure": "1"})
    assert "Bo leads with −5 points." in seen(stopped, "result/")
    open_end = at_table(ends="table")
    write(open_end, 12, -5, 7)
    assert "next: hand 2," in seen(open_end, "")
    open_end.client.post(f"/sheets/{open_end.code}/stop/", {"key": "l" * 22, "hand": "2", "sure": "1"})
    assert "Ann wins with 12 points." in seen(open_end, "result/")


def test_a_number_below_nothing_is_corrected_and_typed_in_from_paper() -> None:
    phone = at_table(**LOW)
    write(phone, 12, -5, 7)
    form = phone.client.get(f"/sheets/{phone.code}/correct/1/").content.decode()
    assert re.search(r'name="f:points:points-2"[^>]*value="−5"', form)
    assert 'data-was="−5"' in form
    points = {"f:points:points-1": "-9", "f:points:points-2": "−5", "f:points:points-3": "7"}
    saw = {"saw:points": str(phone.scorer.saw((1, "points")))}
    moved = phone.client.post(f"/sheets/{phone.code}/correct/1/", {**points, **saw, "look": "1"})
    assert "the box passes from Bo to Ann: −9 is the lowest total after hand 1." in text(moved)
    answer = phone.client.post(
        f"/sheets/{phone.code}/type/",
        {
            "key": "t" * 22,
            "do": "write",
            "2.points.points-1": "−3",
            "2.points.points-2": "-4",
            "2.points.points-3": "0",
        },
    )
    assert answer.status_code in (200, 303)
    assert phone.scorer.reading.sheet.totals == {1: 9, 2: -9, 3: 7}


def test_its_sheet_file_scores_the_same() -> None:
    phone = at_table(**LOW)
    write(phone, 12, -5, 7)
    file = phone.client.get(f"/sheets/{phone.code}/export.json").content
    assert json.loads(file)["hands"] == [{"points": {"Ann": 12, "Bo": -5, "Cy": 7}}]
    reading = phone.scorer.reading
    assert score_document(file) == result_document(reading.sheet, reading.names)
