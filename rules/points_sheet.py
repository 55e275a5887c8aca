"""A sheet for any game that has no module of its own: one number for each player and hand, and they are added up.

The table says when it opens the sheet whether the highest or the lowest total wins, and when the game ends: after so
many hands, at a total, or when the table ends it. It knows nothing else of what is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rules.core.fields import Ask, Count, Value
from rules.core.files.game_file import GameFile
from rules.core.files.schema import Members
from rules.core.formats import FixedHands, Format, OpenEnd
from rules.core.game import Game
from rules.core.leading import Leading
from rules.core.numbers import bare
from rules.core.options import HouseRule
from rules.core.stakes import PlayOff
from rules.core.table import Hand, Result, Table
from rules.core.texts import Example, HandNumber, Passage, RuleText, Word, Written

#: No hand brings anybody more, or takes more off.
MOST_POINTS = 999
#: The name of the ask; its field for a seat is called so with the number of the seat.
POINTS = "points"

HIGHEST, LOWEST = "highest", "lowest"
AFTER_HANDS, AT_TOTAL, BY_TABLE = "hands", "total", "table"

HOUSE_RULES = (
    HouseRule(
        "wins", default=HIGHEST, values=(HIGHEST, LOWEST),
        sentence="The total that wins.",
        choices={HIGHEST: "the highest", LOWEST: "the lowest"},
        each_time=True,
    ),
    HouseRule(
        "ends", default=AFTER_HANDS, values=(AFTER_HANDS, AT_TOTAL, BY_TABLE),
        sentence="When the game ends.",
        choices={
            AFTER_HANDS: "after a number of hands", AT_TOTAL: "when somebody reaches a total",
            BY_TABLE: "when the table stops",
        },
        lasts=True,
    ),
    HouseRule(
        "hands", default=10, values=range(1, 101),
        sentence="Hands that are played.",
        lasts=True, only_with=("ends", AFTER_HANDS),
    ),
    HouseRule(
        "total", default=100, values=range(1, 10_000), steps=(*range(10, 100, 10), *range(100, 1001, 50)),
        sentence="The total that ends the game.",
        lasts=True, only_with=("ends", AT_TOTAL),
    ),
)  # fmt: skip

HOW_TO_PLAY = (
    Passage(
        "The aim",
        "Play whatever game you like. The sheet keeps its points: everybody’s points of a hand are written down and"
        " added up. The highest total wins, or the lowest: you say which when you open the sheet.",
    ),
    Passage("The cards", "Those of your game. It need not be a card game."),
    Passage("A hand", "A hand is whatever your game scores at once: a deal, a round, a set."),
)

RULES = (
    RuleText(
        1,
        "The table",
        "Two to ten play, each for themselves. What you play, and with which cards, is up to you.",
        "After each hand the deal passes to the left.",
    ),
    RuleText(
        2,
        "Points",
        "After each hand everybody’s points are written down: a whole number from −999 to 999, also 0. They are added"
        " to the totals.",
    ),
    RuleText(
        3,
        "Who wins",
        "The highest total wins, or the lowest. The box is always round the best total and the circle round the worst:"
        " where the lowest wins, the box is round the lowest. Equal totals share a place.",
        "The highest total wins.",
        ("wins",),
    ),
    RuleText(
        4,
        "The end",
        "The game ends after a number of hands, or with the hand in which somebody reaches a total, or when the table"
        " stops. Reaching the total ends the game and does not win it: where the lowest total wins, it wins then too.",
        "Ten hands are played.",
        ("ends", "hands", "total"),
    ),
)

EXAMPLE = Example(
    "Ann gets 12 points, Bo gets none, and Cy loses 5.",
    ("Ann", "Bo", "Cy"),
    {POINTS: {f"{POINTS}-1": 12, f"{POINTS}-2": 0, f"{POINTS}-3": -5}},
)

WORDS = (
    Word("Hand", "Whatever the game scores at once: a deal, a round, a set."),
    Word("Points", "What a hand brings somebody, or takes off."),
    Word("Total", "All points of somebody so far."),
)


class PointsFile(GameFile):
    """Every answer under the name of its ask. There are no legs, and so a result says nothing of them."""

    def result_shape(self) -> Members:
        return Members({}, {})


class PointsSheet(Game):
    """Points of everybody, hand by hand, of any game."""

    slug = "points-sheet"
    name = "Other game"
    blurb = "Everybody’s points, hand by hand, for any game you like"
    players = range(2, 11)
    made_for = range(2, 11)
    house_rules = HOUSE_RULES
    how_to_play = HOW_TO_PLAY
    rules_text = RULES
    example = EXAMPLE
    words = WORDS
    scoring_in_short = "The points of the hands are added up."
    speaks_first = ""
    leading = Leading(has_leader=False)
    play_off = PlayOff(possible=False)
    has_comparable_scores = False
    file = PointsFile()
    written = {POINTS: Written("the points", did="gets")}

    def format(self, table: Table) -> Format:
        """As the table has said when it opened the sheet."""
        ends = table.house_rules["ends"]
        if ends == AFTER_HANDS:
            return FixedHands(cast("int", table.house_rules["hands"]))
        return OpenEnd(cast("int", table.house_rules["total"]) if ends == AT_TOTAL else None)

    def lowest_wins(self, table: Table) -> bool:
        """As the table has said when it opened the sheet."""
        return table.house_rules["wins"] == LOWEST

    def asks(self, table: Table, hand: Hand) -> Iterator[Ask]:
        """Everybody's points, at once."""
        yield Ask(
            POINTS,
            tuple(Count(f"{POINTS}-{seat}", -MOST_POINTS, MOST_POINTS, "points-range", seat) for seat in table.seats),
        )

    def result(self, table: Table, hand: Hand) -> Result:
        """What was written down."""
        return Result({seat: points_of(hand, seat) for seat in table.seats})

    def why(self, table: Table, hand: Hand, seat: int) -> str:
        """That the table counts them itself."""
        points = points_of(hand, seat)
        return f"{bare(points)} {'point' if abs(points) == 1 else 'points'}, as the table counted"

    def hand_numbers(self, table: Table, hand: Hand) -> tuple[HandNumber, ...]:
        """Who deals, which total wins, and which ends the game."""
        wins = HandNumber("Wins", f"the {table.house_rules['wins']} total")
        length = self.format(table)
        ends = (HandNumber("Ends", f"at {length.target}"),) if isinstance(length, OpenEnd) and length.target else ()
        return (*super().hand_numbers(table, hand), wins, *ends)


def points_of(hand: Hand, seat: int) -> int:
    """The points of a seat in a complete hand."""
    value: Value = hand.steps[POINTS][f"{POINTS}-{seat}"]
    return cast("int", value)
