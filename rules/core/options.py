"""House rules: what a club may choose where a game leaves it open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rules.core.fields import Value
from rules.core.problems import Problem
from rules.core.table import nothing


@dataclass(frozen=True)
class HouseRule:
    """A choice a club makes when it opens a sheet: frozen with the first entry, printed where it differs.

    ``values`` are the values it takes: ``(False, True)`` for a yes or no, a tuple of words, or a range.
    ``default`` None means that the game works it out (``default_words`` says how). ``sentence`` is the
    rule in the club's words; ``choices`` gives the words beside each value that is not a number.
    ``doubt`` is the reason, in a sentence, why a table is asked for it in plain sight the first time: its papers do not
    agree. ``lasts``: it says how long the table plays, and is asked where the hands are; one of words says which way;
    ``each_time``: it is asked in plain sight whenever a sheet is opened. ``only_with``: it says something only
    where that other rule has that value. ``steps`` are the numbers to offer first; none: all of them.
    """

    key: str
    default: Value
    values: Sequence[Value]
    sentence: str
    default_words: str = ""
    choices: Mapping[object, str] = field(default_factory=nothing)
    doubt: str = ""
    lasts: bool = False
    each_time: bool = False
    only_with: tuple[str, Value] | None = None
    steps: Sequence[int] = ()

    def problem(self, value: object) -> Problem | None:
        """``bad-document`` for a value of another type, ``bad-house-rule`` for one the rule does not take."""
        if value is None and self.default is None:
            return None
        if self.is_another_type(value):
            return Problem("bad-document", f"The house rule {self.key} takes another kind of value.", self.key)
        if value not in self.values:
            return Problem("bad-house-rule", f"The house rule {self.key} does not take that value.", self.key)
        return None

    def is_another_type(self, value: object) -> bool:
        """Whether the value is of a type that none of ``values`` has: 1 is neither true nor a word."""
        return type(value) not in {type(known) for known in (self.values[0], self.values[-1])}


def is_offered(rule: HouseRule, rules: Sequence[HouseRule], chosen: Mapping[str, Value]) -> bool:
    """Whether one of the ``rules`` says something with what was ``chosen``: what is not there is as usual.

    >>> ends = HouseRule("ends", "hands", ("hands", "total"), "When the game ends.")
    >>> total = HouseRule("total", 100, range(1, 1000), "The total.", only_with=("ends", "total"))
    >>> is_offered(total, (ends, total), {}), is_offered(total, (ends, total), {"ends": "total"})
    (False, True)
    """
    if rule.only_with is None:
        return True
    key, value = rule.only_with
    other = next(other for other in rules if other.key == key)
    return chosen.get(key, other.default) == value


def chosen_of(rules: Sequence[HouseRule], values: Mapping[str, Value]) -> dict[str, Value]:
    """Those of the ``values`` that differ from the usual ones, of the rules that say something with them."""
    return {
        rule.key: value
        for rule in rules
        if is_offered(rule, rules, values)
        and ((value := values[rule.key]) != rule.default or type(value) is not type(rule.default))
    }


@dataclass(frozen=True)
class Amount:
    """A number of a plan. ``values`` are all it can be, ``offered`` those to offer first: they keep the rules."""

    key: str
    words: str
    values: range
    offered: Sequence[int]
    usual: int


@dataclass(frozen=True)
class PlanChoice:
    """One way to say how long the table plays: its ``amounts`` make a plan. The first of them names the choice."""

    words: str
    amounts: tuple[Amount, ...]

    @property
    def key(self) -> str:
        return self.amounts[0].key

    @property
    def usual(self) -> dict[str, int]:
        """The plan that is proposed."""
        return {self.key: self.amounts[0].usual}


#: House rules of every table, whatever is played: what those see who look on. The rules of a game come before them.
TABLE_RULES = (
    HouseRule(
        "hidden_hands", default=0, values=range(11),
        sentence="Hands at the end whose totals watchers do not see.",
    ),
    HouseRule(
        "hold_result", default=False, values=(False, True),
        sentence="After the last hand the result waits until the scorekeeper shows it.",
    ),
)  # fmt: skip
