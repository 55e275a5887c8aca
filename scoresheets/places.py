"""What stands at a place of the sheet, in words: "Ann took 2", "Flo’s bid 2 in hand 9".

Said by the names of asks and fields, which are what games share: a field `tricks-3` is what seat 3 took, in whatever
game. What has no word of its own here is said by its name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.cards import RANK_NAMES, SUIT_NAMES
from rules.core.steps import SHEET
from scoresheets.reading import NOTE, SET_UP
from scoresheets.sitting import ASK as SEAT_ASK
from scoresheets.speech import bare, listed, name_shown, rank_shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rules.core.steps import Address
    from scoresheets.reading import SheetReading

NUMBERED = re.compile(r"(.+?)-(\d+)")
BLIND = re.compile(r"tie-(\d+)-(.+)")
#: What somebody does with a number of his.
DONE = {"bid": "bid", "tricks": "took", "rank": "drew", "total": "brought"}
#: Fields that hold a seat.
SEATS = ("seat", "left_of", "last_dealer")
#: What a field of the whole table is called.
CALLED = {
    "suit": "trump",
    "turned": "turned",
    "missed": "The Rule was missed",
    "hands": "hands kept elsewhere",
    "last_dealer": "the last dealer",
}
#: What happened between hands, after whom it happened to.
HAPPENED = {"arrive": "came in", "leave": "went home", "substitute": "gave up the seat"}
THINGS = {"misdeal": "the misdeal", "stop": "the early end", "reseat": "the new order round the table"}


class Said(NamedTuple):
    """One value at a place: what it is about ("Ann took") and what it says ("2")."""

    about: SafeString
    value: SafeString


def where_of(address: Address) -> str:
    """The row of the sheet a place belongs to: "hand 4", "the blind hand", "the draw", "hands kept elsewhere"."""
    hand, ask = address
    if hand != SHEET:
        return f"hand {hand}"
    if found := BLIND.fullmatch(ask):
        return "the blind hand" if found[1] == "1" else f"blind hand {found[1]}"
    if ask.startswith("draw-"):
        return "the draw" if ask == "draw-1" else f"draw {ask.removeprefix('draw-')}"
    return "hands kept elsewhere" if ask == "carried" else "the set-up"


def values_at(names: Mapping[int, str], address: Address, step: Mapping[str, Any]) -> Iterator[tuple[str, Said]]:
    """Every field of what stands at a place, by its name, in words."""
    own = BLIND.fullmatch(address[1])
    ask = own[2] if own else address[1]
    spoken = NUMBERED.fullmatch(ask)
    for field, value in step.items():
        if value is None:
            continue
        numbered = NUMBERED.fullmatch(field)
        kind, seat = (numbered[1], int(numbered[2])) if numbered else (field, None)
        if seat is None and spoken and spoken[1] == field:
            seat = int(spoken[2])
        shown = value_shown(names, kind, value)
        if seat is not None and seat in names:
            yield field, Said(format_html("{} {}", name_shown(names[seat]), DONE.get(kind, in_words(kind))), shown)
        elif value is True:
            yield field, Said(escape(CALLED.get(kind, in_words(kind))), SafeString())
        else:
            yield field, Said(escape(CALLED.get(kind, in_words(kind))), shown)


def value_shown(names: Mapping[int, str], kind: str, value: object) -> SafeString:
    """One value as it is read."""
    if isinstance(value, bool):
        return escape("yes" if value else "no")
    if isinstance(value, int):
        return name_shown(names[value]) if kind in SEATS and value in names else escape(bare(value))
    text = str(value)
    if kind == "suit":
        return escape(SUIT_NAMES.get(text, text))
    if kind == "turned" and len(text) == 2 and text[0] in RANK_NAMES and text[1] in SUIT_NAMES:
        return escape(f"the {RANK_NAMES[text[0]]} of {SUIT_NAMES[text[1]]}")
    return escape(rank_shown(text) if kind == "rank" else text)


def in_words(kind: str) -> str:
    """The name of a field as words.

    >>> in_words("held_hearts"), in_words("works-first")
    ('held hearts', 'works first')
    """
    return kind.replace("_", " ").replace("-", " ")


def what_is_there(reading: SheetReading, address: Address) -> SafeString:
    """What stands at a place, and where: "Flo’s bid 2 in hand 9", "the tricks of hand 9: Ann 2, Bo 1"."""
    hand, ask = address
    step, names, where = reading.standing[address].data, reading.names_at(hand), where_of(address)
    if event := event_there(reading, address):
        return format_html("{} before {}", event, where)
    if address == SET_UP:
        return escape("the set-up")
    if ask.startswith(NOTE):
        return format_html("what was said about {}", where)
    own = BLIND.fullmatch(ask)
    spoken = NUMBERED.fullmatch(own[2] if own else ask)
    said = list(values_at(names, address, step))
    if spoken and spoken[1] in DONE and int(spoken[2]) in names and len(said) == 1:
        return format_html("{}’s {} {} in {}", name_shown(names[int(spoken[2])]), spoken[1], said[0][1].value, where)
    values = listed([format_html("{} {}", one.about, one.value) if one.value else one.about for _, one in said])
    return format_html("{}: {}", where[:1].upper() + where[1:], values)


def event_there(reading: SheetReading, address: Address) -> SafeString | None:
    """What happened between hands, in words; None where the place is none of that kind."""
    numbered = NUMBERED.fullmatch(address[1])
    if SEAT_ASK.fullmatch(address[1]):
        return escape("who sits where")
    if numbered is None or numbered[1] not in reading.game.events:
        return None
    kind, seat = numbered[1], reading.standing[address].data.get("seat")
    if kind in HAPPENED and isinstance(seat, int):
        before = reading.replaced.get(address) or reading.names_at(address[0]).get(seat, "")
        return format_html("{} {}", name_shown(before), HAPPENED[kind])
    return escape(THINGS.get(kind, in_words(kind)))


def what_is_new(before: SheetReading, after: SheetReading, address: Address) -> list[SafeString]:
    """How what stands at a place differs, value by value: "Ann took 1 instead of 2"."""
    if address == SET_UP or event_there(before if address in before.standing else after, address):
        return event_is_new(before, after, address)
    names, is_note = {**before.names_at(address[0]), **after.names_at(address[0])}, address[1].startswith(NOTE)
    old, new = (
        dict(values_at(names, address, reading.standing[address].data)) if address in reading.standing else {}
        for reading in (before, after)
    )
    if is_note:
        return [escape("what was said is taken back" if old else "something is said")]
    return [
        differently(old.get(field), new.get(field))
        for field in dict.fromkeys([*old, *new])
        if old.get(field) != new.get(field)
    ]


def event_is_new(before: SheetReading, after: SheetReading, address: Address) -> list[SafeString]:
    """What comes to have happened, or not; who sits where and the set-up are said by what they move."""
    if address == SET_UP or SEAT_ASK.fullmatch(address[1]):
        return []
    told = [event_there(reading, address) if address in reading.standing else None for reading in (before, after)]
    if told[0] and told[1]:
        return [] if told[0] == told[1] else [format_html("{} instead of: {}", told[1], told[0])]
    return [format_html("{}", told[1])] if told[1] else [format_html("no longer: {}", told[0] or "")]


def differently(old: Said | None, new: Said | None) -> SafeString:
    """One value instead of another."""
    if new is None:
        return format_html("no longer: {}", spaced(old)) if old else SafeString()
    if old is None or not new.value:
        return spaced(new)
    return format_html("{} {} instead of {}", new.about, new.value, old.value or escape("nothing"))


def spaced(said: Said) -> SafeString:
    return format_html("{} {}", said.about, said.value) if said.value else said.about
