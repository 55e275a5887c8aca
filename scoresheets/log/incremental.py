"""Incremental replay from the first changed hand, so that hand 20 costs no more than hand 1.

The rules fold a sheet hand by hand. Hands before the first change have the same result, so they are reused. Tests
compare these states with those of a full replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from rules.core.engine.replay import Sheet, read
from rules.core.fields import SHEET, Address, Value
from rules.core.table import Table

Entries = Mapping[Address, Mapping[str, Value]]


class Rest(NamedTuple):
    """A table as a hand finds it before anything happens, and the entries from that hand on."""

    table: Table
    entries: Entries


def rest_from(sheet: Sheet, hand: int, entries: Entries) -> Rest | None:
    """What is left to read from `hand` on. None: the hand before it is no row of the sheet, so read all of it."""
    row = sheet.row(hand - 1)
    if row is None:
        return None
    carried = sheet.game.carried_ask(row.table)
    before = (SHEET, carried.name) if carried else None
    table = sheet.game.following(row)
    return Rest(table, {a: step for a, step in entries.items() if (a[0] >= hand or a[0] == SHEET) and a != before})


def read_on(sheet: Sheet, opened: Table, before: Entries, after: Entries) -> Sheet:
    """The sheet with `after` written on it; `sheet` is how it reads with `before`, from the table as it was opened."""
    changed = [address for address in before.keys() | after.keys() if before.get(address) != after.get(address)]
    carried = sheet.game.carried_ask(opened)
    is_carried_anew = carried is not None and (SHEET, carried.name) in changed
    if is_carried_anew or opened.known_occupants != sheet.table.known_occupants:
        return read(sheet.game, opened, after)
    hand = min((address[0] for address in changed if address[0] != SHEET), default=sheet.table.hands_done + 1)
    hand = min(hand, sheet.table.hands_done + 1)
    rest = rest_from(sheet, hand, after)
    if rest is None:
        return read(sheet.game, opened, after)
    later = read(sheet.game, rest.table, rest.entries)
    earlier = [address for address in sheet.unread if SHEET < address[0] < hand]
    return replace(later, unread=tuple(sorted((*earlier, *later.unread))))
