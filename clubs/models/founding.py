"""How the first club of a site comes about."""

from django.db import models
from django.utils import timezone


class FoundingCode(models.Model):
    """A code with which one club can be founded. Only its hash is kept; it was told once, in the terminal."""

    code_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"founding code of {self.made_at:%Y-%m-%d}"
