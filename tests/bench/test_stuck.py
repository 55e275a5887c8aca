"""A request that is stuck ends its process, and no other does."""

import time

import pytest

from clubs.server.watchdog import Watchdog


def test_who_answers_in_time_is_left_alone() -> None:
    ended: list[bool] = []
    watchdog = Watchdog(lambda environ, start_response: [b"ok"], 0.01, lambda: ended.append(True))
    assert watchdog({}, None) == [b"ok"]
    time.sleep(0.02)
    watchdog.check()
    assert ended == []


def test_request_that_takes_too_long_is_noticed_while_it_lasts_and_not_after() -> None:
    ended: list[bool] = []

    def slow(environ: dict[str, object], start_response: object) -> list[bytes]:
        time.sleep(0.02)
        watchdog.check()
        return []

    watchdog = Watchdog(slow, 0.01, lambda: ended.append(True))
    watchdog({}, None)
    watchdog.check()
    assert ended == [True]


def test_request_that_breaks_is_not_waited_for() -> None:
    def broken(environ: dict[str, object], start_response: object) -> list[bytes]:
        raise ValueError("broken")

    ended: list[bool] = []
    watchdog = Watchdog(broken, 0.01, lambda: ended.append(True))
    with pytest.raises(ValueError, match="broken"):
        watchdog({}, None)
    time.sleep(0.02)
    watchdog.check()
    assert ended == []
