"""Host names of other sites: in ASCII, and looked up so that a slow name server holds up nothing but its own names."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NoAnswer

from clubs.outbox.channels import NotDelivered

#: Seconds that are waited for a name: the system asks its second name server after five.
SECONDS = 6.0
#: Names that a process looks up at once. The system's resolver cannot be told to stop, and may take half a minute.
MOST = 32
#: Seconds for which a name that was not found in time is not asked for again.
REST = 60.0
#: Letters of which the old rules for host names (IDNA 2003), which Python has, make others than the new ones (2008).
AMBIGUOUS = frozenset("ßς\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")

NOT_FOUND = "The host name in the address was not found."
NOT_IN_TIME = "The host name in the address was not found in time."
WRITE_IN_ASCII = (
    "A letter in the host name can be read in two ways. Write the name as it is registered: it begins with xn--."
)


def in_ascii(host: str) -> str:
    """The name as it is looked up. Raises `NotDelivered`, and UnicodeError where it cannot be a name.

    >>> in_ascii("Bücher.example"), in_ascii("cards.example.org")
    ('xn--bcher-kva.example', 'cards.example.org')
    """
    if host.isascii():
        return host
    if not AMBIGUOUS.isdisjoint(host.lower()):
        raise NotDelivered(WRITE_IN_ASCII, for_good=True)
    return host.encode("idna").decode("ascii")


class Resolver:
    """Looks names up, each in a thread of its own; who wants one that is under way waits for the same answer."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.under_way: dict[str, Future[list[str]]] = {}
        #: Until when names are not asked for, by the clock that only goes forward.
        self.resting: dict[str, float] = {}

    def addresses(self, host: str, end: float) -> list[str]:
        """What the name leads to, asked for until `end` at most. Raises `NotDelivered`."""
        asked = self.ask(host)
        if asked is None:
            raise NotDelivered(NOT_IN_TIME)
        try:
            return asked.result(max(min(end - time.monotonic(), SECONDS), 0))
        except NoAnswer as error:
            self.rest(host)
            raise NotDelivered(NOT_IN_TIME) from error
        except (OSError, UnicodeError) as error:
            raise NotDelivered(NOT_FOUND) from error

    def ask(self, host: str) -> Future[list[str]] | None:
        """The answer to come; None where the name had no answer a moment ago, or too many are looked up."""
        with self.lock:
            if self.resting.get(host, 0) > time.monotonic():
                return None
            if host in self.under_way:
                return self.under_way[host]
            if len(self.under_way) >= MOST:
                return None
            asked = self.under_way[host] = Future()
        threading.Thread(target=self.look, args=(host, asked), name="resolver", daemon=True).start()
        return asked

    def look(self, host: str, asked: Future[list[str]]) -> None:
        try:
            lines = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            asked.set_result(list(dict.fromkeys(str(line[4][0]) for line in lines)))
            with self.lock:
                self.resting.pop(host, None)
        except (OSError, UnicodeError) as error:
            asked.set_exception(error)
        finally:
            with self.lock:
                self.under_way.pop(host, None)

    def rest(self, host: str) -> None:
        """Ask for it again only later: until then whoever wants it is told at once."""
        with self.lock:
            now = time.monotonic()
            self.resting = {name: until for name, until in self.resting.items() if until > now} | {host: now + REST}


resolver = Resolver()
