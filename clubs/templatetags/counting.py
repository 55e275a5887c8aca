"""What of a club's results could not be counted, for the line that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from clubs.models.projection import FAILING
from clubs.projections.failed import failed_of

if TYPE_CHECKING:
    from clubs.models import Club
    from clubs.projections.failed import Failed

register = template.Library()


@register.filter
def not_counted(club: Club) -> list[Failed]:
    """What could not be counted again and again; no query where nothing was."""
    return failed_of(club) if (club.failures or 0) >= FAILING else []
