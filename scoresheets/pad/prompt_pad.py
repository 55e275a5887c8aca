"""The pad of prompts for the template: its state as rows and words.

The page is rendered once with a place for every ask; `static/js/pad/prompts.js` shows, hides and fills from the same
state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from scoresheets.log.state import latest_step
from scoresheets.pad.base_pad import BasePad
from scoresheets.pad.state import PadAsk, PromptState, Step
from scoresheets.wording.badges import Badge


@dataclass(frozen=True)
class PromptRow:
    """A seat above the asks. `legs` are the rubbers or games it has won."""

    seat: int
    name: str
    badge: Badge
    note: str
    total: int
    boxed: bool
    circled: bool
    legs: int

    @property
    def dots(self) -> str:
        """A dot for every one of them."""
        return "●" * self.legs


@dataclass(frozen=True)
class PromptPad(BasePad):
    """The pad to be drawn. `again` is the ask that is written once more, where that is not the one that is due.

    `given` are the values of a post that was refused, by the names of its fields; it was only `unwise`.
    """

    pad: PromptState
    again: str = ""
    unwise: bool = False
    given: Mapping[str, str] = field(default_factory=dict)

    #: What only the pad of bids has.
    asks_for = "asks"
    has_trump = False

    @cached_property
    def asks(self) -> dict[str, PadAsk]:
        """What is asked in this hand, in order, by name."""
        return {ask.name: ask for ask in self.pad.asks}

    @property
    def steps(self) -> Mapping[str, Step]:
        """What is written in this hand."""
        return self.pad.steps

    @cached_property
    def due(self) -> str:
        """The ask that is due; "": none is."""
        return next((name for name, ask in self.asks.items() if not ask.optional and name not in self.steps), "")

    @property
    def shown(self) -> str:
        """The ask that is in front of the scorekeeper: none before the one that is due is written."""
        names = list(self.asks)
        is_in_time = self.again in names and self.due in names and names.index(self.again) <= names.index(self.due)
        return self.again if is_in_time else self.due

    def saw(self, ask: str) -> int | str:
        """What stands at an ask, as a post says it; "" for nothing."""
        return self.pad.entries.get(ask, [""])[0]

    @property
    def seats(self) -> list[int]:
        """The seats in the order they sit."""
        return list(self.pad.seats)

    @property
    def legs(self) -> Mapping[int, int]:
        return self.pad.legs or {}

    @property
    def rows(self) -> list[PromptRow]:
        """The seats, always in the order they sit."""
        legs = self.legs
        rows = []
        for seat in self.pad.seats:
            boxed, circled = self.marks(seat)
            rows.append(
                PromptRow(
                    seat,
                    self.name(seat),
                    self.badge(seat),
                    self.note(seat),
                    self.pad.totals[seat],
                    boxed,
                    circled,
                    legs.get(seat, 0),
                )
            )
        return rows

    def note(self, seat: int) -> str:
        """What is said of a seat beside its name."""
        deals, leads = seat == self.hand.dealer, seat == self.leader
        first = self.leader is None and self.page.get("leads") and seat == self.hand.order[0]
        roles = ("deals" if deals else "", "leads" if leads else "", self.page["speaks_first"] if first else "")
        return ", ".join(filter(None, roles))

    @property
    def leader(self) -> int | None:
        """Who leads the first trick, as `Leading.leader_of` says it."""
        left = self.hand.order[0]
        if not self.page.get("leads") or not self.page["leader_in"]:
            return left if self.page.get("leads") else None
        ask, field = self.page["leader_in"]
        return int(self.steps[ask].get(field) or left) if ask in self.steps else None

    @property
    def one_by_one(self) -> tuple[str, ...]:
        """All that is written."""
        return tuple(name for name in self.asks if name in self.steps)

    @property
    def written_here(self) -> dict[str, Any] | None:
        """What was written last of the open hand; `ask` is what it is called, where its words would be long."""
        entries = self.pad.entries
        written = {name: entries[name][1] for name in self.one_by_one if name in entries}
        if not written:
            return None
        last = latest_step(written, by_turns=self.pad.reordered)
        sentence = self.pad.step_texts.get(last, [""])
        values = [value for value in self.steps[last].values() if value is not None and value is not False]
        is_long = len(values) > 1 or (len(sentence) > 1 and sentence[0])
        what = self.asks[last].what if is_long else None
        return self.whole({"version": entries[last][1], "text": sentence, "ask": what})
