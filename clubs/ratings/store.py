"""Stored ratings: one row for each member and rated game, so that a page reads a curve without the club's games."""

from __future__ import annotations

import datetime
from collections.abc import Collection

from django.db.models import OuterRef, QuerySet, Subquery

from clubs.models import Club, Member, Placing, Rating, Table
from clubs.ratings.games import Skills, Step, games_of, people_of, steps_of
from clubs.ratings.skill import Skill

#: What happens to a row: the id of the one that goes, and the one that comes in its place.
Change = tuple[int | None, Rating | None]


def changes_of(club: Club, since: datetime.date | None = None) -> list[Change]:
    """Which ratings are others now, where nothing has changed before that day; None: any may be. It writes nothing.

    Three queries, and one for each game played since then.
    """
    rows, tables = Rating.objects.filter(club=club), Table.objects.counting().filter(night__club=club)
    if since is not None:
        rows, tables = rows.filter(table__night__on__gte=since), tables.filter(night__on__gte=since)
    columns = ("pk", "game", "table", "member", "mean", "deviation", "games")
    kept = {
        (table, member): (pk, game, Skill(*skill)) for pk, game, table, member, *skill in rows.values_list(*columns)
    }
    games = games_of(Placing.objects.filter(table__in=tables.values("pk")))
    before: Skills = {}
    if since is not None:
        for game, people in people_of(games).items():
            before |= skills_before(game, people, since)
    changes: list[Change] = []
    for step in steps_of(games, before):
        pk, game, skill = kept.pop((step.table, step.person), (None, "", None))
        if (game, skill) != (step.game.game, step.after):
            changes.append((pk, rating_row(club, step)))
    # First what goes: a row that changed its table must not meet the one that comes.
    return [*((pk, None) for pk, _, _ in kept.values()), *changes]


def rating_row(club: Club, step: Step) -> Rating:
    mean, deviation, games = step.after
    return Rating(
        club_id=club.pk, game=step.game.game, table_id=step.table, member_id=step.person, mean=mean,
        deviation=deviation, games=games,
    )  # fmt: skip


def skills_before(game: str, people: Collection[int], day: datetime.date) -> Skills:
    """The skills of these people in that game at the beginning of that day. One query."""
    earlier = Rating.objects.filter(game=game, member=OuterRef("pk"), table__night__on__lt=day)
    return {(game, row.member_id): skill_of(row) for row in latest_of(people, earlier)}


def ratings_now(game: str, people: Collection[int]) -> dict[int, Skill]:
    """The skills of these people in that game today, by person. One query."""
    rows = Rating.objects.filter(game=game, member=OuterRef("pk"))
    return {row.member_id: skill_of(row) for row in latest_of(people, rows)}


def latest_of(people: Collection[int], rows: QuerySet[Rating]) -> list[Rating]:
    """The last row of each person among these rows, which are theirs by `OuterRef`."""
    last = Subquery(rows.order_by("-games").values("pk")[:1])
    members = Member.objects.filter(pk__in=people).order_by().values_list(last)
    return list(Rating.objects.filter(pk__in=members))


def skill_of(row: Rating) -> Skill:
    return Skill(row.mean, row.deviation, row.games)


def write_changes(changes: Collection[Change]) -> None:
    """Write some of these changes, in their order. Two statements."""
    Rating.objects.filter(pk__in=[pk for pk, _ in changes if pk is not None]).delete()
    Rating.objects.bulk_create(row for _, row in changes if row is not None)


def keep_ratings(club: Club) -> None:
    """Bring all ratings of the club up to date."""
    write_changes(changes_of(club))
