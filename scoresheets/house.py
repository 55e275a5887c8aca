"""House rules as a form asks them: a box to tick, a number, or a choice, made from what the game declares."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.core.house import HouseRule
    from rules.core.steps import Value

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
        if self.rule.default_words:
            return self.rule.default_words
        if self.kind == "tick":
            return "yes" if self.rule.default else "no"
        return self.rule.choices.get(self.rule.default, str(self.rule.default))

    @property
    def options(self) -> list[tuple[str, str]]:
        return [(str(value), self.rule.choices.get(value, str(value))) for value in self.rule.values]


def kind_of(rule: HouseRule) -> str:
    if rule.values[0] is False:
        return "tick"
    return "number" if isinstance(rule.values, range) else "choice"


def shown(rule: HouseRule) -> str:
    """A house rule's default as the form shows it: "" is an empty box, or a field left empty."""
    return "" if rule.default is None or rule.default is False else "on" if rule.default is True else str(rule.default)


def taken(rule: HouseRule, text: str) -> Value:
    """The value that a field's text means; the text itself where it means none."""
    if kind_of(rule) == "tick":
        return text != ""
    if not text.strip():
        return rule.default
    return next((value for value in rule.values if str(value) == text.strip()), whole(text.strip()) or text)


def whole(text: str) -> int | None:
    """A whole number in plain digits, else None."""
    return int(text) if NUMBER.fullmatch(text) else None
