"""The members behind the players of sheets."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from django.db.models import prefetch_related_objects

from clubs.models import Club, Member, PlayerAlias
from clubs.models.member import shown_name
from scoresheets.log.text import same_name
from scoresheets.models.sheet import LONGEST_NAME


class Identities:
    """Who players are in the club, looked up for all of them together as soon as somebody asks for one."""

    def __init__(self, club: Club | None = None, players: Collection[int] = ()) -> None:
        self.club, self.players = club, players

    @cached_property
    def members(self) -> dict[int, Member]:
        """By their players (ids). Two queries; a third for merged records."""
        members = members_of_players(self.club, self.players) if self.club else {}
        prefetch_related_objects([member for member in members.values() if member.same_as_id], "same_as")
        return {player: member.main_record for player, member in members.items()}

    @cached_property
    def shown(self) -> dict[int, str]:
        """What they are called on one page, by their players (ids): two of one name are told apart."""
        # Of hundreds of people their names alone are read much quicker than all that is known of them.
        named: Mapping[int, Member | NamedMember] = self.members if "members" in self.__dict__ else self.names
        people = {person.pk: person for person in named.values()}
        called = distinct_names([people[pk] for pk in sorted(people)])
        return {player: called[person.pk] for player, person in named.items()}

    @property
    def names(self) -> Mapping[int, NamedMember]:
        """Everybody's names, by players (ids). Two queries."""
        names_by_player: dict[int, NamedMember] = {}
        sources = (
            (PlayerAlias.objects.filter(member__isnull=False), "member__"),
            (Member.objects.all(), ""),
        )
        for source, to in sources if self.club else ():
            fields = NamedMember._fields
            names = [f"{path}{field}" for path in (to, f"{to}same_as__") for field in fields]
            rows = source.filter(club=self.club, player__in=self.players).values_list("player", *names)
            for player, *values in rows:
                own, counts = values[: len(fields)], values[len(fields) :]
                names_by_player[player] = NamedMember(*(own if counts[0] is None else counts))
        return names_by_player


class NamedMember(NamedTuple):
    """Somebody of the club by what they are called, as `Member` has it."""

    pk: int
    name: str
    nickname: str
    hidden: bool
    shown_as: str

    @property
    def shown(self) -> str:
        return shown_name(*self[1:])


def distinct_names(members: Sequence[Member | NamedMember]) -> Mapping[int, str]:
    """What everybody is called on one sheet or page, by members (ids): two of one name are told apart."""
    called: dict[int, str] = {}
    taken: set[str] = set()
    for member in members:
        own = member.shown if member.hidden or member.shown_as else member.name
        more = (f"{own[: LONGEST_NAME - 4]} {count}" for count in itertools.count(2))
        tries = itertools.chain([member.shown, own], more)
        called[member.pk] = next(name for name in tries if same_name(name) not in taken)
        taken.add(same_name(called[member.pk]))
    return called


NOBODY_KNOWN = Identities()


def members_of_players(club: Club, players: Iterable[int]) -> dict[int, Member]:
    """As which member of the club each of these players (ids) is known; strangers are not in it. One query or two."""
    return {player: member for player, member in players_known(club, players).items() if member is not None}


def players_known(club: Club, players: Iterable[int]) -> dict[int, Member | None]:
    """The same, with None for those of whom an organiser has said that the club does not keep them.

    Names that wait for an organiser are not in it. One query where all of them are records of members, else two.
    """
    wanted = set(players)
    members: dict[int, Member | None] = {
        member.player_id: member for member in Member.objects.filter(club=club, player__in=wanted)
    }
    if typed := wanted - members.keys():
        known = PlayerAlias.objects.filter(club=club, player__in=typed).select_related("member")
        members |= {line.player_id: line.member for line in known}
    return members
