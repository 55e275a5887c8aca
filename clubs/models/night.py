"""A night (Game Time): attendance, tables, seats, and packed items."""

from __future__ import annotations

from typing import Any

from django.db import models, transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils import timezone

from clubs.models.base import Portable, ResultSource, ResultSourceQuerySet
from clubs.models.club import Club
from clubs.models.member import Member
from scoresheets.models import Sheet


class NightQuerySet(ResultSourceQuerySet["Night"]):
    def standing(self) -> NightQuerySet:
        """Those that were not put away."""
        return self.filter(archived_at__isnull=True)

    def told_again(self, **change: Any) -> int:
        """Let calendars take these nights as they are now, with this `change`; how many they are."""
        return self.update(sequence=F("sequence") + 1, changed_at=timezone.now(), **change)

    def forget_trophies(self) -> int:
        """What the trophies follow on these nights is not answered any more; how many they are."""
        return self.told_again(trophies="", trophies_table=None)

    def with_latest(self) -> NightQuerySet:
        """The nights, each with the time of its latest reply and of the latest word at its roll call, or None."""
        of = {"night": OuterRef("pk")}
        reply = Reply.objects.filter(**of).order_by("-at").values("at")[:1]
        call = Attendance.objects.filter(**of).order_by("-at").values("at")[:1]
        return self.annotate(latest_reply=Subquery(reply), latest_call=Subquery(call))


class Night(Portable, ResultSource):
    """An evening of a club.

    It is planned (`begun_at` null), then its tables play, until an organiser closes it. What the trophies follow is
    asked once, where two or more tables play for them: `trophies` "" is not asked yet or needs no asking.
    """

    result_fields = ("club", "on", "for_fun", "archived_at", "trophies", "trophies_table")
    #: What of it stands in a calendar.
    calendar_fields = ("on", "begins", "title", "place", "for_fun", "archived_at", "trophies")

    class Follows(models.TextChoices):
        PLAY_OFF = "play-off", "a play-off"
        TABLE = "table", "one table"
        NOTHING = "nothing", "no trophies tonight"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="nights")
    on = models.DateField()
    begins = models.TimeField(null=True, blank=True)
    title = models.CharField(max_length=80, blank=True)
    #: Where, if not where the club always meets.
    place = models.CharField(max_length=120, blank=True)
    #: Just for fun: counts for nothing.
    for_fun = models.BooleanField(default=False)
    #: What is played tonight, by its slug, where an organiser has chosen it; "": the club's main game.
    game = models.CharField(max_length=40, blank=True)
    trophies = models.CharField(max_length=8, choices=Follows, blank=True)
    trophies_table = models.ForeignKey("Table", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    begun_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now)
    #: How often a calendar had to be told something else about it, and when last (`told_again`).
    sequence = models.PositiveIntegerField(default=0, editable=False)
    changed_at = models.DateTimeField(null=True, blank=True, editable=False)
    #: Tables that are drawn and not yet opened, as they lie before the organiser (`clubs.tables.draft`).
    drawn = models.JSONField(default=dict, blank=True)
    #: Which restored backup it came out of; "": none (`scoresheets.caches.generation`).
    generation = models.CharField(max_length=24, blank=True, editable=False)

    objects = NightQuerySet.as_manager()

    class Meta:
        ordering = ["-on", "-pk"]
        indexes = [models.Index(fields=["club", "-on"], name="nights_of_a_club")]

    def __str__(self) -> str:
        return self.title or f"{self.on:%A} night"

    def get_absolute_url(self) -> str:
        return reverse("night", args=[self.club.slug, self.pk])

    def save(self, **more: Any) -> None:
        """What is changed by name, and stands in calendars, is told to them as a change."""
        if not set(self.calendar_fields) & set(more.get("update_fields") or ()):
            super().save(**more)
            return
        with transaction.atomic():
            super().save(**more)
            Night.objects.filter(pk=self.pk).told_again()
            self.refresh_from_db(fields=["sequence", "changed_at"])


class Attendance(models.Model):
    """What somebody answers at the roll call of a night."""

    class Says(models.TextChoices):
        HERE = "here", "here"
        COMING = "coming", "coming later"
        NOT = "not", "absent"

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="attendances")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="attendances")
    says = models.CharField(max_length=6, choices=Says)
    #: "Joe leaves at nine."
    leaves = models.TimeField(null=True, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["night", "member"], name="one_answer_a_member")]

    def __str__(self) -> str:
        return f"{self.member}: {self.says}"


class ReplyQuerySet(models.QuerySet["Reply"]):
    def in_order(self) -> ReplyQuerySet:
        """As they came: the last one of a person at a night counts."""
        return self.order_by("at", "pk")


class Reply(Portable):
    """What somebody answers before a night, or that they are there, by the code at the door.

    Rows are only added. What an organiser writes at the roll call (`Attendance`) stands apart, and counts more.
    """

    class Says(models.TextChoices):
        YES = "yes", "yes"
        LATE = "late", "late"
        NO = "no", "no"
        HERE = "here", "here"
        NONE = "none", "no answer"

    class Source(models.TextChoices):
        ACCOUNT = "account", "signed in"
        PHONE = "phone", "a phone that says who uses it"
        LINK = "link", "a personal link"

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="replies")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="replies")
    says = models.CharField(max_length=4, choices=Says)
    #: "Late, at about half past eight."
    comes = models.TimeField(null=True, blank=True)
    source = models.CharField(max_length=7, choices=Source)
    at = models.DateTimeField(default=timezone.now)

    objects = ReplyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "replies"

    def __str__(self) -> str:
        return f"{self.member}: {self.says}"


#: Tables that are a game of their own, and those of a play-off that has found who takes both trophies.
SINGLE = Q(stage__isnull=True) | Q(stage__play_off__called_off_at__isnull=False)
DECIDED = Q(
    stage__abandoned_at__isnull=True, stage__play_off__called_off_at__isnull=True,
    stage__play_off__decided_at__isnull=False,
)  # fmt: skip


class TableQuerySet(ResultSourceQuerySet["Table"]):
    def standing(self) -> TableQuerySet:
        """Tables that belong to their night: not taken away again, nor the night put away."""
        return self.filter(withdrawn_at__isnull=True, night__archived_at__isnull=True)

    def belonging(self) -> TableQuerySet:
        """Tables whose sheet belongs to a club: all but those from which it was taken out.

        A sheet of a play-off that was drawn again stays with the club, because that can be undone.
        """
        return self.exclude(withdrawn_at__isnull=False, stage__isnull=True)

    def counting(self) -> TableQuerySet:
        """Tables whose hands count: finished, of nights that are more than fun, and of no play-off that is open."""
        return self.standing().filter(SINGLE | DECIDED, night__for_fun=False, ended_at__isnull=False)

    def playing(self) -> TableQuerySet:
        """Tables whose game is not over: by the sheet itself, as `ended_at` is counted after it."""
        by_sheet = Q(sheet__isnull=False, sheet__finished_at__isnull=True)
        return self.filter(by_sheet | Q(sheet__isnull=True, ended_at__isnull=True))

    def one_a_game(self) -> TableQuerySet:
        """Every game once: of a play-off the final of its winner, once it is decided."""
        return self.filter(SINGLE | Q(DECIDED, stage__side="winners", stage__places__isnull=True))


class Table(Portable, ResultSource):
    """One game at one table of a night, with its sheet; a game of the past may have none.

    Every sheet of a club stands at a table of a night. `ended_at` is a copy: when its game was over.
    """

    result_fields = ("night", "stage", "withdrawn_at")

    class Source(models.TextChoices):
        DRAWN = "drawn", "drawn at the roll call"
        BROUGHT = "brought", "a sheet that was opened elsewhere"
        PAST = "past", "a result of the past, typed in"

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=40, blank=True)
    game = models.SlugField(max_length=40)
    source = models.CharField(max_length=8, choices=Source, default=Source.DRAWN)
    sheet = models.OneToOneField(Sheet, on_delete=models.RESTRICT, null=True, blank=True, related_name="table")
    #: Of a play-off: its stage.
    stage = models.ForeignKey("Stage", on_delete=models.RESTRICT, null=True, blank=True, related_name="tables")
    #: As `scoresheets.opening.open_sheet.SetUp` takes them.
    plan = models.JSONField(default=dict, blank=True)
    house_rules = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    #: Since when it does not belong to the night any more.
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = TableQuerySet.as_manager()

    class Meta:
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["night", "number"], condition=Q(withdrawn_at__isnull=True), name="one_table_a_number"
            )
        ]

    def __str__(self) -> str:
        return self.label or f"Table {self.number}"

    @property
    def is_of_its_club(self) -> bool:
        """Whether its sheet belongs to a club, as `belonging` asks the database."""
        return self.withdrawn_at is None or self.stage_id is not None

    @property
    def is_playing(self) -> bool:
        """Whether its game is not over, as `playing` asks the database."""
        return self.ended_at is None if self.sheet is None else self.sheet.finished_at is None

    def save(self, **more: Any) -> None:
        """The sheet at it is shown to those to whom the club is; taken away from the table, to whoever has its link."""
        super().save(**more)
        changed = more.get("update_fields")
        if self.sheet_id and (changed is None or {"sheet", "sheet_id", "withdrawn_at", "night"} & set(changed)):
            shut = self.withdrawn_at is None and self.night.club.visibility == Club.Visibility.MEMBERS
            Sheet.objects.filter(pk=self.sheet_id).exclude(members_only=shut).update(members_only=shut)


class Chair(models.Model):
    """Who sits where at a table that was drawn: `place` counts clockwise from 1."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="chairs")
    place = models.PositiveSmallIntegerField()
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="chairs")
    #: Deals the first hand.
    deals = models.BooleanField(default=False)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["table", "place"], name="one_chair_a_place"),
            models.UniqueConstraint(fields=["table", "member"], name="one_chair_a_member"),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.member}"


class PackedItem(models.Model):
    """A thing to bring to a night that somebody has ticked off: `thing` is its name in `clubs.tables.packing`."""

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="packed")
    thing = models.CharField(max_length=60)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["night", "thing"], name="one_tick_a_thing")]

    def __str__(self) -> str:
        return self.thing
