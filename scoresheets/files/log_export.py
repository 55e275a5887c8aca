"""Log files: all entries that ever were on a sheet, and who wrote them, as plain values.

A sheet file has the course of a game; a log file has its whole history, so that a sheet made from it (`log_import`) has
the same history and can be undone in the same way. Nothing in it opens a sheet or lets anybody write: it has neither
addresses, phones and links nor the keys of the taps. Scorekeepers are in it by name.

    {"game", "title", "club_name", "stakes", "opened", "played_on", "finished", "asks_since", "quiet", "coming",
     "seats": [[number, player, name]], "badges": [[player, colour, initial, chosen]],
     "scorekeepers": [{"name", "since", "cut_off"}],
     "writes": [{"by", "at", "verb", "why", "undoes", "adds": [[hand, ask, data, first]], "withdraws": [[hand, ask]]}]}

The revisions (`writes`) are in the order of their versions, from 1 on; `by` is the index of a scorekeeper in their
list, `undoes` and `first` are versions. Empty values are left out. A player is a number chosen by the caller.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from scoresheets.log.entries import LogEntry, entries_by_sheet
from scoresheets.log.occupants import SITS, wishes_of
from scoresheets.models import Entry, Revision, Scorekeeper, Seat, Sheet

Copy = dict[str, Any]

#: The fields of a sheet's rows that a log file has, and those it has not, with the reason. A test compares the models.
TOLD = {
    "Sheet": (
        "game", "title", "club_name", "stakes", "opened_at", "played_on", "finished_at", "asks_since", "quiet",
        "coming", "badges",
    ),
    "Seat": ("number", "player", "name"),
    "Scorekeeper": ("name", "created", "revoked_at"),
    "Revision": ("version", "keeper", "at", "verb", "why", "undoes"),
    "Entry": ("hand", "ask", "data", "added_by", "first_by", "withdrawn_by"),
}  # fmt: skip
OPENS = "it opens the sheet, or lets somebody write on it"
HERE = "it is another one on every site"
LEFT_OUT = {
    "Sheet": {
        "id": HERE, "code": OPENS, "watch": OPENS, "opening": OPENS, "home": HERE,
        "members_only": "it follows the club", "version": "it is how often was written", "begun": "the writes tell it",
        "aliases_version": "the players tell it", "aliases": "the players tell it", "also_called": "the club calls it",
        "closed": "the club closes it", "generation": HERE,
        "restored": HERE, "last_opened": HERE,
        "result_opens_at": "a result waits for some minutes at the table itself",
    },
    "Seat": {"id": HERE, "sheet": HERE},
    "Scorekeeper": {"id": HERE, "sheet": HERE, "browser": OPENS, "user": OPENS, "link": OPENS},
    "Revision": {"id": HERE, "sheet": HERE, "key": "of a tap, which nobody repeats elsewhere", "digest": "so is it"},
    "Entry": {"id": HERE, "sheet": HERE},
}  # fmt: skip

#: So many sheets are looked up at once.
AT_ONCE = 200


def copies_of(sheets: Sequence[Sheet]) -> Iterator[tuple[int, Copy]]:
    """The log of every sheet as plain values, with its id, in that order; players by their ids. Few queries."""
    for start in range(0, len(sheets), AT_ONCE):
        some = sheets[start : start + AT_ONCE]
        writes, seats, keepers = writes_of(some), seats_of(some), keepers_of(some)
        rows = Entry.objects.filter(sheet__in=some)
        entries = entries_by_sheet(rows.order_by("sheet", "added_by__version", "hand", "ask"))
        for sheet in some:
            yield sheet.pk, log_copy(sheet, writes[sheet.pk], entries[sheet.pk], seats[sheet.pk], keepers)


def log_copy(
    sheet: Sheet, writes: list[tuple[Any, ...]], entries: list[LogEntry], seats: list[list[Any]],
    keepers: dict[int, Scorekeeper],
) -> Copy:  # fmt: skip
    """The log of one sheet as plain values."""
    order = list(dict.fromkeys(by for _, by, *_ in writes))
    places = {by: place for place, by in enumerate(order, 1)}
    pages: dict[int, Copy] = {
        version: without_empty({"by": places[by], "at": format_moment(at), "verb": verb, "why": why, "undoes": undoes})
        for version, by, at, verb, why, undoes in writes
    }
    for entry in entries:
        first = [entry.first] if entry.is_restored else []
        pages[entry.added].setdefault("adds", []).append([*entry.address, entry.data, *first])
        if entry.withdrawn is not None:
            pages[entry.withdrawn].setdefault("withdraws", []).append([*entry.address])
    return without_empty({
        "game": sheet.game, "title": sheet.title, "club_name": sheet.club_name, "stakes": sheet.stakes,
        "opened": format_moment(sheet.opened_at), "played_on": sheet.played_on and sheet.played_on.isoformat(),
        "finished": format_moment_or_none(sheet.finished_at),
        "asks_since": format_moment_or_none(sheet.asks_since),
        "quiet": sheet.quiet, "coming": sheet.coming, "seats": seats, "badges": badges_told(sheet),
        "scorekeepers": [
            without_empty({
                "name": keepers[pk].name, "since": format_moment(keepers[pk].created),
                "cut_off": format_moment_or_none(keepers[pk].revoked_at),
            })
            for pk in order
        ],
        "writes": list(pages.values()),
    })  # fmt: skip


def badges_told(sheet: Sheet) -> list[list[Any]]:
    """By what its players are known, as `Sheet.badges` has it."""
    return [[player, *wish] for player, wish in wishes_of(sheet.badges).items()]


def writes_of(sheets: Sequence[Sheet]) -> dict[int, list[tuple[Any, ...]]]:
    """By sheet, in order: version, scorekeeper, when, verb, why, and the version it undoes."""
    rows = Revision.objects.filter(sheet__in=sheets).order_by("sheet", "version")
    return by_sheet(
        sheets, rows.values_list("sheet", "version", "keeper", "at", "verb", "why", "undoes__version").iterator()
    )


def seats_of(sheets: Sequence[Sheet]) -> dict[int, list[list[Any]]]:
    """By sheet: the number of every seat, the player and the name with which it was first given."""
    rows = Seat.objects.filter(sheet__in=sheets).order_by("sheet", "number")
    by_pk = by_sheet(sheets, rows.values_list("sheet", "number", "player", "name"))
    return {sheet: [list(row) for row in seats] for sheet, seats in by_pk.items()}


def keepers_of(sheets: Sequence[Sheet]) -> dict[int, Scorekeeper]:
    """Who may or might write on them, by id."""
    return Scorekeeper.objects.only("name", "created", "revoked_at").in_bulk(
        list(Scorekeeper.objects.filter(sheet__in=sheets).values_list("pk", flat=True))
    )


def by_sheet(sheets: Sequence[Sheet], rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    """The rows, whose first value is the sheet, by that."""
    rows_of: dict[int, list[tuple[Any, ...]]] = {sheet.pk: [] for sheet in sheets}
    for sheet, *rest in rows:
        rows_of[sheet].append(tuple(rest))
    return rows_of


def without_empty(members: Copy) -> Copy:
    """What is said without what would be empty: None, "", False, nothing in a list."""
    return {key: value for key, value in members.items() if value or (value == 0 and value is not False)}


def format_moment(at: datetime.datetime) -> str:
    """A moment to the microsecond, always as long and always in UTC, so that later is greater.

    >>> format_moment(datetime.datetime(2026, 3, 19, 20, 5, tzinfo=datetime.UTC))
    '2026-03-19T20:05:00.000000Z'
    """
    return f"{at.astimezone(datetime.UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def format_moment_or_none(at: datetime.datetime | None) -> str | None:
    """The same, where there is one."""
    return format_moment(at) if at else None


def parse_moment(text: str) -> datetime.datetime:
    """The moment that was written like that. Raises ValueError."""
    at = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.UTC)
    if len(text) != len("2026-03-19T20:05:00.000000Z") or not 1 < at.year < 9999:
        raise ValueError(text)
    return at


# Who is in it


def renumbered(copy: Copy, number: Callable[[int, str], int]) -> Copy:
    """The same log with other numbers for the players: `number` is asked with the old one and a name."""
    names = dict(players_in(copy))
    badges = [
        [number(player, names[player]), *wish] for player, *wish in copy.get("badges", ()) if player in names
    ]  # fmt: skip
    return without_empty(copy | {"badges": badges}) | {
        "seats": [[seat, number(player, name), name] for seat, player, name in copy["seats"]],
        "writes": [
            write | {"adds": [renumbered_entry(entry, number) for entry in write["adds"]]} if "adds" in write else write
            for write in copy["writes"]
        ],
    }


def renumbered_entry(entry: list[Any], number: Callable[[int, str], int]) -> list[Any]:
    """An entry with another number for the player it names, if it names one."""
    hand, ask, data, *first = entry
    if not ask.startswith(SITS):
        return entry
    return [hand, ask, data | {"player": number(data["player"], data["name"])}, *first]


def players_in(copy: Copy) -> Iterator[tuple[int, str]]:
    """Everybody who is named in it, with the name: those on the seats, then who took one over. Not once each."""
    for _, player, name in copy["seats"]:
        yield player, name
    for write in copy["writes"]:
        for _, ask, data, *_ in write.get("adds", ()):
            if ask.startswith(SITS):
                yield data["player"], data["name"]
