"""An entry in words: its subject, its hand, and its values.

The words come from the game (`Game.written`) and from the fields it declares; the default is the names of asks and
fields. Names of people are those who sat there when the hand was played.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, cast

from django.utils.html import escape, format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString

from rules.core.fields import SHEET, Address, Value
from rules.core.files.group_keys import DECIDES
from rules.core.numbers import bare
from rules.core.playoffs.group_end import RULING
from scoresheets.log.append import Change
from scoresheets.log.occupants import ASK as SEAT_ASK
from scoresheets.log.state import NOTE, SET_UP, SheetReading
from scoresheets.wording.labels import (
    ASK,
    card_words,
    corner_of,
    declared,
    ends_with_card,
    in_words,
    own_name,
    stem_of,
    words_of,
)
from scoresheets.wording.markup import capital, joined, listed, name_shown, with_commas
from scoresheets.wording.options import house_rule_text as house_rule_value

#: In the set-up, by the name of the field. How long it plays and what is agreed, the game says.
OF_THE_SET_UP = {
    "first_dealer": "first dealer", "found": "found by", "house_rules": "house rules", "title": "called",
    "seats": "seats",
}  # fmt: skip


#: What an organiser rules about a tie across the line of a group.
RULED = RULING.removesuffix("-")


class FieldText(NamedTuple):
    """One field at a place: what it is about ("Ann took") and what it says ("2"; "" of a yes)."""

    about: SafeString
    value: SafeString

    @property
    def whole(self) -> SafeString:
        return format_html("{} {}", self.about, self.value) if self.value else self.about


def where_of(address: Address) -> str:
    """The row of the sheet a place belongs to: "hand 4", "the blind hand", "the draw", "hands scored elsewhere"."""
    hand, ask = address
    if hand != SHEET:
        return f"hand {hand}"
    match = ASK.fullmatch(ask)
    if match and match["blind"]:
        return "the blind hand" if match["blind"] == "1" else f"blind hand {match['blind']}"
    if stem_of(ask) == "draw":
        return "the draw" if ask == "draw-1" else f"draw {ask.removeprefix('draw-')}"
    if stem_of(ask) == RULED:
        return "the ruling" if ask == f"{RULED}-1" else f"ruling {ask.removeprefix(f'{RULED}-')}"
    return "hands scored elsewhere" if ask == "carried" else "the set-up"


class EntryText:
    """Puts into words what stands, or stood, on one sheet. No query."""

    def __init__(self, reading: SheetReading) -> None:
        self.reading = reading
        self.first = {seat: reading.called(chair.player, chair.name) for seat, chair in reading.chairs.items()}
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
        match = ASK.fullmatch(address[1])
        return where_of(address) if address[0] != SHEET or (match and match["blind"]) else ""

    def what(self, address: Address, data: Mapping[str, Any] | None = None) -> SafeString:
        """What stands at an address: "Ann’s bid", "the tricks". `data`: of an event, which says whom it is about."""
        hand, ask = address
        match = ASK.fullmatch(ask)
        stem = match["stem"] if match else ask
        text = words_of(self.reading.game, own_name(ask)).what
        if "{seat}" not in text:
            return escape(text)
        seat = (data or {}).get("seat") if stem in self.reading.game.events else int((match and match["number"]) or 0)
        before, _, after = text.partition("{seat}")
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
            return name_shown(self.reading.called(data.get("player"), str(data["name"])))
        if stem == "note":
            person = [] if data.get("seat") is None else [self.name(data["seat"], hand)]
            parts = [escape(data.get("tag", "")), *person, format_html("<bdi>{}</bdi>", data.get("note", ""))]
            return with_commas(part for part in parts if strip_tags(part))
        if stem == RULED:
            return self.ruled(data)
        if stem in self.reading.game.events and set(data) <= {"seat"}:
            return SafeString()
        ask, fields = own_name(address[1]), flattened(data)
        # A box that nobody ticked needs no word, but in the set-up a "no" was agreed.
        flat = self.in_order(
            stem, {name: value for name, value in fields.items() if value is not False or stem == "table"}
        )
        if not flat:
            return escape(words_of(self.reading.game, ask).empty)
        first = next(iter(flat))
        is_clear = not self.is_by_seat(stem, first) and not self.needs_name(address) and self.goes_unsaid(ask, first)
        if len(flat) == 1 and is_clear and flat[first] is not True:
            return self.linked_value(address, first, flat[first])
        if self.is_by_seat(stem, first) and self.has_kinds(stem):
            return self.by_seat(address, flat)
        cards = [name for name, value in flat.items() if value is True and ends_with_card(name)]
        texts: list[str] = [
            self.field(ask, name, self.linked_value(address, name, value) if value is not True else "", hand)
            for name, value in flat.items()
            if name not in cards
        ]
        if cards:
            shown = " ".join(corner_of(name.rpartition("-")[2]) for name in cards)
            texts.append(joined([words_of(self.reading.game, ask).fields.get("card", "cards"), shown]))
        return with_commas(texts)

    def ruled(self, data: Mapping[str, Any]) -> SafeString:
        """Who goes over which line: "Ann goes through"."""
        goes = [trailing_number(name) for name, value in data.items() if name.startswith("goes-") and value is True]
        where = "to the losers" if data.get("edge") == "below" else "through"
        verb = "goes" if len(goes) == 1 else "go"
        return joined([listed([self.name(seat) for seat in sorted(goes)]), verb, where])

    def reads(self, address: Address, data: Mapping[str, Any], says: SafeString) -> SafeString:
        """What stands there and what it says: "Ann’s bid 3", "the claim: who claims Ann, suit ♥"."""
        what, stem = self.what(address, data), stem_of(address[1])
        named = [name for name in flattened(data) if not self.is_by_seat(stem, name) and stem != RULED]
        return format_html("{}: {}", what, says) if says and stem != "note" and len(named) > 1 else joined([what, says])

    def changed(self, address: Address, before: Mapping[str, Any], after: Mapping[str, Any]) -> SafeString:
        """From what to what, field by field: "3 → 2", "Ann 2 → 1, Bo 0 → 1"."""
        return with_commas(self.pairs(address, before, after, "{} → {}"))

    def pairs(
        self, address: Address, before: Mapping[str, Any], after: Mapping[str, Any], pair: str
    ) -> list[SafeString]:
        """Both values of every field that differs, put together by `pair`: "3 or 2?", "Ann 2 or 1?"."""
        hand, stem, ask = address[0], stem_of(address[1]), own_name(address[1])
        if stem in ("sits", "note", RULED):
            return [format_html(pair, self.worth(address, before), self.worth(address, after))]
        old, new = flattened(before), flattened(after)
        parts = []
        for name in self.in_order(stem, {**old, **new}):
            values = [flat.get(name, False if isinstance({**old, **new}[name], bool) else None) for flat in (old, new)]
            if values[0] == values[1]:
                continue
            step = format_html(pair, *(self.value(ask, name, value, hand) for value in values))
            step = self.linked(address, name, step)
            is_alone = len({**old, **new}) == 1 and not self.is_by_seat(stem, name)
            parts.append(step if is_alone else self.field(ask, name, step, hand))
        return parts

    def in_order(self, stem: str, flat: Mapping[str, object]) -> dict[str, object]:
        """The fields seat by seat, and as the game asks for them: not as a database happens to keep them."""
        places = self.fields.places

        def place(name: str) -> tuple[int, int, int]:
            seat = trailing_number(name) if self.is_by_seat(stem, name) else 0
            return seat, places.get((stem, stem_of(name)), 0), trailing_number(name)

        return dict(sorted(flat.items(), key=lambda item: place(item[0])))

    def change_text(self, before: SheetReading, change: Change) -> list[SafeString]:
        """What a change writes, place by place."""
        sentences = []
        for address, step in sorted(change.added.items()):
            standing, stem = before.standing.get(address), stem_of(address[1])
            if stem == "sits":
                seat = int(address[1].split("-")[1])
                there = before.sitting.at(address[0])[seat] if address[0] else before.sitting.first[seat]
                sentences.append(format_html("{} is called {}.", name_shown(there.name), self.worth(address, step)))
            elif standing is not None:
                changes = self.changed(address, standing.data, step)
                sentences.append(format_html("{}: {}.", self.what(address, step).capitalize(), changes))
        return sentences

    def there(self, address: Address) -> SafeString:
        """What stands at a place, and where: "Flo’s bid 2 in hand 9", "Hand 9: Ann took 2 and Bo took 1"."""
        step, where = self.reading.standing[address].data, where_of(address)
        if event := self.event(address):
            return format_html("{} before {}", event, where)
        if address == SET_UP:
            return escape(where)
        if address[1].startswith(NOTE):
            return format_html("the note on {}", where)
        fields = list(self.fields_at(address, step).values())
        if stem_of(address[1]) in self.fields.spoken and len(fields) == 1:
            return format_html("{} {} in {}", self.what(address), fields[0].value, where)
        if not fields or self.needs_name(address):
            return format_html("{}, {}: {}", capital(where), self.what(address), self.worth(address, step))
        stem = stem_of(address[1])
        if len(fields) > 1 and (self.has_kinds(stem) or not self.is_by_seat(stem, next(iter(step)))):
            return format_html("{}: {}", capital(where), self.worth(address, step))
        return format_html("{}: {}", capital(where), listed([field.whole for field in fields]))

    def needs_name(self, address: Address) -> bool:
        """Whether another ask of a hand has such fields too, so that it must be said which one is meant."""
        return own_name(address[1]) in self.fields.alike

    def fields_at(self, address: Address, step: Mapping[str, Any]) -> dict[str, FieldText]:
        """Every field of what stands at a place, by its name."""
        hand, stem, match = address[0], stem_of(address[1]), ASK.fullmatch(address[1])
        spoken = int(match["number"] or 0) if match and stem in self.fields.spoken else None
        ask, fields = own_name(address[1]), {}
        for name, value in self.in_order(stem, step).items():
            if value is None or value is False:
                continue
            seat = trailing_number(name) if self.is_by_seat(stem, name) else spoken
            about = (
                escape(self.called(ask, name))
                if seat is None
                else format_html("{} {}", self.name(seat, hand), self.done(ask, name))
            )
            fields[name] = FieldText(about, SafeString() if value is True else self.value(ask, name, value, hand))
        return fields

    def event(self, address: Address) -> SafeString | None:
        """What happened between hands; None where the place is none of that kind."""
        if SEAT_ASK.fullmatch(address[1]):
            return escape("who sits where")
        if stem_of(address[1]) not in self.reading.game.events:
            return None
        return self.what(address, self.reading.standing[address].data)

    def is_by_seat(self, stem: str, name: str) -> bool:
        return (stem, stem_of(name)) in self.fields.by_seat or (stem == "draw" and name.startswith("rank-"))

    def field(self, ask: str, name: str, value: str, hand: int) -> SafeString:
        """A field with its value: "Ann 2", "most cards 8"; a yes is said by the field alone."""
        stem = stem_of(ask)
        if self.is_by_seat(stem, name):
            what = self.done(ask, name) if self.has_kinds(stem) else ""
            return joined([self.name(trailing_number(name), hand), what, value])
        if stem == "reseat":
            return format_html("{}", value)
        return joined([self.called(ask, name), value])

    def goes_unsaid(self, ask: str, name: str) -> bool:
        """Whether it need not be said which field it is: there is no other, or it is called as the ask is."""
        what = words_of(self.reading.game, ask).what
        return stem_of(ask) not in self.fields.many or self.called(ask, name) in what

    def has_kinds(self, stem: str) -> bool:
        """Whether everybody has numbers of more than one kind there: jacks and queens."""
        return sum(kind == stem for kind, _ in self.fields.by_seat) > 1

    def linked_value(self, address: Address, name: str, value: object) -> SafeString:
        """A value, with a link to where it is changed if this page has such links."""
        return self.linked(address, name, self.value(own_name(address[1]), name, value, address[0]))

    def linked(self, address: Address, name: str, shown: SafeString) -> SafeString:
        """What is shown of the field `name` at a place, with a link to where it is changed: here with none."""
        return shown

    def by_seat(self, address: Address, flat: Mapping[str, object]) -> SafeString:
        """Numbers of several kinds, seat by seat: "Ann jacks 2, kings 1; Bo jacks 1"."""
        ask, hand = own_name(address[1]), address[0]
        by_number: dict[int, list[SafeString]] = {}
        for name, value in flat.items():
            text = joined([self.done(ask, name), self.linked_value(address, name, value)])
            by_number.setdefault(trailing_number(name), []).append(text)
        each = (joined([self.name(seat, hand), with_commas(texts)]) for seat, texts in by_number.items())
        return format_html_join("; ", "{}", ((text,) for text in each))

    def called(self, ask: str, name: str) -> str:
        """The word for a field that belongs to the whole table."""
        words = self.of_the_set_up if ask == "table" else words_of(self.reading.game, ask).fields
        return words.get(name, in_words(name))

    @cached_property
    def of_the_set_up(self) -> dict[str, str]:
        """The words for the fields of the set-up: how long the game says that it plays, and what is agreed."""
        game, table = self.reading.game, self.reading.table
        choices = game.plan_choices(len(table.seats), table.house_rules)
        amounts = {amount.key: amount.words for choice in choices for amount in choice.amounts}
        rules = {rule.key: rule.sentence.removesuffix(".") for rule in game.house_rules}
        return OF_THE_SET_UP | rules | amounts

    def done(self, ask: str, name: str) -> str:
        """The word for a number of somebody's: "took"."""
        words = words_of(self.reading.game, ask)
        return words.fields.get(stem_of(name)) or words.did or in_words(stem_of(name))

    def value(self, ask: str, name: str, value: object, hand: int) -> SafeString:
        """A value as a table says it."""
        field, words = stem_of(name), words_of(self.reading.game, ask)
        if ask == "table" and field in ("first_dealer", "seats"):
            # Whoever sat there when the game began, although somebody may have taken over since.
            return self.name(value, 1)
        rule = next((rule for rule in self.reading.game.house_rules if ask == "table" and rule.key == name), None)
        if rule:
            return escape(house_rule_value(rule, rule.default if value is None else cast("Value", value)))
        if value is None or value == "":
            return escape(words.unsaid.get(field, words.empty))
        if (stem_of(ask), field) in self.fields.seats:
            return self.name(value, hand)
        if isinstance(value, bool):
            return escape("yes" if value else "no")
        if isinstance(value, str):
            return escape(self.chosen(ask, value))
        return escape(bare(value) if isinstance(value, int) else str(value))

    def chosen(self, ask: str, value: str) -> str:
        """The words for something that can be chosen."""
        return words_of(self.reading.game, ask).values.get(value) or card_words(value)


def flattened(data: Mapping[str, Any]) -> dict[str, object]:
    """The fields of a step, those of the set-up’s lists and choices beside the others. Nothing chosen is no field."""
    flat: dict[str, object] = {}
    for name, value in data.items():
        if name == DECIDES:
            continue  # it cannot be corrected
        if isinstance(value, dict):
            flat |= value
        elif isinstance(value, list):
            flat |= {f"{name}-{place}": member for place, member in enumerate(value, 1)}
        elif value is not None and value != "":
            flat[name] = value
    return flat


def trailing_number(name: str) -> int:
    """The number at the end of a name; 0: there is none.

    >>> trailing_number("tricks-3"), trailing_number("bid")
    (3, 0)
    """
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0
