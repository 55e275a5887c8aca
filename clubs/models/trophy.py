"""Trophies, awards, disputes, and honours."""

from __future__ import annotations

import hashlib

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as date_format

from clubs.models.base import Portable
from clubs.models.club import Club
from clubs.models.member import Member
from clubs.models.night import Table
from scoresheets.log.text import same_name
from scoresheets.models.sheet import LONGEST_NAME

#: The built-in drawings (`templates/clubs/drawings/`), with what they show.
DRAWINGS = {
    "cup": "a cup",
    "crown": "a crown",
    "shield": "a shield",
    "medal": "a medal",
    "tankard": "a tankard",
    "bell": "a bell",
    "hat": "a hat",
    "boot": "an old boot",
    "bone": "a bone",
    "spoon": "a wooden spoon",
}


class Trophy(Portable):
    """A trophy of a club: an object that goes from holder to holder."""

    class Goes(models.TextChoices):
        WINNER = "winner", "to the winner"
        LOSER = "loser", "to the loser"
        OTHER = "other", "as the club says"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="trophies")
    name = models.CharField(max_length=60)
    goes = models.CharField(max_length=6, choices=Goes, default=Goes.OTHER)
    about = models.CharField(max_length=200, blank=True)
    #: One of the built-in drawings (`DRAWINGS`) …
    drawing = models.SlugField(max_length=20, default="cup")
    #: … or a picture of the thing itself, as the site has made it small.
    picture = models.BinaryField(null=True, blank=True)
    #: Tells one picture from another in its address; "" without a picture.
    picture_key = models.CharField(max_length=16, blank=True, editable=False)
    added_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "trophies"
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("trophy", args=[self.club.slug, self.pk])

    @property
    def drawn(self) -> str:
        """The template of its drawing."""
        return f"clubs/drawings/{self.drawing if self.drawing in DRAWINGS else 'cup'}.svg"

    def put_picture(self, picture: bytes | None) -> None:
        """Show this picture from now on (None: the drawing again). Not saved yet."""
        self.picture = picture
        self.picture_key = hashlib.sha256(picture).hexdigest()[:16] if picture else ""


def person_of(member: Member | None, name: str) -> str:
    """The same for all records of one person, and for one name of those who are no members."""
    return str(member.identity) if member else f"named {same_name(name)}"


class AwardQuerySet(models.QuerySet["Award"]):
    def standing(self) -> AwardQuerySet:
        return self.filter(set_aside_at__isnull=True)

    def confirmed(self) -> AwardQuerySet:
        return self.standing().filter(confirmed_at__isnull=False)

    def was_handed(self) -> AwardQuerySet:
        """Those by which the trophy came into somebody's hands, whether or not they still count: a thing stays where
        it is when its award is set aside, and only what was typed by mistake never happened.
        """
        counts = Q(confirmed_at__isnull=False, set_aside_at__isnull=True)
        return self.filter(counts | ~Q(source=Award.Source.TYPED), handed_at__isnull=False)


class Award(Portable):
    """A trophy that was won: by whom, when, at which table; and since when they have it in their hands.

    Won and handed over are two things. `member` is null for a holder from before the site who is no member: `name`
    says who it was. Rows are added, confirmed, or set aside; the line of holders is those that stand.
    """

    class Exact(models.TextChoices):
        DAY = "day", "the day"
        MONTH = "month", "the month"
        YEAR = "year", "the year"

    class Source(models.TextChoices):
        SHEET = "sheet", "a sheet"
        PLAY_OFF = "play-off", "a play-off"
        TYPED = "typed", "typed in"

    trophy = models.ForeignKey(Trophy, on_delete=models.CASCADE, related_name="awards")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, null=True, blank=True, related_name="awards")
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    on = models.DateField()
    #: What is known of the day: of one before the site perhaps only the year, and `on` is the first day of it.
    exact = models.CharField(max_length=5, choices=Exact, default=Exact.DAY)
    source = models.CharField(max_length=8, choices=Source)
    table = models.ForeignKey(Table, on_delete=models.RESTRICT, null=True, blank=True, related_name="awards")
    #: Why they won it, in a sentence.
    why = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    handed_at = models.DateTimeField(null=True, blank=True)
    set_aside_at = models.DateTimeField(null=True, blank=True)
    #: An organiser took it back by hand: the sheet does not bring it up again.
    undone = models.BooleanField(default=False)
    #: The award that was set aside for this one, where a correction moved the trophy.
    instead_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    objects = AwardQuerySet.as_manager()

    class Meta:
        ordering = ["on", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["trophy", "table"],
                condition=Q(set_aside_at__isnull=True, table__isnull=False),
                name="one_award_a_table",
            )
        ]
        indexes = [
            models.Index(fields=["trophy", "-on", "-id"], name="awards_of_a_trophy"),
            models.Index(fields=["trophy", "-handed_at"], name="hand_overs_of_a_trophy"),
        ]

    def __str__(self) -> str:
        return f"{self.trophy}: {self.member or self.name}"

    @property
    def recipient(self) -> Member | None:
        """The record that counts of who won it; None where it was no member."""
        return self.member.main_record if self.member else None

    @property
    def shown(self) -> str:
        """What who won it is called on pages."""
        return self.recipient.shown if self.recipient else self.name

    @property
    def day(self) -> str:
        """When it was won, as far as that is known: "5 March 2026", "March 1998", "1998"."""
        written = {self.Exact.YEAR: "Y", self.Exact.MONTH: "F Y"}.get(self.Exact(self.exact), "j F Y")
        return date_format(self.on, written)

    @property
    def person(self) -> str:
        """The same for every award of one person, whatever their records are merged into."""
        return person_of(self.member, self.name)


class Dispute(models.Model):
    """A correction made an award questionable: the sheet says something else now. Nothing moves by itself."""

    class Answer(models.TextChoices):
        KEEP = "keep", "it stays where it is"
        MOVE = "move", "it goes to the player the sheet names now"
        #: Never an organiser's answer.
        GONE = "gone", "the sheet says something else again"

    award = models.ForeignKey(Award, on_delete=models.CASCADE, related_name="disputes")
    #: With {} in the place of the name (`sentence`).
    says = models.CharField(max_length=200)
    #: Whom the sheet names now; null: nobody (it is running again, it counts no more, or nothing is decided).
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, related_name="+")
    #: Who that is where the club does not know them.
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    version = models.PositiveIntegerField()
    raised_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=4, choices=Answer, blank=True)
    answered_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> str:
        """What it says, with whom the sheet names now called as they are called today."""
        return self.says.replace("{}", self.named)

    @property
    def named(self) -> str:
        """Whom the sheet names now, as they are shown; "" where it names nobody."""
        return self.member.main_record.shown if self.member else self.name

    @property
    def person(self) -> str:
        """The same as of the award that this dispute would become; "" where it names nobody."""
        return person_of(self.member, self.name) if self.member or self.name else ""


class Honour(models.Model):
    """Something the table calls out, with its evidence: hand 0 is the game as a whole. Copies, like `Placing`."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="honours")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="honours")
    hand = models.PositiveIntegerField()
    #: That of the table.
    game = models.SlugField(max_length=40, db_index=False)
    #: Slug of the term in the game's words.
    tag = models.SlugField(max_length=40)
    #: How many, how deep, where the term has a number.
    value = models.IntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "member", "hand", "tag"], name="one_honour_a_hand"),
        ]
        indexes = [models.Index(fields=["member", "game", "tag", "value", "table"], name="honours_of_a_member")]

    def __str__(self) -> str:
        return self.tag
