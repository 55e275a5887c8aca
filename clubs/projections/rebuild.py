"""Rebuilding the copies of a club, with a report of the differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Model, QuerySet

from clubs.models import Club, Honour, Member, PersonalBest, Placing, PlayOff, Rating, Season, Standing, Table
from clubs.projections.update import remake

#: By what tells the row apart: what it holds.
Rows = Mapping[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class CopyKind:
    """Copies of one kind: what a row is called, the fields that tell one from another, and those that are copied."""

    called: str
    key: tuple[str, ...]
    fields: tuple[str, ...]
    rows: QuerySet[Any]

    def read(self) -> Rows:
        """What there is of them now."""
        rows = self.rows.values(*self.key, *self.fields)
        return {tuple(row[name] for name in self.key): {name: row[name] for name in self.fields} for row in rows}


def kinds_of(club: Club) -> list[CopyKind]:
    """Everything the club keeps that its sheets say."""
    at_tables = {"table__night__club": club}
    return [
        CopyKind("end", ("table",), ("ended_at",), Table.objects.filter(night__club=club).annotate(table=F("pk"))),
        CopyKind(
            "end", ("play_off",), ("decided_at",), PlayOff.objects.filter(night__club=club).annotate(play_off=F("pk"))
        ),
        whole("placing", ("table", "member"), Placing, at_tables),
        whole("best or worst", ("table", "member", "what"), PersonalBest, at_tables),
        whole("honour", ("table", "member", "hand", "tag"), Honour, at_tables),
        whole("rating", ("table", "member"), Rating, at_tables),
        whole("standing", ("season", "member"), Standing, {"club": club}),
        CopyKind("lock", ("season",), ("differs",), Season.objects.filter(club=club).annotate(season=F("pk"))),
    ]


def whole(called: str, key: tuple[str, ...], model: type[Model], of: dict[str, Any]) -> CopyKind:
    """A kind of which the row is a copy as a whole."""
    fields = tuple(f.name for f in model._meta.concrete_fields if f.name not in (*key, "id"))
    return CopyKind(called, key, fields, model._default_manager.filter(**of).order_by())


def made_anew(club: Club) -> tuple[int, list[str]]:
    """Make all copies of the club anew: of how many tables, and a line for each that was not so before."""
    with transaction.atomic():
        kinds = kinds_of(club)
        before = [kind.read() for kind in kinds]
        tables = remake(club)
        after = [kind.read() for kind in kinds]
        names = RowNames(club)
        lines = [
            line
            for kind, was, now in zip(kinds, before, after, strict=True)
            for line in differences(kind, was, now, names)
        ]
    return tables, lines


class RowNames:
    """What rows of a club are called in a line, by the field that names them."""

    def __init__(self, club: Club) -> None:
        tables = Table.objects.filter(night__club=club).select_related("night")
        play_offs = PlayOff.objects.filter(night__club=club).select_related("night")
        self.of: dict[str, dict[Any, str]] = {
            "play_off": {play_off.pk: f"{play_off} of {play_off.night.on:%-d %B %Y}" for play_off in play_offs},
            "table": {table.pk: f"{table} of {table.night.on:%-d %B %Y}" for table in tables},
            "member": {member.pk: member.called for member in Member.objects.filter(club=club)},
            "season": {season.pk: season.name for season in club.seasons.all()} | {None: "all games"},
        }

    def name_of(self, field: str, value: Any) -> str:
        return self.of.get(field, {}).get(value, str(value))


def differences(kind: CopyKind, was: Rows, now: Rows, names: RowNames) -> Iterator[str]:
    """A line for each row that came, went or changed: "placing, Table 2 of 5 March 2026, Ann: score 12, now 14"."""
    for key in [*was, *(key for key in now if key not in was)]:
        if was.get(key) == now.get(key):
            continue
        where = ", ".join([kind.called, *(names.name_of(*pair) for pair in zip(kind.key, key, strict=True))])
        if key not in now:
            yield f"{where}: should not be there"
        elif key not in was:
            yield f"{where}: was missing"
        else:
            changed = [name for name in kind.fields if was[key][name] != now[key][name]]
            yield f"{where}: {'; '.join(f'{name} {was[key][name]}, now {now[key][name]}' for name in changed)}"
