"""Sheets of every game written down as sheet files: read again they say the same, and so does what is written then."""

from __future__ import annotations

import json

import pytest

from rules import find_game
from rules.core.engine.replay import read
from rules.core.files.results import result_document
from rules.core.files.sheet_file import ReadDocument, read_document, read_object
from rules.core.files.writer import sheet_document
from rules.core.game import Game
from tests.rules.examples import accepted_documents, games_with_examples

GAMES = pytest.mark.parametrize("game", games_with_examples(), ids=lambda game: game.slug)


def written(found: ReadDocument) -> dict[str, object]:
    return sheet_document(
        found.game, found.table, found.entries, found.names, replaced=found.replaced, notes=found.notes
    )


def scored(found: ReadDocument) -> dict[str, object]:
    return result_document(found.sheet, found.names, found.names_at)


@GAMES
def test_what_is_written_down_is_read_as_the_same_sheet_and_written_down_the_same_again(game: Game) -> None:
    for said in accepted_documents(game):
        found = read_document(json.dumps(said))
        once = written(found)
        again = read_object(once)
        assert again.entries == found.entries
        assert scored(again) == scored(found)
        assert written(again) == once


@GAMES
def test_hand_that_is_open_is_written_as_far_as_a_file_has_a_place_for_it(game: Game) -> None:
    said = max(accepted_documents(game), key=lambda document: 1 < len(document["hands"]) < 6)
    found = read_document(json.dumps(said))
    last = found.sheet.rows[-1]
    names = list(last.hand.steps)
    whole = [row.hand.number for row in found.sheet.rows[:-1]]
    for many in range(len(names)):
        left = {(last.hand.number, ask) for ask in names[many:]}
        entries = {address: step for address, step in found.entries.items() if address not in left}
        sheet = read(found.game, found.table, entries)
        if not sheet.open or sheet.open.hand.number != last.hand.number:
            continue
        notes = {last.hand.number: "Somebody laughed."}
        file = sheet_document(found.game, found.table, entries, found.names, replaced=found.replaced, notes=notes)
        again = read_object(file)
        assert [row.hand.number for row in again.sheet.rows] == whole
        assert "Somebody laughed." in json.dumps(file)


def test_what_happens_in_a_deal_and_changes_no_score_is_left_out_of_the_file() -> None:
    found = read_document(
        json.dumps(max(accepted_documents(find_game("dirty-deals")), key=lambda document: len(document["hands"])))
    )
    entries = dict(found.entries) | {(1, "negotiation-1"): {}, (1, "negotiation-2"): {"ended": True}}
    file = sheet_document(found.game, found.table, entries, found.names)
    assert file == written(found)
