"""Dingo in words: its rules, and what its tables say."""

from __future__ import annotations

from rules.core.cards import rank_shown
from rules.core.texts import Example, Passage, RuleText, Word, Written
from rules.dingo.hunts import HUNTED, heart, name_of

HOW_TO_PLAY = (
    Passage(
        "The aim",
        "Rabbits are hunted, one rank after the other. Dingoes hunt them, and wolves help. The cards you bring home"
        " are your points; a dingo that hunts without a wolf costs you some. The highest score wins the hand.",
    ),
    Passage(
        "The cards",
        "One deck of 52. Diamonds are rabbits, hearts are dingoes, clubs and spades are wolves. The ranks go from two"
        " up to king; the aces come last.",
    ),
    Passage(
        "A hand",
        "Deal ten cards each, make six of them by putting some away and passing some on, hunt the twelve rabbits from"
        " two to king and then the aces, and count your two piles: what you scored, and your penalties.",
    ),
)

RULES = (
    RuleText(
        1,
        "Rabbits, dingoes, wolves",
        "Four play, each for themselves, with one deck. The diamonds from two to king are laid out face up, low to"
        " high: these rabbits are hunted in that order. The other forty cards are dealt, ten to each: thirteen"
        " dingoes, the hearts; twenty-six wolves, the clubs and spades; and the ace of diamonds.",
    ),
    RuleText(
        2,
        "The dealer",
        "Everybody draws a card, and the highest deals first; players who drew the same rank draw again. The player on"
        " the dealer’s right cuts. The dealer begins every round of putting away and of passing, and announces each"
        " rabbit of the hunt.",
        "After each hand the deal passes to the left.",
    ),
    RuleText(
        3,
        "Before the hunt",
        "Seven rounds make ten cards into six: put one away, pass one to the left, put one away, pass one across, put"
        " one away, pass one to the right, put one away. Cards that are put away lie face up on one pile; cards that"
        " are passed stay face down. An ace is never put away, though it may be passed. So all four aces are in the"
        " hunt.",
    ),
    RuleText(
        4,
        "The hunt",
        "The dealer announces the rabbits one by one, from two to king. Whoever holds the heart of that rank, the"
        " dingo, must play it. Then, from the left of whoever played it, each of the other three has one turn to play"
        " wolves of the same rank, one or both, or none: nobody has to play a wolf. Whoever played the dingo plays no"
        " wolf of that rank.",
    ),
    RuleText(
        5,
        "What a hunt brings",
        "No dingo: the rabbit gets away and counts for nobody. A dingo and no wolf: the dingo goes to its player’s"
        " penalty pile. One wolf: the dingo’s player scores the dingo, the wolf’s player scores the wolf and the"
        " rabbit. Two wolves: the dingo’s player scores the dingo and the first wolf, and whoever played the second"
        " wolf scores that one and the rabbit.",
    ),
    RuleText(
        6,
        "The ace hunt",
        "The aces come last. Whoever holds the ace of hearts must play it. To the left from there everybody has one"
        " turn for black aces, and the player of the ace of hearts has one more at the very end. The ace rabbit is in"
        " somebody’s hand; they may play it on their turn, after both black aces are out or together with them. If a"
        " wolf was played, everybody scores each ace they have played. If not, the ace of hearts goes to the penalty"
        " pile. An ace rabbit that was not played goes to its holder’s penalty pile.",
    ),
    RuleText(
        7,
        "What cards are worth",
        "Two to nine are worth 1 each. Jack, queen and king are worth 2, an ace is worth 3, and one red ace is worth"
        " 10 in a scoring pile. Your score is your scoring pile less your penalty pile.",
        "A ten is worth 2, and the ace worth 10 is the ace of hearts: sources disagree, so the table is"
        " asked. Wolves left in your hand count nothing.",
        ("ten_value", "ten_point_ace"),
    ),
    RuleText(
        8,
        "Caught red-handed",
        "A player who still holds a dingo when the hunt is over is caught red-handed: they cannot win the hand.",
        "Their points still count. If a missed dingo is noticed while the hunt is on, it is simply put right. The ace"
        " rabbit is no dingo: keeping it costs its points and no more.",
        ("unplayed_ace_rabbit_is_red_handed",),
    ),
    RuleText(
        9,
        "Who wins",
        "The highest score of those who are not caught wins the hand. Among equals the highest rabbit in the scoring"
        " pile decides, the ace above the king.",
        "Without any rabbit between them they share the hand, and it counts for each. If all four are caught, nobody"
        " has won it. A game is as many hands as the table agreed on: the highest total wins it, and among equals"
        " whoever has won more hands. Level in those too, nobody has won.",
        ("hands",),
    ),
)

#: A short hunt: most rabbits get away.
EXAMPLE = Example(
    "Di deals. Nobody has the dingoes of two to six: those rabbits get away. Seven: Ann plays the dingo and nobody"
    " plays a wolf, so it costs Ann a point. Eight: Bo’s dingo, one wolf from Cy. Nine: Cy’s dingo, a wolf from Di,"
    " then a second one from Ann. Ten, jack and queen get away. King: Di’s dingo, one wolf from Bo. Then the aces: Bo"
    " plays the ace of hearts, Cy a black ace. Ann holds the ace rabbit and may not play it, as only one black ace is"
    " out.",
    ("Ann", "Bo", "Cy", "Di"),
    {
        **{name_of(rank): {} for rank in HUNTED},
        "hunt-7": {"dingo": 1},
        "hunt-8": {"dingo": 2, "wolf": 3},
        "hunt-9": {"dingo": 3, "first": 4, "second": 1},
        "hunt-13": {"dingo": 4, "wolf": 2},
        "ace-hunt": {"dingo": 2, "wolf": 3, "holder": 1, "played": False},
        "held": {},
    },
)

WORDS = (
    Word("Rabbit", "A diamond. One of each rank is hunted; the ace is in somebody’s hand."),
    Word("Dingo", "A heart. It has to be played when its rank is hunted."),
    Word("Wolf", "A club or a spade; there are two of each rank. Nobody has to play one."),
    Word("Hunt", "What happens at one rank: the rabbit, perhaps its dingo, perhaps wolves."),
    Word("Scoring pile", "The cards that count for you."),
    Word("Penalty pile", "The cards that count against you."),
    Word("Caught red-handed", "Holding a dingo when the hunt is over: the hand cannot be won.", "red-handed"),
    Word("By the rabbit", "The best scores are level, and the highest rabbit settles who won.", "by-the-rabbit"),
    Word("Shared hand", "The best scores are level and there is no rabbit among them.", "shared-hand"),
)

SCORING_IN_SHORT = (
    "2 to 9 are 1, ten to king 2, aces 3, A♥ 10. No wolf: the dingo goes to its player’s penalty pile and costs what"
    " it is worth, A♥ 3. One: its player scores the dingo, the wolf’s player wolf and rabbit. Two: the first wolf goes"
    " with the dingo."
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
