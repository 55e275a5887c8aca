"""A comparison of two members: their balance in the games they played together, and their figures side by side."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from clubs.models import Club, Table
from clubs.ratings.games import LAST, RatedGame
from clubs.records.figures import GamesSum, ShownFigure
from clubs.records.games import games_url, url_of
from clubs.records.hands import Person
from clubs.records.opponents import Balance, balance_of, games_together
from clubs.records.profile import Profile
from rules import find_game
from rules.core.game import Game
from rules.core.numbers import NO_BREAK, percent_text

#: So many of the latest meetings are listed.
MEETINGS = 5
NO_FIGURE = ShownFigure("", "")


@dataclass(frozen=True)
class Meeting:
    """A game both played: its night, where it is opened, and how it ended for each, in words."""

    on: datetime.date
    game: str
    url: str
    places: tuple[str, str]
    balance: Balance


@dataclass(frozen=True)
class FigureRow:
    """One figure of both, the first member's first; `NO_FIGURE` for who has none."""

    name: str
    figures: tuple[ShownFigure, ShownFigure]


@dataclass(frozen=True)
class Comparison:
    """Two members side by side. `chosen`: the slug of the game whose figures are shown, "" for the one they played
    together most.
    """

    club: Club
    people: tuple[Person, Person]
    chosen: str = ""

    @cached_property
    def games(self) -> list[RatedGame]:
        """The games they played together, in the order they ended. One query."""
        return games_together(self.club, *self.people)

    @property
    def ids(self) -> tuple[int, int]:
        first, second = self.people
        return first.member.pk, second.member.pk

    @cached_property
    def balance(self) -> Balance:
        """The balance of all games, for the first of them."""
        return balance_of(self.games, *self.ids)

    @cached_property
    def by_game(self) -> list[tuple[Game, Balance]]:
        """The same game by game, those they played most first."""
        games: defaultdict[str, list[RatedGame]] = defaultdict(list)
        for rated in self.games:
            games[rated.game].append(rated)
        balances = [(find_game(slug), balance_of(rated, *self.ids)) for slug, rated in games.items()]
        return sorted(balances, key=lambda pair: (-pair[1].games, pair[0].slug))

    @cached_property
    def meetings(self) -> list[Meeting]:
        """Their latest games together, the latest first. One query."""
        latest = self.games[: -MEETINGS - 1 : -1]
        tables = Table.objects.filter(pk__in=[rated.table for rated in latest])
        by_pk = tables.select_related("night", "sheet", "stage__play_off").in_bulk()
        return [self.meeting(rated, by_pk[rated.table]) for rated in latest]

    def meeting(self, rated: RatedGame, table: Table) -> Meeting:
        first, second = (rated.ranks[pk] for pk in self.ids)
        places = place_text(first), place_text(second)
        return Meeting(rated.on, find_game(rated.game).name, url_of(self.club, table), places,
                       balance_of([rated], *self.ids))  # fmt: skip

    @property
    def all_url(self) -> str:
        """The list of all games they played together."""
        return games_url(self.club, member=self.ids[0], other=self.ids[1])

    # -- figures side by side --------------------------------------------------------------------------

    @cached_property
    def profiles(self) -> tuple[Profile, Profile]:
        first, second = self.people
        chosen = self.chosen or next((game.slug for game, _ in self.by_game), "")
        return Profile(self.club, first, chosen), Profile(self.club, second, chosen)

    @property
    def common(self) -> list[Game]:
        """The games both have played, those the first of them plays most first."""
        first, second = self.profiles
        return [game for game, _ in first.games if game.slug in second.by_game]

    @property
    def game(self) -> Game | None:
        """The game whose figures are shown; None where it is not the same for both."""
        first, second = self.profiles
        return first.game if first.game == second.game else None

    @property
    def in_all(self) -> list[FigureRow]:
        """What all their games come to."""
        first, second = self.profiles
        return rows_of(all_figures(first), all_figures(second))

    @property
    def in_the_game(self) -> list[FigureRow]:
        """Their games and hands in the chosen game."""
        first, second = self.profiles
        return rows_of(game_figures(first), game_figures(second)) if self.game else []


def place_text(rank: int) -> str:
    """How a game ended, from a rank: somebody can have gone home and still have won, or have the last place.

    >>> place_text(2), place_text(0), place_text(LAST)
    ('place 2', 'went home and won', 'went home, last')
    """
    return {0: "went home and won", LAST: "went home, last"}.get(rank, f"place {rank}")


def rows_of(first: Sequence[ShownFigure], second: Sequence[ShownFigure]) -> list[FigureRow]:
    """The figures of two people by their names, in the order of the first, then what only the second has."""
    mine, theirs = ({figure.name: figure for figure in figures} for figures in (first, second))
    names = dict.fromkeys([*mine, *theirs])
    return [FigureRow(name, (mine.get(name, NO_FIGURE), theirs.get(name, NO_FIGURE))) for name in names]


def all_figures(profile: Profile) -> list[ShownFigure]:
    """Games, nights, and the shares won and lost, of everything somebody played."""
    played = profile.by_game.values()
    total = GamesSum(
        games=sum(games.games for games in played), won=sum(games.won for games in played),
        lost=sum(games.lost for games in played),
    )  # fmt: skip
    return [
        ShownFigure("Games", str(total.games), url=profile.games_url()),
        ShownFigure("Nights", str(profile.nights)),
        *won_and_lost(profile, total, ""),
    ]


def won_and_lost(profile: Profile, games: GamesSum, slug: str) -> list[ShownFigure]:
    """The shares won and lost, of no game nothing."""
    shares = [("Won", "won", games.won), ("Lost", "lost", games.lost)]
    return [
        ShownFigure(
            name, percent_text(count, games.games), "",
            profile.games_url(game=slug, went=went) if count else "", f"{count} of {games.games}",
        )
        for name, went, count in shares if games.games
    ]  # fmt: skip


def game_figures(profile: Profile) -> list[ShownFigure]:
    """What somebody's games, hands and bests in the profile's game come to."""
    if profile.game is None or profile.of_the_game is None:
        return []
    games, *others = profile.sums_of_the_game
    return [
        games,
        *won_and_lost(profile, profile.of_the_game, profile.game.slug),
        *rating_figures(profile),
        *(figure for figure in others if figure.name not in ("Won", "Lost")),
        *bids_made(profile),
        *profile.hands.figures,
        *(ShownFigure(kind.name, value, kind.meaning, url, unit) for kind, _, value, unit, url in profile.bests),
    ]


def rating_figures(profile: Profile) -> list[ShownFigure]:
    """The rating in the profile's game; nothing of who is new."""
    rating = profile.rating
    if rating is None or rating.skill.is_new:
        return []
    return [ShownFigure("Rating", str(rating.skill.number), unit=f"±{NO_BREAK}{rating.skill.uncertainty}")]


def bids_made(profile: Profile) -> list[ShownFigure]:
    """The share of bids made in the profile's game, where it has bids."""
    hands = profile.hands
    if not hands.has_bids:
        return []
    made, bids = hands.all.made, hands.all.hands
    return [ShownFigure("Bids made", percent_text(made, bids), "", hands.url(), f"{made} of {bids}")]
