"""Writing a confirmed import in pieces, so that nobody else waits long for the database.

The worker thread does it (`clubs.projections`): the confirmation is a row of its queue, and so is the rest after each
piece. A piece is one transaction: after a crash the next process continues after the last whole piece.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.club.uploads import content_of, taken
from clubs.imports import holders, results
from clubs.imports.plan import Book, Plan, plan_of, unpacked
from clubs.members.people import new_members
from clubs.models import Club, Member, Upload
from clubs.queue.changes import put_back

#: Seconds after which a piece begins no further step: a step takes some milliseconds.
PIECE = 0.02
#: So many people who are new to the club come in with a piece.
PEOPLE_A_PIECE = 40


def begin(upload: Upload, book: Book, picks: Mapping[str, Member], *, by: Member | None) -> bool:
    """From now on it is being written; False where somebody said so before."""
    plan = plan_of(book, picks)
    with transaction.atomic():
        begun = Upload.objects.filter(pk=upload.pk, confirmed_at__isnull=True).update(
            content=plan.packed(), total=plan.total, confirmed_at=timezone.now(), confirmed_by=by
        )
    return begun == 1


def write_piece(upload: Upload) -> None:
    """Write the next piece, within the transaction of the worker, which has locked the club.

    What is left goes to the end of the queue: results of tonight are counted in between.
    """
    club = upload.club
    if club is None or not upload.is_being_written:
        return
    plan = unpacked(content_of(upload))
    if upload.kind == Upload.Kind.RESULTS and len(upload.newcomers) < len(plan.new):
        add_people(club, plan, upload)
    else:
        write_steps(plan, upload, club)
    if upload.done < upload.total:
        put_back(club.pk, upload)
    elif taken(upload) and upload.added:
        write_down(club, f"Added {what_was_added(upload)} from a spreadsheet.", by=upload.confirmed_by)


def add_people(club: Club, plan: Plan, upload: Upload) -> None:
    """Some of those who are new to the club."""
    begin = len(upload.newcomers)
    names = [plan.people[at].name for at in plan.new[begin : begin + PEOPLE_A_PIECE]]
    upload.newcomers += [member.pk for member in new_members(club, names)]
    upload.save(update_fields=["newcomers"])


def write_steps(plan: Plan, upload: Upload, club: Club) -> None:
    """The next steps, as many as there is time for, and one at least."""
    kind = results if upload.kind == Upload.Kind.RESULTS else holders
    people = plan.with_newcomers(upload.newcomers)
    ends, passed = time.monotonic() + PIECE, 0
    for step in plan.steps:
        if passed >= upload.done:
            upload.added += kind.write_step(step, people, upload, club)
            upload.done += step["count"]
            if time.monotonic() >= ends:
                break
        passed += step["count"]
    upload.save(update_fields=["done", "added"])


def what_was_added(upload: Upload) -> str:
    """ "1 game of the past", "12 holders of trophies"."""
    singular, plural = ("game", "games") if upload.kind == Upload.Kind.RESULTS else ("holder", "holders")
    of = "of the past" if upload.kind == Upload.Kind.RESULTS else "of trophies"
    return f"{upload.added} {singular if upload.added == 1 else plural} {of}"
