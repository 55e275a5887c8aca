"""What somebody brings to be taken in."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from clubs.models.club import Club


class Parcel(models.Model):
    """A file that was handed in, until whoever brought it has seen what it would change and says yes.

    Nobody else sees it. `club` is null for a club that is new here. It is kept for hours only.
    """

    class Kind(models.TextChoices):
        CLUB = "club", "a whole club"
        RESULTS = "results", "results of the past"
        HOLDERS = "holders", "holders of trophies"

    kind = models.CharField(max_length=8, choices=Kind)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, related_name="parcels")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="parcels")
    #: What the file was called.
    called = models.CharField(max_length=80)
    #: SHA-256 (hex) of the founding code with which a new club may be taken in; "" where none is needed.
    code_hash = models.CharField(max_length=64, blank=True)
    content = models.BinaryField()
    at = models.DateTimeField(default=timezone.now)
    taken_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.called
