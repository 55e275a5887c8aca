"""Validation of log files. Nothing in such a file is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from rules import UnknownGame, find_game
from rules.core.fields import Address
from rules.core.files.group_keys import LARGEST_TOTAL, problems_of_group
from rules.core.files.schema import (  # fmt: skip
    AnyObject,
    Anything,
    Date,
    FixedList,
    Flag,
    JsonSchema,
    ListOf,
    Members,
    Name,
    OrNull,
    PerName,
    ShortText,
    Whole,
    fault,
    fits,
)
from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.stakes import ALL, Decides
from scoresheets.commands.enter import problems_of_address, problems_of_values
from scoresheets.files.log_export import Copy, parse_moment, players_in
from scoresheets.files.sheet_file import LONGEST_SAID
from scoresheets.log.limits import MOST_WRITES, planned_hands
from scoresheets.log.occupants import ASK, SITS
from scoresheets.log.state import LAST_HAND, NOTE, SET_UP
from scoresheets.log.text import readable_name
from scoresheets.models import Revision, Sheet
from scoresheets.models.sheet import LONGEST_NAME
from scoresheets.opening.open_sheet import FOUND, MOST_COMING
from scoresheets.wording.badges import STROKES

#: No number that stands in a file comes near it, and every database has room for it.
LARGEST = 2**31 - 1
NUMBER, POSITIVE = Whole(0, LARGEST), Whole(1, LARGEST)
#: Code points in the initial of somebody: two letters with their accents.
LONGEST_INITIAL = 8
#: A table has never had so many chairs.
MOST_SEATS = 200


@dataclass(frozen=True)
class Moment:
    """A moment as `log_export.format_moment` writes it."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        try:
            if not isinstance(value, str):
                raise ValueError
            parse_moment(value)
        except ValueError:
            yield fault(where, "a moment such as 2026-03-19T20:05:00.000000Z belongs here")

    def schema(self) -> JsonSchema:
        day, time = "[0-9]{4}-[0-9]{2}-[0-9]{2}", "[0-9]{2}:[0-9]{2}:[0-9]{2}"
        return {"type": "string", "format": "date-time", "pattern": rf"^(?!000[01]|9999){day}T{time}\.[0-9]{{6}}Z$"}


def longest(name: str) -> int:
    """How long that text of a sheet may be."""
    return getattr(Sheet._meta.get_field(name), "max_length", 0)


#: What `Decides.as_data` writes.
DECIDES = Members(
    {},
    {
        "lead": Flag(), "bottom": Flag(), "through": NUMBER, "below": NUMBER, "high_card": Flag(),
        "start": PerName(Whole()),
    },
)  # fmt: skip
ADDRESS = (NUMBER, ShortText(40, 1))
WRITE = Members(
    {"by": POSITIVE, "at": Moment(), "verb": ShortText(12, 1)},
    {
        "why": ShortText(200), "undoes": POSITIVE,
        "adds": ListOf(FixedList((*ADDRESS, AnyObject(), POSITIVE), may_lack=1)),
        "withdraws": ListOf(FixedList(ADDRESS)),
    },
)  # fmt: skip
COPY = Members(
    {
        "game": ShortText(40, 1), "opened": Moment(), "seats": ListOf(FixedList((POSITIVE, POSITIVE, Name()))),
        "scorekeepers": ListOf(Members({"since": Moment()}, {"name": ShortText(LONGEST_NAME), "cut_off": Moment()})),
        "writes": ListOf(WRITE),
    },
    {
        **{name: ShortText(longest(name)) for name in ("title", "club_name", "stakes")},
        "played_on": Date(), "finished": Moment(), "asks_since": Moment(), "quiet": Flag(),
        "coming": ListOf(ShortText(LONGEST_NAME)),
        "badges": ListOf(FixedList((POSITIVE, Whole(0, STROKES), ShortText(LONGEST_INITIAL), Flag()))),
    },
)  # fmt: skip
#: What `open_sheet.set_up_data` writes.
SET_UP_SHAPE = Members(
    {"seats": ListOf(POSITIVE), "first_dealer": POSITIVE, "found": ShortText(40), "plan": AnyObject(),
     "house_rules": AnyObject()},
    {"title": ShortText(longest("title")), "decides": Anything()},
)  # fmt: skip
PLAN = Members({}, dict.fromkeys(("peak", "extra_rounds", "hands"), NUMBER))


def faults_of_copy(copy: object, where: str, *, players: int) -> Iterator[Problem]:
    """Everything that keeps it from being laid out, with where it stands; `players` are the numbers from 1 on."""
    faults = list(COPY.faults(copy, where))
    yield from faults
    if not faults and isinstance(copy, dict):
        yield from Replay(copy, where, players).faults()


class Replay:
    """A copy written down once more, write by write, in the head."""

    def __init__(self, copy: Copy, where: str, players: int) -> None:
        self.copy, self.where, self.players = copy, where, players
        self.seats = {seat for seat, _, _ in copy["seats"]}
        self.standing: set[Address] = set()
        #: The last hand of which it says anything, or that is planned.
        self.hands = 0

    def faults(self) -> Iterator[Problem]:
        """What does not hold together."""
        try:
            self.game: Game = find_game(self.copy["game"])
        except UnknownGame:
            yield fault(f"{self.where}, game", "nobody here knows that game")
            return
        yield from self.faults_of_people()
        if not self.copy["writes"]:
            yield fault(f"{self.where}, writes", "nothing is written on it")
        for version, write in enumerate(self.copy["writes"], 1):
            yield from self.faults_of_write(version, write, f"{self.where}, write {version}")
            if SET_UP not in self.standing:
                yield fault(f"{self.where}, write {version}", "no sheet is without its set-up")
                return
        yield from self.faults_of_size()

    def faults_of_size(self) -> Iterator[Problem]:
        """Whether it is larger than a sheet may become here."""
        if self.hands > settings.HANDS_PER_SHEET:
            most = settings.HANDS_PER_SHEET
            yield fault(self.where, f"it has {self.hands} hands, and a sheet has at most {most} here")
        if len(self.copy["writes"]) > MOST_WRITES:
            yield fault(self.where, f"it was changed more often than the {MOST_WRITES} times a sheet can be")

    def faults_of_people(self) -> Iterator[Problem]:
        """Seats that are given twice, and players who are nobody."""
        seats = self.copy["seats"]
        if len(self.seats) < len(seats) or len(seats) > MOST_SEATS or max(self.seats, default=0) > MOST_SEATS:
            yield fault(f"{self.where}, seats", "seats have numbers of their own from 1 on")
        if len(self.copy.get("coming", ())) > MOST_COMING:
            yield fault(f"{self.where}, coming", f"at most {MOST_COMING} names fit here")
        for seat, player, name in seats:
            yield from self.faults_of_player(player, name, f"{self.where}, seat {seat}")
        people = {player for player, _ in players_in(self.copy)}
        if not people.issuperset(player for player, *_ in self.copy.get("badges", ())):
            yield fault(f"{self.where}, badges", "nobody with that number sits there")

    def faults_of_player(self, player: object, name: object, where: str) -> Iterator[Problem]:
        """Whether somebody of the file has that number, and the name is one."""
        if not fits(Whole(1, self.players), player):
            yield fault(where, "nobody in this file has that number")
        if isinstance(readable_name(name), Problem):
            yield fault(where, "that is no name")

    def faults_of_write(self, version: int, write: Copy, where: str) -> Iterator[Problem]:
        """A write by somebody, of something that had a place on the sheet."""
        if write["by"] > len(self.copy["scorekeepers"]):
            yield fault(f"{where}, by", "no scorekeeper has that number")
        if write["verb"] not in Revision.Verb.values:
            yield fault(f"{where}, verb", "nobody writes like that")
        if write.get("undoes", 0) >= version:
            yield fault(f"{where}, undoes", "it can only take back what was written before")
        for hand, ask in write.get("withdraws", ()):
            if (hand, ask) not in self.standing:
                yield fault(where, f"nothing stood at hand {hand}, {ask}, that could be withdrawn")
            self.standing.discard((hand, ask))
        for hand, ask, data, *first in write.get("adds", ()):
            address, there = (hand, ask), f"{where}, hand {hand}, {ask}"
            if address in self.standing:
                yield fault(there, "something stands there already")
            if first and first[0] > version:
                yield fault(there, "it cannot have been written first later on")
            self.standing.add(address)
            self.hands = max(self.hands, hand)
            if problems_of_address(address):
                yield fault(where, "that is no place on a sheet")
            else:
                yield from self.faults_of_entry(address, data, there)

    def faults_of_entry(self, address: Address, data: dict[str, Any], where: str) -> Iterator[Problem]:
        """What an entry says, as far as the pages have to be able to read it."""
        ask = address[1]
        if address == SET_UP:
            yield from self.faults_of_set_up(data, where)
        elif ask.startswith(NOTE):
            yield from self.faults_of_note(ask, data, where)
        elif ask.startswith(SITS):
            seat = ASK.fullmatch(ask)
            if set(data) != {"name", "player"} or seat is None or int(seat[1]) not in self.seats:
                yield fault(where, "it does not say who sits on which seat")
            else:
                yield from self.faults_of_player(data["player"], data["name"], where)
        elif problems_of_values(data):
            yield fault(where, "it says something that nobody can write on a sheet")
        elif address == LAST_HAND and not fits(Members({"hand": POSITIVE}, {}), data):
            yield fault(where, "it does not say which hand is the last")
        elif ask.startswith("arrive-") and data.get("seat") not in self.seats:
            yield fault(where, "nobody was given that seat")

    def faults_of_note(self, ask: str, data: dict[str, Any], where: str) -> Iterator[Problem]:
        """A note, as `enter.note` writes it."""
        if not ask.removeprefix(NOTE).isdecimal() or set(data) != {"tag", "seat", "note"}:
            yield fault(where, "that is no note")
        elif not all(fits(ShortText(LONGEST_SAID), data[key]) for key in ("note", "tag")):
            # The tag may be one that the game has no more.
            yield fault(where, "that is no note")
        elif not fits(OrNull(POSITIVE), data["seat"]) or data["seat"] not in (None, *self.seats):
            yield fault(where, "nobody sits there")

    def faults_of_set_up(self, data: dict[str, Any], where: str) -> Iterator[Problem]:
        """A set-up, as `open_sheet.set_up_data` writes it."""
        if not fits(SET_UP_SHAPE, data):
            yield fault(where, "that is no set-up")
            return
        seats, plan, rules = data["seats"], data["plan"], data["house_rules"]
        if (
            not self.seats.issuperset(seats) or len(set(seats)) < len(seats) or data["first_dealer"] not in seats
            or data["found"] not in (*FOUND, self.game.first_dealer_by.word) or problems_of_values(rules)
        ):  # fmt: skip
            yield fault(where, "that is no set-up")
        elif not fits(PLAN, plan):
            yield fault(where, "the hands cannot be chosen like that")
        elif "decides" in data and not can_decide(data["decides"], seats):
            yield fault(where, "no table can decide that")
        else:
            problems = [problem for problem in self.game.setup_problems(seats, plan, rules) if problem.blocking]
            yield from (fault(where, problem.message.rstrip(".")) for problem in problems)
            if not problems:
                self.hands = max(self.hands, planned_hands(self.game, len(seats), plan, rules))


def can_decide(data: Any, seats: list[int]) -> bool:
    """Whether it is what the end of a sheet decides, as `Decides.as_data` writes it, and something is."""
    if not fits(DECIDES, data):
        return False
    start = data.get("start", {})
    if any(
        seat not in {str(number) for number in seats} or abs(total) > LARGEST_TOTAL for seat, total in start.items()
    ):
        return False
    decides = Decides.read(data)
    if decides.is_group:
        own = not decides.lead and not decides.bottom
        return own and not any(problems_of_group(decides, len(seats)))
    return decides != ALL and decides.below is None and not decides.high_card
