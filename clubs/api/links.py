"""Writing by programs: the key of a scorekeeper link lets a program write on its sheet, as it lets a phone.

The program becomes a scorekeeper with the first entry that is taken. Whoever revokes the link, or cuts the program off,
ends that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.db import transaction
from django.http import Http404, HttpRequest
from django.utils import timezone

from clubs.api.callers import NotAnswered, admit, wrong_key
from clubs.models import Table
from rules.core.problems import Problem
from scoresheets.access.scorekeepers import hashed, join_by_link, known_link
from scoresheets.log.answers import Answer, Done
from scoresheets.log.append import CUT_OFF
from scoresheets.log.state import read_sheet
from scoresheets.models import Scorekeeper, ShareLink, Sheet

#: What stands in the place of an id: the sheet of the link.
MINE = "mine"
#: What the others at the table read.
CALLED = "A program"
NO_LINK = Problem("no-key", "Send the key of a scorekeeper link.")
CUT_OFF_PROGRAM = Problem(CUT_OFF.code, "This program can no longer enter scores on this sheet.")


@dataclass(frozen=True)
class Linked:
    """A link with the program that came by it; None: it has not written yet."""

    link: ShareLink
    token: str
    keeper: Scorekeeper | None

    @property
    def sheet(self) -> Sheet:
        return self.link.sheet

    def write(self, enter: Callable[[Scorekeeper], Answer]) -> Answer:
        """What `enter` answers to the program as a scorekeeper. Raises `NotAnswered` where it may not write.

        It takes scorekeeping over with the first entry that is taken, in the same transaction: what is refused takes
        it away from nobody.
        """
        if self.keeper:
            return enter(self.keeper)
        with transaction.atomic():
            answer = enter(self.newcomer())
            return self.joined(answer) if isinstance(answer, Done) else answer

    def newcomer(self) -> Scorekeeper:
        """The program before its first write. The row is not saved: that is for the write."""
        return Scorekeeper(
            sheet=self.sheet, browser=browser_of(self.token), name=CALLED, link=self.link, created=timezone.now()
        )

    def joined(self, first: Done) -> Done:
        """The answer to its first entry, with the sheet as it is once the program keeps score."""
        if join_by_link(self.token, browser_of(self.token), CALLED) is None:
            raise NotAnswered(403, CUT_OFF_PROGRAM)
        return replace(first, reading=read_sheet(Sheet.objects.get(pk=self.sheet.pk)))


def linked(request: HttpRequest, uid: str, token: str) -> Linked:
    """The link of that key, which must be of the sheet of that id. Raises `NotAnswered`, and `Http404`.

    As with a phone that came by it, the program may go on after the link has expired, but not after it was revoked.
    """
    if not token:
        raise NotAnswered(401, NO_LINK)
    link = known_link(token)
    if link is None:
        raise wrong_key(request)
    admit(token)
    rows = list(link.sheet.scorekeepers.filter(browser=browser_of(token)))
    keeper = next((row for row in rows if row.revoked_at is None), None)
    if keeper is None and rows:
        raise NotAnswered(403, CUT_OFF_PROGRAM)
    if keeper is None and not link.is_good(timezone.now()):
        raise wrong_key(request)
    if not is_sheet(link.sheet, uid):
        raise Http404
    if keeper:
        keeper.sheet = link.sheet
    return Linked(link, token, keeper)


def browser_of(token: str) -> str:
    """What the database knows the program by, where it knows a phone by its browser (`Scorekeeper.browser`)."""
    return hashed(f"program {token}")


def is_sheet(sheet: Sheet, uid: str) -> bool:
    """Whether the sheet has that id: that of its table, or "mine"."""
    return uid == MINE or Table.objects.belonging().filter(sheet=sheet, uid=uid).exists()
