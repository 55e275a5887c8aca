"""Copies of one table that counts by itself, from its sheet."""

from __future__ import annotations

from clubs.members.identity import members_of_players
from clubs.models import Placing, Table
from clubs.records.bests import keep_bests
from clubs.records.honours import keep_honours
from clubs.standings.placings import keep_placings
from scoresheets.log.state import SheetReading


def keep_copies(table: Table, reading: SheetReading | None) -> list[Placing]:
    """Make its placings, personal bests and honours again; its placings.

    `reading`: of its sheet; None: a table of the past, whose placings were typed. Who of the club sat there is asked
    once.
    """
    members = members_of_players(table.night.club, reading.sitting.everybody) if reading else {}
    placings = keep_placings(table, members)
    keep_bests(table, placings, members)
    if reading:
        keep_honours(table, reading, members)
    return placings
