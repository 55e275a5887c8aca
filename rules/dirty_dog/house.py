"""The house rules of Dirty Dog: choices where the rules leave something open."""

from __future__ import annotations

from rules.core.options import HouseRule

HOUSE_RULES = (
    HouseRule(
        "deal_whole_deck", default=False, values=(False, True),
        sentence="Where the deck comes out even, all of it may be dealt; that hand has no trump.",
    ),
    HouseRule(
        "dealer_bid_final", default=False, values=(False, True),
        sentence="The dealer cannot take their bid back.",
    ),
    HouseRule(
        "replan", default=False, values=(False, True),
        sentence="When somebody comes late, hands are added so that whoever sits right of the first dealer deals last.",
    ),
    HouseRule(
        "leaver_may_win", default=False, values=(False, True),
        sentence="Anyone who goes home early can still win if they end above everyone who stays.",
    ),
    HouseRule(
        "tie_break_cards", default=None, values=range(1, 27),
        sentence="Cards in the blind hand that settles a tie for the lead.",
        default_words="five, or as many as the deck allows",
    ),
    HouseRule(
        "blind_hand_counts", default=False, values=(False, True),
        sentence="The points of a blind hand are added to the totals of the tied.",
    ),
    HouseRule(
        "bottom_by_blind_hand", default=False, values=(False, True),
        sentence="A tie at the bottom is settled by a blind hand too, instead of drawing a card.",
    ),
    HouseRule(
        "bottom_buddies_gap", default=10, values=range(1, 51),
        sentence="Points that must lie between the Bottom Buddies and everyone else.",
    ),
)  # fmt: skip
