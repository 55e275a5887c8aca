"""Personal bests and worsts in a game, stored so that a record is found at once after any number of games."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from django.db.models import Max, Min, Q, QuerySet
from django.db.models.functions import Coalesce

from clubs.models import Member, PersonalBest, Placing, Table
from clubs.models.member import of_person
from rules import find_game
from rules.core.numbers import bare
from scoresheets.models import HandFact, HandMark

SCORE, BEST_HAND, WORST_HAND = "score", "best-hand", "worst-hand"
COMEBACK, CLEAN_RUN = "comeback", "clean-run"


@dataclass(frozen=True)
class RecordKind:
    """A kind of record: which bests it is made of, which end of them counts, and what a value counts."""

    key: str
    what: str
    name: str
    how: str
    unit: str = ""
    meaning: str = ""

    @property
    def order(self) -> str:
        return "-value" if self.how == "most" else "value"

    def unit_of(self, value: int) -> str:
        """What so many are counted in: "points", and of one "point"; "points behind", "point behind"."""
        what, space, of = self.unit.partition(" ")
        return f"{what.removesuffix('s')}{space}{of}" if abs(value) == 1 else self.unit


#: In every game.
HANDS = (
    RecordKind("best-hand", BEST_HAND, "Best hand", "most", "points"),
    RecordKind("worst-hand", WORST_HAND, "Worst hand", "least", "points"),
    RecordKind(
        "comeback", COMEBACK, "Best comeback", "most", "points behind",
        "The furthest behind the box in a game that was won in the end.",
    ),
)  # fmt: skip
#: Where a game is won by points, and not by rubbers.
SCORES = (
    RecordKind("highest", SCORE, "Highest score", "most", "points"),
    RecordKind("lowest", SCORE, "Lowest score", "least", "points"),
)
#: Where there is bidding.
BIDDING = (RecordKind("clean-run", CLEAN_RUN, "Longest clean run", "most", "hands", "Every bid of a whole game made."),)


@cache
def kinds_of(slug: str) -> tuple[RecordKind, ...]:
    """What can be a record in that game, the whole game first. Scores that cannot be compared make none."""
    game = find_game(slug)
    own = [
        RecordKind(figure.key, figure.key, figure.record, figure.how, figure.unit, figure.meaning)
        for figure in game.figures
        if figure.record
    ]
    bidding = BIDDING if game.has_bids else ()
    points = (*(SCORES if is_by_points(slug) else ()), *HANDS) if game.has_comparable_scores else ()
    return (*points, *bidding, *own)


@cache
def is_by_points(slug: str) -> bool:
    """Whether that game is won by points that can be compared, and not by rubbers or games."""
    game = find_game(slug)
    if not game.has_comparable_scores:
        return False
    return not game.has_legs(game.open_table(range(1, game.made_for[0] + 1), 1, {}))


@dataclass(frozen=True)
class PlayedHands:
    """What a sheet has told of its hands: members (ids) by their players, facts and marks in the order of the hands."""

    member_ids: Mapping[int, int]
    facts: Sequence[HandFact]
    marks: Sequence[HandMark]


def keep_bests(table: Table, placings: Iterable[Placing], members: Mapping[int, Member]) -> None:
    """Make the personal bests of the table again, from its placings and from what its sheet has told of its hands.

    `members`: as whom the club knows the players (ids) of its sheet.
    """
    PersonalBest.objects.filter(table=table).delete()
    placings = list(placings)
    if placings:
        placed = {placing.member_id for placing in placings}
        played = None if table.sheet_id is None else played_at(table, members, placed)
        PersonalBest.objects.bulk_create(table_bests(table, placings, played))


def played_at(table: Table, members: Mapping[int, Member], placed: set[int]) -> PlayedHands:
    """What the table's sheet has told of the hands of those members (ids). Two queries."""
    facts = list(HandFact.objects.filter(sheet=table.sheet_id).order_by("hand", "pk"))
    marks = list(HandMark.objects.filter(sheet=table.sheet_id).order_by("hand", "pk"))
    return PlayedHands({player: member.pk for player, member in members.items() if member.pk in placed}, facts, marks)


def table_bests(table: Table, placings: Sequence[Placing], played: PlayedHands | None) -> Iterator[PersonalBest]:
    """The personal bests of all who have a placing, and of what they `played` (None: there is no sheet)."""
    club = table.night.club
    best: dict[tuple[int, str], tuple[int, int]] = {}
    for placing in placings:
        if placing.score is not None:
            best[placing.member_id, SCORE] = (placing.score, 0)
        if 0 < placing.bids == placing.made == placing.hands:
            best[placing.member_id, CLEAN_RUN] = (placing.hands, 0)
    if played is not None:
        # Where the first place is shared nobody is the winner.
        winners = {placing.member_id for placing in placings if placing.winner}
        winners = winners or {placing.member_id for placing in placings if placing.place == 1}
        best |= hand_bests(table, played, winners)
    for (member, what), (value, hand) in best.items():
        yield PersonalBest(club=club, game=table.game, table=table, member_id=member, what=what, value=value, hand=hand)


def hand_bests(table: Table, played: PlayedHands, winners: set[int]) -> dict[tuple[int, str], tuple[int, int]]:
    """Value and hand by member and personal best; of equal hands the first."""
    member_ids = played.member_ids
    best: dict[tuple[int, str], tuple[int, int]] = {}

    def note(player: int, what: str, value: int, hand: int, how: str) -> None:
        if player not in member_ids:
            return
        known = best.get((member_ids[player], what))
        if known is None or (value > known[0] if how == "most" else value < known[0]):
            best[member_ids[player], what] = (value, hand)

    for fact in played.facts:
        note(fact.player_id, BEST_HAND, fact.points, fact.hand, "most")
        note(fact.player_id, WORST_HAND, fact.points, fact.hand, "least")
        if fact.behind and member_ids.get(fact.player_id) in winners:
            note(fact.player_id, COMEBACK, fact.behind, fact.hand, "most")
    figures = [figure for figure in find_game(table.game).figures if figure.how in ("most", "least")]
    for mark in played.marks:
        for figure in figures:
            if figure.mark == mark.mark:
                note(mark.player_id, figure.key, mark.value, mark.hand, figure.how)
    return best


def best_of(
    personal_bests: QuerySet[PersonalBest], kinds: Sequence[RecordKind], most: int
) -> dict[str, list[PersonalBest]]:
    """The best `most` of each kind, by its key, the first of equals first. One query."""
    if not kinds:
        return {}
    wanted = Q(pk__in=[])
    for kind in kinds:
        wanted |= Q(pk__in=personal_bests.filter(what=kind.what).order_by(kind.order, "table_id").values("pk")[:most])
    rows = list(PersonalBest.objects.filter(wanted).select_related("table__night", "table__sheet", "member__same_as"))
    return {kind.key: list(itertools.islice(sorted_bests(rows, kind), most)) for kind in kinds}


def sorted_bests(personal_bests: Sequence[PersonalBest], kind: RecordKind) -> Iterator[PersonalBest]:
    """Those of the kind, the best first."""
    mine = [best for best in personal_bests if best.what == kind.what]
    sign = -1 if kind.how == "most" else 1
    yield from sorted(mine, key=lambda best: (sign * best.value, best.table_id, best.pk))


# Personal bests that are told on the sheet

#: After fewer games of a kind nearly everything is the best so far, and nothing is told.
LEAST_GAMES = 5
#: Which bests are told: none that somebody would rather not hear. The game says which end of its scores is good.
TOLD = ("highest", "lowest", "best-hand", "comeback", "clean-run")


@dataclass(frozen=True)
class NewBest:
    """A personal best that a game brought: whose (the id of the record that counts), and what was the best before it,
    None where there was none of the kind.
    """

    person: int
    kind: RecordKind
    value: int
    before: int | None

    @property
    def sentence(self) -> str:
        """It in words, with `{names}` where the name belongs."""
        value = f"{bare(self.value)} {self.kind.unit_of(self.value)}"
        before = "the first" if self.before is None else f"{bare(self.before)} before"
        return f"Personal best for {{names}}: {self.kind.name.lower()}, {value} ({before})."


@cache
def kinds_told(slug: str) -> tuple[RecordKind, ...]:
    """The kinds of that game whose personal bests are told."""
    game = find_game(slug)
    lowest_wins = game.lowest_wins(game.open_table(range(1, game.made_for[0] + 1), 1, {}))
    bad = ("highest", "best-hand", "comeback") if lowest_wins else ("lowest",)
    return tuple(kind for kind in kinds_of(slug) if kind.key in TOLD and kind.key not in bad)


def games_before(table: Table) -> Q:
    """Of rows with a `table`: those of games that ended before this one."""
    on, ended_at = table.night.on, table.ended_at
    return Q(table__night__on__lt=on) | Q(table__night__on=on, table__ended_at__lt=ended_at)


def new_bests(table: Table, played: Mapping[int, int]) -> list[NewBest]:
    """The personal bests of a game that counts, in the order of the kinds.

    `played`: how many games of the kind everybody at the table (the id of the record that counts) had played before.
    What follows later games is not asked: a best was one when the game ended. Two queries, or none.
    """
    kinds, people = kinds_told(table.game), [pk for pk, games in played.items() if games >= LEAST_GAMES]
    if not kinds or not people:
        return []
    whats = {kind.what for kind in kinds}
    bests = PersonalBest.objects.counting().filter(of_person(people), game=table.game, what__in=whats)
    by_person = bests.annotate(person=Coalesce("member__same_as", "member")).order_by()
    now = by_person.filter(table=table).values_list("person", "what", "value")
    rows = by_person.filter(games_before(table)).values_list("person", "what")
    before = {(person, what): ends for person, what, *ends in rows.annotate(Min("value"), Max("value"))}
    values = {(person, what): value for person, what, value in now}
    return [
        NewBest(person, kind, value, best)
        for kind in kinds
        for person in people
        if (value := values.get((person, kind.what))) is not None
        and is_better(kind, value, best := best_end(kind, before.get((person, kind.what))))
    ]


def best_end(kind: RecordKind, ends: Sequence[int] | None) -> int | None:
    """Of the smallest and the greatest value the one that counts."""
    return None if ends is None else ends[1 if kind.how == "most" else 0]


def is_better(kind: RecordKind, value: int, best: int | None) -> bool:
    """Whether the value beats the best before it, which a first of its kind does."""
    return best is None or (value > best if kind.how == "most" else value < best)
