"""Opponents of a member: who finished ahead of whom, who is hardest to beat, and with whom games go best.

A play-off is one game, as in `clubs.ratings.games`: its places tell who finished ahead, whatever the tables were. Who
went home without a place is in no balance.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from clubs.models import Club, Member, Placing, Table
from clubs.ratings.games import RankedGame, RatedGame, games_of, ranked_games_of
from clubs.records.hands import Person, counted_placings
from rules.core.numbers import percent, percent_text

#: With fewer games together nobody is named. Of two equals one is ahead in eight or more of ten games, or the other,
#: about once in nine such pairs; with five games one of them is ahead in four or more in three pairs of eight.
LEAST_TOGETHER = 10
#: Good company makes so many points of a hundred of difference at least: less is luck.
LEAST_GAIN = 5
#: A share of everything, where shares are whole numbers.
WHOLE = 10_000
#: How somebody finished compared with another one, and what of a share that is worth.
AHEAD, LEVEL, BEHIND = -1, 0, 1
WORTH = {AHEAD: WHOLE, LEVEL: WHOLE // 2, BEHIND: 0}


@dataclass(frozen=True)
class Balance:
    """The games two people played together, for the first of them: finished ahead, behind, and level."""

    ahead: int = 0
    behind: int = 0
    level: int = 0

    @property
    def games(self) -> int:
        return self.ahead + self.behind + self.level

    @property
    def not_behind(self) -> int:
        return self.ahead + self.level

    @property
    def reversed(self) -> Balance:
        """The same for the other of the two."""
        return Balance(self.behind, self.ahead, self.level)

    @property
    def ahead_share(self) -> str:
        return percent_text(self.ahead, self.games)

    @property
    def behind_share(self) -> str:
        return percent_text(self.behind, self.games)

    @property
    def level_share(self) -> str:
        return percent_text(self.level, self.games)


def balance_of(games: Iterable[RankedGame], member: int, other: int) -> Balance:
    """The balance of two people (ids of the records that count); games without both of them are left out."""
    both = [game.ranks for game in games if member in game.ranks and other in game.ranks]
    counts = Counter(side_of(ranks[member], ranks[other]) for ranks in both)
    return Balance(counts[AHEAD], counts[BEHIND], counts[LEVEL])


def side_of(mine: int, theirs: int) -> int:
    """One game: the lower rank is ahead."""
    return (mine > theirs) - (mine < theirs)


def games_together(club: Club, member: Person, other: Person) -> list[RatedGame]:
    """The games that count in which both have a rank, in the order they ended. One query."""
    games = games_of(counted_placings(club, member.members | other.members))
    return [game for game in games if member.member.pk in game.ranks and other.member.pk in game.ranks]


def games_with_others(club: Club, person: Person) -> list[RankedGame]:
    """Their games that count, with the ranks of everybody in them. One query."""
    mine = counted_placings(club, person.members).order_by()
    play_offs = mine.filter(table__stage__play_off__called_off_at__isnull=True, table__stage__isnull=False)
    there = Table.objects.counting().filter(stage__play_off__in=play_offs.values("table__stage__play_off"))
    tables = mine.values_list("table").union(there.order_by().values_list("pk"))
    games = ranked_games_of(Placing.objects.filter(table__in=tables))
    return [game for game in games if person.member.pk in game.ranks]


@dataclass(frozen=True)
class Nemesis:
    """Who finished ahead of a member most, by share of the games together: more often than not, in enough games."""

    member: Member
    balance: Balance


@dataclass(frozen=True)
class GoodCompany:
    """At whose tables a member does best: the share of the others there they finish ahead of, in hundredths of a
    percent, in so many games, and the same of all other games.
    """

    member: Member
    games: int
    share: int
    elsewhere: int

    @property
    def share_text(self) -> str:
        return percent_text(self.share, WHOLE)

    @property
    def elsewhere_text(self) -> str:
        return percent_text(self.elsewhere, WHOLE)


@dataclass(frozen=True)
class Opponents:
    """Everybody a member has played with, by the games. `members`: the records that count, by id; not erased ones."""

    person: Person
    games: Sequence[RankedGame] = field(repr=False)
    members: dict[int, Member] = field(repr=False)

    @cached_property
    def balances(self) -> dict[int, Balance]:
        """By the opponent (id)."""
        me = self.person.member.pk
        counts = Counter(
            (other, side_of(game.ranks[me], rank)) for game in self.games for other, rank in game.ranks.items()
        )
        return {
            other: Balance(counts[other, AHEAD], counts[other, BEHIND], counts[other, LEVEL])
            for other in {other for other, _ in counts} & self.members.keys()
        }

    @property
    def by_name(self) -> list[Member]:
        return sorted(
            (self.members[pk] for pk in self.balances), key=lambda member: (member.shown.casefold(), member.pk)
        )

    @cached_property
    def nemesis(self) -> Nemesis | None:
        enough = [(pk, balance) for pk, balance in self.balances.items() if balance.games >= LEAST_TOGETHER]
        ahead = [(pk, balance) for pk, balance in enough if balance.behind > balance.ahead]
        if not ahead:
            return None
        pk, balance = max(ahead, key=lambda pair: (pair[1].behind / pair[1].games, pair[1].games, -pair[0]))
        return Nemesis(self.members[pk], balance)

    @cached_property
    def good_company(self) -> GoodCompany | None:
        """Who was not at the table is no company: of a play-off only the last table counts."""
        shares = shares_by_company(self.games, self.person.member.pk)
        total, games = sum(shares.all), len(shares.all)
        candidates = []
        for pk, with_them in shares.without.items():
            others = games - len(with_them)
            if pk not in self.members or min(len(with_them), others) < LEAST_TOGETHER:
                continue
            elsewhere = round((total - sum(shares.beside[pk])) / others)
            share = round(sum(with_them) / len(with_them))
            candidates.append(GoodCompany(self.members[pk], len(with_them), share, elsewhere))
        best = max(candidates, key=lambda company: (company.share, company.games, -company.member.pk), default=None)
        if best is None or percent(best.share, WHOLE) - percent(best.elsewhere, WHOLE) < LEAST_GAIN:
            return None
        return best


@dataclass
class CompanyShares:
    """The shares of the others that somebody finished ahead of: of `all` games, of those `beside` each other person
    (id), and of the same games `without` that person, who may be easy to beat.
    """

    all: list[float] = field(default_factory=list)
    beside: defaultdict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    without: defaultdict[int, list[float]] = field(default_factory=lambda: defaultdict(list))


def shares_by_company(games: Iterable[RankedGame], me: int) -> CompanyShares:
    """The shares of somebody (id) in the games with two others at the table, or more."""
    shares = CompanyShares()
    for game in games:
        table = game.tables[me]
        beaten = {
            other: WORTH[side_of(game.ranks[me], rank)]
            for other, rank in game.ranks.items()
            if other != me and game.tables[other] == table
        }
        if len(beaten) < 2:
            continue
        total = sum(beaten.values())
        shares.all.append(total / len(beaten))
        for other, worth in beaten.items():
            shares.beside[other].append(total / len(beaten))
            shares.without[other].append((total - worth) / (len(beaten) - 1))
    return shares


def opponents_of(club: Club, person: Person) -> Opponents:
    """Everybody they have played with. Two queries."""
    games = games_with_others(club, person)
    pks = {pk for game in games for pk in game.ranks} - {person.member.pk}
    members = Member.objects.filter(pk__in=pks, erased_at__isnull=True) if pks else ()
    return Opponents(person, games, {member.pk: member for member in members})
