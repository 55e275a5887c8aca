"""The house rules of Dingo: what a club may choose where the game leaves it open, or contradicts itself."""

from __future__ import annotations

from rules.core.house import HouseRule

HOUSE_RULES = (
    HouseRule(
        "hands", default=4, values=range(1, 41),
        sentence="Hands in a session.",
    ),
    HouseRule(
        "ten_value", default=2, values=(1, 2),
        sentence="Points for a ten: the printed rules forget it; older tellings call it a high card, like the jack.",
    ),
    HouseRule(
        "ten_point_ace", default="hearts", values=("hearts", "diamonds"),
        sentence="The ace that is worth 10 where it is scored: the printed table says the ace dingo, older tellings the"
        " ace rabbit.",
        choices={"hearts": "the ace dingo, A♥", "diamonds": "the ace rabbit, A♦"},
    ),
    HouseRule(
        "unplayed_ace_rabbit_is_red_handed", default=False, values=(False, True),
        sentence="Who still holds the ace rabbit after the ace hunt is caught red-handed too.",
    ),
)  # fmt: skip
