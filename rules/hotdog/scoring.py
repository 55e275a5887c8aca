"""The points of a round of Hotdog, by the tricks of the picker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from rules.core.fields import Value
from rules.core.problems import Problem
from rules.core.table import Hand, Table
from rules.core.texts import Worth
from rules.hotdog.bidding import FOOTLONG, KINDS, PASSED, WORKS, Bid, bid_of, counted_seat

#: Seventeen cards each make so many tricks.
TRICKS = 17


class Pay(NamedTuple):
    """What a round pays: so many ``points``, or the game at once, to ``side``; "" where nobody gets anything.

    ``side`` is ``picker`` or ``other``. Where both have passed, the picker's part is the non-dealer's.
    """

    side: str
    points: int = 0
    wins: bool = False


NOTHING = Pay("")


def tricks_of(hand: Hand) -> dict[int, int]:
    """The tricks of both, empty before they are written down."""
    step = hand.steps.get("tricks")
    return {seat: cast("int", step[f"tricks-{seat}"]) for seat in hand.order} if step else {}


def check_tricks(step: Mapping[str, Value]) -> Iterator[Problem]:
    """Both together take seventeen."""
    counts = [cast("int", count) for name, count in step.items() if name.startswith("tricks-")]
    if sum(counts) != TRICKS or any(not 0 <= count <= TRICKS for count in counts):
        yield Problem(
            "tricks-sum", f"The two share {TRICKS} tricks; these are {said_of(sum(counts))}.", params={"tricks": TRICKS}
        )


def check_works_first(hand: Hand, step: Mapping[str, Value]) -> Iterator[Problem]:
    """What comes first is only asked of The Works."""
    bid = bid_of(hand)
    if step.get("works-first") is not None and (bid is None or bid.topping != WORKS):
        yield Problem(
            "works-first-only-with-works", "Only The Works goes by Ketchup and by Mustard in turn.", "works-first"
        )


def said_of(taken: int) -> str:
    """What is wrong with so many tricks."""
    if taken == TRICKS:
        return "not how they can be shared"
    return "too many" if taken > TRICKS else "too few"


def pay(kind: str, tricks: int, house_rules: Mapping[str, Value]) -> Pay:
    """What ``tricks`` of the picker pay (of the non-dealer, where both have passed).

    >>> house = {"footlong_points": 3, "footlong_fail": "game", "no_picker": "one_point"}
    >>> pay("ordinary", 11, house), pay("ordinary", 5, house)
    (Pay(side='picker', points=1, wins=False), Pay(side='other', points=0, wins=True))
    >>> pay("footlong", 12, house), pay("passed", 8, house)
    (Pay(side='picker', points=3, wins=False), Pay(side='other', points=1, wins=False))
    """
    if kind == PASSED and house_rules["no_picker"] == "none":
        return NOTHING
    if kind == PASSED and house_rules["no_picker"] == "one_point":
        return Pay("picker" if tricks >= 9 else "other", 1)
    if tricks >= 15:
        return Pay("picker", wins=True)
    if tricks >= 12:
        return Pay("picker", cast("int", house_rules["footlong_points"]) if kind == FOOTLONG else 2)
    if kind == FOOTLONG and house_rules["footlong_fail"] == "game":
        return Pay("other", wins=True)
    if tricks >= 9 and kind != FOOTLONG:
        return Pay("picker", 1)
    return Pay("other", 2) if tricks >= 6 else Pay("other", wins=True)


def paid(table: Table, hand: Hand) -> tuple[Pay, int | None]:
    """What a complete hand pays, and to which seat."""
    bid, counted = cast("Bid", bid_of(hand)), counted_seat(hand)
    payment = pay(bid.kind, tricks_of(hand)[counted], table.house_rules)
    if not payment.side:
        return payment, None
    return payment, counted if payment.side == "picker" else table.left_of(counted)


def pays(table: Table) -> dict[str, list[dict[str, object]]]:
    """For each kind of bid what the picker's tricks pay, 17 first: three numbers of tricks together pay the same."""
    house = table.house_rules
    threes = [tuple(range(low, low + 3)) for low in range(15, -1, -3)]
    return {kind: [{"tricks": three, **pay(kind, three[0], house)._asdict()} for three in threes] for kind in KINDS}


def last_round(table: Table, hand: Hand) -> dict[str, str]:
    """Words for the page from the second round on: which ``game`` it is, and until somebody bids what the last brought.

    ``last`` is that round, or the game it has ended. ``got-1`` is what that seat got of it: "+2", "wins at once", and
    ``nobody`` stands there where nobody was paid.
    """
    if not table.rows:
        return {}
    words = {"game": f"game {len(table.legs) + 1}"}
    if hand.steps:
        return words
    row = table.rows[-1]
    payment, winner = paid(row.table, row.hand)
    if table.is_between_legs:
        words["last"] = f"Game {len(table.legs)}:"
        return words | {f"got-{winner}": "wins at once" if payment.wins else "wins"}
    words["last"] = f"Hand {row.hand.number}:"
    return words | ({"nobody": "nobody is paid"} if winner is None else {f"got-{winner}": f"+{payment.points}"})


def points_in_words(points: int) -> str:
    """A number of points.

    >>> points_in_words(1), points_in_words(2)
    ('1 point', '2 points')
    """
    return "1 point" if points == 1 else f"{points} points"


def why_paid(table: Table, hand: Hand, seat: int) -> str:
    """The sentence behind what a seat got, or did not get, for a complete hand."""
    bid, (payment, winner) = cast("Bid", bid_of(hand)), paid(table, hand)
    picked, took = seat == counted_seat(hand), tricks_of(hand)[seat]
    if bid.picker is None:
        start = f"both passed, took {took}: "
    else:
        start = f"picked {bid.words}, took {took}: " if picked else f"against {bid.words}, took {took}: "
    if not payment.side:
        return start + "the house pays nothing where both have passed: 0"
    if bid.kind == PASSED and table.house_rules["no_picker"] == "one_point":
        return start + ("nine or more are a point: +1" if seat == winner else "fewer than nine are no point: 0")
    if bid.kind == PASSED:
        start += "the non-dealer counts as picker; "
    span, prize = span_of(table, bid.kind, payment, picked=picked), points_in_words(payment.points)
    if seat == winner:
        return start + (
            f"{span} win the game, whatever the score" if payment.wins else f"{span} are {prize}: +{prize[0]}"
        )
    prize = "the game" if payment.wins else prize
    if picked:
        return f"{start}{span} give the other player {prize}: 0"
    return f"{start}the picker’s {span_of(table, bid.kind, payment, picked=True)} bring {prize}: 0"


def span_of(table: Table, kind: str, payment: Pay, *, picked: bool) -> str:
    """The tricks of a side that are paid just so, in words: "12 to 14", "15 or more"; the picker's, or the other's."""
    counts = [count for count in range(TRICKS + 1) if pay(kind, count, table.house_rules) == payment]
    low, high = (counts[0], counts[-1]) if picked else (TRICKS - counts[-1], TRICKS - counts[0])
    if high == TRICKS:
        return f"{low} or more"
    return f"{low} to {high}" if low else f"{high} or fewer"


def worth_of(table: Table) -> Iterator[Worth]:
    """What a bid brings its picker, and what it costs, by the tricks it takes."""
    house = table.house_rules
    fails = "6 to 8 give the other player 2 points, fewer the game"
    yield Worth("Ketchup, Mustard or The Works", "9 tricks 1 point, 12 are 2, 15 the game", fails)
    if house["footlong"]:
        lost = "fewer than 12 give the other player the game"
        yield Worth(
            "Footlong",
            f"12 tricks {points_in_words(cast('int', house['footlong_points']))}, 15 the game",
            lost if house["footlong_fail"] == "game" else fails.replace("8", "11"),
        )
    yield Worth(
        "Both pass",
        {
            "one_point": "9 tricks 1 point, for either",
            "none": "nothing",
            "non_dealer_is_picker": "as if the non-dealer had picked",
        }[cast("str", house["no_picker"])],
        "",
    )
