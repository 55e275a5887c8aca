"""Names in an imported file, matched with members, or new to the club."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from heapq import nlargest

from clubs.models import Club, Member
from clubs.trophies.past_holders import members_by_name
from rules.core.problems import Problem
from scoresheets.log.text import clean_name, same_name

#: So many names that look alike are offered first; so many are compared letter by letter, which takes long.
MOST_ALIKE, MOST_COMPARED = 3, 60


@dataclass
class Anybody:
    """A name as it is written, and the member it is; None as long as nobody has said who that is."""

    name: str
    member: Member | None = None

    @property
    def key(self) -> str:
        """The same for all spellings of one person."""
        return f"member {self.member.pk}" if self.member and not self.is_new else f"name {same_name(self.name)}"

    @property
    def pk(self) -> int | None:
        return self.member.pk if self.member and not self.is_new else None

    is_new: bool = False


class People:
    """Everybody in a book, each once."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.names = members_by_name(club)
        self.found: dict[str, Anybody] = {}

    def find(self, name: str) -> Anybody | Problem:
        """Who that is; a problem where it is no name, or the name of several."""
        cleaned = clean_name(name)
        if isinstance(cleaned, Problem):
            return cleaned
        key = same_name(cleaned)
        if key not in self.found:
            member = self.names.find(cleaned)
            if isinstance(member, Problem):
                return member
            self.found[key] = Anybody(cleaned, member, is_new=member is None)
        return self.found[key]

    @property
    def unknown(self) -> list[Anybody]:
        """Who is not known."""
        return [person for person in self.found.values() if person.is_new]

    @property
    def known(self) -> list[Anybody]:
        """Who is."""
        return [person for person in self.found.values() if not person.is_new]

    def alike(self, person: Anybody) -> list[Member]:
        """Members whose names look like it, the likest first."""
        name = same_name(person.name)
        mine = pairs_of(name)
        near = nlargest(MOST_COMPARED, self.called, key=lambda other: len(mine & self.called[other][1]))
        close = get_close_matches(name, near, n=MOST_ALIKE, cutoff=0.5)
        return list(dict.fromkeys(self.called[other][0] for other in close))

    @cached_property
    def called(self) -> dict[str, tuple[Member, set[str]]]:
        """Every name by which a member that counts is known, with its pairs of letters."""
        return {
            same_name(name): (member.main_record, pairs_of(same_name(name)))
            for members in self.names.members.values()
            for member in members
            for name in (member.name, member.nickname)
            if name
        }


def pairs_of(name: str) -> set[str]:
    """The pairs of letters next to each other: names that look alike share many.

    >>> sorted(pairs_of("anna"))
    ['an', 'na', 'nn']
    """
    return {name[at : at + 2] for at in range(len(name) - 1)}
