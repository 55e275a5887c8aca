"""The form for a hand from paper that does not fit in one row: ask by ask, one hand after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rules.core.fields import Ask, Count, Field, Tick, Value
from rules.core.problems import Problem
from rules.core.table import Hand
from scoresheets.fields.layout import (
    MOST_NUMBERS,
    AskGroup,
    Lines,
    Values,
    fields_of,
    input_name,
    is_posted,
    posted_value,
    seat_of,
    step_value,
)
from scoresheets.log.state import SheetReading
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.graphemes import initials

#: A name of so many letters fits on a key.
LONGEST_SHORT = 4


@dataclass
class TypedHand:
    """The hand that is open on the sheet, with what was typed of it: texts by the name of their field."""

    reading: SheetReading
    texts: Mapping[str, str] = field(default_factory=dict)
    problems: Sequence[Problem] = ()

    @cached_property
    def hand(self) -> Hand | None:
        """The hand; None where none is open."""
        return self.reading.sheet.open.hand if self.reading.sheet.open else None

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """What does not stand on the sheet yet."""
        if self.hand is None:
            return ()
        asks = self.reading.game.asks(self.reading.sheet.table, self.hand)
        return tuple(ask for ask in asks if ask.name not in self.hand.steps and not is_remark(ask))

    @cached_property
    def values(self) -> Values:
        """What was typed. Before anything is, the few that can be counted with one tap are none."""
        if self.hand is None:
            return {}
        return {
            ((self.hand.number, ask.name), field.name): self.value(ask, field) for ask, field in fields_of(self.asks)
        }

    def value(self, ask: Ask, field: Field) -> Value:
        """One field."""
        if is_posted(self.texts, ask, field):
            return posted_value(self.texts, ask, field, None)
        is_few = isinstance(field, Count) and seat_of(field) is None and not field.optional and not self.texts
        return field.low if is_few and isinstance(field, Count) and field.high - field.low < MOST_NUMBERS else None

    def moved(self, name: str, by: int) -> TypedHand:
        """The same with one number up or down."""
        field = next((each for ask, each in fields_of(self.asks) if input_name(ask, each) == name), None)
        if self.hand is None or not isinstance(field, Count):
            return self
        key = next(key for key in self.values if key[1] == field.name and f"f:{key[0][1]}:{key[1]}" == name)
        value = step_value(field, self.values[key], by)
        return TypedHand(self.reading, {**self.texts, name: "" if value is None else str(value)})

    @property
    def steps(self) -> dict[int, dict[str, dict[str, Value]]]:
        """What the hand comes to, as `type_in` takes it."""
        if self.hand is None:
            return {}
        steps: dict[str, dict[str, Value]] = {}
        for ask in self.asks:
            values = {field.name: self.values[(self.hand.number, ask.name), field.name] for field in ask.fields}
            step: dict[str, Value] = {name: value for name, value in values.items() if value is not None}
            # Boxes that nobody ticked say nothing by themselves.
            ticks = {field.name for field in ask.fields if isinstance(field, Tick)}
            steps[ask.name] = step if set(step) - ticks or any(step[name] for name in ticks & set(step)) else {}
        return {self.hand.number: steps}

    @cached_property
    def groups(self) -> tuple[AskGroup, ...]:
        """The asks as they are laid out."""
        if self.hand is None:
            return ()
        wrong: dict[str, list[str]] = {}
        for problem in self.problems:
            wrong.setdefault((problem.field or "").partition(".")[0], []).append(problem.message)
        seats = self.reading.sheet.table.seats
        lines = Lines(EntryText(self.reading), self.hand.number, self.asks, seats, self.values, short=self.short)
        return lines.groups({ask: list(dict.fromkeys(sentences)) for ask, sentences in wrong.items()}, folded=False)

    @property
    def short(self) -> dict[int, str]:
        """Everybody in a few letters, names that are short enough as they are."""
        seats = self.reading.sheet.table.seats
        names = [self.reading.names[seat] for seat in seats]
        return {
            seat: name if len(name) <= LONGEST_SHORT else letters
            for seat, name, letters in zip(seats, names, initials(names), strict=True)
        }

    @property
    def elsewhere(self) -> list[str]:
        """Problems that belong to no ask of the page."""
        names = {ask.name for ask in self.asks}
        problems = [p for p in self.problems if (p.field or "").partition(".")[0] not in names]
        return list(dict.fromkeys(problem.message for problem in problems))

    @property
    def is_begun(self) -> bool:
        """Whether something of the hand stands on the sheet already."""
        return bool(self.hand and self.hand.steps)


def is_remark(ask: Ask) -> bool:
    """Whether nobody writes it down unless a rule was broken."""
    return ask.optional and all(isinstance(field, Tick) for field in ask.fields)
