"""An early end in a sheet file: the table stopped after a hand, and the game ends as that hand left it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rules.core.problems import Problem

if TYPE_CHECKING:
    from rules.core.readers import SheetReader

KEY = "stopped_after"


def stop_if_said(reader: SheetReader) -> None:
    """End the game before the next item where the sheet says so."""
    ended = reader.document.get(KEY) == reader.table.hands_done > 0
    if ended and not reader.game.over(reader.table):
        reader.happens("stop", {})


def read_stop(reader: SheetReader) -> None:
    """End the game after the last item where the sheet says so; ``bad-plan`` where it cannot have ended there."""
    stopped = cast("int | None", reader.document.get(KEY))
    if stopped is None:
        return
    if not reader.game.over(reader.table):
        if stopped == reader.table.hands_done > 0 and reader.hand is None:
            reader.happens("stop", {})
        else:
            reader.refuse(Problem("bad-plan", "The hand after which the game ended is not on the sheet.", KEY))
    elif stopped != reader.table.hands_done:
        reader.refuse(Problem("bad-plan", "The game did not end after that hand.", KEY))
