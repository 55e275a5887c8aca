"""The house rules of Dingo: choices where the rules leave something open, or contradict themselves."""

from __future__ import annotations

from rules.core.options import HouseRule

HOUSE_RULES = (
    HouseRule(
        "hands", default=4, values=range(1, 41),
        sentence="Hands that are played.",
        lasts=True,
    ),
    HouseRule(
        "ten_value", default=2, values=(1, 2),
        sentence="What a ten is worth.",
        choices={1: "1 point", 2: "2 points"},
        doubt="The printed table leaves it out. Older sources call it a high card, like the jack, so 2 is the default.",
    ),
    HouseRule(
        "ten_point_ace", default="hearts", values=("hearts", "diamonds"),
        sentence="The ace that is worth 10 in a scoring pile.",
        choices={"hearts": "the ace dingo, A♥", "diamonds": "the ace rabbit, A♦"},
        doubt="The printed table gives it to the ace dingo, which is the default. Every older source gives it to the"
        " ace rabbit, so the printed table may be wrong.",
    ),
    HouseRule(
        "unplayed_ace_rabbit_is_red_handed", default=False, values=(False, True),
        sentence="A player who still holds the ace rabbit after the ace hunt is caught red-handed too.",
    ),
)  # fmt: skip
