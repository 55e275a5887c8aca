"""Asks and fields: what is asked of a hand, and the steps that answer it.

A field is a count, a choice, a seat or a tick; there is no fifth kind. The same declaration drives the form, its
limits, the JSON document and the property tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.core.problems import Problem

#: A value of a field. A step, one written-down answer, maps the names of an ask's fields to values.
Value = int | str | bool | None
#: Where a step stands: the number of the hand (0: the sheet itself) and the name of the ask.
Address = tuple[int, str]

#: The hand number of what belongs to the sheet and to no hand: its carried totals, blind hands, draws.
SHEET = 0


@dataclass(frozen=True)
class Count:
    """A whole number from ``low`` to ``high``, both included. ``code`` is the problem outside of it."""

    name: str
    low: int
    high: int
    code: str = "count-range"
    seat: int | None = None
    optional: bool = False

    def problem(self, value: object) -> Problem | None:
        """What is wrong with ``value`` in this field, or None."""
        if value is None and self.optional:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            return Problem("not-a-number", "A whole number belongs here.", self.name, self.seat)
        if not self.low <= value <= self.high:
            span = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
            return Problem(
                self.code, f"The number here can be {span}.".replace("-", "−"), self.name, self.seat,
                params={"low": self.low, "high": self.high},
            )  # fmt: skip
        return None


@dataclass(frozen=True)
class Choice:
    """One of ``values``. ``code`` is the problem with anything else."""

    name: str
    values: tuple[str, ...]
    code: str = "not-a-choice"
    seat: int | None = None
    optional: bool = False

    def problem(self, value: object) -> Problem | None:
        """What is wrong with ``value`` in this field, or None."""
        if (value is None and self.optional) or (isinstance(value, str) and value in self.values):
            return None
        return Problem(self.code, "That is not one of the choices here.", self.name, self.seat)


@dataclass(frozen=True)
class SeatChoice:
    """One of ``seats``, by number."""

    name: str
    seats: tuple[int, ...]
    code: str = "unknown-player"
    seat: int | None = None
    optional: bool = False

    def problem(self, value: object) -> Problem | None:
        """What is wrong with ``value`` in this field, or None."""
        if value is None and self.optional:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and value in self.seats:
            return None
        return Problem(self.code, "The player in that seat cannot be chosen here.", self.name, self.seat)


@dataclass(frozen=True)
class Tick:
    """Yes or no."""

    name: str
    seat: int | None = None
    optional: bool = False

    def problem(self, value: object) -> Problem | None:
        """What is wrong with ``value`` in this field, or None."""
        if isinstance(value, bool) or (value is None and self.optional):
            return None
        return Problem("not-a-tick", "Yes or no belongs here.", self.name, self.seat)


Field = Count | Choice | SeatChoice | Tick


@dataclass(frozen=True)
class Ask:
    """Something to write down next: its fields in order, and whose turn it is to say it.

    An ``optional`` ask never holds the hand up. ``seat`` is who says it, None for the table. ``comes_to`` is what the
    counts for all seats come to, where the one that is not said is the rest.
    """

    name: str
    fields: tuple[Field, ...]
    optional: bool = False
    seat: int | None = None
    comes_to: int | None = None

    def completed(self, step: Mapping[str, Value]) -> dict[str, Value]:
        """The step with the rest in the one count that was not said.

        >>> Ask("tricks", (Count("tricks-1", 0, 17, seat=1), Count("tricks-2", 0, 17, seat=2)), comes_to=17).completed(
        ...     {"tricks-2": 6}
        ... )
        {'tricks-2': 6, 'tricks-1': 11}
        """
        counts = [field.name for field in self.fields if isinstance(field, Count) and field.seat is not None]
        left = [name for name in counts if step.get(name) is None]
        values = [step[name] for name in counts if name not in left]
        numbers = [number for number in values if isinstance(number, int) and not isinstance(number, bool)]
        if self.comes_to is None or len(left) != 1 or len(numbers) < len(values):
            return dict(step)
        return {**step, left[0]: self.comes_to - sum(numbers)}

    def problems(self, step: Mapping[str, object]) -> Iterator[Problem]:
        """Every way in which ``step`` does not fit the fields: missing, foreign or out of range."""
        for field in self.fields:
            if field.name in step:
                problem = field.problem(step[field.name])
                if problem:
                    yield problem
            elif not field.optional:
                yield Problem("missing-field", "Something is still missing here.", field.name, field.seat)
        known = {field.name for field in self.fields}
        for name in step:
            if name not in known:
                yield Problem("unknown-field", "That was not asked.", str(name)[:40])
