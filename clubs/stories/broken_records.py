"""Records of the club that were broken on a night: better than everything of the nights before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, IntegerField, Max, Min, Q, QuerySet, Value

from clubs.models import Night, PersonalBest
from clubs.records.bests import RecordKind, kinds_of
from rules import UnknownGame, find_game
from rules.core.numbers import bare

#: Records that nobody is proud of begin like this: a story says nothing of them.
UNKIND = ("Worst", "Lowest")


@dataclass(frozen=True)
class BrokenRecord:
    """A record of a game that was broken, and the bests that did it: of several the first table first."""

    game: str
    kind: RecordKind
    bests: tuple[PersonalBest, ...]

    @property
    def value(self) -> str:
        """With its unit: "12 points"."""
        value = self.bests[0].value
        return f"{bare(value)} {self.kind.unit_of(value)}".strip()


def broken_records(nights: Iterable[Night]) -> dict[int, list[BrokenRecord]]:
    """By night (id), in the order of the games and their kinds. Nights of one club. Two queries.

    Later nights change nothing: a record that was broken again has been broken all the same. The first time that
    something is measured breaks no record, and what is just for fun breaks none.
    """
    nights = list(nights)
    bests = PersonalBest.objects.counting().filter(table__night__in=nights)
    of: dict[int, list[PersonalBest]] = {night.pk: [] for night in nights}
    for best in bests.select_related("table__sheet", "member__same_as").order_by("table__number", "member", "what"):
        of[best.table.night_id].append(best)
    before = best_before([night for night in nights if of[night.pk]])
    return {night.pk: list(broken_by(of[night.pk], before.get(night.pk, {}))) for night in nights}


def broken_by(
    bests: list[PersonalBest], before: Mapping[tuple[str, str], tuple[int, int]]
) -> Iterator[BrokenRecord]:  # fmt: skip
    """The records that these bests of a night have broken: `before` are the least and the most until then."""
    for slug in sorted({best.game for best in bests}):
        for kind in kind_records(slug):
            values = [best.value for best in bests if (best.game, best.what) == (slug, kind.what)]
            past = before.get((slug, kind.what))
            if not values or past is None:
                continue
            top, old = (max(values), past[1]) if kind.how == "most" else (min(values), past[0])
            if (top > old) if kind.how == "most" else (top < old):
                did = [best for best in bests if (best.game, best.what, best.value) == (slug, kind.what, top)]
                yield BrokenRecord(find_game(slug).name, kind, tuple(did))


def best_before(nights: list[Night]) -> dict[int, dict[tuple[str, str], tuple[int, int]]]:
    """The least and the most of everything on the nights before each, by night (id), game and what it is. One query."""
    if not nights:
        return {}
    first, *others = [bests_before(night) for night in nights]
    before: dict[int, dict[tuple[str, str], tuple[int, int]]] = {night.pk: {} for night in nights}
    for pk, game, what, least, most in first.union(*others, all=True):
        before[pk][game, what] = (least, most)
    return before


def bests_before(night: Night) -> QuerySet[PersonalBest, Any]:
    """A row each: the night's id, game, what it is, the least, the most."""
    earlier = Q(table__night__on__lt=night.on) | Q(table__night__on=night.on, table__night__lt=night.pk)
    rows = PersonalBest.objects.counting().filter(earlier, club=night.club_id).order_by()
    named = rows.annotate(before=Value(night.pk, IntegerField()), of=F("game"), kind=F("what"))
    return named.values("before", "of", "kind").annotate(least=Min("value"), most=Max("value")).values_list(
        "before", "of", "kind", "least", "most"
    )  # fmt: skip


def kind_records(slug: str) -> list[RecordKind]:
    """The records of a game that a story may speak of; none of a game that the site has no more."""
    try:
        return [kind for kind in kinds_of(slug) if not kind.name.startswith(UNKIND)]
    except UnknownGame:
        return []
