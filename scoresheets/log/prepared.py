"""Queries of every tap and every poll, compiled to SQL once for each connection.

Django compiles a query each time. That takes longer than SQLite needs for the answer. A connection belongs to one
thread and one kind of database, so the SQL is kept with it.

`CompiledQuery` uses parts of Django that are not documented: `tests/scoresheets/log/test_prepared.py` names each of
them, and compares the answers with those of the query sets. They are worth it: with the queries alone by query sets, a
post takes 7.1 ms of processor instead of 4.6 (one slow core, November 2026), which would make 2.9 bare INSERTs of the
1.9 in `make bench` (bar 2.5) and 0.28 of the throughput of 0.44 (bar 0.40).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

Row = TypeVar("Row")
Given = str | int | list[int]

#: Stand in a query for what is given later: a text and numbers that no query of ours has.
TEXT, NUMBER = "(blank) ", 2_147_000_000
#: So many numbers a list has at most.
LONGEST_LIST = 10_000


class PreparedQuery(Generic[Row]):
    """A query with parameters. `make` builds its query set, of models or by `values_list`.

    The parameters are `str`, `int` or `list[int]`, and may only be compared with; a list of each length is compiled by
    itself. They are given by name: `watched_at(watch="…")`. The answer is a list.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Row]]) -> None:
        self.make = make
        self.kinds = {p.name: p.annotation for p in inspect.signature(make).parameters.values()}

    def __call__(self, **given: Given) -> list[Row]:
        connection = connections[DEFAULT_DB_ALIAS]
        compiled = compiled_on(connection)
        lengths = [(name, len(value)) for name, value in given.items() if isinstance(value, list)]
        query = (self, *lengths)
        if query not in compiled:
            blanks = self.blanks(given)
            try:
                compiled[query] = CompiledQuery(self.make(**blanks), blanks, connection)
            except EmptyResultSet:
                # Nothing is among none: there is no such SQL.
                return []
        rows: list[Row] = compiled[query].rows(given)
        return rows

    def get(self, **given: Given) -> Row:
        """The only row. Raises the model's `DoesNotExist` where there is none."""
        rows = self(**given)
        if not rows:
            raise self.make(**self.blanks(given)).model.DoesNotExist
        return rows[0]

    def blanks(self, given: Mapping[str, Given]) -> dict[str, Given]:
        """What stands in the query for each parameter, for lists as long as the given ones."""
        blanks: dict[str, Given] = {}
        for number, (name, kind) in enumerate(self.kinds.items()):
            first, value = NUMBER + number * LONGEST_LIST, given[name]
            single = TEXT + name if kind == "str" else first
            blanks[name] = list(range(first, first + len(value))) if isinstance(value, list) else single
        return blanks


class CompiledQuery(Generic[Row]):
    """A query set in SQL, and how its rows become models, where they do."""

    def __init__(self, queryset: QuerySet[Any, Row], blanks: dict[str, Given], connection: BaseDatabaseWrapper) -> None:
        self.connection = connection
        self.compiler = queryset.query.get_compiler(connection=connection)
        self.sql, values = self.compiler.as_sql()
        names = {blank: name for name, blank in one_by_one(blanks).items()}
        #: For each place of the SQL: the name of what is given there, or None and a value of the query's own.
        self.places = [(names.get(value), value) for value in values]
        select, info = self.compiler.select, self.compiler.klass_info
        self.converters = self.compiler.get_converters([column for column, *_ in select])
        self.makes_models = queryset._fields is None  # type: ignore[attr-defined]  # not documented
        if self.makes_models:
            self.model: type[Model] = info["model"]
            first, last = info["select_fields"][0], info["select_fields"][-1]
            self.own = slice(first, last + 1)
            self.fields = [column.target.attname for column, *_ in select[self.own]]
            self.annotations = self.compiler.annotation_col_map
            self.relations = get_related_populators(info, select, connection.alias)  # type: ignore[call-arg]  # Django 6 adds one

    def rows(self, given: Mapping[str, Given]) -> list[Any]:
        values = one_by_one(given)
        with self.connection.cursor() as cursor:
            cursor.execute(self.sql, [values[name] if name else value for name, value in self.places])
            rows = cursor.fetchall()
        converted = self.compiler.apply_converters(rows, self.converters)
        return [self.model_of(row) for row in converted] if self.makes_models else list(map(tuple, converted))

    def model_of(self, row: Sequence[Any]) -> Model:
        instance = self.model.from_db(self.connection.alias, self.fields, row[self.own])
        for name, column in self.annotations.items():
            setattr(instance, name, row[column])
        for relation in self.relations:
            relation.populate(row, instance)
        return instance


def one_by_one(given: Mapping[str, Given]) -> dict[tuple[str, int], Any]:
    """Each text and number by the name of its parameter and its place in the list, 0 where it is none."""
    lists = {name: value if isinstance(value, list) else [value] for name, value in given.items()}
    return {(name, place): value for name, values in lists.items() for place, value in enumerate(values)}


def add_rows(rows: Sequence[Model]) -> None:
    """Insert new rows of one model with a key of its own, `id`; they know it afterwards, as after `bulk_create`."""
    if not rows:
        return
    connection = connections[DEFAULT_DB_ALIAS]
    compiled, model, kind = compiled_on(connection), type(rows[0]), (type(rows[0]), len(rows))
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    if kind not in compiled:
        quoted = connection.ops.quote_name
        columns = ", ".join(quoted(str(field.column)) for field in fields)
        row_of_blanks = f"({', '.join(['%s'] * len(fields))})"
        blanks = ", ".join([row_of_blanks] * len(rows))
        compiled[kind] = f"INSERT INTO {quoted(model._meta.db_table)} ({columns}) VALUES {blanks} RETURNING id"  # noqa: S608
    values = [field.get_db_prep_save(field.pre_save(row, True), connection) for row in rows for field in fields]  # noqa: FBT003
    with connection.cursor() as cursor:
        cursor.execute(compiled[kind], values)
        keys = cursor.fetchall()
    for row, (key,) in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, connection.alias


def change_row(row: Model, *names: str) -> None:
    """Write these fields of a row that stands already, as they are on the model."""
    connection = connections[DEFAULT_DB_ALIAS]
    compiled, kind = compiled_on(connection), (type(row), names)
    columns: dict[str, Any] = {field.name: field for field in row._meta.concrete_fields}
    fields = [columns[name] for name in names]
    if kind not in compiled:
        quoted = connection.ops.quote_name
        places = ", ".join(f"{quoted(field.column)} = %s" for field in fields)
        compiled[kind] = f"UPDATE {quoted(row._meta.db_table)} SET {places} WHERE id = %s"  # noqa: S608
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(compiled[kind], [*values, row.pk])


def compiled_on(connection: BaseDatabaseWrapper) -> dict[Any, Any]:
    """Everything that was compiled on this connection."""
    compiled: dict[Any, Any] = vars(connection).setdefault("compiled_sql", {})
    return compiled
