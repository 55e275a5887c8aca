"""A sixth game is one module and one template: the whole site knows it from the moment both are there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from rules import all_games, find_game
from rules.core.files.results import result_document
from rules.core.files.sheet_file import read_document, score_document
from scoresheets.access.scorekeepers import BROWSER_COOKIE
from scoresheets.commands import enter
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.log.answers import Refused
from scoresheets.pad.build import pad_of, page_of
from scoresheets.views.table.pad import face_of
from tests.factories import new_key, sure_of
from tests.scoresheets.corrections.test_correct import corrected
from tests.scoresheets.plain import SECRET, Plain
from tests.scoresheets.taken_back import sheet_and_pad_name
from tests.sixth.visit import HERE, sixth_game

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


@pytest.fixture(autouse=True)
def marbles(tmp_path: Path) -> Iterator[None]:
    with sixth_game(tmp_path):
        yield


@pytest.fixture
def phone() -> Plain:
    """A phone without a script at a table of three who play marbles."""
    return Plain(3, game="marbles", plan={})


def ring(phone: Plain, first: str, *kept: int) -> None:
    """A ring: who hit first, the nine, and who kept how many."""
    phone.tap(first)
    address, body = form(phone, "ring")
    hand = body["hand"][0]
    answer = phone.client.post(address, body | {"f-card": "9"})
    assert answer.status_code == 303, answer.content.decode()
    phone.look()
    address, body = form(phone, "marbles")
    counts = {f"f-marbles-{seat}": str(count) for seat, count in enumerate(kept, 1)}
    answer = phone.client.post(address, body | counts)
    assert answer.status_code == 303, answer.content.decode()
    assert hand == body["hand"][0]
    phone.look()


def form(phone: Plain, ask: str) -> tuple[str, dict[str, list[str]]]:
    """Where the form of an ask is sent, with what it carries."""
    owner = next(owner for owner, name, value in phone.page.inputs if name == "ask" and value == ask)
    fields = [(name, value) for other, name, value in phone.page.inputs if other is owner]
    carried = {name: [value] for name, value in fields if not name.startswith("f-")}
    return str(owner["action"]), carried


def as_script(phone: Plain, ask: str, key: str, **fields: object) -> tuple[int, dict]:
    """What the script of the pad posts, and what it hears."""
    body = {"hand": phone.scorer.reading.next_hand, "ask": ask, "saw": "", "key": key.ljust(16, "x"), **fields}
    answer = phone.client.post(phone.url("enter"), body, headers=JSON)
    return answer.status_code, answer.json()


@pytest.mark.thorough
def test_the_game_is_listed_and_needs_no_migration(tmp_path: Path) -> None:
    assert find_game("marbles") in all_games()
    asked = subprocess.run(
        [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
        cwd=HERE.parent.parent,
        env={"PATH": os.environ["PATH"], "VAR": str(tmp_path / "var"), "SETTINGS_FILE": os.devnull},
        capture_output=True,
        text=True,
    )
    assert asked.stdout == "No changes detected\n", asked.stdout + asked.stderr


def test_it_can_be_chosen_when_a_sheet_is_opened(client: Client) -> None:
    page = client.get("/open/?game=marbles").content.decode()
    assert "Marbles" in page


def test_a_ring_is_kept_without_a_script_taken_back_and_kept_again(phone: Plain) -> None:
    assert "Who hit first" in phone.page.text
    ring(phone, "Bo", 4, 2, 1)
    assert phone.scorer.reading.sheet.totals == {1: 4, 2: 2, 3: 1}
    assert "Hand 2" in phone.page.text
    phone.tap("Back to hand 1")
    assert phone.scorer.reading.sheet.rows == ()
    phone.tap("Take back:")
    phone.tap("Take back:")
    assert phone.scorer.reading.entries == {}
    # Nobody is an answer, too.
    ring(phone, "Nobody", 0, 0, 7)
    assert phone.scorer.reading.entries[1, "shooter"] == {}


def test_values_are_read_as_the_game_asks_for_them(phone: Plain) -> None:
    assert as_script(phone, "shooter", "first", **{"f-first": "2"})[0] == 200
    status, told = as_script(phone, "ring", "ring", **{"f-card": "7", "f-rain": "on", "f-glass": "3"})
    assert status == 200
    assert phone.scorer.reading.entries[1, "ring"] == {"card": "7", "rain": True, "glass": 3}
    assert told["pad"]["texts"]["shooter"] == ["", "Bo", ""]
    assert told["pad"]["shows"] == {"rings": "0", "lay": "7"}
    assert told["pad"]["shut"] == ["slipped 2"]
    status, told = as_script(phone, "slip", "slip", **{"f-who": "2"})
    assert (status, told["problem"]) == (422, "Who hit first has not slipped.")
    status, told = as_script(phone, "marbles", "many", **{f"f-marbles-{seat}": "3" for seat in (1, 2, 3)})
    assert (status, told["problem"]) == (422, "Seven marbles lay in the ring.")
    status, told = as_script(phone, "marbles", "marbles", **{f"f-marbles-{seat}": str(4 - seat) for seat in (1, 2, 3)})
    assert status == 422
    status, told = as_script(phone, "marbles", "seven", **{"f-marbles-1": "7", "f-marbles-2": "0", "f-marbles-3": "0"})
    assert status == 200
    assert told["pad"]["totals"] == {"1": 7, "2": 0, "3": 2}
    assert "<tbody" in told["row"]


def test_what_was_typed_wrong_is_typed_again(phone: Plain) -> None:
    phone.tap("Bo")
    phone.look(phone.url("pad") + "?again=shooter")
    assert "Who hit first" in phone.page.text
    phone.tap("Cy")
    assert phone.scorer.reading.entries[1, "shooter"] == {"first": 3}


def test_a_refused_ring_keeps_what_was_entered(phone: Plain) -> None:
    phone.tap("Bo")
    phone.client.post(form(phone, "ring")[0], form(phone, "ring")[1] | {"f-card": "2"})
    phone.look()
    address, body = form(phone, "marbles")
    phone.show(phone.client.post(address, body | {"f-marbles-1": "6", "f-marbles-2": "0", "f-marbles-3": "0"}))
    assert phone.status == 422
    assert "Seven marbles lay in the ring." in phone.page.text
    values = {name: value for _, name, value in phone.page.inputs if name.startswith("f-marbles")}
    assert values == {"f-marbles-1": "6", "f-marbles-2": "0", "f-marbles-3": "0"}


def test_what_is_only_unwise_is_written_when_it_is_said_again(phone: Plain) -> None:
    phone.tap("Bo")
    address, body = form(phone, "ring")
    phone.show(phone.client.post(address, body | {"f-card": "2", "f-rain": "true"}))
    assert phone.status == 422
    assert "A two is seldom seen in the rain. Is it right?" in phone.page.text
    address, body = form(phone, "ring")
    phone.client.post(address, body | {"f-card": "2", "f-rain": "true"})
    assert phone.scorer.reading.entries[1, "ring"] == {"card": "2", "rain": True}


def test_a_scored_ring_is_corrected(phone: Plain) -> None:
    ring(phone, "Bo", 4, 2, 1)
    page = phone.client.get(f"/sheets/{phone.code}/correct/1/")
    assert page.status_code == 200
    assert "marbles" in page.content.decode()


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    "name",
    [
        "sheet",
        "rules_page",
        "words",
        "history",
        "links",
        "read_back",
        "blank_sheet",
        "picture",
        "export_csv",
        "type_in",
    ],
)
def test_every_page_of_its_sheet_opens(phone: Plain, name: str) -> None:
    ring(phone, "Bo", 4, 2, 1)
    phone.tap("Ann")
    answer = phone.client.get(phone.url(name))
    assert answer.status_code == 200, answer


def test_it_is_watched(phone: Plain, client: Client) -> None:
    ring(phone, "Bo", 4, 2, 1)
    watch = phone.scorer.sheet.watch
    for page in ("", "rows/", "table/", "table/top/"):
        answer = client.get(f"/watch/{watch}/{page}")
        assert answer.status_code == 200
    assert "Marbles" in client.get(f"/watch/{watch}/").content.decode()


def test_its_sheet_file_scores_the_same_and_opens_again(phone: Plain) -> None:
    ring(phone, "Bo", 4, 2, 1)
    file = phone.client.get(f"/sheets/{phone.code}/export.json").content
    reading = phone.scorer.reading
    assert score_document(file) == result_document(reading.sheet, reading.names)
    assert read_document(file).entries[1, "marbles"] == {"marbles-1": 4, "marbles-2": 2, "marbles-3": 1}
    assert json.loads(file)["game"] == "marbles"


def test_the_match_comes_to_its_result(phone: Plain) -> None:
    for _ in range(2):
        ring(phone, "Bo", 6, 1, 0)
        ring(phone, "Bo", 7, 0, 0)
    answer = phone.client.get(phone.url("pad"))
    assert answer.status_code == 302
    page = phone.client.get(phone.url("result")).content.decode()
    assert "Ann" in page
    assert phone.scorer.reading.sheet.winner == 1
    phone.client.cookies[BROWSER_COOKIE] = SECRET
    status, told = as_script(phone, "shooter", "too-late")
    assert status == 422
    assert told["problem"] == "The game was over before that: it has no place on the sheet."


def test_what_may_be_left_out_is_written_in_its_place_and_taken_back_before_what_it_stands_on(phone: Plain) -> None:
    table = phone.scorer
    sure_of(table.enter(1, "shooter", first=1))
    answer = table.enter(1, "slip", who=2)
    assert isinstance(answer, Refused)
    assert answer.code == "out-of-turn"
    sure_of(table.enter(1, "ring", card="7"))
    sure_of(table.enter(1, "slip", who=2))
    for left in ({"shooter", "ring"}, {"shooter"}, set()):
        assert table.reading.sheet.unread == ()
        sure_of(table.undo(table.reading.take_back))
        assert {ask for _, ask in table.reading.entries} == left


@pytest.mark.thorough
def test_bids_in_turn_go_back_from_the_last_also_when_somebody_else_dealt(tmp_path: Path) -> None:
    with sixth_game(tmp_path / "another", game="sparrow"):
        phone = Plain(4, game="sparrow", plan={})
        table = phone.scorer
        sure_of(table.enter(1, "trump", suit="H"))
        for seat in (2, 3, 4, 1):
            sure_of(table.enter(1, f"bid-{seat}", bid=seat - 1))
        other = SetupCorrection({}, first_dealer=3)
        sure_of(correct_setup(table.sheet, other, saw={}, digest=None, key=new_key(), by=table.by))
        for seat in (3, 2, 1, 4):
            told = table.reading.standing[1, f"bid-{seat}"].first
            pad = face_of(pad_of(table.reading), page_of(table.reading))
            assert pad.back
            assert (table.reading.take_back, pad.back["version"]) == (told, told)
            sure_of(table.undo(told))
            assert table.reading.sheet.unread == ()
        assert set(table.reading.entries) == {(1, "trump")}


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["retype", "correct"])
def test_bids_in_turn_go_back_from_the_last_also_when_one_of_them_was_put_right(tmp_path: Path, how: str) -> None:
    with sixth_game(tmp_path / "another", game="sparrow"):
        table = Plain(4, game="sparrow", plan={}).scorer
        sure_of(table.enter(1, "trump", suit="H"))
        for seat in (2, 3):
            sure_of(table.enter(1, f"bid-{seat}", bid=1))
        address, step = (1, "bid-2"), {"bid": 0}
        if how == "correct":
            sure_of(corrected(table, {address: step}))
        else:
            sure_of(enter.retype(table.sheet, address, step, saw=table.saw(address), key=new_key(), by=table.by))
        # In the order of now what was typed anew is what was written last.
        assert sheet_and_pad_name(table.reading) == table.reading.last_write
        for seat in (4, 1):
            sure_of(table.enter(1, f"bid-{seat}", bid=1))
        assert sheet_and_pad_name(table.reading) == table.reading.last_write
        other = SetupCorrection({}, first_dealer=2)
        sure_of(correct_setup(table.sheet, other, saw={}, digest=None, key=new_key(), by=table.by))
        for seat in (2, 2, 1, 4, 3):
            before = table.reading.entries
            sure_of(table.undo(sheet_and_pad_name(table.reading)))
            after = table.reading.entries
            assert {place for place in before if before[place] != after.get(place)} == {(1, f"bid-{seat}")}
        assert set(table.reading.entries) == {(1, "trump")}


@pytest.mark.thorough
def test_a_game_that_bids_in_turn_and_declares_no_pad_is_kept_prompt_by_prompt(tmp_path: Path) -> None:
    with sixth_game(tmp_path / "another", game="sparrow"):
        phone = Plain(2, game="sparrow", plan={})
        for _ in range(4):
            hand = phone.scorer.reading.next_hand
            phone.tap("Hearts")
            order = phone.scorer.reading.sheet.open.hand.order
            steps = [(f"bid-{seat}", {"f-bid": "1"}) for seat in order]
            for ask, fields in [*steps, ("tricks", {"f-tricks-1": "1", "f-tricks-2": "2"})]:
                address, body = form(phone, ask)
                assert phone.client.post(address, body | fields).status_code == 303
                phone.look()
            assert phone.scorer.reading.sheet.totals == {1: 2 * hand, 2: 0}
        assert phone.scorer.reading.sheet.winner == 1
        for name in ("sheet", "rules_page", "words", "history", "links", "read_back", "blank_sheet"):
            assert phone.client.get(phone.url(name)).status_code == 200, name
