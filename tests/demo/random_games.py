"""Random games, for any game, from the fields of its asks and its validation.

An invalid random answer is repaired at the field that the problem names. So nothing here knows a game.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from rules.core.engine.replay import Sheet, problems_of_step, read
from rules.core.fields import SHEET, Address, Ask, Choice, Count, Field, SeatChoice, Tick, Value
from rules.core.game import Game
from rules.core.table import Hand, Table

Step = dict[str, Value]
Steady = Mapping[int, float]

#: Times a throw is mended before it is thrown anew, throws before the hand is, and hands before the dice give up.
MENDS, THROWS, HANDS = 10, 20, 200
#: Of so many hands the best is played, where nobody bids.
GOOD = 3


#: Draws before the dice say that nothing decides it.
MOST_DRAWS = 100


class NoHand(Exception):
    """The dice found no hand that may be written down."""


def whole_game(
    dice: random.Random, game: Game, table: Table, *, steady: Steady, hands: int | None = None
) -> dict[Address, Step]:
    """What is written on a sheet from the first hand to the last draw, or until so many `hands` are scored.

    `steady` says of every seat how seldom the cards fall otherwise than they said: 0 to 1. Raises `NoHand`.
    """
    steps: dict[Address, Step] = {}
    while (sheet := read(game, table, steps)).open and (hands is None or len(sheet.rows) < hands):
        hand = sheet.open.hand
        for ask, step in whole_hand(dice, game, sheet.table, hand, steady).items():
            steps[hand.address(ask)] = step
    if hands is None:
        settle(dice, game, table, steps, steady)
    return steps


def settle(dice: random.Random, game: Game, table: Table, steps: dict[Address, Step], steady: Steady) -> None:
    """Blind hands and draws, until nothing is open."""
    for _ in range(MOST_DRAWS):
        sheet = read(game, table, steps)
        settlement = sheet.settlement
        if settlement is None or not settlement.asks:
            return
        ask = settlement.asks[0]
        if settlement.hand:
            step = fair_step(dice, game, sheet.table, settlement.hand, ask, steady)
            if step is None:
                raise NoHand(game.slug)
        else:
            step = drawn(dice, game, table, steps, ask)
        steps[SHEET, ask.name] = step
    raise NoHand(game.slug)


def drawn(dice: random.Random, game: Game, table: Table, steps: Mapping[Address, Step], ask: Ask) -> Step:
    """Cards that everybody might have drawn."""
    for _ in range(MOST_DRAWS):
        step = {field.name: throw_one(dice, field) for field in ask.fields}
        if not problems_after(read(game, table, {**steps, (SHEET, ask.name): step})):
            return step
    raise NoHand(game.slug)


def problems_after(sheet: Sheet) -> bool:
    return sheet.settlement is None or bool(sheet.settlement.problems)


def whole_hand(dice: random.Random, game: Game, table: Table, hand: Hand, steady: Steady) -> dict[str, Step]:
    """The steps that complete the hand as it stands, by the name of the ask, in order.

    Raises `NoHand`.
    """
    # Whoever says something means to play for it: of several throws that counts which brings the table most. Where
    # everybody bids, the tricks follow the bids as it is.
    wanted = 1 if any(ask.name.startswith("bid-") for ask in game.asks(table, hand)) else GOOD
    hands: list[dict[str, Step]] = []
    for _ in range(HANDS):
        steps = thrown(dice, game, table, hand, steady)
        if steps is not None:
            hands.append(steps)
        if len(hands) == wanted:
            break
    if not hands:
        raise NoHand(game.slug)
    return max(hands, key=lambda steps: brings(game, table, hand, steps)) if wanted > 1 else hands[0]


def brings(game: Game, table: Table, hand: Hand, steps: Mapping[str, Step]) -> int:
    """The points that these steps bring all the table."""
    for name, step in steps.items():
        hand = hand.with_step(name, step)
    return sum(game.result(table, hand).points.values())


def thrown(dice: random.Random, game: Game, table: Table, hand: Hand, steady: Steady) -> dict[str, Step] | None:
    steps: dict[str, Step] = {}
    for ask in game.asks(table, hand):
        if ask.name in hand.steps or (ask.optional and (is_a_remark(ask) or dice.random() < 0.5)):
            continue
        step = fair_step(dice, game, table, hand, ask, steady)
        if step is None:
            if ask.optional:
                continue
            return None
        steps[ask.name] = step
        hand = hand.with_step(ask.name, step)
    return steps


def is_a_remark(ask: Ask) -> bool:
    """Whether it only ticks what happened beside the game, such as a rule that nobody noticed: at no table here."""
    return all(isinstance(field, Tick) for field in ask.fields)


def fair_step(dice: random.Random, game: Game, table: Table, hand: Hand, ask: Ask, steady: Steady) -> Step | None:
    """A step that may be written at the ask, without so much as a warning; None where the dice found none."""
    due = game.due_sum(table, hand)
    for _ in range(THROWS):
        step = throw(dice, hand, ask, due, steady)
        for _ in range(MENDS):
            problems = [*ask.problems(step)] or problems_of_step(game, table, hand, ask, step)
            if not problems:
                return step
            mend(dice, ask, step, {problem.field for problem in problems})
    return None


def throw(dice: random.Random, hand: Hand, ask: Ask, due: int | None, steady: Steady) -> Step:
    counts = [field for field in ask.fields if isinstance(field, Count) and not field.optional]
    if due is not None and len(counts) > 1 and len(counts) == len(ask.fields):
        return dealt_out(dice, counts, due, as_bid(hand, counts), steady)
    kinds = list(dict.fromkeys(stem_of(field) for field in ask.fields))
    share: dict[str, float] = {kind: dice.choice((0, 0, 0.3, 0.7, 1, 1)) for kind in kinds}
    if len(kinds) > 1 and dice.random() < 0.7:
        chosen = dice.choice(kinds)
        share = {kind: float(kind == chosen) for kind in kinds}
    return {
        field.name: face(dice, hand, field)
        for field in ask.fields
        if not field.optional or dice.random() < share[stem_of(field)]
    }


def stem_of(field: Field) -> str:
    """What fields of one kind have in common: `card` of `card-9`. They are mostly all there, or none."""
    return field.name.partition("-")[0]


def face(dice: random.Random, hand: Hand, field: Field) -> Value:
    """A value of the field; of a count that must be said one that a fair share of the cards would bring."""
    if isinstance(field, Count) and not field.optional:
        lucky = sum(dice.random() * len(hand.order) < 1 for _ in range(min(field.high, 40)))
        return max(field.low, lucky)
    return throw_one(dice, field)


def as_bid(hand: Hand, counts: list[Count]) -> dict[str, int]:
    """What was bid by those who are counted, by field: `tricks-3` is about the seat of `bid-3`."""
    bids = {field.name: hand.steps.get(f"bid-{field.name.rpartition('-')[2]}", {}).get("bid") for field in counts}
    return {name: bid for name, bid in bids.items() if isinstance(bid, int)}


def dealt_out(dice: random.Random, counts: list[Count], due: int, bids: Mapping[str, int], steady: Steady) -> Step:
    """Counts that come to what is due: as they were bid as far as the cards allow, and now and then otherwise."""
    step = {field.name: min(field.high, bids.get(field.name, field.low)) for field in counts}
    weights = {field.name: 1.05 - steady.get(int(field.name.rpartition("-")[2]), 0.5) for field in counts}

    def one_of(fields: list[Count]) -> str:
        return dice.choices([field.name for field in fields], [weights[field.name] for field in fields])[0]

    for _ in range(dice.choice((0, 1, 1, 2, 2, 3))):
        if givers := [field for field in counts if step[field.name] > field.low]:
            step[one_of(givers)] -= 1
    while missing := due - sum(step.values()):
        if missing > 0:
            room = [field for field in counts if step[field.name] < field.high]
        else:
            room = [field for field in counts if step[field.name] > field.low]
        if not room:
            break
        step[one_of(room)] += 1 if missing > 0 else -1
    return dict(step)


def mend(dice: random.Random, ask: Ask, step: Step, wrong: set[str | None]) -> None:
    """Throw again what is wrong, or something; what lacks its like is filled in, or all of its kind is left out."""
    kinds = [kind for kind in dict.fromkeys(stem_of(field) for field in ask.fields) if kind in wrong]
    fields = [field for field in ask.fields if field.name in wrong or stem_of(field) in kinds]
    if kinds and dice.random() < 0.3:
        for field in fields:
            if field.optional:
                step.pop(field.name, None)
        return
    fields = fields or [dice.choice(ask.fields)]
    for field in fields if kinds else dice.sample(fields, dice.randint(1, len(fields))):
        if not kinds and field.optional and field.name in step and dice.random() < 0.5:
            del step[field.name]
        else:
            step[field.name] = throw_one(dice, field)


def throw_one(dice: random.Random, field: Field) -> Value:
    """Any value of the field, small counts more often than large ones."""
    match field:
        case Count(low=low, high=high):
            return dice.randint(low, min(high, low + dice.choice((0, 1, 1, 2, 4, 60))))
        case Choice(values=values):
            return dice.choice(values)
        case SeatChoice(seats=seats):
            return dice.choice(seats)
        case Tick():
            return dice.random() < 0.4
