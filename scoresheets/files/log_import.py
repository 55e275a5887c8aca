"""The import of log files: a new sheet, or later revisions for an existing one.

The file must be valid (`log_schema`). It gives nobody the right to write: the scorekeepers of the new sheet have names
and no phones. The sheet gets addresses of its own.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

from django.utils import timezone

from scoresheets.files.log_export import Copy, parse_moment
from scoresheets.log.occupants import SITS
from scoresheets.log.publish import republish
from scoresheets.log.state import SET_UP, SheetReading, read_sheet
from scoresheets.models import Entry, Player, Revision, Scorekeeper, Seat, Sheet
from scoresheets.models.sheet import new_token

#: Rows that go to the database in one go.
BATCH = 500
#: Fields of the sheet's row that have their latest value in the file.
LATEST = ("club_name", "stakes")


def lay_out(copy: Copy, player: Callable[[int], int]) -> SheetReading:
    """A new sheet from a log file; `player` maps the number of a player there to an id here."""
    opened = parse_moment(copy["opened"])
    sheet = Sheet.objects.create(game=copy["game"], opened_at=opened, last_opened=timezone.localdate())
    return write_the_rest(sheet, copy, player, since=0)


def write_the_rest(sheet: Sheet, copy: Copy, player: Callable[[int], int], *, since: int) -> SheetReading:
    """Write on the sheet, whose row is locked, what the copy has more than the first `since` writes. How it reads then.

    These must be the same on both. Its places and facts are told anew, without a signal.
    """
    give_seats(sheet, copy, player)
    keepers = add_scorekeepers(sheet, copy)
    writes = add_writes(sheet, copy, keepers, since)
    add_entries(sheet, copy, writes, player, since)
    for name in LATEST:
        setattr(sheet, name, copy.get(name, ""))
    sheet.quiet, sheet.coming = copy.get("quiet", False), copy.get("coming", [])
    sheet.badges = {str(player(old)): wish for old, *wish in copy.get("badges", ())} | sheet.badges
    sheet.played_on = copy.get("played_on")
    sheet.asks_since = moment_or_none(copy, "asks_since")
    sheet.version = len(copy["writes"])
    sheet.save()
    sheet.refresh_from_db()
    return read_again(sheet, copy)


def give_seats(sheet: Sheet, copy: Copy, player: Callable[[int], int]) -> None:
    """The seats that are not there yet."""
    there = set(sheet.seats.values_list("number", flat=True))
    Seat.objects.bulk_create(
        Seat(sheet=sheet, number=number, player_id=player(old), name=name)
        for number, old, name in copy["seats"]
        if number not in there
    )


def add_scorekeepers(sheet: Sheet, copy: Copy) -> list[Scorekeeper]:
    """Its scorekeepers, in the order of the file: those who are there by that order, and new ones."""
    wrote = Revision.objects.filter(sheet=sheet).order_by("version").values_list("keeper", flat=True)
    there = list(dict.fromkeys(wrote))
    known = Scorekeeper.objects.in_bulk(there)
    keepers = [known[pk] for pk in there]
    for keeper, row in zip(keepers, copy["scorekeepers"], strict=False):
        keeper.name = row.get("name", "")
    Scorekeeper.objects.bulk_update(keepers, ["name"])
    new = [
        Scorekeeper(
            sheet=sheet, name=row.get("name", ""), created=parse_moment(row["since"]),
            revoked_at=moment_or_none(row, "cut_off"),
        )
        for row in copy["scorekeepers"][len(keepers) :]
    ]  # fmt: skip
    return keepers + Scorekeeper.objects.bulk_create(new)


def add_writes(sheet: Sheet, copy: Copy, keepers: Sequence[Scorekeeper], since: int) -> dict[int, Revision]:
    """The writes after the first `since`; all of them by version."""
    writes = {write.version: write for write in Revision.objects.filter(sheet=sheet)}
    new = [
        Revision(
            sheet=sheet, version=version, key=new_token(), verb=row["verb"], keeper=keepers[row["by"] - 1],
            at=parse_moment(row["at"]), why=row.get("why", ""),
        )
        for version, row in enumerate(copy["writes"], 1)
        if version > since
    ]  # fmt: skip
    writes |= {write.version: write for write in Revision.objects.bulk_create(new, batch_size=BATCH)}
    undoing = [write for write in new if "undoes" in copy["writes"][write.version - 1]]
    for write in undoing:
        write.undoes = writes[copy["writes"][write.version - 1]["undoes"]]
    Revision.objects.bulk_update(undoing, ["undoes"], batch_size=BATCH)
    return writes


def add_entries(
    sheet: Sheet, copy: Copy, writes: dict[int, Revision], player: Callable[[int], int], since: int
) -> None:
    """What the writes after the first `since` added, with who took it off again, and what they took off."""
    new: dict[tuple[int, str], Entry] = {}
    done: list[Entry] = []
    for version, row in enumerate(copy["writes"], 1):
        if version <= since:
            continue
        for hand, ask in row.get("withdraws", ()):
            entry = new.pop((hand, ask), None)
            if entry:
                entry.withdrawn_by = writes[version]
                done.append(entry)
            else:
                Entry.objects.filter(sheet=sheet, hand=hand, ask=ask).withdraw(writes[version])
        for hand, ask, data, *first in row.get("adds", ()):
            if ask.startswith(SITS):
                data = data | {"player": player(data["player"])}
            new[hand, ask] = Entry(
                sheet=sheet, hand=hand, ask=ask, data=data, added_by=writes[version],
                first_by=writes[first[0] if first else version],
            )  # fmt: skip
    Entry.objects.bulk_create(sorted([*done, *new.values()], key=entry_order), batch_size=BATCH)


def entry_order(entry: Entry) -> tuple[int, int, str]:
    """As they would have been written."""
    return entry.added_by.version, entry.hand, entry.ask


def read_again(sheet: Sheet, copy: Copy) -> SheetReading:
    """The sheet as it reads now. Its row is made to say so, and so are its places and facts."""
    reading = read_sheet(sheet)
    last = parse_moment(copy["writes"][-1]["at"])
    sheet.finished_at = (moment_or_none(copy, "finished") or last) if reading.finished else None
    sheet.result_opens_at = None
    sheet.begun = any(address != SET_UP for address in reading.standing)
    title = reading.setup.title
    sheet.title = title if title is not None else copy.get("title", "")
    taken_over = Entry.objects.filter(sheet=sheet, ask__startswith=SITS).values_list("data__player", flat=True)
    hides = {chair.player for chair in reading.chairs.values()} | set(taken_over)
    hidden = Player.objects.filter(pk__in=hides).exclude(shown_as="").values_list("pk", "shown_as")
    aliases = sheet.aliases | {str(pk): shown_as for pk, shown_as in hidden}
    if aliases != sheet.aliases:
        sheet.aliases, sheet.aliases_version = aliases, sheet.aliases_version + 1
    sheet.save(update_fields=["finished_at", "result_opens_at", "begun", "title", "aliases_version", "aliases"])
    republish(reading)
    return reading


def moment_or_none(row: Copy, key: str) -> datetime.datetime | None:
    """That moment, where one is told."""
    return parse_moment(row[key]) if key in row else None
