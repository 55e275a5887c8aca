"""Facts in words. Of some there are two wordings: which is taken follows from the night, never from chance."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.stories.facts import (
    Attended,
    BestOfAll,
    BidsMade,
    CameBack,
    ClosestLeg,
    Decided,
    Fact,
    First,
    LeadChanges,
    LedAlone,
    LedLongest,
    LedThroughout,
    Legs,
    Level,
    LongestLeg,
    MadeInARow,
    Narrow,
    RecordBroken,
    Spread,
    TrophiesWon,
    Unlucky,
    Win,
    Won,
)  # fmt: skip
from rules.core.numbers import bare, spelled
from scoresheets.results.match import plural
from scoresheets.wording.markup import capital, listed, name_shown

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip


def sentence_of(fact: Fact, wording: int) -> SafeString:
    """The sentence of a fact. Where there are several wordings it is the one with that number, counted round."""
    match fact:
        case Attended() | Won() | First() | TrophiesWon():
            return sentence_of_night(fact, wording)
        case LeadChanges() | LedThroughout() | Decided() | LedAlone() | LedLongest() | CameBack():
            return sentence_of_lead(fact, wording)
        case Legs() | LongestLeg() | ClosestLeg():
            return sentence_of_legs(fact)
        case Level() | Narrow() | Spread():
            return sentence_of_end(fact)
        case RecordBroken() | MadeInARow() | BestOfAll() | Unlucky() | BidsMade():
            return sentence_of_hands(fact, wording)
    raise TypeError(type(fact).__qualname__)


def sentence_of_night(fact: Attended | Won | First | TrophiesWon, wording: int) -> SafeString:
    """Who was there, who won, and where the trophies go."""
    match fact:
        case Attended():
            people, hands, tables = (
                counted(fact.people, "person", "people"), counted(fact.hands, "hand"), counted(fact.tables, "table"),
            )  # fmt: skip
            if wording % 2:
                return format_html("{}, {} and {}: that was the night.", capital(tables), people, hands)
            return format_html("{} played {} at {}.", capital(people), hands, tables)
        case Won():
            return won(fact.wins)
        case First():
            shared = "shared first place" if len(fact.names) > 1 else "came first"
            score = with_score(fact.score, fact.legs, each=len(fact.names) > 1)
            return format_html("{} {}{}{}.", people_listed(fact.names), shared, fact.at, score)
        case TrophiesWon():
            (first, trophy), *others = fact.awards
            parts = [format_html("{} goes to {}", name_shown(trophy), name_shown(first))]
            parts += [format_html("{} to {}", name_shown(trophy), name_shown(name)) for name, trophy in others]
            return format_html("{}.", listed(parts))


def won(wins: tuple[Win, ...]) -> SafeString:
    """Who won: "Ann won with 34 points."; "Ann won at table 1 (34 points), and Bo at table 2 (20)."."""
    first, *others = wins
    if not others:
        score = with_score(first.score, first.legs)
        return format_html("{} won{}{}.", name_shown(first.name), first.at, score)
    parts = [format_html("{} won{}{}", name_shown(first.name), first.at, in_brackets(first))]
    parts += [format_html("{}{}{}", name_shown(win.name), win.at, in_brackets(win)) for win in others]
    return format_html("{}.", listed(parts))


def sentence_of_end(fact: Level | Narrow | Spread) -> SafeString:
    """How close a game ended."""
    match fact:
        case Level():
            tie = format_html(", and the tie went to {}", name_shown(fact.winner)) if fact.winner else ""
            level = people_listed(fact.names)
            return format_html("{} were tied at {} after the last hand{}{}.", level, bare(fact.total), fact.at, tie)
        case Narrow():
            points, others = counted(fact.points, "point"), people_listed(fact.next)
            name = name_shown(fact.name)
            return format_html("After the last hand{} {} was {} ahead of {}.", fact.at, name, points, others)
        case Spread():
            if not fact.points:
                return format_html("Everybody{} finished tied.", fact.at)
            points = counted(fact.points, "point")
            return format_html("Everybody{} finished within {} of each other.", fact.at, points)


def sentence_of_lead(
    fact: LeadChanges | LedThroughout | Decided | LedAlone | LedLongest | CameBack, wording: int
) -> SafeString:  # fmt: skip
    """Who led, for how long, and from where somebody came back."""
    match fact:
        case LeadChanges():
            many = "twice" if fact.changes == 2 else f"{spelled(fact.changes)} times"
            if wording % 2:
                return format_html("{} the lead{} went from one player to another.", capital(many), fact.at)
            return format_html("The lead{} changed {}.", fact.at, many)
        case LedThroughout():
            return format_html("{} led{} from the first hand to the last.", name_shown(fact.name), fact.at)
        case Decided(is_last=True):
            name = name_shown(fact.name)
            return format_html("It was open{} until the last hand, which put {} ahead.", fact.at, name)
        case Decided():
            name = name_shown(fact.name)
            return format_html("Hand {} decided it{}: from then on {} led alone.", fact.hand, fact.at, name)
        case LedAlone(leaders=0):
            return format_html("Nobody led alone{} after any hand.", fact.at)
        case LedAlone():
            only = "Only one player" if fact.leaders == 1 else f"{capital(spelled(fact.leaders))} players"
            return format_html("{} led alone{} at some time.", only, fact.at)
        case LedLongest():
            hands, winner = spelled(fact.hands), name_shown(fact.winner)
            name = name_shown(fact.name)
            return format_html(
                "{} led alone{} after {} of {} hands, and the win went to {}.", name, fact.at, hands, fact.all_hands,
                winner,
            )  # fmt: skip
        case CameBack():
            return format_html(
                "{} was {} of {}{} after hand {}, and came back to finish {}.", name_shown(fact.name),
                ordinal(fact.then), spelled(fact.players), fact.at, fact.hand, ordinal(fact.now),
            )  # fmt: skip


def sentence_of_legs(fact: Legs | LongestLeg | ClosestLeg) -> SafeString:
    """Rubbers or games of a match."""
    match fact:
        case Legs():
            were = "was" if fact.legs == 1 else "were"
            return format_html("{} {} played to the end{}.", capital(counted(fact.legs, fact.leg)), were, fact.at)
        case LongestLeg():
            longest = "longest " if fact.legs > 1 else ""
            return format_html("The {}{}{} took {}.", longest, fact.leg, fact.at, counted(fact.hands, "hand"))
        case ClosestLeg():
            closest = "closest " if fact.legs > 1 else ""
            name, points = name_shown(fact.name), counted(fact.points, "point")
            return format_html("The {}{}{} went to {} by {}.", closest, fact.leg, fact.at, name, points)


def sentence_of_hands(
    fact: RecordBroken | MadeInARow | BestOfAll | Unlucky | BidsMade, wording: int
) -> SafeString:  # fmt: skip
    """Single hands and bids."""
    match fact:
        case RecordBroken():
            names = people_listed(fact.names)
            return format_html("{} broke a club record of {}: {}, {}.", names, fact.game, fact.record, fact.value)
        case MadeInARow():
            each = " each" if len(fact.names) > 1 else ""
            bids = counted(fact.bids, "bid")
            return format_html("{}{} made {} in a row{}.", people_listed(fact.names), each, bids, fact.at)
        case BestOfAll(hand=0):
            names, points = people_listed(fact.names), counted(fact.points, "point")
            return format_html("Nobody scored more in one hand than {}: {}.", names, points)
        case BestOfAll():
            (name,) = fact.names
            points = counted(fact.points, "point")
            return format_html(
                "The best hand of the night was {}’s: {} in hand {}{}.", name_shown(name), points, fact.hand, fact.at
            )  # fmt: skip
        case Unlucky():
            bids, name = spelled(fact.bids), name_shown(fact.name)
            if wording % 2:
                return format_html("Luck was elsewhere{}: {} bids of {} missed by one trick each.", fact.at, bids, name)
            return format_html("The cards were not kind to {}{}: {} bids missed by one trick.", name, fact.at, bids)
        case BidsMade():
            were = "was" if fact.made == 1 else "were"
            return format_html("Of {}, {} {} made.", counted(fact.bids, "bid"), spelled(fact.made), were)


# Words


def counted(many: int, name: str, several: str = "") -> str:
    """So many of something, in words.

    >>> counted(1, "person", "people"), counted(12, "person", "people"), counted(43, "hand")
    ('one person', 'twelve people', '43 hands')
    """
    return f"{spelled(many) if many else 'no'} {name if many == 1 else several or plural(name, many)}"


def ordinal(place: int) -> str:
    """A place in words, a later one in figures.

    >>> ordinal(2), ordinal(11)
    ('second', '11th')
    """
    return ORDINALS[place - 1] if place <= len(ORDINALS) else f"{place}th"


def people_listed(names: Iterable[str]) -> SafeString:
    return listed([name_shown(name) for name in names])


def with_score(score: int, legs: str, *, each: bool = False) -> str:
    """ " with 34 points", " with two rubbers"; of a match that came to none nothing."""
    if legs and not score:
        return ""
    what = counted(score, legs) if legs else points_text(score)
    return f" with {what}{' each' if each else ''}"


def in_brackets(win: Win) -> str:
    """The same behind a name among others."""
    if win.legs and not win.score:
        return ""
    return f" ({counted(win.score, win.legs) if win.legs else points_text(win.score)})"


def points_text(points: int) -> str:
    """Points with their sign.

    >>> points_text(-3), points_text(1)
    ('−3 points', '1 point')
    """
    return f"{bare(points)} {plural('point', abs(points))}"
