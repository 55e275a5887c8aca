"""The games as cards to choose from, with their numbers of players and their length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules import all_games
from rules.core.formats import FixedHands, OpenEnd, Race
from rules.core.game import Game
from rules.core.numbers import spelled
from rules.core.problems import Problem
from rules.core.table import Table
from scoresheets.wording.markup import as_text, listed


@dataclass(frozen=True)
class GameCard:
    """A game as it lies on the page. `chosen`: it is the one that is being opened, and so many are `seated`."""

    game: Game
    chosen: bool = False
    seated: int = 0

    @property
    def seats(self) -> str:
        """How many it is made for: "4–10", "4"."""
        fewest, most = self.game.made_for[0], self.game.made_for[-1]
        return str(most) if fewest == most else f"{fewest}–{most}"

    @property
    def for_whom(self) -> str:
        """The same in words: "4 to 10 players"."""
        return f"{self.seats.replace('–', ' to ')} players"

    @property
    def length(self) -> str:
        """How long it usually lasts."""
        return usual_length(self.game)

    @property
    def most_seats(self) -> int:
        """How many can sit down at all."""
        return self.game.players[-1]

    @property
    def free_seats(self) -> int:
        """How many are still to sit down, where the game is for so many and no others."""
        fewest, most = self.game.players[0], self.game.players[-1]
        return max(0, most - self.seated) if fewest == most else 0

    @property
    def takes_latecomers(self) -> bool:
        """Whether somebody can still join when it has begun."""
        return takes_latecomers(self.game)

    @property
    def ways_on(self) -> tuple[tuple[str, str], ...]:
        """Where a sheet of it goes on once it is open. Only some games can go on from totals alone."""
        ways = (("", "No"), ("type_in", "Type them in, hand by hand"), ("resume", "Bring only the totals"))
        table = self.game.open_table(range(1, self.game.made_for[0] + 1), 1)
        return ways if self.game.carried_ask(table) else ways[:2]


def by_size(games: Sequence[Game] | None = None) -> list[Game]:
    """The games, those for the most people first: one of them is proposed where nobody has chosen yet."""
    return sorted(games or all_games(), key=lambda game: (-game.made_for[-1], game.name))


def takes_latecomers(game: Game) -> bool:
    """Whether somebody can still join when it has begun."""
    return "arrive" in game.events


def too_many(game: Game, names: Sequence[str]) -> Problem:
    """Names that were typed for a larger game sit this one out."""
    sentence = f"{game.players_sentence()} Without a seat this time: {as_text(listed(names))}."
    return Problem("without-a-seat", sentence, "players", blocking=False)


def usual_length(game: Game) -> str:
    """How long the game lasts by its usual rules, whoever plays: "9 to 24 hands", "race to 11"."""
    tables = [game.open_table(range(1, seats + 1), 1) for seats in game.made_for]
    formats = [game.format(table) for table in tables]
    hands = sorted(played.hands for played in formats if isinstance(played, FixedHands))
    if hands and hands[0] != hands[-1]:
        return f"{hands[0]} to {hands[-1]} hands"
    return length_of(game, tables[0])


def length_of(game: Game, table: Table) -> str:
    """How long this table plays, in short: "18 hands", "race to 11", "best of three games to 5".

    More than two players need not come to an end within any "best of": they play until somebody has so many legs.
    """
    match game.format(table):
        case FixedHands(hands):
            return "1 hand" if hands == 1 else f"{hands} hands"
        case Race(target, None):
            return f"race to {target}"
        case Race(target, 1):
            return f"one {game.leg_name} to {target}"
        case Race(target, int(legs)) if len(table.seats) == 2:
            return f"best of {spelled(2 * legs - 1)} {game.leg_name}s to {target}"
        case Race(target, legs):
            return f"first to {spelled(legs or 1)} {game.leg_name}s of {target}"
        case OpenEnd(None):
            return "until the table stops"
        case OpenEnd(target):
            return f"until somebody has {target}"
