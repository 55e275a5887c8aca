"""The score curve as a drawing: where lines, marks and labels lie.

All lengths are whole units, two of which are about a pixel on a phone: so a line of twenty-five hands stays short.
The page draws it in colours of its stylesheet, a picture in those of the badges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rules.core.numbers import bare
from scoresheets.score_curve.curve import CurvePoints, Line, ScoreCurve, Stop
from scoresheets.sheet.parts import stroke_of
from scoresheets.wording.markup import plain_list, verb

WIDTH = 720
#: What lies right of the last point: room for its mark, and a leader to the badge.
MARK, LEADER = 30, 30
#: The lines have so much room at least.
LEAST = 300
#: A badge is a stroke with round ends: with one letter so long, with two so wide for its height.
ROUND, WIDE = 1, 1.4
#: The steps of the scale, and how many of them there may be.
STEPS, MOST_STEPS = (1, 2, 5), 5
#: What the numbers are wide, and how far apart those of hands stand at least, for their size.
DIGIT, BETWEEN_HANDS = 0.5, 1.9
#: A letter, for the height of its badge.
LETTER = 0.72
#: So many badges at most stand one below the other at the ends of a band.
ONE_COLUMN = 5


@dataclass(frozen=True)
class DrawnLine:
    """A line as it lies: its path, where its end and its badge are, and the frozen rest of who went home."""

    line: Line
    path: str
    rest: str
    end_y: int
    badge_x: int
    badge_y: int
    badge_width: int
    badge_size: int

    @property
    def disc_x(self) -> int:
        """Where the stroke with round ends begins that is the badge."""
        return self.badge_x + self.badge_size // 2

    @property
    def disc(self) -> int:
        """How long that is: next to nothing for a round badge."""
        return self.badge_width - self.badge_size

    @property
    def letter_x(self) -> int:
        """The middle of the badge."""
        return self.badge_x + self.badge_width // 2


@dataclass(frozen=True)
class Mark:
    """A box or circle round an end: what it is, which of the three strokes, and where its middle lies."""

    kind: str
    stroke: int
    y: int


@dataclass(frozen=True)
class CurveDrawing:
    """A curve in a frame of that width, as high as its badges need; `least` is how high the lines lie at least."""

    curve: ScoreCurve | CurvePoints
    width: int = WIDTH
    least: int = LEAST

    #: The numbers, what lies above and below the lines, and a badge.
    size, top, below = 34, 30, 56
    badge_size = 46
    #: Of a box or circle 100 wide and 60 high.
    mark_scale = ".46 .6"

    @property
    def between(self) -> int:
        return self.badge_size + 2

    @property
    def says(self) -> str:
        """What it shows, for who does not see it. The totals stand in the table below."""
        curve = self.curve
        names = {line.seat: line.name for line in curve.lines}
        has = [
            f"{plain_list(marked)} {verb(marked, 'has', 'have')} the {mark}"
            for mark, seats in (("box", curve.boxed), ("circle", curve.circled))
            if (marked := [names[seat] for seat in seats if seat in names])
        ]
        return f"Score curve of {len(names)} players. {curve.last.moment}, {plain_list(has)}."

    @cached_property
    def left(self) -> int:
        """Where the lines begin: right of the numbers of the scale."""
        longest = max(len(label) for label in (bare(self.lowest), bare(self.highest)))
        return round(self.size * (0.6 + DIGIT * longest))

    @cached_property
    def right(self) -> int:
        """Where the lines end."""
        return self.width - MARK - LEADER - self.columns * self.badge_width

    @property
    def columns(self) -> int:
        """How many columns of badges there are."""
        return 1

    @cached_property
    def badge_width(self) -> int:
        """How wide the badges are, all alike."""
        is_wide = any(line.badge.is_wide for line in self.curve.lines)
        return round(self.badge_size * WIDE) if is_wide else self.badge_size + ROUND

    @property
    def letter_size(self) -> int:
        return round(self.badge_size * LETTER)

    @property
    def corner(self) -> int:
        """How round a badge is."""
        return self.badge_size // 2

    @cached_property
    def tall(self) -> int:
        """How high the lines lie: with more room than the badges at their ends need."""
        return max(self.least, (self.between + 4) * len(self.curve.lines))

    @property
    def bottom(self) -> int:
        return self.top + self.tall

    @property
    def height(self) -> int:
        return self.bottom + self.below

    @property
    def hand_y(self) -> int:
        """Where the numbers of the hands stand."""
        return round(self.height - self.size * 0.3)

    @cached_property
    def all_totals(self) -> tuple[int, ...]:
        parts = (part for line in self.curve.lines for part in line.parts)
        return (0, *(total for part in parts for _, total in part))

    @cached_property
    def lowest(self) -> int:
        return min(self.all_totals)

    @cached_property
    def highest(self) -> int:
        """The highest total; one more than the lowest at least."""
        return max(*self.all_totals, self.lowest + 1)

    def x(self, stop: int) -> int:
        steps = max(1, len(self.curve.stops) - 1)
        return round(self.left + (self.right - self.left) * stop / steps)

    def y(self, total: int) -> int:
        return round(self.bottom - self.tall * (total - self.lowest) / (self.highest - self.lowest))

    @cached_property
    def scale(self) -> list[tuple[str, int]]:
        """The numbers at the left, with the height of each: round ones, zero among them."""
        sizes = (step * 10**power for power in range(9) for step in STEPS)
        step = next(step for step in sizes if (self.highest - self.lowest) / step <= MOST_STEPS)
        first = -(-self.lowest // step) * step
        return [(bare(total), self.y(total)) for total in range(first, self.highest + 1, step)]

    @property
    def zero_y(self) -> int:
        return self.y(0)

    @cached_property
    def hands(self) -> list[tuple[int, int]]:
        """The numbers of hands below, with the place of each: every one, every second, every fifth …, and the last."""
        stops = [(at, stop) for at, stop in enumerate(self.curve.stops) if is_of_a_hand(stop)]
        if not stops:
            return []
        apart, least = (self.right - self.left) / max(1, len(self.curve.stops) - 1), BETWEEN_HANDS * self.size
        step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if step * apart >= least)
        *before, last = stops
        shown = [(at, stop) for at, stop in before if stop.hand % step == 0 and (last[0] - at) * apart >= least * 0.8]
        return [(stop.hand, self.x(at)) for at, stop in [*shown, last]]

    @property
    def breaks(self) -> list[int]:
        """Where a rubber or game ended."""
        return [self.x(stop) for stop in self.curve.breaks]

    @cached_property
    def lines(self) -> list[DrawnLine]:
        """Everybody's line."""
        ends = [self.y(line.total) for line in self.curve.lines]
        reach = self.badge_size // 2 - 10
        places = spread(ends, self.between, self.top - reach, self.bottom + reach)
        ranks = {at: rank for rank, at in enumerate(sorted(range(len(places)), key=places.__getitem__))}
        first, wide = self.right + MARK + LEADER, self.badge_width
        return [
            DrawnLine(
                line, self.path(line), self.rest(line, end), end, first + ranks[at] % self.columns * wide, place, wide,
                self.badge_size,
            )
            for at, (line, end, place) in enumerate(zip(self.curve.lines, ends, places, strict=True))
        ]  # fmt: skip

    def path(self, line: Line) -> str:
        """All strokes of a line."""
        return "".join(stroke([(self.x(at), self.y(total)) for at, total in part]) for part in line.parts)

    def rest(self, line: Line, end: int) -> str:
        """From the last hand of who went home to the end: their total is frozen."""
        if not line.gone or not line.parts:
            return ""
        return f"M{self.x(line.parts[-1][-1][0])} {end}H{self.right}"

    @cached_property
    def marks(self) -> list[Mark]:
        """Box and circle, once round an end that several share."""
        curve = self.curve
        totals = {line.seat: line.total for line in curve.lines}
        wanted = [("box", curve.boxed), ("ring", curve.circled)] if curve.has_hands else []
        return [
            Mark(kind, stroke_of(total), self.y(total))
            for kind, seats in wanted
            for total in sorted({totals[seat] for seat in seats if seat in totals})
        ]


@dataclass(frozen=True)
class CurveBand(CurveDrawing):
    """A curve that is `high` in all, for a picture with more to show: many badges stand in two columns."""

    high: int = 150

    size, top, below = 22, 16, 30
    badge_size = 24
    mark_scale = ".3 .38"

    @property
    def columns(self) -> int:
        return 1 if len(self.curve.lines) <= ONE_COLUMN else 2

    @property
    def between(self) -> int:
        """Those of the other column lie between two of one column, with their leaders."""
        return (self.badge_size + 1) // self.columns

    @cached_property
    def tall(self) -> int:
        return self.high - self.top - self.below


def is_of_a_hand(stop: Stop) -> bool:
    return stop.head.isdecimal()


def stroke(points: Sequence[tuple[int, int]]) -> str:
    """A path through the points, with as few letters as there can be.

    >>> stroke([(40, 100), (52, 80), (64, 80)])
    'M40 100l12-20 12 0'
    """
    text = "M{} {}".format(*points[0])
    for at, (before, after) in enumerate(pairwise(points)):
        across, down = after[0] - before[0], after[1] - before[1]
        text += f"{'l' if not at else ' '}{across}{'' if down < 0 else ' '}{down}"
    return text


def spread(wanted: Sequence[int], apart: int, top: int, bottom: int) -> list[int]:
    """Places at least so far `apart` and as near to those that are `wanted` as can be, in their order from the top.

    Equal ones keep the order they came in. There must be room for all of them.

    >>> spread([50, 0, 50, 52], 10, 0, 100)
    [41, 0, 51, 61]
    """
    room = (apart, top, bottom)
    groups: list[list[int]] = []
    for at in sorted(range(len(wanted)), key=wanted.__getitem__):
        groups.append([at])
        # Where two groups touch they become one, with its middle where that of their wishes is.
        while len(groups) > 1 and lies(groups[-1], wanted, *room)[0] - lies(groups[-2], wanted, *room)[-1] < apart:
            groups[-2:] = [groups[-2] + groups[-1]]
    places: dict[int, int] = {}
    for group in groups:
        places |= zip(group, lies(group, wanted, *room), strict=True)
    return [places[at] for at in range(len(wanted))]


def lies(group: Sequence[int], wanted: Sequence[int], apart: int, top: int, bottom: int) -> list[int]:
    """Where the members of a group lie, one below the other."""
    reach = apart * (len(group) - 1)
    middle = sum(wanted[at] for at in group) / len(group)
    first = min(max(round(middle - reach / 2), top), bottom - reach)
    return [first + apart * at for at in range(len(group))]
