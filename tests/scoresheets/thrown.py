"""Games that were thrown to their end in memory, for laws about what is read from them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from django.utils import timezone

from rules.core.engine.replay import Entries, OpenHand
from rules.core.engine.replay import Sheet as RulesSheet
from rules.core.game import Game
from rules.core.table import Hand, Table
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SET_UP, Chair, SheetReading
from scoresheets.models import Sheet
from tests.rules.dice import Step, whole_hand


def short_plan(game: Game) -> Mapping[str, int]:
    """Few hands, where the game plans them: up to four cards and down again."""
    return {"peak": 4} if game.plan_choices(game.made_for[0], {}) else {}


def thrown_steps(dice: random.Random, game: Game, table: Table, hand: Hand) -> dict[str, Step]:
    """The steps of a whole hand. Where everybody bids a number most bids are made: dice alone seldom make one."""
    if not game.has_bids:
        return whole_hand(dice, game, table, hand)
    tricks = dict.fromkeys(hand.order, 0)
    for _ in range(hand.cards):
        tricks[dice.choice(hand.order[:3])] += 1
    bids = {seat: count if dice.random() < 0.7 else dice.randint(0, hand.cards) for seat, count in tricks.items()}
    if sum(bids.values()) == hand.cards:
        bids[hand.order[-1]] += 1 if bids[hand.order[-1]] < hand.cards else -1
    steps: dict[str, Step] = {f"bid-{seat}": {"bid": bids[seat]} for seat in hand.order}
    return steps | {"tricks": {f"tricks-{seat}": count for seat, count in tricks.items()}}


def finished(game: Game, seats: int, seed: int) -> SheetReading | None:
    """A game of so many that was played to its end; None where it ends in a tie, or goes on and on."""
    start = table = game.open_table(range(1, seats + 1), 1, short_plan(game))
    entries: dict[tuple[int, str], Step] = {}
    while not game.over(table) and table.hands_done < 60:
        dealt = game.deal(table)
        steps = thrown_steps(random.Random(f"{dealt.number} {seed}"), game, table, dealt)
        entries |= {(dealt.number, ask): step for ask, step in steps.items()}
        table = game.after(table, game.score(table, replace(dealt, steps=steps)))
    reading = as_reading(game, start, entries)
    return reading if reading.finished else None


def as_reading(game: Game, table: Table, entries: Entries, now: Table | None = None) -> SheetReading:
    """The sheet of a table with these entries, as if it stood in the database. No query.

    `now` is the table after them, where that is known.
    """
    opened = {
        "seats": list(table.seats), "first_dealer": table.first_dealer, "found": "chosen", "plan": dict(table.plan),
        "house_rules": dict(table.house_rules),
    }  # fmt: skip
    moment = timezone.now()
    standing = {
        address: LogEntry(pk, address, dict(step), pk, pk, "", moment, "", pk, pk, "")
        for pk, (address, step) in enumerate({SET_UP: opened, **entries}.items(), 1)
    }
    record = Sheet(pk=1, game=game.slug, opened_at=moment)
    chairs = {seat: Chair(seat, seat, f"P{seat}") for seat in table.seats}
    known = RulesSheet(game, now, OpenHand(game.deal(now)), None) if now else None
    return SheetReading(record, len(standing), chairs, standing, known=known)
