"""What the pad looks like: its data put into rows, keys and sentences, for the template.

`static/js/draw.js` says the same in the browser; a test holds the two to one page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rules.core.cards import SUIT_NAMES
from scoresheets import aloud
from scoresheets.remarks import holds
from scoresheets.speech import SUITS as SIGNS
from scoresheets.speech import signed
from scoresheets.tallies import Tally, read_back
from scoresheets.trumps import RED, turned_of

if TYPE_CHECKING:
    from collections.abc import Mapping

#: From so many seats on, the tricks stand in two columns.
TWO_COLUMNS = 7


@dataclass(frozen=True)
class Row:
    """A seat on the pad."""

    seat: int
    name: str
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
class Key:
    """A number that can be tapped; `forbidden` ones can be reached, and say why."""

    value: int
    forbidden: bool = False
    was: bool = False


@dataclass(frozen=True)
class Face:
    """The pad to be drawn. `page` is what never changes (`pads.page_of`), `tally` the tricks as counted so far.

    `reason` overrules the reason line; `open` names the panel that is open where there is no script.
    """

    pad: Mapping[str, Any]
    page: Mapping[str, Any]
    key: str = ""
    counted: Tally | None = None
    reason: str = ""
    open: str = ""
    bar: Mapping[str, Any] = field(default_factory=dict)

    # The hand

    @cached_property
    def hand(self) -> Mapping[str, Any]:
        hands: list[Mapping[str, Any]] = self.pad["hands"]
        return hands[0]

    @property
    def cards(self) -> int:
        return int(self.hand["cards"])

    @property
    def cards_words(self) -> str:
        return "one card" if self.cards == 1 else f"{self.cards} cards"

    @property
    def most_cards(self) -> int:
        return max(self.pad["schedule"], default=1)

    @property
    def is_blind(self) -> bool:
        return bool(self.pad["prefix"])

    @property
    def blind_again(self) -> str:
        """The number of a blind hand, from the second one on."""
        return f" {self.pad['blind']}" if self.pad["blind"] > 1 else ""

    @cached_property
    def bids(self) -> dict[int, int]:
        """The bids that stand, in the order they were spoken."""
        steps = self.pad["steps"]
        return {seat: steps[f"bid-{seat}"]["bid"] for seat in self.hand["order"] if f"bid-{seat}" in steps}

    @cached_property
    def bidder(self) -> int | None:
        """Whose bid is due; None: all have bid."""
        return next((seat for seat in self.hand["order"] if seat not in self.bids), None)

    @property
    def asks_for(self) -> str:
        return "bids" if self.bidder is not None else "tricks"

    @property
    def ask(self) -> str:
        """The ask that is due, as it is posted."""
        prefix = self.pad["prefix"]
        return f"{prefix}tricks" if self.bidder is None else f"{prefix}bid-{self.bidder}"

    @property
    def saw(self) -> int | str:
        """What stands there and does not fit; "" for nothing."""
        return self.pad["stands"].get(self.ask.removeprefix(self.pad["prefix"]), [""])[0]

    @property
    def said(self) -> int:
        """How many were bid so far."""
        return sum(self.bids.values())

    @property
    def forbidden(self) -> int | None:
        """What the last bidder may not bid (The Rule)."""
        avoid, order = self.hand["avoid"], self.hand["order"]
        if avoid is None or self.bidder != order[-1] or self.said > avoid:
            return None
        return int(avoid) - self.said

    @cached_property
    def tally(self) -> Tally:
        """The tricks as counted, or as everybody has bid."""
        by_row = {seat: self.bids.get(seat, 0) for seat in self.pad["seats"] if seat in self.hand["order"]}
        return self.counted or Tally.of(self.cards, by_row)

    @property
    def is_played(self) -> bool:
        """Nobody has counted anything yet."""
        return not self.tally.touched

    @property
    def is_two(self) -> bool:
        return len(self.pad["seats"]) >= TWO_COLUMNS

    @property
    def next_dealer(self) -> int | None:
        hands = self.pad["hands"]
        return hands[1]["dealer"] if len(hands) > 1 else None

    # Sentences

    def name(self, seat: int) -> str:
        return str(self.pad["names"][seat])

    @property
    def bidder_name(self) -> str:
        return self.name(self.bidder) if self.bidder is not None else ""

    @property
    def dealer_name(self) -> str:
        return self.name(self.hand["dealer"])

    @property
    def leader_name(self) -> str:
        return self.name(self.hand["order"][0])

    @property
    def next_dealer_name(self) -> str:
        return self.name(self.next_dealer) if self.next_dealer is not None else ""

    @property
    def line(self) -> str:
        """The reason line: why a key is struck out."""
        if self.reason:
            return self.reason
        return f"The Rule: you cannot bid {self.forbidden}." if self.forbidden is not None else ""

    @property
    def rule_sum(self) -> str:
        """The sum behind The Rule."""
        return f"The Rule: {self.said} + {self.forbidden} would make {self.cards}."

    @property
    def called(self) -> tuple[str, str]:
        """What the table calls so many bids, and its place among the words."""
        over = self.said - self.cards
        term, call = next((term, call) for least, term, call in self.page["sums"] if over >= least)
        return term, call

    @property
    def over(self) -> str:
        """By how many the bids miss the cards."""
        over = self.said - self.cards
        return f"over by {over}" if over > 0 else f"under by {-over}" if over < 0 else "as many bid"

    @property
    def aloud(self) -> dict[str, Any]:
        """What is read out when all have bid, in parts (`aloud.parts`)."""
        spoken = [(self.name(seat), bid) for seat, bid in self.bids.items()]
        return {"bids": spoken, **aloud.parts(self.cards, self.pad["steps"].get("trump"), self.said)}

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
    def callout(self) -> dict[str, Any] | None:
        """The call-out of the last hand with its names."""
        said = self.pad["said"]
        if not said or self.is_blind:
            return None
        return {**said, "names": [self.name(seat) for seat in said["seats"]]}

    @property
    def is_called_in_line(self) -> bool:
        """Whether the reason line shows it: the suits stand where a call-out would, and nobody has bid."""
        return self.has_trump and not self.turned and not self.bids

    @property
    def is_last(self) -> bool:
        return not self.is_blind and self.hand["number"] == self.pad["planned"]

    # Trump

    @property
    def has_trump(self) -> bool:
        return not self.is_blind

    @property
    def turned(self) -> dict[str, Any] | None:
        """The trump as the heading shows it."""
        step = self.pad["steps"].get("trump")
        return turned_of(step) if step else None

    @property
    def trump_saw(self) -> int | str:
        return self.pad["stands"].get("trump", [""])[0]

    @property
    def suit(self) -> str:
        return str(self.pad["steps"].get("trump", {}).get("suit", ""))

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
    def rows(self) -> list[Row]:
        """The seats, always in the order they sit."""
        totals, counting = self.pad["totals"], self.pad["counting"]
        marked = self.pad["marked"]
        top, bottom = max(totals.values()), min(totals.values())
        return [
            Row(
                seat=seat,
                name=self.name(seat),
                note=self.note(seat),
                total=totals[seat],
                boxed=marked and totals[seat] == top,
                circled=marked and totals[seat] == bottom,
                out=counting is not None and seat not in counting,
                signs=self.pad["signs"].get(seat, []),
                bid=self.bids.get(seat),
                is_next=seat == self.bidder,
                took=self.tally.counts.get(seat, 0),
                points=self.points(seat),
                touched=seat in self.tally.touched,
                could=not self.is_played and seat in self.tally.could,
            )
            for seat in self.pad["seats"]
        ]

    def note(self, seat: int) -> str:
        """What is said of a seat beside its name."""
        counting = self.pad["counting"]
        role = "deals" if seat == self.hand["dealer"] else "leads" if seat == self.hand["order"][0] else ""
        if counting is None or seat in counting:
            return role
        return f"{role}, not tied" if role else "does not count"

    def points(self, seat: int) -> int:
        if self.bidder is not None or seat not in self.tally.counts:
            return 0
        return int(self.page["worth"][self.bids[seat]][self.tally.counts[seat]])

    @property
    def keys(self) -> list[Key]:
        return [Key(value, forbidden=value == self.forbidden) for value in range(self.cards + 1)]

    @property
    def retyping(self) -> dict[str, Any] | None:
        """The bid that was typed wrong, for its panel."""
        if not self.open.startswith("retype-"):
            return None
        seat = next((seat for seat in self.bids if self.open == f"retype-{seat}"), None)
        if seat is None:
            return None
        avoid, no = self.hand["avoid"], -1
        if avoid is not None and seat == self.hand["order"][-1]:
            # The last bidder's own number cannot become the one that The Rule forbids.
            no = avoid - self.said + self.bids[seat]
        keys = [Key(value, forbidden=value == no, was=value == self.bids[seat]) for value in range(self.cards + 1)]
        ask = f"bid-{seat}"
        return {
            "name": self.name(seat), "bid": self.bids[seat], "keys": keys, "no": no if no >= 0 else None,
            "ask": self.pad["prefix"] + ask, "saw": self.pad["stands"][ask][0],
        }  # fmt: skip

    @property
    def remarks(self) -> list[list[str]]:
        """What has to be said beside the totals, in parts."""
        lowest = min(self.pad["totals"].values())
        return [one["says"] for one in self.pad["remarks"] if holds(one, lowest)]

    # Taking back

    @property
    def back(self) -> dict[str, Any] | None:
        """What the first button takes back: what was written last, or who came or went since. None: nothing."""
        last, happened = self.last_written, self.pad["happened"]
        if happened and (last is None or self.is_since(happened, last["version"])):
            return {"version": happened["stands"][1], "says": happened["says"]}
        return None if last and "final" in last else last

    def is_since(self, happened: Mapping[str, Any], version: int) -> bool:
        """Whether who came or went is later than a write; of one write, from a file, it is what was played last."""
        if happened["stands"][1] == version:
            return bool(happened["noted"] or not self.pad["steps"])
        return bool(happened["stands"][1] > version)

    @property
    def last_written(self) -> dict[str, Any] | None:
        """The latest bid, the trump, a misdeal, the hand before. `final`: it is not taken back."""
        stands = self.pad["stands"]
        if self.bids:
            seat = list(self.bids)[-1]
            version = stands[f"bid-{seat}"][1]
            if self.bidder is None and self.page["last_stands"]:
                return {"version": version, "final": True}
            return {"version": version, "name": self.name(seat), "what": str(self.bids[seat])}
        if self.turned:
            return {"version": stands["trump"][1], "what": self.turned["text"]}
        if self.pad["misdeal"]:
            return {"version": self.pad["misdeal"][1], "what": "the misdeal"}
        for hand in self.pad["back"] if not self.pad["stopped"] else ():
            return {"version": hand["stands"]["tricks"][1], "hand": hand_name(hand)}
        return None


def hand_name(hand: Mapping[str, Any]) -> str:
    """A hand that can be gone back to: "hand 7", "the blind hand"."""
    if not hand["blind"]:
        return f"hand {hand['number']}"
    return f"blind hand {hand['blind']}" if hand["blind"] > 1 else "the blind hand"
