"""The clubs that a browser may see."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from django.db.models import Q
from django.http import HttpRequest

from clubs.access.visit import COOKIE, MOST_CLUBS, account_of, cookie_of
from clubs.models import Club, Member, User

NAME_OF_A_COOKIE = re.compile(COOKIE.format(r"(\d{1,9})"), re.ASCII)


@dataclass(frozen=True)
class KnownClubs:
    """Clubs by how somebody may come in.

    `mine`: the memberships of the account; `away`: those of clubs that were put away; `known`: clubs whose link this
    browser has used; `public`: the others that everybody sees. `account`: the address of who is signed in, or "".
    """

    mine: list[Member]
    away: list[Member]
    known: list[Club]
    public: list[Club]
    account: str = ""
    #: Whether nobody has founded a club on this site.
    none_yet: bool = False
    #: Evenings without a club whose link this browser has used, or which it opened.
    evenings: list[Club] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not (self.mine or self.away or self.known or self.public or self.evenings)


def clubs_for(request: HttpRequest) -> KnownClubs:
    """What this browser may know of: two queries, one more for who is signed in."""
    user = account_of(request)
    mine: list[Member] = []
    if user:
        members = Member.objects.of_account(user.pk).select_related("club")
        mine = sorted(members, key=lambda member: member.club.name.casefold())
    numbers = known_by(request)
    candidates = Club.objects.open().filter(Q(pk__in=numbers) | Q(visibility=Club.Visibility.PUBLIC)).order_by("name")
    others = list(candidates.exclude(pk__in=[member.club_id for member in mine]))
    known = [
        club
        for club in others
        if cookie_of(request, club)[0] == club.key and club.visibility != Club.Visibility.MEMBERS
    ]
    return KnownClubs(
        mine=[member for member in mine if member.club.archived_at is None],
        away=[member for member in mine if member.club.archived_at is not None],
        known=[club for club in known if not club.is_evening],
        evenings=[club for club in known if club.is_evening],
        public=[club for club in others if club.visibility == Club.Visibility.PUBLIC and club not in known],
        account=(user.email or user.get_username()) if user else "",
        none_yet=not Club.objects.real().exists(),
    )


def memberships(user: User) -> list[Member]:
    """As whom the account belongs to clubs, one a club."""
    people = {}
    for record in Member.objects.of_account(user.pk).select_related("club", "same_as"):
        people[record.club_id] = record.main_record
        record.main_record.club = record.club
    return list(people.values())


def known_by(request: HttpRequest) -> list[int]:
    """The ids of the clubs this browser says it knows: what it says is not yet believed."""
    matches = (NAME_OF_A_COOKIE.fullmatch(name) for name in request.COOKIES)
    return [int(match[1]) for match in matches if match][:MOST_CLUBS]
