"""Merging two records of one person, and undoing it.

No row is changed: the other record points to the one that counts, and code that counts people follows the pointer.
Undoing removes the pointer.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.visit import RANKS, Role
from clubs.members.badges import take_over_badge
from clubs.members.people import has_account_elsewhere, locked, players_of, records_of
from clubs.members.personal_links import revoke_link
from clubs.members.privacy import cover, hide_name
from clubs.models import Award, Member, Placing, Table
from scoresheets.log.occupants import SITS
from scoresheets.log.state import read_sheet
from scoresheets.models import Entry, Seat, Sheet


@dataclass(frozen=True)
class Side:
    """One of two people whose records may be one person's, as it is laid beside the other.

    `records` are all that were merged into theirs already; `games` counts those that were finished, `first` and `last`
    are the nights of the first and the last of them. `accounts` are the addresses by which they sign in.
    """

    member: Member
    records: tuple[Member, ...]
    games: int
    won: int
    nights: int
    first: datetime.date | None
    last: datetime.date | None
    trophies: tuple[str, ...]
    accounts: tuple[str, ...]

    @property
    def role(self) -> str:
        return str(Role(role_of(self.records)).label)


def side_of(member: Member) -> Side:
    """Everything to tell them apart by. Four queries."""
    records = records_of(member)
    placings = Placing.objects.filter(member__in=records, table__withdrawn_at__isnull=True)
    counted = placings.aggregate(
        games=Count("pk"), won=Count("pk", filter=Q(winner=True)), nights=Count("table__night", distinct=True),
        first=Min("table__night__on"), last=Max("table__night__on"),
    )  # fmt: skip
    awards = Award.objects.confirmed().filter(member__in=records).values_list("trophy__name", flat=True)
    accounts = Member.objects.filter(pk__in=[record.pk for record in records], user__isnull=False)
    return Side(
        member, tuple(records), trophies=tuple(dict.fromkeys(awards)),
        accounts=tuple(accounts.values_list("user__email", flat=True)), **counted,
    )  # fmt: skip


def role_of(records: Iterable[Member]) -> str:
    """What somebody is in the club, of whose records some may have an account of their own."""
    person, *others = records
    return max([person.role, *(other.role for other in others if other.user_id)], key=lambda role: RANKS[Role(role)])


def tables_of_both(member: Member, other: Member) -> list[Table]:
    """Tables of the club at which both sat: then they are two people."""
    mine, theirs = players_of(member), players_of(other)
    records = [record.pk for record in records_of(member)], [record.pk for record in records_of(other)]
    tables = Table.objects.filter(night__club=member.club_id).select_related("night", "sheet")
    begun = tables.filter(sheet__begun=True, sheet__in=sheets_of(mine) & sheets_of(theirs))
    at_sheets = [table for table in begun if table.sheet and sat_both(table.sheet, mine, theirs)]
    drawn, typed = tables.filter(withdrawn_at__isnull=True), tables.filter(source=Table.Source.PAST)
    for members in records:
        drawn = drawn.filter(chairs__member__in=members)
        typed = typed.filter(placings__member__in=members)
    shared = {table.pk: table for table in (*at_sheets, *drawn, *typed)}
    return sorted(shared.values(), key=lambda table: (table.night.on, table.pk))


def side_by_side(member: Member, other: Member) -> list[Table]:
    """Tables of a play-off at which one sat to the end, while the other did at another of the same stage."""
    mine, theirs = players_of(member), players_of(other)
    tables = Table.objects.filter(night__club=member.club_id, stage__isnull=False, withdrawn_at__isnull=True)
    either = sheets_of(mine) ^ sheets_of(theirs)
    by_stage: dict[int | None, dict[int, Table]] = {}
    for table in tables.filter(sheet__begun=True, sheet__in=either).select_related("night", "sheet"):
        there = seated_at(table)
        for at, players in enumerate((mine, theirs)):
            if there & players:
                by_stage.setdefault(table.stage_id, {})[at] = table
    return [both[0] for both in by_stage.values() if len(both) > 1]


def seated_at(table: Table) -> set[int]:
    """The players (ids) who sit at the table now, or sat there to the end."""
    if table.sheet is None:
        return set()
    reading = read_sheet(table.sheet)
    return {reading.sitting.now[seat].player for seat in reading.sheet.table.seats}


def sheets_of(players: set[int]) -> set[int]:
    """The sheets (ids) on which one of these players is named."""
    took_over = Entry.objects.filter(ask__startswith=SITS, data__player__in=players).standing()
    sat = Seat.objects.filter(player__in=players)
    return {*sat.values_list("sheet", flat=True), *took_over.values_list("sheet", flat=True)}


def sat_both(sheet: Sheet, mine: set[int], theirs: set[int]) -> bool:
    """Whether one player of each set really sat at the table. A mistyped name that was corrected does not count."""
    sitting = read_sheet(sheet).sitting
    there = {chair.player for chair in sitting.first.values()} | {change.player for change in sitting.changes}
    return bool(there & mine and there & theirs)


def why_two(other: Member, into: Member) -> list[str]:
    """Why the two records cannot be made one, in sentences."""
    if other.identity == into.identity:
        return ["These two are one record already."]
    reasons = []
    if other.same_as_id or into.same_as_id:
        reasons.append("One of them counts as somebody else already: choose the record that counts.")
    if into.left_at is not None and other.left_at is None:
        reasons.append(f"{into.name} has left the club: let the other record count, or bring {into.name} back first.")
    if into.approved_at is None:
        reasons.append(f"{into.name} still waits to be let in: let the other record count.")
    both = tables_of_both(other, into)
    if both:
        day, more = both[0].night.on, len(both) - 1
        others = f" and {more} more" if more else ""
        where = f"{both[0]} on {day.day} {day:%B %Y}{others}"
        reasons.append(f"{other.name} and {into.name} sat at one table ({where}): they are two people.")
    elif beside := side_by_side(other, into):
        day = beside[0].night.on
        where = f"the play-off of {day.day} {day:%B %Y}"
        reasons.append(f"{other.name} and {into.name} sat at two tables of {where} at once: they are two people.")
    return reasons


def merge(other: Member, into: Member, *, by: Member | None) -> list[str]:
    """From now on `other` counts as `into`; why it cannot be done, in sentences, none where it is.

    Whoever comes in by an account of either record may do what both might. Who hid their name in one hides it in both.
    """
    with transaction.atomic():
        locked(into.club)
        other.refresh_from_db()
        into.refresh_from_db()
        if other.same_as_id == into.pk:
            return []
        reasons = why_two(other, into)
        if reasons:
            return reasons
        other.joined_to = other.same_as = into
        other.says_is = None
        # The merge answers a join request too.
        other.approved_at = other.approved_at or timezone.now()
        other.save(update_fields=["joined_to", "same_as", "says_is", "approved_at"])
        Member.objects.filter(same_as=other).update(same_as=into)
        take_over_badge(other, into)
        if other.hidden and not into.hidden:
            hide_name(into, by=by)
        cover(into)
        write_down(into.club, f"Merged {other.name} with {into.name}: the two records are one person.", by=by)
    return []


def unmerge(other: Member, *, by: Member | None) -> None:
    """Take the pointer away: `other` is somebody of their own again, with whoever was merged with them.

    The personal link of the person stops working.
    """
    with transaction.atomic():
        locked(other.club)
        other.refresh_from_db()
        into = other.joined_to
        person = other.same_as
        if into is None or person is None:
            return
        # Nobody can tell any more for which of the two it was made.
        revoke_link(person, by=by)
        other.joined_to = other.same_as = None
        if has_account_elsewhere(other):
            other.user = None
        other.save(update_fields=["joined_to", "same_as", "user"])
        with_him = joined_to(other)
        Member.objects.filter(pk__in=[member.pk for member in with_him]).update(same_as=other)
        cover(other, was=person.shown_as)
        cover(person)
        write_down(other.club, f"Took {other.name} and {into.name} apart again: they are two people.", by=by)


def joined_to(person: Member) -> list[Member]:
    """All records that were merged with this one, one after the other."""
    joined: list[Member] = []
    wave = list(Member.objects.filter(joined_to=person))
    while wave:
        joined += wave
        wave = list(Member.objects.filter(joined_to__in=wave))
    return joined
