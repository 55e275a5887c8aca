"""Personal links: by them a member answers for nights without signing in, and their calendar comes from one.

A link gives no other right and shows nobody's name. The database has the hash of its token; the token itself is made
from the secret of the site, so that the link can be shown again.
"""

from __future__ import annotations

import base64

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.access.audit_log import write_down
from clubs.members.people import locked, records_of
from clubs.models import Member, PersonalLink
from scoresheets.access.scorekeepers import SECRET, hashed


def made_token(purpose: str, uid: str) -> str:
    """128 bits that nobody can make who has not the site's secret: the token of the row `uid` for this purpose."""
    mac = salted_hmac(purpose, uid, algorithm="sha256")
    return base64.urlsafe_b64encode(mac.digest()[:16]).decode().rstrip("=")


def token_of(link: PersonalLink) -> str:
    """What stands in its address; "" where the secret of the site is another one since."""
    token = made_token("personal link", link.uid)
    return token if link.token_hash == hashed(token) else ""


def link_of(person: Member) -> PersonalLink | None:
    """The link of this person that works."""
    links = PersonalLink.objects.filter(member__in=records_of(person), revoked_at__isnull=True)
    return links.select_related("made_by").order_by("-created", "-pk").first()


def find_link(token: str) -> PersonalLink | None:
    """The link of that token, if it works: not revoked, and its member still belongs to an open club. One query."""
    if not SECRET.fullmatch(token):
        return None
    links = PersonalLink.objects.select_related("member__club", "member__same_as__club")
    link = links.filter(token_hash=hashed(token), revoked_at__isnull=True).first()
    if link is None:
        return None
    person = link.member.main_record
    belongs = person.approved_at is not None and person.left_at is None and person.club.archived_at is None
    return link if belongs else None


def make_link(person: Member, *, by: Member | None) -> PersonalLink:
    """A new link for this person; the old one stops working."""
    with transaction.atomic():
        locked(person.club)
        revoke(person)
        link = PersonalLink(member=person.main_record, made_by=by)
        link.token_hash = hashed(made_token("personal link", link.uid))
        link.save()
        write_down(person.club, f"Made a personal link for {person.main_record.name}.", by=by)
    return link


def revoke_link(person: Member, *, by: Member | None) -> None:
    """The link of this person opens nothing any more, and the calendar with it stops updating."""
    with transaction.atomic():
        locked(person.club)
        if revoke(person):
            write_down(person.club, f"Revoked the personal link of {person.main_record.name}.", by=by)


def revoke(person: Member) -> int:
    """How many links stop working."""
    links = PersonalLink.objects.filter(member__in=records_of(person), revoked_at__isnull=True)
    return links.update(revoked_at=timezone.now())
