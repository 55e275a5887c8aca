"""The sheets of a club file compared with those here: new, continued, or diverged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clubs.archive.export import Document, Row
from clubs.archive.schema import PLAYER_FIELDS
from clubs.archive_import.changes import Differences, Key, SheetChange
from clubs.archive_import.diff_text import table_text
from clubs.models import Club, Member, Table
from scoresheets.files.log_export import AT_ONCE, Copy, copies_of, format_moment, renumbered
from scoresheets.log.occupants import SITS
from scoresheets.models import Entry, Player, Revision, Seat, Sheet


def sheets_here(document: Document, club: Club) -> dict[str, int]:
    """The sheets (ids) of tables that both have, by the uid of the table."""
    wanted = {sheet["table"] for sheet in document["sheets"]}
    rows = Table.objects.filter(night__club=club, sheet__isnull=False).values_list("uid", "sheet")
    return {uid: sheet for uid, sheet in rows if uid in wanted and sheet is not None}


def players_here(document: Document, club: Club, members: dict[Key, tuple[int, Row]]) -> dict[int, int]:
    """Who of the file is here: ids by number. A member tells it, and a seat that both have."""
    players: dict[int, int] = {}
    for row in document["members"]:
        if (row["uid"],) in members:
            players[row["player"]] = members[row["uid"],][1]["player"]
    here = sheets_here(document, club)
    sat, took = seats_at(list(here.values()))
    for sheet in document["sheets"]:
        pk = here.get(sheet["table"])
        if pk is None:
            continue
        for number, player, _ in sheet["sheet"]["seats"]:
            if (pk, number) in sat:
                players.setdefault(player, sat[pk, number])
        for version, write in enumerate(sheet["sheet"]["writes"], 1):
            for hand, ask, data, *_ in write.get("adds", ()):
                if ask.startswith(SITS) and (pk, version, hand, ask) in took:
                    players.setdefault(data["player"], took[pk, version, hand, ask])
    return players


def renamed(document: Document, club: Club, players: dict[int, int]) -> Iterator[tuple[int, dict[str, str]]]:
    """Who of them (ids) would be called something else on sheets, and what: people of this club, and nobody who belongs
    to another club too."""
    numbers = {pk: number for number, pk in players.items()}
    ours = Player.objects.filter(pk__in=numbers, memberships__club=club).exclude(
        memberships__in=Member.objects.exclude(club=club)
    )
    for player in ours.order_by("pk"):
        row = document["players"][numbers[player.pk] - 1]
        then = {name: row.get(name, "") for name in PLAYER_FIELDS}
        if then != {name: getattr(player, name) for name in PLAYER_FIELDS}:
            yield player.pk, then


def seats_at(sheets: list[int]) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int, int, str], int]]:
    """Who has which seat of these sheets, and who took one over by which entry."""
    sat: dict[tuple[int, int], int] = {}
    took: dict[tuple[int, int, int, str], int] = {}
    for start in range(0, len(sheets), AT_ONCE):
        some = sheets[start : start + AT_ONCE]
        for sheet, number, player in Seat.objects.filter(sheet__in=some).values_list("sheet", "number", "player"):
            sat[sheet, number] = player
        entries = Entry.objects.filter(sheet__in=some, ask__startswith=SITS)
        for sheet, version, hand, ask, data in entries.values_list("sheet", "added_by__version", "hand", "ask", "data"):
            took[sheet, version, hand, ask] = data["player"]
    return sat, took


def sheet_changes(changes: Differences) -> Iterator[SheetChange]:
    """What happens to sheets; those that went different ways are conflicts."""
    document, club = changes.document, changes.club
    here = sheets_here(document, club) if club else {}
    logs = logs_of(list(here.values()))
    for row in document["sheets"]:
        uid, copy = row["table"], row["sheet"]
        if uid not in here:
            yield SheetChange(uid, copy)
        else:
            log, other = logs[here[uid]], log_of(copy)
            if other[: len(log)] == log and is_same_so_far(here[uid], copy, len(log)):
                if len(other) > len(log):
                    yield SheetChange(uid, copy, len(log), here[uid])
            elif log[: len(other)] != other or len(other) > len(log):
                changes.conflicts.append(
                    f"{table_text(changes, uid)}: something else was written on its sheet here than in the file."
                )


Log = list[tuple[str, str, int]]


def logs_of(sheets: list[int]) -> dict[int, Log]:
    """By sheet, of every write in order: when, which verb, and who of its scorekeepers."""
    logs: dict[int, Log] = {}
    for start in range(0, len(sheets), AT_ONCE):
        some = sheets[start : start + AT_ONCE]
        logs |= {sheet: [] for sheet in some}
        places: dict[int, dict[int, int]] = {sheet: {} for sheet in some}
        rows = Revision.objects.filter(sheet__in=some).order_by("sheet", "version")
        for sheet, at, verb, keeper in rows.values_list("sheet", "at", "verb", "keeper"):
            place = places[sheet].setdefault(keeper, len(places[sheet]) + 1)
            logs[sheet].append((format_moment(at), verb, place))
    return logs


def log_of(copy: Copy) -> Log:
    """The same of a copy."""
    return [(write["at"], write["verb"], write["by"]) for write in copy["writes"]]


def is_same_so_far(sheet: int, copy: Copy, since: int) -> bool:
    """Whether the first `since` writes of the copy are those on the sheet to the letter. True where it has no more."""
    if len(copy["writes"]) == since:
        return True
    ((_, here),) = copies_of([Sheet.objects.get(pk=sheet)])
    return nameless(here, since) == nameless(copy, since)


def nameless(copy: Copy, since: int) -> list[Any]:
    """What was written, without the numbers of players, which differ from place to place."""
    return renumbered(copy | {"writes": copy["writes"][:since]}, lambda *player: 0)["writes"]  # noqa: ARG005
