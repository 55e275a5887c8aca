"""What follows from a game is counted, whatever happens to the site between the post and the counting."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.bench.ends import FOLLOW, end_at_once
from tests.bench.lines import Line
from tests.bench.live_site import LiveSite
from tests.bench.night import Night, count_of, open_night


def wait_until_counted(site: LiveSite, slug: str, placings: int) -> None:
    end = time.monotonic() + 60
    while (found := count_of(site, slug))["waiting"] or found["placings"] != placings:
        assert time.monotonic() < end, found


def end_all(site: LiveSite, night: Night) -> None:
    line = Line(site.port)
    for table in night.tables:
        for said in table.posts():
            assert line.ask(said).status == 200
    line.close()


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(300)
def test_games_that_end_are_counted_by_the_site_itself(tmp_path: Path) -> None:
    with LiveSite(tmp_path / "var") as site:
        night = open_night(site, "thursday", games=8, tables=3)
        end_all(site, night)
        wait_until_counted(site, "thursday", night.placings)


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(300)
def test_tables_that_end_at_once_are_answered_and_counted_whoever_looks_on(tmp_path: Path) -> None:
    """The load of `make bench`, small and without a watch in its hand."""
    with LiveSite(tmp_path / "var") as site:
        night = open_night(site, "thursday", games=8, tables=3)
        heard = end_at_once(site, night, come=1, bids=2, after=3)
        assert heard.wrong == []
        assert len(heard.posts) + len(heard.before.posts) == 3 * 7
        # Who follows a table hears of its end, and then nothing more is asked.
        assert heard.changed >= 3 * FOLLOW
        assert heard.counted
        assert count_of(site, "thursday")["placings"] == night.placings


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(300)
def test_site_that_is_killed_between_the_post_and_the_counting_counts_when_it_is_open_again(tmp_path: Path) -> None:
    site = LiveSite(tmp_path / "var")
    site.open()
    try:
        night = open_night(site, "thursday", games=8, tables=3)
        end_all(site, night)
        site.kill()
        before = count_of(site, "thursday")
        assert before["waiting"] or before["placings"] == night.placings, "nothing is lost"
        site.open()
        wait_until_counted(site, "thursday", night.placings)
        assert count_of(site, "thursday")["differs"] == 0, "a full remake comes to the same"
    finally:
        site.close()
