"""The diary of a club: what was done in its name."""

from __future__ import annotations

from clubs.models import AuditEntry, Club, Member

LONGEST_LINE = 300


def write_down(club: Club, says: str, *, by: Member | None) -> None:
    """Add a line: a sentence in the past tense, "Merged Bo with Bobby." `by` None: the site itself, or its owner."""
    AuditEntry.objects.create(club=club, says=says[:LONGEST_LINE], by=by)
