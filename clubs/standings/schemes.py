"""Scoring schemes of seasons: the worth of a game, the tie-breaks, and the places that follow.

Nothing here knows a database. A game has a worth for each of its players (`Scheme.worth`); their sum for one person is
their `Figures` (`tally`), whatever the order of the games; `rank` gives places, 1, 2, 2, 4.

Scores of different games are never added up or compared. A place can be compared, and the share of the table that
somebody has beaten (`share_beaten`); scores count only if all games are one game (`Terms.one_game`).
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple, TypeVar

from clubs.ratings.skill import EXPLAINED, LEAST_GAMES
from rules.core.numbers import MINUS

Who = TypeVar("Who", bound="Hashable")
HUNDREDTH = Decimal("0.01")
#: No place is worth more.
MOST_POINTS = 1000
#: Why people share a place.
LEVEL = "tied in everything"


@dataclass
class Figures:
    """What somebody's games come to. Points leave out their worst nights; everything else counts all of them.

    `share` is the mean share of the table beaten, in percent: `beaten` (hundredths of a percent) over `compared` games.
    `score`, `average`, `best` and `worst` are None where there is more than one game. `uncertainty`: of points that are
    a rating, in points; else None. `form`: the latest games (`form_of`).
    """

    points: Decimal = Decimal(0)
    nights: int = 0
    games: int = 0
    won: int = 0
    lost: int = 0
    beaten: int = 0
    compared: int = 0
    share: Decimal | None = None
    score: int | None = None
    average: Decimal | None = None
    best: int | None = None
    worst: int | None = None
    hands: int = 0
    boxes: int = 0
    circles: int = 0
    bids: int = 0
    made: int = 0
    uncertainty: int | None = None
    form: str = ""


# What a game is worth


def by_score(result: Result, numbers: Mapping[str, Any]) -> int:  # noqa: ARG001 - it has none
    return result.score or 0


def by_place(result: Result, numbers: Mapping[str, Any]) -> int:
    """So many for the first place, the second …; without a list, one for everybody at the table who ended below."""
    if result.place is None:
        return 0
    given = numbers.get("points") or []
    if not given:
        return max(0, result.players - result.place)
    return int(given[result.place - 1]) if result.place <= len(given) else 0


def by_share(result: Result, numbers: Mapping[str, Any]) -> int:  # noqa: ARG001 - it has none
    """Of a hundred points so many as percent of the table were beaten, a half rounded up."""
    share = share_beaten(result)
    return 0 if share is None else (share + 50) // 100


def by_win(result: Result, numbers: Mapping[str, Any]) -> int:  # noqa: ARG001 - it has none
    return int(result.won)


def by_rating(result: Result, numbers: Mapping[str, Any]) -> int:  # noqa: ARG001 - it has none
    """Nothing: a rating is no sum of games, because it depends on everybody's (`clubs.standings.compute`)."""
    return 0


def by_bids(result: Result, numbers: Mapping[str, Any]) -> int:  # noqa: ARG001 - it has none
    return result.made


@dataclass(frozen=True)
class Scheme:
    """A way to count: its name in a season's row, its words, what a game is worth, and its usual order of ties."""

    slug: str
    name: str
    says: str
    #: What is counted, of one and of many: "win", "wins".
    singular: str
    plural: str
    worth: Callable[[Result, Mapping[str, Any]], int]
    order: tuple[str, ...]
    #: Whether it can only be counted where all games are one game.
    needs_one_game: bool = False
    #: Whether the points are a rating (`clubs.ratings`), and no sum of what games are worth.
    is_rating: bool = False

    @property
    def heading(self) -> str:
        """The head of its column: "Points", "Wins"."""
        return self.name if self.is_rating else self.plural.capitalize()

    def of(self, points: Decimal) -> str:
        """So many of what it counts: "4 points", "1 win"."""
        return f"{figure_text(points)} {self.singular if points == 1 else self.plural}"


SCHEMES = {
    scheme.slug: scheme
    for scheme in (
        Scheme("won", "Games won", "Every game won counts as one. A shared win counts for everybody who shares it.",
               "win", "wins", by_win, ("share",)),
        Scheme("share", "Share of the table beaten",
               "A game is worth 100 points to whoever beats the whole table, none to whoever is last, "
               "and to the others in proportion.", "point", "points", by_share, ("won",)),
        Scheme("score", "Raw score", "The scores of all games, added up.", "point", "points", by_score, ("won",),
               needs_one_game=True),
        Scheme("places", "Points per place", "Points for first place, second place and so on.",
               "point", "points", by_place, ("won", "share")),
        Scheme("made", "Bids made", "Every bid made counts as one.", "bid", "bids", by_bids, ("won",)),
        Scheme("rating", "Rating", " ".join(EXPLAINED), "rating point", "rating points", by_rating, ("won",),
               needs_one_game=True, is_rating=True),
    )
}  # fmt: skip


@dataclass(frozen=True)
class TieBreak:
    """What tells people apart who have the same points: more of it is better, or (`fewer`) less of it."""

    slug: str
    name: str
    of: Callable[[Figures], Decimal | int | None]
    fewer: bool = False
    needs_one_game: bool = False

    def key(self, figures: Figures) -> Decimal:
        """The greater the better; who has none of it comes last."""
        value = self.of(figures)
        if value is None:
            return Decimal("-Infinity")
        return -Decimal(value) if self.fewer else Decimal(value)


TIE_BREAKS = {
    tie.slug: tie
    for tie in (
        TieBreak("won", "games won", lambda figures: figures.won),
        TieBreak("share", "share of the table beaten", lambda figures: figures.share),
        TieBreak("average", "average score", lambda figures: figures.average, needs_one_game=True),
        TieBreak("score", "score of all games", lambda figures: figures.score, needs_one_game=True),
        TieBreak("best", "best game", lambda figures: figures.best, needs_one_game=True),
        TieBreak("made", "bids made", lambda figures: figures.made),
        TieBreak("lost", "games lost, fewer first", lambda figures: figures.lost, fewer=True),
        TieBreak("nights", "nights, fewer first", lambda figures: figures.nights, fewer=True),
    )
}


@dataclass(frozen=True)
class Terms:
    """Everything by which a season is counted."""

    scheme: Scheme
    order: tuple[str, ...]
    numbers: Mapping[str, Any] = field(default_factory=dict)
    drops: int = 0
    least_nights: int = 0
    #: Whether all games are one game, so that their scores can be added up and compared.
    one_game: bool = False

    @property
    def least_games(self) -> int:
        """With fewer games to compare somebody has no place yet."""
        return LEAST_GAMES if self.scheme.is_rating else 0

    @property
    def ties(self) -> list[TieBreak]:
        """What breaks ties, first what is asked first."""
        return [TIE_BREAKS[name] for name in self.order if name in TIE_BREAKS]

    @property
    def comparable(self) -> Terms:
        """These terms, or the nearest ones where they would compare scores of different games."""
        if self.one_game:
            return self
        scheme = SCHEMES[NEAREST] if self.scheme.needs_one_game else self.scheme
        return replace(self, scheme=scheme, order=comparable_order(self.order))

    @property
    def in_short(self) -> str:
        """ "Games won, ties by share of the table beaten"."""
        ties = ", then ".join(tie.name for tie in self.ties)
        return f"{self.scheme.name}, ties by {ties}" if ties else self.scheme.name


#: The scheme and the tie-break that come nearest to raw scores, over games whose scores cannot be compared.
NEAREST = "share"


def comparable_order(order: Iterable[str]) -> tuple[str, ...]:
    """What breaks ties over several games: what needs one game becomes the nearest, and nothing is there twice.

    >>> comparable_order(["won", "average", "best", "lost"])
    ('won', 'share', 'lost')
    """
    needs = {name for name, tie in TIE_BREAKS.items() if tie.needs_one_game}
    return tuple(dict.fromkeys(NEAREST if name in needs else name for name in order))


#: The standing nobody had to choose.
USUAL = Terms(SCHEMES["won"], SCHEMES["won"].order)


# What it comes to


def tally(results: Sequence[Result], terms: Terms) -> Figures:
    """What somebody's games come to by these terms, in whatever order they are given."""
    if not results:
        return Figures()
    columns: dict[str, Any] = dict(zip(Result._fields, zip(*results, strict=True), strict=True))
    nights = nights_of(results, terms)
    left_out = dropped(nights, terms.drops)
    shares = [share for result in results if (share := share_beaten(result)) is not None]
    figures = Figures(
        points=Decimal(sum(points for night, points in nights.items() if night not in left_out)),
        nights=len(nights), games=len(results), beaten=sum(shares), compared=len(shares),
        **{name: sum(columns[name]) for name in ("won", "lost", "hands", "boxes", "circles", "bids", "made")},
    )  # fmt: skip
    figures.share, figures.form = mean_share(figures), form_of(results)
    if terms.one_game:
        scores = [score for score in columns["score"] if score is not None]
        figures.score = sum(scores)
        figures.average = mean(figures.score, len(scores))
        figures.best, figures.worst = max(scores, default=None), min(scores, default=None)
    return figures


def mean(total: int, of: int) -> Decimal | None:
    """With two decimals; None of nothing."""
    return (Decimal(total) / of).quantize(HUNDREDTH, ROUND_HALF_UP) if of else None


def mean_share(figures: Figures) -> Decimal | None:
    """The mean share of the table beaten, in percent."""
    return mean(figures.beaten, 100 * figures.compared)


#: Figures that are added up whatever the night.
SUMS = ("points", "games", "won", "lost", "beaten", "compared", "hands", "boxes", "circles", "bids", "made")


def added(before: Figures, more: Figures, scores: int, form: str, *, again: bool) -> Figures:
    """What somebody's games come to with those of one more table, where no night is left out.

    `scores`: how many of all these games have a score. `form`: the latest of all of them. `again`: they had played on
    that night before.
    """
    figures = Figures(**{name: getattr(before, name) + getattr(more, name) for name in SUMS})
    figures.nights = before.nights + (0 if again else more.nights)
    figures.share, figures.form = mean_share(figures), form
    if more.score is not None:
        figures.score = (before.score or 0) + more.score
        figures.average = mean(figures.score, scores)
        figures.best = max((part.best for part in (before, more) if part.best is not None), default=None)
        figures.worst = min((part.worst for part in (before, more) if part.worst is not None), default=None)
    return figures


#: So many of the latest games are somebody's form, and the letter of a game won, of one lost, and of any other.
LATEST_GAMES = 5
WON, LOST, BETWEEN = "W", "L", "M"


def form_of(results: Iterable[Result]) -> str:
    """Somebody's latest games, a letter each, the latest last.

    >>> form_of([Result(2, 2, 5, won=False, lost=True, players=2), Result(1, 1, 9, won=True, lost=False, players=2)])
    'WL'
    """
    games = [
        (result.on, result.night, result.table, WON if result.won else LOST if result.lost else BETWEEN)
        for result in results
    ]
    return "".join(letter for *_, letter in sorted(games)[-LATEST_GAMES:])


def without_scores(figures: Figures) -> Figures:
    """The same over several games."""
    return replace(figures, score=None, average=None, best=None, worst=None)


def nights_of(results: Iterable[Result], terms: Terms) -> dict[Hashable, int]:
    """What each night was worth to somebody: all its games together."""
    nights: defaultdict[Hashable, int] = defaultdict(int)
    worth, numbers = terms.scheme.worth, terms.numbers
    for result in results:
        nights[result.night] += worth(result, numbers)
    return nights


Evening = TypeVar("Evening", bound="Hashable")


def dropped(nights: Mapping[Evening, int], drops: int) -> set[Evening]:
    """The worst nights, which are left out: of equal ones the first, and never the only one.

    >>> sorted(dropped({1: 5, 2: 0, 3: 0, 4: 7}, 1)), dropped({1: 5}, 2)
    ([2], set())
    """
    worst = sorted(nights, key=lambda night: (nights[night], night))
    return set(worst[: max(0, min(drops, len(nights) - 1))])


@dataclass(frozen=True)
class Ranked:
    """Where somebody stands; `place` None: not enough nights or games yet.

    `reason`: why they are below others who have the same points, or else share a place.
    """

    place: int | None
    reason: str = ""


def rank(people: Mapping[Who, Figures], terms: Terms) -> dict[Who, Ranked]:
    """Everybody by place, the first first; who is level in everything shares it, and the next ones are skipped."""
    breaks = terms.ties

    def key(person: Who) -> tuple[Decimal, ...]:
        figures = people[person]
        return (figures.points, *(tie.key(figures) for tie in breaks))

    groups: defaultdict[tuple[Decimal, ...], list[Who]] = defaultdict(list)
    for person, figures in people.items():
        if figures.nights >= terms.least_nights and figures.compared >= terms.least_games:
            groups[key(person)].append(person)
    ranked: dict[Who, Ranked] = {}
    above: Figures | None = None
    for level in sorted(groups, reverse=True):
        group, place = groups[level], len(ranked) + 1
        why = reason(above, people[group[0]], breaks) if above else ""
        ranked |= {person: Ranked(place, why or (LEVEL if len(group) > 1 else "")) for person in group}
        above = people[group[0]]
    return ranked | {person: Ranked(None) for person in sorted(people.keys() - ranked.keys(), key=key, reverse=True)}


def reason(above: Figures, below: Figures, breaks: Iterable[TieBreak]) -> str:
    """What puts one below the other who has the same points; "" where the points say it themselves."""
    if above.points == below.points:
        for tie in breaks:
            if tie.key(above) != tie.key(below):
                value = tie.of(below)
                figure = "nothing to compare with" if value is None else f"{figure_text(value)} to"
                return f"{tie.name}: {figure} {figure_text(tie.of(above))}"
    return ""


def figure_text(value: Decimal | int | None) -> str:
    """A figure as it is shown: without a tail of zeros, with a real minus sign.

    >>> figure_text(Decimal("-3.50")), figure_text(Decimal("12.00")), figure_text(None)
    ('−3.5', '12', 'none')
    """
    if value is None:
        return "none"
    value = Decimal(value)
    text = f"{abs(value):f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return MINUS + text if value < 0 else text


def ordinal(number: int) -> str:
    """A place as it is said.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '112th']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


#: The share of a table that was beaten is counted in hundredths of a percent.
WHOLE_TABLE = 10_000


class Result(NamedTuple):
    """What one game was to one person; `place` None: they went home early. `night` and `table` are any keys that can be
    sorted; `on` is the day of the night.

    `sharing`: how many others had the same place.
    """

    night: Any
    place: int | None
    score: int | None
    won: bool
    lost: bool
    players: int
    hands: int = 0
    boxes: int = 0
    circles: int = 0
    bids: int = 0
    made: int = 0
    table: Any = 0
    sharing: int = 0
    on: datetime.date = datetime.date.min


def share_of(place: int | None, players: int, sharing: int = 0) -> int | None:
    """How much of the table somebody has beaten, in hundredths of a percent: (n - place) / (n - 1).

    Those who share a place have the mean of the places they take up. None: there is no place, or nobody to beat.

    >>> share_of(1, 6), share_of(6, 6), share_of(2, 4), share_of(1, 4, 1), share_of(1, 3, 2)
    (10000, 0, 6667, 8333, 5000)
    >>> share_of(None, 6), share_of(1, 1)
    (None, None)
    """
    if place is None or players < 2:
        return None
    # Twice as much, so that the mean of two places is a whole number.
    ahead_of = max(0, 2 * (players - place) - sharing)
    return (WHOLE_TABLE * ahead_of + players - 1) // (2 * (players - 1))


def share_beaten(result: Result) -> int | None:
    """The same of a result. Who went home early and was given the win, or the last place, has all of it, or none."""
    if result.place is None and (result.won or result.lost) and result.players:
        return WHOLE_TABLE if result.won else 0
    return share_of(result.place, result.players, result.sharing)
