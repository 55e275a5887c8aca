"""The part of a pad that is the same for all games: the hand, the names, call-outs, remarks, and the undo button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rules.core.numbers import signed
from rules.core.placings import box_and_circle, place_of
from scoresheets.pad.state import PadHand, PadPage, PadScoredHand, PadState, SeatingChange
from scoresheets.wording.badges import Badge, badge_of


@dataclass(frozen=True)
class PlaceRow:
    """A seat by place. `change` is what the last hand brought, `made` how many bids of how many; "" for nothing.

    `legs` are the rubbers or games it has won.
    """

    seat: int
    place: int
    badge: Badge
    name: str
    total: int
    boxed: bool
    circled: bool
    change: str
    made: str
    legs: int
    is_next: bool

    @property
    def dots(self) -> str:
        """A dot for every one of them."""
        return "●" * self.legs


@dataclass(frozen=True)
class BasePad:
    """A pad to be drawn. `page` is what never changes.

    `reason` overrules the reason line; `open` names the panel that is open where there is no script, and `by` is
    `place` where the rows are to stand by place there.
    """

    pad: PadState
    page: PadPage
    key: str = ""
    reason: str = ""
    open: str = ""
    by: str = ""
    bar: Mapping[str, Any] = field(default_factory=dict)

    # The hand

    @cached_property
    def hand(self) -> PadHand:
        return self.pad.hands[0]

    @property
    def is_blind(self) -> bool:
        return bool(self.pad.prefix)

    @property
    def blind_again(self) -> str:
        """The number of a blind hand, from the second one on."""
        return f" {self.pad.blind}" if self.pad.blind > 1 else ""

    @property
    def is_last(self) -> bool:
        return not self.is_blind and self.hand.number in (self.pad.planned, self.pad.last)

    @property
    def stops(self) -> bool:
        """Whether the hand that was announced as the last one is scored."""
        return self.pad.last is not None and not self.is_blind and self.hand.number > self.pad.last

    @property
    def next_dealer(self) -> int | None:
        hands = self.pad.hands
        return hands[1].dealer if len(hands) > 1 else None

    # Names

    def name(self, seat: int) -> str:
        return str(self.pad.names[seat])

    def badge(self, seat: int) -> Badge:
        return badge_of(*self.pad.badges[seat])

    @property
    def dealer_name(self) -> str:
        return self.name(self.hand.dealer)

    @property
    def leader_name(self) -> str:
        return self.name(self.hand.order[0])

    @property
    def next_dealer_name(self) -> str:
        return self.name(self.next_dealer) if self.next_dealer is not None else ""

    def marks(self, seat: int) -> tuple[bool, bool]:
        """Whether the seat's total is in the box, and in the circle."""
        boxed, circled = box_and_circle(self.pad.totals, lowest_wins=self.pad.lowest_wins)
        return self.pad.marked and seat in boxed, self.pad.marked and seat in circled

    # Standing by place

    @property
    def is_by_place(self) -> bool:
        return self.by == "place"

    @property
    def next_seat(self) -> int | None:
        """Whose turn it is, as far as the pad says so."""
        return None

    @property
    def legs(self) -> Mapping[int, int]:
        """The rubbers or games that each seat has won, where there are any."""
        return {}

    @property
    def places_by_totals(self) -> dict[int, int]:
        """The place of every seat where totals alone tell them; equals share one."""
        totals = {seat: self.pad.totals[seat] for seat in self.pad.seats}
        return {seat: place_of(totals, seat, lowest_wins=self.pad.lowest_wins) for seat in totals}

    @property
    def by_place(self) -> list[PlaceRow]:
        """The seats by place; equals in the order in which they sit."""
        totals, change, made = self.pad.totals, self.pad.change or {}, self.pad.made or {}
        seats = self.pad.seats
        places = self.pad.places or self.places_by_totals
        return [
            PlaceRow(
                seat, places[seat], self.badge(seat), self.name(seat), totals[seat], *self.marks(seat),
                change=signed(change[seat]) if seat in change else "",
                made="{} of {}".format(*made[seat]) if seat in made else "",
                legs=self.legs.get(seat, 0),
                is_next=seat == self.next_seat,
            )
            for seat in sorted(seats, key=places.__getitem__)
        ]  # fmt: skip

    # Call-outs and remarks

    @property
    def callout(self) -> dict[str, Any] | None:
        """The call-out of the last hand with its names."""
        callout = self.pad.callout
        if not callout or self.is_blind:
            return None
        return {**vars(callout), "names": [self.name(seat) for seat in callout.seats]}

    @property
    def remarks(self) -> list[list[str]]:
        """What has to be said beside the totals, in parts."""
        lowest = min(self.pad.totals.values())
        holding = [remark for remark in self.pad.remarks if remark.holds(lowest)]
        return [remark.says for remark in holding if self.is_early or not remark.early]

    @property
    def is_early(self) -> bool:
        """Whether there is room for what is said while the bids fall."""
        return True

    # Taking back

    @property
    def back(self) -> dict[str, Any] | None:
        """What the first button takes back: what was written last, who came or went since, or a draw since.

        None: nothing.
        """
        last, happened, beside = self.last_written, self.pad.happened, self.pad.beside
        version = last.get("version", 0) if last else 0
        # A draw can be taken back only as the last write; of one write, from a file, it is what was played last.
        if beside and beside[-1].entry[1] >= max((version, *self.versions_here)):
            return {"version": beside[-1].entry[1], "what": beside[-1].what}
        if last and last.get("plays_on"):
            return last
        if happened and (last is None or self.is_since(happened, version)):
            return {"version": happened.entry[1], "says": happened.says}
        return None if last and last.get("final") else last

    def is_since(self, happened: SeatingChange, version: int) -> bool:
        """Whether who came or went is later than a write; of one write, from a file, it is what was played last.

        All that stands of the hand stands on who came or went before it, whichever of that is named.
        """
        latest = max((version, *(() if happened.noted else self.versions_here)))
        if happened.entry[1] == latest:
            return bool(happened.noted or not self.pad.steps)
        return bool(happened.entry[1] > latest)

    @property
    def versions_here(self) -> list[int]:
        """The versions that wrote what is taken back of the open hand step by step."""
        return [self.pad.entries[ask][1] for ask in self.one_by_one if ask in self.pad.entries]

    @property
    def one_by_one(self) -> tuple[str, ...]:
        """The asks of the open hand whose steps are taken back one by one, in their order."""
        return ()

    @property
    def last_written(self) -> dict[str, Any] | None:
        """What was written last of the open hand, else a misdeal or the hand before. `final`: it is not taken back."""
        return self.written_here or self.written_before

    @property
    def written_here(self) -> dict[str, Any] | None:
        """What was written last of the open hand."""
        return None

    def whole(self, written: dict[str, Any]) -> dict[str, Any]:
        """The same; of what was corrected it is the change, which is taken back as a whole."""
        changed, version = self.pad.changed, written["version"]
        if not changed or version not in changed.by:
            return written
        final = written.get("final") or changed.back is None
        return {"version": version, "final": True} if final else {"version": changed.back, "what": changed.what}

    @property
    def written_before(self) -> dict[str, Any] | None:
        """The misdeal after which it was dealt, or the hand before it. `plays_on`: it is that the game was stopped."""
        if self.pad.misdeal:
            return {"version": self.pad.misdeal[1], "what": "the misdeal"}
        stopped = self.pad.stopped
        for hand in self.pad.back:
            # Of a game that was stopped early only the blind hands were played since.
            if hand.blind or not stopped:
                return {"version": hand.entries[hand.last][1], "hand": hand_name(hand)}
        return {"plays_on": True, "what": "the early end"} if stopped else None


def hand_name(hand: PadScoredHand) -> str:
    """A hand that can be gone back to: "hand 7", "the blind hand"."""
    if not hand.blind:
        return f"hand {hand.number}"
    return f"blind hand {hand.blind}" if hand.blind > 1 else "the blind hand"
