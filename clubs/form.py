"""How somebody has been playing lately, and beside whom he mostly ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, F, OuterRef, Subquery
from django.db.models.functions import Greatest, Least

from clubs.charts import Curve, Dot, percent
from clubs.games import url_of
from clubs.hands import counted
from clubs.models import Member, Placing

if TYPE_CHECKING:
    from clubs.hands import Person
    from clubs.models import Club

#: So many of the latest games are on the curve, and so many of them in a row make its line.
LATEST, IN_A_ROW = 30, 5


@dataclass(frozen=True)
class Beside:
    """Somebody who ended on the next place, above, below or level, in so many games."""

    member: Member
    games: int


def form_of(club: Club, person: Person) -> Curve | None:
    """The curve of his latest games in which more than one had a place; None before there are two. One query."""
    latest = (
        counted(club, person.members)
        .filter(place__isnull=False, players__gt=1)
        .select_related("table__night", "table__sheet")
        .order_by("-table__night__on", "-table")[:LATEST]
    )
    dots = [dot_of(club, placing) for placing in reversed(latest)]
    if len(dots) < 2:
        return None
    last = dots[-IN_A_ROW:]
    ahead = percent(round(sum(dot.share for dot in last) * 1000), len(last) * 1000)
    says = f"In the last {len(last)} games ahead of {ahead} % of the table."
    return Curve("form", f"Form: the last {len(dots)} games", says, ("Game", "Place"), tuple(dots), IN_A_ROW)


def dot_of(club: Club, placing: Placing) -> Dot:
    """One game on the curve."""
    share = (placing.players - (placing.place or 0)) / (placing.players - 1)
    kind = "box" if placing.winner else "circle" if placing.loser else ""
    on = placing.table.night.on
    return Dot(share, f"{on:%-d %b %Y}", f"{placing.place} of {placing.players}", url_of(club, placing.table), kind)


def beside_of(club: Club, person: Person, most: int = 3) -> list[Beside]:
    """Who ended on the next place most often, where more than two played; level counts, too. Two queries."""
    mine = Placing.objects.filter(table=OuterRef("table"), member__in=person.members, place__isnull=False)
    between = Placing.objects.filter(
        table=OuterRef("table"),
        place__gt=Least(OuterRef("mine"), OuterRef("place")),
        place__lt=Greatest(OuterRef("mine"), OuterRef("place")),
    )
    tables = counted(club, person.members).filter(place__isnull=False, players__gt=2).values("table")
    rows = (
        Placing.objects.filter(table__in=tables, place__isnull=False)
        .exclude(member__in=person.members)
        .annotate(mine=Subquery(mine.values("place")[:1]))
        .filter(~Exists(between))
        .values(who=F("member__same_as"), played_as=F("member"))
        .annotate(games=Count("pk"))
    )
    games: Counter[int] = Counter()
    for row in rows:
        games[row["who"] or row["played_as"]] += row["games"]
    first = sorted(games.items(), key=lambda item: (-item[1], item[0]))[:most]
    people = Member.objects.in_bulk([pk for pk, _ in first])
    return [Beside(people[pk], count) for pk, count in first]
