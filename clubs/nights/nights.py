"""The nights of a club: planning, and the games of the last one."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from clubs.club.forms import find_known
from clubs.members.people import locked
from clubs.models import Chair, Club, Event, Night, Table
from clubs.nights.attendance import AttendanceSummary, attendance
from clubs.nights.seating import fewest_tables, sizes_of
from clubs.outbox.events import announce
from rules.core.game import Game
from scoresheets.opening.game_cards import by_size

A_DAY, A_WEEK = datetime.timedelta(days=1), datetime.timedelta(weeks=1)
#: A year of weekly nights can be planned at once.
MOST_AT_ONCE = 52


def next_date(club: Club) -> datetime.date:
    """The day that is proposed for another night: the usual weekday of the club after the last that is planned.

    Where it has none, a week after the last, or today.
    """
    today = club.today()
    last = club.nights.standing().values_list("on", flat=True).first()
    if club.usual_day is not None:
        return next_usual_day(club.usual_day, today, last)
    if last is None:
        return today
    day = last + A_WEEK
    while day < today:
        day += A_WEEK
    return day


def next_usual_day(weekday: int, today: datetime.date, last: datetime.date | None) -> datetime.date:
    """The first such weekday (0 is Monday) from today on, after the `last` night that is planned."""
    day = max(today, last + A_DAY) if last else today
    return day + (weekday - day.weekday()) % 7 * A_DAY


def plan_nights(like: Night, days: Sequence[datetime.date] = ()) -> list[Night]:
    """Add the night `like`, which is not saved, or one like it on each of these days.

    A night that is there already with the same day, hour and title is the same one: the tap was sent twice.
    """
    planned, added = [], []
    with transaction.atomic():
        locked(like.club)
        for on in days or [like.on]:
            night = like.club.nights.standing().filter(on=on, begins=like.begins, title=like.title).first()
            if night is None:
                night = Night.objects.create(
                    club=like.club, on=on, begins=like.begins, title=like.title, place=like.place, for_fun=like.for_fun,
                    game=like.game, trophies=like.trophies,
                )  # fmt: skip
                added.append(night)
            planned.append(night)
        tell_planned([night for night in added if is_ahead(night)])
    return planned


def is_ahead(night: Night) -> bool:
    """Whether people can still be asked to come: its hour is to come, or its day where it has no hour."""
    now = timezone.now().astimezone(night.club.zone)
    return (night.on, night.begins or datetime.time.min) > (now.date(), now.time())


def tell_planned(nights: Sequence[Night]) -> None:
    """Announce these nights of one club: a series once, by its first."""
    if nights:
        first = nights[0]
        announce(first.club, Event.Kind.PLANNED, str(first.pk), night=first, nights=[night.pk for night in nights])


def put_away(night: Night) -> None:
    """The night is archived, and everything of it counts for nothing until it is brought back."""
    with transaction.atomic():
        fresh = Night.objects.select_for_update(of=("self",)).get(pk=night.pk)
        if fresh.archived_at is None:
            fresh.archived_at = timezone.now()
            fresh.save(update_fields=["archived_at"])


def bring_back(night: Night) -> None:
    """The way back from the archive."""
    with transaction.atomic():
        night.archived_at = None
        night.save(update_fields=["archived_at"])


# Last time


def last_night(night: Night) -> Night | None:
    """The night of the club before this one on which something was played; of two of one day the one that counts."""
    tables = Table.objects.standing().filter(night__club=night.club_id, night__on__lte=night.on)
    others = tables.exclude(night=night.pk).select_related("night")
    table = others.order_by("-night__on", "night__for_fun", "-night_id").first()
    return table.night if table else None


@dataclass(frozen=True)
class Whereabouts:
    """The tables of a night and those of the night before it, who was at each of them, and who has a chair tonight."""

    tonight: list[Table]
    last: list[Table]
    attendance: AttendanceSummary
    chairs: list[Chair]

    def people(self, tables: Iterable[Table]) -> set[int]:
        """Who was at any of these tables (ids of the members that count)."""
        return self.attendance.everybody(tables)[0]

    @property
    def others(self) -> int:
        """How many sit at tonight's tables whose names are matched with nobody of the club."""
        return len(self.attendance.everybody(self.tonight)[1])

    @property
    def busy(self) -> set[int]:
        """Who sits at a table of tonight that is not over, or has a chair there."""
        playing = [table for table in self.tonight if table.is_playing]
        pks = {table.pk for table in playing}
        return self.people(playing) | {chair.member.identity for chair in self.chairs if chair.table_id in pks}


def whereabouts(night: Night) -> Whereabouts:
    """Who is where tonight, and who was where last time. At most nine queries, however many tables there are."""
    before = last_night(night)
    tonight = list(night.tables.standing().select_related("sheet"))
    last = list(before.tables.standing()) if before else []
    chairs = Chair.objects.filter(table__in=tonight).select_related("table", "member") if tonight else ()
    return Whereabouts(tonight, last, attendance(night.club, [*last, *tonight]), list(chairs))


@dataclass(frozen=True)
class Evening:
    """A night as a list shows it: how many tables it had, and how many people sat there."""

    night: Night
    tables: int = 0
    people: int = 0
    #: Whether its tables came to one winner and one loser.
    play_off: bool = False


def evenings_of(nights: Iterable[Night]) -> list[Evening]:
    """The nights with what was at them. At most six queries for all of them."""
    nights = list(nights)
    there = Table.objects.filter(night__in=nights, withdrawn_at__isnull=True).select_related("stage__play_off")
    tables = list(there.only("night", "sheet", "stage__play_off__called_off_at"))
    there_were = attendance(nights[0].club, tables) if tables else AttendanceSummary()
    evenings = []
    for night in nights:
        here = [table for table in tables if table.night_id == night.pk]
        is_one = any(table.stage and table.stage.play_off.called_off_at is None for table in here)
        evenings.append(Evening(night, len(here), there_were.count(here), is_one))
    return evenings


# The game of a night


def main_game(club: Club) -> Game:
    """The main game of the club: as it was chosen, else what was drawn for most tables, else the one for the most
    people.
    """
    chosen = find_known(club.main_game)
    if chosen:
        return chosen
    drawn = Table.objects.standing().filter(night__club=club, source=Table.Source.DRAWN)
    most = drawn.values("game").annotate(tables=Count("pk")).order_by("-tables", "game").values_list("game", flat=True)
    known = [game for slug in most if (game := find_known(slug))]
    return known[0] if known else by_size()[0]


def wanted_game(night: Night) -> Game:
    """What is to be played tonight: as it was chosen for the night, else the main game of the club."""
    return find_known(night.game) or main_game(night.club)


def game_for(people: int, night: Night, wanted: Game) -> Game:
    """What so many people play at plain tables, where `wanted` is to be played tonight.

    Where it was not chosen for this very night, and not all of them have a seat at it, it is another game that gives
    them one, if there is one.
    """
    if night.game == wanted.slug or people in wanted.players:
        return wanted
    return next((game for game in (wanted, *by_size()) if seats_all(game, people)), wanted)


def seats_all(game: Game, people: int) -> bool:
    """Whether everybody has a seat when they play the game at as many tables as they need."""
    tables = fewest_tables(people, game.made_for)
    return bool(tables) and sum(sizes_of(people, [game.made_for] * tables)) == people
