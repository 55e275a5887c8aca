"""Dingo: four players hunt rabbits with dingoes and wolves, rank by rank.

It stands on :mod:`rules.core`. Begin with the class below, which leaves the work to the modules: ``hunts`` has the
entries, ``piles`` the points, ``limits`` the validation, ``telling`` and ``callouts`` the texts, ``files`` its part of
a sheet file; the rest are words, figures and house rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from rules.core.cards import rank_shown
from rules.core.fields import Ask, Value
from rules.core.formats import FixedHands
from rules.core.game import Game
from rules.core.leading import Leading
from rules.core.outcome import Chances, Need
from rules.core.placings import SeatList
from rules.core.problems import Problem
from rules.core.table import Hand, Result, Row, Table
from rules.core.texts import CallOut, FirstDealer, HandNumber, RowWords, Worth, WorthHeads
from rules.dingo import callouts, hunts, limits, telling
from rules.dingo.figures import FIGURES, chances_of, marks_of, needs_of
from rules.dingo.files import DingoFile
from rules.dingo.house import HOUSE_RULES
from rules.dingo.piles import Values, piles_of
from rules.dingo.words import EXAMPLE, HOW_TO_PLAY, RULES, SCORING_IN_SHORT, WORDS, WRITTEN


class Dingo(Game):
    """A heart must be played when its rank is hunted; what the wolves make of it is written down."""

    slug = "dingo"
    name = "Dingo"
    blurb = "Rabbits, hunted by dingoes and wolves from 2 to ace"
    players = range(4, 5)
    made_for = range(4, 5)
    how_to_play = HOW_TO_PLAY
    rules_text = RULES
    example = EXAMPLE
    words = WORDS
    written = WRITTEN
    figures = FIGURES
    house_rules = HOUSE_RULES
    worth_heads = WorthHeads("What the cards are worth", "Card", "Scoring pile", "Penalty pile")
    scoring_in_short = SCORING_IN_SHORT
    file = DingoFile()
    # The dealer begins every discard and every pass, and announces the hunt.
    leading = Leading(has_leader=False, dealer_speaks=True)
    first_dealer_by = FirstDealer(
        "drawn",
        "Who drew the highest card?",
        "Everybody draws a card. Players who drew the same rank draw again, until all four differ.",
    )
    #: For the page: the ask of each rank, the rank as a card shows it, and the field for who still holds its dingo.
    ranks = tuple((hunts.name_of(rank), rank_shown(rank), hunts.heart(rank)) for rank in hunts.HUNTED)

    def format(self, table: Table) -> FixedHands:
        """As many hands as were agreed."""
        return FixedHands(cast("int", table.house_rules["hands"]))

    # -- one hand (Rules 4 to 8) -----------------------------------------------------------------------

    def asks(self, table: Table, hand: Hand) -> Iterator[Ask]:
        """The hunts from 2 to king, the ace hunt, and the red cards that are still held."""
        yield from hunts.asks(table.seats)

    def check(self, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> Iterator[Problem]:
        """Wolves, turns, the rabbit, six cards each."""
        yield from limits.check(table, hand, ask, step)

    def result(self, table: Table, hand: Hand) -> Result:
        """The scoring pile less the penalty pile, and who won the hand."""
        values, piles = Values.of(table.house_rules), piles_of(table, hand)
        return Result({seat: values.score(piles[seat]) for seat in table.seats}, telling.settled(table, hand))

    def why(self, table: Table, hand: Hand, seat: int) -> str:
        """The sentence behind a seat's points."""
        return telling.why(table, hand, seat)

    def shows(self, table: Table, hand: Hand) -> Mapping[str, str]:
        """The piles as they grow."""
        return telling.shows(table, hand)

    def shut(self, table: Table, hand: Hand) -> frozenset[str]:
        """A seventh card, a dingo that was played, a twenty-first card."""
        return frozenset(limits.shut(table, hand))

    def hand_numbers(self, table: Table, hand: Hand) -> tuple[HandNumber, ...]:
        """Who deals and begins, and everybody's piles so far."""
        piles = tuple(
            HandNumber("Piles so far", telling.in_short(table, hand, seat), seat) for seat in table.seats if hand.steps
        )
        dealer = hand.dealer
        return (HandNumber("Dealer", seat=dealer), HandNumber("Begins every round", seat=dealer), *piles)

    def worth(self, table: Table, hand: Hand) -> tuple[Worth, ...]:
        """Every kind of card in the scoring pile and in the penalty pile."""
        return tuple(telling.worth_of(Values.of(table.house_rules)))

    # -- the session (Rule 9) --------------------------------------------------------------------------

    def rank(self, table: Table, seat: int) -> tuple[int, ...]:
        """The highest total, and among equals who won more hands."""
        return (self.score_of(table, seat), telling.hands_won(table)[seat])

    def beside(self, row: Row) -> RowWords:
        """What each scored and lost, who won the hand and who was caught."""
        return telling.beside(row)

    def beside_now(self, table: Table, hand: Hand) -> RowWords:
        """The piles as they grow, for those who watch."""
        return telling.beside_now(table, hand)

    def beside_places(self, table: Table) -> Mapping[int, str]:
        """Hands won, and points a hand."""
        return telling.beside_places(table)

    def hand_callouts(self, row: Row) -> tuple[CallOut, ...]:
        """Who was caught red-handed, and how a tie was settled."""
        return tuple(callouts.of_hand(row))

    def marks(self, row: Row) -> Mapping[int, Mapping[str, int]]:
        """What lies in the piles, who won the hand and who was caught."""
        return marks_of(row)

    def chances(self, table: Table, hands: Sequence[Hand]) -> Chances | None:
        """By the most and the least that six cards can bring."""
        return chances_of(table, hands)

    def needs(self, table: Table, hands: Sequence[Hand]) -> tuple[Need, ...]:
        """So many points more than one other player, in all hands to come together."""
        return tuple(needs_of(table, hands))

    def describe_row(self, row: Row) -> dict[str, object]:
        """Who was caught red-handed and who won the hand."""
        return {
            "red_handed": SeatList(cast("tuple[int, ...]", row.result.facts.get("red_handed", ()))),
            "winners": SeatList(telling.winners_of(row)),
        }

    def describe_sheet(self, table: Table) -> dict[str, object]:
        """How many hands each has won."""
        return {"hands_won": telling.hands_won(table)}
