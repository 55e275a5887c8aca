"""The rows of the demo in a file, `fixtures/demo.json.gz`: made from a database, and inserted into another.

The file has the columns of each table. Instead of an id it has the place of the row in its table, counted from 1. A
date is a number of days from today. A moment of the day when the file was made is a number of microseconds from then,
and an earlier one is a day and what the clock showed. So the demo always ends now. Tokens and the addresses of sheets
are not in the file: each site makes its own.
"""

from __future__ import annotations

import datetime
import gzip
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import models, transaction
from django.utils import timezone

from clubs.models import (
    Attendance,
    AuditEntry,
    Award,
    Chair,
    Club,
    Honour,
    Member,
    Night,
    PersonalBest,
    Placing,
    PlayOff,
    Rating,
    Season,
    Stage,
    Standing,
    Table,
    Trophy,
    User,
)
from scoresheets.access.scorekeepers import hashed
from scoresheets.models import (
    Entry,
    FinalPlacing,
    HandFact,
    HandMark,
    Player,
    Revision,
    Scorekeeper,
    Seat,
    ShareLink,
    Sheet,
)
from scoresheets.models.sheet import new_token

Model = type[models.Model]
#: The columns of a table, by the names of its fields, and the tables, by the names of their models.
Columns = dict[str, list[Any]]
Tables = dict[str, Columns]
#: By model: the rows of it, by their place in the file.
Rows = dict[Model, list[Any]]

#: The tables, each after those that its rows need, and how its rows lead to a sheet or to the club.
LOOKUP: dict[Model, str] = {
    User: "memberships__club", Player: "", Sheet: "pk", Seat: "sheet", Scorekeeper: "sheet", ShareLink: "sheet",
    Revision: "sheet", Entry: "sheet", FinalPlacing: "sheet", HandFact: "sheet", HandMark: "sheet",
    Club: "pk", Member: "club", Season: "club", Night: "club", PlayOff: "night__club", Stage: "play_off__night__club",
    Table: "night__club", Chair: "table__night__club", Attendance: "night__club", Trophy: "club",
    Award: "trophy__club", AuditEntry: "club", Placing: "table__night__club", PersonalBest: "club",
    Honour: "table__night__club", Standing: "club", Rating: "table__night__club",
}  # fmt: skip

#: What each site makes for itself.
SECRETS: dict[tuple[Model, str], Callable[[], str]] = {
    (User, "password"): lambda: make_password(None),
    (Sheet, "code"): new_token,
    (Sheet, "watch"): new_token,
    (Sheet, "opening"): lambda: hashed(new_token()),
    (Scorekeeper, "browser"): lambda: hashed(new_token()),
    (ShareLink, "token_hash"): lambda: hashed(new_token()),
    (Revision, "key"): new_token,
    (Revision, "digest"): lambda: hashed(new_token()),
    (Club, "key"): new_token,
    (Club, "calendar_key"): new_token,
    **{(model, "uid"): new_token for model in LOOKUP if any(field.name == "uid" for field in model._meta.fields)},
}
#: A browser is known by a hash of so many digits. The demo's own names for one are shorter.
DIGITS = 64
#: The titles of its own sheets begin with this, and those of the club's with a day of the week.
DEMO, WEEKDAY = "Demo: ", "{weekday}"
#: The keys of the taps that the demo makes itself begin with this.
DEMO_KEY = "demo-"
NIGHT_IN_PATH = re.compile(r"(?<=/nights/)[0-9]+(?=/)")


def file() -> Path:
    """The path of the file."""
    return Path(settings.BASE_DIR) / "fixtures" / "demo.json.gz"


def read_file() -> dict[str, Tables]:
    """The content of the file: the tables of the `sheets` and of the `club`."""
    parts: dict[str, Tables] = json.loads(gzip.decompress(file().read_bytes()))
    return parts


# From a database into the file


def tables_of(sheets: Iterable[int], club: Club | None = None) -> Tables:
    """The rows of these sheets (ids) and of a club, as the file has them."""
    rows = {model: rows_of(model, list(sheets), club) for model in LOOKUP}
    places = {model: {row.pk: place for place, row in enumerate(rows[model], 1)} for model in LOOKUP}
    now = timezone.now()
    return {model._meta.label: columns(model, rows[model], places, now) for model in LOOKUP if rows[model]}


def columns(model: Model, rows: list[Any], places: dict[Model, dict[int, int]], now: datetime.datetime) -> Columns:
    """The columns of a table. Rows that no other leads to have no order of their own: they are sorted."""
    fields = fields_of(model)
    lines = [[packed(field, row, places, now) for field in fields] for row in rows]
    if not any(field.related_model is model for other in LOOKUP for field in fields_of(other)):
        lines.sort(key=repr)
    return {field.name: list(column) for field, column in zip(fields, zip(*lines, strict=True), strict=True)}


def rows_of(model: Model, sheets: list[int], club: Club | None) -> list[Any]:
    """The rows of one table, the oldest first."""
    if model is Player:
        of = models.Q(seats__sheet__in=sheets) | (models.Q(memberships__club=club) if club else models.Q())
    elif model is Sheet or LOOKUP[model] == "sheet":
        of = models.Q(**{f"{LOOKUP[model]}__in": sheets})
    elif club:
        of = models.Q(**{LOOKUP[model]: club.pk})
    else:
        return []
    return list(model._base_manager.filter(of).distinct().order_by("pk"))


def fields_of(model: Model) -> list[Any]:
    """The fields of a model but its id."""
    return [field for field in model._meta.concrete_fields if not field.primary_key]


def packed(field: Any, row: Any, places: dict[Model, dict[int, int]], now: datetime.datetime) -> Any:
    """What the file has for a field of a row."""
    value = getattr(row, field.attname)
    if value is None or ((type(row), field.name) in SECRETS and not is_of_the_demo(row, field.name)):
        return None
    if field.is_relation:
        return places[field.related_model][value]
    if isinstance(field, models.DateTimeField):
        return packed_moment(value, now)
    if isinstance(field, models.DateField):
        return (value - timezone.localdate(now)).days
    if isinstance(field, models.TimeField | models.DecimalField):
        return str(value)
    if isinstance(field, models.BinaryField):
        return bytes(value).hex()
    if isinstance(row, Stage) and field.name == "drawn_for":
        return [places[Player][player] for player in value]
    if isinstance(row, Sheet) and field.name == "badges":
        return {str(places[Player][int(player)]): wish for player, wish in value.items()}
    if isinstance(row, Sheet) and field.name == "home":
        return NIGHT_IN_PATH.sub(lambda night: str(places[Night][int(night[0])]), value)
    return with_title(value, lambda title: title.replace(f"{now:%A}", WEEKDAY))


def is_of_the_demo(row: Any, name: str) -> bool:
    """Whether this value, which is otherwise a secret, is the name that the demo has for itself."""
    if isinstance(row, Sheet):
        return name == "opening" and row.title.startswith(DEMO)
    if isinstance(row, Revision):
        return name == "key" and row.key.startswith(DEMO_KEY)
    return isinstance(row, Scorekeeper) and len(row.browser) < DIGITS


def with_title(value: Any, change: Callable[[str], str]) -> Any:
    """A value, with another title if it is one or has one. All nights of the demo are on today's day of the week."""
    if isinstance(value, dict) and "title" in value:
        return {**value, "title": change(value["title"])}
    return change(value) if isinstance(value, str) else value


def packed_moment(moment: datetime.datetime, now: datetime.datetime) -> Any:
    """A moment as the file has it. What the story of the demo says is a full minute, what follows from now is not."""
    if moment.second or moment.microsecond:
        return (moment - now) // datetime.timedelta(microseconds=1)
    here = timezone.localtime(moment)
    return [(here.date() - timezone.localdate(now)).days, f"{here:%H:%M}"]


# From the file into a database


def insert(tables: Tables) -> None:
    """Insert the rows of the file, all or none of them. No signal is sent: what follows from them is among them."""
    rows: Rows = {}
    now = timezone.now()
    with transaction.atomic():
        for model in LOOKUP:
            given = tables.get(model._meta.label, {})
            fields = [field for field in fields_of(model) if field.name in given and not comes_later(field)]
            values = [unpacked(field, given[field.name], rows, now) for field in fields]
            names = [field.attname for field in fields]
            new = [model(**dict(zip(names, row, strict=True))) for row in zip(*values, strict=True)]
            rows[model] = model._base_manager.bulk_create(new)
        for model in LOOKUP:
            for field in filter(comes_later, fields_of(model)):
                link(field, tables.get(model._meta.label, {}).get(field.name, []), rows)
        lead_home(rows)


def lead_home(rows: Rows) -> None:
    """Put the ids of the nights into the paths that sheets lead back to."""
    sheets = [sheet for sheet in rows[Sheet] if NIGHT_IN_PATH.search(sheet.home)]
    for sheet in sheets:
        sheet.home = NIGHT_IN_PATH.sub(lambda place: str(rows[Night][int(place[0]) - 1].pk), sheet.home)
    Sheet.objects.bulk_update(sheets, ["home"])


def comes_later(field: Any) -> bool:
    """Whether the field leads to a row of the same table or of one that is inserted later."""
    order = list(LOOKUP)
    target = field.related_model
    return target in LOOKUP and order.index(target) >= order.index(field.model)


def link(field: Any, values: list[Any], rows: Rows) -> None:
    """Set a field that leads to rows which were not inserted before its own."""
    linked = [row for row, value in zip(rows[field.model], values, strict=False) if value is not None]
    for row, value in zip(linked, filter(None, values), strict=True):
        setattr(row, field.attname, rows[field.related_model][value - 1].pk)
    field.model._base_manager.bulk_update(linked, [field.name])


def unpacked(field: Any, values: list[Any], rows: Rows, now: datetime.datetime) -> list[Any]:
    """A column of the file as values for new rows."""
    secret = SECRETS.get((field.model, field.name))
    convert = converter(field, rows, now)
    return [secret() if value is None and secret else value if value is None else convert(value) for value in values]


def converter(field: Any, rows: Rows, now: datetime.datetime) -> Callable[[Any], Any]:
    """What makes of a value of the file one of this field."""
    today = timezone.localdate(now)
    if field.is_relation:
        targets = rows[field.related_model]
        return lambda place: targets[place - 1].pk
    if isinstance(field, models.DateTimeField):
        return lambda value: unpacked_moment(value, now)
    if isinstance(field, models.DateField):
        return lambda days: today + datetime.timedelta(days=days)
    if isinstance(field, models.BinaryField):
        return bytes.fromhex
    if field.model is Stage and field.name == "drawn_for":
        return lambda players: [rows[Player][place - 1].pk for place in players]
    if field.model is Sheet and field.name == "badges":
        return lambda badges: {str(rows[Player][int(place) - 1].pk): wish for place, wish in badges.items()}
    return lambda value: with_title(value, lambda title: title.replace(WEEKDAY, f"{today:%A}"))


def unpacked_moment(value: Any, now: datetime.datetime) -> datetime.datetime:
    """The moment that the file means, seen from now."""
    if isinstance(value, int):
        return now + datetime.timedelta(microseconds=value)
    days, clock = value
    day = timezone.localdate(now) + datetime.timedelta(days=days)
    return timezone.make_aware(datetime.datetime.combine(day, datetime.time.fromisoformat(clock)))
