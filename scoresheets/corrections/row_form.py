"""The form that corrects a row of the sheet: all its values as they were entered.

It is made from the asks of the row, so it is the same for every game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from django.http import QueryDict

from rules.core.fields import Address, Ask, Count, Field, SeatChoice, Tick, Value
from rules.core.numbers import spelled
from rules.core.problems import Problem
from rules.core.texts import AsPlayed
from scoresheets.corrections.correct import OpenedRow, faults_by_ask
from scoresheets.fields.columns import counts_for_all
from scoresheets.fields.layout import AskGroup, Lines, Values, input_name, is_posted, posted_value, seat_of, step_value
from scoresheets.log.state import SheetReading
from scoresheets.wording.entry_text import EntryText, where_of


@dataclass(frozen=True)
class Tapped:
    """A number on a page of the sheet: of which `seat` (None: of no seat), and of which ask where that is known."""

    seat: int | None = None
    ask: str = ""


@dataclass(frozen=True)
class RowForm:
    """A row that was opened, and what the form says of it; `values` are those that stand until something was typed.

    `tapped` is the number from which somebody came.
    """

    reading: SheetReading
    row: OpenedRow
    values: Values = dataclasses.field(default_factory=dict)
    tapped: Tapped = Tapped()

    @classmethod
    def of(cls, reading: SheetReading, row: OpenedRow, tapped: Tapped = Tapped()) -> RowForm:
        """The row as it was entered."""
        return cls(reading, row, dict(standing_values(reading, row)), tapped)

    def filled_in(self, post: Mapping[str, str]) -> RowForm:
        """The form with what was posted. What a post does not say stays as it stands."""
        values = dict(self.values)
        for ask, field in self.fields:
            key = ((self.row.number, ask.name), field.name)
            if is_posted(post, ask, field):
                values[key] = posted_value(post, ask, field, self.was(key))
        return replace(self, values=values)

    def using(self, query: QueryDict) -> RowForm:
        """The form with whole answers put on it, as a link brings them: each ask of `use` says all of it."""
        values, whole = dict(self.values), query.getlist("use")
        for ask, field in self.fields:
            if ask.name in whole:
                name = input_name(ask, field)
                is_said = isinstance(field, Tick) or query.get(name)
                values[(self.row.number, ask.name), field.name] = (
                    posted_value(query, ask, field, None) if is_said else None
                )
        return replace(self, values=values)

    def moved(self, name: str, by: int) -> RowForm:
        """The form with one number up or down, as far as it can be."""
        for ask, field in self.fields:
            key = ((self.row.number, ask.name), field.name)
            if isinstance(field, Count) and input_name(ask, field) == name:
                return replace(self, values={**self.values, key: step_value(field, self.values.get(key), by)})
        return self

    def with_step(self, ask: str, step: Mapping[str, Value]) -> RowForm:
        """The form with a whole answer put on it."""
        address = (self.row.number, ask)
        return replace(self, values={**self.values, **{(address, name): value for name, value in step.items()}})

    @property
    def fields(self) -> Iterator[tuple[Ask, Field]]:
        """Everything that stands in the row or may be added to it."""
        for ask in self.row.asks:
            if ask.optional or (self.row.number, ask.name) in self.reading.standing:
                yield from ((ask, field) for field in ask.fields)

    @cached_property
    def texts(self) -> EntryText:
        """The words for what stands in the row."""
        return EntryText(self.reading)

    # What it comes to

    @cached_property
    def changes(self) -> dict[Address, dict[str, Value] | None]:
        """What the form says otherwise than the sheet, whole steps by address; None: it is taken off."""
        changes: dict[Address, dict[str, Value] | None] = {}
        for address, step in self.steps.items():
            standing = self.reading.standing.get(address)
            if standing is None:
                changes |= {address: step} if step else {}
            elif step is None or not standing.says(step):
                changes[address] = step
        return changes

    @cached_property
    def steps(self) -> dict[Address, dict[str, Value] | None]:
        """Everything the form says, as whole steps; None where nothing stands then."""
        steps: dict[Address, dict[str, Value]] = {}
        for ask, field in self.fields:
            address = (self.row.number, ask.name)
            value = self.values.get((address, field.name))
            steps.setdefault(address, {}).update({field.name: value} if value is not None else {})
        needed = {(self.row.number, ask.name) for ask in self.row.asks if not ask.optional}
        return {address: step if step or address in needed else None for address, step in steps.items()}

    def steps_in(self, post: Mapping[str, str]) -> dict[Address, dict[str, Value] | None]:
        """The steps of which a form says something, whatever stands on the sheet by now."""
        names = {(self.row.number, ask.name) for ask, field in self.fields if is_posted(post, ask, field)}
        return {address: step for address, step in self.steps.items() if address in names}

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the row as the form has it."""
        return tuple(problem for of_ask in self.faults.values() for problem in of_ask)

    @cached_property
    def faults(self) -> dict[str, list[Problem]]:
        """The same ask by ask."""
        return faults_by_ask(self.reading, self.row, self.changes)

    @property
    def as_played(self) -> AsPlayed | None:
        """How the hand could be left as it was played, where something is wrong with it that allows that."""
        offers = [self.reading.game.as_played(problem) for problem in self.problems]
        names = [ask.name for ask in self.row.asks]
        return next((offer for offer in offers if offer and offer.ask in names), None)

    @cached_property
    def due(self) -> int | None:
        """What the numbers counted for the whole table come to, where the game knows."""
        row = self.row
        return self.reading.game.due_sum(row.table, row.hand) if row.table and row.hand else None

    @cached_property
    def off(self) -> int:
        """How many tricks too many the form has; negative: so many are missing. Nobody says who took them."""
        counts = [self.values.get(key) for key in self.counted]
        if self.due is None or not counts or (self.may_be_skipped and counts == [None] * len(counts)):
            return 0
        return sum(count for count in counts if isinstance(count, int)) - self.due

    @cached_property
    def counted(self) -> dict[tuple[Address, str], Count]:
        """The numbers that are counted for the whole table at once: an ask with one for each seat and nothing else."""
        if self.due is None:
            return {}
        asks = {ask.name: ask for ask, field in self.fields if counts_for_all(ask)}
        return {
            ((self.row.number, ask.name), field.name): field
            for ask in asks.values()
            for field in ask.fields
            if isinstance(field, Count)
        }

    @property
    def may_be_skipped(self) -> bool:
        """Whether nobody has to count them."""
        return all(field.optional for field in self.counted.values())

    @property
    def question(self) -> str:
        """Who took it? Asked until the tricks come out; "" where they do."""
        return difference_in_words(self.off)

    @cached_property
    def could(self) -> set[int]:
        """Who may have taken more, or fewer: those of whom nothing else has been said first."""
        if not self.off:
            return set()
        taken = {key: count if isinstance(count := self.values.get(key), int) else 0 for key in self.counted}
        able = [
            (key, field.seat)
            for key, field in self.counted.items()
            if field.seat and (taken[key] > field.low if self.off > 0 else taken[key] < field.high)
        ]
        untouched = {seat for key, seat in able if self.values.get(key) == self.was(key)}
        return untouched or {seat for _, seat in able}

    def was(self, key: tuple[Address, str]) -> Value:
        """What stands on the sheet."""
        entry = self.reading.standing.get(key[0])
        return entry.data.get(key[1]) if entry else None

    # How it is laid out

    @cached_property
    def lines(self) -> Lines:
        """Everything that stands in the row or may be added to it."""
        wrong: dict[int, list[str]] = {}
        for problem in self.problems:
            if problem.seat is not None:
                wrong.setdefault(problem.seat, []).append(problem.message)
        asks = list(dict.fromkeys(ask for ask, _ in self.fields))
        seats = self.row.table.seats if self.row.table else ()
        standing = dict(standing_values(self.reading, self.row))
        return Lines(
            self.texts, self.row.number, asks, seats, self.values, standing, self.counted, self.could, wrong,
            focus=self.focus,
        )  # fmt: skip

    @cached_property
    def focus(self) -> str:
        """The name of the input that changes the number from which somebody came; "" where the row has none."""
        closest = max(self.fields, key=self.closeness, default=None)
        return input_name(*closest) if closest and self.closeness(closest) else ""

    def closeness(self, place: tuple[Ask, Field]) -> int:
        """How well a field answers to the number that was tapped: by its player, then its ask, then as a number."""
        ask, field = place
        seat = self.tapped.seat
        is_theirs = seat is not None and seat_of(field) == seat
        is_choice_of_them = seat is not None and isinstance(field, SeatChoice) and self.was_at(ask, field) == seat
        owns = 8 * is_theirs + 4 * is_choice_of_them
        return owns + 2 * (ask.name == self.tapped.ask) + (isinstance(field, Count) if owns else 0)

    def was_at(self, ask: Ask, field: Field) -> Value:
        """What stands on the sheet at a field."""
        return self.was(((self.row.number, ask.name), field.name))

    @cached_property
    def groups(self) -> tuple[AskGroup, ...]:
        """The form, ask by ask; what is not changed is folded where there is much of it."""
        wrong = {ask: [p.message for p in problems if p.seat is None] for ask, problems in self.faults.items()}
        return self.lines.groups(wrong, folded=True)

    @cached_property
    def seated(self) -> set[int]:
        """The seats that have a line."""
        return {seat.seat for group in self.groups for seat in group.seats}

    @property
    def saw(self) -> tuple[tuple[str, int], ...]:
        """What stands in the row now, by the name of the ask."""
        standing = self.reading.standing
        asks = [ask.name for ask in self.row.asks]
        return tuple((ask, entry.pk) for ask in asks if (entry := standing.get((self.row.number, ask))))

    @property
    def kept(self) -> tuple[tuple[str, str], ...]:
        """What the form says otherwise than the sheet, as hidden inputs carry it on."""
        hidden = []
        for ask, field in self.fields:
            if (self.row.number, ask.name) not in self.changes:
                continue
            value = self.values.get(((self.row.number, ask.name), field.name))
            name = input_name(ask, field)
            hidden += [(f"has:{name}", "1")] if isinstance(field, Tick) else []
            if not isinstance(field, Tick) or value:
                hidden.append((name, "" if value is None else "1" if value is True else str(value)))
        return tuple(hidden)

    @property
    def where(self) -> str:
        """What is corrected, in words: "hand 4", "the blind hand"."""
        return where_of((self.row.number, self.row.asks[0].name))

    @property
    def meanwhile(self) -> str:
        """What is open while this is corrected, in words; "" where nothing is, or where it is this."""
        sheet = self.reading.sheet
        if sheet.open and sheet.open.hand.number != self.row.number:
            opened = f"hand {sheet.open.hand.number}"
            return f"You are correcting {self.where} while {opened} is open; the open hand does not change."
        if self.reading.finished:
            return f"You are correcting {self.where} of a game that is finished."
        return ""


def standing_values(reading: SheetReading, row: OpenedRow) -> Iterator[tuple[tuple[Address, str], Value]]:
    """What stands in the row, by address and field."""
    for ask in row.asks:
        address = (row.number, ask.name)
        entry = reading.standing.get(address)
        for field in ask.fields:
            yield (address, field.name), entry.data.get(field.name) if entry else None


def difference_in_words(off: int) -> str:
    """What is asked where so many tricks are too many, or missing (negative).

    >>> difference_in_words(-1), difference_in_words(2), difference_in_words(0)
    ('One missing: who took it?', 'Two too many: who took fewer?', '')
    """
    if not off:
        return ""
    many = spelled(abs(off))
    if off > 0:
        return f"{many.capitalize()} too many: who took fewer?"
    return f"{many.capitalize()} missing: who took {'it' if off == -1 else 'them'}?"
