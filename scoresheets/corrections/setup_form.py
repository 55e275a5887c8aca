"""The form that corrects the set-up: its fields, the posted values, and the preview of the change.

The page posts every field with its value when the page was loaded (`was-…`). Only fields that were changed are
corrected, so two phones can correct two fields at the same time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.http import QueryDict

from rules.core.fields import Address, Value
from rules.core.options import HouseRule, PlanChoice, chosen_of
from rules.core.problems import Problem
from scoresheets.corrections.setup import SOMEBODY_NEW, SetupCorrection, SheetName, field_of, names_on
from scoresheets.log.entries import canonical
from scoresheets.log.identity import Namesake, namesakes
from scoresheets.log.limits import plan_choices
from scoresheets.log.occupants import ASK
from scoresheets.log.state import SET_UP, SheetReading
from scoresheets.log.text import clean_name, same_name
from scoresheets.models import Player
from scoresheets.opening.options_form import HouseField, parse_value, parse_whole, widget_of
from scoresheets.opening.schedule import LengthChoice, Stepper
from scoresheets.roster.form import STRANGER

NAME = re.compile(r"name-(\d{1,5})-([a-z0-9-]{1,40})")
#: No page of ours has more fields.
MOST_FIELDS = 200


@dataclass(frozen=True)
class NameField:
    """A name to be put right: `label` says whose, `value` is what stands in the field.

    `namesakes`: who it may be that is called `value`, where that has to be asked; `answer` is what was answered.
    """

    field: str
    label: str
    hand: int
    value: str
    was: str
    saw: int | None
    problem: str = ""
    namesakes: Sequence[Namesake] = ()
    answer: str = ""

    @property
    def folded(self) -> str:
        """The name as it is compared with others: an answer is for this one."""
        return folded(self.value)


@dataclass
class SetupForm:
    """The form. `posted` is what came back, empty when the page is opened."""

    reading: SheetReading
    posted: Mapping[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, reading: SheetReading, data: QueryDict) -> SetupForm:
        """The form as it was posted; of a field that came twice the last."""
        kept = {name: data.get(name, "")[:1000] for name in list(data)[:MOST_FIELDS]}
        return cls(reading, kept)

    def say(self, problems: Sequence[Problem]) -> None:
        """Put every problem beside its field."""
        self.wrong |= {problem.field or "": problem.message for problem in problems}

    # What stands in the fields

    @property
    def names(self) -> list[NameField]:
        """Everybody’s name, also of who gave up a seat."""
        return [self.name_field(named) for named in names_on(self.reading)]

    def name_field(self, named: SheetName) -> NameField:
        where, standing = field_of(named.address), self.reading.standing.get(named.address)
        was = self.posted.get(f"was-{where}", named.name)
        saw = self.posted.get(f"saw-{where}")
        return NameField(
            where,
            named.name,
            named.hand,
            self.posted.get(where, named.name),
            was,
            (parse_whole(saw) if saw is not None else standing.pk if standing else None),
            self.wrong.get(where, ""),
            self.questions.get(named.address, ()),
            self.answer_at(where),
        )

    # Who it is that is called so

    @cached_property
    def questions(self) -> dict[Address, list[Namesake]]:
        """Who may be meant by the names that were changed, by their places; of most nothing has to be asked."""
        seated = self.reading.sitting.everybody
        questions = {}
        for named in names_on(self.reading):
            typed = clean_name(self.posted.get(field_of(named.address), named.name))
            if isinstance(typed, str) and same_name(typed) != same_name(named.name):
                questions[named.address] = namesakes(self.reading.record, typed, seated, instead_of=named.player)
        return {address: people for address, people in questions.items() if people}

    def answer_at(self, where: str) -> str:
        """What was answered: the id of a player, `STRANGER`, or "" as long as this name was not asked about."""
        of = folded(self.posted.get(where, ""))
        return self.posted.get(f"who-{where}", "") if self.posted.get(f"of-{where}") == of else ""

    @cached_property
    def people(self) -> dict[Address, Player | None]:
        """Who it is by what was answered; None: somebody new."""
        people: dict[Address, Player | None] = {}
        for address, namesakes_there in self.questions.items():
            answer = self.answer_at(field_of(address))
            meant = next((namesake.player for namesake in namesakes_there if str(namesake.player.pk) == answer), None)
            if meant is not None or answer == STRANGER:
                people[address] = meant
        return people

    @property
    def is_asked(self) -> bool:
        """Whether it has to be said first who somebody is."""
        return self.questions.keys() != self.people.keys()

    @property
    def dealers(self) -> list[tuple[int, str, bool]]:
        """Who can have dealt first: seat, name, chosen."""
        setup, names = self.reading.setup, self.reading.sitting.first
        chosen = self.posted.get("first_dealer", str(setup.first_dealer))
        return [(seat, names[seat].name, str(seat) == chosen) for seat in setup.seats]

    @property
    def was_dealer(self) -> str:
        return self.posted.get("was-first_dealer", str(self.reading.setup.first_dealer))

    @property
    def title(self) -> str:
        return self.posted.get("title", self.reading.record.title)

    @property
    def was_title(self) -> str:
        return self.posted.get("was-title", self.reading.record.title)

    @property
    def was_plan(self) -> str:
        return self.posted.get("was-plan", canonical(self.reading.setup.plan))

    @property
    def saw_table(self) -> int | None:
        saw = self.posted.get("saw-table")
        return parse_whole(saw) if saw is not None else self.reading.standing[SET_UP].pk

    @property
    def by(self) -> str:
        """How the hands are chosen: the key of one of the game’s ways, "" for as many cards as fit."""
        plan = self.reading.setup.plan
        keys = [choice.key for choice in self.choices]
        return self.posted.get("by", next((key for key in keys if key in plan), ""))

    @property
    def choices(self) -> Sequence[PlanChoice]:
        """How those who sat down can say how long they play."""
        setup = self.reading.setup
        return plan_choices(self.reading.game, len(setup.seats), setup.house_rules)

    @property
    def ways(self) -> list[LengthChoice]:
        """How the hands can be chosen; empty where the game leaves no choice."""
        plan, ways = self.reading.setup.plan, []
        for choice in self.choices:
            steppers = [
                Stepper(
                    amount.key, amount.words,
                    self.posted.get(f"plan-{amount.key}", str(plan.get(amount.key, amount.usual))), amount.offered,
                    self.wrong.get(amount.key, ""),
                )
                for amount in choice.amounts
            ]  # fmt: skip
            ways.append(LengthChoice(choice.key, choice.words, steppers))
        return [LengthChoice("", "As many cards as fit", []), *ways] if ways else []

    @property
    def may_choose_house_rules(self) -> bool:
        """Whether the game has not begun."""
        return not self.reading.entries

    @property
    def house_fields(self) -> list[HouseField]:
        chosen = self.reading.setup.house_rules
        return [
            HouseField(
                rule, widget_of(rule),
                self.posted.get(f"house-{rule.key}", "") if "house" in self.posted else as_field(rule, chosen),
                self.wrong.get(rule.key, ""),
            )
            for rule in self.reading.game.house_rules
        ]  # fmt: skip

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Everything that was posted, to be posted again with the confirm."""
        own = ("csrfmiddlewaretoken", "do", "key", "seen")
        return [(name, value) for name, value in self.posted.items() if name not in own]

    # What was posted

    @property
    def saw(self) -> dict[Address, int | None]:
        """What was seen at each place that can be mended."""
        return {SET_UP: self.saw_table} | {
            address: parse_whole(self.posted.get(f"saw-{where}", "")) for where, address in self.places.items()
        }

    @property
    def places(self) -> dict[str, Address]:
        """The fields of names that were posted, with their places on the sheet."""
        matches = {name: NAME.fullmatch(name) for name in self.posted}
        return {name: (int(match[1]), match[2]) for name, match in matches.items() if match and ASK.fullmatch(match[2])}

    def mended(self) -> SetupCorrection:
        """What is mended: what is another than it was when the page was loaded. Numbers that are none go to `wrong`."""
        names = {
            address: self.posted[where]
            for where, address in self.places.items()
            if self.posted[where] != self.posted.get(f"was-{where}")
        }
        here = self.reading.sitting.everybody
        others = {address: player for address, player in self.people.items() if player is None or player.pk not in here}
        names |= {address: player.called for address, player in others.items() if player}
        dealer = self.posted.get("first_dealer", "")
        plan = self.plan()
        return SetupCorrection(
            names=names,
            people={address: player.pk if player else SOMEBODY_NEW for address, player in others.items()},
            first_dealer=None if dealer == self.was_dealer else parse_whole(dealer) or 0,
            plan=None if plan is None or canonical(plan) == self.was_plan else plan,
            title=None if self.title == self.was_title else self.title,
            house_rules=self.house_rules(),
        )

    def plan(self) -> dict[str, int] | None:
        """The hands as they were chosen; None where nothing was posted about them."""
        if "by" not in self.posted:
            return None
        choice = next((choice for choice in self.choices if choice.key == self.posted["by"]), None)
        plan: dict[str, int] = {}
        for amount in choice.amounts if choice else ():
            text = self.posted.get(f"plan-{amount.key}", "").strip()
            number = parse_whole(text)
            if number is None:
                self.wrong[amount.key] = "A whole number belongs here."
            elif number or amount.key == self.posted["by"]:
                plan[amount.key] = number
        return plan

    def house_rules(self) -> dict[str, Value] | None:
        """The house rules that differ from the usual ones; None where they could not be chosen."""
        if "house" not in self.posted:
            return None
        rules = {rule.key: rule for rule in self.reading.game.house_rules}
        values = {key: parse_value(rule, self.posted.get(f"house-{key}", "")) for key, rule in rules.items()}
        return chosen_of(self.reading.game.house_rules, values)


def folded(name: str) -> str:
    """A name as it is compared with others, however many blanks were typed."""
    return same_name(" ".join(name.split()))


def as_field(rule: HouseRule, chosen: Mapping[str, Value]) -> str:
    """A house rule as its field shows it: "" is an empty box, or a field left empty."""
    value = chosen.get(rule.key, rule.default)
    return "" if value is None or value is False else "on" if value is True else str(value)
