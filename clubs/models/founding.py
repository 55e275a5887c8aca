"""Codes that are told in the terminal of the site: to found a club, or to become an organiser of one."""

from __future__ import annotations

import datetime

from django.db import models
from django.utils import timezone

from clubs.models.club import Club

#: How long a code is good by which somebody becomes an organiser.
ORGANISER_CODE_LASTS = datetime.timedelta(days=7)


class FoundingCodeQuerySet(models.QuerySet["FoundingCode"]):
    def founding(self) -> FoundingCodeQuerySet:
        """Those that still found a club."""
        return self.filter(club__isnull=True, used_at__isnull=True)

    def for_organisers(self) -> FoundingCodeQuerySet:
        """Those by which somebody still becomes an organiser."""
        made_after = timezone.now() - ORGANISER_CODE_LASTS
        return self.filter(club__isnull=False, used_at__isnull=True, made_at__gt=made_after)


class FoundingCode(models.Model):
    """A one-time code: it founds a club or, with `club`, makes who enters it an organiser of that one.

    Only its hash is kept; the code was shown once, in the terminal.
    """

    code_hash = models.CharField(max_length=64, unique=True)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="organiser_codes")
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)

    objects = FoundingCodeQuerySet.as_manager()

    def __str__(self) -> str:
        return f"founding code of {self.made_at:%Y-%m-%d}"
