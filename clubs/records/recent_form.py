"""The recent form of a member, and the players they mostly finish next to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Exists

from clubs.models import Club, Member, Placing
from clubs.records.charts import Curve, Dot
from clubs.records.games import OF_URL, url_of
from clubs.records.hands import Person, counted_placings
from clubs.standings.evidence import AWAY
from clubs.standings.schemes import WHOLE_TABLE, share_of
from rules.core.numbers import percent, percent_text

#: So many of the latest games are on the curve, and so many of them in a row make its line.
LATEST, IN_A_ROW = 30, 5


@dataclass(frozen=True)
class Neighbour:
    """Somebody who ended on the next place, above, below or level, in so many games."""

    member: Member
    games: int


def form_of(club: Club, person: Person) -> Curve | None:
    """The curve of their latest games in which more than one had a place; None before there are two. One query."""
    games = counted_placings(club, person.members).filter(place__isnull=False, players__gt=1)
    latest = Placing.objects.filter(pk__in=games.order_by("-table__night__on", "-table__pk").values("pk")[:LATEST])
    placings = (
        latest.annotate(away=Exists(AWAY))
        .select_related("table__night", "table__sheet", "table__stage__play_off")
        .only("place", "players", "sharing", "winner", "loser", *(f"table__{name}" for name in OF_URL))
        .order_by("table__night__on", "table__pk")
    )
    dots = [dot_of(club, placing) for placing in placings]
    if len(dots) < 2:
        return None
    last = dots[-IN_A_ROW:]
    ahead = percent(round(sum(dot.share for dot in last) * 1000), len(last) * 1000)
    says = f"In the last {len(last)} games ahead of {percent_text(ahead, 100)} of the table."
    if ahead in (0, 100):
        says = f"{'First' if ahead else 'Last'} in each of the last {len(last)} games."
    return Curve("form", f"The last {len(dots)} games", says, ("Game", "Place"), tuple(dots), IN_A_ROW)


def dot_of(club: Club, placing: Any) -> Dot:
    """One game on the curve; `placing.away`: somebody who had gone home has won it."""
    share = (share_of(placing.place, placing.players, placing.sharing) or 0) / WHOLE_TABLE
    won = placing.winner or (placing.place == 1 and not placing.away)
    kind = "box" if won else "circle" if placing.loser else ""
    on = placing.table.night.on
    return Dot(share, f"{on:%-d %b %Y}", f"{placing.place} of {placing.players}", url_of(club, placing.table), kind)


def neighbours_of(club: Club, person: Person, most: int = 3) -> list[Neighbour]:
    """Who ended on the next place most often, where more than two played; level counts, too. Two queries."""
    tables = counted_placings(club, person.members).filter(place__isnull=False, players__gt=2).values("table")
    rows = Placing.objects.filter(table__in=tables, place__isnull=False).order_by("table_id", "place")
    games: Counter[int] = Counter()
    for _, placed in groupby(rows.values_list("table", "member", "place"), key=itemgetter(0)):
        games.update(set(neighbours(list(placed), person.members)))
    people = Member.objects.select_related("same_as").in_bulk(games)
    together: Counter[Member] = Counter()
    for pk, times in games.items():
        together[people[pk].main_record] += times
    first = sorted(together.items(), key=lambda item: (-item[1], item[0].pk))[:most]
    return [Neighbour(member, times) for member, times in first]


def neighbours(placed: list[tuple[int, int, int | None]], members: frozenset[int]) -> Iterator[int]:
    """Who of a table ended level with these members, on the next place above or on the next below.

    >>> set(neighbours([(7, 1, 1), (7, 2, 2), (7, 3, 2), (7, 4, 4)], frozenset({4})))
    {2, 3}
    """
    places = sorted({place for _, _, place in placed if place is not None})
    for _, member, mine in placed:
        if member in members and mine is not None:
            at = places.index(mine)
            near = places[max(0, at - 1) : at + 2]
            yield from (other for _, other, place in placed if place in near and other not in members)
