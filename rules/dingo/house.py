"""The house rules of Dingo: what a club may choose where the game leaves it open, or contradicts itself."""

from __future__ import annotations

from rules.core.house import HouseRule

HOUSE_RULES = (
    HouseRule(
        "hands", default=4, values=range(1, 41),
        sentence="Hands in a session.",
        lasts=True,
    ),
    HouseRule(
        "ten_value", default=2, values=(1, 2),
        sentence="Points for a ten.",
        doubt="The printed rules give the ten no value; every other telling counts it with the high cards, at 2.",
    ),
    HouseRule(
        "ten_point_ace", default="hearts", values=("hearts", "diamonds"),
        sentence="The red ace that is worth 10 where it is scored.",
        choices={"hearts": "the ace dingo, A♥", "diamonds": "the ace rabbit, A♦"},
        doubt="The printed table says the ace of hearts; every older telling gives the 10 to the ace rabbit, so that may"
        " be a slip.",
    ),
    HouseRule(
        "unplayed_ace_rabbit_is_red_handed", default=False, values=(False, True),
        sentence="Who still holds the ace rabbit after the ace hunt is caught red-handed too.",
    ),
)  # fmt: skip
