"""The house rules of a sheet in words: the choices, what was chosen, and where that is not the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.fields import Value
from rules.core.game import Game
from rules.core.options import HouseRule, is_offered


@dataclass(frozen=True)
class Chosen:
    """A house rule with its value in words, and the usual one. `differs`: the table chose something else.

    `doubt` is why it had to be chosen, where the papers of the game do not agree.
    """

    key: str
    sentence: str
    value: str
    usual: str
    differs: bool
    doubt: str = ""

    @property
    def in_short(self) -> str:
        """The rule with its value in one sentence: "Cards in the blind hand: 4." """
        return self.sentence if self.value == "yes" else f"{self.sentence.removesuffix('.')}: {self.value}."


def house_rules_in_words(game: Game, chosen: Mapping[str, Value]) -> list[Chosen]:
    """Every house rule of the game; what `chosen` does not name is as usual.

    Where something is chosen, rules that say nothing with it are left out.
    """
    return [
        Chosen(
            rule.key,
            rule.sentence,
            house_rule_text(rule, chosen.get(rule.key, rule.default)),
            house_rule_text(rule, rule.default),
            differs=chosen.get(rule.key, rule.default) != rule.default,
            doubt=rule.doubt,
        )
        for rule in game.house_rules
        if not chosen or is_offered(rule, game.house_rules, chosen)
    ]


def house_rule_text(rule: HouseRule, value: Value) -> str:
    """A value of the rule as a page says it."""
    if value is None:
        return rule.default_words
    if value in rule.choices:
        return rule.choices[value]
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
