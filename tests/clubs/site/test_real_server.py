"""The server as it really runs: what a guest does to it, and what ends its workers."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from clubs import __version__
from tests.bench.lines import TOKEN, Line, get
from tests.bench.live_site import LiveSite
from tests.trust.attempts import Attempt
from tests.waiting import until

pytestmark = pytest.mark.sqlite

#: It says that a hundred bytes come, and sends two.
STALLED = (
    f"POST /open/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: csrftoken={TOKEN}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nab"
).encode()
WRONG = "A" * 22


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, ready_folder: Path) -> Iterator[LiveSite]:
    folder = shutil.copytree(ready_folder, tmp_path_factory.mktemp("real") / "site")
    with LiveSite(folder, LONGEST_REQUEST="3", TRUSTED_PROXIES="127.0.0.1") as opened:
        yield opened


def status(site: LiveSite, path: str = "/healthz", **headers: str) -> int:
    line = Line(site.port)
    try:
        return line.ask(get(path, **headers)).status
    finally:
        line.close()


@pytest.mark.thorough
def test_sixty_posts_that_stall_close_the_site_to_nobody(site: LiveSite) -> None:
    with ExitStack() as stack:
        stalled = [stack.enter_context(socket.create_connection(("127.0.0.1", site.port), 30)) for _ in range(60)]
        for connection in stalled:
            connection.sendall(STALLED)

        def are_given_up() -> bool:
            assert status(site) == 200
            return len(select.select(stalled, [], [], 0)[0]) == len(stalled)

        until(are_given_up)
        assert {connection.recv(32)[:12] for connection in stalled} == {b"HTTP/1.1 408"}
    journal = site.journal.read_text()
    assert "restarted" not in journal
    assert "Unexpected exit" not in journal


def test_nothing_is_read_for_phones_that_hung_up(site: LiveSite) -> None:
    """Else a crowd that asks and leaves would keep those who stay waiting. It comes and leaves at one moment."""
    site.run("-m", "tests.bench.leagues", "crowd", "100")
    # A page that takes long: a quick one is read before the server looks who is still there.
    standings = get("/clubs/crowd/standings/")
    with held(workers(site)), ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(socket.create_connection(("127.0.0.1", site.port), 30)).sendall(standings)
    assert {status(site, "/clubs/") for _ in range(10)} == {200}
    # About ten; 122 if the server did not look.
    assert site.journal.read_text().count("GET standings") < 60


@contextmanager
def held(processes: list[int]) -> Iterator[None]:
    """They stand still meanwhile."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


@pytest.mark.thorough
def test_post_that_is_slow_but_moves_is_taken(site: LiveSite) -> None:
    head, _, body = STALLED.partition(b"\r\n\r\n")
    with socket.create_connection(("127.0.0.1", site.port), 30) as slow:
        slow.sendall(head + b"\r\n\r\n")
        for _ in range(10):
            slow.sendall(body * 5)
            time.sleep(0.6)
        # All of it is there, so it is read: the form has no token.
        assert slow.recv(32).startswith(b"HTTP/1.1 403")


@pytest.mark.thorough
def test_address_that_sends_too_much_at_once_reads_so_and_others_and_taps_are_answered(site: LiveSite) -> None:
    large = (
        "POST /clubs/found/from-a-file/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Cookie: csrftoken={TOKEN}\r\nX-Forwarded-For: %s\r\n"
        f"Content-Type: application/octet-stream\r\nContent-Length: {8 << 20}\r\n\r\nab"
    )
    with ExitStack() as stack:

        def connect(address: str) -> socket.socket:
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", site.port), 30))
            connection.sendall((large % address).encode())
            return connection

        under_way = [connect("203.0.113.9") for _ in range(40)]
        # Two processes, each with room for sixteen.
        until(lambda: len(select.select(under_way, [], [], 0)[0]) >= 40 - 32)
        refused, _, _ = select.select(under_way, [], [], 0)
        assert {each.recv(12) for each in refused} == {b"HTTP/1.1 503"}
        assert b"Too many large files are being sent" in refused[0].recv(65536)
        assert select.select([connect("203.0.113.10")], [], [], 0.5)[0] == []
        assert status(site) == 200


@pytest.mark.promise(10)
def test_only_the_canonical_header_of_a_proxy_counts(site: LiveSite, attempt: Attempt) -> None:
    def try_wrong_address(number: int) -> int:
        line = Line(site.port)
        forged = f"X_Forwarded_For: 198.51.100.{number}\r\nX-Forwarded-For: 203.0.113.9\r\n"
        try:
            said = get(f"/watch/{WRONG}/").replace(b"Host:", f"{forged}Host:".encode())
            return line.ask(said).status
        finally:
            line.close()

    assert [try_wrong_address(number) for number in range(30 + 1)] == [404] * 30 + [429]
    attempt.saw("forged headers of a proxy change no limit")


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("host", ["Host: 10.0.0.5:8000\r\n", "Host: evil.example\r\n", "Host:\r\n", ""])
def test_probe_by_address_of_the_machine_is_answered(site: LiveSite, host: str) -> None:
    with socket.create_connection(("127.0.0.1", site.port), 30) as probe:
        probe.sendall(f"GET /healthz HTTP/1.0\r\n{host}\r\n".encode())
        head, _, body = probe.makefile("rb").read().partition(b"\r\n\r\n")
    assert head.split(b" ")[1] == b"200"
    assert json.loads(body) == {"database": "ok", "version": __version__}


def test_journal_has_a_line_for_the_page_and_none_for_its_static_files(site: LiveSite) -> None:
    line = Line(site.port)
    try:
        page = line.ask(get("/open/", **{"Accept-Encoding": "identity"})).body.decode()
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
        assert len(files) == 5, "two icons, a script before the first paint, and two bundles"
        before = len(site.journal.read_text())
        assert {line.ask(get(file)).status for file in files} == {200}
        line.ask(get("/open/"))
    finally:
        line.close()
    written = site.journal.read_text()[before:]
    assert written.count(" GET open_sheet 200 ") == 1
    assert "static" not in written


def workers(site: LiveSite) -> list[int]:
    """The processes that answer: those below the server, which is below the supervisor."""
    assert site.process
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(folder.name))
    # While the supervisor starts the server anew there is none.
    return [worker for server in children.get(site.process.pid, []) for worker in children.get(server, [])]


def test_workers_leave_ctrl_c_to_their_server(site: LiveSite) -> None:
    """It reaches every process of a terminal. Workers that end by themselves look as if they had broken."""
    before = workers(site)
    for worker in before:
        os.kill(worker, signal.SIGINT)
    assert {status(site, "/healthz") for _ in range(20)} == {200}
    assert workers(site) == before
    assert "Unexpected exit" not in site.journal.read_text()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="they are forks on Linux alone")
def test_workers_share_the_memory_of_what_was_loaded(site: LiveSite) -> None:
    assert status(site) == 200
    for worker in workers(site):
        rollup = Path(f"/proc/{worker}/smaps_rollup").read_text()
        kib = {name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB$", rollup, re.MULTILINE)}
        # Of the ninety MiB that it sees.
        assert kib["Shared_Dirty"] > 40 * 1024
        assert kib["Pss"] < 0.6 * kib["Rss"]


@pytest.mark.thorough
def test_workers_that_are_killed_again_and_again_are_started_again(tmp_path: Path) -> None:
    with LiveSite(tmp_path / "var") as site:
        # A server that ends before its supervisor has seen it open is not started again.
        site.wait_for_line("Box & Circle is open")
        for _ in range(3):
            for worker in workers(site):
                # When one has ended again and again, the server ends the other by itself.
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
            site.wait_for_answer(60)
        assert site.process
        assert site.process.poll() is None
        assert status(site) == 200
