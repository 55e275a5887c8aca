"""Dirty Deals in words: its rules, the house rules, and what its tables say."""

from __future__ import annotations

from rules.core.cards import SUIT_SIGNS
from rules.core.options import HouseRule
from rules.core.texts import Example, Passage, RuleText, Word, WorthHeads, Written

HOW_TO_PLAY = (
    Passage(
        "The aim",
        "Collect all six cards of one suit in your hand and claim it, with as few other cards as you can. Nobody gets"
        " there alone: you talk, promise and bargain about what is played.",
    ),
    Passage(
        "The cards",
        "24 cards, nine to ace of all four suits. From high to low: ace, king, queen, jack, ten, nine. The bower of a"
        " suit, the other jack of its colour, beats every card of that suit.",
    ),
    Passage(
        "A deal",
        "Deal six cards each and play tricks. Cards you win go into your hand. As soon as somebody who has the lead"
        " holds a whole suit, they may claim it: that ends the deal and is scored.",
    ),
)

RULES = (
    RuleText(
        1,
        "The table and the cards",
        "Four play, each for themselves, and each is dealt six cards. After each deal the deal passes to the left.",
        "Anybody may deal first. The deal goes on to the left after a rubber too.",
    ),
    RuleText(
        2,
        "Who leads, and where the tricks go",
        "Whoever was dealt the nine of clubs leads. Follow suit if you can; if you cannot, throw off a card, or trump"
        " with the bower of the suit that was led (rule 5). The bower takes the trick, or without it the highest card"
        " of that suit. Whoever takes it leads the next, though not with the card that led the last one. The cards of"
        " a trick go into the hand of its winner: no card leaves the game, some hands grow and others run out.",
        "A player without cards stays at the table, is passed over, and keeps every point.",
    ),
    RuleText(
        3,
        "Negotiations",
        "At any time of a deal the table may stop to negotiate, as often as it likes.",
        "A negotiation lasts three minutes and is over before that when nobody has more to say. It puts nothing on the"
        " sheet.",
        ("negotiation_minutes",),
    ),
    RuleText(
        4,
        "The claim",
        "If you have the lead and hold all six cards of a suit, you may claim that suit. That ends the deal. What"
        " counts then is how many other cards are in your hand: the fewer, the better.",
        "You may claim before the first trick too, if you have the lead.",
    ),
    RuleText(
        5,
        "The bower",
        "The bower of a suit is the other jack of its colour: the jack of diamonds for hearts, the jack of hearts for"
        " diamonds, the jack of spades for clubs, the jack of clubs for spades. Somebody always holds it.",
    ),
    RuleText(
        6,
        "Points",
        "A claim is worth nine. Each other card in the claimer’s hand takes one off, and the bower takes three off"
        " instead of one; a claim never pays less than 0. If somebody else holds the bower, it brings that player"
        " three points.",
        "The bower pays its three points even when the claim itself pays nothing, and they are not taken from the"
        " claimer.",
    ),
    RuleText(
        7,
        "A deal that is given up",
        "The game’s own rules do not say what happens when nobody can claim.",
        "When nobody can claim, or nobody wants to go on, the table gives the deal up: no points, and the deal passes"
        " to the left.",
    ),
    RuleText(
        8,
        "The rubber",
        "A rubber is a race to nine points. Whoever leads alone with nine or more after a deal wins it. While the lead"
        " is shared, play on until somebody leads alone. The next rubber starts from 0.",
        "If two are past nine, the one with more wins. A third player may still overtake two who were level.",
        ("target",),
    ),
    RuleText(
        9,
        "The match",
        "The first to win two rubbers wins the match. With four at the table that takes five rubbers at the most.",
        "",
        ("rubbers_to_win",),
    ),
)

#: Two cards besides the six, the bower with somebody else.
EXAMPLE = Example(
    "Bo has the lead and holds all six hearts, and besides them the ten of clubs and the king of spades. Bo claims"
    " hearts. The bower of hearts is the jack of diamonds, and Di holds it.",
    ("Ann", "Bo", "Cy", "Di"),
    {"claim": {"claimer": 2, "suit": "H", "bower": 4, "surplus": 2, "given-up": False}},
)

HOUSE_RULES = (
    HouseRule("target", 9, range(1, 100), "Points that win a rubber.", lasts=True),
    HouseRule("rubbers_to_win", 2, range(1, 10), "Rubbers that win the match.", lasts=True),
    HouseRule("negotiation_minutes", 3, range(31), "Minutes on the clock of a negotiation; 0 is no clock."),
)

WORDS = (
    Word("Claim", "Saying that all six cards of a suit are in one’s hand, which ends the deal and is scored."),
    Word("Claimer", "Whoever has made the claim."),
    Word("Surplus", "The claimer’s cards besides the six of the suit, the bower among them if the claimer has it."),
    Word("Bower", "The jack of the claimed suit’s colour that is not of the suit: it costs its holder or pays."),
    Word("Negotiation", "A stop in the game to bargain about what is played to whom, with a clock or without one."),
    Word("Given up", "A deal that ends without a claim. Nobody gets a point."),
    Word("Rubber", "A race to nine points: totals start from 0."),
    Word("Match", "As many rubbers as it takes until one player has won two."),
)

#: Over what a claim pays.
WORTH_HEADS = WorthHeads("What a claim pays", "Besides the six", "Bower elsewhere", "Bower among them")

#: At the foot of a paper sheet.
SCORING_IN_SHORT = (
    "Claim: 9, less 1 for each card besides the six, less 3 for the bower; never below 0. Bower elsewhere: +3."
)

#: What is written down, in words (``Game.written``).
WRITTEN = {
    "claim": Written(
        "the claim",
        fields={
            "claimer": "who claims",
            "suit": "suit",
            "bower": "who holds the bower",
            "surplus": "cards besides the six",
            "given-up": "given up",
        },
        values=SUIT_SIGNS,
    ),
    "negotiation": Written("a negotiation", fields={"ended": "ended early"}, empty="begun"),
}
