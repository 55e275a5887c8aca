"""Honours: call-outs about members, each with the hand as evidence."""

from __future__ import annotations

import datetime
import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Coalesce

from clubs.members.identity import members_of_players
from clubs.models import Award, Club, Honour, Member, PersonalBest, Placing, Table, Trophy
from clubs.models.member import of_person
from clubs.models.night import Night
from clubs.records.bests import new_bests
from clubs.trophies.register import trophy_games
from rules import all_games, find_game
from rules.core.game import Game
from rules.core.numbers import spelled
from scoresheets.log.occupants import Chair
from scoresheets.log.state import SheetReading
from scoresheets.models import FinalPlacing, Sheet
from scoresheets.results.callouts import meaning_of, term_of

BACK_TO_BACK = "back-to-back"
#: So many a card on the board shows.
TOP = 3
#: The wins of so many days are read at once where a run of them is looked for.
A_FEW = 12
#: The game as a whole.
GAME = 0


@dataclass(frozen=True)
class PlayerCallout:
    """Something the table called: of whom (a player's id), in which hand (0: of the game), and how much it was."""

    player: int
    hand: int
    tag: str
    value: int | None = None


def keep_honours(table: Table, reading: SheetReading, members: Mapping[int, Member]) -> None:
    """Make the honours of the table again from its sheet: none, while it is running.

    `members`: as whom the club knows its players (ids).
    """
    Honour.objects.filter(table=table).exclude(tag=BACK_TO_BACK).delete()
    if not reading.finished or table.withdrawn_at is not None:
        return
    Honour.objects.bulk_create(honours_of(table, called_at(reading), members))


def honours_of(table: Table, called: Iterable[PlayerCallout], members: Mapping[int, Member]) -> Iterable[Honour]:
    """What was called at the table, as honours of its members, by their players."""
    # Two seats can be one member's, who left and came back.
    honours = {
        (member.pk, callout.hand, callout.tag): Honour(
            table=table, member=member, hand=callout.hand, game=table.game, tag=callout.tag, value=callout.value
        )
        for callout in called
        if (member := members.get(callout.player))
    }
    return honours.values()


def called_at(reading: SheetReading) -> Iterator[PlayerCallout]:
    """Every call-out about somebody. What lasts for several hands is called where it begins."""
    before: set[tuple[str, int, int]] = set()
    for row in reading.sheet.rows:
        chairs, lasting = reading.sitting.at(row.hand.number), set()
        for call in reading.game.hand_callouts(row):
            for seat in call.seats:
                whose = (call.call, seat, row.table.occupant(seat) if call.personal else 0)
                if call.lasting:
                    lasting.add(whose)
                if whose not in before:
                    yield callout_of(chairs, seat, row.hand.number, call.call, call.counts)
        before = lasting
    for call in reading.sheet.callouts:
        for seat in call.seats:
            yield callout_of(reading.sitting.now, seat, GAME, call.call, call.counts)


def callout_of(chairs: Mapping[int, Chair], seat: int, hand: int, tag: str, counts: Mapping[int, int]) -> PlayerCallout:
    return PlayerCallout(chairs[seat].player, hand, tag, counts.get(seat))


# Winning again


def keep_back_to_back(club: Club, wins: Mapping[str, Collection[datetime.date]] | None = None) -> None:
    """Who won a game right after winning the one before it, and the how many-th it was running: made again, and called
    on the sheets.

    The games are those a champion defends, in the order in which they ended. On a night whose trophies follow one
    table there was that game alone, and on one with a play-off the play-off: its winner has won at its final.
    `wins`: the only days, by game, on which the winners may be others now; None: any.
    """
    standing = Honour.objects.filter(tag=BACK_TO_BACK, table__night__club=club)
    if wins is None:
        replace_back_to_back(running_wins(winners_of(club)), standing)
        return
    for game in wins.keys() & trophy_games():
        first, last = min(wins[game]), max(wins[game])
        near = winners_near(club, game, first, last)
        there = Q(table__in=[win.table for win in near]) | Q(table__night__on__range=(first, last))
        replace_back_to_back(running_wins(near), standing.filter(there, game=game))


def replace_back_to_back(wanted: Iterable[tuple[Win, int]], standing: QuerySet[Honour]) -> None:
    """Let these be the honours, each a win and the how many-th it was running, in the place of those that stand."""
    wins = {(win.table, win.member): (win.game, value) for win, value in wanted}
    known = {(honour.table_id, honour.member_id): honour for honour in standing}
    gone = [honour for key, honour in known.items() if wins.get(key, ("", 0))[1] != honour.value]
    new = [
        Honour(table_id=table, member_id=member, hand=GAME, game=game, tag=BACK_TO_BACK, value=value)
        for (table, member), (game, value) in wins.items()
        if (table, member) not in known or known[table, member] in gone
    ]
    if gone:
        Honour.objects.filter(pk__in=[honour.pk for honour in gone]).delete()
        replace_called(dict.fromkeys(sheets_of(honour.table_id for honour in gone), ()), "call")
    Honour.objects.bulk_create(new)
    call_on_sheets(new)


def call_on_sheets(honours: Collection[Honour]) -> None:
    """Let the sheets of these games call it, where there are sheets: not of games of the past, however many."""
    if not honours:
        return
    of = {honour.table_id: honour.value for honour in honours}
    winners = FinalPlacing.objects.filter(sheet__table__in=of, winner=True).order_by("-pk")
    sheets = {
        table: (sheet, seat) for table, *(sheet, seat) in winners.values_list("sheet__table", "sheet", "seat__number")
    }
    called: dict[int, list[Called]] = {}
    for table, (sheet, seat) in sheets.items():
        words = "won the game before, too" if of[table] == 2 else f"has won {of[table]} games running"
        called[sheet] = [{"call": BACK_TO_BACK, "seats": [seat], "said": f"Back-to-Back: {{names}} {words}."}]
    replace_called(called, "call")


#: What a club tells on a sheet: a call-out ("call", "said") or a "sentence", and of which "seats".
Called = dict[str, Any]


def sheets_of(tables: Iterable[int]) -> list[int]:
    """The sheets (ids) of these tables. One query."""
    return list(Sheet.objects.filter(table__in=list(tables)).values_list("pk", flat=True))


def replace_called(called: Mapping[int, Sequence[Called]], kind: str) -> None:
    """Let this be all of a kind ("call" or "sentence") that the club tells on these sheets (ids). One query, and one
    more for each sheet on which something changes.
    """
    for pk, known in Sheet.objects.filter(pk__in=called).values_list("pk", "also_called"):
        wanted = [*(each for each in known if kind not in each), *called[pk]]
        if wanted != known:
            Sheet.objects.filter(pk=pk).update(also_called=wanted)


# Streaks and personal bests

#: So many wins in a row are a streak of somebody's own games.
LEAST_STREAK = 3
#: So many sentences are told.
MOST_TOLD = 3


class PastGame(NamedTuple):
    """A game of somebody (`person`: the id of the record that counts) that counts, and whether they won it."""

    person: int
    game: str
    table: int
    on: datetime.date
    ended_at: datetime.datetime | None
    winner: bool

    def is_before(self, table: Table) -> bool:
        """Whether it ended before the game of the table."""
        if self.on != table.night.on:
            return self.on < table.night.on
        return None not in (self.ended_at, table.ended_at) and self.ended_at < table.ended_at  # type: ignore[operator]


def tell_sheets(tables: Iterable[Table]) -> None:
    """Let the sheets of these games of one club tell streaks of wins and personal bests, and of games that do not count
    nothing.

    What was true when a game ended: a later correction of an earlier game does not change it. Two queries for all
    tables; a few more for each at which something is told.
    """
    sheets = {table.sheet_id: table for table in tables if table.sheet_id}
    counting = [table for table in sheets.values() if is_told(table)]
    people = people_at(counting)
    past = games_of_people({person for there in people.values() for person in there}, counting)
    called: dict[int, list[Called]] = {
        sheet: called_of(table, people[table.pk], past) if table.pk in people else [] for sheet, table in sheets.items()
    }
    replace_called(called, "sentence")


def is_told(table: Table) -> bool:
    return not (table.ended_at is None or table.withdrawn_at or table.night.archived_at or table.night.for_fun)


def people_at(tables: Iterable[Table]) -> dict[int, set[int]]:
    """Who played at each table (id), as the ids of the records that count. One query."""
    people: dict[int, set[int]] = {table.pk: set() for table in tables}
    columns = ("table", "member", "member__same_as")
    bests = PersonalBest.objects.filter(table__in=people).order_by().values_list(*columns)
    ended = Placing.objects.filter(table__in=people).order_by().values_list(*columns)
    for table, member, same_as in bests.union(ended):
        people[table].add(same_as or member)
    return people


def games_of_people(people: Collection[int], tables: Sequence[Table]) -> dict[tuple[int, str], list[PastGame]]:
    """Their games that count, by person and game, the latest first: of the games played at these tables. One query."""
    if not people:
        return {}
    club, games = tables[0].night.club_id, {table.game for table in tables}
    rows = (
        Placing.objects.filter(of_person(people))
        .filter(table__in=Table.objects.counting().filter(night__club=club, game__in=games))
        .annotate(person=Coalesce("member__same_as", "member"))
        .order_by("-table__night__on", "-table__ended_at", "-table")
    )
    past: dict[tuple[int, str], list[PastGame]] = {}
    columns = ("person", "table__game", "table", "table__night__on", "table__ended_at", "winner")
    for row in itertools.starmap(PastGame, rows.values_list(*columns)):
        past.setdefault((row.person, row.game), []).append(row)
    return past


def called_of(table: Table, people: Iterable[int], past: Mapping[tuple[int, str], Sequence[PastGame]]) -> list[Called]:
    """The sentences of one table, with the seats they are about."""
    games = {
        person: [game for game in past.get((person, table.game), ()) if game.table == table.pk or game.is_before(table)]
        for person in sorted(people)
    }
    sentences = sentences_of(table, games)[:MOST_TOLD]
    seats = seats_of_people(table) if sentences else {}
    return [{"sentence": sentence, "seats": [seats[person]]} for person, sentence in sentences if person in seats]


def sentences_of(table: Table, games: Mapping[int, Sequence[PastGame]]) -> list[tuple[int, str]]:
    """What is told of a game that counts: of whom (the id of the record that counts), with `{names}` for the name.

    `games`: of everybody there, this one and those before it, the latest first.
    """
    own = [game for theirs in games.values() for game in theirs if game.table == table.pk]
    if not own:
        # A table of a play-off that is open, or was drawn again.
        return []
    played = {person: sum(game.table != table.pk for game in theirs) for person, theirs in games.items()}
    wins = {game.person: [each.winner for each in games[game.person]] for game in own if game.winner}
    return [*streaks_told(table, wins), *((best.person, best.sentence) for best in new_bests(table, played))]


def streaks_told(table: Table, wins: Mapping[int, Sequence[bool]]) -> Iterator[tuple[int, str]]:
    """Who has won their last games of the kind, this one among them (`wins`: of the winners, the latest first).

    Not where it is called already that they won the game of the club before.
    """
    name = find_game(table.game).name
    for person, won in wins.items():
        streak = len(list(itertools.takewhile(bool, won)))
        if streak >= LEAST_STREAK:
            called = Honour.objects.filter(of_person(person), table=table, tag=BACK_TO_BACK, value__gte=streak)
            if not called.exists():
                yield person, f"{{names}} has won {spelled(streak)} games of {name} in a row."


def seats_of_people(table: Table) -> dict[int, int]:
    """The seats at which members of the club ended (by the id of the record that counts). Two queries or three."""
    ended = dict(FinalPlacing.objects.filter(sheet=table.sheet_id).values_list("player", "seat__number"))
    members = members_of_players(table.night.club, ended)
    return {member.identity: ended[player] for player, member in members.items()}


class Win(NamedTuple):
    """Who won a game: `person` is the id of the record that counts, `member` that by which they played."""

    game: str
    on: datetime.date
    table: int
    member: int
    person: int


def running_wins(wins: Iterable[Win]) -> Iterator[tuple[Win, int]]:
    """The how many-th win running each of them is, from the second on."""
    last: tuple[str, int] | None = None
    running = 0
    for win in wins:
        running = running + 1 if (win.game, win.person) == last else 1
        last = (win.game, win.person)
        if running > 1:
            yield win, running


def winners_near(club: Club, game: str, first: datetime.date, last: datetime.date) -> list[Win]:
    """The wins of a game from `first` to `last`, with those before and after that a run of wins may join to them.

    As many queries after any number of games: a run is seldom longer than some nights.
    """
    days = club.nights.order_by().values_list("on", flat=True).distinct()
    before = run_of(club, game, days.filter(on__lt=first).order_by("-on"))
    after = run_of(club, game, days.filter(on__gt=last).order_by("on"))
    return [*reversed(before), *winners_of(club, game, between=(first, last)), *after]


def run_of(club: Club, game: str, days: QuerySet[Night, datetime.date]) -> list[Win]:
    """The first wins on these days that one person has one after the other; of days backwards, backwards."""
    run: list[Win] = []
    for begin in itertools.count(0, A_FEW):
        some = list(days[begin : begin + A_FEW])
        if not some:
            return run
        wins = list(winners_of(club, game, between=(min(some), max(some))))
        for win in wins if some[0] == min(some) else reversed(wins):
            if run and win.person != run[0].person:
                return run
            run.append(win)
    return run


def winners_of(
    club: Club, game: str = "", *, between: tuple[datetime.date, datetime.date] | None = None
) -> Iterator[Win]:
    """The winners of a game, or of all that a champion defends, in the order in which the games ended."""
    games = Table.objects.counting().filter(night__club=club, game__in=[game] if game else trophy_games())
    if between is not None:
        games = games.filter(night__on__range=between)
    won = (
        Placing.objects.filter(table__in=games, winner=True)
        .order_by("table__game", "table__night__on", "table__ended_at", "table")
        .values_list(
            "table__game", "table__night__on", "table", "member", "member__same_as", "table__night__trophies",
            "table__night__trophies_table", "table__stage",
        )
    )  # fmt: skip
    finals: set[int | None] | None = None
    for slug, on, table, member, same_as, follows, chosen, stage in won:
        if follows == Night.Follows.TABLE and chosen not in (None, table):
            continue
        if follows == Night.Follows.PLAY_OFF and not stage:
            finals = finals_of(club) if finals is None else finals
            if table not in finals:
                continue
        yield Win(slug, on, table, member, same_as or member)


def finals_of(club: Club) -> set[int | None]:
    """The tables that an organiser has said decided a play-off that was not kept here."""
    awards = Award.objects.standing().filter(
        trophy__club=club, trophy__goes=Trophy.Goes.WINNER, source=Award.Source.PLAY_OFF
    )
    return set(awards.values_list("table", flat=True))


# The board


@dataclass
class HonoursRow:
    """Somebody on the board: how often a term was said of them, and how much it was at most."""

    term: Term = field(repr=False)
    member: Member
    times: int = 0
    value: int | None = None

    @property
    def most(self) -> str:
        """How much it was at most, in words."""
        return self.term.counted(self.value)


@dataclass
class Term:
    """A term of the club's words, with those it was said of, most often first."""

    tag: str
    game: Game
    rows: list[HonoursRow] = field(default_factory=list)

    @property
    def key(self) -> str:
        """What names it within a page and in its address."""
        return f"{self.game.slug}-{self.tag}"

    @property
    def name(self) -> str:
        return term_of(self.game, self.tag)

    @property
    def meaning(self) -> str:
        return meaning_of(self.game, self.tag)

    @property
    def first_rows(self) -> list[HonoursRow]:
        """Those a card has room for: three, and who is level with the third."""
        return [row for row in self.rows if row.times >= self.rows[:TOP][-1].times][: 2 * TOP]

    @property
    def more(self) -> int:
        """How many others there are."""
        return len(self.rows) - len(self.first_rows)

    def counted(self, value: int | None) -> str:
        """How much it was, in words: "2 tricks", "3 running"; "" where the term has no number."""
        if not value:
            return ""
        if self.tag == BACK_TO_BACK:
            return f"{value} running"
        unit = next((word.counts for word in self.game.words if word.call == self.tag), "")
        return f"{value} {unit}" if value == 1 else f"{value} {unit}s"

    @property
    def times(self) -> int:
        return sum(row.times for row in self.rows)


def board(club: Club) -> list[Term]:
    """Every term that was ever said of somebody at a game that counts, the rarest first. Three queries."""
    records = Member.objects.filter(club=club).select_related("same_as")
    # By ids: a row of the database takes several times as long to be looked up.
    people = {member.pk: member.main_record for member in records}
    keys = {pk: member.pk for pk, member in people.items()}
    # Of the few tables that do not count, because of the many that do.
    idle = Table.objects.filter(night__club=club).exclude(pk__in=Table.objects.counting().filter(night__club=club))
    counted = (
        Honour.objects.filter(member__in=list(people))
        .exclude(table__in=list(idle.values_list("pk", flat=True)))
        .values_list("game", "tag", "member")
        .annotate(times=Count("pk"), most=Max("value"))
        .order_by()
    )
    games = {game.slug: game for game in all_games()}
    terms: dict[tuple[str, str], Term] = {}
    counts: Counter[tuple[str, str, int]] = Counter()
    most: dict[tuple[str, str, int], int | None] = {}
    for game, tag, pk, times, value in counted:
        key = (game, tag, keys[pk])
        counts[key] += times
        most[key] = max((amount for amount in (most.get(key), value) if amount is not None), default=None)
    for key, times in counts.items():
        game, tag, pk = key
        if game in games:
            term = terms.setdefault((game, tag), Term(tag, games[game]))
            term.rows.append(HonoursRow(term, people[pk], times, most[key]))
    names = {pk: people[pk].shown.casefold() for pk in set(keys.values())}
    for term in terms.values():
        term.rows.sort(key=lambda row: (-row.times, names[row.member.pk]))
    return sorted(terms.values(), key=lambda term: (term.times, term.name))


def term_called(game: str, tag: str) -> Term | None:
    """A term of a game, by the slugs of both; None where there is no such game."""
    return next((Term(tag, candidate) for candidate in all_games() if candidate.slug == game), None)


def evidence(club: Club, game: str, tag: str, member: Member | None = None) -> QuerySet[Honour]:
    """Every time a term was said, of everybody or of one member, the latest first."""
    counting = Table.objects.counting().filter(night__club=club, game=game)
    honours = Honour.objects.filter(table__in=counting, tag=tag).annotate(on=F("table__night__on"))
    if member is not None:
        honours = honours.filter(of_person(member.main_record))
    honours = honours.select_related("member__same_as", "table__sheet", "table__night")
    return honours.order_by("-on", "-table", "-hand", "pk")
