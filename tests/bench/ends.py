"""Twenty tables of a large club end at once: how long their posts take, and the polls of everybody who looks on.

`python -m tests.bench.ends` measures it alone.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.bench import report
from tests.bench.crowd import Heard, hold, watching
from tests.bench.lines import Answer, Line, Talk, get
from tests.bench.live_site import LiveSite
from tests.bench.night import LastHand, Night, open_night
from tests.bench.report import Measured

GAMES, TABLES = 900, 20
#: So many tables end one after the other before.
IN_TURN = 8
#: Phones that follow each table, and the night.
FOLLOW, FOLLOW_NIGHT = 6, 40
#: Seconds: how often they ask; until all of them have come, which is another measurement; while bids are written; and
#: how long everybody looks on after the end.
POLL, POLL_NIGHT = 2.5, 10.0
COME, BIDS, AFTER = 12.0, 5.0, 10.0
#: A machine that is slow today is slow before the end too.
AT_MOST = 3
#: How often it is asked whether everything is counted: this is no poll of the measurement.
LOOK = 0.1


@dataclass
class Ended(Heard):
    """What was heard from the moment `last` on, and `before` while bids were written; after how many seconds all of it
    was counted.
    """

    last: float = 0.0
    before: Heard = field(default_factory=Heard)
    counted: list[float] = field(default_factory=list)

    def poll(self, answer: Answer) -> None:
        Heard.poll(self.at(answer), answer)

    def post(self, answer: Answer) -> None:
        Heard.post(self.at(answer), answer)

    def at(self, answer: Answer) -> Heard:
        """Where an answer belongs, by the moment at which it was asked for."""
        return self if time.perf_counter() - answer.seconds >= self.last else self.before


def end_at_once(
    site: LiveSite, night: Night, *, come: float = COME, bids: float = BIDS, after: float = AFTER
) -> Ended:  # fmt: skip
    """Every table writes the bids of its last hand, and all tricks within a second. What was heard by everybody."""
    dice, last = random.Random(20), time.perf_counter() + come + bids
    heard = Ended(last=last)
    heard.before.wrong = heard.wrong
    pages = [(f"/watch/{table.watch}/rows/", POLL) for table in night.tables for _ in range(FOLLOW)]
    pages += [(f"{night.path}tables/", POLL_NIGHT)] * FOLLOW_NIGHT
    talks = [ending(heard, table, bids, come + dice.random(), last + dice.random()) for table in night.tables]
    talks += [watching(heard, page, every, dice.random() * every, last + after) for page, every in pages]
    posts = sum(len(table.steps) for table in night.tables)
    talks.append(counting(heard, f"/clubs/{night.slug}/being-counted/", last, posts))
    hold(site, talks, within=come + bids + after + 60)
    return heard


def ending(heard: Heard, table: LastHand, within: float, begin: float, last: float) -> Talk:
    """The phone of a table: bids one after the other, and the tricks at the moment `last`."""
    *bids, tricks = table.posts()
    yield begin
    for said in bids:
        answer = yield said
        assert answer
        heard.post(answer)
        yield within / (len(bids) + 2)
    yield max(0.0, last - time.perf_counter())
    answer = yield tricks
    assert answer
    heard.post(answer)


def counting(heard: Ended, path: str, last: float, posts: int) -> Talk:
    """Until a page that says "being counted" is told that it is done, once all those posts are answered."""
    yield max(0.0, last - time.perf_counter()) + LOOK
    while True:
        answer = yield get(path, HX_Request="true")
        assert answer
        if answer.status == 200 and len(heard.posts) + len(heard.before.posts) >= posts:
            break
        yield LOOK
    heard.counted.append(time.perf_counter() - last)


def end_in_turn(site: LiveSite, night: Night, tables: list[LastHand]) -> tuple[list[float], list[float]]:
    """Seconds of the posts that end a game, and of those before: one table after the other, when all is counted."""
    usual, last = [], []
    asked = get(f"/clubs/{night.slug}/being-counted/", HX_Request="true")
    with closing(Line(site.port)) as line:
        for table in tables:
            *bids, tricks = table.posts()
            usual += [line.ask(said).seconds for said in bids]
            last.append(line.ask(tricks).seconds)
            while line.ask(asked).status != 200:
                time.sleep(LOOK)
    return last, usual


def measured(site: LiveSite) -> Iterator[Measured]:
    """The posts that end a game, and all posts and polls of tables that end together."""
    warm = open_night(site, "warm", games=10, tables=2)
    end_at_once(site, warm)
    night = open_night(site, "thursday", games=GAMES, tables=IN_TURN + TABLES)
    last, usual = (statistics.median(seconds) for seconds in end_in_turn(site, night, night.tables[TABLES:]))
    yield Measured(f"The post that ends a game in a club of {GAMES} games, to those before", last / usual, at_most=3,
                   told=f"{last * 1000:.1f} ms to {usual * 1000:.1f} ms")  # fmt: skip
    heard = end_at_once(site, replace(night, tables=night.tables[:TABLES]))
    name = f"{TABLES} tables end at once in a club of {GAMES} games: p95 of posts and polls, to the seconds before"
    yield Measured(
        name, heard.p95 / heard.before.p95, at_most=AT_MOST, told=f"{heard.figures} to {heard.before.figures}"
    )
    yield Measured("… all is counted after", max(heard.counted), at_most=5, unit=" s")
    yield Measured("… errors", len(heard.wrong), at_most=0, told=heard.wrong[0][:80] if heard.wrong else "")


def main() -> int:
    kept = []
    with tempfile.TemporaryDirectory(prefix="box-and-circle-bench-") as folder, LiveSite(Path(folder, "ends")) as site:
        for one in measured(site):
            report.show(one)
            kept.append(one.is_kept)
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
