"""Statistics of a player over many games of Dingo, and the players who can still come first in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from rules.core.engine.chances import within_reach
from rules.core.engine.needs import beside_rivals
from rules.core.outcome import Chances, Need
from rules.core.table import Hand, Row, Table
from rules.core.texts import Figure
from rules.dingo.piles import DINGO, RABBIT, Values, piles_of
from rules.dingo.telling import winners_of

#: What six cards can bring at most: ten and three times three for the aces, four for each of two others (a wolf with
#: its rabbit, or a dingo with the first wolf). At least: two red aces and four high dingoes in the penalty pile.
MOST, LEAST = 10 + 3 * 3 + 2 * 4, -(2 * 3 + 4 * 2)

WON, RED_HANDED, RABBITS, LOST, SCORED = "won", "red-handed", "rabbits", "lost-dingoes", "scored"

FIGURES = (
    Figure("hands-won", "Hands won", WON, "times", meaning="The highest score of a hand, shared ones among them."),
    Figure(RABBITS, "Rabbits a hand", RABBITS, "each", unit="rabbits", meaning="Diamonds in the scoring pile."),
    Figure(
        "most-rabbits", "Most rabbits in a hand", RABBITS, "most", unit="rabbits", record="Most rabbits in a hand",
    ),
    Figure(LOST, "Dingoes lost a hand", LOST, "each", unit="dingoes", meaning="Hearts in the penalty pile."),
    Figure(SCORED, "Fullest scoring pile", SCORED, "most", unit="points", record="Fullest scoring pile"),
    Figure("caught", "Caught red-handed", RED_HANDED, "times", meaning="Still held a red card at the end."),
)  # fmt: skip


def marks_of(row: Row) -> dict[int, dict[str, int]]:
    """What lies in the piles of each seat, whether it won the hand, and whether it was caught."""
    values = Values.of(row.table.house_rules)
    winners, caught = winners_of(row), cast("tuple[int, ...]", row.result.facts.get("red_handed", ()))
    by_seat = dict[int, dict[str, int]]()
    for seat, piles in piles_of(row.table, row.hand).items():
        marks = {
            WON: int(seat in winners),
            RED_HANDED: int(seat in caught),
            RABBITS: len(piles.of(RABBIT)),
            LOST: sum(card.kind == DINGO for card in piles.lost),
            SCORED: values.scored(piles),
        }
        by_seat[seat] = {mark: value for mark, value in marks.items() if value}
    return by_seat


def chances_of(table: Table, hands: Sequence[Hand]) -> Chances:
    """Who can still be first: of a hand nothing is taken as known before it is scored. Dingo has no loser."""
    return Chances(within_reach(table.totals, MOST * len(hands), LEAST * len(hands)))


def needs_of(table: Table, hands: Sequence[Hand]) -> Iterator[Need]:
    """What the totals alone tell, where six cards can bring that much more than six others."""
    for need in beside_rivals(table.totals, len(hands)):
        if (need.least or need.enough or 0) <= (MOST - LEAST) * len(hands):
            yield need
