"""Past holders of trophies: one line for each time a trophy was won."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clubs.access.outdated import mark_for
from clubs.imports.names import Anybody, People
from clubs.imports.results import wrong_heads
from clubs.imports.spreadsheet import Spreadsheet, SpreadsheetLine
from clubs.imports.steps import Person, Step
from clubs.models import Club, Member, Trophy, Upload
from clubs.trophies.past_holders import TypedHolder, read_when, write_holders
from rules.core.problems import Problem
from scoresheets.log.text import same_name

HEADS = ("trophy", "since", "name")
#: So many are written in one go.
LINES_A_STEP = 8


@dataclass(frozen=True)
class Won:
    """Somebody who won a trophy."""

    trophy: Trophy
    on: datetime.date
    exact: str
    person: Anybody

    @property
    def typed(self) -> TypedHolder:
        """It, as if somebody had typed it."""
        return TypedHolder(self.on, self.exact, self.person.member, self.person.name)


@dataclass
class Holders:
    """What the lines of a sheet say, and everything that is wrong with them, in sentences."""

    won: list[Won]
    people: People
    wrong: list[str]

    kind = "holders"

    def clash(self, picks: dict[str, Member]) -> list[str]:
        """Nobody is in the way of anybody here."""
        return []

    @property
    def lines(self) -> dict[Trophy, list[Won]]:
        """By trophy, the earliest first."""
        wins: dict[Trophy, list[Won]] = {}
        for won in sorted(self.won, key=lambda won: won.on):
            wins.setdefault(won.trophy, []).append(won)
        return wins

    @property
    def shown(self) -> list[Won]:
        """Everything that is written, as a page lists it."""
        return [won for line in self.lines.values() for won in line]

    @property
    def mark(self) -> str:
        """What a confirm says it has seen."""
        return mark_for([(won.trophy.pk, won.on, won.exact, won.person.key, won.person.pk) for won in self.won])


def read_holders(sheet: Spreadsheet, club: Club) -> Holders:
    """What the sheet says of the trophies of the club."""
    holders = Holders([], People(club), wrong_heads(sheet.heads, HEADS, HEADS))
    trophies = Trophy.objects.filter(club=club, archived_at__isnull=True).defer("picture")
    known = {same_name(trophy.name): trophy for trophy in trophies}
    for line in sheet.lines if not holders.wrong else ():
        read = read_line(line, known, holders.people, club.today())
        if isinstance(read, str):
            holders.wrong.append(f"Line {line.number}: {read}")
        else:
            holders.won.append(read)
    if not holders.won and not holders.wrong:
        holders.wrong.append("No line has a trophy.")
    return holders


def read_line(line: SpreadsheetLine, trophies: dict[str, Trophy], people: People, today: datetime.date) -> Won | str:
    """What a line says, or what is wrong with it."""
    trophy = trophies.get(same_name(line.text("trophy")))
    if trophy is None:
        names = ", ".join(trophy.name for trophy in trophies.values()) or "none yet"
        return f"There is no trophy “{line.text('trophy')[:40]}”. There are: {names}."
    when = read_when(line.text("since"), today)
    if isinstance(when, Problem):
        return when.message
    on, exact, rest = when
    if rest.strip():
        return "When was it? Write it as 5 March 2026, as March 2026, or as 2026."
    person = people.find(line.text("name"))
    return person.message if isinstance(person, Problem) else Won(trophy, on, exact, person)


# Writing them down


def steps_of(holders: Holders, places: Mapping[str, int]) -> list[Step]:
    """What is written in one go each: some lines of one trophy. `places` says where somebody stands in the plan."""
    steps: list[Step] = []
    for trophy, line in holders.lines.items():
        for begin in range(0, len(line), LINES_A_STEP):
            some = line[begin : begin + LINES_A_STEP]
            rows = [[won.on.isoformat(), won.exact, places[won.person.key]] for won in some]
            steps.append({"count": len(some), "trophy": trophy.pk, "lines": rows})
    return steps


def write_step(step: Step, people: Sequence[Person], upload: Upload, club: Club) -> int:
    """Write down the holders who do not stand there already; how many they are. Who is no member is only named."""
    trophy = Trophy.objects.filter(pk=step["trophy"], club=club).select_related("club").first()
    if trophy is None:
        return 0
    members = Member.objects.select_related("same_as").in_bulk([people[at].member for *_, at in step["lines"]])
    rows = []
    for on, exact, at in step["lines"]:
        member = members.get(people[at].member)
        rows.append(
            TypedHolder(datetime.date.fromisoformat(on), exact, member.main_record if member else None, people[at].name)
        )
    return len(write_holders(trophy, rows, by=upload.confirmed_by))
