"""The sheet as a file: it scores the same wherever it is read."""

import json

import pytest

from rules.core.files.results import result_document
from rules.core.files.sheet_file import read_document, score_document
from scoresheets.commands import enter
from tests.factories import new_key, scorer, sure_of
from tests.scoresheets.laid import document, hand, laid_down

pytestmark = pytest.mark.django_db


def exported(client, sheet) -> bytes:
    response = client.get(f"/sheets/{sheet.code}/export.json")
    assert response.status_code == 200
    return response.content


def test_file_of_a_finished_game_scores_as_the_sheet_does(client):
    p = scorer(6, plan={"hands": 7})
    p.any_game()
    reading = p.reading
    assert score_document(exported(client, p.sheet)) == result_document(reading.sheet, reading.names)


def test_file_of_a_running_game_has_its_open_hand_misdeals_and_trump(client):
    p = scorer(4)
    p.any_hand()
    sure_of(enter.misdeal(p.sheet, 2, 1, key=new_key(), by=p.by))
    sure_of(p.enter(2, "trump", suit="H"))
    sure_of(p.bid(3, 1))
    found = read_document(exported(client, p.sheet))
    assert found.entries == p.reading.entries
    assert found.table.plan == p.reading.table.plan


def test_file_of_a_stopped_game_is_settled_as_the_sheet_is(client):
    p = scorer(4)
    p.any_hand()
    sure_of(enter.stop(p.sheet, 2, key=new_key(), by=p.by))
    p.settle()
    said = json.loads(exported(client, p.sheet))
    assert said["stopped_after"] == 1
    assert score_document(json.dumps(said)) == result_document(p.reading.sheet, p.reading.names)


def test_who_came_and_went_is_in_the_file(client):
    hands = [hand("Bo Cy Di Ann", "0000", "1000"), {"arrives": "Ed", "left_of": "Bo"}, {"leaves": "Cy"}, {"void": True}]
    said = document(hands=hands, plan={"hands": 4}, first_dealer="Ann", house_rules={"leaver_may_win": True})
    again = json.loads(exported(client, laid_down(said)))
    assert {key: again[key] for key in said} == said


def test_title_club_day_and_notes_are_in_the_file_and_change_nothing(client):
    p = scorer(4, title="Table 2", club_name="The Pack")
    p.any_hand()
    sure_of(enter.note(p.sheet, 1, tag="Dirt Bag", seat=3, text="again", key=new_key(), by=p.by))
    sure_of(enter.note(p.sheet, 1, text="It rained.", key=new_key(), by=p.by))
    said = json.loads(exported(client, p.sheet))
    assert said["hands"][0]["note"] == "Dirt Bag: Cy: again; It rained."
    assert (said["club"], said["table"]) == ("The Pack", "Table 2")
    assert len(said["played_on"]) == 10


def test_names_of_any_kind_survive(client):
    names = ["محمد", "👩‍👩‍👧‍👦", '"Quote" \\ back', "<b>Bo</b>"]
    p = scorer(names)
    assert json.loads(exported(client, p.sheet))["players"] == names
    assert "محمد" in exported(client, p.sheet).decode()


def test_file_is_handed_over_as_one_and_kept_by_nobody_on_the_way(client):
    response = client.get(f"/sheets/{scorer(4).sheet.code}/export.json")
    assert response["Content-Type"] == "application/json"
    assert response["Content-Disposition"].startswith('attachment; filename="dirty-dog-20')
    assert response["Cache-Control"] == "private, no-store"


def test_file_takes_three_queries(client, statements):
    p = scorer(4)
    p.any_hand()
    with statements(exactly=3):
        exported(client, p.sheet)
