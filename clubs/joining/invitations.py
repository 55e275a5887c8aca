"""Invitations: a link or QR code by which a person becomes a member, at once or after an organiser has accepted."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.visit import RANKS, Role
from clubs.members.merge import role_of
from clubs.members.people import add_members, locked, records_of
from clubs.members.personal_links import made_token
from clubs.models import Club, Invitation, Member, User
from scoresheets.access.scorekeepers import SECRET, hashed
from scoresheets.models.sheet import new_token

#: How long an invitation is good: words for a choice, and days; None: until it is taken away.
LIVES = {"week": 7, "month": 31, "always": None}
NOBODY_AT_ONCE = "An invitation to do more than a member needs a name, or an organiser who approves it."


def token_of(invitation: Invitation) -> str:
    """What stands in its address; "" for one that another site has made. Nobody makes it without the site's secret."""
    token = made_token("invitation", invitation.uid)
    return token if invitation.token_hash in ("", hashed(token)) else ""


def standing_invitations(club: Club) -> list[Invitation]:
    """Those that still open the club, the newest first."""
    now = timezone.now()
    good = club.invitations.filter(revoked_at__isnull=True, used_at__isnull=True)
    good = good.filter(Q(expires__isnull=True) | Q(expires__gt=now)).select_related("member", "made_by")
    return list(good.order_by("-created", "-pk"))


def is_good(invitation: Invitation) -> bool:
    """Whether it still opens the club."""
    runs = invitation.expires is None or timezone.now() < invitation.expires
    return runs and invitation.revoked_at is None and invitation.used_at is None and invitation.club.archived_at is None


def find_invitation(token: str) -> Invitation | None:
    """The invitation of that token, whether or not it is still good. Looking at it uses nothing up."""
    if not SECRET.fullmatch(token):
        return None
    invitations = Invitation.objects.select_related("club", "member", "member__same_as")
    return invitations.filter(token_hash=hashed(token)).first()


def make_invitation(
    club: Club, *, uid: str, role: str, member: Member | None, asks: bool, days: int | None, by: Member | None
) -> Invitation:
    """An invitation; `uid` comes with the tap, so that the same tap again makes no second one.

    One for a `member` is good once and asks nobody.
    """
    made = Invitation(club=club, uid=uid, role=role, member=member, asks=asks and member is None, made_by=by)
    made.expires = made.created + datetime.timedelta(days=days) if days else None
    made.token_hash = hashed(token_of(made))
    with transaction.atomic():
        locked(club)
        known = Invitation.objects.filter(club=club, uid=uid).first()
        if known:
            return known
        made.save()
        whom = f"{member.name} to have an account here" if member else "whoever has the link"
        write_down(club, f"Invited {whom}.", by=by)
    return made


def with_account(club: Club) -> QuerySet[Member]:
    """The members who have an account here, by any of their records."""
    return club.members.current().filter(Q(user__isnull=False) | Q(others__user__isnull=False)).distinct()


def without_account(club: Club) -> QuerySet[Member]:
    """The members who have none yet; guests are not among them."""
    return club.members.current().exclude(pk__in=with_account(club).values("pk")).exclude(role=Member.Role.GUEST)


def invite_people(club: Club, names: Sequence[str], *, by: Member | None) -> list[Invitation]:
    """An invitation for a month for everybody of these clean names who has no account; who is new is added first.

    Who has an open invitation keeps it, so that the same list again changes nothing.
    """
    with transaction.atomic():
        locked(club)
        added = add_members(club, names, uid=new_token(), by=by)
        have = set(with_account(club).values_list("pk", flat=True))
        open_now = {each.member.identity: each for each in standing_invitations(club) if each.member}
        invitations = []
        for member in [*added.there, *added.members]:
            if member.pk not in have:
                invitations.append(
                    open_now.get(member.pk)
                    or make_invitation(
                        club, uid=new_token(), role=Member.Role.MEMBER, member=member, asks=False, days=LIVES["month"],
                        by=by,
                    )
                )  # fmt: skip
    return invitations


def revoke_invitation(invitation: Invitation, *, by: Member | None) -> None:
    """From now on it opens nothing. Who came by it stays."""
    gone = Invitation.objects.filter(pk=invitation.pk, revoked_at__isnull=True).update(revoked_at=timezone.now())
    if gone:
        write_down(invitation.club, "Withdrew an invitation.", by=by)


def give_account(invitation: Invitation, user: User) -> str:
    """The account belongs to the member for whom the invitation is; why not, "" where it does.

    The same account again is the same answer.
    """
    with transaction.atomic():
        locked(invitation.club)
        fresh = Invitation.objects.select_related("member__same_as").get(pk=invitation.pk)
        if fresh.member is None:
            return "This invitation is for nobody in particular."
        person = fresh.member.main_record
        records = records_of(person)
        if any(record.user_id == user.pk for record in records):
            return ""
        other = Member.objects.of_account(user.pk).filter(club=fresh.club_id).first()
        if other:
            name = other.main_record.name
            return f"You are in the club as {name} already. An organiser can merge the two records."
        if not is_good(fresh):
            return "This invitation was used or withdrawn. Ask for a new one."
        if person.user_id is not None:
            return f"{person.name} has an account here already. Ask an organiser."
        waits = Member.objects.filter(club=fresh.club_id, user=user, left_at__isnull=True, same_as__isnull=True)
        waits.update(left_at=timezone.now())
        person.user = user
        if RANKS[Role(fresh.role)] > RANKS[Role(role_of(records))]:
            person.role = fresh.role
        person.left_at = None
        person.save(update_fields=["user", "role", "left_at"])
        fresh.used_at = timezone.now()
        fresh.save(update_fields=["used_at"])
        write_down(fresh.club, f"{person.name} signs in from now on.", by=person)
    return ""
