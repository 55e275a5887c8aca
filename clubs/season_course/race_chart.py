"""The race chart: the course of a standing as a drawing, one line a person, with names at both ends.

Lengths are whole units, two of which are about a pixel on a phone. A line lies in the row of a person's place; those
who share a place lie one below the other, so that no line hides another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from clubs.models import Member
from clubs.season_course.course import Course
from clubs.standings.schemes import ordinal
from scoresheets.wording.badges import STROKES, Badge, badge_of, free_stroke
from scoresheets.wording.graphemes import letters

WIDTH = 720
#: How high a letter is, a row, and what lies above the rows and below them.
SIZE, ROW, TOP, BELOW = 36, 46, 8, 56
#: The names at the left and at the right are so wide, with this much between name and line.
LEFT, RIGHT, GAP = 168, 208, 14
#: So many lines have a colour at once, and so many are drawn.
COLOURED, MOST_LINES = STROKES, 40
#: So many letters of a name stand in the drawing.
MOST_LETTERS = 9
#: About how far apart two days stand at least.
BETWEEN_DAYS = 140


@dataclass(frozen=True)
class RaceLine:
    """The line of one person. `points` are (column, row), both from 0, of the nights after which they had a place.

    `is_coloured`: they are among the first; the others are grey until they are chosen. `first` and `last` are their
    places at both ends of their line, `is_shared` that others have the last one, too.
    """

    member: Member
    badge: Badge
    short: str
    points: tuple[tuple[int, int], ...]
    first: int
    last: int
    is_coloured: bool
    is_shared: bool
    is_chosen: bool
    #: The place after each night; None: they had none yet.
    places: tuple[int | None, ...] = ()

    @property
    def begins_later(self) -> bool:
        """Whether they had no place on the first night that is drawn."""
        return self.points[0][0] > 0

    @property
    def best(self) -> int:
        return min(place for place in self.places if place)

    @property
    def says(self) -> str:
        """ "4th at first, 1st at best, 2nd now"."""
        return f"{ordinal(self.first)} at first, {ordinal(self.best)} at best, {ordinal(self.last)} now"


@dataclass(frozen=True)
class DrawnRaceLine:
    """A line as it lies: its path, where it begins and ends, and in which row its name stands at the left."""

    line: RaceLine
    path: str
    start_x: int
    start_y: int
    end_y: int
    name_y: int

    @property
    def start_label_y(self) -> int:
        """Where the row of its name at the left begins."""
        return self.name_y - ROW // 2

    @property
    def end_label_y(self) -> int:
        return self.end_y - ROW // 2


@dataclass(frozen=True)
class RaceChart:
    """A course, drawn. `chosen`: whose line is brought forward (id), 0 for nobody's."""

    course: Course
    chosen: int = 0

    width, size, row, left_room, right_room, gap = WIDTH, SIZE, ROW, LEFT, RIGHT, GAP

    @cached_property
    def drawn_people(self) -> list[int]:
        """Whose lines are drawn, in the order of the latest standing: all, or those in front and the chosen one."""
        people = list(self.course.last.places)
        if len(people) <= MOST_LINES:
            return people
        return [*people[:MOST_LINES], *([self.chosen] if self.chosen in people[MOST_LINES:] else [])]

    @property
    def left_out(self) -> int:
        """How many have a place and no line."""
        return len(self.course.last.places) - len(self.drawn_people)

    @cached_property
    def rows_by_night(self) -> list[dict[int, int]]:
        """After each night, in which row everybody lies who is drawn."""
        drawn = set(self.drawn_people)
        return [
            {person: row for row, person in enumerate(person for person in stop.places if person in drawn)}
            for stop in self.course.stops
        ]

    @cached_property
    def lines(self) -> list[RaceLine]:
        """Everybody's line, the first first."""
        members = [self.course.people[person] for person in self.drawn_people]
        shorts = short_names([member.shown for member in members])
        places = list(self.course.last.places.values())
        lines: list[RaceLine] = []
        for at, (member, short, badge) in enumerate(zip(members, shorts, badges_for(members), strict=True)):
            own = self.course.places_of(member.pk)
            had = [place for place in own if place is not None]
            points = tuple(
                (column, rows[member.pk]) for column, rows in enumerate(self.rows_by_night) if member.pk in rows
            )
            lines.append(
                RaceLine(
                    member, badge, short, points, had[0], had[-1], at < COLOURED, places.count(had[-1]) > 1,
                    member.pk == self.chosen, tuple(own),
                )
            )  # fmt: skip
        return lines

    @property
    def has_chosen(self) -> bool:
        return any(line.is_chosen for line in self.lines)

    @property
    def right(self) -> int:
        """Where the lines end."""
        return WIDTH - RIGHT

    @property
    def label_x(self) -> int:
        """Where the names at the right begin."""
        return self.right + GAP

    @property
    def label_width(self) -> int:
        return RIGHT - GAP

    @property
    def middle(self) -> int:
        """The middle of a row."""
        return ROW // 2

    @property
    def left_label_width(self) -> int:
        return LEFT - GAP

    @cached_property
    def bottom(self) -> int:
        return TOP + ROW * max((len(rows) for rows in self.rows_by_night), default=1)

    @property
    def top(self) -> int:
        return TOP

    @property
    def height(self) -> int:
        return self.bottom + BELOW

    @property
    def day_y(self) -> int:
        return self.height - 10

    def x(self, column: int) -> int:
        steps = len(self.course.stops) - 1
        return LEFT + round((self.right - LEFT) * column / steps) if steps else self.right

    def y(self, row: int) -> int:
        return TOP + ROW * row + ROW // 2

    @cached_property
    def drawn(self) -> list[DrawnRaceLine]:
        """The lines in the order they are painted: grey ones, then from the last to the first, the chosen on top."""
        ordered = sorted(self.lines, key=lambda line: (line.is_chosen, line.is_coloured, -line.last, -line.member.pk))
        return [
            DrawnRaceLine(
                line, curve([(self.x(column), self.y(row)) for column, row in line.points]),
                self.x(line.points[0][0]), self.y(line.points[0][1]), self.y(line.points[-1][1]),
                self.y(self.left_rows[line.member.pk]),
            )
            for line in ordered
        ]  # fmt: skip

    @cached_property
    def left_rows(self) -> dict[int, int]:
        """In which row everybody's name stands at the left: where their line begins, and of those who came later in
        the rows that are free, in the order of their beginnings.
        """
        rows = {line.member.pk: line.points[0][1] for line in self.lines if not line.begins_later}
        later = sorted((line for line in self.lines if line.begins_later), key=lambda line: line.points[0][::-1])
        free = sorted(set(range(len(self.lines))) - set(rows.values()))
        return rows | {line.member.pk: row for line, row in zip(later, free, strict=True)}

    @cached_property
    def days(self) -> list[tuple[str, int]]:
        """Days below the lines, with their places: the last one, and as many as have room."""
        stops = self.course.stops
        last = len(stops) - 1
        shown = [last]
        for column in range(last - 1, -1, -1):
            if self.x(shown[-1]) - self.x(column) >= BETWEEN_DAYS:
                shown.append(column)
        return [(f"{stops[column].on:%-d %b}", self.x(column)) for column in reversed(shown)]

    @cached_property
    def columns(self) -> list[int]:
        """Where the nights are."""
        return [self.x(column) for column in range(len(self.course.stops))]

    @property
    def says(self) -> str:
        """What it shows, for who does not see it. The places stand in the table below."""
        nights = len(self.course.stops)
        first = [line.member.shown for line in self.lines if line.last == 1]
        leads = f"{' and '.join(first)} {'is' if len(first) == 1 else 'are'} in front"
        return f"Places of {len(self.lines)} players after each of {nights} nights. Now {leads}."


def badges_for(members: Sequence[Member]) -> Iterable[Badge]:
    """The badges of these people: of the first ten no two have the same colour."""
    taken: list[tuple[int, int]] = []
    for at, member in enumerate(members):
        wish = member.badge or badge_of(member.pk % STROKES + 1, member.initials[0])
        stroke = free_stroke(wish.colour, taken) if at < COLOURED else (wish.colour, wish.dash)
        taken.append(stroke)
        yield Badge(*stroke, wish.initial)


def short_names(names: Sequence[str], most: int = MOST_LETTERS) -> list[str]:
    """Names for a place with little room: the first word, with the next initial where two would be alike.

    >>> short_names(["Ann Smith", "Ann Jones", "Bartholomew", "Cy"])
    ['Ann S', 'Ann J', 'Bartholo…', 'Cy']
    """
    first = [cut((name.split() or [name])[0], most) for name in names]
    return [
        with_initial(name, most) if is_twice(short, first) and len(name.split()) > 1 else short
        for name, short in zip(names, first, strict=True)
    ]


def is_twice(short: str, shorts: Collection[str]) -> bool:
    return sum(other.casefold() == short.casefold() for other in shorts) > 1


def with_initial(name: str, most: int) -> str:
    first, *_, last = name.split()
    return f"{cut(first, most - 2)} {letters(last)[0]}"


def cut(word: str, most: int) -> str:
    """The word in so many letters at most."""
    parts = letters(word)
    return word if len(parts) <= most else "".join(parts[: most - 1]) + "…"


def curve(points: Sequence[tuple[int, int]]) -> str:
    """A path that lies flat at each of the points, so that crossing lines can be told apart; a short stroke for one.

    >>> curve([(0, 10), (40, 30), (80, 30)]), curve([(40, 10)])
    ('M0 10C20 10 20 30 40 30H80', 'M32 10H40')
    """
    if len(points) == 1:
        return f"M{points[0][0] - 8} {points[0][1]}H{points[0][0]}"
    path = f"M{points[0][0]} {points[0][1]}"
    for (x, y), (next_x, next_y) in pairwise(points):
        middle = (x + next_x) // 2
        path += f"H{next_x}" if y == next_y else f"C{middle} {y} {middle} {next_y} {next_x} {next_y}"
    return path
