"""Personal bests and worsts in a game, and ratings."""

from __future__ import annotations

from django.db import models

from clubs.models.club import Club
from clubs.models.member import Member
from clubs.models.night import Table


class PersonalBestQuerySet(models.QuerySet["PersonalBest"]):
    def counting(self) -> PersonalBestQuerySet:
        """Those of games that count."""
        return self.filter(
            table__withdrawn_at__isnull=True,
            table__ended_at__isnull=False,
            table__night__archived_at__isnull=True,
            table__night__for_fun=False,
        )


class PersonalBest(models.Model):
    """What one member did best, or worst, in one game: copies, like `Placing`, so that records are found at once.

    `what` is one of `clubs.records.bests` or the key of a figure of the game. `hand` is the hand it happened in, 0: the
    game as a whole. `club` and `game` are those of the table, kept here for the index.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="personal_bests", db_index=False)
    game = models.SlugField(max_length=40, db_index=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="personal_bests", db_index=False)
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="personal_bests", db_index=False)
    what = models.SlugField(max_length=40, db_index=False)
    value = models.IntegerField()
    hand = models.PositiveIntegerField(default=0)

    objects = PersonalBestQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "member", "what"], name="one_feat_a_game")]
        indexes = [
            # The greatest first, and the smallest; of equals the earliest table.
            models.Index(fields=["club", "game", "what", "-value", "table"], name="greatest_feats"),
            models.Index(fields=["club", "game", "what", "value", "table"], name="smallest_feats"),
            models.Index(fields=["member", "game", "what", "value"], name="feats_of_a_member"),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.what} {self.value}"


class Rating(models.Model):
    """How strong one member was in a game once they had played one table of it: copies (`clubs.ratings`).

    `member` is the record that counts. `club` and `game` are those of the table, kept here for the index.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    game = models.SlugField(max_length=40, db_index=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    #: The mean of the estimate and its standard deviation, in units of skill.
    mean = models.FloatField()
    deviation = models.FloatField()
    #: How many games it rests on, this one among them.
    games = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "member"], name="one_rating_a_game")]
        indexes = [
            models.Index(fields=["member", "game", "games"], name="ratings_of_a_member"),
            models.Index(fields=["club", "game"], name="ratings_of_a_club"),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.game} {self.mean:.2f}"
