"""Bird Dog in words: its rules, and what its table says."""

from __future__ import annotations

from rules.core.texts import Example, FirstDealer, Passage, RuleText, Word, Written

HOW_TO_PLAY = (
    Passage(
        "The aim",
        "Win tricks with jacks, queens and kings in them and make pairs of these face cards. Every pair is a point."
        " The first to eleven points wins.",
    ),
    Passage(
        "The cards",
        "24 cards, nine to ace of all four suits. From high to low in each suit: ace, king, queen, jack, ten, nine."
        " Trump beats the other suits, and one card, the Bird Dog, beats everything.",
    ),
    Passage(
        "A hand",
        "Deal seven cards each and put three in the middle. Turn one of them to find trump, let one player go nil if"
        " they want to, play seven tricks and count the pairs.",
    ),
)

RULES = (
    RuleText(
        1,
        "Three players, 24 cards",
        "Everybody is dealt seven cards, and three lie face down in the middle. For the first deal everybody draws a"
        " card, and the highest deals; after each hand the deal passes to the left.",
    ),
    RuleText(
        2,
        "Turning and calling",
        "The first card of the middle is turned. The player on the dealer’s left speaks first, then the others in"
        " turn: whoever wants its suit as trump calls it, and that settles it. If all three pass, the second card is"
        " turned and they may call again. If they pass once more, the third card is turned and makes trump by itself:"
        " nobody has called. The cards of the middle stay out of play, turned or not.",
    ),
    RuleText(
        3,
        "The Bird Dog",
        "Every card has a twin: the same rank in the other suit of its colour. The twin of the card that made trump is"
        " the Bird Dog: if the queen of clubs was turned, it is the queen of spades. No card beats it, yet it belongs"
        " to the suit that is printed on it. It may be in somebody’s hand or lie in the middle.",
    ),
    RuleText(
        4,
        "Seven tricks",
        "The player on the dealer’s left leads. Follow suit if you can; if you cannot, play any card. The Bird Dog"
        " takes the trick; without it the highest trump does, and without a trump the highest card of the suit that"
        " was led. Whoever takes a trick keeps its three cards and leads the next. A trick itself is worth nothing.",
    ),
    RuleText(
        5,
        "Pairs",
        "What counts are the face cards among those you took: two jacks, two queens or two kings are a pair, and a"
        " pair is a point. Four of a rank are two pairs, three are one. Face cards in the middle count for nobody.",
    ),
    RuleText(
        6,
        "The bonus",
        "The player with the most pairs gets a point more, unless they are the one who called trump.",
        "If several have the most, nobody gets it. If nobody called trump, whoever has the most gets it.",
        ("bonus_for_tied", "no_bonus_without_caller"),
    ),
    RuleText(
        7,
        "Nil",
        "Before the first card is played everybody is asked in turn, from the dealer’s left: one player may go nil,"
        " and promises to take no trick. A nil that is kept is three points; a broken one takes three off. The pairs"
        " of a broken nil still count.",
        "The player who called trump may go nil too. A broken nil may get the bonus, and a total may go below 0.",
    ),
    RuleText(
        8,
        "The race to eleven",
        "After a hand the highest total wins the game if it is eleven or more and nobody shares it. If the top is"
        " level, the table plays another hand, and the highest total after it wins.",
        "If two pass eleven in the same hand, the higher wins. All three play the extra hand, and the third player may"
        " still overtake both. Level again, another hand.",
        ("target",),
    ),
)

#: The queen of clubs is turned; Bo called it.
EXAMPLE = Example(
    "Cy deals. The queen of clubs is turned and Ann passes; Bo calls clubs, so the Bird Dog is the queen of spades."
    " Nobody goes nil. Ann takes three tricks, with two jacks, two kings and a queen in them. Bo takes three, with one"
    " of each. Cy takes one trick, with a jack.",
    ("Ann", "Bo", "Cy"),
    {
        "turned": {"card-1": "QC", "card-2": None, "card-3": None, "caller": 2},
        "nil": {"nil": None},
        "faces": {
            "j-1": 2, "q-1": 1, "k-1": 2, "j-2": 1, "q-2": 1, "k-2": 1, "j-3": 1, "q-3": 0, "k-3": 0,
        },
        "tricks": {"tricks-1": 3, "tricks-2": 3, "tricks-3": 1},
    },
)  # fmt: skip

WORDS = (
    Word("Bird Dog", "The twin of the card that made trump: same rank, same colour, other suit."),
    Word("Faces", "Jacks, queens and kings: the cards that make pairs."),
    Word("Pair", "Two faces of one rank among the cards somebody took; a point."),
    Word("Turned card", "A card of the middle that was shown to find trump. It is out of play."),
    Word("Caller", "Whoever took the turned suit for trump. The caller gets no bonus."),
    Word("Third card", "The last card of the middle: once it is turned it makes trump, and nobody has called."),
    Word("Bonus", "A point more for the most pairs, alone, and without having called."),
    Word("Nil", "The promise to take no trick: three points kept, three off when it is broken."),
    Word("Tied hand", "The hand after the top was level with eleven or more. The highest total after it wins."),
)
#: On paper and in the grid for what was kept on paper.
SCORING_IN_SHORT = "A pair 1; the most pairs, alone and not the caller, 1 more; nil 3, broken 3 off."
FIRST_DEALER = FirstDealer(
    "drawing", "Who drew the highest card?", "Everybody draws a card; the highest deals first, equal ones draw again."
)
#: What is written down, in words (``Game.written``).
WRITTEN = {
    "turned": Written(
        "the turned cards",
        fields={"card-1": "first card", "card-2": "second card", "card-3": "third card", "caller": "caller"},
    ),
    "nil": Written("who goes nil", fields={"nil": "nil"}, empty="nobody"),
    "faces": Written("the pairs", fields={"pairs": "pairs", "j": "jacks", "q": "queens", "k": "kings"}),
    "tricks": Written("the tricks", "took", empty="not counted"),
}
