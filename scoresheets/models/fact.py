"""What finished sheets have to tell: copies for statistics, made again from the entries whenever they change."""

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

    `total`, `box` and `circle` are as they stood after the hand.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="hand_facts", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="hand_facts")
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="hand_facts")
    hand = models.PositiveIntegerField()
    cards = models.PositiveSmallIntegerField()
    bid = models.PositiveSmallIntegerField(null=True)
    tricks = models.PositiveSmallIntegerField(null=True)
    points = models.IntegerField()
    total = models.IntegerField()
    box = models.BooleanField()
    circle = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sheet", "hand", "seat"], name="one_fact_a_hand_and_seat")]

    def __str__(self) -> str:
        return f"hand {self.hand}: {self.points}"
