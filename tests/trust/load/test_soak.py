"""A crowd that stays for long: memory, and how long everybody waits."""

from __future__ import annotations

import pytest

from tests.bench.crowd import gather_for_long
from tests.bench.report import percentile
from tests.trust.attempts import Attempt, Live

pytestmark = [pytest.mark.promise(15), pytest.mark.thorough, pytest.mark.sqlite, pytest.mark.timeout(7200)]

WATCHERS, TABLES = 500, 20
#: How much memory may grow after everything was used once, and p95 of the last part be to that of the first.
MOST_GROWTH, MOST_SLOWER = 1.05, 1.2


def test_crowd_that_stays_takes_no_more_memory_and_waits_no_longer(live_site: Live, attempt: Attempt) -> None:
    seconds, site = attempt.size(12, 1_800), live_site.site
    watchers, tables = attempt.size(50, WATCHERS), attempt.size(4, TABLES)
    site.open()
    looks = gather_for_long(site, seconds, watchers=watchers, places=tables, every=seconds / 6)
    assert [wrong for look in looks for wrong in look.heard.wrong] == []
    # The first look is at once, and in the first part each process makes what it keeps.
    first, last = looks[2], looks[-1]
    growth, before, after = last.site / first.site, p95(first.heard.posts), p95(last.heard.posts)
    posts, polls = (sum(len(look.heard.posts) for look in looks), sum(len(look.heard.polls) for look in looks))
    attempt.saw(
        f"{watchers} watchers and {tables} tables for {seconds // 60} min, {posts:,} posts and {polls:,} polls without"
        f" an error: memory {first.site:.0f} to {last.site:.0f} MiB, p95 of posts {before:.0f} to {after:.0f} ms"
    )
    if attempt.whole:
        assert growth < MOST_GROWTH
        assert after <= MOST_SLOWER * before


def p95(seconds: list[float]) -> float:
    """In milliseconds."""
    return percentile(seconds, 0.95) * 1000
