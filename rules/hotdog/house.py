"""The house rules of Hotdog: choices where the rules leave something open."""

from __future__ import annotations

from rules.core.options import HouseRule

HOUSE_RULES = (
    HouseRule("target", default=5, values=range(1, 100), sentence="Points that win a game.", lasts=True),
    HouseRule("games_to_win", default=2, values=range(1, 10), sentence="Games that win the match.", lasts=True),
    HouseRule(
        "footlong", default=True, values=(False, True), sentence="The Footlong may be bid.",
        doubt="It is a variant. The game’s own rules do not say what it pays: here 12 tricks are 3 points.",
    ),
    HouseRule(
        "footlong_points", default=3, values=range(1, 10),
        sentence="Points of a Footlong that takes 12 to 14 tricks.",
    ),
    HouseRule(
        "footlong_fail", default="game", values=("game", "points"),
        sentence="What the other player gets for a Footlong that takes fewer than 12 tricks.",
        choices={"game": "the game", "points": "the same as for any bid that fails"},
    ),
    HouseRule(
        "no_picker", default="one_point", values=("one_point", "none", "non_dealer_is_picker"),
        sentence="What a round pays when both have passed.",
        choices={
            "one_point": "one point for nine or more",
            "none": "nothing",
            "non_dealer_is_picker": "the same as if the non-dealer had picked",
        },
    ),
)  # fmt: skip
