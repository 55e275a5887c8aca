"""Typing in hands from paper: any number of them in one revision.

Typed hands continue from the open one. They are checked one after the other, as the table played them, and every
problem names its field. Only if there is none are all of them written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.core.engine.replay import fits, problems_of_step, read_hand
from rules.core.fields import Address, Ask, Value
from rules.core.problems import Problem
from rules.core.table import Hand, Row, Table
from scoresheets.commands.enter import NOT_ASKED, SCORED, problems_of_address, problems_of_values
from scoresheets.log.answers import Answer, Refused
from scoresheets.log.append import Change, append_revision
from scoresheets.log.state import SheetReading
from scoresheets.models import Revision, Scorekeeper, Sheet

#: What was typed of a hand, by ask: the fields in which something stands.
TypedHand = Mapping[str, Mapping[str, "Value"]]

NOTHING = Problem("nothing-typed", "Nothing is typed in yet.")
MISSING = Problem("missing-field", "Something is still missing here.")
LEFT_OUT = Problem("hand-left-out", "This hand is empty, but a later one is filled in.")
OVER = Problem("game-over", "The game is over before this.")
STANDS = Problem("stands-already", "The sheet already has something else here.")
MISFIT = Problem("misfit", "Something on the sheet does not fit. Fix that first.")


def type_in(sheet: Sheet, typed: Mapping[int, TypedHand], *, key: str, by: Scorekeeper) -> Answer:
    """Write the typed hands on the sheet: all of them or none.

    What stands there already and is the same is agreed with. The last hand may be left open. A problem's `field` is
    `<ask>.<field>`, or the ask alone where it is about all of it. Codes beside those of the rules: `nothing-typed`,
    `hand-left-out`, `stands-already`, `hand-scored`, `game-over`, `misfit`.
    """
    steps = {
        (hand, ask): {name: value for name, value in step.items() if value is not None}
        for hand, asks in typed.items()
        for ask, step in asks.items()
    }
    wrong = [
        problem
        for address, step in steps.items()
        for problem in (*problems_of_address(address), *problems_of_values(step))
    ]
    if wrong:
        return Refused(tuple(wrong))

    def decide(reading: SheetReading) -> Change | Answer:
        walk = Walk(reading, typed)
        walk.walk()
        if walk.problems:
            return Refused(tuple(walk.problems), reading)
        return Change(Revision.Verb.PAPER, walk.added) if walk.added else Change(Revision.Verb.AGREE, {})

    body = {"typed": [[hand, ask, step] for (hand, ask), step in sorted(steps.items())]}
    return append_revision(sheet, Revision.Verb.PAPER, body, decide, key=key, by=by)


@dataclass
class Walk:
    """The typed hands as they would stand: what is `added`, every problem, and the rows of those that are complete."""

    reading: SheetReading
    typed: Mapping[int, TypedHand]
    added: dict[Address, Mapping[str, Value]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    rows: dict[int, Row] = field(default_factory=dict)

    def walk(self) -> None:
        """From the open hand to the last one in which anything was typed."""
        sheet, game = self.reading.sheet, self.reading.game
        wanted = sorted(number for number, asks in self.typed.items() if any(asks.values()))
        for number in wanted:
            if number < self.reading.next_hand:
                self.compare(number)
        if not wanted:
            self.problems.append(NOTHING)
        if not wanted or wanted[-1] < self.reading.next_hand:
            return
        if sheet.open is None:
            self.problems.append(OVER.at_hand(wanted[-1]))
            return
        if sheet.open.misfit:
            self.problems.append(MISFIT.at_hand(sheet.open.hand.number))
            return
        table, hand, events = sheet.table, sheet.open.hand, sheet.open.events
        while hand.number <= wanted[-1]:
            before = len(self.problems)
            hand, is_complete = self.fill(table, hand, is_last=hand.number == wanted[-1])
            if not is_complete and hand.number == wanted[-1]:
                return
            row = game.score(table, hand, events=events, spoiled=len(self.problems) > before)
            if not row.spoiled:
                self.rows[hand.number] = row
            table = game.after(table, row)
            if game.over(table):
                self.problems += [OVER.at_hand(later) for later in wanted if later > hand.number]
                return
            # Somebody may have been noted to come before it.
            table, opened, _ = read_hand(game, table, self.reading.entries)
            hand, events = opened.hand, opened.events

    def fill(self, table: Table, hand: Hand, *, is_last: bool) -> tuple[Hand, bool]:
        """The hand with what was typed of it, and whether it is complete. The last one may end anywhere."""
        given = dict(self.typed.get(hand.number, {}))
        if not any(given.values()) and not is_last:
            self.problems.append(LEFT_OUT.at_hand(hand.number))
            return hand, False
        is_complete = True
        asks = list(self.reading.game.asks(table, hand))
        last = max((place for place, ask in enumerate(asks) if given.get(ask.name)), default=-1)
        for place, ask in enumerate(asks):
            step = given.pop(ask.name, {})
            if ask.name in hand.steps:
                if step and not self.reading.standing[hand.address(ask.name)].says(step):
                    self.say(STANDS, hand, ask)
            elif step:
                if not is_complete and is_last and not self.is_told(hand):
                    self.say(replace(MISSING, message="Something before this is still missing."), hand, ask)
                self.judge(table, hand, ask, step)
                self.added[hand.address(ask.name)] = step
                # A text where a number belongs is nothing the rules could add up.
                is_complete &= fits(ask, step)
                hand = hand.with_step(ask.name, step) if fits(ask, step) else hand
            elif ask.optional:
                continue
            elif is_complete and last >= 0 and all(field.optional for field in ask.fields):
                # Nothing typed says "nobody"; where that cannot be, the last hand ends before it.
                if is_last and place > last and problems_of_step(self.reading.game, table, hand, ask, {}):
                    is_complete = False
                    continue
                self.judge(table, hand, ask, {})
                self.added[hand.address(ask.name)] = {}
                hand = hand.with_step(ask.name, {})
            else:
                is_complete = False
                if not is_last:
                    self.say(MISSING, hand, ask)
        for foreign, step in given.items():
            if step:
                self.problems.append(replace(NOT_ASKED, field=foreign, hand=hand.number))
        return hand, is_complete

    def is_told(self, hand: Hand) -> bool:
        """Whether something is known to be wrong with the hand."""
        return any(problem.hand == hand.number for problem in self.problems)

    def judge(self, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> None:
        """Everything that is wrong with a step."""
        for problem in problems_of_step(self.reading.game, table, hand, ask, step):
            self.say(problem, hand, ask)

    def say(self, problem: Problem, hand: Hand, ask: Ask) -> None:
        """Note a problem with the field it belongs to."""
        fields = [field.name for field in ask.fields]
        name = problem.field if problem.field in fields else fields[0] if len(fields) == 1 else None
        where = f"{ask.name}.{name}" if name else ask.name
        self.problems.append(replace(problem, hand=hand.number, field=where))

    def compare(self, hand: int) -> None:
        """A hand that is scored by now: the same is agreed with, anything else is for a correction."""
        for ask, step in self.typed[hand].items():
            standing = self.reading.standing.get((hand, ask))
            if step and not (standing and standing.says(step)):
                self.problems.append(replace(SCORED, field=ask, hand=hand, message="That hand is scored by now."))
