"""Sheets of the games without bids typed in from paper: a row for each hand, or one hand after the other."""

from __future__ import annotations

import json

import pytest

from rules.core.fields import Tick
from rules.core.files.sheet_file import ReadDocument, read_document
from rules.core.problems import Problem
from scoresheets.models import Revision
from scoresheets.paper.grid import Grid
from scoresheets.paper.hand_form import TypedHand
from tests.factories import new_key, scorer
from tests.scoresheets.laid import SECRET, laid_down, reading_of
from tests.scoresheets.other_games import GIVEN_UP, bird, claim, deals, dingo, hotdog, hunted, pairs, picked
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db

ROUND = picked("Ann", 9, "works", None) | {"relish": 4, "works_first": "mustard", "smothered": True}
SHEETS = {
    "dirty-deals": deals(claim("Ann"), GIVEN_UP, claim("Bo", "S", 3, "Bo"), claim("Cy", "C", 0, "Di")),
    "bird-dog": bird(
        pairs(4, 0, 0),
        pairs(3, 0, 0, turned="JD", caller="Bo", nil="Cy"),
        {"turned": ["9H", "JD", "AS"], "caller": None, "nil": None, "captured": {
            "Ann": {"J": 2, "Q": 1, "K": 4}, "Bo": {"J": 1, "Q": 0, "K": 0}, "Cy": {"J": 0, "Q": 3, "K": 0},
        }},
    ),
    "hotdog": hotdog(picked("Ann", 9), ROUND, picked("Bo", 12, "mustard", "C") | {"footlong": True}),
    "dingo": dingo(
        hunted(four="Ann Bo", six="Cy Di Ann"), hunted("Bo", two="Di") | {"held_hearts": {"Ann": ["9"]}},
        house_rules={"hands": 3},
    ),
}  # fmt: skip


def empty(game: str) -> Plain:
    """A sheet of the game on which no hand stands yet."""
    phone = Plain.before(laid_down(SHEETS[game] | {"hands": []}), SECRET)
    phone.look(f"/sheets/{phone.code}/type/")
    return phone


def found_in(game: str) -> ReadDocument:
    return read_document(json.dumps(SHEETS[game]))


def texts_of(found: ReadDocument, name: str) -> dict[str, str]:
    """Everything the sheet says, as a page posts it; `name` is that of a field: "{hand}.{ask}.{field}"."""
    return {
        name.format(hand=hand, ask=ask, field=field): "true" if value is True else str(value)
        for (hand, ask), step in found.entries.items()
        for field, value in step.items()
        if value is not None and value is not False
    }


@pytest.mark.parametrize("game", ["dirty-deals", "bird-dog", "hotdog"])
def test_all_hands_are_typed_into_rows_and_go_onto_the_sheet_together(game: str) -> None:
    phone, found = empty(game), found_in(game)
    form = {"key": new_key(), **texts_of(found, "{hand}.{ask}.{field}")}
    phone.show(phone.client.post(f"/sheets/{phone.code}/type/", form | {"do": "look"}))
    assert phone.status == 200
    assert "Nothing is saved yet" not in phone.page.text
    assert phone.scorer.reading.entries == {}
    phone.show(phone.client.post(f"/sheets/{phone.code}/type/", form))
    assert phone.status == 303
    assert phone.scorer.reading.sheet.totals == found.sheet.totals
    assert [row.points for row in phone.scorer.reading.sheet.rows] == [row.points for row in found.sheet.rows]
    assert Revision.objects.filter(sheet=phone.scorer.sheet, verb="paper").count() == 1


@pytest.mark.parametrize("game", list(SHEETS))
def test_hands_are_typed_one_after_the_other_each_with_its_page(game: str) -> None:
    phone, found = empty(game), found_in(game)
    game_of, table = found.game, found.table
    for row in found.sheet.rows:
        phone.look(f"/sheets/{phone.code}/type/?by=hand")
        assert f"Type in hand {row.hand.number}" in phone.page.text
        address, data = phone.body("Save")
        for ask in game_of.asks(table, row.hand):
            for one in ask.fields:
                value = row.hand.steps[ask.name].get(one.name) if ask.name in row.hand.steps else None
                name = f"f:{ask.name}:{one.name}"
                data[name] = [""] if value is None else [str(value)]
                if isinstance(one, Tick):
                    data[name] = ["1"] if value else []
        phone.show(phone.client.post(address, data))
        assert phone.status == 303, phone.page.text
    assert phone.scorer.reading.sheet.totals == found.sheet.totals
    assert [row.points for row in phone.scorer.reading.sheet.rows] == [row.points for row in found.sheet.rows]


def test_hand_of_dingo_fits_into_no_row_and_is_laid_out_hunt_by_hunt() -> None:
    assert not Grid(reading_of(SHEETS["dingo"])).is_possible
    page = empty("dingo").page
    assert "Type in hand 1" in page.text
    assert "in a table instead" not in page.text
    for rank in ("2", "9", "10", "J", "Q", "K"):
        assert f"The hunt for the {rank}" in page.text


def test_least_that_makes_a_hand_of_dingo_is_the_ace_of_hearts_and_who_has_the_ace_rabbit() -> None:
    phone = empty("dingo")
    address, data = phone.body("Save")
    data |= {"f:ace-hunt:dingo": ["1"]}
    phone.show(phone.client.post(address, data))
    assert phone.status == 422
    assert "Nothing is saved yet: see what is marked." in phone.page.text
    assert ("f:ace-hunt:dingo", "1") in [(name, value) for _, name, value in phone.page.inputs]
    address, data = phone.body("Save")
    phone.show(phone.client.post(address, data | {"f:ace-hunt:holder": ["2"]}))
    assert phone.status == 303
    assert phone.scorer.reading.next_hand == 2


def test_what_is_wrong_is_told_with_its_hunt_and_everything_is_kept() -> None:
    phone = empty("dingo")
    address, data = phone.body("Save")
    data |= {"f:hunt-5:wolf": ["2"], "f:ace-hunt:dingo": ["1"], "f:ace-hunt:holder": ["2"]}
    phone.show(phone.client.post(address, data))
    assert phone.status == 422
    group = phone.response.content.decode().split("The hunt for the 5</b>")[1].split("</details>")[0]
    assert 'class="problem"' in group
    assert phone.scorer.reading.entries == {}


def test_hand_that_somebody_else_has_written_meanwhile_is_not_written_twice() -> None:
    phone = empty("hotdog")
    phone.look(f"/sheets/{phone.code}/type/?by=hand")
    address, data = phone.body("Save")
    typed = {
        "bid:picker": "1",
        "bid:topping": "ketchup",
        "bid:trump": "H",
        "tricks:tricks-1": "9",
        "tricks:tricks-2": "8",
    }
    data |= {f"f:{name}": [value] for name, value in typed.items()}
    for _ in range(2):
        phone.show(phone.client.post(address, data))
        assert phone.status == 303
    assert len(phone.scorer.reading.sheet.rows) == 1


def test_last_hand_may_end_where_the_paper_ends() -> None:
    phone = empty("bird-dog")
    form = {"key": new_key(), "1.turned.card-1": "9H", "1.turned.caller": "2"}
    phone.show(phone.client.post(f"/sheets/{phone.code}/type/", form))
    assert phone.status == 303
    reading = phone.scorer.reading
    assert reading.sheet.rows == ()
    assert reading.sheet.open.hand.steps["turned"] == {"card-1": "9H", "caller": 2}


def test_row_in_which_something_is_wrong_is_marked_and_nothing_is_written() -> None:
    phone = empty("dirty-deals")
    form = {"key": new_key(), "1.claim.claimer": "1", "1.claim.suit": "H", "2.claim.given-up": "true"}
    phone.show(phone.client.post(f"/sheets/{phone.code}/type/", form))
    assert phone.status == 422
    assert "Nothing is saved yet: see the rows that are marked." in phone.page.text
    assert '<tbody id="row-1" class="wrong"' in phone.response.content.decode()
    assert phone.scorer.reading.entries == {}


def test_numbers_are_moved_without_a_script() -> None:
    phone = empty("hotdog")
    phone.look(f"/sheets/{phone.code}/type/?by=hand")
    phone.tap("Ann took: one more")
    phone.tap("Ann took: one more")
    assert ("f:tricks:tricks-1", "1") in [(name, value) for _, name, value in phone.page.inputs]


def test_only_what_belongs_to_no_ask_is_said_above_the_hand() -> None:
    reading = scorer(4, game="dingo").reading
    (ask, *_) = TypedHand(reading).asks
    there = Problem("there", "Said beside the ask.", field=f"{ask.name}.seat-1")
    nowhere, of_hand = Problem("nowhere", "Said above the hand."), Problem("of-hand", "And that.", field="no-ask")
    assert TypedHand(reading, problems=[there, nowhere, of_hand, nowhere]).elsewhere == [
        "Said above the hand.", "And that.",
    ]  # fmt: skip
