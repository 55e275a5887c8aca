"""Consequences of a change beyond the sheet, for its preview.

A sheet knows no club; a receiver that seats people by its result answers the signal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.dispatch import Signal

from rules.core.problems import Problem
from scoresheets.log.append import Change
from scoresheets.log.state import SheetReading
from scoresheets.models import Sheet
from scoresheets.results.impact import Impact, OutdatedPreview, moves, previewed

#: Sent with `before` and `after`, the sheet as it is and as it would be. The answer is a list of sentences, safe to put
#: into a page; none where nothing is moved.
what_the_house_says = Signal()


#: Sent with `reading` before a table stops early. The answer is a sentence about what that means, or "".
what_stopping_means = Signal()


def before_stopping(reading: SheetReading) -> str:
    """What somebody is asked about who stops this table early; "" where nothing hangs on it."""
    # No query at a table of its own.
    if not reading.record.home or reading.setup.decides.bottom or reading.setup.decides.is_group:
        return ""
    answers: Sequence[tuple[object, Any]] = what_stopping_means.send(Sheet, reading=reading)
    return " ".join(str(sentence) for _, sentence in answers if sentence)


def full_impact(before: SheetReading, after: SheetReading, *, is_written_told: bool = True) -> Impact:
    """What lies between the two, in sentences, and the consequences in the club of the table, if it has one."""
    impact = moves(before, after, is_written_told=is_written_told)
    if not before.record.home:
        return impact
    answers: Sequence[tuple[object, Any]] = what_the_house_says.send(Sheet, before=before, after=after)
    return replace(impact, consequences=tuple(sentence for _, answer in answers for sentence in answer))


def confirmed(reading: SheetReading, change: Change, digest: str, problem: Problem) -> Change | OutdatedPreview:
    """The change, if its preview still has this digest (`Impact.digest`); else the problem, with what it moves now."""
    now = full_impact(reading, previewed(reading, change))
    return change if now.digest == digest else OutdatedPreview((problem,), reading, now)
