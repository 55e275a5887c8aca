"""Strict JSON parsing, and schema checks for documents.

A schema is a small declaration (:class:`Whole`, :class:`Text`, :class:`Members` …). A value that does not match yields
``bad-document`` with a sentence that names the place. The same declaration writes itself as JSON Schema, for others who
read or write these files (``json_schema``). Python's own parser accepts repeated keys, NaN, deep nesting and numbers it
cannot print again: all four are refused here.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import NoReturn, Protocol

from rules.core.problems import Problem

DEEPEST = 50
LONGEST_NUMBER = 4000
LONGEST_NAME = 40
#: So many brackets may be in any file, however short it is.
MOST_BRACKETS = 100_000
#: The pattern of a text without control characters, but for tabs and line breaks.
NO_CONTROLS = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"

#: A part of a JSON Schema (draft 2020-12).
JsonSchema = dict[str, object]


class NotADocument(ValueError):
    """The text is no JSON this club reads; the argument is the sentence that says why and where."""


def parse(text: str | bytes, called: str = "The sheet file") -> object:
    """The JSON value in ``text``. Raises :class:`NotADocument` with a sentence, in which the text is ``called`` so."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotADocument(f"The text is not UTF-8: byte {error.start} cannot be read.") from None
    refuse_a_crowd(text, called)
    refuse_deep_nesting(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=unrepeated,
            parse_int=whole_number,
            parse_float=no_fraction,
            parse_constant=partial(no_constant, called),
        )
    except json.JSONDecodeError as error:
        raise NotADocument(
            f"{called} cannot be read: {error.msg} in line {error.lineno}, column {error.colno}."
        ) from None


class Fraction(str):
    """A number that is not whole: kept as it was written, and refused wherever a shape is asked for."""

    __slots__ = ()


def refuse_a_crowd(text: str, called: str) -> None:
    """Raise where lists and objects are many and next to empty: in a file of this club each takes twenty characters."""
    brackets = text.count("[") + text.count("{")
    if brackets > MOST_BRACKETS and brackets > len(text) // 8:
        raise NotADocument(f"{called} has more brackets in it than any that was written here.")


def refuse_deep_nesting(text: str) -> None:
    """Raise where brackets are nested deeper than fifty, before the recursive reader meets them."""
    depth = 0
    # A text that never ends is taken to the end, so that no bracket and no quote in it is looked at twice.
    for token in re.finditer(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[{]|[\]}]', text, re.DOTALL):
        if token[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                raise NotADocument(f"Nested deeper than {DEEPEST} at character {token.start() + 1}.")
        elif token[0] in "]}":
            depth -= 1


def unrepeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object none of whose keys is written twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise NotADocument(f"The key {shown(twice)} is repeated.")
    return members


def whole_number(digits: str) -> int:
    """A whole number that can be printed again."""
    if len(digits.lstrip("-")) > LONGEST_NUMBER:
        raise NotADocument(f"A number has more than {LONGEST_NUMBER} digits.")
    return int(digits)


def no_fraction(written: str) -> Fraction:
    """Only whole numbers stand on a score sheet; where the number stands is said by the shape."""
    return Fraction(written)


def no_constant(called: str, written: str) -> NoReturn:
    """NaN and Infinity are no JSON."""
    raise NotADocument(f"{called} cannot be read: {written} is no number.")


def shown(text: str) -> str:
    """A text in quotes, shortened, safe to print."""
    return json.dumps(text[:40])


class Shape(Protocol):
    """What a value must look like."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        """``bad-document`` for everything in ``value`` that does not fit, with where it stands."""

    def schema(self) -> JsonSchema:
        """The same as JSON Schema, which takes every value without a fault, and few others."""


def fault(where: str, what: str) -> Problem:
    """A ``bad-document`` problem at ``where``."""
    return Problem("bad-document", f"{where}: {what}.", params={"where": where})


def fits(shape: Shape, value: object) -> bool:
    """Whether the value has the shape."""
    return not any(shape.faults(value, ""))


@dataclass(frozen=True)
class Whole:
    """A whole number, within these bounds if there are any."""

    low: int | None = None
    high: int | None = None

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if isinstance(value, bool) or not isinstance(value, int):
            yield fault(where, "a whole number belongs here")
        elif (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            yield fault(where, f"a number {self.bounds} belongs here")

    @property
    def bounds(self) -> str:
        """From where to where it goes, in words."""
        if self.high is None:
            return f"from {self.low} on"
        return f"up to {self.high}" if self.low is None else f"from {self.low} to {self.high}"

    def schema(self) -> JsonSchema:
        bounds = {"minimum": self.low, "maximum": self.high}
        return {"type": "integer"} | {key: bound for key, bound in bounds.items() if bound is not None}


@dataclass(frozen=True)
class Flag:
    """True or false; ``only`` allows just one of them."""

    only: bool | None = None

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, bool):
            yield fault(where, "true or false belongs here")
        elif self.only is not None and value is not self.only:
            yield fault(where, f"only {str(self.only).lower()} can stand here")

    def schema(self) -> JsonSchema:
        return {"type": "boolean"} if self.only is None else {"const": self.only}


@dataclass(frozen=True)
class Text:
    """Any text."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, str) or isinstance(value, Fraction):
            yield fault(where, "a text belongs here")
        elif not printable(value):
            yield fault(where, "the text holds half a character")

    def schema(self) -> JsonSchema:
        return {"type": "string"}


@dataclass(frozen=True)
class ShortText:
    """A text of at most so many characters, all of which any database keeps."""

    most: int
    least: int = 0

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, str) or isinstance(value, Fraction):
            yield fault(where, "a text belongs here")
        elif not self.least <= len(value) <= self.most:
            yield fault(where, f"at most {self.most} characters fit here" if value else "a text is missing")
        elif any(unicodedata.category(letter) in ("Cs", "Cc") and letter not in "\n\t" for letter in value):
            yield fault(where, "there is a character in it that is no text")

    def schema(self) -> JsonSchema:
        least: JsonSchema = {"minLength": self.least} if self.least else {}
        return {"type": "string", **least, "maxLength": self.most, "pattern": NO_CONTROLS}


@dataclass(frozen=True)
class Among:
    """One of these words."""

    words: tuple[str, ...]

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, str) or value not in self.words:
            yield fault(where, "none of the words that can stand here")

    def schema(self) -> JsonSchema:
        return {"const": self.words[0]} if len(self.words) == 1 else {"enum": list(self.words)}


@dataclass(frozen=True)
class Date:
    """An ISO date."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        day = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", value) if isinstance(value, str) else None
        if not day or not is_date(*(int(part) for part in day.groups())):
            yield fault(where, "a date such as 2026-03-19 belongs here")

    def schema(self) -> JsonSchema:
        return {"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}


def is_date(year: int, month: int, day: int) -> bool:
    """Whether the calendar has that day.

    >>> is_date(2024, 2, 29), is_date(2026, 2, 29), is_date(2026, 13, 1)
    (True, False, False)
    """
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= days[month - 1]


def printable(text: str) -> bool:
    """Whether the text can be written out again: no lone half of a surrogate pair."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


@dataclass(frozen=True)
class Name:
    """A player's name: 1 to 40 code points, no leading or trailing spaces."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, str) or isinstance(value, Fraction):
            yield fault(where, "a name belongs here")
        elif not 1 <= len(value) <= LONGEST_NAME or value != value.strip() or not printable(value):
            yield fault(where, f"a name has 1 to {LONGEST_NAME} characters and no spaces around it")

    def schema(self) -> JsonSchema:
        # No space before or after it. In a pattern, "$" alone would let a newline through.
        return {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME, "not": {"pattern": r"^\s|\s$"}}


@dataclass(frozen=True)
class OrNull:
    """The shape inside, or null."""

    inside: Shape

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if value is not None:
            yield from self.inside.faults(value, where)

    def schema(self) -> JsonSchema:
        return {"anyOf": [self.inside.schema(), {"type": "null"}]}


@dataclass(frozen=True)
class ListOf:
    """A list of the shape inside."""

    inside: Shape

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield fault(where, "a list belongs here")
            return
        for place, member in enumerate(value, 1):
            yield from self.inside.faults(member, f"{where}, number {place}")

    def schema(self) -> JsonSchema:
        return {"type": "array", "items": self.inside.schema()}


@dataclass(frozen=True)
class FixedList:
    """A list with a value of each of these shapes, in order; the last `may_lack` of them may be left out."""

    shapes: tuple[Shape, ...]
    may_lack: int = 0

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, list) or not len(self.shapes) - self.may_lack <= len(value) <= len(self.shapes):
            yield fault(where, f"a list of {len(self.shapes)} belongs here")
            return
        for place, (shape, member) in enumerate(zip(self.shapes, value, strict=False), 1):
            yield from shape.faults(member, f"{where}, number {place}")

    def schema(self) -> JsonSchema:
        return {
            "type": "array",
            "prefixItems": [shape.schema() for shape in self.shapes],
            "minItems": len(self.shapes) - self.may_lack,
            "items": False,
        }


@dataclass(frozen=True)
class AnyObject:
    """An object whose members are checked elsewhere."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield fault(where, "an object belongs here")

    def schema(self) -> JsonSchema:
        return {"type": "object"}


@dataclass(frozen=True)
class PerName:
    """An object with a value of the shape inside for each name."""

    inside: Shape

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield fault(where, "an object with a value for each player belongs here")
            return
        for name, member in value.items():
            yield from Name().faults(name, f"{where}, key {shown(name)}")
            yield from self.inside.faults(member, f"{where}, {shown(name)}")

    def schema(self) -> JsonSchema:
        return {"type": "object", "propertyNames": Name().schema(), "additionalProperties": self.inside.schema()}


@dataclass(frozen=True)
class Members:
    """An object with these keys and no others; those in ``optional`` may be left out."""

    required: Mapping[str, Shape]
    optional: Mapping[str, Shape]
    #: Keys of which at most one may stand there.
    apart: tuple[str, ...] = ()

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield fault(where, "an object belongs here")
            return
        for key in self.required:
            if key not in value:
                yield fault(where, f"the key {shown(key)} is missing")
        for key, member in value.items():
            shape = self.required.get(key) or self.optional.get(key)
            if shape is None:
                yield fault(where, f"the key {shown(key)} is not known here")
            else:
                yield from shape.faults(member, f"{where}, {key}")
        if sum(key in value for key in self.apart) > 1:
            yield fault(where, " or ".join(shown(key) for key in self.apart) + " can stand here, not both")

    def schema(self) -> JsonSchema:
        properties = {key: shape.schema() for key, shape in (*self.required.items(), *self.optional.items())}
        schema: JsonSchema = {"type": "object", "properties": properties, "additionalProperties": False}
        if self.required:
            schema["required"] = list(self.required)
        if self.apart:
            schema["allOf"] = [{"not": {"required": list(pair)}} for pair in combinations(self.apart, 2)]
        return schema


@dataclass(frozen=True)
class OneOf:
    """An object of one of several kinds, told apart by a key only that kind has; first match counts."""

    kinds: Mapping[str, Shape]

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield fault(where, "an object belongs here")
            return
        kind = next((shape for key, shape in self.kinds.items() if key in value), None)
        if kind is None:
            yield fault(where, "none of the keys " + ", ".join(shown(key) for key in self.kinds) + " is here")
        else:
            yield from kind.faults(value, where)

    def schema(self) -> JsonSchema:
        return {"oneOf": [kind.schema() for kind in self.kinds.values()]}


@dataclass(frozen=True)
class Anything:
    """Checked elsewhere."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        yield from ()

    def schema(self) -> JsonSchema:
        return {}
