"""A standing for its page, row by row: places gained and lost, shared places, and notes for the reader."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from clubs.models import Club, Member, Night, Season, Standing
from clubs.standings.compute import terms_of
from clubs.standings.schemes import Scheme, Terms, ordinal
from rules.core.numbers import spelled

#: For so long people are told that a standing is counted differently.
TOLD_FOR = datetime.timedelta(days=31)
#: What stands in the address of the standing nobody had to choose.
ALL_TIME = "all-time"


@dataclass(frozen=True)
class StandingLine:
    """One person's row. `shares`: others have the same place. `is_last`: their place is the last there is."""

    row: Standing
    shares: bool
    is_last: bool

    @property
    def member(self) -> Member:
        return self.row.member

    @property
    def is_first(self) -> bool:
        return self.row.place == 1

    @property
    def moved(self) -> int | None:
        """By so many places up since the latest night, or down (below zero); None: they were not in it, or are not."""
        row = self.row
        return None if row.place is None or row.place_before is None else row.place_before - row.place


@dataclass(frozen=True)
class League:
    """The standing of a club or of a season. `nights_left`: nights of the season that are still to be played."""

    club: Club
    season: Season | None
    lines: Sequence[StandingLine]
    nights_left: int
    today: datetime.date

    @property
    def terms(self) -> Terms:
        terms = terms_of(self.season)
        return replace(terms, one_game=terms.one_game or any(line.row.score is not None for line in self.lines))

    @property
    def scheme(self) -> Scheme:
        return self.terms.scheme

    @property
    def name(self) -> str:
        return self.season.name if self.season else "All time"

    @property
    def which(self) -> str:
        """Its name in an address: that of a season is its id."""
        return str(self.season.pk) if self.season else ALL_TIME

    @property
    def url(self) -> str:
        return reverse("standing", args=[self.club.slug, self.which])

    @property
    def counted(self) -> Club | Season:
        """What knows since when it is counted differently."""
        return self.season or self.club

    @property
    def news(self) -> Club | Season | None:
        """The same, while people are to be told: for a month, or until an organiser has read it."""
        since = self.counted.counted_since
        if since is None or self.counted.counted_seen or self.today - since > TOLD_FOR:
            return None
        return None if self.season and self.season.locked_at else self.counted

    @property
    def is_over(self) -> bool:
        """Whether nothing can move any more: it was locked, or its last day has gone by."""
        return self.season is not None and self.season.is_over_on(self.today)

    @property
    def first(self) -> list[StandingLine]:
        """Who is in front: the champion, once it is over."""
        return [line for line in self.lines if line.is_first]

    @property
    def last(self) -> list[StandingLine]:
        """Who is at the other end: nobody, where all are level."""
        return [line for line in self.lines if line.is_last]

    @property
    def first_people(self) -> list[Member]:
        return [line.member for line in self.first]

    @property
    def last_people(self) -> list[Member]:
        return [line.member for line in self.last]

    def line_of(self, member: int) -> StandingLine | None:
        """The row of that member (id of the record that counts, or of another of the same person)."""
        return next((line for line in self.lines if member in (line.row.member_id, line.member.same_as_id)), None)

    def says(self, member: int) -> str:
        """What it is for that member: "3rd, 4 points behind Flo, two nights left"; "" for nobody, or without rows."""
        if not member or not self.lines:
            return ""
        mine = self.line_of(member)
        said_of = [self.place_said(mine), *self.distance_said(mine)] if mine else [self.absence_said]
        if not self.is_over and self.nights_left:
            said_of.append(f"{spelled(self.nights_left)} {'night' if self.nights_left == 1 else 'nights'} left")
        return ", ".join(said_of)

    @property
    def absence_said(self) -> str:
        """What it is for a member who is not in it."""
        if self.season is None:
            return "No game of yours counts yet"
        return (
            "No game of yours counted in this season" if self.is_over else "No game of yours counts in this season yet"
        )

    def place_said(self, mine: StandingLine) -> str:
        """ "3rd", "3rd with Cy", "No place yet: one more night needed"; in the end "No place: one night too few"."""
        if mine.row.place is None:
            more, kind = self.terms.least_nights - mine.row.nights, "night"
            if more <= 0:
                more, kind = self.terms.least_games - mine.row.compared, "game"
            if more <= 0:  # the rule has changed, and it was not counted again yet
                return "No place yet"
            what = kind if more == 1 else f"{kind}s"
            if self.is_over:
                return f"No place: {spelled(more)} {what} too few"
            return f"No place yet: {spelled(more)} more {what} needed"
        others = [line.member.shown for line in self.lines if line.row.place == mine.row.place and line is not mine]
        if not others:
            return ordinal(mine.row.place)
        return f"{ordinal(mine.row.place)} with {others[0] if len(others) == 1 else spelled(len(others)) + ' others'}"

    def distance_said(self, mine: StandingLine) -> list[str]:
        """How far it is to the next place above, or, for who is in front, to the next below."""
        place = mine.row.place
        ahead = [line for line in self.lines if place and line.row.place and line.row.place < place]
        behind = [line for line in self.lines if place and line.row.place and line.row.place > place]
        if ahead:
            return [distance(mine, ahead[-1], self.scheme, "behind")]
        return [distance(mine, behind[0], self.scheme, "ahead of")] if place and behind else []


def distance(mine: StandingLine, other: StandingLine, scheme: Scheme, which: str) -> str:
    """ "4 points behind Flo"; where the points are tied, what the place hangs on."""
    apart = abs(mine.row.points - other.row.points)
    if apart:
        return f"{scheme.of(apart)} {which} {other.member.shown}"
    why = mine.row.reason if which == "behind" else other.row.reason
    return f"tied with {other.member.shown} ({why})"


def standing_lines(rows: Sequence[Standing]) -> list[StandingLine]:
    """The rows in their order: who has no place comes last, and equal places by name."""
    places = [row.place for row in rows if row.place is not None]
    last = max(places, default=1)
    ordered = sorted(
        rows, key=lambda row: (row.place is None, row.place or 0, -row.points, row.member.shown.casefold())
    )
    shared = {place for place in places if places.count(place) > 1}
    return [StandingLine(row, row.place in shared, row.place == last > 1) for row in ordered]


# From the database


def league_now(club: Club) -> League:
    """The standing of the season that is on, else the one nobody had to choose. One query where there is anything."""
    today = club.today()
    running = club.seasons.on(today)
    which = Q(season=Subquery(running.values("pk")[:1])) | Q(Q(season__isnull=True), ~Exists(running))
    rows = list(standing_rows(club, today).filter(which))
    return league(club, rows[0].season if rows else running.first(), rows, today)


def league_of(club: Club, season: Season | None) -> League:
    """The standing of that season, or (None) of all time. One query."""
    today = club.today()
    return league(club, season, list(standing_rows(club, today).filter(season=season)), today)


def league(club: Club, season: Season | None, rows: list[Standing], today: datetime.date) -> League:
    left = getattr(rows[0], "nights_left", 0) if rows and season else 0
    return League(club, season, standing_lines(rows), left, today)


def standing_rows(club: Club, today: datetime.date) -> QuerySet[Standing]:
    """All rows of the club with their people, and how many nights their season has still to come (`nights_left`)."""
    nights = (
        Night.objects.standing()
        .filter(club=club, for_fun=False, closed_at__isnull=True, on__gte=today)
        .filter(on__range=(OuterRef("season__begins"), OuterRef("season__ends")))
        .order_by()
    )
    left = nights.values("club").annotate(left=Count("pk")).values("left")
    rows = Standing.objects.filter(club=club).select_related("member", "season")
    return rows.annotate(nights_left=Coalesce(Subquery(left), 0))
