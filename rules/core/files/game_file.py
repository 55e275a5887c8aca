"""The file format of one game: the items of ``hands`` in a document, and the keys beside them.

The default serves most games: every answer under the name of its ask. A game with another format sets :attr:`Game.file`
to a subclass in its module ``files``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from rules.core.engine.replay import Sheet
from rules.core.fields import Ask, Choice, Field, SeatChoice, Value
from rules.core.files.items import ItemReader, ItemWriter
from rules.core.files.reader import SheetReader
from rules.core.files.schema import JsonSchema, ListOf, Members, Name, PerName, Shape, Text, Whole, fault, shown
from rules.core.game import FileFormat, Game
from rules.core.problems import Problem
from rules.core.table import Event, Hand, Row, Table

NOTE = "note"
#: What the result of a game of legs says of them (`Game.describe_sheet`).
LEGS: Mapping[str, Shape] = {
    "legs": ListOf(Members({"winner": Name(), "totals": PerName(Whole())}, {})),
    "legs_won": PerName(Whole(0)),
}


class GameFile(FileFormat):
    """How a game stands in a sheet file. What is said here is the default, and what a game of its own overrides.

    An item is a hand: ``{ask: fields}``, with names where the sheet has seats. What is asked of each player in turn, or
    counted for each, stands by name; what was not answered is left out, and so the last hand may still be played::

        {"bid": {"Ann": {"bid": 2}, "Bo": {"bid": 0}}, "tricks": {"Ann": 2, "Bo": 1}, "trump": {"suit": "H"}}

    ``note`` is what is said about the hand, so no ask can be called that.
    """

    def item_shape(self) -> Shape:
        """The shape of an item of a document's ``hands``."""
        return Answers()

    def sheet_shapes(self) -> Mapping[str, Shape]:
        """The shapes of the game's own keys of a document, all of which may be left out; a plan is one of them."""
        return {}

    def result_shape(self) -> Members:
        """The game's own keys of a result, as `Game.describe_sheet` writes them. Default: the legs, if any."""
        return Members({}, LEGS)

    def row_shape(self) -> Members:
        """The game's own keys of a hand in a result, as `Game.describe_row` writes them."""
        return Members({}, {})

    def plan_document(self, table: Table) -> dict[str, int]:
        """The plan as the document says it."""
        return dict(table.plan)

    def read_item(self, item: ItemReader) -> None:
        """Turn an item into the steps of a hand, or into what happened before it.

        It ends with ``item.scored()`` where the hand is whole, and with ``item.left_open()`` where it is not.
        """
        AnswersReader(item).read()

    def write_item(self, row: Row | None, hand: Hand, item: ItemWriter) -> None:
        """Turn one hand, scored or open (then ``row`` is None), into an item. One without any key is no item."""
        for ask in item.game.asks(item.table, hand):
            if ask.name in hand.steps:
                answer = document_of(ask, hand.steps[ask.name], item.names)
                if ask.seat is None:
                    item.put(key_of(ask), answer)
                else:
                    by_name = cast("dict[str, object]", item.item.setdefault(key_of(ask), {}))
                    by_name[item.names[ask.seat]] = answer

    def write_event(self, event: Event, item: ItemWriter, *, before: str = "") -> None:
        """Turn something that happened between hands into an item.

        ``item.names`` are those after it; ``before`` is the name of who gave up the seat, where somebody took it over.
        Default: it is no item. An early end is said of the whole sheet instead, and the rest changes no score.
        """
        return

    def write_carried(self, step: Mapping[str, Value], item: ItemWriter) -> None:
        """Turn hands that were kept elsewhere into the first item."""
        raise KeyError("carried")

    def read_rest(self, reader: SheetReader) -> None:
        """Read what a document says beside its hands, once those are read."""
        return

    def write_rest(self, sheet: Sheet, names: Mapping[int, str]) -> dict[str, object]:
        """What a document says beside its hands."""
        return {}


DEFAULT = GameFile()


def file_of(game: Game) -> GameFile:
    """How the game stands in a file: as it says, or the default."""
    return DEFAULT if game.file is None else cast("GameFile", game.file)


# The default


@dataclass(frozen=True)
class Answers:
    """An object with an answer for each ask; which asks there are, and which fields, is looked at later."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield fault(where, "an object belongs here")
            return
        for key, member in value.items():
            inside = f"{where}, {shown(key)}"
            if key == NOTE:
                yield from Text().faults(member, inside)
            elif not isinstance(member, dict):
                yield fault(inside, "an object belongs here")
            else:
                yield from plain_faults(member, inside)

    def schema(self) -> JsonSchema:
        plain = {"type": ["object", "integer", "string", "boolean", "null"]}
        answer = {"type": "object", "additionalProperties": plain}
        return {"type": "object", "properties": {NOTE: Text().schema()}, "additionalProperties": answer}


def plain_faults(value: object, where: str) -> Iterator[Problem]:
    """``bad-document`` for what is no whole number, text, true, false or null, nor an object of such."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from Text().faults(key, f"{where}, key {shown(key)}")
            yield from plain_faults(member, f"{where}, {shown(key)}")
    elif value is not None and not isinstance(value, int):
        yield from Text().faults(value, where)


def key_of(ask: Ask) -> str:
    """Under which key an ask stands: that of one seat without the number, by name there.

    >>> from rules.core.fields import Ask
    >>> key_of(Ask("bid-3", (), seat=3)), key_of(Ask("ring", ()))
    ('bid', 'ring')
    """
    return ask.name if ask.seat is None else ask.name.removesuffix(f"-{ask.seat}")


def stem_of(field: Field) -> str:
    """The name of a field without its seat."""
    return field.name if field.seat is None else field.name.removesuffix(f"-{field.seat}")


def is_by_name(ask: Ask) -> bool:
    """Whether an ask has a field for each seat and no other, called as it is: then the names stand at once."""
    return bool(ask.fields) and all(field.name == f"{ask.name}-{field.seat}" for field in ask.fields)


def document_of(ask: Ask, step: Mapping[str, Value], names: Mapping[int, str]) -> object:
    """An answer as the document says it."""
    answer: dict[str, object] = {}
    for field in ask.fields:
        if field.name not in step:
            continue
        value: object = step[field.name]
        if isinstance(field, SeatChoice) and isinstance(value, int):
            value = names[value]
        if field.seat is None or stem_of(field) == field.name:
            answer[field.name] = value
        else:
            by_name = cast("dict[str, object]", answer.setdefault(stem_of(field), {}))
            by_name[names[field.seat]] = value
    return answer.get(ask.name, {}) if is_by_name(ask) else answer


class AnswersReader:
    """Reads the answers of one item in the order of the hand, and refuses what the game has not asked for."""

    def __init__(self, item: ItemReader) -> None:
        self.item = item
        self.names = item.sheet.names
        self.asks = tuple(item.game.asks(item.table, item.hand))

    def read(self) -> None:
        """Write every answer; the hand is scored where none is missing, and open where it is the last."""
        item, missing = self.item, None
        self.refuse_others()
        for ask in self.asks:
            answer = self.answer_to(ask)
            if answer is None:
                missing = missing or (None if ask.optional else ask)
            elif missing:
                item.refuse("bad-document", "Something before this is missing.", key_of(ask))
            else:
                self.write(ask, answer)
        if missing and item.last:
            item.left_open()
            return
        if missing:
            item.refuse("bad-document", "Something is missing, and this is not the last hand.", key_of(missing))
        item.scored()

    def refuse_others(self) -> None:
        """Refuse keys that are no ask of this hand, and in them names of people who are not asked."""
        known: dict[str, set[str] | None] = {NOTE: None}
        for ask in self.asks:
            names = known.setdefault(key_of(ask), None if ask.seat is None else set())
            if names is not None and ask.seat is not None:
                names.add(self.names[ask.seat])
        for key, value in self.item.item.items():
            if key not in known:
                self.item.refuse("bad-document", "The game does not ask for that.", key)
                continue
            for name in cast("dict[str, object]", value) if known[key] is not None else ():
                if name not in cast("set[str]", known[key]):
                    self.item.refuse("wrong-players", "Nobody of that name is asked here.", key, name)

    def answer_to(self, ask: Ask) -> object:
        """What stands in the item for an ask; None: nothing."""
        answer = cast("dict[str, object]", self.item.item.get(key_of(ask), {}))
        return self.item.item.get(ask.name) if ask.seat is None else answer.get(self.names[ask.seat])

    def write(self, ask: Ask, answer: object) -> None:
        """Write an answer into the hand; where a key, a name or a type in it is wrong, the rest of it is judged."""
        if not isinstance(answer, dict):
            self.item.refuse("bad-document", "An object belongs here.", key_of(ask), self.names.get(ask.seat or 0))
            return
        before = len(self.item.sheet.problems)
        step = self.step_of(ask, {ask.name: answer} if is_by_name(ask) else answer)
        if len(self.item.sheet.problems) == before:
            self.item.write(ask.name, step, key_of(ask))
        else:
            self.item.sheet.judge(self.item.hand, ask, step, key_of(ask))

    def step_of(self, ask: Ask, answer: Mapping[str, object]) -> dict[str, Value]:
        """The fields of an answer, as far as they can be told."""
        key, rest = key_of(ask), dict(answer)
        step: dict[str, Value] = {}
        groups: dict[str, dict[str, object]] = {}
        for field in ask.fields:
            stem = stem_of(field)
            if stem == field.name:
                if stem in answer:
                    self.put(field, rest.pop(stem), step, key)
                continue
            if stem not in groups:
                groups[stem] = self.by_name(rest.pop(stem, {}), key)
            name = self.names[cast("int", field.seat)]
            if name in groups[stem]:
                self.put(field, groups[stem].pop(name), step, key)
        for _ in rest:
            self.item.refuse("bad-document", "The game does not ask for that.", key)
        for group in groups.values():
            for name in group:
                self.item.refuse("wrong-players", "Nobody of that name is to be counted here.", key, name)
        return step

    def by_name(self, value: object, key: str) -> dict[str, object]:
        """The values by name, where an object of them stands."""
        if isinstance(value, dict):
            return dict(value)
        self.item.refuse("bad-document", "An object with a value for each player belongs here.", key)
        return {}

    def put(self, field: Field, value: object, step: dict[str, Value], key: str) -> None:
        """Put the value of a field into the step: the seat for a name; what is of no type of it is refused."""
        if value is None and field.optional:
            step[field.name] = None
        elif isinstance(value, dict) or (isinstance(field, Choice | SeatChoice) and not isinstance(value, str)):
            self.item.refuse("bad-document", "Another kind of value belongs here.", key)
        elif isinstance(field, SeatChoice):
            seat = self.item.seat_of(cast("str", value), key)
            if seat is not None:
                step[field.name] = seat
        else:
            step[field.name] = cast("Value", value)
