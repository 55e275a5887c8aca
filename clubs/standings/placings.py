"""The placings of members at a club's tables, as the sheets publish them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from django.db.models import Count, F, Q, QuerySet

from clubs.models import Member, Placing, Table
from scoresheets.models import FinalPlacing, HandFact

FIGURES = ("hands", "boxes", "circles", "bids", "made")
#: How the database counts them from the facts of hands.
HAND_FIGURES = {
    "hands": Count("pk"),
    "boxes": Count("pk", filter=Q(box=True)),
    "circles": Count("pk", filter=Q(circle=True)),
    "bids": Count("pk", filter=Q(bid__isnull=False)),
    "made": Count("pk", filter=Q(bid=F("tricks"))),
}


def keep_placings(table: Table, members: Mapping[int, Member]) -> list[Placing]:
    """Make the placings of the table again from what its sheet has told: none, while it is running.

    `members`: as whom the club knows the players (ids) of its sheet. A table of the past has no sheet, and keeps what
    was typed. A stranger has no placing. Where two seats were one member's, who left and came back under another name,
    the better counts.
    """
    if table.sheet is None:
        return list(table.placings.all())
    Placing.objects.filter(table=table).delete()
    if table.withdrawn_at is not None:
        return []
    ended = list(FinalPlacing.objects.filter(sheet=table.sheet))
    figures = sheet_figures(table)
    players = sum(final.place is not None for final in ended)
    at_place: Counter[int | None] = Counter(final.place for final in ended if final.place is not None)
    placings: dict[int, Placing] = {}
    for final in sorted(ended, key=lambda final: (final.place is None, final.place or 0)):
        member = members.get(final.player_id)
        if member is not None and member.pk not in placings:
            placings[member.pk] = Placing(
                table=table, member=member, place=final.place, score=final.score, winner=final.winner,
                loser=final.loser, players=players, sharing=max(0, at_place[final.place] - 1),
                **figures.get(final.player_id, {}),
            )  # fmt: skip
    return Placing.objects.bulk_create(placings.values())


def count_sharing(tables: QuerySet[Table]) -> None:
    """Say of the placings of tables of the past how many others had the same place. Two queries."""
    placings = list(Placing.objects.filter(table__in=tables, place__isnull=False))
    at_place = Counter((placing.table_id, placing.place) for placing in placings)
    changed = []
    for placing in placings:
        sharing = at_place[placing.table_id, placing.place] - 1
        if placing.sharing != sharing:
            placing.sharing = sharing
            changed.append(placing)
    Placing.objects.bulk_update(changed, ["sharing"], batch_size=500)


def sheet_figures(table: Table) -> dict[int, dict[str, int]]:
    """Hands, boxes, circles, bids and bids made of each player (id) of the table's sheet. One query."""
    rows = HandFact.objects.filter(sheet=table.sheet_id).values("player").annotate(**HAND_FIGURES)
    return {row["player"]: {name: row[name] for name in FIGURES} for row in rows}  # type: ignore[literal-required]
