"""Published results of finished sheets: copies for statistics, made again from the entries after each change."""

from __future__ import annotations

from django.db import models

from scoresheets.models.sheet import Player, Seat, Sheet


class FinalPlacing(models.Model):
    """The place a seat ended on: 1, 2, 2, 4. Who went home early has none (`place` null)."""

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="final_placings", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="final_placings")
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="final_placings")
    place = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField()
    winner = models.BooleanField(default=False)
    loser = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sheet", "seat"], name="one_final_placing_a_seat")]

    def __str__(self) -> str:
        return f"place {self.place} with {self.score}"


class HandFact(models.Model):
    """One seat in one scored hand. `bid` and `tricks` are null where the game has no such thing.

    `total`, `box` and `circle` are as they stood after the hand, and `behind` is how many points the box was ahead.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="hand_facts", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="hand_facts")
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="hand_facts", db_index=False)
    hand = models.PositiveIntegerField()
    cards = models.PositiveSmallIntegerField()
    bid = models.PositiveSmallIntegerField(null=True)
    tricks = models.PositiveSmallIntegerField(null=True)
    points = models.IntegerField()
    total = models.IntegerField()
    behind = models.PositiveIntegerField(default=0)
    box = models.BooleanField()
    circle = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sheet", "hand", "seat"], name="one_fact_a_hand_and_seat")]
        indexes = [
            # All that figures over years are made of: they are read from the index alone.
            models.Index(fields=["player", "sheet", "cards", "bid", "tricks", "points"], name="facts_of_a_player")
        ]

    def __str__(self) -> str:
        return f"hand {self.hand}: {self.points}"


class HandMark(models.Model):
    """A number the game tells of a seat in a scored hand, by a name of its own: `rules.core.game.Game.marks`."""

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="hand_marks", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="hand_marks")
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="hand_marks", db_index=False)
    hand = models.PositiveIntegerField()
    mark = models.SlugField(max_length=40, db_index=False)
    value = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "hand", "seat", "mark"], name="one_mark_a_hand_and_seat")
        ]
        indexes = [models.Index(fields=["player", "sheet", "mark", "value"], name="marks_of_a_player")]

    def __str__(self) -> str:
        return f"hand {self.hand}: {self.mark} {self.value}"
