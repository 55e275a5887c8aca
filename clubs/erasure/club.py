"""Deleting a club with everything that hangs on it, and sheets, of a club or of none. It cannot be undone."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from clubs.access.outdated import NotNow
from clubs.archive.background import path_of
from clubs.evening.adopt import take_out
from clubs.models import Award, Chair, Club, ClubExport, Night, Placing, Table
from clubs.projections.update import count_now
from clubs.records.games import is_of_play_off
from scoresheets.models import Player, Seat, Sheet
from scoresheets.opening.sweep import forget_players

NEEDED_BY_PLAY_OFF = "The sheet belongs to a play-off again, which needs all of its sheets. Nothing was deleted."


def delete_club(club: Club) -> None:
    """Delete the club, its people, and the sheets that were begun at its tables. Accounts stay.

    A sheet that somebody opened elsewhere and brought in is theirs, and stays.
    """
    with transaction.atomic():
        adopted = Table.objects.filter(night__club=club, source=Table.Source.BROUGHT)
        for table in adopted.select_related("night__club", "sheet"):
            take_out(table, by=None)
        tables = Table.objects.filter(night__club=club)
        sheets = list(
            Sheet.objects.filter(table__night__club=club).exclude(table__in=adopted).values_list("pk", flat=True)
        )
        players = list(Player.objects.filter(seats__sheet__in=sheets).values_list("pk", flat=True))
        players += club.members.values_list("player", flat=True)
        players += club.aliases.values_list("player", flat=True)
        for export in ClubExport.objects.filter(club=club):
            path_of(export).unlink(missing_ok=True)
        # What is held fast goes before what holds it.
        Award.objects.filter(trophy__club=club).delete()
        Placing.objects.filter(table__night__club=club).delete()
        Chair.objects.filter(table__night__club=club).delete()
        tables.delete()
        Sheet.objects.filter(pk__in=sheets).delete()
        club.delete()
        forget_players(players)


def delete_sheets(pks: Collection[int]) -> int:
    """Delete those of the sheets that belong to no club, with players who sat nowhere else; how many it were."""
    with transaction.atomic():
        # Somebody may be bringing one into a club just now: they wait, and find no sheet.
        locked = list(Sheet.objects.select_for_update().filter(pk__in=pks).values_list("pk", flat=True))
        of_clubs = Table.objects.belonging().filter(sheet__in=locked).values_list("sheet", flat=True)
        sheets = sorted({*locked} - {*of_clubs})
        delete_rows(sheets)
    return len(sheets)


def delete_sheet_of_club(table: Table) -> None:
    """Delete the sheet at the table of a club, which is withdrawn: its night is counted without it.

    Raises `NotNow` for one of a play-off that stands, of which other tables were drawn.
    """
    with transaction.atomic():
        # In the order of the worker, which counts the same.
        club = Club.objects.select_for_update(no_key=True).get(pk=table.night.club_id)
        # A play-off that was called off is brought back with the row of its night held.
        Night.objects.select_for_update(of=("self",)).get(pk=table.night_id)
        table = Table.objects.select_related("night__club", "sheet", "stage__play_off").get(pk=table.pk)
        if is_of_play_off(table):
            raise NotNow(NEEDED_BY_PLAY_OFF)
        take_out(table, by=None)
        if table.sheet:
            # Placings and trophies follow from the sheet: they are counted while it is there.
            count_now(club, table.sheet)
            delete_rows([table.sheet.pk])


def delete_rows(sheets: Collection[int]) -> None:
    """Delete the sheets (ids), with players who sat nowhere else."""
    players = list(Seat.objects.filter(sheet__in=sheets).values_list("player", flat=True))
    # The club of the table keeps it: a trophy may have been won there.
    Table.objects.filter(sheet__in=sheets).update(sheet=None)
    Sheet.objects.filter(pk__in=sheets).delete()
    forget_players(players)
