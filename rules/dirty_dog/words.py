"""Dirty Dog in words: its fourteen rules, and what its tables say."""

from __future__ import annotations

from rules.core.texts import Example, Passage, RuleText, Word, Written

HOW_TO_PLAY = (
    Passage(
        "The aim",
        "Before each hand you say how many tricks you will take. Then you try to take exactly that many. After the"
        " last hand the highest total wins the winner’s trophy, and the lowest takes the loser’s trophy home.",
    ),
    Passage(
        "The cards",
        "A deck of 52. From high to low: ace, king, queen, jack, ten, and so on down to two. Four to ten people play,"
        " each for themselves.",
    ),
    Passage(
        "The hands",
        "In the first hand everybody gets one card, in the next hand two, and so on up to the number the table has"
        " agreed on. From there it goes down again, one card at a time, to a last hand of one card.",
    ),
    Passage(
        "A hand",
        "The dealer deals and turns up the next card: its suit is trump. The player on the dealer’s left bids first,"
        " then everybody in turn, the dealer last. The first bidder also leads the first trick. Play a card of the"
        " suit that was led if you have one; if not, play any card. The highest trump takes the trick. Without a trump"
        " in it, the highest card of the suit that was led takes it. Whoever takes a trick leads the next one.",
    ),
    Passage(
        "Points",
        "If you take exactly what you bid, you get five points and one more for each trick. If you take more or fewer,"
        " you lose your bid or your tricks, whichever is more. Everybody starts at 0, and a total may go below 0.",
    ),
    Passage(
        "Box and circle",
        "After each hand the sheet draws a box round the highest total and a circle round the lowest. Players with the"
        " same total share them.",
    ),
)

RULES = (
    RuleText(
        1,
        "Coming late",
        "The game starts at the agreed time and waits for nobody, and its hands do not change. If you come later, you"
        " start with the lowest total at the table at that time.",
        "You are dealt in at the next hand, never in the middle of one. The lowest total may be below 0, and before"
        " the first hand is scored it is 0. You sit on the first dealer’s right, unless the table finds you another"
        " chair. If the deck no longer goes round, a hand gets as many cards as the deck allows.",
        ("replan",),
    ),
    RuleText(2, "No jokers", "Dirty Dog is played without jokers."),
    RuleText(
        3,
        "The first dealer",
        "Whoever won last time, the defending champion, deals first. If they are not there, cards are dealt face up"
        " round the table until somebody gets the first jack: that player deals first. After each hand the deal passes"
        " to the left.",
        "The dealing for the first jack begins on the left of whoever holds the deck. A champion who comes after the"
        " start does not become the first dealer. After a misdeal the same dealer deals the same number of cards"
        " again.",
    ),
    RuleText(
        4,
        "The last dealer",
        "The player on the first dealer’s right deals the last hand, so everybody deals equally often. To make that"
        " come out, the hands with the most cards are played as many times as it takes.",
        "A table may choose any number of hands. If the deal does not come out even then, the sheet says so.",
    ),
    RuleText(
        5,
        "Trump",
        "After the deal the top card of what is left of the deck is turned up: its suit is trump. An ace of any suit"
        " means that there is no trump in this hand. Nobody may look at the other cards that are left.",
        "One card must be left to turn. So six players get eight cards each at most, ten players get five, and four"
        " players get twelve.",
        ("deal_whole_deck",),
    ),
    RuleText(
        6,
        "Who begins",
        "The player on the dealer’s left bids first and leads the first trick. The dealer bids last.",
    ),
    RuleText(
        7,
        "The Rule",
        "The bids must not add up to the number of cards in the hand. So there is one number that the last bidder"
        " cannot bid: the number of cards less what the others have bid. If the others have bid more than that"
        " already, any bid is free. This is why somebody is set in every hand.",
        "If nobody noticed and the hand was played, the table may leave it as it was played; the sheet says so.",
    ),
    RuleText(
        8,
        "Changing a bid",
        "You may change your bid until the player on your left has bid.",
        "The dealer bids last and may change until the first card is played. The Rule holds for the new bid too. A"
        " number that was written down wrong can be corrected at any time.",
        ("dealer_bid_final",),
    ),
    RuleText(
        9,
        "Following suit",
        "Follow the suit that was led if you can. If you cannot, play a trump or throw off any other card.",
    ),
    RuleText(
        10,
        "Going home early",
        "If somebody goes home early, the total they leave with is compared with the lowest at the table: they may"
        " still take the loser’s trophy.",
        "It is their total after the last scored hand, and it is compared at the end of the game. Below everybody’s at"
        " the table it takes the loser’s trophy; level with the lowest, somebody draws a card for them. It cannot win."
        " A hand that was under way is dealt again to the others, by the same dealer or, if it was the dealer who"
        " left, by the next to the left. Anybody who comes back comes late, as in rule 1.",
        ("leaver_may_win",),
    ),
    RuleText(
        11,
        "Points",
        "If you take exactly what you bid, you get five points and one more for each trick: none bid and none taken is"
        " five. If you take more or fewer, you are set: the larger of your bid and your tricks comes off.",
    ),
    RuleText(
        12,
        "Changing a card",
        "You may take back the card you played and play another one until the next player has played.",
    ),
    RuleText(
        13,
        "Ties",
        "A tie for the lead is settled by a blind hand: five cards each, fewer in a large group, and everybody bids"
        " before anybody looks. Only the tied are affected. For a tie at the bottom the tied draw a card each, and the"
        " lowest card loses; suits do not matter.",
        "Everybody at the table is dealt into the blind hand, by the next dealer; trump, The Rule and points are those"
        " of any hand. The points decide among the tied only, and are not added to the totals. If some are still"
        " level, they play another one. In the draw ace is high and two is low; those who share the lowest card draw"
        " again. If the whole table is level, the blind hand comes first, and its winner does not draw.",
        ("tie_break_cards", "blind_hand_counts", "bottom_by_blind_hand"),
    ),
    RuleText(
        14,
        "Play-offs",
        "With more than ten players there are groups, as equal in size as possible, and every group plays the same"
        " number of hands. How many of each group go to the winners’ table is agreed beforehand. The top of the"
        " winners’ table wins the winner’s trophy. The bottom of the losers’ table takes the loser’s trophy, unless"
        " somebody at the winners’ table ends lower still.",
        "The others of a group go to the losers’ table; an evening may agree that only the lowest of each group do,"
        " and that the rest have finished. A tie across one of these lines is settled by a blind hand. Both finals"
        " start at 0.",
    ),
)

#: Five at the table, five cards, hearts are trump. The bids come to six, one more than the cards.
EXAMPLE = Example(
    "Everybody has five cards, and Ed deals. The seven of hearts is turned: hearts are trump. Ann bids 2, Bo 0, Cy 1"
    " and Di 2. That is five already, so Ed may not bid 0, and bids 1. Then the cards are played: Ann takes two"
    " tricks, Cy and Ed one each, and Di one instead of two.",
    ("Ann", "Bo", "Cy", "Di", "Ed"),
    {
        "trump": {"turned": "7H"},
        "bid-1": {"bid": 2},
        "bid-2": {"bid": 0},
        "bid-3": {"bid": 1},
        "bid-4": {"bid": 2},
        "bid-5": {"bid": 1},
        "tricks": {"tricks-1": 2, "tricks-2": 0, "tricks-3": 1, "tricks-4": 1, "tricks-5": 1},
    },
    cards=5,
)

#: What the sheet sees by itself and calls out.
CALLED = (
    Word("Overbid", "The bids add up to more than the cards: there are not enough tricks for everyone.", "overbid"),
    Word("Floater", "The bids add up to one less than the cards: one trick is nobody’s.", "floater"),
    Word(
        "Float’age",
        "The bids add up to at least two less than the cards: tricks are floating about that nobody wants.",
        "floatage",
    ),
    Word("Dog Pile", "Tricks that land on somebody who bid none.", "dog-pile", "trick"),
    Word("SBR", "The last bidder takes exactly the number that The Rule forbade, and would have made the bid.", "sbr"),
    Word("Door Knob", "Set in at least three of your last four hands.", "door-knob"),
    Word("Spooning", "Two or more lie close together at the bottom, within two points of the lowest.", "spooning"),
    Word(
        "Proximity Alert",
        "The circle is near: your total is five to ten points above the lowest.",
        "proximity-alert",
    ),
    Word(
        "Bottom Buddies",
        "A few who keep each other company at the bottom, a wide gap below everyone else.",
        "bottom-buddies",
    ),
    Word("Clean Run", "A whole game in which you make every bid. Also called a No Hitter.", "clean-run"),
    Word(
        "First Place Loser",
        "Whoever comes second, ties settled; several who share second place all are.",
        "first-place-loser",
    ),
)

#: What only the club can see, which has the game before, too.
CALLED_BY_THE_CLUB = (
    Word("Back-to-Back", "Winning a game of the club right after winning the one before it.", "back-to-back"),
)

#: What every table needs a word for.
SAID = (
    Word("Trick", "One card from everybody. The highest trump takes it, or else the highest card of the suit led."),
    Word("Trump", "The suit of the turned card. It beats every other suit."),
    Word("No Trump", "The turned card is an ace: in this hand no suit beats another."),
    Word(
        "The Rule",
        "The bids must not add up to the cards, so there is a number that the last bidder may not be able to bid.",
    ),
    Word("You cannot bid one", "What the last bidder hears when one is forbidden: with the ace of trump and no more."),
    Word("Being Set", "Taking more or fewer tricks than you bid."),
    Word("In the box", "Having the highest total at the moment, alone or with others."),
    Word("Circled", "Having the lowest total at the moment, alone or with others."),
    Word("Blind hand", "The hand that settles a tie for the lead: everybody bids before looking at the cards."),
    Word("Defending champion", "Whoever won last time, and so deals first."),
    Word("No Hitter", "A Clean Run: every bid of the game made."),
)

#: What bids, tricks and totals do not show. The table says it, and may put it on the hand.
AT_THE_TABLE = (
    Word("Bring out your dead", "Leading a trump that nobody can beat, to draw out the trumps of the others."),
    Word("DAAWG", "Called out at whoever made you take a trick you did not want."),
    Word("Dirt Bag", "Whoever took a trick that you badly needed."),
    Word("Dirty Dog", "Anybody who is after the trophy."),
    Word("Dirty Dog Limbo", "Everybody plays the lowest card they have, to get under the trick."),
    Word(
        "Dumb Dog",
        "Somebody who picks up their own first trick and plays on with it, or who asks what was led when only one suit"
        " lies there.",
    ),
    Word("Easy Chico", "Said by somebody who was skipped in the bidding or in the play: not so fast."),
    Word("First-Trump Maneuver", "Leading with a trump."),
    Word("Game Time", "The one appointment that everybody keeps."),
    Word("Get under that", "Said over a two or a three that is no trump: nobody gets lower."),
    Word("I’ll take one", "The bid of somebody whose hand is the ace of trump."),
    Word("Ice Fishing", "Holding up the table while you think about a bid or a card."),
    Word("Kobayashi Maru", "A hand that cannot be bid: whatever you say, you will be set."),
    Word("NGTH", "Not going to happen: the bid is lost, and you know it."),
    Word("Not that card", "A plea when the lead is about to hit your high card."),
    Word("Overtrump", "Putting a higher trump on a trick that somebody has trumped."),
    Word("Plan A", "The plan before the first card is played."),
    Word("Plan B", "The plan after a trick came to you, or went, unexpectedly."),
    Word("Plan C", "Only the others can save your bid now."),
    Word("Plan D", "The same as NGTH."),
    Word("Play the right card", "A wish for one suit, said aloud."),
    Word("Rascal", "The polite word for somebody who keeps making you miss your bid."),
    Word("Reaching for it", "Collecting a trick that the last player is still going to trump."),
    Word("Return Maneuver", "Taking a trick, then leading the same suit back."),
    Word("Scurvy Dog", "Somebody who slips a two under your three, so that you are stuck with the trick."),
    Word("Singleton Trump", "Holding one trump and no more, usually the king or the queen."),
    Word("Take that", "What a Scurvy Dog likes best to say."),
    Word("Whap", "A bigger card, or a trump, slammed down on the trick."),
    Word("What led", "Asked when several suits lie there and nobody remembers which came first."),
    Word("Wrong color", "A plea for the other suit, when the lead is about to hit your high card."),
)

WORDS = (*CALLED, *CALLED_BY_THE_CLUB, *SAID, *AT_THE_TABLE)
TAGS = tuple(word.term for word in AT_THE_TABLE)

#: On paper and in the grid for what was kept on paper.
SCORING_IN_SHORT = "Made: 5 and 1 for each trick. Set: the greater of bid and tricks comes off."
#: What is written down, in words (``Game.written``).
WRITTEN = {
    "bid": Written("{seat}’s bid", "bid"),
    "tricks": Written("the tricks", "took"),
    "trump": Written("the trump", fields={"suit": "trump", "turned": "turned card"}),
    "rule-missed": Written("that nobody noticed The Rule", fields={"missed": "The Rule was missed"}),
    "draw": Written("the cards that were drawn", "drew"),
    "carried": Written(
        "the totals carried over",
        "carried over",
        {"hands": "hands scored elsewhere", "last_dealer": "the last dealer"},
    ),
}
