"""The form for house rules: a checkbox, a number or a choice for each rule that the game declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.fields import Value
from rules.core.game import Game
from rules.core.options import HouseRule, chosen_of
from scoresheets.opening.schedule import LengthChoice, Stepper
from scoresheets.wording.markup import capital
from scoresheets.wording.options import house_rule_text

NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass
class HouseField:
    """A house rule as the page asks it: `kind` is `tick`, `number` or `choice`; `value` as it stands in the form."""

    rule: HouseRule
    kind: str
    value: str
    problem: str = ""

    @property
    def name(self) -> str:
        return f"house-{self.rule.key}"

    @property
    def usual(self) -> str:
        """The default in words."""
        return house_rule_text(self.rule, self.rule.default)

    @property
    def options(self) -> list[tuple[str, str]]:
        return [(field_text(value), house_rule_text(self.rule, value)) for value in self.rule.values]


def widget_of(rule: HouseRule) -> str:
    if rule.values[0] is False:
        return "tick"
    return "number" if isinstance(rule.values, range) else "choice"


def field_text(value: Value) -> str:
    """A house rule's value as the form has it: "" is an empty box, or a field left empty."""
    return "" if value is None or value is False else "on" if value is True else str(value)


def parse_value(rule: HouseRule, text: str) -> Value:
    """The value that a field's text means; the text itself where it means none."""
    if widget_of(rule) == "tick":
        return text != ""
    if not text.strip():
        return rule.default
    return next((value for value in rule.values if str(value) == text.strip()), parse_whole(text.strip()) or text)


def parse_whole(text: str) -> int | None:
    """A whole number in plain digits, else None."""
    return int(text) if NUMBER.fullmatch(text) else None


def is_length(rule: HouseRule) -> bool:
    """Whether it is a number that says how long the table plays."""
    return rule.lasts and widget_of(rule) == "number"


class HouseForm:
    """The house rules of a game in a form: `texts` as they stand in its fields, `wrong` what is wrong with them.

    `remembered` is what this phone said the last time about what is in doubt; None where it never kept the game: then
    that is asked in plain sight.
    """

    def __init__(self, game: Game, remembered: Mapping[str, Value] | None = None) -> None:
        self.game = game
        self.first_time = remembered is None
        answers = {rule.key: (remembered or {}).get(rule.key) for rule in game.house_rules if rule.doubt}
        self.texts = {
            rule.key: field_text(rule.default if answers.get(rule.key) is None else answers[rule.key])
            for rule in game.house_rules
        }
        self.wrong: Mapping[str, str] = {}

    def take(self, data: Mapping[str, str]) -> None:
        """What was posted. A box without a tick posts nothing."""
        self.texts = {rule.key: data.get(f"house-{rule.key}", "") for rule in self.game.house_rules}

    @property
    def chosen(self) -> dict[str, Value]:
        """The house rules that differ from the usual ones."""
        values = {rule.key: parse_value(rule, self.texts[rule.key]) for rule in self.game.house_rules}
        return chosen_of(self.game.house_rules, values)

    def step(self, key: str, *, up: bool) -> None:
        """The next larger or smaller length."""
        steppers = [*self.lengths, *(stepper for way in self.ways for stepper in way.steppers)]
        stepper = next((stepper for stepper in steppers if stepper.key == key), None)
        now = parse_whole(stepper.value.strip()) if stepper else None
        if stepper and (beyond := stepper.beyond(now or 0, up=up)) is not None:
            self.texts[key] = str(beyond)

    @property
    def lengths(self) -> list[Stepper]:
        """Those that say how long the table plays, whatever else is chosen."""
        return [self.stepper(rule) for rule in self.game.house_rules if is_length(rule) and rule.only_with is None]

    def stepper(self, rule: HouseRule) -> Stepper:
        """A number that says how long the table plays."""
        return Stepper(
            rule.key, rule.sentence.removesuffix("."), self.texts[rule.key].strip() or field_text(rule.default),
            [int(str(value)) for value in rule.steps or rule.values], self.wrong.get(rule.key, ""), "house",
        )  # fmt: skip

    @property
    def ends(self) -> HouseField | None:
        """The choice between ways to say how long the table plays; None: there is one way."""
        rule = next((rule for rule in self.game.house_rules if rule.lasts and not is_length(rule)), None)
        return self.field(rule) if rule else None

    @property
    def ways(self) -> list[LengthChoice]:
        """These ways, each with the numbers that are asked with it."""
        ends = self.ends
        if ends is None:
            return []
        numbers = [rule for rule in self.game.house_rules if is_length(rule)]
        key = ends.rule.key
        return [
            LengthChoice(
                value,
                capital(words),
                [self.stepper(rule) for rule in numbers if rule.only_with == (key, value)],
            )
            for value, words in ends.options
        ]

    @property
    def each_time(self) -> list[HouseField]:
        """What is asked in plain sight whenever a sheet is opened."""
        return [self.field(rule) for rule in self.game.house_rules if rule.each_time]

    @property
    def doubts(self) -> list[HouseField]:
        """What the papers of the game leave in doubt, where it must be asked."""
        return [self.field(rule) for rule in self.game.house_rules if rule.doubt and self.first_time]

    @property
    def fields(self) -> list[HouseField]:
        """All others."""
        keys = {ask.rule.key for ask in self.doubts}
        return [
            self.field(rule)
            for rule in self.game.house_rules
            if rule.key not in keys and not rule.lasts and not rule.each_time
        ]

    def field(self, rule: HouseRule) -> HouseField:
        return HouseField(rule, widget_of(rule), self.texts[rule.key], self.wrong.get(rule.key, ""))
