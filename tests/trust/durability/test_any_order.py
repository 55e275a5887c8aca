"""What a phone kept for long is sent in any order, and a third of the answers gets lost: the sheet is the same."""

from __future__ import annotations

import json
import random
from contextlib import closing

import pytest

from tests.bench.lines import Line
from tests.bench.live_site import LiveSite
from tests.bench.phones import Posted
from tests.bench.tables import Table, open_tables
from tests.trust.attempts import POSTGRESQL_IN_FULL, Attempt, Live

PLAYERS = 10
#: An answer that says: not now. The phone keeps the entry.
NOT_YET = (409, 422)
LOST = 0.3


def in_order(site: LiveSite, posts: list[Posted]) -> None:
    """As a phone with a network sends them."""
    with closing(Line(site.port)) as line:
        for posted in posts:
            assert line.ask(posted.said).status == 200


def in_any_order(site: LiveSite, posts: list[Posted]) -> tuple[int, int, int]:
    """All that waits is sent in random order, round by round, until every answer has come; some answers never do.

    The site refuses what is not in its turn, and it waits for the next round. How many rounds, posts and lost answers.
    """
    waiting, rounds, sent, lost = list(posts), 0, 0, 0
    while waiting:
        random.shuffle(waiting)
        rounds, sent = rounds + 1, sent + len(waiting)
        is_lost = [random.random() < LOST for _ in waiting]
        lost += sum(is_lost)
        waiting = [
            posted for posted, gone in zip(waiting, is_lost, strict=True) if not is_answered(site, posted, gone=gone)
        ]
    return rounds, sent, lost


def is_answered(site: LiveSite, posted: Posted, *, gone: bool) -> bool:
    """Whether an answer came that says: it is written. `gone`: what the site answers gets lost."""
    with closing(Line(site.port)) as line:
        if gone:
            line.send(posted.said)
            line.receive()
            return False
        answer = line.ask(posted.said)
        assert answer.status == 200 or answer.status in NOT_YET, answer.body
        return answer.status == 200


def entries_of(site: LiveSite, table: Table) -> dict[str, object]:
    """What stands on its sheet, by hand and ask, without who sits there and when it came."""
    ledger = json.loads(site.run("-m", "tests.bench.ledger"))
    assert ledger["sound"] == "ok"
    entries = [entry for write in ledger["sheets"][table.code]["writes"] for entry in write[4] if entry[0]]
    found = {f"{hand} {ask}": step for hand, ask, step in entries}
    assert len(found) == len(entries), "something stands twice"
    return found


@pytest.mark.thorough
@POSTGRESQL_IN_FULL
@pytest.mark.promise(4)
@pytest.mark.sqlite
@pytest.mark.timeout(1800)
def test_entries_that_come_in_any_order_make_the_sheet_that_was_kept_online(live_site: Live, attempt: Attempt) -> None:
    wanted, site = attempt.size(11, 200), live_site.site
    site.open()
    online, offline = open_tables(site, 2, PLAYERS)
    steps = [step for _, step in zip(range(wanted), online.game(), strict=False)]
    assert online.cards == offline.cards
    in_order(site, [Posted(online, step) for step in steps])
    rounds, sent, lost = in_any_order(site, [Posted(offline, step) for step in steps])
    stands = entries_of(site, offline)
    assert len(stands) == wanted
    assert stands == entries_of(site, online)
    attempt.saw(
        f"{wanted} entries, all of them shuffled in each of {rounds} rounds, {sent:,} posts, {lost:,} answers lost: the"
        " same sheet"
    )
