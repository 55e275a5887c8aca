"""Charts as SVG: bars, and a curve. Beside each is the table it is drawn from.

Lengths are in units of the chart, one of which is about a pixel on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

WIDTH = 360
#: The lowest bars are still seen.
LEAST_BAR = 2.0
#: Where a bar has less room than this, its value stands in the table alone.
ROOM_FOR_A_VALUE = 30.0
#: About how wide a letter of a label is, and how far apart two labels stand at least.
LETTER, BETWEEN_LABELS = 9.5, 8.0
#: Where there is no room for every label: every second stands there, every fifth …
STEPS = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True)
class Bar:
    """A bar: what stands below it and above it, how long it is (0 to 1), and the page with what it is made of."""

    label: str
    value: str
    share: float
    url: str = ""
    #: More cells of its row of the table.
    more: tuple[str, ...] = ()
    #: A class of its own: "nothing", or what became of the bids: "made", "high", "low".
    kind: str = ""


@dataclass(frozen=True)
class DrawnBar:
    """A bar as it lies in the picture."""

    bar: Bar
    x: float
    y: float
    width: float
    height: float
    middle: float
    value_y: float
    #: "" where there is no room for it.
    label: str


@dataclass(frozen=True)
class Bars:
    """A chart of bars. `heads` are the heads of its table: of the labels, of the values, of what is more."""

    slug: str
    title: str
    says: str
    heads: tuple[str, ...]
    bars: tuple[Bar, ...]
    #: What the labels below count: "cards"; and what the values do, in the table: " %".
    below: str = ""
    unit: str = ""
    height: int = 212

    @property
    def width(self) -> int:
        return WIDTH

    @property
    def ground(self) -> float:
        """Where the bars stand."""
        return self.height - (52 if self.below else 30)

    @property
    def below_y(self) -> float:
        return self.height - 6

    @property
    def label_y(self) -> float:
        return self.ground + 21

    @property
    def rows(self) -> tuple[Bar, ...]:
        """The bars as the table lists them."""
        return self.bars

    @property
    def has_values(self) -> bool:
        """Whether there is room for the values above the bars."""
        return WIDTH / max(1, len(self.bars)) >= ROOM_FOR_A_VALUE

    @property
    def labelled(self) -> set[int]:
        """The bars (by their place from the left) whose labels stand below them: as many as do not touch each other."""
        slot = WIDTH / max(1, len(self.bars))
        needed = LETTER * max((len(bar.label) for bar in self.bars), default=0) + BETWEEN_LABELS
        step = next((step for step in STEPS if step * slot >= needed), STEPS[-1])
        if step == 1:
            return set(range(len(self.bars)))
        chosen = [at for at, bar in enumerate(self.bars) if label_number(bar.label, at) % step == 0]
        # Where it begins and ends is told, too.
        ends = [at for at in (0, len(self.bars) - 1) if all(abs(at - other) * slot >= needed for other in chosen)]
        return {*chosen, *ends}

    @cached_property
    def drawn(self) -> list[DrawnBar]:
        """The bars, left to right, all of one width."""
        labelled = self.labelled
        slot = WIDTH / max(1, len(self.bars))
        width = min(44.0, slot * 0.72)
        highest = self.ground - 28
        drawn = []
        for at, bar in enumerate(self.bars):
            height = max(LEAST_BAR, highest * min(1.0, max(0.0, bar.share)))
            middle = slot * (at + 0.5)
            drawn.append(
                DrawnBar(
                    bar,
                    round(middle - width / 2, 1),
                    round(self.ground - height, 1),
                    round(width, 1),
                    round(height, 1),
                    round(middle, 1),
                    round(self.ground - height - 7, 1),
                    bar.label if at in labelled else "",
                )
            )
        return drawn


def label_number(label: str, at: int) -> int:
    """The number a label begins with, "12.", else its place from the left."""
    digits = label.rstrip(".")
    return int(digits) if digits.isascii() and digits.isdecimal() else at


@dataclass(frozen=True)
class Dot:
    """A game on the curve: how good it was (0: last, 1: first), what it was, and where it is opened."""

    share: float
    label: str
    value: str
    url: str = ""
    #: "box" for who won, "circle" for who lost.
    kind: str = ""


@dataclass(frozen=True)
class Curve:
    """Dots from left to right, and the mean of the last few of them as a line."""

    slug: str
    title: str
    says: str
    heads: tuple[str, ...]
    dots: tuple[Dot, ...]
    #: So many dots make the mean.
    of: int = 5
    top: str = "first"
    bottom: str = "last"

    left = 56
    right = 12
    highest = 20
    ground = 156
    width = WIDTH
    height = 186

    @property
    def foot_y(self) -> int:
        return self.height - 6

    @property
    def end(self) -> int:
        return self.width - self.right

    @property
    def half_y(self) -> float:
        return (self.highest + self.ground) / 2

    @property
    def rows(self) -> list[Dot]:
        """The dots as the table lists them: the latest first."""
        return list(reversed(self.dots))

    @cached_property
    def marks(self) -> list[tuple[Dot, float, float]]:
        """The dots with where they lie."""
        return [(dot, self.x(at), self.y(dot.share)) for at, dot in enumerate(self.dots)]

    @property
    def line(self) -> str:
        """The mean of the last few, as points of a line: from the first on that has so many behind it."""
        means = rolling([dot.share for dot in self.dots], self.of)
        return " ".join(f"{self.x(at + self.of - 1)},{self.y(mean)}" for at, mean in enumerate(means))

    def x(self, at: int) -> float:
        room = self.end - self.left - 16
        return round(self.left + 8 + room * (at / (len(self.dots) - 1) if len(self.dots) > 1 else 0.5), 1)

    def y(self, share: float) -> float:
        return round(self.ground - (self.ground - self.highest) * share, 1)


def rolling(values: Sequence[float], of: int) -> list[float]:
    """The means of every `of` values in a row.

    >>> rolling([0, 1, 1, 0], 2)
    [0.5, 1.0, 0.5]
    """
    return [sum(values[at : at + of]) / of for at in range(len(values) - of + 1)]
