"""Hotdog in words: its rules, and what its table says."""

from __future__ import annotations

from rules.core.texts import Example, Passage, RuleText, Word, Written
from rules.hotdog.bidding import TOPPINGS

HOW_TO_PLAY = (
    Passage(
        "The aim",
        "Two play against each other. One of them, the picker, chooses how the cards rank in this round and then has"
        " to take at least nine of the seventeen tricks. The first to five points wins the game.",
    ),
    Passage(
        "The cards",
        "36 cards: one to nine in each of the four suits. Which end is high depends on the topping. In Ketchup nine is"
        " high and one is low. In Mustard one is high and nine is low. In The Works the first trick goes by one of the"
        " two, the next by the other, and so on in turn.",
    ),
    Passage(
        "A round",
        "Deal, look at your cards, choose the topping, perhaps smother it, perhaps add relish. Then play seventeen"
        " tricks and count them.",
    ),
)

RULES = (
    RuleText(
        1,
        "The first dealer",
        "Both players cut the deck, and the lower card deals first. After every round the deal goes to the other"
        " player.",
        "Equal cards are cut again. The deal goes on changing from one game of the match into the next.",
    ),
    RuleText(
        2,
        "The deal",
        "Each player gets seventeen cards. Five lie face down in a row in front of you, with one card face up on each:"
        " these ten are your plate. The other seven are in your hand. Two cards are put aside. Everybody sees the open"
        " cards of both plates, and you play from your hand or from the open cards of your plate. When you play an"
        " open card that lies on a hidden one, the hidden one is turned up after the trick.",
    ),
    RuleText(
        3,
        "Choosing",
        "The non-dealer chooses first: Ketchup or Mustard with a trump suit, or The Works, which has none. Whoever"
        " chooses is the picker. If the non-dealer passes, the dealer may choose. There is no auction: once somebody"
        " has chosen, nobody can bid higher.",
        "The Footlong, in rule 10, is a variant that a table may leave out.",
        ("footlong",),
    ),
    RuleText(
        4,
        "Toppings",
        "Ketchup: nine is the highest card and one the lowest. Mustard: one is the highest and nine the lowest. In"
        " both a card of the trump suit beats every card of another suit. The Works has no trump; its tricks go by"
        " Ketchup and by Mustard in turn, and the player who leads the first trick says which of the two comes first.",
        "The sheet can note which one comes first. It changes no points.",
    ),
    RuleText(
        5,
        "Smothering",
        "The other player may smother Ketchup or Mustard. That turns it into The Works, and the player who smothered"
        " is the picker now. The Works itself cannot be smothered.",
        "A Footlong that is smothered stays a Footlong, with The Works.",
    ),
    RuleText(
        6,
        "Relish",
        "The player who is not the picker may add relish: they name a rank from one to nine. A card of that rank takes"
        " any trick in which there are two suits, even above trump. If both cards of the trick have that rank, the"
        " second one takes it.",
        "After a smother it is the smothered player who may add relish; where both have passed, it is the dealer. The"
        " sheet can note the rank. It changes no points.",
    ),
    RuleText(
        7,
        "The tricks",
        "The picker leads the first trick. If both have passed, the non-dealer does. Follow the suit that was led if"
        " you can; if you cannot, play any card. A card of the relish rank takes the trick as rule 6 says. Otherwise"
        " the higher trump takes it, and without a trump the higher card of the suit that was led. Whoever takes a"
        " trick leads the next.",
    ),
    RuleText(
        8,
        "Points",
        "The picker’s tricks decide, and only one of the two gets points. Nine to eleven tricks are one point for the"
        " picker, twelve to fourteen are two. With fewer than nine the bid has failed, and the other player gets two"
        " points.",
    ),
    RuleText(
        9,
        "The automatic win",
        "Fifteen tricks or more win the picker the game at once, whatever the score is. If the other player takes"
        " twelve or more, they win the game at once.",
        "The winner’s total is then lifted to what a game needs.",
    ),
    RuleText(
        10,
        "The Footlong",
        "A variant. The picker may make any topping a Footlong, a bolder bid on the same topping.",
        "The game’s own rules do not say what a Footlong pays. Here it needs twelve tricks: twelve to fourteen are"
        " three points, fifteen or more win the game at once, and with fewer than twelve the other player wins it at"
        " once.",
        ("footlong", "footlong_points", "footlong_fail"),
    ),
    RuleText(
        11,
        "Both pass",
        "If both pass, The Works is played without a picker, and the non-dealer leads.",
        "Whoever takes nine tricks or more gets one point, and no number of tricks wins the game at once.",
        ("no_picker",),
    ),
    RuleText(
        12,
        "Game and match",
        "The first to five points wins the game; more than five is fine. Both start the next game from 0. Whoever wins"
        " two games wins the match.",
        "",
        ("target", "games_to_win"),
    ),
)

#: Ann did not deal, chooses Mustard and is not smothered.
EXAMPLE = Example(
    "Bo deals, so Ann chooses first: Mustard, with spades as trump. Bo does not smother, and adds relish: the fours."
    " Ann is the picker and leads. Ann takes twelve tricks, Bo takes five.",
    ("Ann", "Bo"),
    {
        "bid": {"picker": 1, "topping": "mustard", "trump": "S", "smothered": False, "footlong": False},
        "relish": {"relish": 4},
        "tricks": {"tricks-1": 12, "tricks-2": 5},
    },
)

WORDS = (
    Word("Picker", "The player who has chosen the topping, or has smothered it: the picker’s tricks decide the round."),
    Word("Topping", "How the cards rank in a round: Ketchup, Mustard or The Works."),
    Word("Ketchup", "Nine is high and one is low, with a trump suit; the red one."),
    Word("Mustard", "One is high and nine is low, with a trump suit; the yellow one."),
    Word("The Works", "No trump; the tricks go by Ketchup and by Mustard in turn."),
    Word("Smother", "To turn the other player’s Ketchup or Mustard into The Works, and to be its picker."),
    Word(
        "Relish", "A rank that beats everything in a trick with two suits. The player who is not the picker names it."
    ),
    Word("Footlong", "A variant: a bid that needs twelve tricks, pays more, and can lose the whole game."),
    Word("The plate", "Ten cards of each player on the table: five face down in a row, one face up on each."),
    Word("Automatic win", "A game that is won at once by tricks, whatever the score is.", "automatic-win"),
    Word("Game", "A race to five points. The match is the best of three of them."),
)

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
