"""Dingo in words: its rules, and what its tables say."""

from __future__ import annotations

from rules.core.cards import rank_shown
from rules.core.texts import RuleText, Word, Written
from rules.dingo.hunts import HUNTED, heart, name_of

RULES = (
    RuleText(
        1,
        "Rabbits, dingoes, wolves",
        "Four play, each for themselves, with one deck. Diamonds are rabbits, hearts are dingoes, clubs and spades are"
        " wolves. The diamonds from 2 to king are laid out face up, low to high: they are hunted in that order. The"
        " other forty cards, with the ace of diamonds among them, are dealt, ten to each.",
    ),
    RuleText(
        2,
        "The dealer",
        "Everybody draws a card, and the highest deals; players who drew the same rank draw again. The player on the"
        " dealer’s right cuts. The dealer begins every discard and every pass, and announces each rabbit of the hunt."
        " After each hand the deal passes to the left.",
    ),
    RuleText(
        3,
        "Before the hunt",
        "Seven rounds make ten cards into six: put one away, pass one to the left, put one away, pass one across, put"
        " one away, pass one to the right, put one away. An ace is never put away, though it may be passed. So all"
        " four aces are in the hunt, and twenty of the other cards.",
    ),
    RuleText(
        4,
        "The hunt",
        "Rabbits are hunted rank by rank, from 2 to king. Whoever holds the heart of that rank, the dingo, must play"
        " it. Then, from that player’s left, each of the others has one turn to play wolves of the same rank; there"
        " are two. Who played the dingo plays no wolf of that rank.",
    ),
    RuleText(
        5,
        "What a hunt brings",
        "No dingo: the rabbit gets away and counts for nobody. A dingo alone goes to its player’s penalty pile. A"
        " wolf saves it: the dingo’s player scores the dingo, and the wolf’s player scores wolf and rabbit. With two"
        " wolves the dingo’s player scores the first of them too, and whoever played the second scores that one and"
        " the rabbit.",
    ),
    RuleText(
        6,
        "The ace hunt",
        "Last come the aces. The ace of hearts must be played. To the left from there everybody has one turn for black"
        " aces, and its own player one more at the very end. The ace rabbit is in somebody’s hand, and may be played"
        " only once both black aces are out, on its holder’s turn. If a wolf was played, everybody scores each ace they"
        " have played. If none was, the ace of hearts goes to the penalty pile. A rabbit that was not played goes to"
        " its holder’s penalty pile.",
    ),
    RuleText(
        7,
        "What cards are worth",
        "From 2 to 9 a card is worth 1. Ten, jack, queen and king are worth 2, an ace 3, and one of the red aces 10"
        " where it is scored: the ace of hearts, unless the house says otherwise. Your score is your scoring pile less"
        " your penalty pile. Wolves left in the hand count nothing.",
    ),
    RuleText(
        8,
        "Caught red-handed",
        "A dingo must be played when its rank is hunted. Who still has one in hand at the end is caught red-handed: the"
        " points count, but the hand cannot be won by that player. If a missed dingo is noticed while the hunt is on,"
        " it is simply put right. The ace rabbit is no dingo: keeping it costs its points and no more, unless the house"
        " says otherwise.",
    ),
    RuleText(
        9,
        "Who wins",
        "The highest score of those who are not caught wins the hand. Among equals the highest rabbit in the scoring"
        " pile decides, the ace above the king; without any rabbit between them they share the hand, and it counts for"
        " each. If all four are caught, nobody has won it. A game is as many hands as were agreed: the highest total"
        " wins it, and among equals whoever has won more hands. Level in those too, nobody has won.",
    ),
)

WORDS = (
    Word("Rabbit", "A diamond. One of each rank is hunted; the ace is in somebody’s hand."),
    Word("Dingo", "A heart. It has to be played when its rank is hunted."),
    Word("Wolf", "A club or a spade; there are two of each rank."),
    Word("Hunt", "What happens at one rank: the rabbit, perhaps its dingo, perhaps wolves."),
    Word("Scoring pile", "The cards that count for you."),
    Word("Penalty pile", "The cards that count against you."),
    Word("Caught red-handed", "Holding a dingo when the hunt is over: the hand cannot be won.", "red-handed"),
    Word("By the rabbit", "The best scores are level, and the highest rabbit settles who won.", "by-the-rabbit"),
    Word("Shared hand", "The best scores are level and there is no rabbit among them.", "shared-hand"),
    Word("Late dingo", "A dingo was missed in its hunt, and the table put it right before the hand was over."),
)
TAGS = ("Late dingo",)

SCORING_IN_SHORT = (
    "No wolf: the dingo is lost. One: its player scores the dingo, the wolf’s player wolf and rabbit."
    " Two: the first wolf goes with the dingo."
)

OF_A_HUNT = {
    "dingo": "dingo played by",
    "wolf": "the one wolf by",
    "second": "the second wolf by",
    "first": "the first wolf by",
}
#: Which of two wolves was the first may stay open.
NOT_NOTED = {"first": "not noted"}
#: What is written down, in words (``Game.written``).
WRITTEN = {
    "hunt": Written("the hunt", fields=OF_A_HUNT, unsaid=NOT_NOTED),
    **{
        name_of(rank): Written(f"the hunt for the {rank_shown(rank)}", empty="nobody", unsaid=NOT_NOTED)
        for rank in HUNTED
    },
    "ace-hunt": Written(
        "the ace hunt", fields={**OF_A_HUNT, "holder": "the ace rabbit held by", "played": "the ace rabbit played"}
    ),
    "held": Written(
        "the red cards still held",
        fields={heart(rank): f"{rank_shown(rank)}♥ held by" for rank in HUNTED},
        empty="none",
    ),
}
