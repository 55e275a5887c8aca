"""Nights, and tables as they stand."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest

from clubs.api.documents.clubs import person_document
from clubs.api.shapes import Named
from clubs.evening.summary import Evening, Seen, seen_of
from clubs.members.identity import Identities
from clubs.models import Club, Member, Night, PlayOff, Table
from rules.core.files.schema import Among, Date, Flag, ListOf, Members, OrNull, Shape, Text, Whole
from scoresheets.files.log_export import format_moment_or_none
from scoresheets.files.log_schema import Moment

MOMENT = OrNull(Moment())
STATES = ("open", "playing", "unsettled", "over")
SEAT = Named("Seat", Members(
    {
        "name": Text(), "member": OrNull(Text()), "total": OrNull(Whole()), "place": OrNull(Whole(1)),
        "winner": Flag(), "loser": Flag(),
    },
    {},
))  # fmt: skip
TABLE = Named("Table", Members(
    {
        "uid": Text(), "night": Text(), "number": Whole(0), "name": Text(), "game": Text(), "state": Among(STATES),
        "stands_at": Text(), "ended_at": MOMENT, "sheet": OrNull(Text()), "play_off": OrNull(Text()),
        "people": ListOf(SEAT),
    },
    {},
))  # fmt: skip
OF_A_NIGHT: dict[str, Shape] = {
    "uid": Text(), "on": Date(), "begins": OrNull(Text()), "name": Text(), "place": Text(), "for_fun": Flag(),
    "begun_at": MOMENT, "closed_at": MOMENT, "play_off": OrNull(Text()), "page": Text(),
}  # fmt: skip
NIGHT = Named("Night", Members(OF_A_NIGHT, {}))
WHOLE_NIGHT = Named("NightWithTables", Members({**OF_A_NIGHT, "tables": ListOf(TABLE)}, {}))


def nights_of(club: Club) -> QuerySet[Night]:
    """The nights that everybody reads, the latest first, each with the uid of its play-off (`play_off_uid`)."""
    play_offs = PlayOff.objects.filter(night=OuterRef("pk"), called_off_at__isnull=True).values("uid")[:1]
    return club.nights.standing().annotate(play_off_uid=Subquery(play_offs))


def tables_of(club: Club) -> QuerySet[Table]:
    """The tables of these nights, with their sheets."""
    return Table.objects.standing().filter(night__club=club).select_related("night", "sheet", "stage__play_off")


def night_document(request: HttpRequest, night: Night) -> dict[str, object]:
    """A night of `nights_of`, whose club is known."""
    return {
        "uid": night.uid, "on": night.on.isoformat(), "begins": night.begins.isoformat() if night.begins else None,
        "name": str(night), "place": night.place, "for_fun": night.for_fun,
        "begun_at": format_moment_or_none(night.begun_at), "closed_at": format_moment_or_none(night.closed_at),
        "play_off": vars(night)["play_off_uid"], "page": request.build_absolute_uri(night.get_absolute_url()),
    }  # fmt: skip


def table_documents(club: Club, night: Night, tables: list[Table]) -> list[dict[str, object]]:
    """Tables of one night as they stand. Seven queries, however many they are."""
    night.club = club
    (evening,) = seen_of([night], tables)
    members = members_at(club, evening)
    return [table_document(night, seen, members) for seen in evening.tables]


def members_at(club: Club, evening: Evening) -> dict[int, Member]:
    """Who in the club the players (ids) at the tables are."""
    players = {person.player for seen in evening.tables if seen.glance for person in seen.glance.people}
    return Identities(club, players).members if players else {}


def table_document(night: Night, seen: Seen, members: dict[int, Member]) -> dict[str, object]:
    table = seen.table
    of_play_off = table.stage is not None and table.stage.play_off.called_off_at is None
    return {
        "uid": table.uid, "night": night.uid, "number": table.number, "name": str(table), "game": table.game,
        "state": state_of(seen), "stands_at": seen.glance.heading if seen.glance else "",
        "ended_at": format_moment_or_none(table.ended_at), "sheet": table.uid if table.sheet else None,
        "play_off": table.stage.play_off.uid if of_play_off and table.stage else None,
        "people": list(people_at(seen, members)),
    }  # fmt: skip


def state_of(seen: Seen) -> str:
    """One of STATES: "open" is drawn and not begun, "unsettled" waits for a blind hand, a card or a ruling."""
    if seen.is_over:
        return "over"
    if seen.glance is None:
        return "open"
    return "playing" if seen.is_running else "unsettled"


def people_at(seen: Seen, members: dict[int, Member]) -> Iterable[dict[str, object]]:
    """Everybody at the table, by seats; of a game of the past by places."""
    if seen.glance is None:
        for placing in seen.placings:
            yield person_document(placing.member) | {
                "total": placing.score, "place": placing.place, "winner": placing.winner, "loser": placing.loser
            }  # fmt: skip
        return
    sheet, chairs = seen.glance.reading.sheet, seen.glance.reading.sitting.now
    seats = {chair.player: seat for seat, chair in chairs.items()}
    places = {placing.seat: placing.place for placing in sheet.placings}
    for person in seen.glance.people:
        seat, member = seats.get(person.player), members.get(person.player)
        # On a sheet they are called as the sheet calls them.
        yield {
            "name": person.name, "member": member.uid if member else None, "total": person.total,
            "place": places.get(seat) if seat is not None else None,
            "winner": seat is not None and sheet.winner == seat, "loser": seat is not None and sheet.loser == seat,
        }  # fmt: skip
