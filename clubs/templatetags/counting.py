"""A template tag for the notice of results that could not be counted."""

from __future__ import annotations

from django import template

from clubs.models import Club
from clubs.models.projection import FAILING
from clubs.projections.failed import Failed, failed_of

register = template.Library()


@register.filter
def not_counted(club: Club) -> list[Failed]:
    """What could not be counted again and again; no query where nothing was."""
    return failed_of(club) if (club.failures or 0) >= FAILING else []
