"""The four laws that every game keeps, on sheets made from its own declarations."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import all_games
from rules.core.engine.replay import Sheet, problems, read, stood
from rules.core.files.results import result_document
from rules.core.files.sheet_file import read_object
from rules.core.files.writer import sheet_document
from rules.core.table import Hand
from tests.rules.strategies import addresses_of, any_step, kept_sheets, tables

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


def everything(sheet: Sheet):
    """All a sheet says of itself; that it can be said is half of the law."""
    for row in sheet.rows:
        for seat in row.points:
            assert sheet.game.why(row.table, row.hand, seat)
        sheet.game.hand_callouts(row)
    seats = {*sheet.table.seats, *sheet.table.gone, *(seat for row in sheet.rows for seat in row.points)}
    return json.dumps(result_document(sheet, {seat: f"Seat {seat}" for seat in seats})), sheet.unread


@GAMES
@given(data=st.data())
def test_law_1_reading_never_raises_whatever_is_recorded(game, data):
    table = data.draw(tables(game))
    entries = data.draw(st.dictionaries(addresses_of(game, table), any_step(game, table), max_size=25))
    sheet = read(game, table, entries)
    everything(sheet)
    assert set(sheet.unread) <= set(entries), "nothing is lost"


@GAMES
@given(data=st.data())
def test_law_1_step_that_is_spoiled_opens_its_hand_again_and_leaves_what_stands_before_it(game, data):
    table, entries = data.draw(kept_sheets(game))
    sheet = read(game, table, entries)
    if not entries:
        return
    address = data.draw(st.sampled_from(sorted(entries)))
    spoiled = read(game, table, {**entries, address: data.draw(any_step(game, table))})
    everything(spoiled)
    if address[0] > 0:
        before = [row for row in sheet.rows if row.hand.number < address[0]]
        assert list(spoiled.rows[: len(before)]) == before


@GAMES
@given(data=st.data())
def test_law_2_checking_is_pure_and_total(game, data):
    table, entries = data.draw(kept_sheets(game))
    address, step = data.draw(addresses_of(game, table)), data.draw(any_step(game, table))
    before = repr((table, entries, step))
    found = problems(game, table, entries, address, step)
    assert found == problems(game, table, entries, address, step)
    assert repr((table, entries, step)) == before
    for problem in found:
        assert problem.code == problem.code.lower().strip()
        assert problem.message.endswith((".", "?"))
    if not any(problem.blocking for problem in found):
        assert address not in read(game, table, {**entries, address: step}).unread, "what is accepted is read"


@GAMES
@given(data=st.data())
def test_law_2_everything_accepted_is_read(game, data):
    table, entries = data.draw(kept_sheets(game))
    sheet = read(game, table, entries)
    assert sheet.unread == ()
    for address, step in entries.items():
        found = stood(game, table, entries, address)
        assert found is None or list(found.ask.problems(step)) == []


@GAMES
@given(data=st.data())
def test_law_3_result_is_asked_of_complete_hands_only(game, data):
    table, entries = data.draw(kept_sheets(game))
    asked: list[Hand] = []

    class Witness(type(game)):
        def result(self, table, hand):
            missing = [ask.name for ask in self.asks(table, hand) if not ask.optional and ask.name not in hand.steps]
            assert missing == []
            asked.append(hand)
            return super().result(table, hand)

    sheet = read(Witness(), table, entries)
    assert [hand.number for hand in asked] == [row.hand.number for row in sheet.rows]


@GAMES
@given(data=st.data())
def test_law_4_same_sheet_says_the_same_whatever_people_are_called(game, data):
    table, entries = data.draw(kept_sheets(game))
    sheet = read(game, table, entries)
    seats = {*table.seats, *sheet.table.gone, *sheet.table.seats}
    seats |= {seat for row in sheet.rows for seat in row.points}
    names = {seat: f"Mx {seat}!" for seat in seats}
    others = {seat: f"<{seat * 7}>" for seat in seats}
    said = json.dumps(result_document(sheet, names))
    for seat in sorted(seats, reverse=True):
        said = said.replace(json.dumps(names[seat]), json.dumps(others[seat]))
    assert json.loads(said) == json.loads(json.dumps(result_document(sheet, others)))


@GAMES
@given(data=st.data())
def test_totals_are_the_points_and_marks_are_their_top_and_bottom(game, data):
    table, entries = data.draw(kept_sheets(game))
    for row in read(game, table, entries).rows:
        assert tuple(row.totals) == row.table.seats == tuple(row.points)
        if row.result.wins_leg is None:
            assert all(row.totals[seat] == row.table.totals[seat] + row.points[seat] for seat in row.table.seats)
        ends = (min, max) if game.lowest_wins(table) else (max, min)
        for seats, end in zip((row.boxed, row.circled), ends, strict=True):
            assert seats == tuple(seat for seat in row.totals if row.totals[seat] == end(row.totals.values()))
        assert row.hand.dealer == row.hand.order[-1]


@GAMES
@given(data=st.data())
def test_sheet_waits_for_something_until_it_is_finished(game, data):
    table, entries = data.draw(kept_sheets(game))
    sheet = read(game, table, entries)
    assert sheet.finished is (sheet.waiting == ())
    settlement = sheet.settlement
    asked = (sheet.open and sheet.open.missing) or (settlement and (settlement.asks or settlement.may_rule))
    assert bool(asked) is not sheet.finished, "and whatever it waits for, it asks for"
    assert len({placing.seat for placing in sheet.placings}) == len(sheet.table.seats)


@GAMES
@given(data=st.data())
def test_sheet_that_is_written_down_and_read_again_is_the_same(game, data):
    table, entries = data.draw(kept_sheets(game))
    sheet = read(game, table, entries)
    steps = [step for (_, ask), step in entries.items() if ask.startswith("arrive")]
    names = {seat: f"Seat {seat}" for seat in {*table.seats, *(step["seat"] for step in steps)}}
    replaced = {address: f"Was {address}" for address in entries if address[1].startswith("substitute")}
    document = sheet_document(game, table, entries, names, replaced=replaced)
    found = read_object(json.loads(json.dumps(document)))
    if sheet.settlement and sheet.settlement.hand and sheet.settlement.hand.steps:
        return  # the bids of a blind hand that is not over have no place in a document
    once = result_document(found.sheet, found.names, found.names_at)
    again = result_document(sheet, names)
    assert numbers_of(once.pop("hands")) == numbers_of(again.pop("hands"))
    assert once == again
    assert read_object(document | sheet_document_of(found)).entries == found.entries


def numbers_of(hands):
    """The rows of a result without the names of who sat there then."""
    return [(hand["number"], *hand["points"].values(), *hand["totals"].values()) for hand in hands]


def sheet_document_of(found):
    """What has been read, written down once more."""
    return sheet_document(found.game, found.table, found.entries, found.names, replaced=found.replaced)
