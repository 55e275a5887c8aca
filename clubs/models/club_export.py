"""Club files that were requested."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from clubs.models.club import Club


class ClubExport(models.Model):
    """The file of a club, from when an organiser asks for it: one for each club (`clubs.archive.background`).

    The file lies in a folder, named after `key`; nothing of what is in it is in this row.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "nobody makes it yet"
        MAKING = "making", "a process makes it"
        READY = "ready", "it can be saved"
        FAILED = "failed", "it could not be made"

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="export")
    key = models.CharField(max_length=32, unique=True)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField(default=timezone.now)
    #: When the process that makes it has last shown that it lives, or when it was done.
    seen_at = models.DateTimeField(null=True, blank=True)
    #: How many processes have begun it.
    tries = models.PositiveSmallIntegerField(default=0)
    #: Sheets that are in it, and how many it will have.
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    #: Why it could not be made, in a sentence.
    problem = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return f"{self.club}: {self.state}"

    @property
    def is_under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.MAKING)
