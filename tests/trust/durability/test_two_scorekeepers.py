"""Two phones write the same hand at once, through several processes: one stands, and the other is told."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from tests.bench.lines import Answer, Line
from tests.bench.live_site import LiveSite
from tests.bench.phones import data
from tests.bench.tables import HANDS, Table, open_tables
from tests.trust.attempts import POSTGRESQL_IN_FULL, Attempt, Live

#: Seats of a table: everybody but two bids alone.
PLAYERS = 4
#: The posts of `Table.steps` in a hand in which nobody but the first bids anything else than 0.
STANDS, OTHERWISE, UNLIKE_BEFORE = 200, 409, 422
#: By hand and ask: what stands there.
Written = dict[tuple[object, object], dict[str, object]]
A_DAY_EARLIER = """
import datetime, django
django.setup()
from django.db import connection
with connection.cursor() as cursor:
    day = "datetime(at, '-1 day')" if connection.vendor == "sqlite" else "at - interval '1 day'"
    cursor.execute(f"UPDATE scoresheets_revision SET at = {day}")
"""


@dataclass
class Pairs:
    """What two phones of a table wrote at once, and what they were told."""

    table: Table
    stood: Counter[str] = field(default_factory=Counter)
    written: Written = field(default_factory=dict)

    def race(self, lines: tuple[Line, Line], one: dict[str, object], other: dict[str, object]) -> None:
        """Both at once, by two scorekeepers. Exactly one stands; the other is shown what does."""
        (second,) = self.table.others
        said = [self.table.enter(one), self.table.enter(other, cookie=second)]
        for line, post in zip(lines, said, strict=True):
            line.send(post)
        answers = [whole(line) for line in lines]
        assert sorted(answer.status for answer in answers) == [STANDS, OTHERWISE], [answer.body for answer in answers]
        winner = 0 if answers[0].status == STANDS else 1
        self.stood["the first" if winner == 0 else "the second"] += 1
        told = data(answers[1 - winner])["conflict"]
        assert (told["hand"], told["ask"]) == (one["hand"], one["ask"])
        assert " entered " in told["says"]
        assert "this phone entered" in told["says"]
        self.written[one["hand"], one["ask"]] = values((one, other)[winner])

    def play(self, lines: tuple[Line, Line], number: int) -> int:
        """A hand, in which the first bid and the tricks are written by both, otherwise. How many pairs."""
        cards, order = self.table.cards[number - 1], self.table.order(number)
        bid, *bids, tricks = self.table.steps(number)
        others = {"hand": number, "ask": "tricks"} | {
            f"f-tricks-{seat}": cards if seat == order[1] else 0 for seat in self.table.seats
        }
        # With one card the last to bid may not say 0 once somebody has said 1.
        pairs = [(bid, bid | {"f-bid": 1})] if cards > 1 else []
        if pairs:
            self.race(lines, *pairs[0])
        else:
            assert lines[0].ask(self.table.enter(bid)).status == STANDS
        for step in bids:
            assert lines[0].ask(self.table.enter(step)).status == STANDS
        self.race(lines, tricks, others)
        return len(pairs) + 1


def whole(line: Line) -> Answer:
    """The answer, once it is whole."""
    while True:
        if answer := line.receive():
            return answer


def values(fields: dict[str, object]) -> dict[str, object]:
    """What a post writes."""
    return {name.removeprefix("f-"): value for name, value in fields.items() if name.startswith("f-")}


def two_lines(site: LiveSite) -> Iterator[tuple[Line, Line]]:
    with closing(Line(site.port)) as one, closing(Line(site.port)) as other:
        yield one, other


@pytest.mark.thorough
@POSTGRESQL_IN_FULL
@pytest.mark.promise(3)
@pytest.mark.sqlite
@pytest.mark.timeout(3600)
def test_of_two_that_write_the_same_hand_one_stands_and_the_other_is_told(live_site: Live, attempt: Attempt) -> None:
    wanted, site = attempt.size(6, 1_000), live_site.site
    site.open()
    tables = open_tables(site, -(-wanted // HANDS), PLAYERS, keepers=2)
    played, stood = 0, Counter[str]()
    written: dict[str, Written] = {}
    for table in tables:
        pairs = Pairs(table)
        for number in range(1, HANDS + 1):
            if played < wanted:
                for lines in two_lines(site):
                    played += pairs.play(lines, number)
        stood += pairs.stood
        written[table.code] = pairs.written
    one_entry_each(site, written)
    assert sum(stood.values()) == played
    attempt.saw(f"{played:,} pairs: one stood ({stood['the first']} times the first), the other was shown it")


def one_entry_each(site: LiveSite, written: dict[str, Written]) -> None:
    """What was said to stand does, nothing stands twice, and no version is missing."""
    ledger = json.loads(site.run("-m", "tests.bench.ledger"))
    assert ledger["sound"] == "ok"
    for code, sheet in ledger["sheets"].items():
        entries = [entry for write in sheet["writes"] for entry in write[4]]
        assert max(Counter((hand, ask) for hand, ask, _ in entries).values()) == 1
        stands = {(hand, ask): step for hand, ask, step in entries}
        assert {address: stands[address] for address in written[code]} == written[code]
        assert [write[0] for write in sheet["writes"]] == list(range(1, sheet["version"] + 1))


@POSTGRESQL_IN_FULL
@pytest.mark.promise(3)
@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(600)
def test_tap_that_comes_again_is_one_row_and_gets_the_same_answer(live_site: Live, attempt: Attempt) -> None:
    """Twenty times at once, after a restart, a day later; and with another body it is refused."""
    taps, site = attempt.size(4, 50), live_site.site
    site.open()
    (table,) = open_tables(site, 1, PLAYERS)
    posts = [post for _, post in zip(range(taps), table.game(), strict=False)]
    keys = [secrets.token_urlsafe(18) for _ in posts]
    first = [twenty_times(site, table.enter(post, key)) for post, key in zip(posts, keys, strict=True)]

    def again() -> list[object]:
        with closing(Line(site.port)) as line:
            return [same(line.ask(table.enter(post, key))) for post, key in zip(posts, keys, strict=True)]

    assert again() == first
    site.kill()
    site.open()
    assert again() == first, "after a restart"
    site.run("-c", A_DAY_EARLIER)
    site.close()
    site.open()
    assert [without_when(one) for one in again()] == [without_when(one) for one in first], "a day later"
    with closing(Line(site.port)) as line:
        changed = [line.ask(table.enter(other(post), key)) for post, key in zip(posts, keys, strict=True)]
    assert {answer.status for answer in changed} == {UNLIKE_BEFORE}
    ledger = json.loads(site.run("-m", "tests.bench.ledger"))
    (sheet,) = ledger["sheets"].values()
    assert [write[1] for write in sheet["writes"]][1:] == keys
    attempt.saw(f"{taps} taps 20 times at once, after a kill and a day later: one row and one answer each; 422 changed")


def twenty_times(site: LiveSite, said: bytes) -> object:
    """What all of them were told, who sent it at once: the same."""
    lines = [Line(site.port) for _ in range(20)]
    for line in lines:
        line.send(said)
    told = [same(whole(line)) for line in lines]
    for line in lines:
        line.close()
    assert all(one == told[0] for one in told)
    return told[0]


def same(answer: Answer) -> dict[str, object]:
    assert answer.status == STANDS, answer.body
    told = data(answer)
    return {name: told[name] for name in ("wrote", "verb", "when")}


def without_when(told: object) -> object:
    assert isinstance(told, dict)
    return told | {"when": ""}


def other(fields: dict[str, object]) -> dict[str, object]:
    """The same step with other numbers."""
    name = next(name for name in fields if name.startswith("f-"))
    return fields | {name: 1 if fields[name] == 0 else 0}
