"""The form for the length of a game, where the game plans its hands: chosen or proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rules.core.fields import Value
from rules.core.game import Game
from rules.core.options import Amount, PlanChoice
from scoresheets.log.limits import plan_choices
from scoresheets.opening.options_form import HouseForm, parse_whole
from scoresheets.opening.schedule import LengthChoice, Stepper


class PlannedForm(Protocol):
    """What the plan reads from the form it is a part of; `wrong` takes its sentences, by the name of the field."""

    game: Game
    house: HouseForm
    wrong: dict[str, str]

    @property
    def seated(self) -> Sequence[object]: ...

    @property
    def expected(self) -> Sequence[str]: ...

    @property
    def rules(self) -> Mapping[str, Value]: ...


class Planning:
    """The plan in the form: `by` is the way somebody chose, "" for what is proposed; `amounts` what was typed."""

    def __init__(self, form: PlannedForm) -> None:
        self.form = form
        self.by = ""
        self.amounts: dict[str, str] = {}

    def take(self, data: Mapping[str, str]) -> None:
        """What was posted."""
        self.by = data.get("by", "")
        self.amounts = {name.removeprefix("plan-"): data[name] for name in data if name.startswith("plan-")}

    def step(self, key: str, *, up: bool) -> None:
        """The next larger or smaller of the numbers offered for this part of the plan."""
        amount = next((amount for choice in self.choices for amount in choice.amounts if amount.key == key), None)
        if amount is None:
            self.form.house.step(key, up=up)
            return
        now = parse_whole(self.amounts.get(key, ""))
        beyond = self.stepper(amount).beyond(amount.usual if now is None else now, up=up)
        if beyond is not None:
            self.amounts[key] = str(beyond)

    @property
    def choices(self) -> Sequence[PlanChoice]:
        """How those who sit can say how long they play."""
        return plan_choices(self.form.game, len(self.form.seated), self.form.rules)

    @property
    def plan(self) -> dict[str, int]:
        """The plan that was chosen, else the largest that still fits when those have come who are still coming."""
        choices = self.choices
        if not self.by:
            everybody = plan_choices(self.form.game, len(self.form.seated) + len(self.form.expected), self.form.rules)
            return next((choice.usual for choice in [*everybody, *choices]), {})
        chosen = next((choice for choice in choices if choice.key == self.by), None)
        if chosen is None:
            return {}
        plan = dict(chosen.usual)
        for amount in chosen.amounts:
            text = self.amounts.get(amount.key, "").strip()
            number = parse_whole(text)
            if text and number is None:
                self.form.wrong[amount.key] = "A whole number belongs here."
            elif number is not None and (number or amount.key in plan):
                plan[amount.key] = number
        return plan

    @property
    def proposed_for_all(self) -> bool:
        """Whether the plan has fewer cards than those at the table could have, for the sake of who is coming."""
        return (
            not self.by and bool(self.form.expected) and any(self.plan != choice.usual for choice in self.choices[:1])
        )

    @property
    def ways(self) -> list[LengthChoice]:
        """How the hands can be chosen: as proposed, or by one of the game's choices."""
        ways = []
        for choice in self.choices:
            chosen = choice.key == self.by
            steppers = [self.stepper(amount, chosen=chosen) for amount in choice.amounts]
            ways.append(LengthChoice(choice.key, choice.words, steppers))
        return [LengthChoice("", "As many cards as fit", []), *ways] if ways else []

    def stepper(self, amount: Amount, *, chosen: bool = True) -> Stepper:
        """A number of the plan: what was typed where it counts, else what is proposed."""
        typed = self.amounts.get(amount.key, "") if chosen else ""
        value = typed or str(self.plan.get(amount.key, amount.usual))
        return Stepper(amount.key, amount.words, value, amount.offered, self.form.wrong.get(amount.key, ""))
