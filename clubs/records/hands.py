"""The hands behind a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import F, Q, QuerySet
from django.urls import reverse

from clubs.models import Club, Member, Placing, Table
from rules import all_games
from rules.core.game import Game
from rules.core.numbers import signed
from scoresheets.models import HandFact, HandMark

MADE, HIGH, LOW = "made", "high", "low"
#: How a bid came out: in words, and as a question to the database.
CAME = {
    MADE: ("made", Q(bid=F("tricks"))),
    HIGH: ("bid too high", Q(bid__gt=F("tricks"))),
    LOW: ("bid too low", Q(bid__lt=F("tricks"))),
}
#: Larger than any hand has cards.
LARGEST = 60


@dataclass(frozen=True)
class Person:
    """Somebody of a club with all their records: those merged into one, and the players they are known as."""

    member: Member
    members: frozenset[int]
    players: frozenset[int]

    @classmethod
    def of(cls, member: Member) -> Person:
        """The person whose record that counts is `member`. One query."""
        rows = list(
            Member.objects.filter(Q(pk=member.pk) | Q(same_as=member.pk), club=member.club_id).values_list(
                "pk", "player", "aliases__player"
            )
        )
        players = {player for row in rows for player in row[1:] if player is not None}
        return cls(member, frozenset(row[0] for row in rows), frozenset(players))


def counted_sheets(club: Club, game: str, members: frozenset[int]) -> QuerySet[Any, Any]:
    """The sheets (ids) of all games that count, of that game, at which one of these members was placed.

    A play-off has one game's placing for several sheets: all of them are with these, whoever sat there.
    """
    placings = counted_placings(club, members).filter(table__game=game, table__sheet__isnull=False)
    play_offs = Table.objects.counting().filter(night__club=club, game=game, stage__isnull=False, sheet__isnull=False)
    return placings.order_by().values_list("table__sheet").union(play_offs.order_by().values_list("sheet"), all=True)


def counted_placings(club: Club, members: frozenset[int]) -> QuerySet[Placing]:
    """The placings of these members in games that count."""
    return Placing.objects.filter(
        member__in=members,
        table__night__club=club,
        table__night__for_fun=False,
        table__night__archived_at__isnull=True,
        table__withdrawn_at__isnull=True,
        table__ended_at__isnull=False,
    )


@dataclass(frozen=True)
class WantedHands:
    """Which hands of somebody in one game are asked for: what they must have been, or which mark they must have."""

    game: Game
    person: Person
    cards: int | None = None
    bid: int | None = None
    came: str = ""
    mark: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str], person: Person) -> WantedHands | None:
        """What the address asks for; None where there is no such game, mark or number."""
        game = next((game for game in all_games() if game.slug == query.get("game")), None)
        cards, bid = number_in(query, "cards"), number_in(query, "bid")
        came, mark = query.get("came", ""), query.get("mark", "")
        known = (not came or came in CAME) and -1 not in (cards, bid)
        if game is None or not known or (mark and (mark not in marks(game) or came or cards or bid)):
            return None
        return cls(game, person, cards, bid, came, mark)

    @property
    def says(self) -> list[str]:
        """What the hands have in common, in a few words each."""
        phrases = []
        if self.cards is not None:
            phrases.append(f"{self.cards} {'card' if self.cards == 1 else 'cards'}")
        if self.bid is not None:
            phrases.append(f"bid {self.bid}")
        if self.came:
            phrases.append(CAME[self.came][0])
        if self.mark:
            phrases.append(marks(self.game)[self.mark])
        return phrases

    def hands(self, club: Club) -> QuerySet[HandFact] | QuerySet[HandMark]:
        """The hands, those of the latest sheets first: their facts, or where a mark is asked for, these."""
        of_whom = {
            "player__in": self.person.players,
            "sheet__in": counted_sheets(club, self.game.slug, self.person.members),
        }
        if self.mark:
            return HandMark.objects.filter(**of_whom, mark=self.mark).order_by("-sheet", "-hand", "seat")
        facts = HandFact.objects.filter(**of_whom)
        if self.cards is not None:
            facts = facts.filter(cards=self.cards)
        if self.bid is not None:
            facts = facts.filter(bid=self.bid)
        if self.came:
            facts = facts.filter(CAME[self.came][1])
        return facts.order_by("-sheet", "-hand", "seat")


def number_in(query: Mapping[str, str], name: str) -> int | None:
    """The small number under that name; None where nothing is asked, −1 where it is none."""
    text = query.get(name, "")
    if not text:
        return None
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 and int(text) <= LARGEST else -1


def marks(game: Game) -> dict[str, str]:
    """The marks that figures of the game count, with what the hands that have them are called."""
    named: dict[str, str] = {}
    for figure in game.figures:
        named.setdefault(figure.mark, figure.name)
    return named | {figure.of: figure.of_name for figure in game.figures if figure.of_name}


def hands_url(club: Club, game: str, **query: object) -> str:
    """The page of those hands."""
    given = {name: value for name, value in query.items() if value not in (None, "")}
    return f"{reverse('hands', args=[club.slug])}?{urlencode({'game': game, **given})}"


def hand_url(watch: str, hand: int) -> str:
    """Where a hand stands on its sheet, for those who watch: opened."""
    there = reverse("watch", args=[watch])
    return f"{there}?open={hand}#hand-{hand}" if hand else there


@dataclass(frozen=True)
class HandLine:
    """A hand in the list: what it was, on which night, and where it stands on its sheet."""

    fact: HandFact
    table: Table
    url: str

    @property
    def points(self) -> str:
        return signed(self.fact.points)


def lines_of_hands(club: Club, hands: Iterable[Any]) -> list[HandLine]:
    """Those hands with their facts and nights. Two queries."""
    wanted = [(hand.sheet_id, hand.hand, hand.seat_id) for hand in hands]
    sheets = {sheet for sheet, _, _ in wanted}
    tables = Table.objects.filter(sheet__in=sheets, night__club=club).select_related("night", "sheet")
    table_of = {table.sheet_id: table for table in tables}
    seats = {seat for _, _, seat in wanted}
    facts = {
        (fact.sheet_id, fact.hand, fact.seat_id): fact
        for fact in HandFact.objects.filter(sheet__in=sheets, seat__in=seats, hand__in={hand for _, hand, _ in wanted})
    }
    lines = []
    for key in wanted:
        table, fact = table_of[key[0]], facts[key]
        lines.append(HandLine(fact, table, hand_url(table.sheet.watch if table.sheet else "", fact.hand)))
    return lines
