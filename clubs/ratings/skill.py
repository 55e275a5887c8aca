"""Skill: an estimate of how strong somebody plays a game, updated by the places at a table (Plackett-Luce).

Nothing here knows a database. Source: R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking"
(2011), as the library openskill computes it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

Player = TypeVar("Player", bound=Hashable)
#: Before the first game: the mean of the estimate and its standard deviation, as openskill sets them.
MEAN, DEVIATION = 25.0, round(25 / 3, 6)
#: As it is shown: what everybody starts at, and how many points one unit of skill is.
START, SCALE = 1000, 20
#: Shown is a range of two standard deviations to each side, in which the true strength lies 19 times out of 20.
SIDES = 2
#: With fewer games somebody is new: the number would say more about luck than about them.
LEAST_GAMES = 5
#: Decimals that are kept.
DECIMALS = 6
#: What the number means, how it moves, and what ± is.
EXPLAINED = (
    f"A rating shows how strong a player is at one game in this club, and everybody starts at {START}.",
    "It rises when you finish above others and falls when you finish below them, and most after a surprise.",
    "± is how uncertain it is: the true strength is in that range 19 times out of 20, and every game narrows it.",
)


class Skill(NamedTuple):
    """An estimate: its mean and standard deviation in units of skill, and how many games it rests on."""

    mean: float = MEAN
    deviation: float = DEVIATION
    games: int = 0

    @property
    def number(self) -> int:
        """The rating as it is shown, in points."""
        return round(START + SCALE * (self.mean - MEAN))

    @property
    def uncertainty(self) -> int:
        """What stands behind ±, in points."""
        return round(SCALE * SIDES * self.deviation)

    @property
    def is_new(self) -> bool:
        """Whether there are too few games to show a number."""
        return self.games < LEAST_GAMES


def after_game(before: Mapping[Player, Skill], ranks: Mapping[Player, int]) -> dict[Player, Skill]:
    """The skill of everybody in `ranks` after one game (1 is the best place; equal ranks are ties).

    Who is not in `before` had no game yet. Nobody's uncertainty grows. A game of fewer than two changes nothing and is
    none: the result is empty.
    """
    if len(ranks) < 2:
        return {}
    model = plackett_luce()
    # Sums of floats depend on the order of their parts: nobody's seat may.
    players = sorted(ranks, key=lambda player: (ranks[player], before.get(player, Skill()), str(player)))
    teams = [[model.rating(*before.get(player, Skill())[:2])] for player in players]
    rated = model.rate(teams, ranks=[float(ranks[player]) for player in players])
    return {
        player: Skill(
            round(rating.mu, DECIMALS), round(rating.sigma, DECIMALS), before.get(player, Skill()).games + 1
        )
        for player, [rating] in zip(players, rated, strict=True)
    }  # fmt: skip


@cache
def plackett_luce() -> PlackettLuce:
    """The model, with the values of openskill, but that uncertainty never grows."""
    from openskill.models import PlackettLuce  # when it is needed: the site starts sooner without it

    return PlackettLuce(mu=MEAN, sigma=DEVIATION, limit_sigma=True)
