"""Answers to a post on a sheet: written, conflict or refused, as values that a view puts into words."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.fields import Address, Value
from rules.core.problems import Problem
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SheetReading

#: What the scorekeeper saw before they confirmed is no longer so.
MOVED_ON = Problem("moved-on", "Something has been entered since you looked. Look again at what this would discard.")
PREVIEW_MOVED_ON = Problem("moved-on", "The sheet has changed since you looked. This is what your change does now.")
SAID_OTHERWISE = Problem("said-otherwise", "The sheet has changed. Is this still right?")
#: The codes of these, and of what somebody else has written there meanwhile.
OUTDATED = ("moved-on", "said-otherwise", "somebody-wrote")


@dataclass(frozen=True)
class Done:
    """It stands on the sheet. The same key gets the same `version`, `at` and `verb` again.

    `verb` is `agree` where the same stood there already. `again` says that the key had been answered before.
    `reading` is the sheet as it is now, with this write and everything since.
    """

    version: int
    at: datetime.datetime
    verb: str
    reading: SheetReading
    again: bool = False


@dataclass(frozen=True)
class Conflict:
    """Somebody else has written something different there. Nothing was written; both are here to be shown."""

    address: Address
    standing: LogEntry
    refused: Mapping[str, Value]
    reading: SheetReading


@dataclass(frozen=True)
class Refused:
    """It does not fit; nothing was written. At least one problem, in the order of the fields.

    `reading` is the sheet as it is now; None where the post was refused before anything was read.
    """

    problems: tuple[Problem, ...]
    reading: SheetReading | None = None

    @property
    def code(self) -> str:
        """The code of the first problem."""
        return self.problems[0].code

    @property
    def is_outdated(self) -> bool:
        """Whether the scorekeeper confirmed what is no longer so: they are shown how it is now (409)."""
        return self.code in OUTDATED

    @property
    def unwise(self) -> bool:
        """Whether saying "yes, I am sure" is enough to write it."""
        return not any(problem.blocking for problem in self.problems)


Answer = Done | Conflict | Refused
