"""Where everybody stands, kept beside the placings so that a page costs the same after any number of games.

A club has a standing nobody had to choose (all its games, `schemes.USUAL`) and one for each season. A season that is
locked does not move: its rows are what was locked, no copies, and belong into the file of the club. What later
corrections would make of it is a difference (`clubs.locked`), until an organiser takes it over.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef

from clubs.counting import stand, tables_more
from clubs.locked import FIGURES, differences_of
from clubs.models import Club, Season, Standing, Table
from clubs.schemes import Figures

if TYPE_CHECKING:
    import datetime
    from collections.abc import Collection, Iterable

    from clubs.counting import Stood
    from clubs.models import Member


def keep_standings(
    club: Club,
    members: Iterable[Member] | None = None,
    *,
    on: datetime.date | None = None,
    ended: Collection[Table] = (),
) -> None:
    """Bring all standings of the club up to date, but for seasons that are locked: these only learn that they differ.

    To be called whenever placings change, in the same transaction, and whenever a night is moved, put away, brought
    back or made one for fun, and when two records become one person or two again. `members`: whose games have changed
    (the record that counts and the other one, for a merge); None: everybody's. `on`: the only night on which they have;
    None: any. `ended`: the only tables at which they have, all of one night, none of which had placings until now. The
    club's row is locked, so that two tables that end at once do not each miss the other.
    """
    with transaction.atomic():
        list(Club.objects.select_for_update().filter(pk=club.pk).values_list("pk"))
        whose = None if members is None else {key for member in members for key in (member.pk, member.same_as_id)}
        keep(club, None, whose, ended)
        for season in club.seasons.all():
            if on is not None and not season.begins <= on <= season.ends:
                continue
            if season.locked_at is None:
                keep(club, season, whose, ended)
            else:
                mark(season)


def make_missing(**signal: object) -> None:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `post_migrate`: an update of the site that counts differently takes the standings away.

    They are made again before the site opens. One query where none are missing.
    """
    played = Table.objects.counting().filter(night__club=OuterRef("pk"), placings__isnull=False)
    kept = Standing.objects.filter(club=OuterRef("pk"), season__isnull=True)
    for club in Club.objects.filter(Exists(played), ~Exists(kept)):
        keep_standings(club)


def keep_season(season: Season) -> None:
    """Make the standing of one season again, whether it is locked or not."""
    with transaction.atomic():
        keep(season.club, season, None)


def mark(season: Season) -> None:
    """Let a season that is locked know whether it would be another standing by now."""
    differs = bool(differences_of(season))
    if differs != season.differs:
        season.differs = differs
        season.save(update_fields=["differs"])


def keep(club: Club, season: Season | None, whose: set[int | None] | None, ended: Collection[Table] = ()) -> None:
    """Replace the rows of one standing; of others than `whose` the figures are taken over as they are."""
    rows = Standing.objects.filter(club=club, season=season)
    before = [] if whose is None else list(rows)
    kept = {row.member_id: figures_of(row) for row in before}
    stood = None
    if ended:
        places = {row.member_id: (row.place, row.place_before) for row in before}
        stood = tables_more(club, season, ended, kept, places)
    stood = stood or stand(club, season, whose, kept)
    rows.delete()
    Standing.objects.bulk_create(row_of(club, season, member, one) for member, one in stood.items())


def row_of(club: Club, season: Season | None, member: int, stood: Stood) -> Standing:
    return Standing(
        club=club, season=season, member_id=member, place=stood.ranked.place, place_before=stood.before,
        reason=stood.ranked.reason, **asdict(stood.figures),
    )  # fmt: skip


def figures_of(row: Standing) -> Figures:
    return Figures(**{name: getattr(row, name) for name in FIGURES})
