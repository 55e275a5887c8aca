"""Past results: a line for each player in each game, and the tables made from them."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Max
from django.utils import timezone
from django.utils.dateformat import format as date_format

from clubs.access.outdated import mark_for
from clubs.imports.names import Anybody, People
from clubs.imports.spreadsheet import Spreadsheet, SpreadsheetLine
from clubs.imports.steps import Person, Step
from clubs.models import Club, Member, Night, Placing, Table, Upload
from clubs.models.member import of_person
from clubs.records.table_copies import keep_copies
from clubs.trophies.past_holders import HOW as HOW_OF_HOLDERS
from clubs.trophies.past_holders import read_when
from rules import all_games
from rules.core.game import Game
from rules.core.problems import Problem

#: Of a game the very day is known.
HOW = "Write the day as 2026-03-05 or 5 March 2026."
HEADS = ("day", "game", "table", "name", "place", "score", "won", "lost")
MUST = ("day", "game", "name")
YES = ("yes", "y", "x", "1", "true")
NO = ("", "no", "n", "0", "false")
HIGHEST_PLACE, MOST_POINTS = 200, 1_000_000
LONGEST_LABEL = 40


@dataclass(frozen=True)
class Sat:
    """Somebody at a table: who, their place and score where known, and whether the line says they won or lost."""

    line: int
    person: Anybody
    place: int | None
    score: int | None
    won: bool
    lost: bool

    @property
    def shown(self) -> str:
        """The score, as print has it."""
        return str(self.score).replace("-", "−")


@dataclass
class PastGame:
    """One game of the past, with everybody who sat there."""

    on: datetime.date
    game: Game
    label: str
    people: list[Sat] = field(default_factory=list)

    @property
    def day(self) -> str:
        return date_format(self.on, "j F Y")

    @property
    def title(self) -> str:
        """What it is called in a list."""
        return f"{self.game.name}, {self.day}" + (f", {self.label}" if self.label else "")

    @property
    def places(self) -> dict[str, int | None]:
        """The place of everybody, by who they are: as typed, or by the scores. Equal stays equal."""
        if any(person.place for person in self.people):
            return {person.person.key: person.place for person in self.people}
        scores = [person.score for person in self.people if person.score is not None]
        return {
            person.person.key: None if person.score is None else 1 + sum(score > person.score for score in scores)
            for person in self.people
        }

    @property
    def standing(self) -> list[tuple[Sat, int | None]]:
        """Everybody with their place, the first first."""
        places = self.places
        return sorted(
            ((person, places[person.person.key]) for person in self.people),
            key=lambda pair: (pair[1] or 999, pair[0].line),
        )

    def alone_at(self, place: int | None) -> str:
        """Who has that place and shares it with nobody; "" where nobody has."""
        there = [key for key, other in self.places.items() if other == place and place]
        return there[0] if len(there) == 1 else ""

    @property
    def winner(self) -> str:
        """Who won: as the lines say, else who is first alone."""
        marked = [person.person.key for person in self.people if person.won]
        return marked[0] if marked else self.alone_at(1)

    @property
    def loser(self) -> str:
        """Who lost, where that is something in the game: as the lines say, else who is last alone."""
        marked = [person.person.key for person in self.people if person.lost]
        last = max((place for place in self.places.values() if place), default=None)
        is_lost = self.game.play_off.losers_table and last != 1
        return marked[0] if marked else self.alone_at(last) if is_lost else ""


@dataclass
class Results:
    """What the lines of a sheet say, and everything that is wrong with them, in sentences."""

    kind = "results"

    games: list[PastGame]
    people: People
    wrong: list[str]

    def clash(self, picks: dict[str, Member]) -> list[str]:
        """Who would sit twice at one table if they were those who were picked."""
        wrong = []
        for game in self.games:
            members = [picks.get(person.person.key) or person.person.member for person in game.people]
            twice = [member for member, times in Counter(members).items() if member and times > 1]
            wrong += [f"{game.title}: {member.name} would sit there twice." for member in twice]
        return wrong

    @property
    def shown(self) -> list[PastGame]:
        """Everything that is written, as a page lists it."""
        return self.games

    @property
    def mark(self) -> str:
        """What a confirm says it has seen."""
        return mark_for([
            (game.title, [(at.person.key, at.person.pk, at.place, at.score, at.won, at.lost) for at in game.people])
            for game in self.games
        ])  # fmt: skip


def read_results(sheet: Spreadsheet, club: Club) -> Results:
    """What the sheet says of the club's past."""
    results = Results([], People(club), wrong_heads(sheet.heads, HEADS, MUST))
    if not results.wrong and "place" not in sheet.heads and "score" not in sheet.heads:
        results.wrong.append("There is neither a column “Place” nor a column “Score”.")
    games: dict[tuple[datetime.date, str, str], PastGame] = {}
    for line in sheet.lines if not results.wrong else ():
        read = read_line(line, results.people, club.today())
        if isinstance(read, str):
            results.wrong.append(f"Line {line.number}: {read}")
            continue
        on, game, label, sat = read
        games.setdefault((on, game.slug, label), PastGame(on, game, label)).people.append(sat)
    results.games = sorted(games.values(), key=lambda game: game.on)
    for past in results.games:
        results.wrong += [f"{past.title}: {problem}" for problem in wrong_with(past)]
    if not results.games and not results.wrong:
        results.wrong.append("No line has a game.")
    return results


def wrong_heads(heads: Iterable[str], known: Iterable[str], must: Iterable[str]) -> list[str]:
    """Heads that are missing, and those nobody knows."""
    wrong = [f"The column “{head.capitalize()}” is missing." for head in must if head not in heads]
    names = ", ".join(head.capitalize() for head in known)
    return wrong + [
        f"“{head[:40]}” is not a column the site knows. The columns are: {names}."
        for head in heads
        if head not in known
    ]


def read_line(
    line: SpreadsheetLine, people: People, today: datetime.date
) -> tuple[datetime.date, Game, str, Sat] | str:
    """What a line says, or what is wrong with it."""
    day = day_of(line, today)
    if isinstance(day, str):
        return day
    game = game_called(line.text("game"))
    if game is None:
        names = ", ".join(game.name for game in all_games())
        return f"“{line.text('game')[:40]}” is not a game of this site. The games are: {names}."
    person = people.find(line.text("name"))
    if isinstance(person, Problem):
        return person.message
    place, score = number_of(line, "place"), number_of(line, "score")
    if isinstance(place, str) or isinstance(score, str):
        return place if isinstance(place, str) else str(score)
    if place is not None and not 1 <= place <= HIGHEST_PLACE:
        return "A place is a number from 1 on."
    if score is not None and abs(score) > MOST_POINTS:
        return "That score is out of range."
    won, lost = (line.text(head).casefold() for head in ("won", "lost"))
    if won not in (*YES, *NO) or lost not in (*YES, *NO):
        return "“Won” and “Lost” take yes or nothing."
    label = line.text("table")
    if len(label) > LONGEST_LABEL:
        return f"The name of a table has at most {LONGEST_LABEL} letters."
    return day, game, label, Sat(line.number, person, place, score, won in YES, lost in YES)


def day_of(line: SpreadsheetLine, today: datetime.date) -> datetime.date | str:
    """The day of the game, or what is wrong with it."""
    cell = line.get("day")
    if isinstance(cell, datetime.date):
        return "That day has not come yet." if cell > today else cell
    when = read_when(str(cell), today)
    if isinstance(when, Problem):
        return when.message.replace(HOW_OF_HOLDERS, HOW)
    on, exact, rest = when
    return on if exact == "day" and not rest.strip() else f"When was it? {HOW}"


def game_called(name: str) -> Game | None:
    """The game of that name, however it is written."""
    return next((game for game in all_games() if name.casefold() in (game.name.casefold(), game.slug)), None)


def number_of(line: SpreadsheetLine, head: str) -> int | str | None:
    """The whole number under that head, None for nothing, or what is wrong with it."""
    cell = line.get(head)
    text = str(cell).replace("−", "-").replace("–", "-").removeprefix("+").removesuffix(".")
    if text == "":
        return None
    if not (text.removeprefix("-").isascii() and text.removeprefix("-").isdecimal() and len(text) < 10):
        return f"“{head.capitalize()}” takes a whole number, not “{str(cell)[:40]}”."
    return int(text)


def wrong_with(game: PastGame) -> list[str]:
    """What cannot be so of a whole table."""
    twice = [name for name, times in Counter(person.person.name for person in game.people).items() if times > 1]
    wrong = [f"{name} is there twice." for name in twice]
    if len(game.people) not in game.game.players:
        wrong.append(f"{game.game.players_sentence()} Here are {len(game.people)}.")
    if not any(game.places.values()):
        wrong.append("Nobody has a place or a score.")
    if any(sum(getattr(person, what) for person in game.people) > 1 for what in ("won", "lost")):
        wrong.append("One of them won, and one of them lost.")
    return wrong


# Writing them down


def steps_of(results: Results, places: Mapping[str, int]) -> list[Step]:
    """What is written in one go each: a game. `places` says where somebody stands in the plan."""
    steps: list[Step] = []
    for game in results.games:
        reached, winner, loser = game.places, game.winner, game.loser
        rows = [
            [places[key], reached[key], person.score, key == winner, key == loser]
            for person in game.people
            if (key := person.person.key)
        ]
        steps.append({
            "count": 1, "on": game.on.isoformat(), "game": game.game.slug, "label": game.label, "people": rows,
        })  # fmt: skip
    return steps


def write_step(step: Step, people: Sequence[Person], upload: Upload, club: Club) -> int:
    """Write down a table of the past; 0 where it stood there before the file was confirmed."""
    rows = rows_of(step, people)
    on = datetime.date.fromisoformat(step["on"])
    night = club.nights.standing().filter(on=on).order_by("pk").first()
    if night is None:
        end = end_of(on, club)
        night = Night.objects.create(club=club, on=on, begun_at=end, closed_at=end)
    elif not rows or is_there(night, step["game"], rows, before=upload.confirmed_at):
        return 0
    last = Table.objects.filter(night=night, withdrawn_at__isnull=True).aggregate(Max("number"))["number__max"]
    table = Table.objects.create(
        night=night, number=(last or 0) + 1, label=step["label"], game=step["game"], source=Table.Source.PAST,
        ended_at=min(end_of(on, club), timezone.now()),
    )  # fmt: skip
    at_place = Counter(row.place for row in rows.values() if row.place is not None)
    Placing.objects.bulk_create(
        Placing(
            table=table, member_id=member, place=row.place, score=row.score, winner=row.winner, loser=row.loser,
            players=at_place.total(), sharing=max(0, at_place[row.place] - 1) if row.place is not None else 0,
        )
        for member, row in rows.items()
    )  # fmt: skip
    keep_copies(table, None)
    return 1


class PlacingValues(NamedTuple):
    """What is written of somebody at a table."""

    place: int | None
    score: int | None
    winner: bool
    loser: bool


def rows_of(step: Step, people: Sequence[Person]) -> dict[int, PlacingValues]:
    """The rows of a game by the ids of the members; without those who were deleted since it was confirmed."""
    members = dict(
        Member.objects.filter(pk__in=[people[row[0]].member for row in step["people"]]).values_list("pk", "same_as")
    )
    rows: dict[int, PlacingValues] = {}
    for at, *row in step["people"]:
        member = people[at].member
        if member in members:
            rows.setdefault(members[member] or member, PlacingValues(*row))
    return rows


def is_there(night: Night, game: str, rows: Mapping[int, PlacingValues], *, before: datetime.datetime | None) -> bool:
    """Whether a table of the night says the same: one that was there before. Two queries, however many tables."""
    first = next(iter(rows))
    tables = Table.objects.standing().filter(night=night, game=game, source=Table.Source.PAST, created__lt=before)
    theirs = Placing.objects.filter(of_person(first), table__in=tables)
    seen: dict[int, dict[int, tuple[int | None, int | None]]] = {}
    there = Placing.objects.filter(table__in=list(theirs.values_list("table", flat=True)))
    for table, member, same_as, place, score in there.values_list(
        "table", "member", "member__same_as", "place", "score"
    ):
        seen.setdefault(table, {})[same_as or member] = (place, score)
    return {member: (row.place, row.score) for member, row in rows.items()} in seen.values()


def end_of(on: datetime.date, club: Club) -> datetime.datetime:
    """When a game of that day was over, as nobody knows it better."""
    return datetime.datetime.combine(on, datetime.time(23, 0), tzinfo=club.zone)
