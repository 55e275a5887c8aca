"""`make bench`: how much more a post on a sheet costs than the least a Django site can do, and how many may watch.

What is compared is asked in turns, from the same server, workers and database, so that a busy moment of the machine
meets both. The table of ratios is printed and put into README.md.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from tests.bench import ends, pages, report, starts
from tests.bench.crowd import MOST_MEMORY, TABLES, WATCHERS, gather
from tests.bench.lines import Answer, Line, Talk, converse, get, post
from tests.bench.live_site import LiveSite
from tests.bench.play_offs import open_play_off
from tests.bench.report import Measured, percentile
from tests.bench.tables import Table, open_tables

PLAYERS = 6
CONNECTIONS = 8
ROUNDS = 6
OTHERS = 10_000
FEW_GAMES, MANY_GAMES = 100, 10_000
#: Clubs by their addresses: how many groups their play-off has, and of how many.
PLAY_OFFS = {"dozen": (2, 6), "twohundred": (20, 10)}
SECONDS = 30.0


class Wrong(Exception):
    """The site answered something else than what was to be measured."""


def sure(answer: Answer, status: int = 200) -> float:
    """The seconds of an answer of that status."""
    if answer.status != status:
        raise Wrong(f"{answer.status} instead of {status}: {answer.body[:300]!r}")
    return answer.seconds


def bare_insert() -> bytes:
    return post("/bare/insert/", {"name": "Ann", "key": "k" * 24, "hand": 1, "ask": "bid-1", "f-bid": 0, "saw": ""})


def posts_of(table: Table, *hands: int) -> Iterator[bytes]:
    for hand in hands or range(1, len(table.cards) + 1):
        yield from table.hand(hand)


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


@dataclass
class Bench:
    """A site of its own with the bare views beside its pages."""

    site: LiveSite
    crowded: LiveSite

    def results(self) -> Iterator[Measured]:
        """All measurements, one after the other."""
        self.warm_up()
        yield self.one_connection()
        yield from self.many_connections()
        yield self.late_hand()
        yield from self.after_others()
        yield self.standings()
        yield from self.play_offs()
        yield self.unchanged_poll()
        yield from self.crowd()
        yield self.memory()
        yield from ends.measured(self.site)
        yield from pages.measured(self.site)
        yield self.locked()

    def tables(self, count: int, **more: int) -> list[Table]:
        return open_tables(self.site, count, **{"players": PLAYERS, **more})

    def warm_up(self) -> None:
        """Until every worker has seen every kind of request a few times."""
        with self.lines(CONNECTIONS) as lines:
            for _ in range(20):
                converse(lines, [once(bare_insert()) for _ in lines], within=60)
            converse(lines, [each(posts_of(table)) for table in self.tables(CONNECTIONS)], within=120)

    def lines(self, count: int, site: LiveSite | None = None) -> Lines:
        return Lines((site or self.site).port, count)

    def one_connection(self) -> Measured:
        bare, scored = [], []
        with self.lines(1) as (line,):
            for table in self.tables(4):
                for said in posts_of(table):
                    bare.append(sure(line.ask(bare_insert())))
                    scored.append(sure(line.ask(said)))
        one, other = statistics.median(scored), statistics.median(bare)
        return Measured("A post (bids and tricks of whole games), one connection, to a bare INSERT", one / other,
                        at_most=2.2, told=f"{ms(one)} to {ms(other)}")  # fmt: skip

    def many_connections(self) -> Iterator[Measured]:
        """Throughput at eight, in turns; and how much longer than usual the slowest of a hundred posts takes."""
        tables, shares, tails, told = self.tables(CONNECTIONS), [], [], ""
        hands = len(tables[0].cards) // ROUNDS
        with self.lines(CONNECTIONS) as lines:
            for turn in range(ROUNDS):
                bare: list[float] = []
                scored: list[float] = []
                numbers = range(turn * hands + 1, (turn + 1) * hands + 1)
                speed_of_bare = speed(lines, lambda _, bare=bare: each([bare_insert()] * 60, bare), bare)
                speed_of_posts = speed(
                    lines, lambda k, scored=scored, numbers=numbers: each(posts_of(tables[k], *numbers), scored), scored
                )
                shares.append(speed_of_posts / speed_of_bare)
                tails.append(percentile(scored, 0.99) / percentile(scored, 0.5))
                told = f"in the last round {speed_of_posts:.0f} to {speed_of_bare:.0f} a second"
        yield Measured(f"Throughput of posts at {CONNECTIONS} connections, to bare INSERTs", statistics.median(shares),
                       at_least=0.45, told=told)  # fmt: skip
        yield Measured(
            f"p99 of posts at {CONNECTIONS} connections, to their median", statistics.median(tails), at_most=3.0
        )

    def late_hand(self) -> Measured:
        """Hand 20 of one game in turns with hand 1 of another."""
        early, late = [], []
        with self.lines(1) as (line,):
            tables = self.tables(20)
            for old, new in zip(tables[::2], tables[1::2], strict=True):
                for said in posts_of(old, *range(1, 20)):
                    sure(line.ask(said))
                for last, first in zip(posts_of(old, 20), posts_of(new, 1), strict=True):
                    late.append(sure(line.ask(last)))
                    early.append(sure(line.ask(first)))
        one, other = statistics.median(late), statistics.median(early)
        return Measured(
            "A post in hand 20, to one in hand 1", one / other, at_most=1.25, told=f"{ms(one)} to {ms(other)}"
        )

    def after_others(self) -> Iterator[Measured]:
        """The same sheet in two sites, in turns: one of them has ten thousand others."""
        pages: tuple[list[float], list[float]] = ([], [])
        posts: tuple[list[float], list[float]] = ([], [])
        sites = (self.site, self.crowded)
        with ExitStack() as stack:
            lines = [stack.enter_context(self.lines(1, site))[0] for site in sites]
            tables = [open_tables(site, 1, PLAYERS)[0] for site in sites]
            for said in zip(*(posts_of(table) for table in tables), strict=True):
                for k, line in enumerate(lines):
                    posts[k].append(sure(line.ask(said[k])))
                    page = get(f"/sheets/{tables[k].code}/", Cookie=f"pencil={tables[k].cookie}")
                    pages[k].append(sure(line.ask(page)))
        for name, (alone, among) in (("The page of a sheet", pages), ("A post", posts)):
            one, other = statistics.median(among[10:]), statistics.median(alone[10:])
            yield Measured(f"{name} after {OTHERS:,} other sheets, to one alone", one / other, at_most=1.1,
                           told=f"{ms(one)} to {ms(other)}")  # fmt: skip

    def standings(self) -> Measured:
        """The page of the standings of two clubs, in turns: one has played a hundred games, one ten thousand."""
        clubs = {"hundred": FEW_GAMES, "myriad": MANY_GAMES}
        for slug, games in clubs.items():
            self.site.run("-m", "tests.bench.leagues", slug, str(games))
        seconds: dict[str, list[float]] = {slug: [] for slug in clubs}
        with self.lines(1) as (line,):
            for turn in range(220):
                for slug, spent in seconds.items():
                    answer = sure(line.ask(get(f"/clubs/{slug}/standings/")))
                    if turn >= 20:
                        spent.append(answer)
        few, many = (statistics.median(spent) for spent in seconds.values())
        return Measured(f"Standings after {MANY_GAMES:,} games, to those after {FEW_GAMES}", many / few, at_most=1.2,
                        told=f"{ms(many)} to {ms(few)}")  # fmt: skip

    def play_offs(self) -> Iterator[Measured]:
        """The page of two play-offs, in turns: one of a dozen people, one of two hundred; and after each bid."""
        running = [open_play_off(self.site, slug, *size) for slug, size in PLAY_OFFS.items()]
        with self.lines(1) as (line,):
            for name, writes in (("Page of a play-off", False), ("Page of a play-off after each bid", True)):
                spent: list[list[float]] = [[] for _ in running]
                posts = [one.posts() for one in running]
                for turn in range(120):
                    for one, said, seconds in zip(running, posts, spent, strict=True):
                        if writes:
                            sure(line.ask(next(said)))
                        answer = sure(line.ask(get(one.path)))
                        if turn >= 20:
                            seconds.append(answer)
                few, many = (statistics.median(seconds) for seconds in spent)
                yield Measured(f"{name}, 200 people to 12", many / few, at_most=2,
                               told=f"{ms(many)} to {ms(few)}")  # fmt: skip

    def unchanged_poll(self) -> Measured:
        bare, polls = [], []
        (table,) = self.tables(1, hands=8)
        with self.lines(1) as (line,):
            newest = line.ask(get(f"/bare/page/{table.watch}/"))
            version = newest.head.lower().split(b'etag: "')[1].split(b'"')[0].decode()
            for _ in range(2000):
                same = get(f"/bare/page/{table.watch}/", If_None_Match=f'"{version}"')
                bare.append(sure(line.ask(same), 304))
                polls.append(sure(line.ask(get(f"/watch/{table.watch}/rows/?v={version}")), 204))
        one, other = statistics.median(polls), statistics.median(bare)
        return Measured("An unchanged poll, to a bare conditional GET", one / other, at_most=1.3,
                        told=f"{ms(one)} to {ms(other)}")  # fmt: skip

    def crowd(self) -> Iterator[Measured]:
        tables = open_tables(self.site, TABLES, 8, 10)
        # Somebody has watched before the crowd comes.
        gather(self.site, tables, 4 * TABLES, 3, kept=[])
        heard = gather(self.site, tables, WATCHERS, SECONDS, kept=tables, first_hand=11)
        named = f"{WATCHERS:,} watchers every 2.5 s beside {TABLES} tables posting every 4 s"
        told = f"{len(heard.polls):,} polls, {heard.changed:,} with news"
        yield Measured(
            f"{named}: p95 of polls", percentile(heard.polls, 0.95) * 1000, at_most=50, unit=" ms", told=told
        )
        yield Measured("… p95 of posts", percentile(heard.posts, 0.95) * 1000, at_most=50, unit=" ms",
                       told=f"{len(heard.posts):,} posts")  # fmt: skip
        yield Measured("… errors", len(heard.wrong), at_most=0, told=heard.wrong[0][:80] if heard.wrong else "")

    def memory(self) -> Measured:
        """Of the larger of the processes that answered the crowd."""
        sizes = starts.memory_of_workers(self.site)
        told = " and ".join(f"{size:.0f} MiB" for size in sizes)
        name = "Memory (PSS) of a server process after this crowd"
        return Measured(name, max(sizes), at_most=MOST_MEMORY, unit=" MiB", told=told)

    def locked(self) -> Measured:
        said = self.site.journal.read_text() + self.crowded.journal.read_text()
        broken = said.count("locked") + said.count("A page broke")
        return Measured("“database is locked”, or a page that broke", broken, at_most=0)


class Lines:
    """So many kept-alive connections."""

    def __init__(self, port: int, count: int) -> None:
        self.port, self.count, self.stack = port, count, ExitStack()

    def __enter__(self) -> list[Line]:
        return [self.stack.enter_context(closing(Line(self.port))) for _ in range(self.count)]

    def __exit__(self, *problem: object) -> None:
        self.stack.close()


def once(said: bytes) -> Talk:
    answer = yield said
    assert answer
    sure(answer)


def each(said: Iterator[bytes] | list[bytes], seconds: list[float] | None = None) -> Talk:
    """One request after the other."""
    for request in said:
        answer = yield request
        assert answer
        spent = sure(answer)
        if seconds is not None:
            seconds.append(spent)


def speed(lines: list[Line], talk: Callable[[int], Talk], answered: list[float]) -> float:
    """Answers a second while the lines are all busy."""
    begin = time.perf_counter()
    converse(lines, [talk(k) for k in range(len(lines))], within=120)
    return len(answered) / (time.perf_counter() - begin)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="box-and-circle-bench-") as folder:
        measured = []
        for one in starts.measured(Path(folder)):
            report.show(one)
            measured.append(one)
        site = LiveSite(Path(folder, "alone"), settings="tests.bench.settings")
        crowded = LiveSite(Path(folder, "crowded"), settings="tests.bench.settings")
        with site, crowded:
            crowded.run("-m", "tests.bench.others", str(OTHERS))
            for one in Bench(site, crowded).results():
                report.show(one)
                measured.append(one)
    report.save(measured)
    return 0 if all(one.is_kept for one in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
