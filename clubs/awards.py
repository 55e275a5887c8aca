"""How trophies change hands: won, confirmed, handed over, and taken back.

Rows are only added, confirmed or set aside, so that every step has a way back. What an organiser does stands in the
diary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from clubs.models import Award

if TYPE_CHECKING:
    import datetime

    from clubs.models import Member, Table, Trophy


def award(
    trophy: Trophy, member: Member | None, *, on: datetime.date, source: str, table: Table | None = None, why: str = "",
    name: str = "", by: Member | None = None, confirmed: bool | None = None,
) -> Award:  # fmt: skip
    """Somebody has won the trophy: a `member`, or somebody called `name` who is none. Once for each table.

    It waits for an organiser, or is confirmed at once if the club prefers that or `confirmed` says so (then `by` is
    who confirmed it). The trophy stays where it is until it is handed over.
    """
    sure = trophy.club.awards_at_once if confirmed is None else confirmed
    now = timezone.now()
    with transaction.atomic():
        if table is not None and (standing := Award.objects.standing().filter(trophy=trophy, table=table).first()):
            if standing.who == (member.who if member else None):
                return standing
            set_aside(standing)
        return Award.objects.create(
            trophy=trophy, member=member, name=name, on=on, source=source, table=table, why=why,
            confirmed_at=now if sure else None, confirmed_by=by if sure else None,
        )  # fmt: skip


def set_aside(award: Award) -> None:
    """The award does not count any more; `put_back` is the way back."""
    award.set_aside_at = timezone.now()
    award.save(update_fields=["set_aside_at"])
