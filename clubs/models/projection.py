"""Pending updates of a club's results, and the lease of the process that works on them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from clubs.models.club import Club

#: After so many failures in a row a page says that something cannot be counted.
FAILING = 3


class PendingUpdateQuerySet(models.QuerySet["PendingUpdate"]):
    def ready(self) -> PendingUpdateQuerySet:
        """Those that are counted now, and not only when they are tried again."""
        return self.filter(Q(not_before__isnull=True) | Q(not_before__lte=timezone.now()))

    def failing(self) -> PendingUpdateQuerySet:
        """Those that have failed so often that a page says so."""
        return self.filter(failures__gte=FAILING)


class PendingUpdate(models.Model):
    """A change of results that waits to be counted: written in the transaction of the change (`clubs.projections`).

    It is deleted in the transaction that writes what follows from it, so that it survives a crash at any moment. A
    change that comes twice has two rows, which are counted as one: a unique row would make a post wait for the worker
    that counts it. `club` has no constraint in the database for the same reason.
    """

    class Kind(models.TextChoices):
        """What has changed; `subject` is its id."""

        SHEET = "sheet", "a sheet was finished, corrected or opened again"
        TABLE = "table", "what a table alone was worth to its people"
        PLAY_OFF = "play-off", "a ruling, a card or a stage of a play-off"
        NIGHT = "night", "whether and when a night counts"
        TROPHIES = "trophies", "what the trophies of a night follow"
        MEMBER = "member", "two records became one person, or two again"
        CLUB = "club", "games of the whole club"
        SEASON = "season", "the standing of a season"
        PAST = "past", "results or holders of the past that are being written"
        STANDING = "standing", "games are read, and the standings do not know of them yet"

    #: Null: a sheet that stands at no table of a club.
    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, null=True, related_name="pending_updates", db_constraint=False
    )
    kind = models.CharField(max_length=8, choices=Kind)
    subject = models.BigIntegerField()
    #: Of a standing: whose games, on which days (`clubs.projections.standings.Changed`).
    details = models.JSONField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now)
    #: How often it has failed, when it is tried again, and with which kind of error it failed last.
    failures = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=80, blank=True)

    objects = PendingUpdateQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class ProjectionLease(models.Model):
    """Which process counts: one of all processes of the site, and another when it is gone. One row."""

    holder = models.CharField(max_length=32)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.holder
