"""The pad of bids and tricks for the template: its state as rows, keys and sentences.

`static/js/pad/bidding_view.js` renders the same in the browser; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rules.core.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS, rank_shown
from rules.core.numbers import signed, spelled
from scoresheets.pad.base_pad import BasePad
from scoresheets.pad.tally import Tally, read_back
from scoresheets.wording.badges import Badge
from scoresheets.wording.markup import SUITS as SIGNS
from scoresheets.wording.trump import RED, trump_shown

#: From so many seats on, the tricks stand in two columns.
TWO_COLUMNS = 7


@dataclass(frozen=True)
class BiddingRow:
    """A seat on the pad."""

    seat: int
    name: str
    badge: Badge
    note: str
    total: int
    boxed: bool
    circled: bool
    out: bool
    signs: list[list[str]]
    bid: int | None = None
    is_next: bool = False
    took: int = 0
    points: int = 0
    touched: bool = False
    could: bool = False

    @property
    def made(self) -> bool:
        return self.bid == self.took

    @property
    def points_text(self) -> str:
        return signed(self.points)


@dataclass(frozen=True)
class BidKey:
    """A number that can be tapped; `forbidden` ones can be reached, and say why."""

    value: int
    forbidden: bool = False
    was: bool = False


@dataclass(frozen=True)
class BiddingPad(BasePad):
    """The pad of bids and tricks. `counted` are the tricks as counted so far."""

    counted: Tally | None = None

    # The hand

    @property
    def cards(self) -> int:
        return self.hand.cards

    @property
    def cards_words(self) -> str:
        return "one card" if self.cards == 1 else f"{self.cards} cards"

    @property
    def most_cards(self) -> int:
        return max(self.pad.schedule, default=1)

    @cached_property
    def bids(self) -> dict[int, int]:
        """The bids that stand, in the order they were spoken."""
        steps = self.pad.steps
        return {seat: int(steps[f"bid-{seat}"]["bid"] or 0) for seat in self.hand.order if f"bid-{seat}" in steps}

    @cached_property
    def bidder(self) -> int | None:
        """Whose bid is due; None: all have bid."""
        return next((seat for seat in self.hand.order if seat not in self.bids), None)

    @property
    def is_early(self) -> bool:
        return self.asks_for == "bids"

    @property
    def asks_for(self) -> str:
        return "bids" if self.bidder is not None else "tricks"

    @property
    def next_seat(self) -> int | None:
        """Whose bid is due."""
        return self.bidder

    @property
    def ask(self) -> str:
        """The ask that is due, as it is posted."""
        prefix = self.pad.prefix
        return f"{prefix}tricks" if self.bidder is None else f"{prefix}bid-{self.bidder}"

    @property
    def saw(self) -> int | str:
        """What stands there and does not fit; "" for nothing."""
        return self.pad.entries.get(self.ask.removeprefix(self.pad.prefix), [""])[0]

    @property
    def bid_sum(self) -> int:
        """How many were bid so far."""
        return sum(self.bids.values())

    @property
    def forbidden(self) -> int | None:
        """What the last bidder may not bid (The Rule)."""
        avoid, order = self.hand.avoid, self.hand.order
        if avoid is None or self.bidder != order[-1] or self.bid_sum > avoid:
            return None
        return int(avoid) - self.bid_sum

    @cached_property
    def tally(self) -> Tally:
        """The tricks as counted, or as everybody has bid."""
        by_row = {seat: self.bids.get(seat, 0) for seat in self.pad.seats if seat in self.hand.order}
        return self.counted or Tally.of(self.cards, by_row)

    @property
    def is_played(self) -> bool:
        """Nobody has counted anything yet."""
        return not self.tally.touched

    @property
    def is_two(self) -> bool:
        return len(self.pad.seats) >= TWO_COLUMNS

    # Sentences

    @property
    def bidder_name(self) -> str:
        return self.name(self.bidder) if self.bidder is not None else ""

    @property
    def line(self) -> str:
        """The reason line: why a key is struck out."""
        if self.reason:
            return self.reason
        return f"The Rule: you cannot bid {self.forbidden}." if self.forbidden is not None else ""

    @property
    def rule_sum(self) -> str:
        """The sum behind The Rule."""
        return f"The Rule: {self.bid_sum} + {self.forbidden} would make {self.cards}."

    @property
    def called(self) -> tuple[str, str]:
        """What the table calls so many bids, and its place among the words."""
        over = self.bid_sum - self.cards
        term, call = next((term, call) for least, term, call in self.page["sums"] if over >= least)
        return term, call

    @property
    def over(self) -> str:
        """By how many the bids miss the cards."""
        over = self.bid_sum - self.cards
        return f"over by {over}" if over > 0 else f"under by {-over}" if over < 0 else "as many bid"

    @property
    def aloud(self) -> dict[str, Any]:
        """What is read out when all have bid, in `parts`."""
        spoken = [(self.name(seat), bid) for seat, bid in self.bids.items()]
        return {"bids": spoken, **parts(self.cards, self.pad.steps.get("trump"), self.bid_sum)}

    @property
    def is_aloud(self) -> bool:
        """Whether the panel with it is open."""
        return self.open == "aloud" and self.bidder is None

    @property
    def read(self) -> dict[str, Any]:
        """The sentence that reads the hand back."""
        before, seats, after = read_back(self.tally.counts, self.tally.is_set)
        names = [self.name(seat) for seat in seats]
        dot = "" if names and names[-1].endswith(".") else "."
        return {"before": before, "names": names, "dot": dot, "after": after, "set": before == "Set:"}

    @property
    def is_called_in_line(self) -> bool:
        """Whether the reason line shows it: the suits stand where a call-out would, and nobody has bid."""
        return self.has_trump and not self.turned and not self.bids

    # Trump

    @property
    def has_trump(self) -> bool:
        return not self.is_blind

    @property
    def turned(self) -> dict[str, Any] | None:
        """The trump as the heading shows it."""
        step = self.pad.steps.get("trump")
        return trump_shown(step) if step else None

    @property
    def trump_saw(self) -> int | str:
        return self.pad.entries.get("trump", [""])[0]

    @property
    def suit(self) -> str:
        return str(self.pad.steps.get("trump", {}).get("suit", ""))

    @property
    def suits(self) -> list[dict[str, Any]]:
        """The row of suits."""
        rows = [
            {"value": suit, "sign": sign, "label": SUIT_NAMES[suit].capitalize(), "red": suit in RED}
            for suit, sign in SIGNS.items()
        ]
        return [{**row, "pressed": row["value"] == self.suit} for row in rows]

    # Rows and keys

    @cached_property
    def rows(self) -> list[BiddingRow]:
        """The seats, always in the order they sit."""
        totals, counting = self.pad.totals, self.pad.counting
        return [
            BiddingRow(
                seat=seat,
                name=self.name(seat),
                badge=self.badge(seat),
                note=self.note(seat),
                total=totals[seat],
                boxed=self.marks(seat)[0],
                circled=self.marks(seat)[1],
                out=counting is not None and seat not in counting,
                signs=self.pad.signs.get(seat, []),
                bid=self.bids.get(seat),
                is_next=seat == self.bidder,
                took=self.tally.counts.get(seat, 0),
                points=self.points(seat),
                touched=seat in self.tally.touched,
                could=not self.is_played and seat in self.tally.could,
            )
            for seat in self.pad.seats
        ]

    @property
    def by_seat(self) -> list[BiddingRow]:
        """The same where they are what is shown; none while the rows stand by place."""
        return [] if self.is_by_place else self.rows

    @property
    def is_along(self) -> bool:
        """Whether somebody plays a blind hand whose points do not count."""
        counting = self.pad.counting
        return counting is not None and any(seat not in counting for seat in self.pad.seats)

    def note(self, seat: int) -> str:
        """What is said of a seat beside its name."""
        return "deals" if seat == self.hand.dealer else "leads" if seat == self.hand.order[0] else ""

    def points(self, seat: int) -> int:
        if self.bidder is not None or seat not in self.tally.counts:
            return 0
        return int(self.page["worth"][self.bids[seat]][self.tally.counts[seat]])

    @property
    def keys(self) -> list[BidKey]:
        return [BidKey(value, forbidden=value == self.forbidden) for value in range(self.cards + 1)]

    @property
    def retyping(self) -> dict[str, Any] | None:
        """The bid that was typed wrong, for its panel."""
        if not self.open.startswith("retype-"):
            return None
        seat = next((seat for seat in self.bids if self.open == f"retype-{seat}"), None)
        if seat is None:
            return None
        avoid, no = self.hand.avoid, -1
        if avoid is not None and seat == self.hand.order[-1]:
            # The last bidder's own number cannot become the one that The Rule forbids.
            no = avoid - self.bid_sum + self.bids[seat]
        keys = [BidKey(value, forbidden=value == no, was=value == self.bids[seat]) for value in range(self.cards + 1)]
        ask = f"bid-{seat}"
        return {
            "seat": seat, "name": self.name(seat), "bid": self.bids[seat], "keys": keys, "no": no if no >= 0 else None,
            "ask": self.pad.prefix + ask, "saw": self.pad.entries[ask][0],
        }  # fmt: skip

    # Taking back

    @property
    def one_by_one(self) -> tuple[str, ...]:
        """The bids, or the trump. That The Rule was missed stands for itself."""
        trump = ("trump",) if "trump" in self.pad.steps else ()
        return tuple(f"bid-{seat}" for seat in self.bids) or trump

    @property
    def written_here(self) -> dict[str, Any] | None:
        """The latest bid, or the trump."""
        entries = self.pad.entries
        if self.bids:
            seat = list(self.bids)[-1]
            version = entries[f"bid-{seat}"][1]
            if self.bidder is None and self.page["last_stands"]:
                return {"version": version, "final": True}
            return self.whole({"version": version, "name": self.name(seat), "what": str(self.bids[seat])})
        return self.whole({"version": entries["trump"][1], "what": self.turned["text"]}) if self.turned else None


def parts(cards: int, trump: Mapping[str, Any] | None, bid_sum: int) -> dict[str, str]:
    """What is said before the bids and after them: so many cards each, the trump where it was noted, the bids' sum.

    >>> parts(7, {"suit": "H"}, 8)
    {'before': 'Seven cards, hearts', 'after': 'over by one'}
    >>> parts(1, None, 0)
    {'before': 'One card', 'after': 'under by one'}
    """
    over = bid_sum - cards
    after = f"{'over' if over > 0 else 'under'} by {spelled(abs(over))}" if over else "as many bid as there are"
    suit = f", {suit_aloud(trump)}" if trump else ""
    return {"before": f"{spelled(cards).capitalize()} card{'' if cards == 1 else 's'}{suit}", "after": after}


def turned_cards() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every card that can be turned for trump, suit by suit: what is posted, and what is read."""
    return [
        (
            f"{SIGNS[suit]} {SUIT_NAMES[suit].capitalize()}",
            [(rank + suit, f"{rank_shown(rank)} ({RANK_NAMES[rank]} of {SUIT_NAMES[suit]})") for rank in RANKS],
        )
        for suit in SUITS
    ]


def suit_aloud(trump: Mapping[str, Any]) -> str:
    """A trump step as it is said; an ace that was turned makes no trump.

    >>> suit_aloud({"suit": "H"}), suit_aloud({"turned": "AS"}), suit_aloud({"turned": "7D"})
    ('hearts', 'no trump', 'diamonds')
    """
    rank, suit = trump.get("turned") or ("", trump["suit"])
    return SUIT_NAMES["NT" if rank == "A" else suit]
