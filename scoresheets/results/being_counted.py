"""The results of a finished sheet that the club counts a moment later (`sheet_published`).

Call-outs that the club makes on the sheet, such as "Back-to-Back", are there once that is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.dispatch import Signal

from scoresheets.models import Sheet

#: Sent with `sheet`. Each answer is whether that club still counts it.
is_it_counted_still = Signal()


def is_being_counted(sheet: Sheet) -> bool:
    """Whether more may be called on the sheet in a moment: never without a club, nor before the end."""
    if not sheet.home or sheet.finished_at is None:
        return False
    answers: Sequence[tuple[object, Any]] = is_it_counted_still.send(type(sheet), sheet=sheet)
    return any(answer for _, answer in answers)
