"""Deleting a club with everything that hangs on it, and sheets that belong to no club. It cannot be undone."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from clubs.archive.background import path_of
from clubs.evening.adopt import take_out
from clubs.models import Award, Chair, Club, ClubExport, Placing, Table
from scoresheets.models import Player, Seat, Sheet
from scoresheets.opening.sweep import forget_players


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
        players = list(Seat.objects.filter(sheet__in=sheets).values_list("player", flat=True))
        # The club from which it was taken out keeps the table: a trophy may have been won there.
        Table.objects.filter(sheet__in=sheets).update(sheet=None)
        Sheet.objects.filter(pk__in=sheets).delete()
        forget_players(players)
    return len(sheets)
