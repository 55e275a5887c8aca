"""Names in an old book, and who that is: a member, or somebody the club does not know yet."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from clubs.people import new_member
from clubs.typed_holders import names_of
from rules.core.problems import Problem
from scoresheets.names import clean_name, same_name

if TYPE_CHECKING:
    from clubs.models import Club, Member

#: So many names that look alike are offered first.
MOST_ALIKE = 3


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
        self.names = names_of(club)
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
        return [one for one in self.found.values() if one.is_new]

    @property
    def known(self) -> list[Anybody]:
        """Who is."""
        return [one for one in self.found.values() if not one.is_new]

    def alike(self, one: Anybody) -> list[Member]:
        """Members whose names look like it, the likest first."""
        by_name = {same_name(name): member for name, member in self.called().items()}
        close = get_close_matches(same_name(one.name), list(by_name), n=MOST_ALIKE, cutoff=0.5)
        return list(dict.fromkeys(by_name[name] for name in close))

    def called(self) -> dict[str, Member]:
        """Every name of a member that counts."""
        return {
            name: member.who
            for members in self.names.members.values()
            for member in members
            for name in (member.name, member.nickname)
            if name
        }

    def settle(self, one: Anybody, picks: dict[str, Member]) -> None:
        """They are a member from now on: the one who was picked, by their key, or a new one."""
        if one.member is None:
            one.member = picks.get(one.key) or new_member(self.club, one.name)
