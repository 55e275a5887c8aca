"""Past holders that an organiser types in: who won a trophy and when, back to before the site.

A line has a date, then a name: "1998 Ann", "March 2001, Bo", "5 March 2026: Cy". A name of the club is that member;
another name is a person who is no member.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.models import Award, Club, Member, Trophy
from clubs.trophies.awards import alone_with
from rules.core.problems import Problem
from scoresheets.log.text import clean_name, same_name

Exact = Award.Exact
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
YEAR = r"(?P<year>[12][0-9]{3})"
DAY = r"(?P<day>[0-9]{1,2})"
#: How a day can be written. Of 5/3/2026 nobody knows which is the month.
WRITTEN = [
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"{YEAR}-(?P<month>[0-9]{{1,2}})-{DAY}(?![0-9])",
        rf"{DAY}\.\s*(?P<month>[0-9]{{1,2}})\.\s*{YEAR}(?![0-9])",
        rf"{DAY}(?:st|nd|rd|th)?\.?\s+{MONTH},?\s+{YEAR}(?![0-9])",
        rf"{MONTH}\s+{DAY}(?:st|nd|rd|th)?,?\s+{YEAR}(?![0-9])",
        rf"{YEAR}-(?P<month>[0-9]{{1,2}})(?![0-9-])",
        rf"{MONTH},?\s+{YEAR}(?![0-9])",
        rf"{YEAR}(?![0-9-])",
    )
]
HOW = "Write it as 5 March 2026, as March 2026, or as 2026."
MOST_LINES = 500
MOST_TEXT = 40_000


@dataclass(frozen=True)
class TypedHolder:
    """A holder as typed: a `member`, or (None) somebody called `name` who is none."""

    on: datetime.date
    exact: str
    member: Member | None
    name: str

    @property
    def award(self) -> Award:
        """The award it would be, for a look at it."""
        return Award(member=self.member, name="" if self.member else self.name, on=self.on, exact=self.exact)


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be read: its number, what stands there, and what is wrong with it."""

    number: int
    line: str
    message: str


def read_when(text: str, today: datetime.date) -> tuple[datetime.date, str, str] | Problem:
    """The day at the beginning of `text`, how exact it is, and what follows it; or what is wrong.

    >>> read_when("5 March 1998 Ann", datetime.date(2026, 3, 5))
    (datetime.date(1998, 3, 5), 'day', ' Ann')
    """
    match = next(filter(None, (pattern.match(text) for pattern in WRITTEN)), None)
    if match is None:
        return Problem("no-day", f"When was it? {HOW}", "when")
    parts = match.groupdict()
    month, day = parts.get("month") or "1", int(parts.get("day") or 1)
    number = int(month) if month.isdigit() else month_called(month)
    try:
        on = datetime.date(int(parts["year"]), number, day)
    except ValueError:
        return Problem("no-day", f"There is no such day. {HOW}", "when")
    if on > today:
        return Problem("day-to-come", "That day has not come yet.", "when")
    exact = Exact.DAY if parts.get("day") else Exact.MONTH if parts.get("month") else Exact.YEAR
    return on, exact.value, text[match.end() :]


def month_called(name: str) -> int:
    """The number of a month by its English name or the beginning of it; 0 where there is none.

    >>> month_called("March"), month_called("sept"), month_called("Ann")
    (3, 9, 0)
    """
    full = datetime.date(2000, 1 + MONTHS.index(name[:3].lower()), 1) if name[:3].lower() in MONTHS else None
    return full.month if full and f"{full:%B}".lower().startswith(name.lower()) else 0


@dataclass(frozen=True)
class MembersByName:
    """Everybody who ever belonged to a club, by what they are called."""

    members: dict[str, list[Member]]

    def find(self, name: str) -> Member | Problem | None:
        """The one member of that name; None: there is none; or that there are several."""
        people = {member.main_record for member in self.members.get(same_name(name), [])}
        if len(people) > 1:
            return Problem("several", f"There are {len(people)} people called {name}. Say who by the nickname.", "who")
        return people.pop() if people else None


def members_by_name(club: Club) -> MembersByName:
    """One query."""
    members: dict[str, list[Member]] = {}
    for member in Member.objects.filter(club=club, approved_at__isnull=False).select_related("same_as"):
        for name in {same_name(member.name), same_name(member.nickname)} - {""}:
            members.setdefault(name, []).append(member)
    return MembersByName(members)


def read_lines(text: str, names: MembersByName, today: datetime.date) -> tuple[list[TypedHolder], list[BadLine]]:
    """What the lines say, and those that say nothing one could read. Empty lines are skipped."""
    read: list[TypedHolder] = []
    bad: list[BadLine] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = " ".join(raw.split())
        if line:
            holder = read_line(line, names, today)
            if isinstance(holder, Problem):
                bad.append(BadLine(number, line[:80], holder.message))
            else:
                read.append(holder)
        if len(read) + len(bad) >= MOST_LINES:
            break
    return read, bad


def read_line(line: str, names: MembersByName, today: datetime.date) -> TypedHolder | Problem:
    """A line: when, then who."""
    day = read_when(line, today)
    if isinstance(day, Problem):
        return day
    on, exact, rest = day
    name = clean_name(rest.lstrip(" ,;:–-\t"), field="who")
    if isinstance(name, Problem):
        return Problem(name.code, "Who was it? The name is missing." if name.code == "no-name" else name.message, "who")
    member = names.find(name)
    return member if isinstance(member, Problem) else TypedHolder(on, exact, member, name)


def add_holders(
    trophy: Trophy, holders: list[TypedHolder], *, by: Member | None, why: str = "", handed: bool = True
) -> list[Award]:
    """Add the past holders of the trophy (`write_holders`), with an entry in the audit log."""
    with transaction.atomic():
        added = write_holders(trophy, holders, by=by, why=why, handed=handed)
        if len(added) == 1:
            write_down(trophy.club, f"Added that {added[0].shown} won {trophy} ({added[0].day}).", by=by)
        elif added:
            write_down(trophy.club, f"Added {len(added)} holders of {trophy}, back to {added[0].day}.", by=by)
    return added


def write_holders(
    trophy: Trophy, holders: list[TypedHolder], *, by: Member | None, why: str = "", handed: bool = True
) -> list[Award]:
    """Write the holders into the trophy's line, confirmed; `handed`: each had it in their hands from that day on.

    What stands there already is not written twice.
    """
    club = trophy.club
    added = []
    with alone_with(trophy):
        days = {holder.on for holder in holders}
        standing = Award.objects.standing().filter(trophy=trophy, source=Award.Source.TYPED, on__in=days)
        known = {(won.on, won.exact, won.person) for won in standing.select_related("member__same_as")}
        for holder in holders:
            won = holder.award
            if (won.on, won.exact, won.person) in known:
                continue
            known.add((won.on, won.exact, won.person))
            won.trophy, won.source, won.why = trophy, Award.Source.TYPED, why
            won.confirmed_at, won.confirmed_by = timezone.now(), by
            if handed:
                late = datetime.datetime.combine(won.on, datetime.time(23, 59), tzinfo=club.zone)
                won.handed_at = min(late, timezone.now())
            won.save()
            added.append(won)
    return added
