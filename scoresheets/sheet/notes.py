"""Notes about hands, with names. They are optional and never counted."""

from __future__ import annotations

from dataclasses import dataclass

from scoresheets.log.state import SheetReading
from scoresheets.wording.glossary import anchor


@dataclass(frozen=True)
class ShownNote:
    """A note as a page shows it. `tag` is a word of the game, found under `anchor` on the words page.

    `about` is whom it is about, "" for the whole table; `by` is the scorekeeper who wrote it down. `k` is its number
    among the notes of the hand, `version` the write that put it there.
    """

    hand: int
    k: int
    version: int
    tag: str
    anchor: str
    about: str
    text: str
    by: str


def said_of_hands(reading: SheetReading) -> dict[int, list[ShownNote]]:
    """Everything said on a sheet, by the number of the hand. No query."""
    if not reading.notes:
        return {}
    anchors = {word.term: anchor(word) for word in reading.game.words}
    by_hand: dict[int, list[ShownNote]] = {}
    for note in reading.notes:
        name = "" if note.seat is None else reading.names_at(note.hand).get(note.seat, "")
        shown = ShownNote(
            note.hand, note.k, note.version, note.tag, anchors.get(note.tag, ""), name, note.note, note.by
        )
        by_hand.setdefault(note.hand, []).append(shown)
    return by_hand
