"""Placings in games, seasons, and standings."""

from __future__ import annotations

import datetime
from fractions import Fraction

from django.db import models
from django.db.models import Q
from django.urls import reverse

from clubs.models.base import Portable, ResultSource, ResultSourceQuerySet
from clubs.models.club import Club, Recounted
from clubs.models.member import Member
from clubs.models.night import Table


class Placing(models.Model):
    """What one game was to one member: copies of what its sheet published, made again whenever that changes.

    Only of a table of the past (`Table.Source.PAST`) they are what was typed. `member` is as whom they played; whoever
    counts people reads `member.main_record`. `place` is null for who went home early.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="placings")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="placings")
    place = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)
    winner = models.BooleanField(default=False)
    loser = models.BooleanField(default=False)
    #: How many had a place, and how many others had the same one.
    players = models.PositiveSmallIntegerField()
    sharing = models.PositiveSmallIntegerField(default=0)
    hands = models.PositiveSmallIntegerField(default=0)
    boxes = models.PositiveSmallIntegerField(default=0)
    circles = models.PositiveSmallIntegerField(default=0)
    #: Hands with a bid, and how many of these were made.
    bids = models.PositiveSmallIntegerField(default=0)
    made = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "member"], name="one_placing_a_member")]

    def __str__(self) -> str:
        return f"{self.member}: {self.place}"


class SeasonQuerySet(ResultSourceQuerySet["Season"]):
    def standing(self) -> SeasonQuerySet:
        """Those that were not put away."""
        return self.filter(archived_at__isnull=True)

    def on(self, day: datetime.date) -> SeasonQuerySet:
        """Those of which that is a day, and which were not put away; the one that began last comes first."""
        return self.standing().filter(begins__lte=day, ends__gte=day).order_by("-begins", "-pk")


class Season(Portable, ResultSource, Recounted):
    """A stretch of nights that is counted by itself, by a scheme (`clubs.standings.schemes`).

    Once it is locked its standing does not move any more, whatever is corrected behind it.
    """

    result_fields = ("begins", "ends", "games", "scheme", "order", "numbers", "drops", "least_nights", "locked_at")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=60)
    begins = models.DateField()
    ends = models.DateField()
    #: Slugs of the games that count; empty: all.
    games = models.JSONField(default=list, blank=True)
    #: The name of the scheme, what breaks ties in which order, and its numbers (points per place …).
    scheme = models.SlugField(max_length=20)
    order = models.JSONField(default=list, blank=True)
    numbers = models.JSONField(default=dict, blank=True)
    #: So many of everybody's worst nights are left out.
    drops = models.PositiveSmallIntegerField(default=0)
    least_nights = models.PositiveSmallIntegerField(default=0)
    locked_at = models.DateTimeField(null=True, blank=True)
    #: It is locked, and by what is on the sheets now it would be another standing. A copy.
    differs = models.BooleanField(default=False, editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)
    #: It was locked when scores of different games were no longer compared; one that was locked before stays as it was.
    keeps_apart = models.BooleanField(default=False, editable=False)

    objects = SeasonQuerySet.as_manager()

    class Meta:
        ordering = ["-begins", "-pk"]

    def __str__(self) -> str:
        return self.name

    def is_over_on(self, day: datetime.date) -> bool:
        """Whether nothing can move by itself any more: it is locked, or its last day has gone by."""
        return self.locked_at is not None or self.ends < day

    def get_absolute_url(self) -> str:
        return reverse("standing", args=[self.club.slug, self.pk])


class Standing(models.Model):
    """Where one person stands in a season, or (season null) in the club's standing that nobody had to choose.

    Copies of what `clubs.standings.store` makes of the placings, so that a page costs the same after any number of
    games. Of a season that is locked they are no copies: they are what was locked.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="standings")
    season = models.ForeignKey(Season, on_delete=models.CASCADE, null=True, related_name="standings")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="standings")
    #: 1, 2, 2, 4; null: not enough nights yet.
    place = models.PositiveIntegerField(null=True)
    #: The same without the latest night; null: they were not in it.
    place_before = models.PositiveIntegerField(null=True)
    #: What they are ranked by, as shown.
    points = models.DecimalField(max_digits=18, decimal_places=2)
    #: Why they are below the row before them, where the points do not say it.
    reason = models.CharField(max_length=120, blank=True)
    nights = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    #: The mean share of the table beaten, in percent: hundredths of a percent of so many games.
    beaten = models.BigIntegerField(default=0)
    compared = models.PositiveIntegerField(default=0)
    share = models.DecimalField(max_digits=5, decimal_places=2, null=True)
    #: Null, like average, best and worst, where it counts several games.
    score = models.BigIntegerField(null=True)
    average = models.DecimalField(max_digits=12, decimal_places=2, null=True)
    best = models.IntegerField(null=True)
    worst = models.IntegerField(null=True)
    hands = models.PositiveIntegerField(default=0)
    boxes = models.PositiveIntegerField(default=0)
    circles = models.PositiveIntegerField(default=0)
    bids = models.PositiveIntegerField(default=0)
    made = models.PositiveIntegerField(default=0)
    #: Of points that are a rating: what stands behind ±; else null.
    uncertainty = models.PositiveIntegerField(null=True)
    #: Their latest games, a letter each, the latest last (`clubs.standings.schemes.form_of`).
    form = models.CharField(max_length=5, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["season", "member"], name="one_standing_a_season"),
            models.UniqueConstraint(
                fields=["club", "member"], condition=Q(season__isnull=True), name="one_standing_a_member"
            ),
        ]
        indexes = [models.Index(fields=["club", "season", "place"], name="standings_in_order")]

    def __str__(self) -> str:
        return f"{self.place}: {self.member}"

    @property
    def made_share(self) -> Fraction | None:
        """Of the bids, how much was made; None where there was no bid."""
        return Fraction(self.made, self.bids) if self.bids else None
