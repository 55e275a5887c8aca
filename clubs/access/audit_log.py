"""The audit log of a club: what its organisers and the site did."""

from __future__ import annotations

from clubs.models import AuditEntry, Club, Member

LONGEST_LINE = 300


def write_down(club: Club, says: str, *, by: Member | None) -> None:
    """Add an entry: a sentence in the past tense, "Merged Bo with Bobby." `by` None: the site itself, or its owner."""
    AuditEntry.objects.create(club=club, says=says[:LONGEST_LINE], by=by)
