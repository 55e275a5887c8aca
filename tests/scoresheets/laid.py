"""Sheets as a sheet file has them: in memory for what is laid out, in the database for what is shown."""

from __future__ import annotations

import json

from django.utils import timezone

from rules.core.files.sheet_file import read_document
from scoresheets.access.scorekeepers import hashed
from scoresheets.files.sheet_file import set_up_in_file
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SET_UP, Chair, SheetReading
from scoresheets.models import Entry, Player, Revision, Scorekeeper, Seat, Sheet

#: The secret in the cookie of the browser that may write on every sheet laid down here.
SECRET = "A" * 22


def document(players: str = "Ann Bo Cy Di", hands: list | None = None, **more: object) -> dict[str, object]:
    """A sheet file of Dirty Dog; `hands` may be short: see `hand`."""
    return {"format": "score-sheet/1", "game": "dirty-dog", "players": players.split(), "hands": hands or [], **more}


def hand(players: str, bids: str, tricks: str = "", **more: object) -> dict[str, object]:
    """One hand: names, bids and tricks in the same order, such as `hand("Ann Bo", "10", "10")`."""
    names = players.split()
    said = {"bids": dict(zip(names, map(int, bids), strict=False)), **more}
    if tricks:
        said["tricks"] = dict(zip(names, map(int, tricks), strict=True))
    return said


def reading_of(said: dict[str, object], *, quiet: bool = False, title: str = "") -> SheetReading:
    """The sheet of a document as if it stood in the database. No query."""
    found = read_document(json.dumps(said))
    now = timezone.now()
    record = Sheet(pk=1, game=found.game.slug, quiet=quiet, title=title, opened_at=now)
    steps = {SET_UP: set_up_in_file(found), **found.entries}
    standing = {
        address: LogEntry(pk, address, dict(step), pk, pk, "", now, "", pk, pk, "")
        for pk, (address, step) in enumerate(steps.items(), 1)
    }
    chairs = {seat: Chair(seat, seat, name) for seat, name in found.names.items()}
    return SheetReading(record, len(steps), chairs, standing)


def laid_down(said: dict[str, object], **more: object) -> Sheet:
    """The sheet of a document in the database, with a scorekeeper whose cookie is `SECRET`."""
    reading = reading_of(said)
    now = timezone.now()
    finished = now if reading.finished else None
    sheet = Sheet.objects.create(game=reading.record.game, opened_at=now, finished_at=finished, begun=True, **more)
    keeper = Scorekeeper.objects.create(sheet=sheet, browser=hashed(SECRET), created=now)
    for seat, name in reading.names.items():
        Seat.objects.create(sheet=sheet, number=seat, name=name, player=Player.objects.create(name=name))
    for version, entry in enumerate(reading.standing.values(), 1):
        write = Revision.objects.create(
            sheet=sheet,
            version=version,
            key=f"key-of-the-write-{version}",
            verb="enter",
            digest="",
            keeper=keeper,
            at=now,
        )
        number, ask = entry.address
        Entry.objects.create(sheet=sheet, hand=number, ask=ask, data=entry.data, added_by=write, first_by=write)
        sheet.version = version
    sheet.save()
    return sheet
