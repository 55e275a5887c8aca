"""Scorekeepers and share links."""

from __future__ import annotations

import datetime

from django.conf import settings
from django.db import models

from scoresheets.models.sheet import LONGEST_NAME, Sheet


class ShareLink(models.Model):
    """An address that lets another phone write on a sheet. Only the hash of its token is kept."""

    KEEP = "keep"
    KINDS = {KEEP: "may write on the sheet"}

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="links")
    kind = models.CharField(max_length=8, choices=KINDS, default=KEEP)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey("Scorekeeper", on_delete=models.CASCADE, null=True, related_name="links_made")
    created = models.DateTimeField()
    #: Null: until it is revoked.
    expires = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.kind} link of {self.created:%Y-%m-%d %H:%M}"

    def is_good(self, now: datetime.datetime) -> bool:
        """Whether it still opens the sheet."""
        return self.revoked_at is None and (self.expires is None or now < self.expires)


class Scorekeeper(models.Model):
    """A scorekeeper of one sheet: a browser, an account, or both.

    `browser` is the SHA-256 (hex) of the secret in that browser's cookie `pencil`, "" for an account
    alone. `link` is the one they came by, null for whoever opened the sheet.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="scorekeepers")
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    browser = models.CharField(max_length=64, blank=True, db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="scorekeepers"
    )
    link = models.ForeignKey(ShareLink, on_delete=models.SET_NULL, null=True, blank=True, related_name="scorekeepers")
    created = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "browser"],
                condition=models.Q(revoked_at__isnull=True) & ~models.Q(browser=""),
                name="one_pencil_a_browser",
            ),
            models.UniqueConstraint(
                fields=["sheet", "user"],
                condition=models.Q(revoked_at__isnull=True, browser=""),
                name="one_pencil_an_account",
            ),
        ]

    def __str__(self) -> str:
        return self.name or "a scorekeeper"
