"""The demo club: twenty people, two seasons, forty nights in all games.

Its people are in `fixtures/club.json`. Its games are random, from a fixed seed (`tests.demo.random_games`), and scored
by the rules like any sheet. The last night is tonight, and its tables are in the middle of their games.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.demo.club import ACCOUNTS
from clubs.members.identity import distinct_names
from clubs.models import Attendance, Award, Chair, Club, Member, Night, Season, Table, Trophy, User
from clubs.projections import worker
from clubs.standings.schemes import SCHEMES
from clubs.tables.open import AT_TABLE, follow, say_stakes, title_of, trophy_tables
from clubs.trophies.awards import hand_over
from rules import find_game
from rules.core.game import Game
from scoresheets.commands.enter import enter
from scoresheets.log.append import Change, commit, digest_of
from scoresheets.log.state import read_sheet
from scoresheets.models import Player, Revision, Sheet
from scoresheets.opening.open_sheet import Opened, SetUp, Somebody, open_sheet
from scoresheets.wording.badges import STROKES
from tests.demo.play_offs import open_play_off, play_whole
from tests.demo.random_games import whole_game, whole_hand
from tests.demo.story import story

AtTable = tuple[Game, "Table", Opened]

SEED = "the kennel"
NIGHTS = 40
A_WEEK = datetime.timedelta(days=7)
#: How long a game lasts, for the times that stand on its sheet.
A_GAME = datetime.timedelta(hours=2)
#: Stands where a browser is known by 64 digits, so that no cookie is ever this one.
THE_CLUB = "the demo club"
#: Hands that are scored at the tables of tonight, and asks that are answered of the next one.
TONIGHT = ((6, 3), (5, 0))


class NotPlayed(Exception):
    """A post of the demo was not accepted."""


@dataclass
class League:
    """The club while its story is told: `dice` decide everything but the people."""

    club: Club
    people: dict[str, Member]
    steady: dict[int, float]
    dice: random.Random = field(default_factory=lambda: random.Random(SEED))
    taps: int = 0

    def key(self) -> str:
        """The key of the next tap."""
        self.taps += 1
        return f"demo-club-tap-{self.taps:06}"


def play_club() -> Club:
    """Play the demo club, from its first night to tonight."""
    with transaction.atomic():
        league = founded()
        last = league.club.today()
        for number in range(NIGHTS):
            on = last - A_WEEK * (NIGHTS - 1 - number)
            if number == NIGHTS - 1 - story()["play_off"]["weeks_ago"]:
                play_it_off(league, on)
            elif number < NIGHTS - 1:
                spend(league, on, number)
            else:
                begin_tonight(league, on)
    worker.catch_up()
    return league.club


def founded() -> League:
    """The club with its people, seasons and trophies, before its first night."""
    script = story()
    today = timezone.localdate()
    began = timezone.now() - A_WEEK * (NIGHTS + 2)
    club = Club.objects.create(
        name=script["name"], slug=script["slug"], place=script["place"], about=script["about"], is_demo=True,
        created=began, awards_at_once=True,
    )  # fmt: skip
    people, steady = {}, {}
    for row in script["people"]:
        player = Player.objects.create(name=row["name"])
        people[row["name"]] = Member.objects.create(
            club=club, player=player, name=row["name"], colour=len(people) % STROKES + 1,
            role=row.get("role", Member.Role.MEMBER), joined_at=began,
            approved_at=began, nickname=script["nicknames"].get(row["name"], ""), user=account_of(row),
        )  # fmt: skip
        steady[player.pk] = row["steady"]
    begins = today - A_WEEK * (NIGHTS - 1)
    for row in script["seasons"]:
        ends = begins + A_WEEK * row["nights"] - datetime.timedelta(days=1)
        Season.objects.create(
            club=club, name=row["name"], begins=begins, ends=ends, scheme=row["scheme"],
            order=list(SCHEMES[row["scheme"]].order),
            drops=row.get("drops", 0), least_nights=row.get("least_nights", 0),
        )  # fmt: skip
        begins = ends + datetime.timedelta(days=1)
    for row in script["trophies"]:
        trophy = Trophy.objects.create(
            club=club, name=row["name"], goes=row["goes"], drawing=row["drawing"], about=row["about"], added_at=began
        )
        for months, name in enumerate(reversed(row["before"]), 1):
            moment = began - datetime.timedelta(days=30 * months)
            Award.objects.create(
                trophy=trophy, member=people.get(name), name="" if name in people else name, on=moment.date(),
                exact=Award.Exact.MONTH, source=Award.Source.TYPED, created=moment, confirmed_at=moment,
                handed_at=moment,
            )  # fmt: skip
    return League(club, people, steady)


def account_of(row: dict[str, Any]) -> User | None:
    """The account of who helps to run the club: without a password, so that only a mailed code opens it."""
    if "role" not in row:
        return None
    user = User(username=f"{ACCOUNTS}{row['name'].lower()}", email=f"{row['name'].lower()}@the-kennel.example")
    user.set_unusable_password()
    user.save()
    return user


# Nights


def spend(league: League, on: datetime.date, number: int) -> None:
    """A whole night, from the roll call to the last card."""
    present = roll_call(league)
    night = open_night(league, on, present)
    games = [(sit_down(league, night, game, seated), seated) for game, seated in seating(present, number)]
    play_for_trophies(night)
    for at_table, seated in games:
        play(league, at_table, seated)
    late = datetime.timedelta(minutes=league.dice.randint(30, 50))
    night.closed_at = beginning(night) + A_GAME + late
    night.save(update_fields=["closed_at"])
    worker.catch_up()
    hand_out(night, last=number == NIGHTS - 2)


def play_it_off(league: League, on: datetime.date) -> None:
    """A night with a play-off, on which nothing else is played."""
    present = roll_call(league)
    night = open_night(league, on, present)
    dice = random.Random(story()["play_off"]["dice"])
    play_off = play_whole(night, present, league.steady, dice)
    worker.catch_up()
    play_off.refresh_from_db()
    night.closed_at = (play_off.decided_at or beginning(night)) + datetime.timedelta(minutes=20)
    night.save(update_fields=["closed_at"])
    hand_out(night, last=False)


def begin_tonight(league: League, on: datetime.date) -> None:
    """A play-off whose two groups are in the middle of their games."""
    present = roll_call(league)
    night = open_night(league, on, present, begun=timezone.now() - datetime.timedelta(minutes=70))
    play_off = open_play_off(night, present, league.dice)
    tables = Table.objects.filter(stage__play_off=play_off).select_related("sheet").order_by("number")
    for table, (hands, asks) in zip(tables, TONIGHT, strict=True):
        if table.sheet:
            at_table = find_game(table.game), table, Opened(table.sheet, table.sheet.scorekeepers.get())
            seated = [chair.member for chair in table.chairs.select_related("member")]
            keep_score(league, at_table, seated, hands=hands, asks=asks)


def roll_call(league: League) -> list[Member]:
    """Who is there, in the order in which they are dealt to the tables."""
    rows = story()["people"]
    present = [league.people[row["name"]] for row in rows if league.dice.random() < row["comes"]]
    for row in rows:
        if len(present) < 8 and league.people[row["name"]] not in present:
            present.append(league.people[row["name"]])
    league.dice.shuffle(present)
    return present


def open_night(
    league: League, on: datetime.date, present: Sequence[Member], *, begun: datetime.datetime | None = None
) -> Night:
    """The night with its roll call."""
    begins = datetime.time.fromisoformat(story()["begins"])
    begun = begun or datetime.datetime.combine(on, begins, league.club.zone)
    night = Night.objects.create(club=league.club, on=on, begins=begins, begun_at=begun, created=begun - A_WEEK)
    away = [member for member in league.people.values() if member not in present]
    calls = [(Attendance.Says.HERE, present), (Attendance.Says.NOT, away)]
    Attendance.objects.bulk_create(
        Attendance(night=night, member=member, says=says, at=begun) for says, members in calls for member in members
    )
    return night


def seating(present: list[Member], number: int) -> list[tuple[str, list[Member]]]:
    """The games of the night and who plays them: the main game, and a side game on most nights."""
    main, sides = story()["main_game"], story()["side_games"]
    side = sides[number % len(sides)] if number % 3 else None
    games = []
    if side and len(present) - side["players"] >= 5:
        games.append((side["game"], present[: side["players"]]))
        present = present[side["players"] :]
    if len(present) > 8:
        half = (len(present) + 1) // 2
        return [(main, present[:half]), (main, present[half:]), *games]
    return [(main, present), *games]


def play_for_trophies(night: Night) -> None:
    """The trophies follow the first table that plays for them."""
    games = trophy_tables(night)
    if len(games) > 1:
        follow(night, f"{AT_TABLE}{games[0].number}")
    say_stakes(night)


def hand_out(night: Night, *, last: bool) -> None:
    """Who has won a trophy takes it home; after the `last` night that is over, the loser has left without theirs."""
    began = timezone.now()
    for won in Award.objects.confirmed().filter(table__night=night).select_related("trophy__club"):
        if not (last and won.trophy.goes == Trophy.Goes.LOSER):
            hand_over(won, by=None)
    since = Award.objects.filter(table__night=night)
    since.update(created=night.closed_at, confirmed_at=night.closed_at)
    since.filter(handed_at__isnull=False).update(handed_at=night.closed_at)
    night.club.audit_entries.filter(at__gte=began).update(at=night.closed_at)


def beginning(night: Night) -> datetime.datetime:
    """When its tables began."""
    return night.begun_at or night.created


# Tables


def play(league: League, at_table: AtTable, seated: Sequence[Member]) -> None:
    """A game from the first hand to the last, written down in one go."""
    game, table, opened = at_table
    reading = read_sheet(opened.sheet)
    steps = whole_game(league.dice, game, reading.table, steady=steady_at(league, seated))
    ended = beginning(table.night) + A_GAME + datetime.timedelta(minutes=league.dice.randint(-25, 25))
    change = Change(Revision.Verb.PAPER, steps, why="from the club’s paper sheets")
    digest = digest_of("paper", {"demo": table.uid})
    commit(reading, change, key=league.key(), digest=digest, by=opened.keeper, at=ended)


def keep_score(league: League, at_table: AtTable, seated: Sequence[Member], *, hands: int, asks: int) -> None:
    """A game in the middle, tap by tap: so many hands are scored, so many asks of the next are answered."""
    game, _, opened = at_table
    reading, steady = read_sheet(opened.sheet), steady_at(league, seated)
    steps = whole_game(league.dice, game, reading.table, steady=steady, hands=hands)
    for address, step in steps.items():
        enter(opened.sheet, address, step, saw=None, key=league.key(), by=opened.keeper)
    reading = read_sheet(Sheet.objects.get(pk=opened.sheet.pk))
    if reading.sheet.open:
        hand = reading.sheet.open.hand
        begun = whole_hand(league.dice, game, reading.sheet.table, hand, steady)
        for ask, step in list(begun.items())[:asks]:
            enter(opened.sheet, hand.address(ask), step, saw=None, key=league.key(), by=opened.keeper)
    spread_out(opened.sheet)


def spread_out(sheet: Sheet) -> None:
    """The taps fell one after the other since the sheet was opened, the last just now: so it tells when it is done."""
    writes = list(sheet.revisions.order_by("version"))
    apart = (timezone.now() - sheet.opened_at) / len(writes)
    for k, write in enumerate(writes):
        write.at = sheet.opened_at + k * apart
    Revision.objects.bulk_update(writes, ["at"])


def sit_down(league: League, night: Night, slug: str, seated: Sequence[Member]) -> AtTable:
    """The sheet of a new table of the night. The first of those seated deals first."""
    game, number, called = find_game(slug), night.tables.count() + 1, distinct_names(seated)
    setup = SetUp(
        slug, [Somebody(called[member.pk], member.player_id) for member in seated],
        dealer_by=game.first_dealer_by.word, title=title_of(night, number), club_name=league.club.name,
    )  # fmt: skip
    opened = open_sheet(
        setup, browser=THE_CLUB, key=league.key(), user=User(), keeper_name=seated[-1].name, sure=True,
        candidates=[member.player_id for member in seated],
    )  # fmt: skip
    if not isinstance(opened, Opened):
        raise NotPlayed(opened)
    opened.sheet.opened_at, opened.sheet.home = beginning(night), night.get_absolute_url()
    opened.sheet.save(update_fields=["opened_at", "home"])
    opened.sheet.revisions.update(at=beginning(night))
    table = Table.objects.create(night=night, number=number, game=slug, sheet=opened.sheet, created=beginning(night))
    Chair.objects.bulk_create(
        Chair(table=table, place=place, member=member, deals=place == 1) for place, member in enumerate(seated, 1)
    )
    return game, table, opened


def steady_at(league: League, seated: Sequence[Member]) -> dict[int, float]:
    """How steady everybody is, by seat: seats of a new sheet are counted from 1."""
    return {seat: league.steady[member.player_id] for seat, member in enumerate(seated, 1)}
