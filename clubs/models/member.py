"""Members, their aliases, pairs kept apart, and invitations."""

from __future__ import annotations

import zlib
from collections.abc import Collection

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from clubs.models.base import Portable, ResultSource, ResultSourceQuerySet
from clubs.models.club import Club
from scoresheets.models import Player
from scoresheets.models.sheet import LONGEST_NAME
from scoresheets.wording.badges import COLOUR_NAMES, LETTERS, STROKES, Badge, badge_of, initials_of
from scoresheets.wording.graphemes import letters

#: Code points in a chosen initial: two letters with their accents.
LONGEST_INITIAL = 8
#: The colours of members by number; 0: none was chosen.
COLOURS = dict(enumerate(("none", *COLOUR_NAMES)))
#: What stands in the place of a hidden name.
SOMEBODY = "Somebody"


def shown_name(name: str, nickname: str, hidden: bool, shown_as: str) -> str:  # noqa: FBT001 - as a row has them
    """What somebody is called on pages that others see."""
    return shown_as or (SOMEBODY if hidden else nickname or name)


def of_person(records: int | Member | Collection[int | None]) -> Q:
    """Rows whose `member` is one of these records that count, or one that was merged into it."""
    if isinstance(records, Collection):
        return Q(member__in=records) | Q(member__same_as__in=records)
    return Q(member=records) | Q(member__same_as=records)


class MemberQuerySet(ResultSourceQuerySet["Member"]):
    def people(self) -> MemberQuerySet:
        """One row a person: without the second records of those who were merged, and without join requests."""
        return self.filter(same_as__isnull=True, approved_at__isnull=False)

    def current(self) -> MemberQuerySet:
        """People who belong to it now, guests among them."""
        return self.people().filter(left_at__isnull=True)

    def waiting(self) -> MemberQuerySet:
        """Join requests: people who asked to join and have no answer yet."""
        return self.filter(approved_at__isnull=True, left_at__isnull=True, same_as__isnull=True)

    def of_account(self, user: int | None) -> MemberQuerySet:
        """The records by which an account (id) belongs to clubs now: where one was merged, its person belongs there."""
        counts = Q(same_as__isnull=True, left_at__isnull=True) | Q(same_as__isnull=False, same_as__left_at__isnull=True)
        return self.filter(counts, user=user, approved_at__isnull=False)


class Member(Portable, ResultSource):
    """A player's place in one club, with a role and perhaps a user. Most have no account.

    `same_as` points to the record of the same person that counts (a merge); it is resolved when reading
    (`who`), so that taking the pointer away undoes the merge. It never points to one that has a pointer itself:
    where records were merged one after the other, `joined_to` says which was merged with which.
    """

    result_fields = ("same_as",)

    class Role(models.TextChoices):
        ORGANISER = "organiser", "organiser"
        SCOREKEEPER = "scorekeeper", "scorekeeper"
        MEMBER = "member", "member"
        GUEST = "guest", "guest"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="memberships"
    )
    role = models.CharField(max_length=12, choices=Role, default=Role.MEMBER)
    name = models.CharField(max_length=LONGEST_NAME)
    nickname = models.CharField(max_length=LONGEST_NAME, blank=True)
    #: Their name is shown to nobody but organisers and themselves.
    hidden = models.BooleanField(default=False)
    #: What they are called instead: their name is hidden, or they left and chose another.
    shown_as = models.CharField(max_length=LONGEST_NAME, blank=True)
    #: Their colour on sheets and pages, from 1 to 10; 0: they have chosen none. The initial: "" for that of their name.
    colour = models.PositiveSmallIntegerField(choices=COLOURS, default=0)
    initial = models.CharField(max_length=LONGEST_INITIAL, blank=True)
    joined_at = models.DateTimeField(default=timezone.now)
    #: The same for all who were added by one pasted list, so that it can be undone; "" for others.
    added_with = models.CharField(max_length=22, blank=True, editable=False)
    #: Null: a join request that waits for an organiser.
    approved_at = models.DateTimeField(null=True, blank=True, default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)
    #: Since when nobody knows any more who it was: only the results are left (`clubs.erasure.member`).
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    same_as = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="others")
    joined_to = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="joined")
    #: The member that a guest or a person who asks to join claims to be, until an organiser has answered.
    says_is = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    #: SHA-256 (hex) of the code by which a guest claims their results later, or of the secret in the cookie of a phone
    #: that asked to join; "" where there is none.
    claim_hash = models.CharField(max_length=64, blank=True, db_index=True, editable=False)

    objects = MemberQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="one_membership_a_player"),
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=Q(user__isnull=False, left_at__isnull=True, same_as__isnull=True),
                name="one_membership_a_user",
            ),
        ]

    def __str__(self) -> str:
        return self.shown

    def get_absolute_url(self) -> str:
        return reverse("member", args=[self.club.slug, self.pk])

    @property
    def shown(self) -> str:
        """What they are called on pages that others see."""
        return shown_name(self.name, self.nickname, self.hidden, self.shown_as)

    @property
    def called(self) -> str:
        """What they are called by organisers, and on their own page."""
        return self.nickname or self.name

    @property
    def badge(self) -> Badge | None:
        """The badge beside their name on pages of the club; None for guests without a colour of their own.

        Until they choose, their colour follows from the `uid`, so it is the same on another site. A table may have to
        tell them from others by another one (`scoresheets.wording.badges`).
        """
        if not self.colour and self.role == self.Role.GUEST:
            return None
        return badge_of(self.colour or zlib.crc32(self.uid.encode()) % STROKES + 1, self.initials[0])

    @property
    def initials(self) -> list[str]:
        """What may stand for their name, the best first. A chosen initial would give away a hidden name."""
        chosen = "".join(letters(self.initial)[:LETTERS])
        own = [chosen] if chosen and self.shown == self.called else []
        return [*own, *initials_of(self.shown), "?"]

    @property
    def main_record(self) -> Member:
        """The record of this person that counts."""
        return self.same_as or self

    @property
    def identity(self) -> int:
        """The id of the record that counts: the same for all records of this person. No query."""
        return self.same_as_id or self.pk


class PlayerAlias(ResultSource):
    """As which member of the club a player is known who sat down on a sheet under a name that was typed.

    `member` null: an organiser has said that the club does not keep them.
    """

    result_fields = ("member",)

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="aliases")
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="aliases")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, blank=True, related_name="aliases")
    at = models.DateTimeField(default=timezone.now)

    objects = ResultSourceQuerySet["PlayerAlias"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="one_member_a_player")]

    def __str__(self) -> str:
        return f"{self.player} is {self.member or 'somebody outside the club'}"


class KeptApart(models.Model):
    """Two people an organiser keeps apart. Shown to organisers alone."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="kept_apart")
    one = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["one", "other"], name="one_line_a_pair")]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}"


class Invitation(Portable):
    """A link or QR code by which somebody becomes a member. Only the hash of its token is kept."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    token_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=12, choices=Member.Role, default=Member.Role.MEMBER)
    #: The member without an account for whom it is; null: for whoever comes.
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    #: Whether an organiser has to say yes.
    asks = models.BooleanField(default=True)
    made_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    #: When somebody came in by it, for whom alone it was.
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"invitation of {self.created:%Y-%m-%d}"


class PersonalLink(Portable):
    """The link of one member: their calendar has it, and by it they answer for nights without signing in.

    Only the hash of its token is kept (`clubs.members.personal_links`).
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="personal_links")
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["member"], condition=Q(revoked_at__isnull=True), name="one_personal_link_a_member"
            )
        ]

    def __str__(self) -> str:
        return f"personal link of {self.created:%Y-%m-%d}"


def players_of_people(members: list[int]) -> set[int]:
    """As which players (ids) these members (ids) sit at tables, by every record that is one with theirs."""
    counts = Member.objects.filter(pk__in=members, same_as__isnull=False).values("same_as")
    people = Member.objects.filter(
        Q(pk__in=members) | Q(same_as__in=members) | Q(pk__in=counts) | Q(same_as__in=counts)
    )
    known = PlayerAlias.objects.filter(member__in=people.values("pk"))
    return {player for (player,) in people.values_list("player").union(known.values_list("player"))}
