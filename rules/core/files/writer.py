"""The writer of sheet files, which :mod:`rules.core.files.sheet_file` reads.

Reading the document again makes the same sheet: the same totals, marks, places and ties. Entries that are unread (a
step that no longer fits, the bids of an unfinished blind hand) are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.core.engine.replay import Sheet, read
from rules.core.fields import SHEET, Address, Value
from rules.core.files import group_keys
from rules.core.files.game_file import file_of
from rules.core.files.items import ItemWriter
from rules.core.files.reader import STOPPED_AFTER
from rules.core.files.sheet_file import SHEET_FORMAT
from rules.core.game import Game
from rules.core.table import Event, Table

#: What a document may say without effect on the score, in this order.
REMARKS = ("club", "table", "played_on", "notes")


def sheet_document(
    game: Game,
    table: Table,
    entries: Mapping[Address, Mapping[str, Value]],
    names: Mapping[int, str],
    *,
    replaced: Mapping[Address, str] | None = None,
    notes: Mapping[int, str] | None = None,
    remarks: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """The sheet as ``score-sheet/1``.

    ``table`` is as it was opened; ``names`` are those on the seats at the end, and ``replaced`` says by the address
    of a substitution who gave up the seat. ``notes`` are by hand; ``remarks`` the other keys without effect.
    """
    sheet = read(game, table, entries)
    pages = Pages(sheet, dict(names), replaced or {}, notes or {})
    players = pages.names_before([*(row.events for row in sheet.rows), pages.since])
    document: dict[str, object] = {
        "format": SHEET_FORMAT,
        "game": game.slug,
        "players": [players[seat] for seat in table.seats],
        "first_dealer": players[table.first_dealer],
    }
    defaults = {rule.key: rule.default for rule in game.house_rules}
    house_rules = {key: value for key, value in table.house_rules.items() if value != defaults.get(key)}
    if house_rules:
        document["house_rules"] = house_rules
    if plan := pages.file.plan_document(table):
        document["plan"] = plan
    document |= group_keys.write_decides(table.decides, players)
    carried = game.carried_ask(table)
    first = entries.get((SHEET, carried.name)) if carried else None
    pages.names = players
    document["hands"] = [*pages.carried(first), *pages.hands()]
    if sheet.table.stopped:
        document[STOPPED_AFTER] = sheet.table.hands_done
    document |= pages.file.write_rest(sheet, pages.names) | group_keys.write_rulings(sheet, pages.names)
    texts = dict(remarks or {})
    texts["notes"] = " ".join(part for part in (texts.get("notes", ""), pages.notes_left()) if part)
    return document | {key: texts[key] for key in REMARKS if texts.get(key)}


class Pages:
    """Walks a sheet from its first hand to its last with the names that sat there at the time."""

    def __init__(
        self, sheet: Sheet, names: dict[int, str], replaced: Mapping[Address, str], notes: Mapping[int, str]
    ) -> None:
        self.sheet, self.names, self.replaced = sheet, names, replaced
        self.notes = dict(notes)
        self.file = file_of(sheet.game)
        #: What happened since the last scored hand; nothing that counts, where the table stopped there.
        self.since = () if sheet.table.stopped else sheet.events

    def names_before(self, happened: Iterable[tuple[Event, ...]]) -> dict[int, str]:
        """Who sat where before anything happened: everybody who gave up a seat has it back."""
        names = dict(self.names)
        first = self.sheet.rows[0].hand.number if self.sheet.rows else self.sheet.table.hands_done + 1
        by_address = {(first + at, event.name): event for at, events in enumerate(happened) for event in events}
        self.taken_by = {}
        for address, event in reversed(by_address.items()):
            if address in self.replaced:
                seat = int(event.step["seat"] or 0)
                self.taken_by[address] = names[seat]
                names[seat] = self.replaced[address]
        return names

    def carried(self, step: Mapping[str, Value] | None) -> Iterator[dict[str, object]]:
        """Hands that were kept elsewhere."""
        if step is not None:
            item = ItemWriter(self.sheet.game, self.sheet.table, self.names)
            self.file.write_carried(step, item)
            yield item.item

    def hands(self) -> Iterator[dict[str, object]]:
        """What happened between hands and the hands themselves, the open one too if anything stands there."""
        for row in self.sheet.rows:
            yield from self.between(row.hand.number, row.events)
            item = ItemWriter(self.sheet.game, row.table, self.names)
            self.file.write_item(row, row.hand, item)
            yield self.with_note(row.hand.number, item)
        yield from self.between(self.sheet.table.hands_done + 1, self.since)
        opened = self.sheet.open
        if opened and opened.hand.steps:
            item = ItemWriter(self.sheet.game, self.sheet.table, self.names)
            self.file.write_item(None, opened.hand, item)
            # Not every game has a place for a hand that is still played.
            if item.item:
                yield self.with_note(opened.hand.number, item)

    def between(self, number: int, events: tuple[Event, ...]) -> Iterator[dict[str, object]]:
        """What happened before hand ``number``, with the names changing hands where somebody took over."""
        for event in events:
            before = ""
            if (number, event.name) in self.taken_by:
                seat = int(event.step["seat"] or 0)
                before, self.names = self.names[seat], {**self.names, seat: self.taken_by[number, event.name]}
            item = ItemWriter(self.sheet.game, self.sheet.table, self.names)
            self.file.write_event(event, item, before=before)
            if item.item:
                yield item.item

    def with_note(self, number: int, item: ItemWriter) -> dict[str, object]:
        """The item with what was said about the hand."""
        if number in self.notes:
            item.put("note", self.notes.pop(number))
        return item.item

    def notes_left(self) -> str:
        """What was said about hands that have no item, such as one of which nothing stands yet."""
        left = sorted(self.notes.items())
        return " ".join(f"Hand {number}: {note}" if number else note for number, note in left)
