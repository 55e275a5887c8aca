"""The roll call of a night: who is here, comes later, does not come, or leaves early."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from clubs.models import Attendance, Member, Night
from clubs.nights.nights import Whereabouts, whereabouts
from rules.core.game import Game
from scoresheets.opening.game_cards import takes_latecomers

Says = Attendance.Says


@dataclass
class Line:
    """One person of the roll. `called`: somebody answered; else it is what last time suggests.

    `was_here` last time; `table` is where they have a chair already, as it is called.
    """

    member: Member
    says: str = Says.NOT
    leaves: datetime.time | None = None
    called: bool = False
    was_here: bool = False
    table: str = ""

    @property
    def is_in(self) -> bool:
        """Whether they get a chair."""
        return self.says != Says.NOT

    @property
    def is_late(self) -> bool:
        return self.says == Says.COMING


def roll(night: Night, where: Whereabouts | None = None) -> list[Line]:
    """Everybody of the club: those of last time first, who are here until somebody says otherwise.

    Two queries where it is known already `where` everybody is; eleven at most.
    """
    where = where or whereabouts(night)
    people = Member.objects.current().filter(club=night.club_id).select_related("player")
    lines = {member.pk: Line(member) for member in people}
    for pk in where.people(where.last) & lines.keys():
        lines[pk].was_here, lines[pk].says = True, Says.HERE
    for call in night.attendances.select_related("member"):
        line = lines.get(call.member.identity)
        if line:
            line.says, line.leaves, line.called = call.says, call.leaves, True
    for chair in where.chairs:
        line = lines.get(chair.member.identity)
        if line:
            line.table = str(chair.table)
    for table in where.tonight:
        for pk in where.people([table]) & lines.keys():
            # Whoever sits at a table is here, whatever was said before.
            lines[pk].table, lines[pk].says, lines[pk].called = str(table), Says.HERE, True
    return sorted(lines.values(), key=lambda line: (not line.was_here, line.member.called.casefold(), line.member.pk))


def chairs_for(lines: Iterable[Line], game: Game) -> int:
    """How many of them get a chair at tables of the game: those who come later only where they can still join."""
    return sum(line.is_in and (not line.is_late or takes_latecomers(game)) for line in lines)


def answer(night: Night, member: Member, says: str) -> None:
    """What they say, or is said of them."""
    Attendance.objects.update_or_create(night=night, member=member, defaults={"says": says})


def leaves_at(night: Night, member: Member, hour: datetime.time | None) -> None:
    """They leave at that hour; None: they stay to the end. Who leaves is here."""
    Attendance.objects.update_or_create(
        night=night, member=member, defaults={"leaves": hour}, create_defaults={"leaves": hour, "says": Says.HERE}
    )


def close_roll(night: Night, answers: dict[int, str]) -> list[Line]:
    """Write down everybody's answer, as the page has it: `answers` are those that were tapped since it was shown.

    Who was only suggested is written down as well: from now on the roll is what was said.
    """
    with transaction.atomic():
        lines = roll(night)
        calls = []
        for line in lines:
            says = answers.get(line.member.pk, line.says)
            if says != line.says or (line.is_in and not line.called):
                line.says, line.called = says, True
                calls.append(Attendance(night=night, member=line.member, says=says))
        Attendance.objects.bulk_create(
            calls, update_conflicts=True, unique_fields=["night", "member"], update_fields=["says"]
        )
    return lines
