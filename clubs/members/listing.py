"""The list of members for its page."""

from __future__ import annotations

from dataclasses import dataclass, field

from clubs.access.visit import RANKS, Role
from clubs.members.merge import role_of
from clubs.models import Club, Member, Standing


@dataclass(frozen=True)
class MemberRow:
    """Somebody on the list. `nights` they have played at, `signs_in` whether they have an account."""

    member: Member
    role: str
    nights: int
    signs_in: bool

    @property
    def says(self) -> str:
        """What they are, where that is more than a member."""
        return str(Role(self.role).label) if RANKS[Role(self.role)] > RANKS[Role.MEMBER] else ""


@dataclass(frozen=True)
class Roster:
    """Everybody, for those who may see so much of them: `away` and `waiting` are for organisers alone."""

    members: list[MemberRow] = field(default_factory=list)
    guests: list[MemberRow] = field(default_factory=list)
    waiting: list[Member] = field(default_factory=list)
    #: Guests without an account who say that they are members.
    claims: list[Member] = field(default_factory=list)
    left: list[Member] = field(default_factory=list)
    turned_away: list[Member] = field(default_factory=list)


def roster_of(club: Club, *, organises: bool) -> Roster:
    """The people of the club by name, in two queries; for organisers also those who hide it."""
    roster = Roster()
    records = list(club.members.select_related("says_is").order_by("pk"))
    others: dict[int, list[Member]] = {}
    for record in records:
        if record.same_as_id:
            others.setdefault(record.same_as_id, []).append(record)
    played = dict(Standing.objects.filter(club=club, season__isnull=True).values_list("member", "nights"))
    for person in sorted(records, key=lambda record: in_order(record, organises=organises)):
        if person.same_as_id:
            continue
        if person.approved_at is None:
            (roster.waiting if person.left_at is None else roster.turned_away).append(person)
        elif person.left_at is not None:
            roster.left.append(person)
        else:
            mine = [person, *others.get(person.pk, [])]
            role = role_of(mine)
            row = MemberRow(person, role, played.get(person.pk, 0), any(record.user_id for record in mine))
            (roster.guests if role == Role.GUEST else roster.members).append(row)
            if person.says_is_id:
                roster.claims.append(person)
    return roster


def in_order(member: Member, *, organises: bool) -> tuple[bool, str]:
    """By name; those whose names are hidden last, for who may not read them."""
    return (False, member.called.casefold()) if organises else (member.hidden, member.shown.casefold())
