"""Bird Dog in words: its rules, and what its table says."""

from __future__ import annotations

from rules.core.texts import FirstDealer, RuleText, Word, Written

RULES = (
    RuleText(
        1,
        "Three players, 24 cards",
        "Nines to aces of all four suits. Everybody is dealt seven cards, and three lie face down in the middle."
        " For the first deal everybody draws a card, and the highest deals; after each hand the deal passes to the"
        " left.",
    ),
    RuleText(
        2,
        "Turning and calling",
        "The first card of the middle is turned, and its suit may become trump. The player at the dealer’s left"
        " speaks first: whoever wants the suit calls it, and that settles it. Where all three pass, the second card"
        " is turned and they may call again. Where they pass once more, the third card is turned and makes trump by"
        " itself: nobody has called. What was turned stays out of play, and so does what was never turned.",
    ),
    RuleText(
        3,
        "The Bird Dog",
        "Every card has a twin: the same rank in the other suit of its colour. The twin of the card that made trump is"
        " the Bird Dog, so that the queen of clubs makes it the queen of spades. No card beats it, yet it belongs to"
        " the suit that is printed on it. It may be in somebody’s hand or lie in the middle.",
    ),
    RuleText(
        4,
        "Seven tricks",
        "The player at the dealer’s left leads. Follow suit if you can; if you cannot, play what you like. The Bird"
        " Dog takes the trick, then the highest trump, or without one the highest card of the suit that was led."
        " Whoever takes a trick keeps its three cards and leads the next. A trick itself is worth nothing.",
    ),
    RuleText(
        5,
        "Pairs",
        "What counts are the faces among the cards you took: two jacks, two queens or two kings are a pair, and a"
        " pair is a point. Four of a rank are two pairs, three are one. Turned faces are out of play, and those that"
        " lie in the middle unseen belong to nobody.",
    ),
    RuleText(
        6,
        "The bonus",
        "Whoever has the most pairs, alone, gets a point more, unless they are the one who called trump. Where the most"
        " is shared, nobody gets it. When nobody called, whoever has the most has not called either, and gets it.",
    ),
    RuleText(
        7,
        "Nil",
        "Before the first card is played one player may go nil, the caller too: they promise to take no trick. Kept,"
        " that is three points; broken, three come off, so that a total may go below 0. The pairs of a broken nil"
        " still count, and so does the bonus.",
    ),
    RuleText(
        8,
        "The race to eleven",
        "After a hand the highest total wins the game if it is eleven or more and nobody shares it. Where two pass"
        " eleven in the same hand the higher wins. Where the top is level the table plays another hand, all three of"
        " them, and the highest total after it wins; the third player may still overtake both. Level again, another"
        " hand.",
    ),
)

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
#: Everything this table calls is on the sheet already.
TAGS: tuple[str, ...] = ()

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
