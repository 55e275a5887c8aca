"""Commands for a season: create, change, lock, take over a later correction, archive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.outdated import NotNow
from clubs.members.people import locked
from clubs.models import Club, Member, Season, Standing
from clubs.models.projection import FAILING
from clubs.standings.compute import chosen_terms, is_of_one_game
from clubs.standings.locked import differences_of, mark_of
from clubs.standings.store import keep_season

#: So many of the latest seasons are tabs on the page of standings; the others are in the list of all seasons.
MOST_TABS = 4
IS_LOCKED = "This season is locked. Open it again first, then change it."
SAME_NAME = "There is a season of that name. Give this one another."
IS_BEING_COUNTED = "Results are still being counted. Try again in a few seconds."
HAS_MOVED = "Something else has changed since. Here is what would be applied now."


def latest_seasons(club: Club, shown: Season | None) -> list[Season]:
    """The seasons that are tabs on the page of standings, the latest first; the one that is `shown` is among them.

    One query.
    """
    latest = list(club.seasons.standing()[:MOST_TABS])
    return latest if shown is None or shown in latest else [*latest, shown]


def make_season(club: Club, says: dict[str, Any], *, by: Member | None) -> Season:
    """A new season; games that were played between its dates count at once. The same once more is the same season.

    Raises `NotNow` where there is another of that name.
    """
    with transaction.atomic():
        locked(club)
        other = club.seasons.standing().filter(name__iexact=says["name"]).first()
        if other is not None:
            if all(getattr(other, name) == value for name, value in says.items()):
                return other
            raise NotNow(SAME_NAME)
        season = Season.objects.create(club=club, **says)
        write_down(club, f"Made the season {season.name}.", by=by)
    return season


def change_season(season: Season, says: dict[str, Any], *, by: Member | None) -> None:
    """Raises `NotNow` where it is locked."""
    with transaction.atomic():
        season = held(season)
        if season.locked_at is not None:
            raise NotNow(IS_LOCKED)
        for name, value in says.items():
            setattr(season, name, value)
        # Chosen by a person now: nothing is to be told of any more.
        season.counted_since, season.counted_before, season.counted_seen = None, "", False
        season.save()
        write_down(season.club, f"Changed the season {season.name}.", by=by)


def compare_what_can_be_compared(club: Club) -> None:
    """Change how seasons are counted that came in with an older file and would compare scores of different games."""
    for season in club.seasons.filter(locked_at__isnull=True):
        compare_alike(season)


def compare_alike(season: Season) -> None:
    """Choose the nearest terms that compare no scores of different games, and keep what they were, and since when."""
    chosen = chosen_terms(season, one_game=is_of_one_game(season))
    terms = chosen.comparable
    if terms == chosen:
        return
    season.counted_before, season.counted_since, season.counted_seen = chosen.in_short, season.club.today(), False
    season.scheme, season.order = terms.scheme.slug, list(terms.order)
    season.save(update_fields=["counted_before", "counted_since", "counted_seen", "scheme", "order"])


def have_seen(club: Club, season: Season | None, *, by: Member | None) -> None:
    """An organiser has read that a season (None: all time) is counted differently. Once more does nothing."""
    counted = season or club
    if counted.counted_since is None or counted.counted_seen:
        return
    counted.counted_seen = True
    counted.save(update_fields=["counted_seen"])
    name = season.name if season else "all time"
    write_down(club, f"Read that the standing of {name} is counted differently.", by=by)


def lock(season: Season, *, by: Member | None) -> None:
    """From now on its standing does not move: it is written once more, and is no copy from then on.

    Once more does nothing. Raises `NotNow` while results of the club are still being counted.
    """
    with transaction.atomic():
        season = held(season)
        if season.locked_at is not None:
            return
        if is_counted_soon(season.club):
            raise NotNow(IS_BEING_COUNTED)
        keep_season(season)
        season.locked_at, season.differs, season.keeps_apart = timezone.now(), False, True
        season.save(update_fields=["locked_at", "differs", "keeps_apart"])
        write_down(season.club, f"Locked the season {season.name}{ends_said(season)}.", by=by)


def open_again(season: Season, *, by: Member | None) -> None:
    """Its standing follows the sheets again. Once more does nothing."""
    with transaction.atomic():
        season = held(season)
        if season.locked_at is None:
            return
        season.locked_at, season.differs = None, False
        season.save(update_fields=["locked_at", "differs"])
        compare_alike(season)
        write_down(season.club, f"Opened the season {season.name} again.", by=by)


def take_over(season: Season, saw: str, *, by: Member | None) -> None:
    """Lock it with what is on the sheets now. Raises `NotNow` where that is not what the preview (`saw`) said, and
    while results of the club are still being counted.
    """
    with transaction.atomic():
        season = held(season)
        differences = differences_of(season)
        if season.locked_at is None or not differences:
            return
        if saw != mark_of(differences):
            raise NotNow(HAS_MOVED)
        if is_counted_soon(season.club):
            raise NotNow(IS_BEING_COUNTED)
        keep_season(season)
        season.differs = False
        season.save(update_fields=["differs"])
        moved = "; ".join(difference.in_short for difference in differences)
        write_down(season.club, f"Took corrections over into the locked season {season.name}: {moved}.", by=by)


def is_counted_soon(club: Club) -> bool:
    """Whether results wait that have not failed again and again: nobody waits for those."""
    return club.pending_updates.filter(failures__lt=FAILING).exists()


def archive(season: Season, *, by: Member | None) -> None:
    """It is listed apart, and shown to whoever opens it there. Once more does nothing."""
    with transaction.atomic():
        season = held(season)
        if season.archived_at is None:
            season.archived_at = timezone.now()
            season.save(update_fields=["archived_at"])
            write_down(season.club, f"Archived the season {season.name}.", by=by)


def unarchive(season: Season, *, by: Member | None) -> None:
    with transaction.atomic():
        season = held(season)
        if season.archived_at is not None:
            season.archived_at = None
            season.save(update_fields=["archived_at"])
            write_down(season.club, f"Brought the season {season.name} back.", by=by)


def held(season: Season) -> Season:
    """The season as it is now, and as it stays until the transaction is over."""
    return Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)


def ends_of(club: Club, seasons: Iterable[Season]) -> dict[int, tuple[list[Member], list[Member]]]:
    """Who is on top of each season (id) and who is last: nobody, where all are level. One query."""
    rows = Standing.objects.filter(club=club, season__in=seasons, place__isnull=False)
    by_season: dict[int, tuple[list[Member], list[Member]]] = {}
    bottom = rows.filter(season=OuterRef("season")).order_by("-place").values("place")[:1]
    ends = rows.annotate(bottom=Subquery(bottom)).filter(Q(place=1) | Q(place=F("bottom")), bottom__gt=1)
    for row in ends.select_related("member").order_by("place", "member__name"):
        top, low = by_season.setdefault(row.season_id or 0, ([], []))
        (top if row.place == 1 else low).append(row.member)
    return by_season


def ends_said(season: Season) -> str:
    """ ": Ann on top, Di last"; "" where nobody is ahead of anybody."""
    ends = ends_of(season.club, [season]).get(season.pk)
    if ends is None:
        return ""
    first, last = (" and ".join(member.shown for member in members) for members in ends)
    return f": {first} on top, {last} last"
