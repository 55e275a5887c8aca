"""The score curve as a drawing: where lines, marks and labels lie.

All lengths are whole units, two of which are about a pixel on a phone: so a line of twenty-five hands stays short.
The page draws it in colours of its stylesheet, a picture in `COLOURS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rules.core.numbers import bare
from scoresheets.sheet.parts import stroke_of
from scoresheets.sheet.score_curve import Line, ScoreCurve, Stop
from scoresheets.wording.markup import plain_list, verb

#: The colours of the players by day; the same stand in static/css/curve.css, with those by night.
COLOURS = (
    "#037fed", "#a74a04", "#07492c", "#7829a5", "#a08309", "#0f919c", "#42013a", "#0c1b6c", "#6c695f", "#142500",
)  # fmt: skip
#: Their dashes: pen down, pen up and so on.
DASHES = ("", "16 8", "5 7", "26 8 5 8", "10 10", "36 10", "18 6 5 6 5 6", "4 14", "30 6 12 6", "12 5 12 16")

WIDTH, SIZE = 720, 34
TOP, BELOW = 30, 56
#: What lies right of the last point: room for its mark, a leader, and letters of about so much.
MARK, LEADER, LETTER = 30, 30, 30
#: Labels stand so far apart at least; the lines have so much room at least, and for each of them.
BETWEEN_LABELS, LEAST, FOR_EACH = 36, 300, 42
DIGIT = 17
#: The steps of the scale, and how many of them there may be.
STEPS, MOST_STEPS = (1, 2, 5), 5
#: Numbers of hands stand so far apart at least.
BETWEEN_HANDS = 64


@dataclass(frozen=True)
class DrawnLine:
    """A line as it lies: its path, where its end and its label are, and the frozen rest of who went home."""

    line: Line
    path: str
    rest: str
    end_y: int
    label_y: int

    @property
    def colour(self) -> str:
        return COLOURS[self.line.colour - 1]

    @property
    def dash(self) -> str:
        return DASHES[self.line.dash - 1]


@dataclass(frozen=True)
class Mark:
    """A box or circle round an end: what it is, which of the three strokes, and where its middle lies."""

    kind: str
    stroke: int
    y: int


@dataclass(frozen=True)
class CurveDrawing:
    """A curve in a frame of that width, as high as its labels need; `least` is how high the lines lie at least."""

    curve: ScoreCurve
    width: int = WIDTH
    least: int = LEAST

    size = SIZE
    top = TOP

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
        return 20 + DIGIT * max(len(label) for label in (bare(self.lowest), bare(self.highest)))

    @cached_property
    def right(self) -> int:
        """Where the lines end."""
        longest = max((len(line.initial) for line in self.curve.lines), default=1)
        return self.width - MARK - LEADER - LETTER * longest

    @property
    def label_x(self) -> int:
        return self.right + MARK + LEADER

    @property
    def leader_x(self) -> int:
        return self.label_x - 8

    @cached_property
    def tall(self) -> int:
        """How high the lines lie: with more room than the labels at their ends need."""
        return max(self.least, FOR_EACH * len(self.curve.lines))

    @property
    def bottom(self) -> int:
        return TOP + self.tall

    @property
    def height(self) -> int:
        return self.bottom + BELOW

    @property
    def hand_y(self) -> int:
        """Where the numbers of the hands stand."""
        return self.height - 10

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
        apart = (self.right - self.left) / max(1, len(self.curve.stops) - 1)
        step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if step * apart >= BETWEEN_HANDS)
        *before, last = stops
        shown = [
            (at, stop) for at, stop in before if stop.hand % step == 0 and (last[0] - at) * apart >= BETWEEN_HANDS * 0.8
        ]
        return [(stop.hand, self.x(at)) for at, stop in [*shown, last]]

    @property
    def breaks(self) -> list[int]:
        """Where a rubber or game ended."""
        return [self.x(stop) for stop in self.curve.breaks]

    @cached_property
    def lines(self) -> list[DrawnLine]:
        """Everybody's line."""
        ends = [self.y(line.total) for line in self.curve.lines]
        places = spread(ends, BETWEEN_LABELS, TOP - 12, self.bottom + 12)
        return [
            DrawnLine(line, self.path(line), self.rest(line, end), end, place)
            for line, end, place in zip(self.curve.lines, ends, places, strict=True)
        ]

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
