"""Attendance at the tables of nights: the one source of every count of people.

For a table with a sheet it comes from the sheet: everybody who sat there at any time, and nobody who was only expected.
For a past result it comes from the placings. People are counted once, however many records, names and tables they have;
a name without a match counts as a person too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from clubs.members.identity import players_known
from clubs.models import Club, Placing, Table
from scoresheets.sheet.occupancy import sittings_of


@dataclass(frozen=True)
class AttendanceSummary:
    """By table (id): `people` are ids of the members that count, `others` players (ids) who are none of the club.

    `unmatched` are those of the others of whom nobody has said yet who they are.
    """

    people: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    others: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    unmatched: set[int] = field(default_factory=set)

    def everybody(self, tables: Iterable[Table]) -> tuple[set[int], set[int]]:
        """Who was at any of these tables: members, and players who are none."""
        pks = [table.pk for table in tables]
        people = set[int]().union(*(self.people[pk] for pk in pks))
        return people, set[int]().union(*(self.others[pk] for pk in pks))

    def count(self, tables: Iterable[Table]) -> int:
        """How many people were at these tables."""
        people, others = self.everybody(tables)
        return len(people) + len(others)


def attendance(
    club: Club, tables: Iterable[Table], known: Mapping[int, Iterable[int]] | None = None
) -> AttendanceSummary:
    """Who was at each of the tables. Five queries; three where it is `known` already which players (ids) sat at which
    sheets (ids).
    """
    tables = list(tables)
    sheets = {table.sheet_id: table.pk for table in tables if table.sheet_id}
    if known is None:
        known = {sheet: sitting.everybody for sheet, sitting in sittings_of(sheets.keys()).items()} if sheets else {}
    players = {player for sheet in sheets for player in known.get(sheet, ())}
    matched = players_known(club, players) if players else {}
    members = {player: member for player, member in matched.items() if member is not None}
    summary = AttendanceSummary(unmatched=players - matched.keys())
    for sheet, table in sheets.items():
        for player in known.get(sheet, ()):
            if player in members:
                summary.people[table].add(members[player].identity)
            else:
                summary.others[table].add(player)
    typed = [table.pk for table in tables if table.sheet_id is None]
    rows = Placing.objects.filter(table__in=typed).values_list("table", "member", "member__same_as") if typed else ()
    for table, member, same_as in rows:
        summary.people[table].add(same_as or member)
    return summary
