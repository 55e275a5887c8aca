"""What must happen on the last night of a season, so that somebody wins it: only what holds for every outcome.

Nothing here knows a database. A claim is found by going through all results a game can have, by the worth that the
scheme itself gives them, so no rule of a scheme is written down a second time.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from clubs.standings.schemes import Result, Terms, ordinal

Who = TypeVar("Who", bound=Hashable)
#: The schemes of which something can be said: there is a most that a game can be worth, it is worth nothing less than
#: nothing, and it follows from places alone.
SCHEMES_WITH_CLAIMS = ("won", "share", "places")


@dataclass(frozen=True)
class Claim:
    """Somebody wins the season if they finish their game on this place or a better one, whatever else happens.

    `place` 0: whatever happens, even if they stay away. `only_wins`: only a win counts, so `place` is 1 and means it.
    `is_any`: every place will do, as long as they play to the end. `alone`: they must not share the place, or the win.
    """

    place: int
    only_wins: bool = False
    is_any: bool = False
    alone: bool = False

    def says(self, name: str) -> str:
        """ "Di wins the season if they finish 2nd or better, whoever plays."."""
        if self.place == 0:
            return f"{name} has won the season, whatever happens on the last night."
        if self.is_any and not self.alone:
            return f"{name} wins the season if they play to the end of their game, in any place."
        if self.only_wins:
            how = "win their game alone" if self.alone else "win their game"
        else:
            how = "finish first" if self.place == 1 else f"finish {ordinal(self.place)} or better"
            how += " without sharing the place" if self.alone else ""
        return f"{name} wins the season if they {how}, whoever plays."


@dataclass(frozen=True)
class Outcome:
    """What a game can bring somebody (`own`), and the most that it can bring anybody else on that night (`rival`).

    `place` is None for who went home early.
    """

    place: int | None
    won: bool
    is_shared: bool
    own: int
    rival: int


def claims(
    people: Mapping[Who, Sequence[int]], terms: Terms, most_players: int, *, one_table: bool
) -> dict[Who, Claim]:
    """For whom what is enough to win the season, that is to have place 1 alone, by points.

    `people`: what each of their nights was worth, without the last one. Nobody is in it twice.

    It is claimed for every outcome of a last night on which everybody plays one game that counts, or none; a game has
    2 to `most_players` players who stay to its end; people who were never there may come. Who goes home early may be
    given the win. `one_table`: all who play sit at one table; otherwise at any number of tables.

    Points have to be more than anybody else's. Where tie-breaks would decide nothing is claimed, so a claim may be
    missing, but none is wrong. By schemes other than `SCHEMES_WITH_CLAIMS` nothing is claimed: a score, the bids of a
    game and a rating have no bounds that are known before.
    """
    if terms.scheme.slug not in SCHEMES_WITH_CLAIMS:
        return {}
    possible = list(outcomes(terms, most_players, one_table=one_table))
    claimed: dict[Who, Claim] = {}
    for person, nights in people.items():
        rivals = [other for key, other in people.items() if key != person]
        claim = claim_of(nights, [*rivals, ()], terms, possible, most_players)
        if claim is not None:
            claimed[person] = claim
    return claimed


def claim_of(
    nights: Sequence[int], rivals: Sequence[Sequence[int]], terms: Terms, possible: Sequence[Outcome], most_players: int
) -> Claim | None:
    """The weakest thing that is enough for who has these nights; None: nothing is."""
    most = max(outcome.own for outcome in possible)
    if len(nights) >= terms.least_nights and is_ahead(total(nights, terms), most, rivals, terms):
        return Claim(0)
    if len(nights) + 1 < terms.least_nights:
        return None

    def is_enough(outcome: Outcome) -> bool:
        return is_ahead(total([*nights, outcome.own], terms), outcome.rival, rivals, terms)

    lacking = [outcome for outcome in possible if not is_enough(outcome)]
    unshared = [outcome for outcome in lacking if not outcome.is_shared]
    if terms.scheme.slug == "won":
        if any(outcome.won for outcome in unshared):
            return None
        return Claim(1, only_wins=True, alone=any(outcome.won for outcome in lacking))
    place, place_alone = (safe_place(outcomes, most_players) for outcomes in (lacking, unshared))
    if not place_alone:
        return None
    return Claim(place_alone, is_any=place_alone == most_players, alone=place_alone > place)


def safe_place(lacking: Iterable[Outcome], most_players: int) -> int:
    """The last place from which on up no outcome lacks anything; 0: there is none."""
    return min((outcome.place - 1 for outcome in lacking if outcome.place is not None), default=most_players)


def is_ahead(points: int, gain: int, rivals: Iterable[Sequence[int]], terms: Terms) -> bool:
    """Whether so many points are more than any rival's, if each of them gains so much or stays away."""
    return all(points > reached for nights in rivals for reached in reachable(nights, gain, terms))


def reachable(nights: Sequence[int], gain: int, terms: Terms) -> Iterator[int]:
    """What somebody can have at most who gains that much or stays away; nothing where they have no place then."""
    if len(nights) >= max(1, terms.least_nights):
        yield total(nights, terms)
    if len(nights) + 1 >= terms.least_nights:
        yield total([*nights, gain], terms)


def total(nights: Sequence[int], terms: Terms) -> int:
    """The sum of the nights without the worst, which are left out; the best one always counts."""
    return sum(sorted(nights)[max(0, min(terms.drops, len(nights) - 1)) :])


# What a game can come to


def outcomes(terms: Terms, most_players: int, *, one_table: bool) -> Iterator[Outcome]:
    """Every result of a game somebody can have who plays it to the end, or who has gone home and was given the win."""
    sizes = range(2, most_players + 1)
    anywhere = max(worth_of(result, terms) for players in sizes for result in results(players))
    for players in sizes:
        for own in results(players):
            rival = anywhere
            if one_table:
                others = (other for other in results(players) if can_be_together(own, other))
                rival = max(chain((0,), (worth_of(other, terms) for other in others)))
            yield Outcome(own.place, own.won, own.sharing > 0, worth_of(own, terms), rival)


def results(players: int) -> Iterator[Result]:
    """All that a game which so many play to the end can be to somebody."""
    # Gone home: given the win, the last place, or nothing.
    for won, lost in ((True, False), (False, True), (False, False)):
        yield Result(0, None, None, won=won, lost=lost, players=players)
    for place in range(1, players + 1):
        for sharing in range(players - place + 1):
            # Where somebody has won who had gone home, the first of those who stayed has not.
            for won in (True, False) if place == 1 else (False,):
                yield Result(0, place, None, won=won, lost=False, players=players, sharing=sharing)


def can_be_together(own: Result, other: Result) -> bool:
    """Whether two people can have these results at one table."""
    winners = {winner_of(own), winner_of(other)} - {""}
    if len(winners) > 1 or (own.place is None and other.place is None and own.won and other.won):
        return False
    if own.place is None or other.place is None:
        return True
    if own.place == other.place:
        return own.sharing == other.sharing > 0
    first, second = sorted([(own.place, own.sharing), (other.place, other.sharing)])
    return sum(first) < second[0]


def winner_of(result: Result) -> str:
    """What the result says of who won at its table: who shares the first place ("stayed"), or somebody who had gone
    home ("gone"); "" nothing.
    """
    if result.place == 1:
        return "stayed" if result.won else "gone"
    return "gone" if result.won else ""


def worth_of(result: Result, terms: Terms) -> int:
    return terms.scheme.worth(result, terms.numbers)
