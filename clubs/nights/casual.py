"""Casual tables beside a night that counts, for players who are done with a play-off before the others."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from clubs.models import Attendance, Member, Night
from clubs.nights.nights import plan_nights

TITLE = "Beside the play-off"


def night_for_fun(beside: Night, members: Iterable[Member], others: Iterable[Member]) -> Night:
    """A night of the same day that counts for nothing, with these on its roll and the `others` not. Twice is as good
    as once: what was answered at its roll call stays.
    """
    like = Night(club=beside.club, on=beside.on, title=TITLE, place=beside.place, for_fun=True)
    here = {member.identity for member in members}
    with transaction.atomic():
        (night,) = plan_nights(like)
        calls = [
            Attendance(night=night, member_id=pk, says=Attendance.Says.HERE if pk in here else Attendance.Says.NOT)
            for pk in sorted(here | {member.identity for member in others})
        ]
        Attendance.objects.bulk_create(calls, ignore_conflicts=True)
    return night
