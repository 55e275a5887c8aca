"""An upgrade that is killed at any moment leaves the old or the new, and the next run finishes it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time

import pytest

from tests.bench.live_site import PROJECT, LiveSite
from tests.trust.attempts import Attempt, Live
from tests.trust.durability.versions import Look


def looks(site: LiveSite, what: str) -> list[Look]:
    """What is in the database: before and after it goes `back`, after each step `forward`, or as it is for a `look`."""
    told: list[Look] = json.loads(site.run("-m", "tests.trust.durability.versions", what))
    return told


def upgrade(site: LiveSite, *, kill_after: float | None = None) -> float:
    """Run `manage.py migrate`, and kill it after so many seconds. How long it ran."""
    begin = time.monotonic()
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    process = subprocess.Popen(command, cwd=PROJECT, env=site.environment, stdin=subprocess.DEVNULL)
    try:
        process.wait(kill_after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    else:
        assert process.returncode == 0
    return time.monotonic() - begin


@pytest.mark.promise(13)
@pytest.mark.long
@pytest.mark.sqlite
@pytest.mark.timeout(7200)
def test_upgrade_that_is_killed_leaves_old_or_new_and_the_next_run_finishes(live_site: Live, attempt: Attempt) -> None:
    """In short `test_migrate.py` asks it: a migration that cannot be recorded makes nothing."""
    games, kills, site = attempt.size(100, 10_000), attempt.size(2, 25), live_site.site
    site.var.mkdir(exist_ok=True)
    site.run("manage.py", "migrate", "--verbosity", "0")
    site.run("-m", "tests.bench.leagues", "big", str(games))
    _, old = looks(site, "back")
    steps = looks(site, "forward")
    tables = {tuple(step["applied"]): step["tables"] for step in steps}
    assert looks(site, "back") == [steps[-1], old]
    longest, between = upgrade(site), 0
    for _ in range(kills):
        assert looks(site, "back") == [steps[-1], old]
        upgrade(site, kill_after=random.uniform(longest / 4, longest))
        (found,) = looks(site, "look")
        assert found["tables"] == tables[tuple(found["applied"])]
        assert found["rows"] == old["rows"]
        between += found["applied"] not in (old["applied"], steps[-1]["applied"])
        upgrade(site)
    assert looks(site, "look") == steps[-1:]
    attempt.saw(
        f"{games:,} games, {kills} kills, {between} of them between two of {len(steps) - 1} steps: old or new, and the"
        " next run finished"
    )
