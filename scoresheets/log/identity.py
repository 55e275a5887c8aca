"""The people at a table, as the club of the sheet knows them.

A sheet knows no club. By signal it asks whose name was typed, and announces a change of the seating.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.dispatch import Signal

from rules.core.fields import Address
from scoresheets.log.occupants import SITS, Wish
from scoresheets.log.state import SheetReading
from scoresheets.models import Player, Sheet

#: Sent with `sheet`, `name`, `seated`, the players (ids) who sit there, and `instead_of`, the player (id) whose name is
#: corrected to it, or None. The answer is a list of `Namesake`; that player in it is "still the same person".
name_was_typed = Signal()
#: Sent in the transaction of a write by which somebody else sits at the table, or under another name: `before`, `after`
#: and `strangers`, the players (ids) of whom the scorekeeper has said that they are none of those the club proposed.
seating_changed = Signal()

#: Sent with `sheet` and `players` (ids) who sit there now and did not before. The answer is a mapping of those the club
#: knows to their `Wish`.
badges_wanted = Signal()

#: How the names of entries begin that say who sits at a table.
SEATING = (SITS, "arrive-", "substitute-")


@dataclass(frozen=True)
class Namesake:
    """A person of the club whose name is like one that was typed: `player` has the name to seat them under.

    `note` tells them apart: where they sit at the moment, perhaps.
    """

    player: Player
    note: str = ""


def namesakes(
    sheet: Sheet, name: str, seated: Collection[int], *, instead_of: int | None = None
) -> list[Namesake]:  # fmt: skip
    """Whose name that may be at this table, the likeliest first; nobody's without a club.

    Empty: there is nothing to ask. Who sits there already under a name that is like it needs no question.
    """
    if not sheet.home:
        return []
    answers: Sequence[tuple[object, Any]] = name_was_typed.send(
        Sheet, sheet=sheet, name=name, seated=seated, instead_of=instead_of
    )
    return [namesake for _, answer in answers for namesake in answer]


def tell_seating(
    before: SheetReading, after: SheetReading, touched: Iterable[Address], strangers: Collection[int]
) -> None:
    """Send the signal to the club if the revision has `touched` who sits there. Call it inside its transaction."""
    if after.record.home and any(ask.startswith(SEATING) for _, ask in touched):
        seating_changed.send(Sheet, before=before, after=after, strangers=frozenset(strangers))


def wishes_of_newcomers(before: SheetReading, after: SheetReading, touched: Iterable[Address]) -> dict[str, Wish]:
    """By what those want to be known who have just sat down at a table of a club: players (ids as text).

    Asked only where the revision has `touched` who sits there, and of nobody who sat there before: a badge stays as it
    is.
    """
    sheet = after.record
    if not sheet.home or not any(ask.startswith(SEATING) for _, ask in touched):
        return {}
    new = after.sitting.everybody.keys() - before.sitting.everybody.keys()
    players = [player for player in new if str(player) not in sheet.badges]
    if not players:
        return {}
    answers: Sequence[tuple[object, Any]] = badges_wanted.send(Sheet, sheet=sheet, players=players)
    return {str(player): wish for _, answer in answers for player, wish in answer.items()}
