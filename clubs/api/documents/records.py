"""The records of a club, game by game."""

from __future__ import annotations

from clubs.api.documents.clubs import PERSON, person_document
from clubs.api.shapes import Named
from clubs.models import Club, PersonalBest
from clubs.records.bests import RecordKind, best_of, kinds_of
from clubs.records.records import BEST
from rules.core.files.schema import Date, ListOf, Members, Text, Whole

BEST_ONE = Named("PersonalBest", Members(
    {"value": Whole(), "person": PERSON, "on": Date(), "hand": Whole(0), "table": Text()}, {}
))  # fmt: skip
RECORD = Named("Record", Members(
    {"record": Text(), "name": Text(), "meaning": Text(), "unit": Text(), "best": ListOf(BEST_ONE)}, {}
))  # fmt: skip
PLAYED = Named("PlayedGame", Members({"game": Text(), "games": Whole(1)}, {}))
RECORDS = Named("Records", Members(
    {"played": ListOf(PLAYED), "game": Text(), "records": ListOf(RECORD)}, {}
))  # fmt: skip


def record_documents(club: Club, game: str) -> list[dict[str, object]]:
    """The records of that game (slug), each with the best, the first of equals first. One query."""
    kinds = kinds_of(game)
    best = best_of(PersonalBest.objects.counting().filter(club=club, game=game), kinds, BEST)
    return [record_document(kind, best[kind.key]) for kind in kinds if best[kind.key]]


def record_document(kind: RecordKind, bests: list[PersonalBest]) -> dict[str, object]:
    """`hand` is the hand in which it was, 0: the game as a whole."""
    return {
        "record": kind.key, "name": kind.name, "meaning": kind.meaning, "unit": kind.unit,
        "best": [
            {
                "value": best.value, "person": person_document(best.member), "on": best.table.night.on.isoformat(),
                "hand": best.hand, "table": best.table.uid,
            }
            for best in bests
        ],
    }  # fmt: skip
