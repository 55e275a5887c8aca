"""Typed names at a table of the club: a member, a new guest, or a name that waits.

A name that waits is matched by an organiser (`clubs.joining.match`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

from django.db.models import ManyToOneRel, Model

from clubs.members.identity import players_known
from clubs.members.people import guests_of_players, locked, rename
from clubs.models import (
    Attendance,
    Club,
    Honour,
    Member,
    Night,
    PersonalBest,
    Placing,
    PlayerAlias,
    Rating,
    Standing,
    Table,
)
from clubs.models.member import players_of_people
from scoresheets.log.identity import Namesake
from scoresheets.log.occupants import SITS
from scoresheets.log.state import SheetReading
from scoresheets.log.text import is_like, plain_name
from scoresheets.models import Entry, Player, Seat, Sheet
from scoresheets.opening.sweep import forget_players

#: So many people are proposed for one name.
MOST_NAMESAKES = 4


# Whose name is it?


class MemberNames:
    """What the people of a club are called, to find them by a name that is like one of theirs."""

    def __init__(self, club: Club) -> None:
        self.club = club

    @cached_property
    def named(self) -> list[tuple[str, Member]]:
        """Every name of everybody who belongs to the club, by any of their records. One query."""
        records = Member.objects.filter(club=self.club, approved_at__isnull=False).order_by("pk")
        return [
            (name, record.main_record)
            for record in records.select_related("same_as__player", "player")
            if record.main_record.left_at is None
            for name in (record.name, record.nickname, record.shown_as)
            if name
        ]

    def like(self, name: str) -> list[Member]:
        """Who has a name like that one; equal names first.

        Those whose names are hidden are among them: only an organiser may be shown these.
        """
        alike: dict[Member, bool] = {}
        for own, member in self.named:
            if is_like(own, name):
                alike[member] = alike.get(member, False) or plain_name(own) == plain_name(name)
        return sorted(alike, key=lambda member: not alike[member])

    def equal(self, name: str) -> list[Member]:
        """Who is called that."""
        return list(dict.fromkeys(member for own, member in self.named if plain_name(own) == plain_name(name)))


def may_be_asked(member: Member, name: str) -> bool:
    """Whether the table may be asked if it is them: of a hidden name it would learn whose it is."""
    return not member.hidden or is_like(member.shown, name)


def but_those(club: Club, people: Iterable[Member], seated: Collection[int]) -> list[Member]:
    """Those of the people who do not sit at the table as one of these players (ids)."""
    here = {member.identity for member in players_known(club, seated).values() if member}
    return [member for member in people if member.pk not in here]


def whose_name_it_is(
    sender: object,  # noqa: ARG001 - Django gives sender and signal
    *,
    sheet: Sheet,
    name: str,
    seated: Collection[int],
    instead_of: int | None,
    **signal: Any,  # noqa: ARG001
) -> list[Namesake]:
    """The receiver of `scoresheets.log.identity.name_was_typed`. One query at a table of no club, ten at most."""
    table = Table.objects.standing().filter(sheet=sheet).select_related("night__club").first()
    if table is None:
        return []
    club, names = table.night.club, MemberNames(table.night.club)
    people = [member for member in names.like(name) if may_be_asked(member, name)]
    likely = but_those(club, people, seated)[:MOST_NAMESAKES] if people else []
    proposed = [Namesake(as_seated(member), note_about(member, table)) for member in likely]
    if instead_of is None:
        return proposed
    member = players_known(club, [instead_of]).get(instead_of)
    if member is None:
        return proposed
    if any(is_like(own, name) for own, named in names.named if named == member.main_record):
        return []
    if not proposed and came_only_here(member, instead_of, table):
        return []
    same = Player(pk=instead_of, name=member.main_record.shown)
    return [*proposed, Namesake(same, "only the name was wrong")]


def as_seated(member: Member) -> Player:
    """The player of a member, under the name to seat them by: nothing of it is saved."""
    player = member.player
    if not player.shown_as:
        player.name = member.shown
    return player


def note_about(member: Member, table: Table) -> str:
    """Where they play at the moment, if that is at another table of the night."""
    players = players_of_people([member.pk])
    tables = Table.objects.standing().playing().filter(night=table.night_id).exclude(pk=table.pk)
    other = tables.filter(sheet__in=Seat.objects.filter(player__in=players).values("sheet")).first()
    return f"plays at {other}" if other else ""


# Somebody sits down, or stands up again


def meet(
    sender: object,  # noqa: ARG001 - Django gives sender and signal
    *,
    before: SheetReading,
    after: SheetReading,
    strangers: Collection[int],
    **signal: Any,  # noqa: ARG001
) -> None:
    """The receiver of `scoresheets.log.identity.seating_changed`.

    Whoever is new at a table of the club becomes a guest, unless the name may be a member's and nobody has
    said that it is not.
    """
    table = Table.objects.standing().filter(sheet=after.record).select_related("night__club").first()
    if table is None:
        return
    was, now = before.sitting.everybody, after.sitting.everybody
    correct_names(table, was, now)
    unknown = unknown_of(table.night.club, {player: name for player, name in now.items() if was.get(player) != name})
    if unknown:
        locked(table.night.club)
        make_guests(table.night, unknown, now, strangers)
    gone = was.keys() - now.keys()
    if gone:
        let_go(table, gone)


def unknown_of(club: Club, names: Mapping[int, str]) -> dict[int, str]:
    """Those of the players (ids, with their names) of whom the club knows nothing."""
    known = players_known(club, names)
    return {player: name for player, name in names.items() if player not in known}


def make_guests(night: Night, unknown: Mapping[int, str], now: Mapping[int, str], strangers: Collection[int]) -> None:
    """Guests for all who cannot be members; the other names wait."""
    seated, names = now.keys() - unknown.keys(), MemberNames(night.club)
    new = {
        player: name
        for player, name in unknown.items()
        if player in strangers or not but_those(night.club, names.like(name), seated)
    }
    guests_of_players(night.club, new, night)


def correct_names(table: Table, was: Mapping[int, str], now: Mapping[int, str]) -> None:
    """A guest of whom nothing is known but this table is called as its sheet says, once the name there is corrected."""
    changed = {player: name for player, name in now.items() if was.get(player, name) != name}
    if not changed:
        return
    for player, member in players_known(table.night.club, changed).items():
        if member and member.name == was[player] and came_only_here(member, player, table):
            rename(member, name=changed[player], nickname=member.nickname, by=None)


def let_go(table: Table, players: Collection[int]) -> None:
    """Guests who were made for players (ids) that sit here no more are none: their arrival was taken back."""
    for player, member in players_known(table.night.club, players).items():
        if member and came_only_here(member, player, table):
            forget_guest(member)


def forget_guest(guest: Member) -> None:
    """Delete a guest who came by mistake; what was counted of them is made again without them."""
    own = guest.player_id
    Placing.objects.filter(member=guest).delete()
    guest.delete()
    forget_players([own])


def came_only_here(guest: Member, player: int, table: Table) -> bool:
    """Whether nothing is known of a guest but that they sat at this table as that player (id)."""
    if not is_bare(guest, but=(PlayerAlias, Attendance, Standing)) or guest.aliases.exclude(player=player).exists():
        return False
    elsewhere = Seat.objects.exclude(sheet=table.sheet_id).filter(player__in=[player, guest.player_id])
    took_over = Entry.objects.exclude(sheet=table.sheet_id).filter(ask__startswith=SITS, data__player=player)
    other_night = guest.attendances.exclude(night=table.night_id)
    return not (elsewhere.exists() or took_over.exists() or other_night.exists())


def is_guest_of_one_name(guest: Member) -> bool:
    """Whether a guest was nothing but a name at a table, which has turned out to be somebody else's."""
    sits = guest.aliases.exists() or Seat.objects.filter(player=guest.player_id).exists()
    return not sits and is_bare(guest, but=(Attendance, Standing))


def is_bare(guest: Member, *, but: Collection[type[Model]]) -> bool:
    """Whether somebody is a guest to whom nothing points `but` these, and what is made again from sheets."""
    if guest.role != Member.Role.GUEST or guest.user_id or guest.same_as_id or guest.left_at or guest.says_is_id:
        return False
    relations = [
        relation for relation in Member._meta.get_fields(include_hidden=True) if isinstance(relation, ManyToOneRel)
    ]
    models = {(relation.related_model, relation.field.name) for relation in relations} - {
        (model, "member") for model in but
    }
    made_again = {(model, "member") for model in (Placing, PersonalBest, Rating, Honour)}
    return not any(model._default_manager.filter(**{name: guest}).exists() for model, name in models - made_again)
