"""What a change of a sheet moves beyond the sheet, told before it is written.

A sheet knows no house; whoever seats people at its table by what it says answers the signal.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.dispatch import Signal

from scoresheets.models import Sheet
from scoresheets.moves import moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoresheets.moves import Moves
    from scoresheets.reading import SheetReading

#: Sent with `before` and `after`, the sheet as it is and as it would be. The answer is a list of sentences, safe to put
#: into a page; none where nothing is moved.
what_the_house_says = Signal()


def all_moves(before: SheetReading, after: SheetReading) -> Moves:
    """What lies between the two, in sentences, and what the house of the table says to it; a kitchen has none."""
    told = moves(before, after)
    if not before.record.home:
        return told
    answers: Sequence[tuple[object, Any]] = what_the_house_says.send(Sheet, before=before, after=after)
    return replace(told, house=tuple(sentence for _, answer in answers for sentence in answer))
