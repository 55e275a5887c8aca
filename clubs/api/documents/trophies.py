"""The trophies of a club, and who holds them."""

from __future__ import annotations

from clubs.api.documents.clubs import PERSON, person_document
from clubs.api.shapes import Named
from clubs.models import Award, Trophy
from clubs.trophies.register import Holding
from rules.core.files.schema import Among, Date, Flag, ListOf, Members, OrNull, Text, Whole

HELD = Named("Award", Members(
    {
        "uid": Text(), "person": PERSON, "on": Date(), "exact": Among(tuple(Award.Exact.values)), "why": Text(),
        "table": OrNull(Text()),
    },
    {},
))  # fmt: skip
TROPHY = Named("Trophy", Members(
    {
        "uid": Text(), "name": Text(), "about": Text(), "goes": Among(tuple(Trophy.Goes.values)), "won": OrNull(HELD),
        "since": OrNull(Date()), "times_running": Whole(0), "with": OrNull(PERSON), "unconfirmed": Flag(),
    },
    {},
))  # fmt: skip
TROPHIES = Members({"trophies": ListOf(TROPHY)}, {})


def trophy_document(holding: Holding) -> dict[str, object]:
    """A trophy: the award of its holder, since when and how often running, and who has it in their hands."""
    trophy, won, kept = holding.trophy, holding.won, holding.kept
    return {
        "uid": trophy.uid, "name": trophy.name, "about": trophy.about, "goes": trophy.goes,
        "won": award_document(won) if won else None, "since": holding.first.on.isoformat() if holding.first else None,
        "times_running": holding.times, "with": person_document(kept.member, kept.name) if kept else None,
        "unconfirmed": bool(holding.waiting),
    }  # fmt: skip


def award_document(award: Award) -> dict[str, object]:
    return {
        "uid": award.uid, "person": person_document(award.member, award.name), "on": award.on.isoformat(),
        "exact": award.exact, "why": award.why, "table": award.table.uid if award.table else None,
    }  # fmt: skip
