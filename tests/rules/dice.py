"""Hands that might have been played, thrown by dice: for any game, from what its asks declare and `check` lets pass.

A game whose hands the dice seldom hit says how one is dealt: `tests/rules/deals/<module>.py` with
`deal(dice, table, hand)`, the steps of a whole hand by the name of the ask.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable

from rules.core.engine.replay import problems_of_step
from rules.core.fields import Ask, Choice, Count, Field, SeatChoice, Tick, Value
from rules.core.game import Game
from rules.core.table import Hand, Table

Step = dict[str, Value]
Dealer = Callable[[random.Random, Table, Hand], dict[str, Step]]

#: Throws at a step whose fields must agree with one another, before the hand is thrown anew.
TRIES = 4000
#: Hands that are begun before the dice give up.
DEALS = 50


def throw(dice: random.Random, ask: Ask, due: int | None = None) -> Step:
    """Values for the fields of an ask; fields of one kind (`card-9C`, `card-TC`) are mostly all there, or none.

    Where `due` says what the counts come to, every other throw does.
    """
    likely = {stem: dice.choice((0, 0, 0.2, 0.6, 1, 1)) for stem in {stem_of(field) for field in ask.fields}}
    fields = [field for field in ask.fields if not field.optional or dice.random() < likely[stem_of(field)]]
    step = {field.name: face(dice, field) for field in fields}
    counted = [field for field in fields if isinstance(field, Count)]
    if due is not None and len(counted) > 1 and dice.random() < 0.5:
        step |= dealt_out(dice, counted, due)
    return step


def stem_of(field: Field) -> str:
    """The name of a field without what tells it from its like: `card` of `card-9C`."""
    return field.name.split("-")[0]


def face(dice: random.Random, field: Field) -> Value:
    """A value that may stand in the field, small counts more often than large ones."""
    match field:
        case Count(low=low, high=high):
            return dice.randint(low, min(high, low + dice.choice((1, 2, 4, 60))))
        case Choice(values=values) | SeatChoice(seats=values):
            return dice.choice(values)
        case Tick():
            return dice.random() < 0.5


def dealt_out(dice: random.Random, fields: list[Count], total: int) -> Step:
    """Counts for these fields that come to `total`, as far as they can."""
    counts = {field.name: field.low for field in fields}
    while (total > sum(counts.values())) and (room := [f for f in fields if counts[f.name] < f.high]):
        field = dice.choice(room)
        more = dice.randint(1, min(total - sum(counts.values()), field.high - counts[field.name]))
        counts[field.name] += more
    return dict(counts)


def fair_step(dice: random.Random, game: Game, table: Table, hand: Hand, ask: Ask, tries: int = TRIES) -> Step | None:
    """A step that may be written at the ask of the hand, or None where the dice found none."""
    due = game.due_sum(table, hand)
    for _ in range(tries):
        step = throw(dice, ask, due)
        if not problems_of_step(game, table, hand, ask, step):
            return step
    return None


def whole_hand(dice: random.Random, game: Game, table: Table, hand: Hand) -> dict[str, Step]:
    """The steps that complete the hand as it stands, by the name of the ask, in order; what is optional stays out."""
    if (deal := dealer_of(game)) and not hand.steps:
        return deal(dice, table, hand)
    for _ in range(DEALS):
        steps = thrown_hand(dice, game, table, hand)
        if steps is not None:
            return steps
    raise AssertionError(f"The dice find no hand of {game.name}: tests/rules/deals/ has room for one who can deal it.")


def thrown_hand(dice: random.Random, game: Game, table: Table, hand: Hand) -> dict[str, Step] | None:
    """The same by dice alone; None where they came to an end with no way out."""
    steps: dict[str, Step] = {}
    for ask in game.asks(table, hand):
        if ask.optional or ask.name in hand.steps:
            continue
        step = fair_step(dice, game, table, hand, ask)
        if step is None:
            return None
        steps[ask.name] = step
        hand = hand.with_step(ask.name, step)
    return steps


def dealer_of(game: Game) -> Dealer | None:
    """Who deals whole hands of the game, where somebody does."""
    name = f"tests.rules.deals.{game.module}"
    try:
        deal: Dealer = importlib.import_module(name).deal
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None
    return deal
