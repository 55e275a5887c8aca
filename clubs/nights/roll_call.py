"""The roll call of a night: who is here, comes later, does not come, or leaves early.

It begins with what members answered before (`clubs.nights.replies`), which an organiser confirms or changes.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from clubs.models import Attendance, Member, Night, Reply
from clubs.nights.nights import Whereabouts, whereabouts
from clubs.nights.replies import hour_text, last_replies
from rules.core.game import Game
from scoresheets.opening.game_cards import takes_latecomers

Says = Attendance.Says
#: What a reply suggests at the roll call.
SUGGESTS = {
    Reply.Says.YES: Says.HERE, Reply.Says.HERE: Says.HERE, Reply.Says.LATE: Says.COMING, Reply.Says.NO: Says.NOT,
}  # fmt: skip


@dataclass
class Line:
    """One person of the roll. `called`: an organiser wrote it, at `called_at` where it was at the roll call; else it is
    what their reply or last time suggests.

    `was_here` last time; `table` is where they have a chair already, as it is called. `tapped` is an answer that is on
    the page and not written.
    """

    member: Member
    says: str = Says.NOT
    leaves: datetime.time | None = None
    called: bool = False
    called_at: datetime.datetime | None = None
    was_here: bool = False
    table: str = ""
    tapped: str = ""
    #: What they said themselves.
    reply: Reply | None = None

    @property
    def suggested(self) -> str:
        """What their reply comes to; "" without one."""
        return SUGGESTS[Reply.Says(self.reply.says)] if self.reply else ""

    @property
    def is_proposed(self) -> bool:
        """Whether their reply waits for an organiser: they wrote nothing yet, or somebody came after they had written
        that they do not.
        """
        if self.reply is None or not self.called:
            return self.reply is not None
        came = self.reply.says == Reply.Says.HERE and self.says != Says.HERE
        return came and self.called_at is not None and self.reply.at > self.called_at

    @property
    def note(self) -> str:
        """What they said, beside their name."""
        if self.reply is None:
            return ""
        if self.reply.says == Reply.Says.HERE:
            return f"checked in {self.reply.at.astimezone(self.member.club.zone):%H:%M}"
        return f"late, {hour_text(self.reply.comes)}" if self.reply.comes else f"said {self.reply.says}"

    @property
    def is_in(self) -> bool:
        """Whether they get a chair."""
        return self.says != Says.NOT

    @property
    def is_late(self) -> bool:
        return self.says == Says.COMING


def roll(night: Night, where: Whereabouts | None = None) -> list[Line]:
    """Everybody of the club: those of last time first, who are here until somebody says otherwise.

    Three queries where it is known already `where` everybody is; twelve at most.
    """
    where = where or whereabouts(night)
    people = Member.objects.current().filter(club=night.club_id).select_related("player")
    lines = {member.pk: Line(member) for member in people}
    for pk in where.people(where.last) & lines.keys():
        lines[pk].was_here, lines[pk].says = True, Says.HERE
    for pk, reply in last_replies(night).items():
        if pk in lines:
            lines[pk].member.club = night.club
            lines[pk].reply = reply
            lines[pk].says = lines[pk].suggested
    for call in night.attendances.select_related("member").order_by("at", "pk"):
        line = lines.get(call.member.identity)
        if line:
            line.says, line.leaves, line.called, line.called_at = call.says, call.leaves, True, call.at
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
    """What they say, or is said of them, now: the same again counts as said later."""
    Attendance.objects.update_or_create(night=night, member=member, defaults={"says": says, "at": timezone.now()})


def answer_those(night: Night, answers: Mapping[int, str], *, but: Collection[int]) -> None:
    """Write down the `answers` that were tapped, by member (id), of all `but` these (ids)."""
    with transaction.atomic():
        for line in roll(night):
            if line.member.pk in answers and line.member.pk not in but:
                answer(night, line.member, answers[line.member.pk])


def leaves_at(night: Night, member: Member, hour: datetime.time | None) -> None:
    """They leave at that hour; None: they stay to the end. Who leaves is here."""
    Attendance.objects.update_or_create(
        night=night, member=member, defaults={"leaves": hour}, create_defaults={"leaves": hour, "says": Says.HERE}
    )


def close_roll(night: Night, answers: dict[int, str], *, replies_only: bool = False) -> list[Line]:
    """Write down everybody's answer, as the page has it: `answers` are those that were tapped since it was shown.

    Who was only suggested is written down as well: from now on the roll is what was said. With `replies_only` what
    waits of replies is confirmed, and whoever has not answered is left open.
    """
    with transaction.atomic():
        lines = roll(night)
        calls = []
        for line in lines:
            says = answers.get(line.member.pk, line.suggested if replies_only and line.is_proposed else line.says)
            is_new = line.is_proposed if replies_only else not line.called and (line.is_in or line.reply is not None)
            if says != line.says or is_new:
                line.says, line.called = says, True
                calls.append(Attendance(night=night, member=line.member, says=says))
        Attendance.objects.bulk_create(
            calls, update_conflicts=True, unique_fields=["night", "member"], update_fields=["says", "at"]
        )
    return lines
