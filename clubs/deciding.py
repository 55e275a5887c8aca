"""What a night's tables decide about the trophies, and what is done when a table decides something else.

A sheet that finishes awards the trophies of its club, if the night follows that table. Whatever changes afterwards (a
correction, a sheet that is opened again, a table that is taken out of the night, a night that is only for fun) changes
a proposal, and of an award that is confirmed it makes a question: no trophy moves by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils.dateformat import format as date_format

from clubs.awards import alone_with, award, drop_doubts, lay_aside, raise_doubt
from clubs.models import Award, Doubt, Night, Placing, Table, Trophy
from clubs.models.trophy import person_of
from clubs.trophies import trophy_games
from scoresheets.models import FinalPlacing

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from clubs.models import Club, Member

Goes = Trophy.Goes


@dataclass(frozen=True)
class Named:
    """Whom a table names: a member, or (None) somebody of that name whom the club does not know."""

    member: Member | None
    name: str
    why: str

    @property
    def person(self) -> str:
        return person_of(self.member, self.name)


def playing_for_trophies(night: Night) -> list[Table]:
    """The tables of a night that could decide about the trophies."""
    return list(Table.objects.standing().filter(night=night, game__in=trophy_games(), sheet__isnull=False))


def why_not(table: Table) -> str | None:
    """Why the table does not decide about the trophies, in a sentence; "" where it does.

    None where nobody can say yet: several tables play for them, and the organisers were not asked which is followed.
    """
    night = table.night
    day = date_format(night.on, "j F Y")
    follows = night.trophies
    if night.archived_at is not None:
        return f"The night of {day} was put away."
    if table.withdrawn_at is not None:
        return f"{table} does not belong to the night of {day} any more."
    if night.for_fun:
        return f"The night of {day} is just for fun."
    if follows == Night.Follows.NOTHING:
        return f"No trophies were played for on {day}."
    if follows == Night.Follows.PLAY_OFF:
        return f"On {day} the trophies follow a play-off."
    if follows == Night.Follows.TABLE:
        chosen = night.trophies_table
        return "" if chosen == table else f"On {day} the trophies follow {chosen or 'another table'}."
    return "" if len(playing_for_trophies(night)) <= 1 else None


def look(table: Table, only: Trophy | None = None) -> None:
    """Compare what the table decides with what stands: propose, award, or ask. Its placings must be up to date.

    Of all trophies, or of one `only`. Within the transaction of whatever changed. A trophy that is younger than the
    night is not touched.
    """
    if table.sheet is None or table.game not in trophy_games():
        return
    night = table.night
    because = why_not(table)
    says = because or f"The sheet of {table}, {date_format(night.on, 'j F Y')}, "
    named = {} if because else named_by(table)
    wanted = (Goes.WINNER, Goes.LOSER)
    trophies = Trophy.objects.filter(club=night.club, goes__in=wanted).defer("picture").select_related("club")
    for trophy in trophies.filter(pk=only.pk) if only else trophies:
        with alone_with(trophy):
            look_at(trophy, table, named.get(trophy.goes), says=says, because=because)


def named_by(table: Table) -> dict[str, Named]:
    """Whom the sheet names as winner and as loser; nobody while it is running."""
    if table.sheet is None:
        return {}
    members: dict[str, Member] = {}
    for placing in Placing.objects.filter(table=table).select_related("member__same_as"):
        if placing.winner:
            members[Goes.WINNER] = placing.member
        if placing.loser:
            members[Goes.LOSER] = placing.member
    named: dict[str, Named] = {}
    for final in FinalPlacing.objects.filter(sheet=table.sheet).select_related("player"):
        for goes, is_he in ((Goes.WINNER, final.winner), (Goes.LOSER, final.loser)):
            if is_he:
                points = f"{final.score}".replace("-", "−")
                why = f"{table}, {'won' if goes == Goes.WINNER else 'last'} with {points}"
                named[goes] = Named(members.get(goes), final.player.name, why)
    return named


def look_at(trophy: Trophy, table: Table, named: Named | None, *, says: str, because: str | None) -> None:
    """The same of one trophy, which nobody else changes meanwhile.

    Where nobody can say yet whether the table decides, what it has decided is compared all the same.
    """
    awards = Award.objects.filter(trophy=trophy, table=table, source=Award.Source.SHEET)
    standing = awards.standing().select_related("member__same_as").first()
    if standing is None:
        if named is not None and because is not None:
            propose(trophy, table, named)
        return
    if standing.on != table.night.on:
        standing.on = table.night.on
        standing.save(update_fields=["on"])
    if named is not None and standing.member is None and standing.name == named.name and named.member is not None:
        # Whom nobody knew when it was won has been found among the members.
        standing.member, standing.name = named.member, ""
        standing.save(update_fields=["member", "name"])
    if named is not None and standing.person == named.person:
        if standing.why != named.why:
            standing.why = named.why
            standing.save(update_fields=["why"])
        drop_doubts(standing)
    elif standing.confirmed_at is None:
        lay_aside(standing)
        if named is not None:
            propose(trophy, table, named)
    else:
        sentence = because or says + ("names {} now." if named else open_or_nobody(table))
        member, name = (named.member, "" if named.member else named.name) if named else (None, "")
        raise_doubt(standing, sentence, member=member, name=name, version=table.sheet.version if table.sheet else 0)


def propose(trophy: Trophy, table: Table, named: Named) -> None:
    """The table has decided about the trophy.

    What an organiser took back by hand is not brought up again. Where the table has said something else before, or
    another award of that night is confirmed, an organiser is asked in every club.
    """
    night = table.night
    if trophy.archived_at is not None or night.on < trophy.added_at.astimezone(night.club.zone).date():
        return
    before = list(Award.objects.filter(trophy=trophy, table=table).select_related("member__same_as"))
    if any(won.undone and won.person == named.person for won in before):
        return
    elsewhere = Award.objects.confirmed().filter(trophy=trophy, table__night=night)
    award(
        trophy, named.member, name=named.name, on=night.on, source=Award.Source.SHEET, table=table, why=named.why,
        confirmed=night.club.awards_at_once and not before and not elsewhere.exists(),
    )  # fmt: skip


def open_or_nobody(table: Table) -> str:
    """How a sheet that names nobody is said."""
    return "is open again." if table.ended_at is None else "names nobody now."


def look_at_night(night: Night) -> None:
    """The same for every table the night ever had: what its trophies follow has changed, or whether it counts."""
    look_at_tables(Table.objects.filter(night=night))


def look_at_people(club: Club) -> None:
    """The same where there was ever a question: two records have become one person, or two again."""
    asked = Doubt.objects.filter(award__trophy__club=club, award__set_aside_at__isnull=True)
    look_at_tables(Table.objects.filter(pk__in=asked.values("award__table")))


def look_at_trophy(trophy: Trophy) -> None:
    """It was just added, or goes to somebody else now: what waits for a yes, and the nights since it is there."""
    waiting = Award.objects.standing().filter(trophy=trophy, source=Award.Source.SHEET, confirmed_at__isnull=True)
    if trophy.goes == Goes.OTHER:
        with alone_with(trophy):
            for won in waiting:
                lay_aside(won)
    since = trophy.added_at.astimezone(trophy.club.zone).date()
    tables = Table.objects.filter(Q(night__on__gte=since) | Q(pk__in=waiting.values("table")))
    look_at_tables(tables.filter(night__club=trophy.club), trophy)


def look_at_tables(tables: QuerySet[Table], trophy: Trophy | None = None) -> None:
    """The same for these tables, and all trophies or one."""
    with transaction.atomic():
        for table in tables.select_related("night__club", "night__trophies_table", "sheet"):
            look(table, trophy)
