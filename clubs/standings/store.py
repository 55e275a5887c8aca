"""Stored standings, beside the placings, so that a page costs the same after any number of games.

A club has a default standing (all its games, `schemes.USUAL`) and one for each season. A locked season does not change:
its rows are what was locked, no copies, and are part of the club file. Later corrections are a difference
(`clubs.standings.locked`), until an organiser takes it over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import transaction

from clubs.models import Club, Member, Season, Standing, Table
from clubs.standings.compute import Position, positions, positions_after
from clubs.standings.locked import FIGURES, differences_of
from clubs.standings.schemes import Figures

#: What happens to the row of one person: the id of the row that goes, and the row that comes in its place.
Step = tuple[int | None, Standing | None]


def keep_standings(
    club: Club, members: Iterable[Member] | None = None, *, seasons: Iterable[Season] | None = None,
    ended: Collection[Table] = (),
) -> None:  # fmt: skip
    """Bring all standings of the club up to date, but for seasons that are locked: these only learn that they differ.

    `members`: whose games have changed (the record that counts and the other one, for a merge); None: everybody's.
    `seasons`: those in which they have, beside the standing of all games; None: any. `ended`: the only tables at which
    they have, all of one night, none of which had placings until now. The club's row is locked, so that two that
    change its games at once do not each miss the other.
    """
    with transaction.atomic():
        list(Club.objects.select_for_update(no_key=True).filter(pk=club.pk).values_list("pk"))
        whose = None if members is None else {key for member in members for key in (member.pk, member.same_as_id)}
        keep_standing(club, None, whose, ended)
        for season in club.seasons.all() if seasons is None else seasons:
            if season.locked_at is None:
                keep_standing(club, season, whose, ended)
            else:
                mark_difference(season)


def keep_season(season: Season) -> None:
    """Make the standing of one season again, whether it is locked or not."""
    with transaction.atomic():
        keep_standing(season.club, season, None)


def mark_difference(season: Season) -> None:
    """Let a season that is locked know whether it would be another standing by now."""
    differs = bool(differences_of(season))
    if differs != season.differs:
        season.differs = differs
        season.save(update_fields=["differs"])


def keep_standing(
    club: Club, season: Season | None, whose: set[int | None] | None, ended: Collection[Table] = ()
) -> None:
    """Replace the rows of one standing that have changed; of others than `whose` the figures are taken over."""
    write_rows(steps_of(club, season, whose, ended))


def steps_of(
    club: Club, season: Season | None, whose: set[int | None] | None, ended: Collection[Table] = ()
) -> list[Step]:
    """What of one standing is to be written anew: rows that say the same are left. It writes nothing itself."""
    rows = Standing.objects.filter(club=club, season=season)
    before = list(rows)
    kept = {} if whose is None else {row.member_id: row_figures(row) for row in before}
    stood = None
    if ended:
        places = {row.member_id: (row.place, row.place_before) for row in before}
        stood = positions_after(club, season, ended, kept, places)
    stood = stood or positions(club, season, whose, kept)
    now = {member: standing_row(club, season, member, person) for member, person in stood.items()}
    steps: list[Step] = []
    for row in before:
        after = now.pop(row.member_id, None)
        if after is None or not is_same(row, after):
            steps.append((row.pk, after))
    return [*steps, *((None, row) for row in now.values())]


def write_rows(steps: Collection[Step]) -> None:
    """Write some of these steps, in any order and at most once each. Two statements."""
    Standing.objects.filter(pk__in=[pk for pk, _ in steps if pk is not None]).delete()
    Standing.objects.bulk_create(row for _, row in steps if row is not None)


def is_same(row: Standing, other: Standing) -> bool:
    """Whether two rows say the same of somebody."""
    return all(getattr(row, name) == getattr(other, name) for name in (*FIGURES, "place", "place_before", "reason"))


def standing_row(club: Club, season: Season | None, member: int, stood: Position) -> Standing:
    return Standing(
        club=club, season=season, member_id=member, place=stood.ranked.place, place_before=stood.before,
        reason=stood.ranked.reason, **vars(stood.figures),
    )  # fmt: skip


def row_figures(row: Standing) -> Figures:
    return Figures(**{name: getattr(row, name) for name in FIGURES})
