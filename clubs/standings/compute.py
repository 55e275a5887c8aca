"""Computing a standing from the current sheets: the games that count, and their result.

Nothing is stored here; `clubs.standings.store` does that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from clubs.models import Club, Placing, Season, Table
from clubs.models.member import of_person
from clubs.ratings.games import Step, games_of, steps_of
from clubs.ratings.skill import Skill
from clubs.standings.schemes import (
    LATEST_GAMES,
    MOST_POINTS,
    SCHEMES,
    USUAL,
    Figures,
    Ranked,
    Result,
    Terms,
    added,
    form_of,
    rank,
    tally,
    without_scores,
)
from rules import all_games

#: What of a placing a standing is made from, behind the person whose it is.
COLUMNS = (
    "table__night", "place", "score", "winner", "loser", "players", "hands", "boxes", "circles",
    "bids", "made", "table", "sharing", "table__night__on",
)  # fmt: skip


def terms_of(season: Season | None) -> Terms:
    """By what a season is counted; None: the standing nobody had to choose.

    A season may have come in with a file: what says nothing there is passed over. Where scores of different games would
    be compared it is the nearest that compares none; only a season that was locked before that stays as it was locked.
    """
    if season is None:
        return USUAL
    as_locked = season.locked_at is not None and not season.keeps_apart
    return chosen_terms(season, one_game=as_locked or is_of_one_game(season)).comparable


def is_of_one_game(season: Season | None) -> bool:
    """Whether somebody chose the one game that counts, and its scores can be compared."""
    return season is not None and compare(words(season.games))


def compare(slugs: Iterable[str]) -> bool:
    """Whether tables of these games (slugs, each once or often) have scores that can be compared: all are one game."""
    games = set(slugs)
    return len(games) == 1 and all(game.has_comparable_scores for game in all_games() if game.slug in games)


def chosen_terms(season: Season, *, one_game: bool) -> Terms:
    """The terms as they were chosen, whether or not they compare scores of different games."""
    scheme = SCHEMES.get(season.scheme, USUAL.scheme)
    points = season.numbers.get("points") if isinstance(season.numbers, dict) else None
    numbers = {"points": [worth for worth in points if is_worth(worth)]} if isinstance(points, list) else {}
    # A rating goes from game to game: no night can be left out of it.
    drops = 0 if scheme.is_rating else season.drops
    return Terms(scheme, tuple(words(season.order)), numbers, drops, season.least_nights, one_game)


def is_worth(value: object) -> bool:
    """Whether it is what a place can be worth."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_POINTS


def words(value: object) -> list[str]:
    """The words of a list; none, where it is no list."""
    return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []


@dataclass(frozen=True)
class Position:
    """Where somebody stands, where they stood before the latest night (None: nowhere), and what their games come to."""

    ranked: Ranked
    before: int | None
    figures: Figures


def positions(
    club: Club, season: Season | None, whose: set[int | None] | None = None,
    others: dict[int, Figures] | None = None, terms: Terms | None = None,
) -> dict[int, Position]:  # fmt: skip
    """Where everybody (id of the record that counts) stands by what is on the sheets now; the first comes first.

    Whoever is not in `whose` has the figures that `others` says. `terms`: as if it were counted by other terms.
    """
    terms = with_scores(terms or terms_of(season), club, season)
    others = others or {}
    if terms.one_game and any(figures.score is None for figures in others.values()):
        # There was another game until now: nobody's scores are known.
        whose = None
    if terms.scheme.is_rating:
        # A game moves everybody who meets its players later.
        whose = None
    latest = latest_night(club, season)
    people = None if whose is None else whose | in_night(club, season, latest)
    results = results_of(club, season, people)
    kept = {member: figures for member, figures in others.items() if people is not None and member not in people}
    if not terms.one_game:
        kept = {member: without_scores(figures) for member, figures in kept.items()}
    now = kept | {member: tally(games, terms) for member, games in results.items()}
    earlier = {member: [game for game in games if game.night != latest] for member, games in results.items()}
    then = kept | {member: tally(games, terms) for member, games in earlier.items() if games}
    if terms.scheme.is_rating:
        course = rating_course(club, season)
        give_ratings(now, course)
        give_ratings(then, [step for step in course if step.game.night != latest])
    stood, stood_then = rank(now, terms), rank(then, terms)
    return {
        member: Position(ranked, stood_then[member].place if member in stood_then else None, now[member])
        for member, ranked in stood.items()
    }


def positions_after(
    club: Club, season: Season | None, ended: Collection[Table], kept: dict[int, Figures],
    places: dict[int, tuple[int | None, int | None]],
) -> dict[int, Position] | None:  # fmt: skip
    """The same as `positions`, once these tables of one night have ended, at which nobody had a placing yet: from how
    everybody stood until then (`kept`, and `places`: the place, and that before the latest night). So it costs the same
    after any number of games. None: it takes all games to tell.
    """
    terms = terms_of(season)
    tables, these = counting_tables(club, season), [table.pk for table in ended]
    if terms.scheme.is_rating or terms.drops or not tables.filter(pk__in=these).exists():
        return None
    this = next(iter(ended)).night
    played = Exists(Placing.objects.filter(table=OuterRef("pk")))
    others = tables.filter(played).exclude(pk__in=these).order_by("-night__on", "-night__pk")
    last = others.values_list("night__on", "night", "game").first()
    latest, night = last[:2] if last else None, (this.on, this.pk)
    if latest is not None and latest > night:
        return None
    had_one_game = all(figures.score is not None for figures in kept.values())
    slugs = {table.game for table in ended} | ({last[2]} if last else set())
    terms = replace(terms, one_game=terms.one_game or (had_one_game and compare(slugs)))
    if not terms.one_game:
        kept = {person: without_scores(figures) for person, figures in kept.items()}
    tonight = results_of(club, season, None, list(tables.filter(night=this).values_list("pk", flat=True)))
    added_now = {person: [game for game in games if game.table in these] for person, games in tonight.items()}
    results = {person: games for person, games in added_now.items() if games}
    rows = counting_placings(club, season).exclude(table__in=these).annotate(who=Coalesce("member__same_as", "member"))
    whose = of_person(list(results))
    games_of = rows.filter(whose).order_by().values_list("who").annotate(games=Count("pk"), scored=Count("score"))
    played_before = {person: (number, scored) for person, number, scored in games_of}
    now = dict(kept)
    for person, games in results.items():
        before = kept.get(person, Figures())
        number, scored = played_before.get(person, (0, 0))
        if before.games != number:
            # The standing knows these tables already, or does not know others yet.
            return None
        scores = scored + sum(game.score is not None for game in games)
        again = len(tonight[person]) - len(games)
        earlier = before.form[: max(0, len(before.form) - again)]
        form = (earlier + form_of(tonight[person]))[-LATEST_GAMES:]
        now[person] = added(before, tally(games, terms), scores, form, again=again > 0)
    if latest == night:
        then = {person: place for person, (_, place) in places.items()}
    else:
        then = {person: place for person, (place, _) in places.items()}
    return {person: Position(ranked, then.get(person), now[person]) for person, ranked in rank(now, terms).items()}


# Ratings


def rating_course(club: Club, season: Season | None) -> list[Step]:
    """How the games of the season have moved everybody's rating, who all began it alike. One query."""
    return list(steps_of(games_of(counting_placings(club, season))))


def give_ratings(people: Mapping[int, Figures], course: Iterable[Step]) -> None:
    """Let the points of these people be their ratings behind the last of these steps."""
    skills = {step.person: step.after for step in course}
    for person, figures in people.items():
        skill = skills.get(person, Skill())
        figures.points, figures.uncertainty = Decimal(skill.number), skill.uncertainty


# What it is made from


def with_scores(terms: Terms, club: Club, season: Season | None) -> Terms:
    """The terms, knowing whether the scores of all games that count can be compared. One query at most."""
    if terms.one_game:
        return terms
    games = counting_tables(club, season).order_by().values_list("game", flat=True).distinct()[:2]
    return replace(terms, one_game=not games or compare(games))


def counting_tables(club: Club, season: Season | None) -> QuerySet[Table]:
    """The tables that count: finished, on nights that are more than fun, between the dates of the season."""
    tables = Table.objects.counting().filter(night__club=club)
    if season is not None:
        tables = tables.filter(night__on__range=(season.begins, season.ends))
        if games := words(season.games):
            tables = tables.filter(game__in=games)
    return tables


def counting_placings(club: Club, season: Season | None) -> QuerySet[Placing]:
    """The placings at those tables."""
    return Placing.objects.filter(table__in=counting_tables(club, season).values("pk"))


def results_of(
    club: Club, season: Season | None, whose: set[int | None] | None, tables: Iterable[int] | None = None
) -> dict[int, list[Result]]:
    """The games that count, by person (id of the record that counts); of `tables` (ids) alone, if they are given."""
    placings = counting_placings(club, season)
    if tables is not None:
        placings = placings.filter(table__in=tables)
    rows = placings.annotate(who=Coalesce("member__same_as", "member"))
    if whose is not None:
        rows = rows.filter(of_person(whose))
    read = [(person, Result(*columns)) for person, *columns in rows.values_list("who", *COLUMNS)]
    won_away = set[int]()
    if any(is_first_without_winning(result) for _, result in read):
        # Where somebody who had gone home has won, the best of those who stayed has place 1 and has not.
        won_away = set(placings.filter(winner=True, place__isnull=True).values_list("table", flat=True))
    by_person: defaultdict[int, list[Result]] = defaultdict(list)
    for person, result in read:
        # A win that is shared has no winner's name on the sheet.
        wins = is_first_without_winning(result) and result.table not in won_away
        by_person[person].append(result._replace(won=True) if wins else result)
    return by_person


def is_first_without_winning(result: Result) -> bool:
    """Whether they shared the win, or whoever won had gone home."""
    return result.place == 1 and not result.won


def latest_night(club: Club, season: Season | None) -> int | None:
    """The latest night (id) on which something counts."""
    played = Exists(Placing.objects.filter(table=OuterRef("pk")))
    tables = counting_tables(club, season).filter(played).order_by("-night__on", "-night__pk")
    return tables.values_list("night", flat=True).first()


def in_night(club: Club, season: Season | None, night: int | None) -> set[int | None]:
    """Who (ids of the records that count) has a game that counts on that night."""
    if night is None:
        return set()
    rows = (
        counting_placings(club, season).filter(table__night=night).annotate(who=Coalesce("member__same_as", "member"))
    )
    return set(rows.values_list("who", flat=True))
