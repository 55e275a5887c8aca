"""Replies: what members answer before a night, and check-ins at the door.

Every answer is a row; the last one of a person counts. What an organiser wrote at the roll call counts more.

Anybody who has the club's link can say that a phone is theirs. What comes from one is written into the activity log. It
replaces no answer that somebody gave signed in or by their personal link.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.dateformat import format as date_format

from clubs.access.audit_log import write_down
from clubs.members.people import records_of
from clubs.models import Attendance, Club, Member, Night, Reply

Says = Reply.Says
#: What can be answered before a night.
ANSWERS = (Says.YES, Says.LATE, Says.NO)
#: Nobody changes their mind so often: answers from one source, and check-ins.
MOST_REPLIES = 60
#: So long before the hour of a night people begin to arrive.
DOOR_OPENS = datetime.timedelta(hours=3)
#: A night that was begun and not closed has its door open until this hour of the next day.
DOOR_CLOSES = datetime.time(6)
#: One that has not begun so long after its hour does not take place.
WAITS = datetime.timedelta(hours=4)
#: When a night begins that has no hour.
USUAL_HOUR = datetime.time(20)
#: Who comes late without a time comes so long after the beginning.
USUALLY_LATE = datetime.timedelta(minutes=30)
A_DAY = datetime.timedelta(days=1)

TOO_LATE = "The roll call of this night has been taken. Tell an organiser."
TOO_OFTEN = "This answer was changed too often. Tell an organiser."
NO_CHOICE = "Choose Yes, No or Late."
NO_HOUR = "At what time? For example 20:30."
DOOR_IS_SHUT = "Nobody can check in to this night now."
NOT_BY_PHONE = "This was answered signed in or by a personal link. Change it there, or tell an organiser."
NO_KEY = "Open the club’s own link or scan its QR code, and you can answer here."


class NotAnswered(Exception):
    """Why an answer is not taken, in a sentence."""


@dataclass(frozen=True)
class Answers:
    """What was answered for a night: replies, and what an organiser wrote (`calls`), by the id of the person.

    Who has left the club since (`left`) is in neither.
    """

    night: Night
    replies: dict[int, Reply] = field(default_factory=dict)
    calls: dict[int, Attendance] = field(default_factory=dict)
    left: set[Member] = field(default_factory=set)

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many said yes, late and no; what an organiser wrote of somebody counts more than what they answered."""
        written = [call.says for call in self.calls.values()]
        answered = [reply.says for pk, reply in self.replies.items() if pk not in self.calls]
        yes = written.count(Attendance.Says.HERE) + answered.count(Says.YES) + answered.count(Says.HERE)
        late = written.count(Attendance.Says.COMING) + answered.count(Says.LATE)
        return yes, late, written.count(Attendance.Says.NOT) + answered.count(Says.NO)

    @property
    def in_short(self) -> str:
        """ "4 yes, 1 late, 2 no"."""
        yes, late, no = self.counts
        if not yes + late + no:
            return "Nobody has answered yet"
        return ", ".join(f"{count} {word}" for count, word in ((yes, "yes"), (late, "late"), (no, "no")) if count)

    @property
    def groups(self) -> list[tuple[str, list[tuple[Member, str]]]]:
        """People by what they answer, in order, late ones with their time; first what an organiser wrote."""
        of: dict[str, list[tuple[Member, str]]] = {heading: [] for heading in (*CALLED.values(), *SAID.values())}
        for call in self.calls.values():
            of[CALLED[call.says]].append((call.member.main_record, ""))
        for pk, reply in self.replies.items():
            if pk not in self.calls:
                of[SAID.get(reply.says, "Here")].append((reply.member.main_record, hour_text(reply.comes)))
        return [(heading, sorted(people, key=in_order)) for heading, people in of.items() if people]

    @property
    def absent(self) -> set[Member]:
        """Who does not come."""
        absent = {call.member.main_record for call in self.calls.values() if call.says == Attendance.Says.NOT}
        others = {pk: reply for pk, reply in self.replies.items() if pk not in self.calls and reply.says == Says.NO}
        return absent | self.left | {reply.member.main_record for reply in others.values()}


#: What stands over people by what an organiser wrote of them, and by what they said themselves.
CALLED = {says.value: says.label.capitalize() for says in Attendance.Says}
SAID = {Says.YES.value: "Yes", Says.LATE.value: "Late", Says.NO.value: "No"}


def in_order(person: tuple[Member, str]) -> tuple[str, bool, str, int]:
    """Who comes late by the hour, all others by name; whose name is hidden last."""
    member, hour = person
    return hour, member.hidden, member.shown.casefold(), member.pk


def hour_text(hour: datetime.time | None) -> str:
    """ "20:30"; "" for none."""
    return f"{hour:%H:%M}" if hour else ""


def last_replies(night: Night) -> dict[int, Reply]:
    """The last word of everybody who answered for the night, by the id of the person. One query."""
    rows = Reply.objects.filter(night=night).select_related("member").in_order()
    last = {row.member.identity: row for row in rows}
    return {pk: row for pk, row in last.items() if row.says != Says.NONE}


def changed_since(night: Night, number: int) -> tuple[int, set[int]]:
    """The id of the newest reply, and who (ids of people) has answered since the one of that id. One query."""
    rows = list(Reply.objects.filter(night=night, pk__gt=number).select_related("member"))
    return max((row.pk for row in rows), default=number), {row.member.identity for row in rows}


def answers_of(nights: Iterable[Night]) -> dict[int, Answers]:
    """What was answered for each of these nights (by id). Two queries, or none where there are no nights."""
    answers = {night.pk: Answers(night) for night in nights}
    if answers:
        replies = Reply.objects.filter(night__in=answers).select_related("member__same_as")
        calls = Attendance.objects.filter(night__in=answers).select_related("member__same_as")
        for reply in replies.in_order():
            answers[reply.night_id].replies[reply.member.identity] = reply
        for call in calls.order_by("at", "pk"):
            answers[call.night_id].calls[call.member.identity] = call
    for answer in answers.values():
        for pk in [pk for pk, reply in answer.replies.items() if reply.says == Says.NONE]:
            del answer.replies[pk]
        without_those_who_left(answer)
    return answers


def without_those_who_left(answers: Answers) -> None:
    """Whoever has left the club is not expected any more."""
    rows: dict[int, Reply | Attendance] = {**answers.replies, **answers.calls}
    for pk, row in rows.items():
        if row.member.main_record.left_at is not None:
            answers.left.add(row.member.main_record)
            answers.replies.pop(pk, None)
            answers.calls.pop(pk, None)


def unanswered(answers: Answers) -> list[Member]:
    """The members who have not answered, by name; guests are not asked. One query."""
    people = Member.objects.current().filter(club=answers.night.club_id).exclude(role=Member.Role.GUEST)
    silent = [member for member in people if member.pk not in answers.replies and member.pk not in answers.calls]
    return sorted(silent, key=lambda member: (member.called.casefold(), member.pk))


def reminder(night: Night, silent: Sequence[Member], address: str) -> str:
    """A text that asks for answers, to be sent to everybody: it names nobody whose name is hidden."""
    hour = f", {hour_text(night.begins)}" if night.begins else ""
    place = f", {night.place or night.club.place}" if night.place or night.club.place else ""
    names = ", ".join(member.shown for member in silent if not member.hidden)
    lines = [
        f"{night.club.name}: {night}, {date_format(night.on, 'j F Y')}{hour}{place}.",
        f"Are you coming? Answer here: {address}",
        *([f"No answer yet: {names}."] if names else []),
    ]
    return "\n".join(lines)


# When it can be answered


def moment_of(night: Night) -> datetime.datetime:
    """When it begins, in the time of the club; where no hour is fixed, at the usual one."""
    return datetime.datetime.combine(night.on, night.begins or USUAL_HOUR, night.club.zone)


def is_over(night: Night) -> bool:
    """Whether a night that has not begun no longer will: its day is over, and its hour long ago."""
    midnight = datetime.datetime.combine(night.on + A_DAY, datetime.time.min, night.club.zone)
    return timezone.now() >= max(midnight, moment_of(night) + WAITS)


def is_shut(night: Night) -> bool:
    """Whether nobody answers any more: it is closed or was put away, or its club was."""
    return bool(night.closed_at or night.archived_at or night.club.archived_at)


def is_open(night: Night) -> bool:
    """Whether it can still be answered: until its tables are opened, and not when it is over."""
    return not is_shut(night) and night.begun_at is None and not is_over(night)


def door_is_open(night: Night) -> bool:
    """Whether people check in now: from some hours before it begins, or from the beginning of its day where it has no
    hour, until it is closed; until the next morning where nobody closes it.
    """
    if is_shut(night):
        return False
    now, zone = timezone.now(), night.club.zone
    day = datetime.datetime.combine(night.on, datetime.time.min, zone)
    early = moment_of(night) - DOOR_OPENS
    if night.begun_at:
        return min(day, early) <= now < datetime.datetime.combine(night.on + A_DAY, DOOR_CLOSES, zone)
    return now >= (early if night.begins else day) and not is_over(night)


def night_at_door(nights: Iterable[Night]) -> Night | None:
    """The one of these nights that people check in to now: of several the one whose hour is nearest."""
    now = timezone.now()
    return min(filter(door_is_open, nights), key=lambda night: abs(moment_of(night) - now), default=None)


def near(club: Club) -> Q:
    """The nights of today; around midnight also of tomorrow if the door is open, and of yesterday if not yet begun."""
    now = timezone.now().astimezone(club.zone)
    soon, lately = now + DOOR_OPENS, now - WAITS
    nights = Q(on=now.date())
    if soon.date() > now.date():
        nights |= Q(on=soon.date(), begins__lte=soon.time())
    if lately.date() < now.date():
        nights |= Q(on=lately.date(), begins__gt=lately.time())
    return nights


def late_hour(night: Night) -> datetime.time:
    """The hour that is proposed to who comes late."""
    return (moment_of(night) + USUALLY_LATE).time()


# Answering


def reply(night: Night, member: Member, says: str, *, source: str, comes: datetime.time | None = None) -> None:
    """They answer `says` (one of `ANSWERS`), or change what they answered; `comes` is when, of who is late.

    The same answer again adds nothing. Raises `NotAnswered`.
    """
    if says not in ANSWERS:
        raise NotAnswered(NO_CHOICE)
    if says == Says.LATE and comes is None:
        raise NotAnswered(NO_HOUR)
    with transaction.atomic():
        fresh = held(night)
        if not is_open(fresh):
            raise NotAnswered(TOO_LATE)
        rows = rows_of(fresh, member)
        comes = comes if says == Says.LATE else None
        if rows and (rows[-1].says, rows[-1].comes) == (says, comes):
            return
        check_source(rows, source)
        add(fresh, member, rows, says, comes, source)


def take_back(night: Night, member: Member, *, source: str) -> None:
    """Undo their answer: nothing stands in its place. Who is there already undoes that alone (`check_out`).

    Raises `NotAnswered`.
    """
    with transaction.atomic():
        fresh = held(night)
        rows = rows_of(fresh, member)
        if not rows or rows[-1].says in (Says.NONE, Says.HERE):
            return
        if not is_open(fresh):
            raise NotAnswered(TOO_LATE)
        check_source(rows, source)
        add(fresh, member, rows, Says.NONE, None, source)


def check_in(night: Night, member: Member, *, source: str) -> None:
    """They are at the door. Twice is as good as once. Raises `NotAnswered`."""
    with transaction.atomic():
        fresh = held(night)
        if not door_is_open(fresh):
            raise NotAnswered(DOOR_IS_SHUT)
        rows = rows_of(fresh, member)
        if not rows or rows[-1].says != Says.HERE:
            add(fresh, member, rows, Says.HERE, None, source)


def check_out(night: Night, member: Member, *, source: str) -> None:
    """They are not there after all: what they had answered before stands again. A second time it does nothing.

    Raises `NotAnswered`.
    """
    with transaction.atomic():
        fresh = held(night)
        rows = rows_of(fresh, member)
        if not rows or rows[-1].says != Says.HERE:
            return
        if not door_is_open(fresh):
            raise NotAnswered(DOOR_IS_SHUT)
        if source == Reply.Source.PHONE and rows[-1].source != source:
            raise NotAnswered(NOT_BY_PHONE)
        before = next((row for row in reversed(rows) if row.says != Says.HERE), None)
        add(fresh, member, rows, before.says if before else Says.NONE, before.comes if before else None, source)


def held(night: Night) -> Night:
    """The night as it stands now; whoever else answers for it waits until the transaction is done."""
    fresh = Night.objects.select_for_update(of=("self",)).get(pk=night.pk)
    fresh.club = night.club
    return fresh


def rows_of(night: Night, member: Member) -> list[Reply]:
    """All they have answered for the night, by any of their records, the first first."""
    records = [record.pk for record in records_of(member)]
    return list(Reply.objects.filter(night=night, member__in=records).in_order())


def check_source(rows: Sequence[Reply], source: str) -> None:
    """Raises `NotAnswered` where a phone would replace what was answered signed in or by a personal link."""
    last = next((row for row in reversed(rows) if row.source != Reply.Source.PHONE), None)
    if source == Reply.Source.PHONE and last is not None and last.says != Says.NONE:
        raise NotAnswered(NOT_BY_PHONE)


def add(
    night: Night, member: Member, rows: Sequence[Reply], says: str, comes: datetime.time | None, source: str
) -> None:
    """Add a row to those they have. Raises `NotAnswered` where there are too many from that source."""
    alike = [row for row in rows if row.source == source and (row.says == Says.HERE) == (says == Says.HERE)]
    if len(alike) >= MOST_REPLIES:
        raise NotAnswered(TOO_OFTEN)
    Reply.objects.create(night=night, member=member.main_record, says=says, comes=comes, source=source)
    if source == Reply.Source.PHONE:
        label = Says(says).label
        text = f"On a phone that is not signed in, somebody answered for {member.main_record.name}: "
        write_down(night.club, f"{text}{label}, night of {night.on:%Y-%m-%d}.", by=None)
