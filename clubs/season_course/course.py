"""Where everybody stood after each night of a standing."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from clubs.models import Club, Member, Season
from clubs.ratings.games import Step
from clubs.standings.compute import give_ratings, rating_course, results_of, terms_of, with_scores
from clubs.standings.schemes import Figures, Ranked, Result, Terms, rank, tally

#: So many of the latest nights are shown.
MOST_NIGHTS = 40
#: A night in the order of time: its day and its id.
Night = tuple[datetime.date, int]


@dataclass(frozen=True)
class Stop:
    """The standing after one night: its day, and the place of everybody who had one, in the order of a standing."""

    on: datetime.date
    places: Mapping[int, int]


@dataclass(frozen=True)
class Course:
    """The latest nights after which anybody had a place, in their order. `people` are all who ever had one, by id."""

    stops: Sequence[Stop]
    people: Mapping[int, Member]

    @property
    def last(self) -> Stop:
        return self.stops[-1]

    def places_of(self, person: int) -> list[int | None]:
        """Their place after each night; None: they had none yet."""
        return [stop.places.get(person) for stop in self.stops]


def course_of(club: Club, season: Season | None, most: int = MOST_NIGHTS) -> Course:
    """The course of that season, or (None) of all time, by what is on the sheets now. Five queries at most."""
    terms = with_scores(terms_of(season), club, season)
    results = results_of(club, season, None)
    steps = rating_course(club, season) if terms.scheme.is_rating else []
    people = Member.objects.in_bulk(results.keys())
    stops = [
        Stop(night[0], ordered(ranked, people)) for night, _, ranked in standings_after(results, terms, steps, most)
    ]
    return Course([stop for stop in stops if stop.places], people)


def standings_after(
    results: Mapping[int, Sequence[Result]], terms: Terms, steps: Iterable[Step], most: int
) -> Iterable[tuple[Night, Mapping[int, Figures], Mapping[int, Ranked]]]:
    """The figures and the places after each of the `most` latest nights. `steps`: how games moved ratings, if they do.

    After a night only those are counted again who were there.
    """
    nights = sorted({(result.on, result.night) for games in results.values() for result in games})
    by_time = {person: sorted(games, key=attrgetter("on", "night")) for person, games in results.items()}
    figures: dict[int, Figures] = {}
    steps = list(steps)
    for night in nights[-most:] if most else []:
        first = not figures
        for person, games in by_time.items():
            until = [game for game in games if (game.on, game.night) <= night]
            if until and (first or (until[-1].on, until[-1].night) == night):
                figures[person] = tally(until, terms)
        if terms.scheme.is_rating:
            past = {pk for on, pk in nights if (on, pk) <= night}
            give_ratings(figures, [step for step in steps if step.game.night in past])
        yield night, figures, rank(figures, terms)


def ordered(ranked: Mapping[int, Ranked], people: Mapping[int, Member]) -> dict[int, int]:
    """The places of those who have one, as a standing lists them: equal places by name."""
    placed = {person: row.place for person, row in ranked.items() if row.place is not None}

    def key(person: int) -> tuple[int, str, int]:
        return placed[person], people[person].shown.casefold(), person

    return {person: placed[person] for person in sorted(placed, key=key)}
