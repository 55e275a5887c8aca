"""Winners who went home before a trophy was handed over to them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping

from django.utils import timezone

from clubs.evening.summary import Evening
from clubs.models import Attendance, Award, Member, Placing


def due_to_gone(evenings: Iterable[Evening]) -> list[Award]:
    """Awards of these nights whose winners went home without the trophy. One query a night that has an end, or none."""
    return [award for evening in evenings for award in due_on(evening)]


def due_on(evening: Evening) -> list[Award]:
    """The same of one night."""
    if not any(seen.is_over for seen in evening.tables):
        return []
    standing = Award.objects.standing().filter(
        table__night=evening.night, table__withdrawn_at__isnull=True, handed_at__isnull=True, member__isnull=False,
        trophy__archived_at__isnull=True,
    )  # fmt: skip
    awards = list(standing.select_related("trophy", "member__same_as").order_by("trophy", "pk"))
    gone = gone_home(evening) if awards else set()
    return [award for award in awards if award.recipient in gone and not is_in_hands(award)]


def is_in_hands(award: Award) -> bool:
    """Whether who won it has it from another time."""
    latest = Award.objects.was_handed().filter(trophy=award.trophy_id).select_related("member__same_as")
    kept = latest.order_by("-handed_at", "-pk").first()
    return kept is not None and kept.person == award.person


def gone_home(evening: Evening) -> set[Member]:
    """Who has left: by the roll call, or in the middle of the last table they came to."""
    placings = Placing.objects.filter(table__night=evening.night, table__withdrawn_at__isnull=True)
    ordered = placings.select_related("member__same_as", "table").order_by("table__created", "table")
    last = {placing.member.main_record: placing for placing in ordered}
    calls = evening.night.attendances.select_related("member__same_as")
    left = {call.member.main_record for call in calls if has_left(evening, call) and not came_after(call, last)}
    return left | {member for member, placing in last.items() if placing.place is None}


def came_after(call: Attendance, last: Mapping[Member, Placing]) -> bool:
    """Whether somebody who would not come has played at a table that was opened later: `last` is what they played."""
    placing = last.get(call.member.main_record)
    return call.says == Attendance.Says.NOT and placing is not None and placing.table.created > call.at


def has_left(evening: Evening, call: Attendance) -> bool:
    """Whether the answer says that they are not there any more."""
    if call.says == Attendance.Says.NOT:
        return True
    if call.leaves is None:
        return False
    night = evening.night
    leaves = datetime.datetime.combine(night.on, call.leaves, tzinfo=night.club.zone)
    if night.begins and call.leaves < night.begins:
        # After midnight.
        leaves += datetime.timedelta(days=1)
    return timezone.now() >= leaves
