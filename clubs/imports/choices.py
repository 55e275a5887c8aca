"""The choices of an organiser for unknown names, stored with the uploaded file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clubs.imports.names import Anybody, People
from clubs.models import Club, Member, Upload
from rules.core.problems import Problem

LONGEST_TYPED = 40


@dataclass(frozen=True)
class Choice:
    """A name nobody knew, by its place among them, and what was chosen for it just now.

    `pk`: the id of the member; 0: somebody new; None: it is not on this page. `problem`: why a name that was `typed`
    is no member's.
    """

    place: int
    person: Anybody
    pk: int | None = None
    typed: str = ""
    problem: str = ""

    @property
    def name(self) -> str:
        return self.person.name


def choices_of(people: People, posted: Mapping[str, str]) -> list[Choice]:
    """Every name nobody knew, with what was chosen for it just now."""
    return [choice_at(place, unknown, people, posted) for place, unknown in enumerate(people.unknown, 1)]


def choice_at(place: int, unknown: Anybody, people: People, posted: Mapping[str, str]) -> Choice:
    """The choice for one name: somebody of the list, or a member whose name was typed."""
    pk = posted.get(f"who-{place}")
    if pk is None:
        return Choice(place, unknown)
    picked = int(pk) if pk.isascii() and pk.isdecimal() and len(pk) < 10 else 0
    typed = " ".join(posted.get(f"other-{place}", "").split())[:LONGEST_TYPED]
    if not typed:
        return Choice(place, unknown, picked)
    member = people.names.find(typed)
    if isinstance(member, Problem):
        return Choice(place, unknown, picked, typed, member.message)
    if member is None:
        return Choice(place, unknown, picked, typed, f"Nobody in the club is called {typed}.")
    return Choice(place, unknown, member.pk)


def keep(upload: Upload, choices: list[Choice]) -> None:
    """Keep what was chosen on this page beside what was chosen on the others."""
    picks = upload.picks | {choice.person.key: choice.pk for choice in choices if choice.pk is not None}
    upload.picks = {key: pk for key, pk in picks.items() if pk}
    upload.save(update_fields=["picks"])


def picks_of(upload: Upload, club: Club) -> dict[str, Member]:
    """Who was chosen, by the key of the name: people of this club, and nobody else."""
    members = club.members.people().in_bulk(set(upload.picks.values()))
    return {key: members[pk] for key, pk in upload.picks.items() if pk in members}


def rows_of(
    choices: list[Choice], people: People, picks: Mapping[str, Member], everybody: list[Member]
) -> Iterator[dict[str, object]]:
    """What a page shows of some names: who may be chosen first, and who is."""
    for choice in choices:
        picked = picks.get(choice.person.key)
        alike = people.alike(choice.person)
        first = alike if picked is None or picked in alike or picked in everybody else [picked, *alike]
        yield {
            "place": choice.place, "name": choice.name, "first": first,
            "others": [member for member in everybody if member not in first], "picked": picked,
            "typed": choice.typed, "problem": choice.problem,
        }  # fmt: skip
