"""What a club keeps for years."""

from __future__ import annotations

from django.db import models

from scoresheets.models.sheet import new_token


class Portable(models.Model):
    """A row that keeps its name wherever the club goes: `uid` is the same in its file and on the next site."""

    uid = models.CharField(max_length=22, unique=True, default=new_token, editable=False)

    class Meta:
        abstract = True
