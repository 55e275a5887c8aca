"""All clubs of the site, as its owner sees them: how many people and sheets, and when something was done last."""

from __future__ import annotations

from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    F,
    IntegerField,
    Max,
    Model,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce, Greatest

from clubs.members.roles import organising_records
from clubs.models import AuditEntry, Club, Member, Night, Table
from clubs.models.club import ClubQuerySet


def clubs_with_counts() -> ClubQuerySet:
    """Every club, with the number of its `people`, `nights_held`, `sheets` and `writes`, when something was done
    `last`, and whether somebody who can sign in organises it: `is_organised`. `writes`: how often something was
    written on its sheets. One query.
    """
    people = counted(Member.objects.current(), "club", Count("pk"))
    nights = counted(Night.objects.filter(begun_at__isnull=False), "club", Count("pk"))
    tables = Table.objects.filter(sheet__isnull=False)
    return Club.objects.annotate(
        people=Coalesce(people, 0),
        nights_held=Coalesce(nights, 0),
        sheets=Coalesce(counted(tables, "night__club", Count("pk")), 0),
        writes=Coalesce(counted(tables, "night__club", Sum("sheet__version")), 0),
        last=Greatest(
            F("created"),
            Coalesce(latest(Night.objects.all(), "club", "begun_at"), "created"),
            Coalesce(latest(tables, "night__club", "sheet__opened_at"), "created"),
            Coalesce(latest(AuditEntry.objects.all(), "club", "at"), "created"),
        ),
        is_organised=Exists(organising_records().filter(club=OuterRef("pk"))),
    )


def counted(rows: QuerySet[Model], club: str, how: Count | Sum) -> Subquery:
    """A number of the rows of a club; null for none."""
    mine = rows.filter(**{club: OuterRef("pk")}).order_by().values(club)
    return Subquery(mine.annotate(number=how).values("number"), output_field=IntegerField())


def latest(rows: QuerySet[Model], club: str, moment: str) -> Subquery:
    """The latest moment of the rows of a club; null for none."""
    mine = rows.filter(**{club: OuterRef("pk")}).order_by().values(club)
    return Subquery(mine.annotate(latest=Max(moment)).values("latest"), output_field=DateTimeField())
