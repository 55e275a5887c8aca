"""What was acknowledged is kept, whenever the site is killed: nothing is missing, nothing is doubled."""

from __future__ import annotations

import json
import random
import time

import pytest

from tests.bench.ledger import Ledger
from tests.bench.lines import Line
from tests.bench.live_site import LiveSite
from tests.bench.night import Night, count_of, is_waiting, open_night
from tests.bench.phones import PHONES, Evening, Phone, Posted, data
from tests.bench.tables import Table, open_tables
from tests.trust.attempts import Attempt, Live
from tests.waiting import until

#: Seconds within which it answers again: while the tests of a busy machine run it has longer.
READY, READY_SOMEHOW = 2.0, 60.0


class Killing:
    """Kills a site, with its database every other time, and opens it again.

    `ready`: the seconds until it answered. `between`: how often between a change and what follows from it.
    """

    def __init__(self, live: Live) -> None:
        self.live = live
        self.ready: list[float] = []
        self.between = 0

    def again(self, *, look: bool = False) -> None:
        self.live.site.kill()
        if self.live.cluster and len(self.ready) % 2:
            self.live.cluster.kill()
            self.live.cluster.start()
        self.between += look and is_waiting(self.live.site)
        begin = time.monotonic()
        self.live.site.open()
        self.ready.append(time.monotonic() - begin)

    def told(self) -> str:
        return f"ready again after at most {max(self.ready):.1f} s"


def evening(live: Live, killing: Killing, *, kills: int, posts: int) -> Evening:
    """Post until all is acknowledged, and kill the site so many times meanwhile."""
    live.site.open()
    a_game = 24 * 11
    games = -(-posts // (PHONES * a_game))
    told = Evening(live.site, open_tables(live.site, PHONES * games, 10), posts)
    for turn in range(kills):
        told.begin()
        # Somewhere in this part of the posts, and at any moment of one.
        target = min(posts * turn + random.randrange(1, posts), posts * kills) / kills
        told.wait_for(target)
        time.sleep(random.random() * 0.02)
        killing.again()
        told.all_have_stopped()
    told.begin()
    told.all_have_stopped(3000)
    assert told.wrong == []
    assert told.waiting == 0
    return told


def same_again(site: LiveSite, told: Evening) -> None:
    """A tap that is sent again gets the same answer as before."""
    line = Line(site.port)
    for posted, answer in random.sample(told.acknowledged, min(60, len(told.acknowledged))):
        again = data(line.ask(posted.said))
        assert {name: again[name] for name in ("wrote", "verb", "when")} == {
            name: answer[name] for name in ("wrote", "verb", "when")
        }
    line.close()


def all_is_kept(site: LiveSite, told: Evening) -> None:
    """Every acknowledged post stands once, in the version it was told, and nothing else does."""
    ledger = ledger_of(site)
    assert ledger["sound"] == "ok"
    kept = {(code, write[1]): write for code, sheet in ledger["sheets"].items() for write in sheet["writes"]}
    for posted, answer in told.acknowledged:
        version, _, verb, when, entries = kept.pop((posted.table.code, posted.key))
        assert (version, verb, when) == (answer["wrote"], "enter", answer["when"])
        assert entries == [[posted.fields["hand"], posted.fields["ask"], step_of(posted.fields)]]
    assert {write[2] for write in kept.values()} == {"open"}
    for sheet in ledger["sheets"].values():
        assert [write[0] for write in sheet["writes"]] == list(range(1, sheet["version"] + 1))


def ledger_of(site: LiveSite) -> Ledger:
    """Every write of every sheet."""
    ledger: Ledger = json.loads(site.run("-m", "tests.bench.ledger"))
    return ledger


def step_of(fields: dict[str, object]) -> dict[str, object]:
    return {name.removeprefix("f-"): value for name, value in fields.items() if name.startswith("f-")}


@pytest.mark.promise(1, beside="nothing")
@pytest.mark.sqlite
@pytest.mark.timeout(7200)
def test_site_that_is_killed_has_kept_what_it_acknowledged(live_site: Live, attempt: Attempt) -> None:
    kills, posts = attempt.size(1, 50), attempt.size(64, 20_000)
    killing = Killing(live_site)
    told = evening(live_site, killing, kills=kills, posts=posts)
    same_again(live_site.site, told)
    assert len(told.acknowledged) >= posts
    all_is_kept(live_site.site, told)
    assert max(killing.ready) < (READY if attempt.whole else READY_SOMEHOW), killing.told()
    again = sum(phone.sent_again for phone in told.phones)
    attempt.saw(f"{kills} kills, {posts:,} posts, {again} sent again: none missing, none doubled; {killing.told()}")


@pytest.mark.promise(1, beside="nothing")
@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(7200)
def test_what_follows_from_the_end_of_a_game_is_made_up_for_after_a_kill(live_site: Live, attempt: Attempt) -> None:
    """Every table posts its last hand, and the site is killed at any moment of what follows from that."""
    kills = attempt.size(2, 50)
    killing = Killing(live_site)
    site = live_site.site
    site.open()
    night = open_night(site, "thursday", games=attempt.size(20, 300), tables=kills, apart=True)
    for number in range(kills):
        last_tap_and_kill(site, night, number, killing)
    counted(site, night)
    found = count_of(site, night.slug)
    assert found["differs"] == 0
    assert found["placings"] == night.placings
    assert (found["awards"], found["wrong awards"]) == (2 * kills, 0)
    assert killing.between or not attempt.whole
    attempt.saw(
        f"{kills} kills around the end of a game, {killing.between} of them before all was counted: all copies equal a"
        f" recomputation, and {found['awards']} trophies went to the right people"
    )


def last_tap_and_kill(site: LiveSite, night: Night, number: int, killing: Killing) -> None:
    """The last hand of a table, killed within the tenth of a second around its end; what was lost is sent again."""
    table = night.tables[number]
    phone = Phone([], 0)
    known = Table(table.code, table.watch, table.cookie, [], 0, [])
    phone.waiting.extend(Posted(known, step) for step in table.steps)
    moment, sent = random.random() * 0.1, len(phone.waiting)
    told = Evening(site, [], 0)
    told.phones = [phone]
    told.begin()
    told.wait_for(sent - 1)
    time.sleep(moment)
    killing.again(look=True)
    told.all_have_stopped()
    told.begin()
    told.all_have_stopped()
    assert phone.wrong == []
    assert len(phone.acknowledged) == sent


def counted(site: LiveSite, night: Night) -> None:
    """Wait until nothing is left to be counted."""
    until(lambda: not count_of(site, night.slug)["waiting"], "What followed was never counted.")
