"""Who went home before a trophy was handed to them."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from django.utils import timezone

from clubs.models import Award, Call, Placing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clubs.models import Member
    from clubs.tonight import Evening


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
    return [award for award in awards if award.who in gone and not is_in_hands(award)]


def is_in_hands(award: Award) -> bool:
    """Whether who won it has it from another time."""
    latest = Award.objects.was_handed().filter(trophy=award.trophy_id).select_related("member__same_as")
    kept = latest.order_by("-handed_at", "-pk").first()
    return kept is not None and kept.person == award.person


def gone_home(evening: Evening) -> set[Member]:
    """Who has left: by the roll call, or in the middle of the last table they came to."""
    gone = {
        call.member.who for call in evening.night.calls.select_related("member__same_as") if has_left(evening, call)
    }
    placings = Placing.objects.filter(table__night=evening.night, table__withdrawn_at__isnull=True)
    ordered = placings.select_related("member__same_as").order_by("table__created", "table")
    stayed = {placing.member.who: placing.place is not None for placing in ordered}
    return gone | {member for member, to_the_end in stayed.items() if not to_the_end}


def has_left(evening: Evening, call: Call) -> bool:
    """Whether the answer says that they are not there any more."""
    if call.says == Call.Says.NOT:
        return True
    if call.leaves is None:
        return False
    night = evening.night
    leaves = datetime.datetime.combine(night.on, call.leaves, tzinfo=night.club.zone)
    if night.begins and call.leaves < night.begins:
        # After midnight.
        leaves += datetime.timedelta(days=1)
    return timezone.now() >= leaves
