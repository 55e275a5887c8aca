"""A crowd: watchers that poll beside tables that post, on kept-alive connections, for a bounded time.

`python -m tests.bench.crowd --seconds 3600` gathers that of `make bench` for an hour and tells the memory of the site.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.lines import Answer, Line, Talk, converse, get
from tests.bench.live_site import LiveSite
from tests.bench.report import percentile
from tests.bench.starts import memory_of_site, memory_of_workers
from tests.bench.tables import HANDS, Table, open_tables

WATCHERS, TABLES = 1500, 20
#: Seconds between two polls of a watcher, and between two posts of a table.
POLL, POST = 2.5, 4.0
#: MiB that each server process may have, and seconds between two looks at that.
MOST_MEMORY, LOOK = 90, 300.0
#: Seconds after which a connection that waits for something else asks for the sake of asking.
ASK = 10.0
#: What a page is answered that has no more news to come.
STOP_POLLING = 286
SHOWN = re.compile(rb"\?v=([\w.-]+)")


@dataclass
class Heard:
    """Seconds of every poll and post, and every answer that should not have come."""

    polls: list[float] = field(default_factory=list)
    changed: int = 0
    posts: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def poll(self, answer: Answer) -> None:
        self.polls.append(answer.seconds)
        self.changed += answer.status in (200, STOP_POLLING)
        if answer.status not in (200, 204, STOP_POLLING):
            self.wrong.append(f"a poll was answered {answer.status}")

    def post(self, answer: Answer) -> None:
        self.posts.append(answer.seconds)
        if answer.status != 200:
            self.wrong.append(f"a post was answered {answer.status}: {answer.body[:200]!r}")

    @property
    def p95(self) -> float:
        return percentile(self.posts + self.polls, 0.95)

    @property
    def figures(self) -> str:
        """How many answers there were, and the p95 in milliseconds: "190 answers in 41 ms"."""
        return f"{len(self.posts) + len(self.polls):,} answers in {self.p95 * 1000:.0f} ms"


def gather(
    site: LiveSite, watched: list[Table], watchers: int, seconds: float, *, kept: list[Table], first_hand: int = 1,
    poll: float = POLL, post: float = POST,
) -> Heard:  # fmt: skip
    """Let so many watch the tables, and those that are `kept` play, for so long; what they heard."""
    heard, dice, end = Heard(), random.Random(20), time.perf_counter() + seconds
    pages = [f"/watch/{table.watch}/rows/" for table in watched]
    talks = [watching(heard, pages[k % len(pages)], poll, dice.random() * poll, end) for k in range(watchers)]
    talks += [keeping(heard, table, post, dice.random() * post, end, first_hand) for table in kept]
    hold(site, talks, within=seconds + 30)
    return heard


def hold(site: LiveSite, talks: Sequence[Talk], *, within: float) -> None:
    """Hold all the talks at once, each on a connection of its own."""
    room_for(len(talks))
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(Line(site.port))) for _ in talks]
        converse(lines, talks, within=within)


def watching(
    heard: Heard, path: str, every: float, begin: float, end: float, *, leaves: Callable[[], bool] = lambda: False
) -> Talk:  # fmt: skip
    """A phone that asks every so often whether there is anything new, as the page does, until somebody `leaves`."""
    yield begin
    shown = "0"
    while (now := time.perf_counter()) < end and not leaves():
        answer = yield get(f"{path}?v={shown}", HX_Request="true")
        assert answer
        heard.poll(answer)
        if answer.status == STOP_POLLING:
            return
        if answer.status == 200:
            shown = version_in(answer)
        yield max(0.0, now + every - time.perf_counter())


def keeping(heard: Heard, table: Table, every: float, begin: float, end: float, first_hand: int) -> Talk:
    """A phone that posts a bid or the tricks every so often."""
    yield begin
    for number in range(first_hand, len(table.cards) + 1):
        for said in table.hand(number):
            if (now := time.perf_counter()) >= end:
                return
            answer = yield said
            assert answer
            heard.post(answer)
            yield max(0.0, now + every - time.perf_counter())


def version_in(answer: Answer) -> str:
    """The version a fragment says it shows. Only its beginning is unpacked: the rest is for phones to do."""
    body = zlib.decompressobj(31).decompress(answer.body, 400) if b"gzip" in answer.head else answer.body
    found = SHOWN.search(body)
    return found[1].decode() if found else "0"


def room_for(lines: int) -> None:
    """Let this process hold so many connections, as far as the machine allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = lines + 100
    if soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed if hard < 0 else min(needed, hard), hard))


# For so long that games end


@dataclass
class Place:
    """A place in the room: the tables that play there one after the other. The first plays now, from hand `begins`."""

    tables: list[Table]
    begins: int

    def keeping(self, heard: Heard, every: float, begin: float, end: float, first_hand: int) -> Talk:
        """The phone that keeps score there, game after game, the later ones from `first_hand`."""
        yield from keeping(heard, self.tables[0], every, begin, end, self.begins)
        while time.perf_counter() < end and len(self.tables) > 1:
            del self.tables[0]
            yield from keeping(heard, self.tables[0], every, 0, end, first_hand)

    def watching(self, heard: Heard, every: float, begin: float, end: float) -> Talk:
        """A phone that follows whichever table plays there."""
        yield begin
        while time.perf_counter() < end:
            table = self.tables[0]

            def is_over(table: Table = table) -> bool:
                return self.tables[0] is not table

            yield from watching(heard, f"/watch/{table.watch}/rows/", every, 0, end, leaves=is_over)
            while time.perf_counter() < end and not is_over():
                yield every


@dataclass
class Look:
    """The memory (MiB) of each server process and of the whole site, and what was heard since the last look."""

    seconds: float
    workers: list[float]
    site: float
    heard: Heard

    def __str__(self) -> str:
        sizes = " and ".join(f"{size:.1f}" for size in self.workers)
        posts = percentile(self.heard.posts, 0.95) * 1000 if self.heard.posts else 0
        polls = percentile(self.heard.polls, 0.95) * 1000 if self.heard.polls else 0
        return (
            f"{self.seconds:5.0f} s: {sizes} MiB, the site {self.site:.1f}; {len(self.heard.posts):,} posts (p95 "
            f"{posts:.0f} ms), {len(self.heard.polls):,} polls ({polls:.0f} ms), {len(self.heard.wrong)} errors"
        )


def gather_for_long(
    site: LiveSite, seconds: float, *, watchers: int = WATCHERS, places: int = TABLES, players: int = 8,
    first_hand: int = 1, poll: float = POLL, post: float = POST, every: float = LOOK, spread: bool = False,
    tell: Callable[[Look], object] = lambda look: None,
) -> list[Look]:  # fmt: skip
    """Let so many watch for so long. Where a game is played out another one begins, and its watchers follow that.

    The looks: at the beginning, `every` so many seconds, and at the end. `tell` is told of each. `spread`: the tables
    begin in different hands, so that one look is like another: a page of hand 24 takes twice as long as one of hand 4.
    """
    hands = HANDS + 1 - first_hand
    a_game = hands * (players + 1) * post
    begins = [first_hand + hands * k // places if spread else first_hand for k in range(places)]
    firsts = [open_tables(site, 1, players, hand - 1) if spread else [] for hand in begins]
    later = open_tables(site, places * (int(seconds / a_game) + 1), players, first_hand - 1)
    room = [Place([*firsts[k], *later[k::places]], begins[k]) for k in range(places)]
    looks, heard, dice = list[Look](), Heard(), random.Random(20)
    begun = time.perf_counter()
    end = begun + seconds

    def look() -> None:
        since = Heard(list(heard.polls), heard.changed, list(heard.posts), list(heard.wrong))
        looks.append(Look(time.perf_counter() - begun, memory_of_workers(site), memory_of_site(site), since))
        heard.changed = 0
        for told in (heard.polls, heard.posts, heard.wrong):
            told.clear()
        tell(looks[-1])

    def looking() -> Talk:
        due = begun
        while (left := end - time.perf_counter()) > 0:
            if time.perf_counter() >= due:
                look()
                due += every
            # The site closes a connection on which nobody asks.
            yield get("/healthz")
            yield min(ASK, every, left)

    talks = [room[k % places].watching(heard, poll, dice.random() * poll, end) for k in range(watchers)]
    talks += [place.keeping(heard, post, dice.random() * post, end, first_hand) for place in room]
    hold(site, [*talks, looking()], within=seconds + 30)
    look()
    return looks


def show(look: Look) -> None:
    """A line on the terminal."""
    sys.stdout.write(f"{look}\n")
    sys.stdout.flush()


def main(seconds: float) -> int:
    with (
        tempfile.TemporaryDirectory(prefix="box-and-circle-bench-") as folder,
        LiveSite(Path(folder, "crowd"), settings="tests.bench.settings") as site,
    ):
        looks = gather_for_long(site, seconds, tell=show)
    most, wrong = max(max(look.workers) for look in looks), sum(len(look.heard.wrong) for look in looks)
    return 0 if most <= MOST_MEMORY and not wrong else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    sys.exit(main(parser.parse_args().seconds))
