"""Tables that play: sheets opened beside the server, and what their scorekeepers post, hand by hand.

`python -m tests.bench.tables 8 6` opens eight sheets for six players in the database of the environment and tells of
them as JSON. A third number is how many hands are already played, a fourth how many scorekeepers a table has.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from tests.bench.lines import post
from tests.bench.live_site import LiveSite

#: Hands of a game: the twentieth is not the last.
HANDS = 24


@dataclass(frozen=True)
class Table:
    """A sheet as a phone knows it: its addresses, its cookie, who sits there, who deals first, cards by hand.

    `others`: the cookies of its other scorekeepers.
    """

    code: str
    watch: str
    cookie: str
    seats: list[int]
    dealer: int
    cards: list[int]
    others: Sequence[str] = ()

    def hand(self, number: int) -> Iterator[bytes]:
        """The posts of a whole hand: everybody bids nothing, and the first takes all the tricks."""
        for fields in self.steps(number):
            yield self.enter(fields)

    def steps(self, number: int) -> Iterator[dict[str, object]]:
        """What those posts say, without keys."""
        cards, order = self.cards[number - 1], self.order(number)
        for seat in order:
            yield {"hand": number, "ask": f"bid-{seat}", "f-bid": 0}
        tricks = {f"f-tricks-{seat}": cards if seat == order[0] else 0 for seat in self.seats}
        yield {"hand": number, "ask": "tricks", **tricks}

    def order(self, number: int) -> list[int]:
        """The seats as they bid in a hand; the dealer is the last."""
        n = len(self.seats)
        first = self.seats.index(self.dealer) + number
        return [self.seats[(first + k) % n] for k in range(n)]

    def game(self) -> Iterator[dict[str, object]]:
        """What all posts of the game say."""
        for number in range(1, len(self.cards) + 1):
            yield from self.steps(number)

    def enter(self, fields: dict[str, object], key: str = "", cookie: str = "") -> bytes:
        """The post that writes it, with the first cookie of the table or another."""
        body = {"saw": "", **fields, "key": key or secrets.token_urlsafe(18)}
        return post(f"/sheets/{self.code}/enter/", body, cookie=cookie or self.cookie)


def open_tables(site: LiveSite, count: int, players: int = 6, hands: int = 0, keepers: int = 1) -> list[Table]:
    """Sheets newly opened in the house, with so many hands played, and so many scorekeepers each."""
    told = site.run("-m", "tests.bench.tables", str(count), str(players), str(hands), str(keepers))
    return [Table(**table) for table in json.loads(told)]


def main(count: int, players: int, hands: int = 0, keepers: int = 1) -> None:
    import django

    django.setup()
    from django.db import transaction

    from scoresheets.access.scorekeepers import hashed
    from scoresheets.models.sheet import new_token
    from tests.factories import ScorekeeperFactory, scorer

    tables = []
    # One transaction, so that nothing waits for the disk post by post.
    with transaction.atomic():
        for _ in range(count):
            secret = new_token()
            kept = scorer(players, browser=hashed(secret), plan={"hands": HANDS})
            for _ in range(hands):
                kept.any_hand()
            sheet, setup = kept.sheet, kept.reading.setup
            cards = list(kept.reading.table.schedule)
            others = [new_token() for _ in range(keepers - 1)]
            for other in others:
                ScorekeeperFactory(sheet=sheet, browser=hashed(other))
            table = Table(sheet.code, sheet.watch, secret, list(setup.seats), setup.first_dealer, cards, others)
            tables.append(asdict(table))
    sys.stdout.write(json.dumps(tables))


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:]))
