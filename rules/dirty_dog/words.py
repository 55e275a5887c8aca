"""Dirty Dog in words: its fourteen rules, and what its tables say."""

from __future__ import annotations

from rules.core.texts import RuleText, Word, Written

RULES = (
    RuleText(
        1,
        "The start, and who comes late",
        "The game starts at the hour that was agreed and waits for nobody. Whoever comes later is dealt in at the"
        " next hand and begins with the lowest total at the table, even one below zero; before a hand is scored that"
        " is 0. The newcomer sits at the first dealer’s right hand, unless the table finds another chair. The hands"
        " stay as they were agreed; where the deck no longer goes round, a hand gets as many cards as it allows.",
    ),
    RuleText(
        2,
        "The first dealer",
        "The defending champion deals first, if seated when the game starts. Otherwise cards are dealt face up round"
        " the table, and whoever gets the first jack deals. After each hand the deal passes to the left. A misdeal is"
        " dealt again: the same dealer, the same number of cards.",
    ),
    RuleText(
        3,
        "Up the stairs and down again",
        "The first hand has one card each, the next one two, and so on up to the most cards the table has agreed on."
        " From there it goes down again, one card at a time, to the last hand of one. One card of the deck must be"
        " left to turn for trump: six players get eight cards each at most, ten get five.",
    ),
    RuleText(
        4,
        "The last dealer",
        "The last hand is dealt by the player at the first dealer’s right, so that everybody has dealt equally"
        " often. To make it come out, the hands with the most cards are played as many times as it takes.",
    ),
    RuleText(
        5,
        "The turned card",
        "When the hand is dealt, the next card of the deck is turned up and its suit is trump. Any ace means: no"
        " trump in this hand. Where no card is left to turn there is no trump either.",
    ),
    RuleText(
        6,
        "Bidding and playing",
        "A bid is the number of tricks you will take, from none to all of them. The player at the dealer’s left bids"
        " first, then everyone in turn, the dealer last. The first bidder leads. Follow suit if you can; if you"
        " cannot, play what you like, trump or not. The highest trump takes the trick, or without one the highest"
        " card of the suit that was led, and whoever takes it leads the next. Aces are high.",
    ),
    RuleText(
        7,
        "The Rule",
        "The bids may not add up to the number of cards. Only the last bidder can make them do so, and that is the"
        " one number the last bidder cannot say: the cards less what the others have bid. If they have bid more than"
        " the cards already, any bid is free. That is why somebody is set in every hand.",
    ),
    RuleText(
        8,
        "Changing a bid",
        "You may change your bid until the next player has bid. The dealer, who has nobody to wait for, may change"
        " until the first card is played. The new bid keeps The Rule like any other. A slip in writing a bid down is"
        " no change and is simply put right.",
    ),
    RuleText(
        9,
        "Points",
        "Take exactly what you bid, and you get five points and one for each trick: none bid and none taken is five."
        " Take more or fewer, and you are set: the greater of your bid and your tricks comes off. Everybody starts at"
        " 0, and totals may go below it.",
    ),
    RuleText(
        10,
        "Going home early",
        "Whoever goes home early keeps the total of the last hand that was scored. A hand that was under way is"
        " dealt again to the others, by the same dealer or, if it was the dealer who left, by the next to the left."
        " At the end that total still counts at the bottom: below everybody’s at the table it takes the loser’s"
        " trophy, and level with the lowest somebody draws a card for it. It cannot win. Who comes back is a late"
        " arrival.",
    ),
    RuleText(
        11,
        "Box and circle",
        "After each hand the highest total gets a box and the lowest a circle; equals share them. After the last"
        " hand the box wins the winner’s trophy, and the circle takes the other one home.",
    ),
    RuleText(
        12,
        "A tie for the lead",
        "A blind hand settles it. Everybody is dealt five cards, or as many as the deck allows, by the next dealer."
        " Nobody looks: bids first, then the cards are played. Trump, The Rule and the points are those of any hand,"
        " but only the points of the tied count, and only among themselves. The most wins. Those who are still level"
        " play another one.",
    ),
    RuleText(
        13,
        "A tie at the bottom",
        "The tied draw a card each, and the lowest loses: two is low, ace is high, suits do not matter. Those who"
        " share the lowest draw again. If the whole table is level, the blind hand comes first, and its winner need"
        " not draw.",
    ),
    RuleText(
        14,
        "Play-offs",
        "More than ten players sit in groups of as equal a size as can be, and every group plays the same number of"
        " hands. How many of each group go to the winners’ table is agreed beforehand; everybody else plays at the"
        " losers’ table. A tie across that line is settled by a blind hand. The top of the winners’ table wins. The"
        " bottom of the losers’ table takes the loser’s trophy, unless somebody at the winners’ table ends lower"
        " still.",
    ),
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
    Word(
        "The Rule",
        "The bids may not add up to the cards, so there is one number the last bidder may not be able to bid.",
    ),
    Word("You cannot bid one", "Said to the last bidder when The Rule forbids exactly that."),
    Word("Being Set", "Taking more or fewer tricks than you bid."),
    Word("No Trump", "The turned card is an ace: in this hand no suit beats another."),
    Word("In the box", "Having the highest total at the moment, alone or with others."),
    Word("Circled", "Having the lowest total at the moment, alone or with others."),
    Word("Blind hand", "The hand that settles a tie for the lead: everybody bids before looking at the cards."),
    Word("Defending champion", "Whoever won last time, and so deals first."),
    Word("No Hitter", "A Clean Run: every bid of the game made."),
)

#: What bids, tricks and totals do not show. The table says it, and may put it on the hand.
AT_THE_TABLE = (
    Word("Kobayashi Maru", "A hand that nobody could have made, whatever the bid."),
    Word("Singleton Trump", "Holding one trump and no more."),
    Word("Overtrump", "Putting a higher trump on a trump."),
    Word("Ice Fishing", "Somebody takes so long over a bid that one might as well be waiting for fish."),
    Word("NGTH", "It shows from one trick to the next, and the sheet is told only how many there were."),
    Word("Plan A", "What you had in mind when you bid."),
    Word("Plan B", "What you turn to when Plan A is gone."),
    Word("Plan C", "What you turn to when Plan B is gone too."),
    Word("Plan D", "It belongs to NGTH, and like it shows from one trick to the next."),
    Word("Dirt Bag", "A name that somebody gets at the table, and the table says what for."),
    Word("Rascal", "Another name that somebody gets, for something the sheet did not see."),
    Word("Scurvy Dog", "One more name: who has earned it, the table decides."),
    Word("Dumb Dog", "Said when the table sees it; the numbers do not tell."),
    Word("DAAWG", "Said aloud when it fits, and the table knows when that is."),
    Word("Whap", "Said aloud too, and only those who were there know why."),
    Word("Easy Chico", "Said to somebody at the table, for a reason no number shows."),
    Word("Reaching for IT", "Seen by those who sit there, never by the sheet."),
    Word("Dirty Dog Limbo", "The table knows who is in it; bids and tricks do not tell."),
    Word("The Maneuver", "A way of playing that a table names after whoever is known for it."),
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
        "the totals brought along",
        "brought",
        {"hands": "hands kept elsewhere", "last_dealer": "the last dealer"},
    ),
}
