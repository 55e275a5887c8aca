"""The hands of a game of Dirty Dog: one card, two, … up to the most, and down again.

With ``P`` the most cards and ``m`` hands of that many, a game has ``H = 2(P − 1) + m`` hands. Rule 4 wants the
right-hand neighbour of the first dealer to deal last, so ``H`` is a multiple of the number of players.
"""

from __future__ import annotations

from itertools import count, takewhile

from rules.core.options import Amount, PlanChoice

DECK_SIZE = 52
#: The most hands of a plan; a larger number is a typing error.
MOST_HANDS = 1000


def largest_peak(players: int, *, whole_deck: bool = False) -> int:
    """The most cards that can be dealt to each: one card of the deck must be left to turn for trump.

    With ``whole_deck`` the whole deck may be dealt where it comes out even.

    >>> [largest_peak(n) for n in (4, 5, 6, 7, 8, 9, 10)]
    [12, 10, 8, 7, 6, 5, 5]
    >>> largest_peak(4, whole_deck=True), largest_peak(6, whole_deck=True)
    (13, 8)
    """
    return DECK_SIZE // players if whole_deck else (DECK_SIZE - 1) // players


def hands_at_peak(players: int, peak: int, extra_rounds: int = 0) -> int:
    """How many hands of the most cards make the right-hand neighbour of the first dealer deal last (Rule 4).

    >>> hands_at_peak(6, 8), hands_at_peak(4, 12), hands_at_peak(4, 1), hands_at_peak(4, 1, 2)
    (4, 2, 4, 12)
    """
    fewest = (-2 * (peak - 1)) % players or players
    return fewest + players * extra_rounds


def up_and_down(peak: int, at_peak: int) -> tuple[int, ...]:
    """The cards of each hand: 1, 2, … the most (``at_peak`` times) … 2, 1.

    >>> up_and_down(3, 2)
    (1, 2, 3, 3, 2, 1)
    """
    climb = tuple(range(1, peak))
    return climb + (peak,) * at_peak + climb[::-1]


def by_peak(players: int, peak: int, extra_rounds: int = 0) -> tuple[int, ...]:
    """The hands for a chosen number of most cards. ``extra_rounds`` more rounds are played at the most.

    >>> by_peak(6, 2)
    (1, 2, 2, 2, 2, 1)
    """
    return up_and_down(peak, hands_at_peak(players, peak, extra_rounds))


def by_length(players: int, hands: int, *, whole_deck: bool = False) -> tuple[int, ...]:
    """Exactly ``hands`` hands, as high as they lead, whether or not Rule 4 can be kept.

    >>> by_length(6, 18)
    (1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1)
    >>> by_length(10, 3)
    (1, 2, 1)
    """
    peak = min(largest_peak(players, whole_deck=whole_deck), (hands + 1) // 2)
    return up_and_down(peak, hands - 2 * (peak - 1))


def most_in_any_plan(players: int) -> tuple[int, ...]:
    """The most cards that each hand can have, and the most hands, whatever the plan.

    >>> most_in_any_plan(10)[:7], len(most_in_any_plan(2))
    ((1, 2, 3, 4, 5, 5, 5), 1048)
    """
    peak = largest_peak(players, whole_deck=True)
    longest = max(MOST_HANDS, len(by_peak(players, peak, MOST_HANDS // players - 2)))
    return tuple(min(number, peak) for number in range(1, longest + 1))


def lengths(players: int, most: int) -> tuple[int, ...]:
    """The lengths that keep Rule 4, up to ``most`` hands.

    >>> lengths(6, 24)
    (6, 12, 18, 24)
    """
    return tuple(takewhile(lambda hands: hands <= most, count(players, players)))


def plan_choices(players: int, *, whole_deck: bool = False) -> tuple[PlanChoice, ...]:
    """By the most cards, with further rounds of them, or by the number of hands: those of Rule 4 are offered."""
    most = largest_peak(players, whole_deck=whole_deck)
    usual = len(by_peak(players, most))
    rounds = range(MOST_HANDS // players - 1)
    by_cards = (
        Amount("peak", "most cards", range(1, most + 1), range(1, most + 1), most),
        Amount("extra_rounds", "extra rounds at the top", rounds, rounds[:4], 0),
    )
    by_hands = Amount("hands", "hands", range(1, MOST_HANDS + 1), lengths(players, usual + 3 * players), usual)
    return PlanChoice("By most cards", by_cards), PlanChoice("By number of hands", (by_hands,))


def lengthen(cards: tuple[int, ...], done: int, remaining: int) -> tuple[int, ...]:
    """The hands with ``remaining`` still to come after ``done``, never fewer than planned (``replan``).

    Hands that are added go to the most cards while it is not past; after it they repeat the next hand.

    >>> lengthen((1, 2, 3, 3, 2, 1), 2, 6)
    (1, 2, 3, 3, 3, 3, 2, 1)
    >>> lengthen((1, 2, 3, 3, 2, 1), 4, 3)
    (1, 2, 3, 3, 2, 2, 1)
    """
    played, coming = cards[:done], cards[done:]
    repeated = max(cards) if max(cards) in coming else coming[0]
    at = coming.index(repeated)
    return played + coming[:at] + (repeated,) * (remaining - len(coming)) + coming[at:]
