"""Sheet files (``score-sheet/1``): read strictly, checked hand by hand, scored by the one engine.

Names are mapped to seats here and nowhere else. A document is read item by item: each item is written into the open
hand, every problem is collected, and reading goes on, so that *all* problems are reported. A document without a problem
has become entries, which :func:`rules.core.engine.replay.read` scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from rules.core.engine.replay import Sheet, read
from rules.core.fields import Address, Value
from rules.core.files import group_keys
from rules.core.files.game_file import file_of
from rules.core.files.items import ItemReader
from rules.core.files.known_games import known_game
from rules.core.files.reader import STOPPED_AFTER, SheetReader
from rules.core.files.results import result_document
from rules.core.files.schema import (  # fmt: skip
    Among,
    Anything,
    Date,
    Flag,
    JsonSchema,
    ListOf,
    Members,
    Name,
    NotADocument,
    Shape,
    Text,
    Whole,
    fault,
    parse,
    shown,
)
from rules.core.game import Game
from rules.core.options import HouseRule
from rules.core.problems import Problem
from rules.core.table import Table

SHEET_FORMAT = "score-sheet/1"
PROBLEMS_FORMAT = "score-problems/1"
#: What `Refused.document` writes.
PROBLEMS = Members(
    {
        "format": Among((PROBLEMS_FORMAT,)),
        "problems": ListOf(
            Members({"code": Text(), "message": Text()}, {"hand": Whole(0), "player": Text(), "field": Text()})
        ),
    },
    {},
)


@dataclass(frozen=True)
class ReadDocument:
    """A document that may be kept: its game and table as opened, its entries, and who sat where.

    ``names`` are the players by seat at the end; ``names_at`` those of each scored hand (substitutes).
    ``replaced`` says who gave up a seat at each substitution.
    """

    game: Game
    table: Table
    entries: Mapping[Address, Mapping[str, Value]]
    names: Mapping[int, str]
    names_at: Mapping[int, Mapping[int, str]]
    document: Mapping[str, object]
    replaced: Mapping[Address, str]
    #: What is said about hands, by number.
    notes: Mapping[int, str]

    @property
    def sheet(self) -> Sheet:
        """The sheet these entries make."""
        return read(self.game, self.table, self.entries)


class Refused(ValueError):
    """The sheet file must not be scored. ``problems`` are all that can be told, in the order of the sheet.

    Each comes with the name of the player it is about, or None.
    """

    def __init__(self, problems: list[tuple[Problem, str | None]]) -> None:
        super().__init__(problems[0][0].message)
        self.problems = problems

    def document(self) -> dict[str, object]:
        """The answer ``score-problems/1``."""
        return {"format": PROBLEMS_FORMAT, "problems": [describe(problem, player) for problem, player in self.problems]}


def refused_document(message: str) -> dict[str, object]:
    """The answer to what is no sheet file at all."""
    return Refused([(Problem("bad-document", message), None)]).document()


def describe(problem: Problem, player: str | None) -> dict[str, object]:
    """One problem as the document says it."""
    where = {"hand": problem.hand, "player": player, "field": problem.field}
    return {"code": problem.code, "message": problem.message} | {k: v for k, v in where.items() if v is not None}


def score_document(text: str | bytes) -> dict[str, object]:
    """The result document of the sheet in ``text``. Raises :class:`Refused`."""
    contents = read_document(text)
    return result_document(contents.sheet, contents.names, contents.names_at)


def read_document(text: str | bytes) -> ReadDocument:
    """The sheet in ``text`` as entries. Raises :class:`Refused` with everything that is wrong with it."""
    try:
        document = parse(text)
    except NotADocument as error:
        raise Refused([(Problem("bad-document", str(error)), None)]) from None
    return read_object(document)


def read_object(document: object) -> ReadDocument:
    """The sheet in a parsed JSON value as entries. Raises :class:`Refused`."""
    game, faults = shaped(document)
    if faults or game is None:
        raise Refused([(problem, None) for problem in faults])
    reader = SheetReader(game, cast("dict[str, object]", document))
    read_sheet(reader)
    if reader.problems:
        raise Refused(reader.problems)
    return ReadDocument(
        game,
        reader.opened,
        reader.entries,
        reader.names,
        reader.names_at,
        cast("dict[str, object]", document),
        reader.replaced,
        reader.notes,
    )


def read_sheet(reader: SheetReader) -> None:
    """Everything the document says, in the order of the sheet."""
    if not reader.opens():
        return
    file = file_of(reader.game)
    items = cast("list[dict[str, object]]", reader.document["hands"])
    for place, entry in enumerate(items):
        reader.stop_if_said()
        scored = len(reader.table.rows)
        item = ItemReader(reader, entry, first=place == 0, last=place == len(items) - 1)
        if item.begins():
            file.read_item(item)
        reader.note(cast("str", entry.get("note", "")), to_come=len(reader.table.rows) == scored)
        if reader.is_lost:
            return
    reader.read_stop()
    reader.read_rulings(played=0)
    file.read_rest(reader)
    reader.refuse_rulings_left()


def shaped(document: object) -> tuple[Game | None, list[Problem]]:
    """The game of a document, and everything about its shape that is wrong."""
    if not isinstance(document, dict):
        return None, [fault("The sheet file", "an object belongs here")]
    if document.get("format") != SHEET_FORMAT:
        return None, [fault("The sheet file, format", f"the format {shown(SHEET_FORMAT)} is the one that is known")]
    game = known_game(document.get("game"))
    if game is None:
        return None, [fault("The sheet file, game", "no game of that name is known")]
    faults = list(shape_of_sheet(game).faults(document, "The sheet file"))
    faults += faults_of_house_rules(game.house_rules, document.get("house_rules", {}), "The sheet file, house_rules")
    return game, faults


def shape_of_sheet(game: Game) -> Members:
    """What a sheet file of the game looks like."""
    required: dict[str, Shape] = {
        "format": Among((SHEET_FORMAT,)),
        "game": Among((game.slug,)),
        "players": ListOf(Name()),
        "hands": ListOf(file_of(game).item_shape()),
    }
    optional: dict[str, Shape] = {
        "first_dealer": Name(), "house_rules": HouseRules(game.house_rules), "club": Text(), "table": Text(),
        "played_on": Date(), "notes": Text(), STOPPED_AFTER: Whole(), **group_keys.SHAPES,
        **file_of(game).sheet_shapes(),
    }  # fmt: skip
    return Members(required, optional)


@dataclass(frozen=True)
class HouseRules(Anything):
    """Values of house rules. What is wrong with them is told after everything else: :func:`faults_of_house_rules`."""

    rules: tuple[HouseRule, ...]

    def schema(self) -> JsonSchema:
        properties = {rule.key: schema_of_rule(rule) for rule in self.rules}
        return {"type": "object", "properties": properties, "additionalProperties": False}


def schema_of_rule(rule: HouseRule) -> JsonSchema:
    """The values that the rule takes, and its default where it is one of them."""
    numbers = [value for value in rule.values if type(value) is int]
    words = [value for value in rule.values if type(value) is not int]
    kinds: list[JsonSchema] = [Flag().schema() if words == [False, True] else {"enum": words}] if words else []
    if numbers and numbers == list(range(numbers[0], numbers[-1] + 1)):
        kinds.append(Whole(numbers[0], numbers[-1]).schema())
    elif numbers:
        kinds.append({"enum": numbers})
    default: JsonSchema = {"default": rule.default} if rule.default in rule.values else {}
    return (kinds[0] if len(kinds) == 1 else {"anyOf": kinds}) | default


def faults_of_house_rules(rules: Iterable[HouseRule], house_rules: object, where: str) -> Iterator[Problem]:
    """What is wrong with the shape of the house rules; a value of the right type is looked at later."""
    if not isinstance(house_rules, dict):
        yield fault(where, "an object belongs here")
        return
    known = {rule.key: rule for rule in rules}
    for key, value in house_rules.items():
        rule = known.get(key)
        if rule is None:
            yield fault(where, f"the house rule {shown(key)} is not known")
        elif (value is None and None not in rule.values) or rule.is_another_type(value):
            yield fault(where, f"the house rule {shown(key)} takes another kind of value")
