"""A crowd: watchers that poll beside tables that post, on kept-alive connections, for a bounded time."""

from __future__ import annotations

import random
import re
import resource
import time
import zlib
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from tests.bench.lines import Answer, Line, Talk, converse, get
from tests.bench.live_site import LiveSite
from tests.bench.report import percentile
from tests.bench.tables import Table

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
    poll: float = 2.5, post: float = 4.0,
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


def watching(heard: Heard, path: str, every: float, begin: float, end: float) -> Talk:
    """A phone that asks every so often whether there is anything new, as the page does."""
    yield begin
    shown = "0"
    while (now := time.perf_counter()) < end:
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
