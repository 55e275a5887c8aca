"""A locked season compared with the current sheets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clubs.access.outdated import mark_for
from clubs.models import Member, Season, Standing
from clubs.standings.compute import Position, positions, terms_of
from clubs.standings.schemes import Figures, Scheme, figure_text, ordinal

FIGURES = tuple(Figures.__dataclass_fields__)
#: How the figures are called in a sentence; what is ranked by is called as its scheme does.
CALLED = {
    "made": "bids made", "score": "score of all games", "average": "average score",
    "share": "share of the table beaten", "beaten": "table beaten, in all", "compared": "games compared",
}  # fmt: skip
#: What a season that was locked before this was counted does not have.
SHARES = ("beaten", "compared", "share")


@dataclass(frozen=True)
class Difference:
    """What would be another row: how it stands (None: they are not in it), and how it would."""

    member: Member
    was: Standing | None
    now: Position | None
    scheme: Scheme
    has_shares: bool = True

    @property
    def was_said(self) -> str:
        """ "4 points"."""
        return self.scheme.of(self.was.points) if self.was else ""

    @property
    def now_said(self) -> str:
        return self.scheme.of(self.now.figures.points) if self.now else ""

    @property
    def changes(self) -> list[tuple[str, str, str]]:
        """What would change, as it is called, was, and would be."""
        if self.was is None or self.now is None:
            return []
        pairs = {"place": (self.was.place, self.now.ranked.place)}
        # The form follows from games that change a figure, too, and older club files do not have it.
        figures = [name for name in FIGURES if name != "form" and (self.has_shares or name not in SHARES)]
        if not self.has_shares:
            # An older club file does not say a nought.
            self.was.score = self.was.score or 0
        pairs |= {name: (getattr(self.was, name), getattr(self.now.figures, name)) for name in figures}
        called = {"points": self.scheme.plural} | CALLED
        return [
            (called.get(name, name), figure_text(was), figure_text(now))
            for name, (was, now) in pairs.items()
            if was != now
        ]

    @property
    def in_short(self) -> str:
        """ "Bo 2nd with 1 win, now 1st with 3 wins": for the audit log, since the old row is replaced."""
        was = f"{placed(self.was.place)} with {self.was_said}" if self.was else "not in it"
        now = f"{placed(self.now.ranked.place)} with {self.now_said}" if self.now else "not in it"
        return f"{self.member.shown} {was}, now {now}"

    @property
    def has_changed(self) -> bool:
        return self.was is None or self.now is None or bool(self.changes)


def differences_of(season: Season) -> list[Difference]:
    """Everything that would move if the season were counted again, by the places that are locked."""
    now = positions(season.club, season)
    rows = {row.member_id: row for row in season.standings.select_related("member")}
    members = {row.member_id: row.member for row in rows.values()} | Member.objects.in_bulk(now.keys() - rows.keys())
    scheme = terms_of(season).scheme
    shares = season.keeps_apart
    compared = [
        Difference(person, rows.get(pk), now.get(pk), scheme, has_shares=shares) for pk, person in members.items()
    ]
    return sorted((row for row in compared if row.has_changed), key=lambda row: (locked_place(row), row.member.pk))


def placed(place: int | None) -> str:
    return "without a place" if place is None else ordinal(place)


def locked_place(difference: Difference) -> int:
    """Where it stands in the locked order; behind everybody, who has no place there."""
    return (difference.was and difference.was.place) or 1_000_000


def mark_of(differences: Iterable[Difference]) -> str:
    """What a preview has said, so that nothing else is taken over."""
    return mark_for([(row.member.pk, row.was is None, repr(row.now), row.changes) for row in differences])
