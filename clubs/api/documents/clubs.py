"""A club and its members."""

from __future__ import annotations

from django.http import HttpRequest

from clubs.api.shapes import Named
from clubs.members.listing import MemberRow, roster_of
from clubs.models import Club, Member
from rules.core.files.schema import Among, Flag, Members, Name, OrNull, Text, Whole

CLUB = Named("Club", Members(
    {
        "uid": Text(), "slug": Text(), "name": Text(), "place": Text(), "about": Text(), "time_zone": Text(),
        "main_game": OrNull(Text()), "shown_to": Among(tuple(Club.Visibility.values)), "page": Text(),
    },
    {},
))  # fmt: skip
MEMBER = Named("Member", Members(
    {"uid": Text(), "name": Name(), "hidden": Flag(), "role": Among(tuple(Member.Role.values)), "nights": Whole(0)}, {}
))  # fmt: skip
#: Somebody in another document: `member` is the uid of who it is in the club, null for who is no member.
PERSON = Named("Person", Members({"name": Text(), "member": OrNull(Text())}, {}))


def club_document(request: HttpRequest, club: Club) -> dict[str, object]:
    """What everybody reads about the club; `page` is where people read it."""
    return {
        "uid": club.uid, "slug": club.slug, "name": club.name, "place": club.place, "about": club.about,
        "time_zone": club.time_zone, "main_game": club.main_game or None, "shown_to": club.visibility,
        "page": request.build_absolute_uri(club.get_absolute_url()),
    }  # fmt: skip


def member_rows(club: Club) -> list[MemberRow]:
    """Everybody who belongs to the club now, members before guests, as others see them. Two queries."""
    roster = roster_of(club, organises=False)
    return [*roster.members, *roster.guests]


def member_document(row: MemberRow) -> dict[str, object]:
    member = row.member
    return {
        "uid": member.uid, "name": member.shown, "hidden": member.hidden, "role": row.role, "nights": row.nights
    }  # fmt: skip


def person_document(member: Member | None, name: str = "") -> dict[str, object]:
    """Somebody, by the record of them that counts; `name` is that of who is no member."""
    person = member.main_record if member else None
    return {"name": person.shown if person else name, "member": person.uid if person else None}
