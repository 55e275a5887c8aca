"""Proposals about a trophy, by a table or by the play-off of a night.

They are compared with the current awards. A proposal changes with its source; about a confirmed award a question is
asked. No confirmed trophy moves by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.utils.dateformat import format as date_format

from clubs.models import Award, Member, Night, Table, Trophy
from clubs.models.trophy import person_of
from clubs.trophies.awards import award, drop_disputes, lay_aside, raise_dispute


@dataclass(frozen=True)
class Nominee:
    """Who has won or lost: a member, or (None) somebody of that name whom the club does not know.

    `table` is where it was decided.
    """

    member: Member | None
    name: str
    why: str
    table: Table

    @property
    def person(self) -> str:
        return person_of(self.member, self.name)


@dataclass(frozen=True)
class Decision:
    """What a table, or a play-off, has decided: whom it names, by the kind of trophy (`Trophy.Goes`).

    `because` says in a sentence why it decides about no trophy, "" where it does; None: nobody can say yet, and what
    it decided before is compared all the same. `whose` and `nobody` are how a question about it begins, and how it goes
    on where it names nobody. `awards` are all of it that there ever were, of any trophy.
    """

    night: Night
    source: str
    awards: QuerySet[Award]
    whose: str
    nobody: str
    because: str | None = ""
    named: Mapping[str, Nominee] = field(default_factory=dict)
    version: int = 0


def why_nothing(night: Night) -> str:
    """Why nothing of the night decides about trophies, in a sentence; "" where something may."""
    day = date_format(night.on, "j F Y")
    if night.archived_at is not None:
        return f"The night of {day} was archived."
    if night.for_fun:
        return f"The night of {day} is just for fun."
    return f"No trophies were played for on {day}." if night.trophies == Night.Follows.NOTHING else ""


def look_at(trophy: Trophy, decision: Decision) -> None:
    """Compare the decision with what stands of one trophy, which nobody else changes meanwhile."""
    named, because = decision.named.get(trophy.goes), decision.because
    awards = decision.awards.filter(trophy=trophy)
    standing = awards.standing().select_related("member__same_as").order_by("pk").first()  # type: ignore[attr-defined]
    if standing is None:
        if named is not None and because is not None:
            propose(trophy, decision, named)
        return
    if standing.on != decision.night.on:
        standing.on = decision.night.on
        standing.save(update_fields=["on"])
    if named is not None and standing.member is None and standing.name == named.name and named.member is not None:
        # Whom nobody knew when it was won has been found among the members.
        standing.member, standing.name = named.member, ""
        standing.save(update_fields=["member", "name"])
    if named is not None and standing.person == named.person:
        if (standing.why, standing.table_id) != (named.why, named.table.pk):
            standing.why, standing.table = named.why, named.table
            standing.save(update_fields=["why", "table"])
        drop_disputes(standing)
    elif standing.confirmed_at is None:
        lay_aside(standing)
        if named is not None:
            propose(trophy, decision, named)
    else:
        sentence = because or f"{decision.whose} {'names {} now.' if named else decision.nobody}"
        member, name = (named.member, "" if named.member else named.name) if named else (None, "")
        raise_dispute(standing, sentence, member=member, name=name, version=decision.version)


def propose(trophy: Trophy, decision: Decision, named: Nominee) -> None:
    """It was decided about the trophy.

    What an organiser took back by hand is not brought up again. Where something else was said before, or another award
    of that night is confirmed, an organiser is asked in every club.
    """
    night = decision.night
    if trophy.archived_at is not None or night.on < trophy.added_at.astimezone(night.club.zone).date():
        return
    before = list(decision.awards.filter(trophy=trophy).select_related("member__same_as"))
    if any(won.undone and won.person == named.person for won in before):
        return
    elsewhere = Award.objects.confirmed().filter(trophy=trophy, table__night=night)
    award(
        trophy, named.member, name=named.name, on=night.on, source=decision.source, table=named.table, why=named.why,
        confirmed=night.club.awards_at_once and not before and not elsewhere.exists(),
    )  # fmt: skip
