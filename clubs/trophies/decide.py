"""Deciding about trophies by the tables of a night, and what happens if a table changes later.

A finished sheet proposes an award of the club's trophies if the night follows that table. A later change (a correction,
a sheet that is opened again, a table that is taken out of the night, a night that is only for fun) changes a proposal;
about a confirmed award it asks a question. No confirmed trophy moves by itself.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.dateformat import format as date_format

from clubs.models import Award, Club, Dispute, Member, Night, Placing, Table, Trophy
from clubs.trophies.awards import alone_with, lay_aside
from clubs.trophies.play_off import look_at_play_off
from clubs.trophies.proposals import Decision, Nominee, look_at, why_nothing
from clubs.trophies.register import trophy_games
from scoresheets.models import FinalPlacing

Goes = Trophy.Goes


def playing_for_trophies(night: Night) -> list[Table]:
    """The tables of a night that could decide about the trophies."""
    return list(Table.objects.standing().filter(night=night, game__in=trophy_games(), sheet__isnull=False))


def why_table_does_not_decide(table: Table) -> str | None:
    """Why the table does not decide about the trophies, in a sentence; "" where it does.

    None where nobody can say yet: several tables play for them, and the organisers were not asked which is followed.
    """
    night = table.night
    if because := why_nothing(night):
        return because
    day, follows = date_format(night.on, "j F Y"), night.trophies
    if table.withdrawn_at is not None:
        return f"{table} does not belong to the night of {day} any more."
    if follows == Night.Follows.PLAY_OFF:
        return f"On {day} the trophies follow a play-off."
    if follows == Night.Follows.TABLE:
        chosen = night.trophies_table
        return "" if chosen == table else f"On {day} the trophies follow {chosen or 'another table'}."
    return "" if len(playing_for_trophies(night)) <= 1 else None


def look(table: Table, only: Trophy | None = None) -> None:
    """Compare what the table decides with what stands: propose, award, or ask. Its placings must be up to date.

    The same of the play-off it is a table of. Of all trophies, or of one `only`. Within the transaction of whatever
    changed. A trophy that is younger than the night is not touched.
    """
    look_at_table(table, only)
    if table.stage_id is not None:
        look_at_play_off(table.night, only)


def look_at_table(table: Table, only: Trophy | None = None) -> None:
    """The same of the table alone."""
    if table.sheet is None or table.game not in trophy_games():
        return
    night = table.night
    because = why_table_does_not_decide(table)
    decision = Decision(
        night, Award.Source.SHEET, Award.objects.filter(table=table, source=Award.Source.SHEET), because=because,
        whose=f"The sheet of {table}, {date_format(night.on, 'j F Y')},", nobody=open_or_nobody(table),
        named={} if because else named_by(table), version=table.sheet.version,
    )  # fmt: skip
    wanted = (Goes.WINNER, Goes.LOSER)
    trophies = Trophy.objects.filter(club=night.club, goes__in=wanted).defer("picture").select_related("club")
    for trophy in trophies.filter(pk=only.pk) if only else trophies:
        with alone_with(trophy):
            look_at(trophy, decision)


def named_by(table: Table) -> dict[str, Nominee]:
    """Whom the sheet names as winner and as loser; nobody while it is running."""
    if table.sheet is None:
        return {}
    members: dict[str, Member] = {}
    for placing in Placing.objects.filter(table=table).select_related("member__same_as"):
        if placing.winner:
            members[Goes.WINNER] = placing.member
        if placing.loser:
            members[Goes.LOSER] = placing.member
    named: dict[str, Nominee] = {}
    for final in FinalPlacing.objects.filter(sheet=table.sheet).select_related("player"):
        for goes, is_he in ((Goes.WINNER, final.winner), (Goes.LOSER, final.loser)):
            if is_he:
                points = f"{final.score}".replace("-", "−")
                why = f"{table}, {'won' if goes == Goes.WINNER else 'last'} with {points}"
                named[goes] = Nominee(members.get(goes), final.player.name, why, table)
    return named


def open_or_nobody(table: Table) -> str:
    """How a sheet that names nobody is said."""
    return "is open again." if table.ended_at is None else "names nobody now."


def look_at_night(night: Night) -> None:
    """The same for every table the night ever had: what its trophies follow has changed, or whether it counts."""
    look_at_tables(Table.objects.filter(night=night))


def look_at_people(club: Club) -> None:
    """The same where there was ever a question: two records have become one person, or two again."""
    disputes = Dispute.objects.filter(award__trophy__club=club, award__set_aside_at__isnull=True)
    look_at_tables(Table.objects.filter(pk__in=disputes.values("award__table")))


def look_at_trophy(trophy: Trophy) -> None:
    """It was just added, or goes to somebody else now: what waits for a yes, and the nights since it is there."""
    waiting = (
        Award.objects.standing().filter(trophy=trophy, confirmed_at__isnull=True).exclude(source=Award.Source.TYPED)
    )
    if trophy.goes == Goes.OTHER:
        with alone_with(trophy):
            for won in waiting:
                lay_aside(won)
    since = trophy.added_at.astimezone(trophy.club.zone).date()
    tables = Table.objects.filter(Q(night__on__gte=since) | Q(pk__in=waiting.values("table")))
    look_at_tables(tables.filter(night__club=trophy.club), trophy)


def look_at_tables(tables: QuerySet[Table], trophy: Trophy | None = None) -> None:
    """The same for these tables and the play-offs they are of, and all trophies or one."""
    play_offs: dict[int, Night] = {}
    with transaction.atomic():
        for table in tables.select_related("night__club", "night__trophies_table", "sheet"):
            look_at_table(table, trophy)
            if table.stage_id is not None:
                play_offs.setdefault(table.night_id, table.night)
        for night in play_offs.values():
            look_at_play_off(night, trophy)
