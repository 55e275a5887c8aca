"""Sheets for property tests, made from what the games declare, and from nothing else they say about themselves.

A game that lands in ``rules/`` is played by these at once: its asks say which fields there are, and a field says what
may stand in it.
"""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import strategies as st

from rules.core.engine.replay import problems_of_event, problems_of_step, read, stood
from rules.core.fields import SHEET, Choice, Count, SeatChoice, Tick
from rules.core.stakes import Decides, group
from tests.rules.dice import throw

#: Tries at a step whose fields must agree with one another (the tricks of a hand) before the sheet is left as it is.
TRIES = 1000

junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 30),
    st.integers(),
    st.text(max_size=4),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)


def value_for(field):
    """A value that may stand in the field."""
    match field:
        case Count(low=low, high=high):
            good = st.integers(low, min(high, low + 60))
        case Choice(values=values) | SeatChoice(seats=values):
            good = st.sampled_from(values) if values else st.none()
        case Tick():
            good = st.booleans()
        case _:
            raise AssertionError(f"{field} is of a fifth kind")
    return st.one_of(good, st.none()) if field.optional else good


def step_for(ask):
    """Values for all fields of an ask, each of which may stand there."""
    return st.fixed_dictionaries({field.name: value_for(field) for field in ask.fields})


@st.composite
def tables(draw, game, *, most_seats=4, most_hands=6):
    """A table of the game as it may be opened."""
    players = [n for n in game.players if n <= most_seats] or [game.players[0]]
    seats = range(1, draw(st.sampled_from(players)) + 1)
    choices = game.plan_choices(len(seats), defaults(game))
    plan = {}
    if choices:
        choice = draw(st.sampled_from(choices))
        plan = {choice.key: draw(st.integers(1, min(most_hands, choice.amounts[0].values[-1])))}
    house_rules = {}
    for rule in game.house_rules:
        if draw(st.booleans()):
            house_rules[rule.key] = draw(st.sampled_from(list(rule.values)))
    if any(problem.blocking for problem in game.setup_problems(seats, plan, house_rules)):
        house_rules = {}
    return game.open_table(seats, draw(st.sampled_from(list(seats))), plan, house_rules, draw(decisions(seats)))


@st.composite
def decisions(draw, seats):
    """What the end of a sheet with these seats may decide: mostly both trophies, else as in a play-off."""
    kind = draw(st.sampled_from(["own", "own", "group", "winners", "losers"]))
    start = draw(st.sampled_from([{}, {seat: 3 * seat - 5 for seat in seats}]))
    if kind == "group":
        through = draw(st.integers(0, len(seats)))
        below = draw(st.none() | st.integers(0, len(seats) - through))
        if through or below:
            return replace(group(through, below, high_card=draw(st.booleans())), start=start)
    return Decides(lead=kind != "losers", bottom=kind == "own" or kind == "group", start=start)


def defaults(game):
    return {rule.key: rule.default for rule in game.house_rules}


@st.composite
def kept_sheets(draw, game, **limits):
    """A table, and entries that were all accepted when they were written: ``(table, entries)``."""
    table = draw(tables(game, **limits))
    dice = random.Random(draw(st.integers(0, 2**32)))
    return table, keep(game, table, dice, draw(st.integers(0, 45)))


def keep(game, table, dice, steps):
    """So many entries, each accepted when it was written; fewer where the sheet asks for no more."""
    entries = {}
    for _ in range(steps):
        due = due_on(read(game, table, entries), dice)
        step = accepted(game, table, entries, *due, dice) if due else None
        if step is None:
            break
        entries[due[0]] = step
    return entries


def accepted(game, table, entries, address, ask, dice):
    """A step that may be written there now; None where none was found."""
    found = stood(game, table, entries, address)
    assert found is not None, f"{address} is due and cannot be written"
    due = None if found.kind else game.due_sum(found.table, found.hand)
    for _ in range(TRIES):
        step = throw(dice, ask, due)
        wrong = (
            problems_of_event(game, found.table, found.kind, found.ask, step)
            if found.kind
            else problems_of_step(game, found.table, found.hand, found.ask, step)
        )
        if not wrong:
            return step
    return None


def due_on(sheet, dice):
    """An address the sheet asks for now with its ask: now and then an event, or something optional."""
    opened, game = sheet.open, sheet.game
    if opened is None:
        return next((((SHEET, ask.name), ask) for ask in sheet.settlement.asks), None)
    if game.events and not opened.hand.steps and dice.random() < 0.15:
        ask = game.event_ask(sheet.table, dice.choice(game.events), opened.next_event)
        return (opened.hand.number, ask.name), ask
    if dice.random() < 0.1:
        asks = tuple(game.asks(sheet.table, opened.hand))
        asks = asks[: asks.index(opened.missing)]
        optional = [ask for ask in asks if ask.optional and ask.name not in opened.hand.steps]
        if optional:
            ask = dice.choice(optional)
            return opened.hand.address(ask.name), ask
    return opened.hand.address(opened.missing.name), opened.missing


def addresses_of(game, table):
    """Where something could stand, and where nothing ever does."""
    hand = game.deal(table)
    names = [ask.name for ask in game.asks(table, hand)]
    names += [f"{kind}-{k}" for kind in game.events for k in (1, 2)]
    names += [f"tie-1-{name}" for name in names[:8]] + [
        "draw-1",
        "draw-2",
        "ruling-1",
        "ruling-2",
        "carried",
        "table",
        "note-1",
        "",
        "bid-x",
    ]
    return st.tuples(st.integers(-1, 12), st.one_of(st.sampled_from(names), st.text(max_size=5)))


def any_step(game, table):
    """Steps that fit some ask, almost fit it, or fit nothing."""
    hand = game.deal(table)
    asks = [*game.asks(table, hand), *(game.event_ask(table, kind, 1) for kind in game.events)]
    carried = game.carried_ask(table)
    fits = st.one_of([step_for(ask) for ask in (*asks, *([carried] if carried else []))])
    fields = sorted({field.name for ask in asks for field in ask.fields})
    some = st.dictionaries(st.sampled_from(fields) if fields else st.text(max_size=3), junk, max_size=4)
    rulings = st.fixed_dictionaries(
        {"edge": st.sampled_from(["through", "below", "over"]), "after": st.integers(-1, 2)},
        optional={f"goes-{seat}": st.booleans() | junk for seat in table.seats},
    )
    return st.one_of(fits, some, rulings, st.dictionaries(st.text(max_size=3), junk, max_size=2))
