"""The plan of a play-off for a night: number of groups, who goes on, number of hands. Nothing is opened yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from clubs.models import PlayOff
from rules import all_games
from rules.core.game import Game
from rules.core.playoffs.cut import MOST_AT_A_TABLE, sizes_of_groups
from rules.core.playoffs.plan import PlayOffPlan, makes_sense, problems_of_plan, propose
from rules.core.problems import Problem

#: Longer than any evening.
MOST_HANDS = 99
ALL_OTHERS = "x"
#: Ten groups of ten, and the best of each in the final: with more no game begins to make sense that did not before.
MANY = 100

#: What is said to who plans another one.
IS_THERE = "There is a play-off tonight already."


@dataclass(frozen=True)
class Planned:
    """What is planned: the numbers (`plan`), how the groups are made, and by which house rules of the play-off."""

    game: Game
    plan: PlayOffPlan
    mixed: str = PlayOff.Mixed.RANDOM
    carry_over: bool = False
    cut_by_high_card: bool = False

    @classmethod
    def read(cls, kept: dict[str, Any] | None) -> Planned | None:
        """As `as_kept` has written it; None where no play-off is planned."""
        game = next((game for game in all_games() if kept and game.slug == kept["game"]), None)
        if not kept or game is None:
            return None
        plan = PlayOffPlan(
            tuple(kept["sizes"]), kept["places"], kept["losers_count"], kept["hands"], kept["final_hands"]
        )
        return cls(game, plan, kept["mixed"], kept["carry_over"], kept["cut_by_high_card"])

    def as_kept(self) -> dict[str, Any]:
        plan = self.plan
        return {
            "game": self.game.slug, "sizes": list(plan.sizes), "places": plan.places, "hands": plan.hands,
            "losers_count": plan.losers_count, "final_hands": plan.final_hands, "mixed": self.mixed,
            "carry_over": self.carry_over, "cut_by_high_card": self.cut_by_high_card,
        }  # fmt: skip

    @property
    def has_losers_table(self) -> bool:
        """Whether the game plays for both trophies: other games have one final, and no house rules of a play-off."""
        return self.game.play_off.losers_table

    @property
    def groups(self) -> int:
        return len(self.plan.sizes)

    @property
    def players(self) -> int:
        return self.plan.players

    @property
    def length(self) -> dict[str, int]:
        """How long each group plays, as a sheet is opened with it; {}: as the game has it."""
        return length(self.plan.hands)

    def problems(self) -> list[Problem]:
        """What is wrong with the numbers, or unwise."""
        return list(problems_of_plan(self.game, self.plan))

    @property
    def is_refused(self) -> bool:
        """Whether it cannot be played like this."""
        return any(problem.blocking for problem in self.problems())

    # -- other numbers -------------------------------------------------------------------------------

    def with_groups_of(self, sizes: Sequence[int]) -> Planned:
        """The same with people moved by hand; so many sit in each group now."""
        return replace(self, plan=replace(self.plan, sizes=tuple(sizes)))

    def for_so_many(self, players: int) -> Planned | None:
        """The same for others than those it was planned for, as far as it can be; None: they play no play-off."""
        if not makes_sense(self.game, players):
            return None
        if players == self.players and not self.is_refused:
            return self
        fresh = propose(self.game, players, self.groups) if self.fits(players, self.groups) else None
        fresh = fresh or propose(self.game, players)
        return replace(self, plan=fresh) if fresh else None

    def fits(self, players: int, groups: int) -> bool:
        """Whether so many groups of them are of a size the game is made for."""
        made_for = self.game.made_for
        return 1 < groups <= players and all(size in made_for for size in sizes_of_groups(players, groups))

    def group_counts(self) -> list[int]:
        """How many groups there may be, for the tap: those of a size the game is made for."""
        most = self.players // self.game.made_for[0]
        fewest = -(-self.players // min(self.game.made_for[-1], MOST_AT_A_TABLE))
        return [groups for groups in range(max(fewest, 1), most + 1) if self.fits(self.players, groups)]


def length(hands: int) -> dict[str, int]:
    """How long a table of a play-off plays, as its sheet is opened with it; {}: as the game has it."""
    return {"hands": hands} if hands else {}


def games_for(players: int, first: Game) -> list[Game]:
    """The games of which so many can play a play-off that makes sense, `first` first."""
    games = [first, *(game for game in all_games() if game != first)]
    return [game for game in games if makes_sense(game, players)]


def proposed(players: int, usual: Game) -> Planned | None:
    """What is proposed for so many, at the game the club plays where that makes sense; None: no play-off does."""
    for game in games_for(players, usual):
        plan = propose(game, players)
        if plan:
            return Planned(game, plan)
    return None


def why_not(game: Game, players: int) -> str:
    """Why so many cannot play a play-off of the game, in a sentence; "" where they can."""
    if makes_sense(game, players):
        return ""
    if not game.play_off.possible:
        return f"There are no play-offs of {game.name}."
    suits = [count for count in range(2, MANY + 1) if makes_sense(game, count)]
    if suits == [*range(suits[0], MANY + 1)]:
        why = f"it takes {suits[0]} or more"
    else:
        why = f"groups and a final of {game.made_for[-1]} only work with {' or '.join(map(str, suits))}"
    return f"A play-off of {game.name} does not work with {players}: {why}."


def other_game(wanted: Game, planned: Planned) -> str:
    """That another game is proposed than was wanted, and why; "" where it is that one."""
    if planned.game == wanted:
        return ""
    return f"{why_not(wanted, planned.players)} {planned.game.name} is suggested instead.".lstrip()


# As a button says it


def as_text(plan: PlayOffPlan) -> str:
    """The numbers in one word: groups, places, losers, hands, hands of the finals.

    >>> as_text(PlayOffPlan((7, 6), 3, None, 14, 12))
    '2.3.x.14.12'
    """
    losers = ALL_OTHERS if plan.losers_count is None else plan.losers_count
    return f"{len(plan.sizes)}.{plan.places}.{losers}.{plan.hands}.{plan.final_hands}"


def from_text(text: str, planned: Planned) -> PlayOffPlan | None:
    """The numbers that a button says; None for what none of them can have said.

    Groups that stay as many stay as they are, also where people were moved by hand.
    """
    parts = text.split(".")
    is_number = [part.isascii() and part.isdecimal() and len(part) < 4 for part in parts]
    if len(parts) != 5 or not all(ok or (at == 2 and parts[at] == ALL_OTHERS) for at, ok in enumerate(is_number)):
        return None
    losers = None if parts[2] == ALL_OTHERS else int(parts[2])
    groups, places, _, hands, final_hands = (int(part) if ok else 0 for part, ok in zip(parts, is_number, strict=True))
    now = planned.plan
    if groups != planned.groups and groups not in planned.group_counts():
        return None
    sizes = now.sizes if groups == planned.groups else sizes_of_groups(planned.players, groups)
    stays = (sizes, places, losers) == (now.sizes, now.places, now.losers_count)
    if not stays and (not 1 <= places <= min(sizes) or places + (losers or 0) > min(sizes)):
        return None
    if any(bool(number) != bool(now.hands) or number > MOST_HANDS for number in (hands, final_hands)):
        return None
    return PlayOffPlan(sizes, places, losers, hands, final_hands)
