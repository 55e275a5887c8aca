"""The timer of an event that lasts some minutes: a negotiation.

It starts when the event was entered, on every page that follows the sheet. A script counts down
(static/js/widgets/timer.js); without it the page shows when it ends.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from scoresheets.log.state import SheetReading


@dataclass(frozen=True)
class Clock:
    """What goes on since `begins`, and for how many minutes. `kind` is the event, `times` counts it in the hand."""

    kind: str
    times: int
    begins: datetime.datetime
    minutes: int

    @property
    def ends(self) -> datetime.datetime:
        return self.begins + datetime.timedelta(minutes=self.minutes)

    @property
    def data(self) -> dict[str, object]:
        """The same for a script."""
        return {"kind": self.kind, "ends": self.ends.isoformat(), "minutes": self.minutes}


def clock_of(reading: SheetReading) -> Clock | None:
    """The clock of the open hand; None where nothing goes on. It is not asked what time it is."""
    opened = reading.sheet.open
    if opened is None:
        return None
    lasting = [(event, reading.game.lasts(reading.sheet.table, event)) for event in opened.events]
    begun = [(event, minutes) for event, minutes in lasting if minutes is not None]
    if not begun or not begun[-1][1]:
        return None
    event, minutes = begun[-1]
    times = sum(bool(other) for _, other in begun)
    return Clock(event.kind, times, reading.standing[opened.hand.address(event.name)].at, minutes or 0)
