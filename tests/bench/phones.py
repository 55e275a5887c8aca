"""Phones that keep a post until it is acknowledged, and send it again under the same key, as the outbox does."""

from __future__ import annotations

import gzip
import json
import secrets
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tests.bench.lines import Answer, CutOff, Line
from tests.bench.live_site import LiveSite
from tests.bench.tables import Table

PHONES = 8


@dataclass(frozen=True)
class Posted:
    """A post and the key of its tap."""

    table: Table
    fields: dict[str, object]
    key: str = field(default_factory=lambda: secrets.token_urlsafe(18))

    @property
    def said(self) -> bytes:
        return self.table.enter(self.fields, self.key)


def text(answer: Answer) -> str:
    """What an answer says, unpacked."""
    body = gzip.decompress(answer.body) if b"content-encoding: gzip" in answer.head.lower() else answer.body
    return body.decode()


def data(answer: Answer) -> dict[str, Any]:
    """What an answer says in JSON."""
    told: dict[str, Any] = json.loads(text(answer))
    return told


class Phone:
    """Keeps some tables, one game after the other. `acknowledged` has every post with what the site said to it.

    The `last` posts wait until they are `called`.
    """

    def __init__(self, tables: list[Table], posts: int, last: int = 0) -> None:
        all_posts = (Posted(table, fields) for table in tables for fields in table.game())
        self.waiting = deque(islice(all_posts, posts))
        self.acknowledged: list[tuple[Posted, dict[str, Any]]] = []
        self.wrong: list[str] = []
        self.sent_again = 0
        self.unsure = ""
        self.last = last
        self.called = threading.Event()

    def send_all(self, site: LiveSite) -> None:
        """Send what waits, in order, until the site falls silent."""
        try:
            line = Line(site.port)
        except OSError:
            return
        try:
            while self.waiting:
                if len(self.waiting) <= self.last:
                    self.called.wait()
                posted = self.waiting[0]
                self.sent_again += self.unsure == posted.key
                self.unsure = posted.key
                answer = line.ask(posted.said)
                if answer.status != 200:
                    self.wrong.append(f"{answer.status}: {answer.body[:300]!r}")
                    return
                self.acknowledged.append((self.waiting.popleft(), data(answer)))
        except (OSError, CutOff, ValueError):
            return  # no answer, or half of one: it stays and is sent again
        finally:
            line.close()


class Evening:
    """Eight phones that post so much in all to a house that is killed under them; each keeps its `last` back."""

    def __init__(self, site: LiveSite, tables: list[Table], posts: int, last: int = 0) -> None:
        self.site = site
        self.phones = [Phone(tables[k::PHONES], -(-posts // PHONES), last) for k in range(PHONES)]
        self.threads: list[threading.Thread] = []

    @property
    def acknowledged(self) -> list[tuple[Posted, dict[str, Any]]]:
        return [told for phone in self.phones for told in phone.acknowledged]

    @property
    def waiting(self) -> int:
        return sum(len(phone.waiting) for phone in self.phones)

    @property
    def wrong(self) -> list[str]:
        return [said for phone in self.phones for said in phone.wrong]

    def begin(self) -> None:
        """All phones begin to send."""
        self.threads = [threading.Thread(target=phone.send_all, args=[self.site], daemon=True) for phone in self.phones]
        for thread in self.threads:
            thread.start()

    def go_on(self) -> None:
        """The last posts are sent, too."""
        for phone in self.phones:
            phone.called.set()

    def wait_for(self, posts: float, seconds: float = 600) -> None:
        """Until so many posts are acknowledged, or there are no more."""
        end = time.monotonic() + seconds
        while len(self.acknowledged) < posts and self.waiting:
            assert time.monotonic() < end, "the phones do not get on"
            time.sleep(0.002)

    def all_have_stopped(self, seconds: float = 60) -> None:
        for thread in self.threads:
            thread.join(seconds)
        assert not any(thread.is_alive() for thread in self.threads), "a phone still waits for an answer"
