"""What is read at one site after another has answered a post, and whether it shows what was written.

Of all that a process keeps in memory, or leaves out for whoever has it already, something is read.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tests.bench.lines import Answer, Line, get
from tests.bench.live_site import LiveSite
from tests.bench.night import AT_A_TABLE, LastHand, open_night
from tests.bench.phones import Posted, data, text
from tests.bench.play_offs import PLAYED, open_play_off
from tests.bench.tables import HANDS, Table
from tests.waiting import LIMIT

SHOWN = re.compile(r"\?v=([\w.-]+)")
ETAG = re.compile(rb"\r\netag: *([^\r]+)", re.I)
CLOCK = re.compile(r"\d\d:\d\d")
TAG, NUMBER = re.compile(r"<[^>]*>"), re.compile(r"−?\d+")
#: What the answer to a poll of the pad has beyond that to a post.
WAY_BACK = {"back": None, "brings": None, "whole": None}
#: What a page of a club has while its results are counted, as `clubs.queue.changes` promises.
COUNTING = 'id="being-counted"'
GAMES_PLAYED = re.compile(r'/standings/all-time/\d+/games/">(\d+)<')
MEMBER = re.compile(r'/members/(\d+)/"(?:(?!/members/\d).)*?<bdi>([^<]+)</bdi>', re.S)
#: Games that a club of a night has had before.
GAMES = 20


@dataclass(frozen=True)
class Written:
    """A post that a site has answered: at which table, what it said, and the line it said it on."""

    table: Table
    told: dict[str, Any]
    line: Line

    @property
    def version(self) -> int:
        return int(self.told["wrote"])


#: Whether a site shows on a line what another has written.
Shows = Callable[[Line, Written], bool]


def rows(line: Line, written: Written) -> bool:
    return fragment(line, f"/watch/{written.table.watch}/rows/", written.version)


def top(line: Line, written: Written) -> bool:
    return fragment(line, f"/watch/{written.table.watch}/table/top/", written.version)


def fragment(line: Line, path: str, version: int) -> bool:
    """Whether who watches the version before is shown what was written, and then nothing more."""
    answer = line.ask(get(f"{path}?v={version - 1}"))
    if answer.status not in (200, 286):
        return False
    found = SHOWN.search(text(answer))
    # Who has seen the end polls no more.
    return answer.status == 286 or (found is not None and line.ask(get(f"{path}?v={found[1]}")).status == 204)


def pad(line: Line, written: Written) -> bool:
    """Whether another phone's pad gets what the pad was told that wrote it, and then nothing more."""

    def state(version: int) -> Answer:
        cookie = f"pencil={written.table.cookie}"
        path = f"/sheets/{written.table.code}/state/?v={version}"
        return line.ask(get(path, Accept="application/json", Cookie=cookie))

    answer = state(written.version - 1)
    if answer.status != 200:
        return False
    there, here = ({**told["pad"], **WAY_BACK} for told in (data(answer), written.told))
    return there == here and state(written.version).status == 204


def page(line: Line, written: Written) -> bool:
    """Whether the whole page of who watches is that of the site that wrote it."""
    pages = [one.ask(get(f"/watch/{written.table.watch}/")) for one in (line, written.line)]
    there, here = map(text, pages)
    return there == here and f"/rows/?v={written.version}" in there


#: What is read of a sheet: mostly what is polled.
OF_A_SHEET: tuple[Shows, ...] = (*[rows] * 7, top, pad, page)


@dataclass
class Follower:
    """Who follows the page of a night or of a play-off at one site, and asks only for what is new since it `has`."""

    line: Line
    path: str
    has: str = "0"

    def begin(self) -> None:
        """See what there is before."""
        self.has = SHOWN.findall(text(self.line.ask(get(f"{self.path}?v=0"))))[0]

    def shows(self, written: Written) -> bool:
        """Whether there is something new, the same as at the site that wrote it, and then nothing more."""
        answer = self.line.ask(get(f"{self.path}?v={self.has}"))
        if answer.status != 200:
            return False
        news = text(answer)
        found = SHOWN.search(news)
        assert found
        self.has = found[1]
        here = text(written.line.ask(get(f"{self.path}?v=0")))
        nothing_more = self.line.ask(get(f"{self.path}?v={self.has}")).status == 204
        # When a table will be done is said anew every minute.
        return nothing_more and has_totals(news, written) and CLOCK.sub("", news) == CLOCK.sub("", here)


def has_totals(news: str, written: Written) -> bool:
    """Whether all totals of the table are there. Of a game that has ended only those of winner and loser are."""
    shown = NUMBER.findall(TAG.sub(" ", news))
    totals = {str(total).replace("-", "−") for total in written.told["pad"]["totals"].values()}
    return written.told["pad"]["go"] is not None or totals.issubset(shown)


@dataclass
class Program:
    """A program that asks one site for a sheet, and has what it was told last (ETag).

    It asks from a network of its own: programs of one network may not ask as often as people.
    """

    port: int
    network: str
    path: str
    has: str = ""

    def shows(self, written: Written) -> bool:
        answer = self.ask()
        if answer.status != 200 or data(answer)["version"] != written.version:
            return False
        return self.ask().status == 304

    def ask(self) -> Answer:
        with closing(Line(self.port, source=self.network)) as line:
            answer = line.ask(get(self.path, Accept="application/json", If_None_Match=self.has))
        found = ETAG.search(answer.head)
        self.has = found[1].decode() if found else ""
        return answer


class ClubNight:
    """A night of a club whose tables play their last hand. `ended`: how many have; `counting`: pages that said so."""

    def __init__(self, sites: Sequence[LiveSite], lines: Sequence[Line], number: int, tables: int) -> None:
        self.night = open_night(sites[0], f"club-{number}", games=GAMES, tables=tables)
        self.club = f"/clubs/{self.night.slug}/"
        self.ended = self.counting = 0
        self.followers = {line: Follower(line, f"{self.night.path}tables/") for line in lines}
        for follower in self.followers.values():
            follower.begin()
        listed = text(lines[0].ask(get(f"{self.club}members/")))
        self.members = {name: f"{self.club}members/{its_number}/" for its_number, name in MEMBER.findall(listed)}
        network = f"127.0.1.{number + 1}"
        self.programs = {
            (code, line): Program(site.port, network, path)
            for code, path in self.documents(lines[0]).items()
            for line, site in zip(lines, sites, strict=True)
        }
        for program in self.programs.values():
            program.ask()

    def documents(self, line: Line) -> dict[str, str]:
        """Where programs find the sheets of the tables, by their codes."""
        api = f"/api/v1{self.club}"
        night = data(line.ask(get(f"{api}nights/", Accept="application/json")))["nights"][0]["uid"]
        tables = data(line.ask(get(f"{api}nights/{night}/", Accept="application/json")))["tables"]
        listed = zip(self.night.tables, tables, strict=True)
        return {table.code: f"{api}sheets/{told['sheet']}/" for table, told in listed}

    @property
    def games(self) -> list[list[Posted]]:
        """What is still to be posted at each table."""
        return [[Posted(known(hand), step) for step in hand.steps] for hand in self.night.tables]

    def shows(self, line: Line, written: Written) -> bool:
        """Whether the site on that line shows it to all who ask there."""
        followed = self.followers[line].shows(written)
        programmed = self.programs[written.table.code, line].shows(written)
        return followed and programmed and (written.told["pad"]["go"] is None or self.shows_the_end(line, written))

    def shows_the_end(self, line: Line, written: Written) -> bool:
        """Whether standing and a player's page have the game that has ended, or say that it is still being counted."""
        self.ended += 1
        standing, member = f"{self.club}standings/all-time/", self.members[written.told["pad"]["names"]["1"]]
        # Which of them is asked for while it is counted changes.
        pages = (standing, member) if self.ended % 2 else (member, standing)
        read = {path: self.once_counted(line, path) for path in pages}
        games = AT_A_TABLE * (GAMES + self.ended)
        has_game = f"/watch/{written.table.watch}/" in read[member]
        return has_game and sum(map(int, GAMES_PLAYED.findall(read[standing]))) == games

    def once_counted(self, line: Line, path: str) -> str:
        """The page as soon as it no longer says that results are being counted."""
        end = time.monotonic() + LIMIT
        while COUNTING in (read := text(line.ask(get(path)))):
            self.counting += 1
            assert time.monotonic() < end, "It is never counted."
        return read


def known(hand: LastHand) -> Table:
    """The table as a phone knows it that posts there."""
    return Table(hand.code, hand.watch, hand.cookie, [], 0, [])


class PlayOffNight:
    """A play-off whose page is followed while a group plays."""

    def __init__(self, sites: Sequence[LiveSite], lines: Sequence[Line]) -> None:
        self.play_off = open_play_off(sites[0], "play-off", 2, AT_A_TABLE)
        self.followers = {line: Follower(line, f"{self.play_off.path}now/") for line in lines}
        for follower in self.followers.values():
            follower.begin()

    @property
    def games(self) -> list[list[Posted]]:
        """What is still to be posted at its first group."""
        (table,) = self.play_off.tables
        return [[Posted(table, step) for number in range(PLAYED + 1, HANDS + 1) for step in table.steps(number)]]

    def shows(self, line: Line, written: Written) -> bool:
        """Whether the site on that line shows it to who follows there."""
        return self.followers[line].shows(written)
