"""Hotdog in words: its rules, and what its table says."""

from __future__ import annotations

from rules.core.texts import RuleText, Word, Written
from rules.hotdog.bidding import TOPPINGS

RULES = (
    RuleText(
        1,
        "The cards and the first dealer",
        "Hotdog is for two, with 36 cards: one to nine in each of the four suits. Both cut; the lower card deals"
        " first, and equal cards are cut again. From then on the deal changes hands after every round, from one game"
        " into the next as well.",
    ),
    RuleText(
        2,
        "The deal",
        "Each player gets seventeen cards: seven in the hand, and ten on the plate in two rows of five. Two cards"
        " stay aside. A round therefore has seventeen tricks, and what one does not take the other does. The picker"
        " leads the first of them; if both have passed, the non-dealer does.",
    ),
    RuleText(
        3,
        "Bidding",
        "The non-dealer chooses first: Ketchup or Mustard with a trump suit, or The Works. A pass gives the choice to"
        " the dealer. Whoever chooses is the picker, and nobody can bid higher. Where the club plays the Footlong, the"
        " picker may make the choice a Footlong.",
    ),
    RuleText(
        4,
        "Toppings",
        "Ketchup and Mustard each put the nine ranks into an order of their own, and each is played with a trump"
        " suit. The Works is played without trump, and its tricks go by Ketchup and by Mustard in turn. The sheet"
        " can note which of them comes first; it changes no points.",
    ),
    RuleText(
        5,
        "Smothering",
        "Ketchup or Mustard can be smothered: the other player turns it into The Works and becomes the picker. The"
        " Works itself cannot be smothered. A Footlong that is smothered stays a Footlong, with The Works.",
    ),
    RuleText(
        6,
        "Relish",
        "Whoever is not the picker may add relish, which is one of the ranks from one to nine. After a smother that"
        " is the player who was smothered; where both have passed, it is the dealer. The sheet notes the rank, and it"
        " changes no points.",
    ),
    RuleText(
        7,
        "Both pass",
        "Then The Works is played without a picker. The non-dealer leads, and whoever takes nine tricks or more gets"
        " one point; no number of tricks wins the game at once. A club may agree that such a round pays nothing, or"
        " that it pays as if the non-dealer had picked.",
    ),
    RuleText(
        8,
        "Points",
        "The tricks of the picker decide, and only one of the two is paid. Nine to eleven are one point for the"
        " picker and twelve to fourteen are two. With six to eight the bid has failed, and the other player gets two"
        " points.",
    ),
    RuleText(
        9,
        "The automatic win",
        "Fifteen tricks or more win the picker the game at once, whatever the score is. With five or fewer the other"
        " player wins it at once. The winner’s total is then lifted to what a game needs.",
    ),
    RuleText(
        10,
        "The Footlong",
        "A Footlong needs twelve tricks. Twelve to fourteen are three points, fifteen or more win the game at once,"
        " and with fewer than twelve the other player wins it at once. A club may choose other points, may let it"
        " fail like any other bid, or may leave it out.",
    ),
    RuleText(
        11,
        "Game and match",
        "The first to five points wins the game, and more than five is fine. Both start the next game from nothing."
        " Whoever wins two games wins the match. A club may choose other numbers.",
    ),
)

SAID = (
    Word("Picker", "Whoever has chosen the topping, or has smothered: the picker’s tricks decide the round."),
    Word("Topping", "What the cards are ranked by in a round: Ketchup, Mustard or The Works."),
    Word("Ketchup", "One of the two orders of the nine ranks, played with a trump suit; the red one."),
    Word("Mustard", "The other order of the nine ranks, played with a trump suit; the yellow one."),
    Word("The Works", "No trump, and the tricks go by Ketchup and by Mustard in turn."),
    Word("Smother", "To turn the other player’s Ketchup or Mustard into The Works, and to be the picker of it."),
    Word("Relish", "A rank from one to nine that whoever is not the picker may add."),
    Word("Footlong", "A bid that needs twelve tricks, pays more, and can lose the whole game."),
    Word("The plate", "The ten cards of each player that lie on the table in two rows of five."),
    Word("Automatic win", "A game that is won at once by tricks, whatever the score is.", "automatic-win"),
    Word("Game", "A race to five points. The match is the best of three of them."),
)

#: What tricks and points do not show. The table says it, and may put it on the hand.
AT_THE_TABLE = (
    Word("Close call", "The last tricks decided what the round paid."),
    Word("Relish did it", "Without the relish the round would have gone the other way."),
)

WORDS = (*SAID, *AT_THE_TABLE)
TAGS = tuple(word.term for word in AT_THE_TABLE)

SCORING_IN_SHORT = "Picker: 9 tricks 1, 12 are 2, 15 the game. Fewer than 9: 2 to the other, fewer than 6: the game."
#: What is written down, in words (``Game.written``).
WRITTEN = {
    "bid": Written(
        "the bid",
        fields={
            "picker": "picker", "topping": "topping", "trump": "trump", "smothered": "smothered",
            "footlong": "Footlong",
        },
        values=TOPPINGS,
        empty="both passed",
    ),
    "relish": Written("the relish", fields={"relish": "relish"}, empty="no relish"),
    "tricks": Written("the tricks", "took", {"works-first": "first trick by"}, TOPPINGS),
}  # fmt: skip
