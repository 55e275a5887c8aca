"""Facts of a night: typed values, each with what proves it. `sentences` puts them into words."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString


@dataclass(frozen=True)
class Evidence:
    """Where a reader sees for themselves: what the link says, and where it leads."""

    label: SafeString
    url: str


@dataclass(frozen=True)
class Fact:
    """Something that is true of the night. `at` is the table within a sentence: " at table 2"; "" for the only one."""

    evidence: tuple[Evidence, ...]
    at: SafeString


@dataclass(frozen=True)
class Attended(Fact):
    people: int
    tables: int
    hands: int


@dataclass(frozen=True)
class Win:
    """Who won at one table, and with what; `legs` is what they won there, where it is no points: "rubber"."""

    name: str
    score: int
    at: SafeString
    legs: str = ""


@dataclass(frozen=True)
class Won(Fact):
    """Who won at each of a few tables."""

    wins: tuple[Win, ...]


@dataclass(frozen=True)
class First(Fact):
    """Who is on the first place of a table that has no winner."""

    names: tuple[str, ...]
    score: int
    legs: str


@dataclass(frozen=True)
class Level(Fact):
    """Several had the highest total after the last hand; `winner` got the tie, "" where it stayed."""

    names: tuple[str, ...]
    total: int
    winner: str


@dataclass(frozen=True)
class Narrow(Fact):
    """By how much the highest total after the last hand lay above the next."""

    name: str
    next: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class LeadChanges(Fact):
    changes: int


@dataclass(frozen=True)
class LedThroughout(Fact):
    name: str


@dataclass(frozen=True)
class Decided(Fact):
    """The hand after which the winner led alone for good; `is_last`: it was the last of all."""

    name: str
    hand: int
    is_last: bool


@dataclass(frozen=True)
class CameBack(Fact):
    name: str
    hand: int
    then: int
    players: int
    now: int


@dataclass(frozen=True)
class LedLongest(Fact):
    """Somebody led alone after `hands` of `all_hands`, and another won."""

    name: str
    hands: int
    all_hands: int
    winner: str


@dataclass(frozen=True)
class RecordBroken(Fact):
    """A record of the club that was broken: `value` has its unit."""

    names: tuple[str, ...]
    game: str
    record: str
    value: str


@dataclass(frozen=True)
class MadeInARow(Fact):
    names: tuple[str, ...]
    bids: int


@dataclass(frozen=True)
class BestOfAll(Fact):
    """The most points in one hand of the night."""

    names: tuple[str, ...]
    points: int
    hand: int


@dataclass(frozen=True)
class Unlucky(Fact):
    """Who missed most bids by one trick at a table."""

    name: str
    bids: int


@dataclass(frozen=True)
class BidsMade(Fact):
    made: int
    bids: int


@dataclass(frozen=True)
class LedAlone(Fact):
    """So many led alone at some time."""

    leaders: int


@dataclass(frozen=True)
class Spread(Fact):
    """All totals of a table after its last hand lay within so many points."""

    points: int


@dataclass(frozen=True)
class Legs(Fact):
    """A table came to so many rubbers or games."""

    legs: int
    leg: str


@dataclass(frozen=True)
class LongestLeg(Fact):
    hands: int
    legs: int
    leg: str


@dataclass(frozen=True)
class ClosestLeg(Fact):
    name: str
    points: int
    leg: str
    legs: int


@dataclass(frozen=True)
class TrophiesWon(Fact):
    """Who was awarded what, by name of person and trophy."""

    awards: tuple[tuple[str, str], ...]
