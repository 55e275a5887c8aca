"""What is written on a sheet, in words: what it is about, in which hand, and what it says.

The words come from the game (`Game.asked`) and from the fields it declares; a game that says nothing has its asks
called by their names. Names of people are those who sat there when the hand was played.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.html import escape, format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString

from rules.core.cards import DECK, RANK_NAMES, RANKS, SUIT_NAMES
from rules.core.steps import SHEET, SeatChoice
from scoresheets.speech import name_shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rules.core.game import Game
    from rules.core.hands import Table
    from rules.core.steps import Address, Ask
    from scoresheets.ink import Change
    from scoresheets.reading import SheetReading

#: `bid-3`, `tie-1-bid-3`, `sits-3-1`: a blind hand, what is asked, a seat or a number, and the number of an event.
ASK = re.compile(r"(?:tie-(?P<blind>\d+)-)?(?P<stem>[a-z]+(?:-[a-z]+)*)(?:-(?P<number>\d+))?(?:-(?P<event>\d+))?")
#: What every sheet has, whatever its game.
OF_EVERY_SHEET = {"table": "the set-up", "sits": "the name on {seat}’s seat", "note": ""}
#: In the set-up, by the name of the field.
SET_UP = {
    "first_dealer": "first dealer", "found": "found by", "peak": "most cards", "extra_rounds": "extra rounds",
    "hands": "hands", "house_rules": "house rules", "title": "called", "seats": "seats",
}  # fmt: skip


class Declared(NamedTuple):
    """What the fields of a game are, by the name of the ask and the field without their numbers."""

    by_seat: frozenset[tuple[str, str]]
    seats: frozenset[tuple[str, str]]


def declared(game: Game, table: Table) -> Declared:
    """The fields as the game declares them at the table as it was opened."""
    asks: list[Ask] = [*game.asks(table, game.deal(table)), *(game.event_ask(table, kind, 1) for kind in game.events)]
    carried = game.carried_ask(table)
    fields = [(stem_of(ask.name), field) for ask in [*asks, *([carried] if carried else [])] for field in ask.fields]
    return Declared(
        frozenset(
            (ask, stem_of(field.name)) for ask, field in fields if field.seat and field.name != stem_of(field.name)
        ),
        frozenset((ask, stem_of(field.name)) for ask, field in fields if isinstance(field, SeatChoice)),
    )


def stem_of(name: str) -> str:
    """The name of an ask or a field without numbers.

    >>> stem_of("bid-3"), stem_of("tie-1-tricks"), stem_of("rule-missed"), stem_of("left_of")
    ('bid', 'tricks', 'rule-missed', 'left_of')
    """
    found = ASK.fullmatch(name)
    return found["stem"] if found else name


class Jottings:
    """Puts into words what stands, or stood, on one sheet. No query."""

    def __init__(self, reading: SheetReading) -> None:
        self.reading = reading
        self.first = {seat: chair.name for seat, chair in reading.chairs.items()}
        self.names: dict[int, dict[int, str]] = {}
        self.fields = declared(reading.game, reading.table)

    def name(self, seat: object, hand: int = SHEET) -> SafeString:
        """Who sat there when `hand` was played."""
        if hand not in self.names:
            self.names[hand] = self.first | self.reading.names_at(hand)
        return name_shown(self.names[hand].get(seat, "somebody") if isinstance(seat, int) else "somebody")

    # What it is about

    def where(self, address: Address) -> str:
        """The hand: "hand 4", "the blind hand"; "" for what belongs to the sheet alone."""
        hand, ask = address
        found = ASK.fullmatch(ask)
        if hand != SHEET:
            return f"hand {hand}"
        if found is None or found["blind"] is None:
            return ""
        return "the blind hand" if found["blind"] == "1" else f"blind hand {found['blind']}"

    def what(self, address: Address, data: Mapping[str, Any] | None = None) -> SafeString:
        """What stands at an address: "Ann’s bid", "the tricks". `data`: of an event, which says whom it is about."""
        hand, ask = address
        found = ASK.fullmatch(ask)
        stem = found["stem"] if found else ask
        said = self.reading.game.asked.get(stem, OF_EVERY_SHEET.get(stem))
        if said is None:
            number = f" {found['number']}" if found and found["number"] else ""
            return escape(stem.replace("-", " ") + number)
        if "{seat}" not in said:
            return escape(said)
        seat = (data or {}).get("seat") if stem in self.reading.game.events else int((found and found["number"]) or 0)
        before, _, after = said.partition("{seat}")
        name = name_shown(self.first.get(int(seat or 0), "")) if stem == "sits" else self.name(seat, hand)
        return format_html("{}{}{}", before, name, after)

    def what_and_where(self, address: Address, data: Mapping[str, Any] | None = None) -> SafeString:
        """Both: "Ann’s bid in hand 4", "the tricks of hand 4", "the misdeal before hand 4"."""
        where, what = self.where(address), self.what(address, data)
        is_event = stem_of(address[1]) in self.reading.game.events
        joint = "before" if is_event else "of" if what.startswith("the ") else "in"
        return format_html("{} {} {}", what, joint, where) if where else what

    # What it says

    def worth(self, address: Address, data: Mapping[str, Any]) -> SafeString:
        """What stands there, in few words: "3", "Ann 2, Bo 0"; "" where the place says it all."""
        hand, stem = address[0], stem_of(address[1])
        if stem == "sits":
            return name_shown(str(data["name"]))
        if stem == "note":
            who = [] if data.get("seat") is None else [self.name(data["seat"], hand)]
            parts = [escape(data.get("tag", "")), *who, format_html("<bdi>{}</bdi>", data.get("note", ""))]
            return listed(part for part in parts if strip_tags(part))
        if stem in self.reading.game.events and set(data) <= {"seat"}:
            return SafeString()
        flat = flattened(data)
        if len(flat) == 1 and not self.is_by_seat(stem, next(iter(flat))):
            return self.value(stem, *next(iter(flat.items())), hand)
        return listed(self.field(stem, name, self.value(stem, name, value, hand), hand) for name, value in flat.items())

    def changed(self, address: Address, before: Mapping[str, Any], after: Mapping[str, Any]) -> SafeString:
        """From what to what, field by field: "3 → 2", "Ann 2 → 1, Bo 0 → 1"."""
        hand, stem = address[0], stem_of(address[1])
        if stem in ("sits", "note"):
            return format_html("{} → {}", self.worth(address, before), self.worth(address, after))
        old, new = flattened(before), flattened(after)
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        parts = []
        for name in names:
            step = format_html(
                "{} → {}", self.value(stem, name, old.get(name), hand), self.value(stem, name, new.get(name), hand)
            )
            is_alone = len({**old, **new}) == 1 and not self.is_by_seat(stem, name)
            parts.append(step if is_alone else self.field(stem, name, step, hand))
        return listed(parts)

    def told(self, before: SheetReading, change: Change) -> list[SafeString]:
        """What a change writes, place by place."""
        sentences = []
        for address, step in sorted(change.added.items()):
            standing, stem = before.standing.get(address), stem_of(address[1])
            if stem == "sits":
                seat = int(address[1].split("-")[1])
                there = before.sitting.at(address[0])[seat] if address[0] else before.sitting.first[seat]
                sentences.append(format_html("{} is called {}.", name_shown(there.name), name_shown(step["name"])))
            elif standing is not None:
                changes = self.changed(address, standing.data, step)
                sentences.append(format_html("{}: {}.", self.what(address, step).capitalize(), changes))
        return sentences

    def is_by_seat(self, stem: str, name: str) -> bool:
        return (stem, stem_of(name)) in self.fields.by_seat or (stem == "draw" and name.startswith("rank-"))

    def field(self, stem: str, name: str, value: SafeString, hand: int) -> SafeString:
        """A field with its value: "Ann 2", "most cards 8"."""
        if self.is_by_seat(stem, name):
            return format_html("{} {}", self.name(number_of(name), hand), value)
        if stem == "reseat":
            return value
        shown = SET_UP.get(name) if stem == "table" else None
        return format_html("{} {}", shown or name.replace("_", " ").replace("-", " "), value)

    def value(self, stem: str, name: str, value: object, hand: int) -> SafeString:
        """A value as a table says it."""
        field = stem_of(name)
        if (stem, field) in self.fields.seats or (stem == "table" and field in ("first_dealer", "seats")):
            return self.name(value, hand)
        if value is None or value == "":
            return escape("nothing")
        if isinstance(value, bool):
            return escape("yes" if value else "no")
        return escape(card_words(value) if isinstance(value, str) else str(value).replace("-", "−"))


def card_words(value: str) -> str:
    """A suit, a rank or a card by its name; any other text as it stands.

    >>> card_words("H"), card_words("7D"), card_words("K"), card_words("champion")
    ('hearts', 'seven of diamonds', 'king', 'champion')
    """
    if value in DECK:
        return f"{RANK_NAMES[value[0]]} of {SUIT_NAMES[value[1]]}"
    return SUIT_NAMES.get(value) or (RANK_NAMES[value] if value in RANKS else value)


def flattened(data: Mapping[str, Any]) -> dict[str, object]:
    """The fields of a step, those of the set-up’s lists and choices beside the others. Nothing chosen is no field."""
    flat: dict[str, object] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            flat |= value
        elif isinstance(value, list):
            flat |= {f"{name}-{place}": one for place, one in enumerate(value, 1)}
        elif value is not None and value != "":
            flat[name] = value
    # Not as they were posted: a database may turn them round.
    return dict(sorted(flat.items(), key=lambda one: number_of(one[0])))


def number_of(name: str) -> int:
    """The number at the end of a name; 0: there is none.

    >>> number_of("tricks-3"), number_of("bid")
    (3, 0)
    """
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def listed(parts: Iterable[str]) -> SafeString:
    """Parts with commas between them."""
    return format_html_join(", ", "{}", ((part,) for part in parts))


def as_text(said: str) -> str:
    """The same for where no page is: a line of news that a script puts into one."""
    return html.unescape(strip_tags(said))
