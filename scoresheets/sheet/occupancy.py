"""The occupants of several tables, without reading their hands."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import Q

from rules.core.fields import SHEET, Address
from scoresheets.log.aliases import aliases_of
from scoresheets.log.identity import SEATING
from scoresheets.log.occupants import Chair, Occupancy
from scoresheets.log.state import SET_UP
from scoresheets.models import Entry, Seat, Sheet

#: Entries that say who sits there: the set-up, and what changes it.
WHO_SITS = Q(hand=SHEET, ask=SET_UP[1])
for start in SEATING:
    WHO_SITS |= Q(ask__startswith=start)


def sittings_of(
    sheets: Collection[int], aliases: Mapping[int, Mapping[int, str]] | None = None
) -> dict[int, Occupancy]:
    """Who sits and sat at each of the sheets (ids). Two queries, however many they are."""
    rows = Entry.objects.filter(WHO_SITS, sheet__in=sheets).standing()
    standing: dict[int, dict[Address, Mapping[str, Any]]] = {}
    for sheet, hand, ask, data in rows.values_list("sheet", "hand", "ask", "data"):
        standing.setdefault(sheet, {})[hand, ask] = data
    chairs: dict[int, dict[int, Chair]] = {}
    seats = Seat.objects.filter(sheet__in=sheets).order_by("sheet", "number")
    for sheet, number, pk, player, name in seats.values_list("sheet", "number", "pk", "player", "name"):
        chairs.setdefault(sheet, {})[number] = Chair(pk, player, name)
    return {
        sheet: Occupancy(sat, there.get(SET_UP, {}).get("seats", ()), there, (aliases or {}).get(sheet))
        for sheet, sat in chairs.items()
        if (there := standing.get(sheet, {})) is not None
    }


def called_at(records: Sequence[Sheet]) -> dict[int, list[str]]:
    """What everybody is called at each of the sheets, by their ids, seat by seat: for a list, in two queries.

    A third, for hidden names.
    """
    sittings = sittings_of([record.pk for record in records], aliases_of(records))
    return {sheet: [chair.name for chair in sitting.now.values()] for sheet, sitting in sittings.items()}
