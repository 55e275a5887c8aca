"""Bird Dog: three players collect pairs of faces, and one card that was not turned beats them all.

It stands on :mod:`rules.core`. Begin with the class below, which leaves the work to the modules: ``deck`` and
``layouts`` have the cards and the possible pairs, ``scoring`` the points of a hand, ``checks`` the validation,
``showing`` the texts of its page, ``files`` its part of a sheet file; the rest are words, figures and house rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from rules.bird_dog import showing
from rules.bird_dog.checks import fields_of_faces, problems_of
from rules.bird_dog.deck import DECK, TRICKS, shown_deck
from rules.bird_dog.figures import FIGURES, marks_of
from rules.bird_dog.files import BirdDogFile
from rules.bird_dog.house import HOUSE_RULES
from rules.bird_dog.layouts import in_play
from rules.bird_dog.scoring import (
    caller_of,
    dog_of,
    nil_of,
    pairs_of,
    scored,
    short,
    trump_card_of,
    turned_of,
    why_points,
)
from rules.bird_dog.words import EXAMPLE, FIRST_DEALER, HOW_TO_PLAY, RULES, SCORING_IN_SHORT, WORDS, WRITTEN
from rules.core.cards import card_in_words, card_shown
from rules.core.fields import Ask, Choice, Count, SeatChoice, Value
from rules.core.formats import Race
from rules.core.game import Game
from rules.core.placings import SeatNumber
from rules.core.problems import Problem
from rules.core.table import Hand, Result, Row, Table
from rules.core.texts import HandNumber, RowWords


class BirdDog(Game):
    """Take the faces in pairs, and mind the dog."""

    slug = "bird-dog"
    name = "Bird Dog"
    blurb = "Pairs of face cards, a race to eleven"
    players = range(3, 4)
    made_for = range(3, 4)
    how_to_play = HOW_TO_PLAY
    rules_text = RULES
    example = EXAMPLE
    words = WORDS
    written = WRITTEN
    figures = FIGURES
    house_rules = HOUSE_RULES
    scoring_in_short = SCORING_IN_SHORT
    file = BirdDogFile()
    has_tricks = has_trump = True
    speaks_first = "calls first"
    first_dealer_by = FIRST_DEALER
    #: For the page, which lays the cards out to be tapped.
    deck = shown_deck()
    faces = (("j", "Jacks"), ("q", "Queens"), ("k", "Kings"))

    def format(self, table: Table) -> Race:
        """A race to the target; tied at the top, it goes on (Rule 8)."""
        return Race(cast("int", table.house_rules["target"]))

    def asks(self, table: Table, hand: Hand) -> Iterator[Ask]:
        """The turned cards and who called trump, who went nil, the pairs or the faces, and the tricks."""
        cards = (Choice(f"card-{k}", DECK, "bad-card", optional=k > 1) for k in (1, 2, 3))
        yield Ask("turned", (*cards, SeatChoice("caller", table.seats, optional=True)))
        yield Ask("nil", (SeatChoice("nil", table.seats, optional=True),))
        yield Ask("faces", tuple(
            Count(name, 0, most, code, seat, optional=True)
            for name, most, seat, code in fields_of_faces(hand.order)
        ))  # fmt: skip
        yield Ask("tricks", tuple(
            Count(f"tricks-{seat}", 0, TRICKS, "tricks-out-of-range", seat, optional=True) for seat in hand.order
        ))  # fmt: skip

    def check(self, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> Iterator[Problem]:
        """What the deck of 24 and seven tricks do not allow."""
        return problems_of(hand, ask, step)

    def due_sum(self, table: Table, hand: Hand) -> int:
        """Every trick has one taker."""
        return TRICKS

    def result(self, table: Table, hand: Hand) -> Result:
        """Pairs, the bonus and nil (Rules 5 to 7)."""
        score = scored(hand, table.house_rules)
        return Result({seat: score.points[seat] for seat in table.seats}, {"scored": score})

    def why(self, table: Table, hand: Hand, seat: int) -> str:
        """The sentence behind a seat's points."""
        return why_points(hand, scored(hand, table.house_rules), seat)

    def trump(self, hand: Hand) -> str | None:
        """The suit of the card turned last."""
        card = trump_card_of(hand)
        return card[1] if card else None

    # -- what the pages show ---------------------------------------------------------------------------

    def hand_numbers(self, table: Table, hand: Hand) -> tuple[HandNumber, ...]:
        """Who deals and who calls first, the trump card and the Bird Dog, caller, nil, the faces in play."""
        return tuple(self.numbers_of(hand))

    def numbers_of(self, hand: Hand) -> Iterator[HandNumber]:
        """The same, one by one."""
        yield HandNumber("Dealer", seat=hand.dealer)
        yield HandNumber("Calls first", seat=hand.leader)
        turned, card, dog = turned_of(hand), trump_card_of(hand), dog_of(hand)
        if card and dog:
            yield HandNumber("Trump card", card_in_words(card))
            yield HandNumber("Bird Dog", card_in_words(dog))
        if (caller := caller_of(hand)) is not None:
            yield HandNumber("Caller", seat=caller)
        if (nil := nil_of(hand)) is not None:
            yield HandNumber("Nil", seat=nil)
        if turned:
            jacks, queens, kings = in_play(turned)
            yield HandNumber("Faces in play", f"{jacks} jacks, {queens} queens, {kings} kings")

    def shows(self, table: Table, hand: Hand) -> Mapping[str, str]:
        """The trump card and its Bird Dog, what they leave in play, and each seat's pairs with what they bring."""
        return showing.of_hand(table, hand)

    def shut(self, table: Table, hand: Hand) -> frozenset[str]:
        """No leaving out of the tricks where somebody went nil."""
        return frozenset() if nil_of(hand) is None else frozenset({"tricks left out"})

    def look_up(self, table: Table) -> Mapping[str, object]:
        """What `shows` says of the turned cards, for a page that says it at once and without network."""
        return {"shown": {"turned": showing.tables_of_turned()}}

    def marks(self, row: Row) -> Mapping[int, Mapping[str, int]]:
        """Pairs, the bonus, calls and nil."""
        return marks_of(row)

    def describe_row(self, row: Row) -> dict[str, object]:
        """Who alone got the bonus, whether nil was made, the Bird Dog."""
        score = scored(row.hand, row.table.house_rules)
        bonus = score.sole_bonus
        return {
            "bonus": None if bonus is None else SeatNumber(bonus),
            "nil_made": score.nil_made,
            "bird_dog": dog_of(row.hand),
        }

    def beside(self, row: Row) -> RowWords:
        """The trump card beside the hand; pairs, bonus and nil beside each total."""
        score, card = scored(row.hand, row.table.house_rules), trump_card_of(row.hand)
        return RowWords(
            card_shown(card) if card else "",
            {seat: short(score, seat) for seat in row.table.seats},
            {seat: why_points(row.hand, score, seat) for seat in row.table.seats},
            frozenset([score.nil]) if score.nil is not None and not score.nil_made else frozenset(),
        )

    def beside_now(self, table: Table, hand: Hand) -> RowWords:
        """The trump card, and the pairs as soon as they are written down."""
        card = trump_card_of(hand)
        return RowWords(card_shown(card) if card else "", {seat: str(count) for seat, count in pairs_of(hand).items()})

    # -- documents -------------------------------------------------------------------------------------
