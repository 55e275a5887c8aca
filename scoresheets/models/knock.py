"""Wrong addresses that were tried."""

from __future__ import annotations

from django.db import models


class Knock(models.Model):
    """How many wrong addresses of sheets were tried from one place since a moment.

    `origin` is a keyed hash of where the requests came from. Rows live for minutes: they only count.
    """

    origin = models.CharField(max_length=64)
    since = models.DateTimeField(db_index=True)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["origin", "since"], name="one_count_a_place")]

    def __str__(self) -> str:
        return f"{self.times} since {self.since:%H:%M}"
