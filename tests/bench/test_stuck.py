"""A phone that goes out of reach in the middle of a post closes the site to nobody for long."""

import socket
import time
from pathlib import Path

import pytest

from clubs.lookout import Lookout
from tests.bench.doors import Doors

#: It says that a hundred bytes come, and sends two.
STALLED = (
    b"POST /open/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: csrftoken=" + b"x" * 32 + b"\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nab"
)


@pytest.mark.sqlite
def test_worker_that_waits_for_a_phone_out_of_reach_is_started_anew(tmp_path: Path) -> None:
    with Doors(tmp_path / "var", WORKERS="1", LONGEST_REQUEST="3") as doors:
        # A worker that ends right after its start would be taken for one that cannot start.
        time.sleep(6)
        with socket.create_connection(("127.0.0.1", doors.port)) as phone:
            phone.sendall(STALLED)
            time.sleep(1)  # until the worker reads it
            doors.wait_for_answer(45)
            assert "started anew" in doors.journal.read_text()


def test_who_answers_in_time_is_left_alone() -> None:
    ended: list[bool] = []
    lookout = Lookout(lambda environ, start_response: [b"ok"], 0.01, lambda: ended.append(True))
    assert lookout({}, None) == [b"ok"]
    time.sleep(0.02)
    lookout.look()
    assert ended == []


def test_request_that_takes_too_long_is_noticed_while_it_lasts_and_not_after() -> None:
    ended: list[bool] = []

    def slow(environ: dict[str, object], start_response: object) -> list[bytes]:
        time.sleep(0.02)
        lookout.look()
        return []

    lookout = Lookout(slow, 0.01, lambda: ended.append(True))
    lookout({}, None)
    lookout.look()
    assert ended == [True]


def test_request_that_breaks_is_not_waited_for() -> None:
    def broken(environ: dict[str, object], start_response: object) -> list[bytes]:
        raise ValueError("broken")

    ended: list[bool] = []
    lookout = Lookout(broken, 0.01, lambda: ended.append(True))
    with pytest.raises(ValueError, match="broken"):
        lookout({}, None)
    time.sleep(0.02)
    lookout.look()
    assert ended == []
