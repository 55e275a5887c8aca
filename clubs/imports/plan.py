"""The plan of a confirmed import, stored in its upload until everything is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from clubs.imports import holders, results
from clubs.imports.steps import Person, Step
from clubs.models import Member

Book = results.Results | holders.Holders


@dataclass
class Plan:
    """Everybody in the file, and the steps that say of them by their number what is written."""

    people: list[Person]
    steps: list[Step]

    @property
    def total(self) -> int:
        """How much there is to write."""
        return sum(step["count"] for step in self.steps)

    @cached_property
    def new(self) -> list[int]:
        """Where those stand who are no members."""
        return [at for at, person in enumerate(self.people) if person.member is None]

    def with_newcomers(self, members: Sequence[int]) -> list[Person]:
        """Everybody, where the first who were new are these members (ids) now."""
        people = list(self.people)
        for at, member in zip(self.new, members, strict=False):
            people[at] = people[at]._replace(member=member)
        return people

    def packed(self) -> bytes:
        """The plan as it is kept."""
        return json.dumps([self.people, self.steps], separators=(",", ":")).encode()


def plan_of(book: Book, picks: Mapping[str, Member]) -> Plan:
    """What the file says, with who was picked for a name that nobody knew."""
    everybody = list(book.people.found.values())
    people = []
    for person in everybody:
        member = picks.get(person.key) or person.member
        people.append(Person(person.name, member.pk if member else None))
    places = {person.key: at for at, person in enumerate(everybody)}
    kind = results if isinstance(book, results.Results) else holders
    return Plan(people, kind.steps_of(book, places))


@lru_cache(maxsize=1)
def unpacked(content: bytes) -> Plan:
    """The plan that was kept. The worker asks for the same one with every piece, and changes nothing in it."""
    people, steps = json.loads(content)
    return Plan([Person(*person) for person in people], steps)
