"""A log file has a sheet with its whole history, and the sheet that is made from it is the same."""

from __future__ import annotations

import copy as copies
import json
from collections.abc import Callable
from typing import Any

import pytest

from rules.core.fields import SHEET
from scoresheets.access.scorekeepers import cut_off, rename_scorekeeper
from scoresheets.commands import enter
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.files.log_export import Copy, copies_of, players_in, renumbered
from scoresheets.files.log_import import lay_out, write_the_rest
from scoresheets.files.log_schema import faults_of_copy
from scoresheets.history.timeline import revision_texts, writes_of
from scoresheets.log.entries import entry_history
from scoresheets.log.publish import is_published
from scoresheets.log.state import SheetReading
from scoresheets.models import FinalPlacing, HandFact, Player, Revision, Scorekeeper, Sheet
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of
from tests.fuzz.tables import MOMENTS, people_come_and_go

pytestmark = pytest.mark.django_db


def copy_of(sheet: Sheet) -> Copy:
    """The copy with its players by number, as it comes out of a file; and through one."""
    sheet.refresh_from_db()
    ((_, copy),) = copies_of([sheet])
    numbers: dict[int, int] = {}
    for player, _ in players_in(copy):
        numbers.setdefault(player, len(numbers) + 1)
    return json.loads(json.dumps(renumbered(copy, lambda player, _: numbers[player])))


def laid_out(copy: Copy) -> SheetReading:
    players: dict[int, int] = {}
    for number, name in players_in(copy):
        if number not in players:
            players[number] = Player.objects.create(name=name).pk
    return lay_out(copy, players.__getitem__)


def faults(copy: Any) -> list[str]:
    return [problem.message for problem in faults_of_copy(copy, "Here", players=100)]


def told(reading: SheetReading) -> tuple[Any, ...]:
    """What a sheet comes to, what ever stood on it, and its history read aloud."""
    past = entry_history(reading.record)
    aloud = [
        str(revision)
        for _, revision in revision_texts(reading, writes_of(reading.record, (1, reading.version)), past, by=None)
    ]
    rows = [(row.address, {k: v for k, v in row.data.items() if k != "player"}, row.added, row.withdrawn, row.first,
             row.by, row.at, row.verb) for row in past.rows]  # fmt: skip
    return reading.sheet, reading.names, reading.setup, rows, aloud


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
def test_sheet_laid_out_of_its_copy_is_the_same_sheet(moment: Callable[..., Scorer]) -> None:
    before = moment().reading
    copy = copy_of(before.record)
    assert faults(copy) == []
    after = laid_out(copy)
    assert told(after) == told(before)
    assert copy_of(after.record) == copy
    assert is_published(after)
    assert (
        FinalPlacing.objects.filter(sheet=after.record).count()
        == FinalPlacing.objects.filter(sheet=before.record).count()
    )
    assert HandFact.objects.filter(sheet=after.record).count() == HandFact.objects.filter(sheet=before.record).count()


def test_nothing_in_a_copy_opens_a_sheet_or_lets_anybody_write() -> None:
    table = people_come_and_go()
    sheet = table.sheet
    ScorekeeperFactory(sheet=sheet)
    said = json.dumps(copy_of(sheet))
    secrets = [sheet.code, sheet.watch, str(sheet.opening)]
    secrets += Scorekeeper.objects.values_list("browser", flat=True)
    secrets += Revision.objects.values_list("key", flat=True)
    assert [secret for secret in secrets if secret and secret in said] == []
    laid = laid_out(copy_of(sheet)).record
    assert (laid.code, laid.watch) != (sheet.code, sheet.watch)
    assert set(laid.scorekeepers.values_list("browser", "user", "link")) == {("", None, None)}


def test_copy_has_who_wrote_what_by_name() -> None:
    table = scorer(3)
    table.clear_hand()
    marge = Scorer(table.sheet, ScorekeeperFactory(sheet=table.sheet, name="Marge"))
    sure_of(marge.bid(3, 1))
    assert rename_scorekeeper(table.by, "Ann") is None
    assert cut_off(marge.by, by=table.by)
    copy = copy_of(table.sheet)
    assert [keeper["name"] for keeper in copy["scorekeepers"]] == ["Ann", "Marge"]
    assert [("cut_off" in keeper) for keeper in copy["scorekeepers"]] == [False, True]
    reading = laid_out(copy)
    assert {entry.by for entry in reading.standing.values()} == {"Ann", "Marge"}


def test_table_goes_on_with_what_was_laid_out() -> None:
    table = people_come_and_go()
    reading = laid_out(copy_of(table.sheet))
    marge = Scorer(reading.record, ScorekeeperFactory(sheet=reading.record))
    sure_of(marge.undo())
    assert marge.reading.version == table.reading.version + 1
    sure_of(table.undo())
    assert marge.reading.sheet == table.reading.sheet
    marge.any_game()
    assert marge.reading.finished


def test_rest_of_a_copy_is_written_on_the_sheet_that_has_its_beginning() -> None:
    table = people_come_and_go()
    early = copy_of(table.sheet)
    laid = laid_out(early)
    sure_of(table.undo())
    sure_of(enter.note(table.sheet, 1, text="Rain.", key=new_key(), by=table.by))
    mended = SetupCorrection({(SHEET, "sits-1"): "Anna"})
    sure_of(correct_setup(table.sheet, mended, saw={}, digest=None, key=new_key(), by=table.by))
    marge = Scorer(table.sheet, ScorekeeperFactory(sheet=table.sheet))
    marge.any_game()
    assert rename_scorekeeper(table.by, "Ann") is None
    late = copy_of(table.sheet)
    numbers = {number: player for number, _, player in laid.record.seats.values_list("number", "pk", "player")}
    players = {number: numbers[seat] for seat, number, _ in late["seats"] if seat in numbers}
    others: dict[int, int] = {}

    def player(number: int) -> int:
        if number in players:
            return players[number]
        return others.setdefault(number, Player.objects.create(name="new").pk)

    after = write_the_rest(laid.record, late, player, since=len(early["writes"]))
    assert copy_of(after.record) == late
    assert told(after) == told(table.reading)


def spoiled(copy: Copy, change: Callable[[Copy], object]) -> Copy:
    other = copies.deepcopy(copy)
    change(other)
    return other


SPOILS: dict[str, Callable[[Copy], object]] = {
    "no game": lambda c: c.update(game="whist"),
    "no writes": lambda c: c.update(writes=[]),
    "unknown key": lambda c: c.update(code="x" * 22),
    "browser": lambda c: c["scorekeepers"][0].update(browser="0" * 64),
    "a moment that is none": lambda c: c.update(opened="yesterday"),
    "a moment without an end": lambda c: c.update(opened="9999-12-31T23:59:59.999999Z"),
    "nobody wrote it": lambda c: c["writes"][1].update(by=9),
    "a verb that is none": lambda c: c["writes"][1].update(verb="rob"),
    "takes back the future": lambda c: c["writes"][1].update(undoes=5),
    "withdraws nothing": lambda c: c["writes"][1].update(withdraws=[[7, "bid-1"]]),
    "written twice": lambda c: c["writes"][2].update(adds=c["writes"][1]["adds"]),
    "no set-up": lambda c: c["writes"][0].update(adds=[]),
    "set-up withdrawn": lambda c: c["writes"][-1].update(withdraws=[[0, "table"]]),
    "no dealer": lambda c: c["writes"][0]["adds"][0][2].update(first_dealer=99),
    "seats that are none": lambda c: c["writes"][0]["adds"][0][2].update(seats=[1, 1]),
    "endless hands": lambda c: c["writes"][0]["adds"][0][2].update(plan={"hands": 10**9}),
    "house rule": lambda c: c["writes"][0]["adds"][0][2].update(house_rules={"a": []}),
    "nested": lambda c: c["writes"][1]["adds"][0][2].update(bid={"a": 1}),
    "a large number": lambda c: c["writes"][1]["adds"][0][2].update(bid=10**12),
    "a place that is none": lambda c: c["writes"][1]["adds"][0].__setitem__(1, "BID 2"),
    "a player that is none": lambda c: c["seats"][0].__setitem__(1, 10**6),
    "seat twice": lambda c: c["seats"].append(c["seats"][0]),
    "half a letter": lambda c: c.update(title="\ud800"),
    "nul": lambda c: c["seats"][0].__setitem__(2, "A\x00"),
    "somebody nobody knows": lambda c: c["writes"].append(
        {"by": 1, "at": c["opened"], "verb": "set-up", "adds": [[0, "sits-1", {"name": "Zed", "player": 9999}]]}
    ),
    "a seat nobody has": lambda c: c["writes"].append(
        {"by": 1, "at": c["opened"], "verb": "arrive", "adds": [[2, "arrive-9", {"seat": 77}]]}
    ),
    "note about a seat that is a list": lambda c: c["writes"].append(
        {"by": 1, "at": c["opened"], "verb": "note", "adds": [[1, "note-9", {"tag": "", "seat": [], "note": ""}]]}
    ),
    "note with a number for a tag": lambda c: c["writes"].append(
        {"by": 1, "at": c["opened"], "verb": "note", "adds": [[1, "note-9", {"tag": 7, "seat": None, "note": ""}]]}
    ),
    "true for a number": lambda c: c["writes"][1].update(by=True),
}


def test_note_keeps_a_tag_that_its_game_has_no_more() -> None:
    copy = copy_of(people_come_and_go().sheet)
    data = {"tag": "The Wobble", "seat": None, "note": ""}
    copy["writes"].append({"by": 1, "at": copy["opened"], "verb": "note", "adds": [[1, "note-9", data]]})
    assert not faults(copy)


def test_copy_that_does_not_hold_together_is_refused() -> None:
    copy = copy_of(people_come_and_go().sheet)
    assert [name for name, spoil in SPOILS.items() if not faults(spoiled(copy, spoil))] == []


@pytest.mark.parametrize("other", [None, 1, "x", [], {}, [[]], {"writes": 3}])
def test_what_is_no_copy_is_refused(other: object) -> None:
    assert faults(other)
