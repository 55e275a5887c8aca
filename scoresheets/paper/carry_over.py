"""Carried totals: a sheet that continues a game from hands kept elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.fields import SHEET, Ask, Value
from rules.core.problems import Problem
from rules.core.table import Hand
from scoresheets.commands.enter import NOT_ASKED, problems_of_values
from scoresheets.log.answers import Answer, Conflict, Refused
from scoresheets.log.append import Change, append_revision, is_id
from scoresheets.log.state import SheetReading
from scoresheets.models import Revision, Scorekeeper, Sheet
from scoresheets.paper.layout import hands_of
from scoresheets.wording.markup import name_shown

BEGUN = Problem("hands-on-sheet", "This sheet already has hands. Totals can only go onto an empty sheet.")
NUMBER = re.compile(r"\s*([-−]?)\s*([0-9]{1,7})\s*")
LONGEST = 20


def carry(sheet: Sheet, step: Mapping[str, Value], *, saw: int | None, key: str, by: Scorekeeper) -> Answer:
    """Bring totals along: how many `hands` were kept elsewhere, the `last_dealer`, and `total-<seat>` of everybody.

    Only as long as nothing else stands on the sheet. `saw` is the id of the totals that stood there, None for none:
    those are replaced. Codes beside those of the rules: `hands-on-sheet`, `not-asked`.
    """
    wrong = problems_of_values(step)
    if wrong:
        return Refused(tuple(wrong))
    step = {name: value for name, value in step.items() if value is not None}
    saw = saw if is_id(saw) else None

    def decide(reading: SheetReading) -> Change | Answer:
        ask = reading.game.carried_ask(reading.table)
        if ask is None:
            return Refused((NOT_ASKED,), reading)
        address = (SHEET, ask.name)
        standing = reading.standing.get(address)
        if standing and standing.says(step):
            return Change(Revision.Verb.AGREE, {})
        if has_begun(reading, ask):
            return Refused((BEGUN,), reading)
        problems = tuple(problem for problem in ask.problems(step) if problem.blocking)
        if problems:
            return Refused(problems, reading)
        if standing and standing.pk != saw:
            return Conflict(address, standing, step, reading)
        return Change(Revision.Verb.CARRY, {address: step}, [standing] if standing else [])

    body = {"step": step, "saw": saw}
    return append_revision(sheet, Revision.Verb.CARRY, body, decide, key=key, by=by)


def has_begun(reading: SheetReading, ask: Ask) -> bool:
    """Whether anything but such totals stands on the sheet."""
    return any(address != (SHEET, ask.name) for address in reading.entries)


@dataclass(frozen=True)
class Total:
    """Somebody's total as it was typed. `is_below`: below zero, for keyboards on which there is no minus."""

    seat: int
    name: str
    text: str
    is_below: bool
    problem: str = ""


@dataclass
class Carrying:
    """The form: which hand is `next`, who dealt last ("" as it goes round), everybody's total, as texts by field."""

    reading: SheetReading
    texts: Mapping[str, str]
    saw: int | None = None
    #: Whether it has been looked at: an empty form is not told what is missing.
    is_asked: bool = False
    refused: list[Problem] = field(default_factory=list)

    @classmethod
    def standing(cls, reading: SheetReading) -> Carrying:
        """The form with what stands on the sheet, or empty."""
        ask = reading.game.carried_ask(reading.table)
        standing = reading.standing.get((SHEET, ask.name)) if ask else None
        if standing is None:
            return cls(reading, {})
        step = standing.data
        texts = {name: str(abs(total)) for name, total in step.items() if name.startswith("total-")}
        below = {f"below-{n.removeprefix('total-')}": "1" for n, t in step.items() if n.startswith("total-") and t < 0}
        numbers = {"next": str(step["hands"] + 1), "dealer": str(step["last_dealer"])}
        return cls(reading, {**texts, **below, **numbers}, standing.pk)

    @classmethod
    def posted(cls, reading: SheetReading, data: QueryDict) -> Carrying:
        """What a form sent."""
        names = ["next", "dealer", *(f"{kind}-{seat}" for seat in reading.table.seats for kind in ("total", "below"))]
        saw = parse_number(data.get("saw", ""))
        return cls(reading, {name: data.get(name, "")[:LONGEST] for name in names}, saw, is_asked=True)

    @cached_property
    def ask(self) -> Ask | None:
        return self.reading.game.carried_ask(self.reading.table)

    @property
    def is_possible(self) -> bool:
        """Whether the game takes totals, and nothing else stands on the sheet."""
        return self.ask is not None and not has_begun(self.reading, self.ask)

    # -- what it comes to ------------------------------------------------------------------------------

    @cached_property
    def hands(self) -> int | None:
        """How many hands were kept elsewhere."""
        last = parse_number(self.texts.get("next", ""))
        return None if last is None else last - 1

    @cached_property
    def proposed(self) -> int | None:
        """Who dealt the last of them, as it goes round from the first dealer."""
        dealt = hands_of(self.reading.game, self.reading.table)
        return dealt[self.hands - 1].dealer if self.hands and 1 <= self.hands <= len(dealt) else None

    @cached_property
    def step(self) -> dict[str, Value]:
        """The step as far as it is typed; what is no number stays a text, which the rules refuse."""
        typed = self.texts.get("dealer", "")
        dealer = self.proposed if not typed else parse_number(typed)
        totals = {f"total-{seat}": self.total_of(seat) for seat in self.reading.table.seats}
        step: dict[str, Value] = {"hands": self.hands, "last_dealer": dealer, **totals}
        return {name: value for name, value in step.items() if value is not None}

    def total_of(self, seat: int) -> Value:
        """The total that was typed."""
        text = self.texts.get(f"total-{seat}", "").strip()
        total = parse_number(text)
        if total is None:
            return text or None
        return -abs(total) if self.texts.get(f"below-{seat}") else total

    @cached_property
    def problems(self) -> list[Problem]:
        """Everything that is wrong with it."""
        if not self.is_possible:
            return [BEGUN if self.ask else NOT_ASKED]
        problems = [*(self.ask.problems(self.step) if self.ask else ()), *self.refused] if self.is_asked else []
        if any(problem.field == "hands" for problem in problems) and not self.texts.get("dealer"):
            # Without the number nobody can tell who dealt last either.
            problems = [problem for problem in problems if problem.field != "last_dealer"]
        return problems

    def refuse(self, answer: Answer) -> None:
        """What was said to it when it was to be written."""
        if isinstance(answer, Conflict):
            self.refused.append(
                Problem("conflict", "Somebody else has entered other totals in the meantime. Look at them first.")
            )
            self.saw = answer.standing.pk
        elif isinstance(answer, Refused):
            self.refused += [problem for problem in answer.problems if problem not in self.problems]
        self.__dict__.pop("problems", None)

    def problem_of(self, name: str) -> str:
        return next((problem.message for problem in self.problems if problem.field == name), "")

    # -- what the page shows ---------------------------------------------------------------------------

    @property
    def next_text(self) -> str:
        return self.texts.get("next", "")

    @property
    def next_problem(self) -> str:
        """What is wrong with the number of the next hand."""
        most = self.reading.game.planned_hands(self.reading.table)
        if not self.problem_of("hands"):
            return ""
        return f"A number from 2 to {most + 1} belongs here." if most else "A number belongs here."

    @property
    def dealers(self) -> list[tuple[str, str, bool]]:
        """Who can have dealt last: value, name, chosen."""
        chosen = self.texts.get("dealer", "")
        names = self.reading.names
        around = f"as it goes round: {names[self.proposed]}" if self.proposed else "as it goes round"
        people = [(str(seat), names[seat], str(seat) == chosen) for seat in self.reading.table.seats]
        return [("", around, chosen == ""), *people]

    @property
    def dealer_problem(self) -> str:
        return self.problem_of("last_dealer")

    @property
    def totals(self) -> list[Total]:
        """Everybody, as they sit."""
        return [
            Total(
                seat, self.reading.names[seat], self.texts.get(f"total-{seat}", ""),
                bool(self.texts.get(f"below-{seat}")), self.total_problem(seat),
            )
            for seat in self.reading.table.seats
        ]  # fmt: skip

    def total_problem(self, seat: int) -> str:
        return "" if not self.problem_of(f"total-{seat}") else "A whole number belongs here."

    @property
    def elsewhere(self) -> list[str]:
        """Problems that belong to no field of the page."""
        fields = {"hands", "last_dealer", *(f"total-{seat}" for seat in self.reading.table.seats)}
        return [problem.message for problem in self.problems if problem.field not in fields]

    @property
    def preview(self) -> SafeString | None:
        """What comes next with these totals; None where they are not complete."""
        if not self.is_asked or self.problems:
            return None
        game = self.reading.game
        table = game.carry(self.reading.table, self.step)
        if game.over(table):
            return format_html("{}", "All hands are played: the end is settled with these totals.")
        hand: Hand = game.deal(table)
        names, planned = self.reading.names, game.planned_hands(table)
        of = f" of {planned}" if planned else ""
        cards = f"{hand.cards} card{'' if hand.cards == 1 else 's'}, " if hand.cards else ""
        speaker = game.leading.first_to_speak(hand)
        speaker_text = format_html(", {}", name_shown(names[speaker])) if speaker != hand.dealer else " and"
        first = game.speaks_first and format_html("{} {}", speaker_text, game.speaks_first)
        return format_html("Hand {}{}: {}{} deals{}.", hand.number, of, cards, name_shown(names[hand.dealer]), first)


def parse_number(text: str) -> int | None:
    """A whole number as people type it, or None."""
    match = NUMBER.fullmatch(text)
    if match is None:
        return None
    return -int(match[2]) if match[1] else int(match[2])
