"""Field values, from the database to the file and back."""

from __future__ import annotations

import base64
import datetime
import decimal
import re
from binascii import Error as NotBase64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models

from clubs.archive.schema import is_player
from clubs.models.club import ORIGIN
from rules.core.files.schema import Among, Date, Flag, JsonSchema, OrNull, Shape, ShortText, Whole, fault, fits
from rules.core.problems import Problem
from scoresheets.files.log_export import format_moment, parse_moment
from scoresheets.files.log_schema import LARGEST, POSITIVE, Moment

UID = re.compile(r"[A-Za-z0-9_-]{22}")
SLUG = re.compile(r"[A-Za-z0-9_-]+")
SMALL = 2**15 - 1
#: So deep nothing that stands in a field of ours goes, and so many things are in none.
DEEPEST, MOST_THINGS = 6, 2_000


def file_value(field: models.Field[Any, Any], value: Any) -> Any:
    """The value as it stands in a file."""
    if isinstance(value, datetime.datetime):
        return format_moment(value)
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(field, models.BinaryField) and value is not None:
        return base64.b64encode(bytes(value)).decode()
    return value


def database_value(field: models.Field[Any, Any], value: Any) -> Any:
    """The value as it stands in the database; of a shape that fits. Pointers are left as they are."""
    if value is None:
        return None
    if isinstance(field, models.DateTimeField):
        return parse_moment(value)
    if isinstance(field, models.DateField):
        return datetime.date.fromisoformat(value)
    if isinstance(field, models.TimeField):
        return datetime.time.fromisoformat(value)
    if isinstance(field, models.DecimalField):
        return decimal.Decimal(value)
    if isinstance(field, models.BinaryField):
        return base64.b64decode(value)
    return value


#: What is said of every row.
REQUIRED = object()


def empty_value(field: models.Field[Any, Any]) -> Any:
    """What a field holds of which nothing is said in the file; `MUST` where something has to be said."""
    if field.name == "uid":
        return REQUIRED
    if field.null:
        return None
    if isinstance(field, models.BooleanField):
        return False
    if isinstance(field, models.JSONField):
        return field.get_default()
    if isinstance(field, models.CharField) and field.blank:
        return ""
    if isinstance(field, models.IntegerField):
        return 0
    # What a site takes for usual may be something else on the next one.
    return field.default if field.has_default() and not callable(field.default) else REQUIRED


@dataclass(frozen=True)
class Uid:
    """The name of a row."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, str) or not UID.fullmatch(value):
            yield fault(where, "22 letters and digits belong here")

    def schema(self) -> JsonSchema:
        return {"type": "string", "pattern": f"^{UID.pattern}$", "maxLength": 22}


@dataclass(frozen=True)
class Slug:
    """A word for an address."""

    most: int

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, str) or not SLUG.fullmatch(value) or len(value) > self.most:
            yield fault(where, f"a word of at most {self.most} letters belongs here")

    def schema(self) -> JsonSchema:
        return {"type": "string", "pattern": f"^{SLUG.pattern}$", "maxLength": self.most}


@dataclass(frozen=True)
class Origin:
    """The origin of a web site such as https://www.example.org, or nothing."""

    most: int

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, str) or len(value) > self.most or (value and not ORIGIN.fullmatch(value)):
            yield fault(where, "the address of a web site such as https://www.example.org belongs here")

    def schema(self) -> JsonSchema:
        return {"type": "string", "pattern": f"^({ORIGIN.pattern})?$", "maxLength": self.most}


@dataclass(frozen=True)
class TimeOfDay:
    """A time such as 19:30:00."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        try:
            if not isinstance(value, str) or datetime.time.fromisoformat(value).isoformat() != value:
                raise ValueError
            if datetime.time.fromisoformat(value).tzinfo:
                raise ValueError
        except ValueError:
            yield fault(where, "a time such as 19:30:00 belongs here")

    def schema(self) -> JsonSchema:
        return {"type": "string", "pattern": r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{6})?$"}


@dataclass(frozen=True)
class Decimals:
    """A number with so many digits behind the point, in a text: "12.50"."""

    digits: int
    places: int

    @property
    def pattern(self) -> str:
        """How it is written."""
        before = self.digits - self.places
        return rf"-?(0|[1-9][0-9]{{0,{before - 1}}})\.[0-9]{{{self.places}}}"

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, str) or not re.fullmatch(self.pattern, value):
            yield fault(where, "a number such as 12.50 belongs here")

    def schema(self) -> JsonSchema:
        return {"type": "string", "pattern": f"^{self.pattern}$"}


@dataclass(frozen=True)
class Bytes:
    """Bytes in base64; what they are is looked at elsewhere."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        try:
            if not isinstance(value, str) or base64.b64encode(base64.b64decode(value, validate=True)).decode() != value:
                raise ValueError
        except (ValueError, NotBase64):
            yield fault(where, "a picture in base64 belongs here")

    def schema(self) -> JsonSchema:
        return {"type": "string", "contentEncoding": "base64", "pattern": "^[A-Za-z0-9+/]*={0,2}$"}


@dataclass(frozen=True)
class Things:
    """A list or an object of plain values, as `kind` says."""

    kind: type

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if not isinstance(value, self.kind):
            yield fault(where, f"{'a list' if self.kind is list else 'an object'} belongs here")
        elif not is_plain(value) or count(value) > MOST_THINGS:
            yield fault(where, "something in it cannot stand here")

    def schema(self) -> JsonSchema:
        return {"type": "array" if self.kind is list else "object"}


def is_plain(value: object, depth: int = 0) -> bool:
    """Whether it is made of short texts, whole numbers of a bearable size, yes and no, and nothing, not too deep."""
    if isinstance(value, dict) and depth < DEEPEST:
        return all(is_plain(key, depth + 1) and is_plain(content, depth + 1) for key, content in value.items())
    if isinstance(value, list) and depth < DEEPEST:
        return all(is_plain(item, depth + 1) for item in value)
    if isinstance(value, str):
        return fits(ShortText(200), value)
    if isinstance(value, int):
        return abs(value) <= LARGEST
    return value is None


def count(value: object) -> int:
    """How many things are in it."""
    if isinstance(value, dict):
        return 1 + sum(count(content) for content in value.values())
    return 1 + sum(count(item) for item in value) if isinstance(value, list) else 1


def shape_of(field: models.Field[Any, Any]) -> Shape:
    """What a value of the field must look like in a file."""
    shape = bare_shape_of(field)
    return OrNull(shape) if field.null else shape


def bare_shape_of(field: models.Field[Any, Any]) -> Shape:
    """The same where it is not null."""
    most = getattr(field, "max_length", None) or 0
    if isinstance(field, models.ForeignKey):
        return POSITIVE if is_player(field) else Uid()
    if field.name == "uid":
        return Uid()
    if field.name == "frame_origin":
        return Origin(most)
    if field.choices and not isinstance(field, models.IntegerField):
        return Among((*(str(word) for word, _ in field.flatchoices), *([""] if field.blank else [])))
    if isinstance(field, models.SlugField):
        return Slug(most)
    if isinstance(field, models.CharField | models.TextField):
        return ShortText(most, 0 if field.blank else 1)
    if isinstance(field, models.BooleanField):
        return Flag()
    if isinstance(field, models.DateTimeField):
        return Moment()
    if isinstance(field, models.DateField):
        return Date()
    if isinstance(field, models.TimeField):
        return TimeOfDay()
    if isinstance(field, models.JSONField):
        return Things(type(field.get_default()))
    if isinstance(field, models.BinaryField):
        return Bytes()
    if isinstance(field, models.DecimalField):
        return Decimals(field.max_digits or 0, field.decimal_places or 0)
    if isinstance(field, models.IntegerField) and field.choices:
        numbers = [number for number, _ in field.flatchoices]
        return Whole(min(numbers), max(numbers))
    if isinstance(field, models.IntegerField):
        small = isinstance(field, models.SmallIntegerField | models.PositiveSmallIntegerField)
        positive = isinstance(field, models.PositiveIntegerField | models.PositiveSmallIntegerField)
        high = SMALL if small else LARGEST
        return Whole(0 if positive else -high, high)
    raise TypeError(f"Nobody has said how {field} stands in a file.")
