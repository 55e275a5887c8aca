"""A night of a club with many games behind it, of which every table plays its last hand.

`python -m tests.bench.night open thursday 900 20` makes the club and tells its tables as JSON;
`python -m tests.bench.night count thursday` tells what was counted of it.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from tests.bench import leagues
from tests.bench.lines import post
from tests.bench.live_site import LiveSite

AT_A_TABLE = 6


@dataclass(frozen=True)
class LastHand:
    """A table as a phone knows it, and what is still to be posted: the bids and tricks of its last hand."""

    code: str
    watch: str
    pencil: str
    steps: list[dict[str, object]]

    def posts(self) -> Iterator[bytes]:
        for fields in self.steps:
            body = {"saw": "", **fields, "key": secrets.token_urlsafe(18)}
            yield post(f"/sheets/{self.code}/enter/", body, pencil=self.pencil)


@dataclass(frozen=True)
class Night:
    """Its club and path, its tables, and how many placings the club has once all of them are counted."""

    slug: str
    path: str
    tables: list[LastHand]
    placings: int


def open_night(site: LiveSite, slug: str, *, games: int, tables: int) -> Night:
    """A club of that address in the house, with so many games behind it and so many tables at their last hand."""
    told = json.loads(site.run("-m", "tests.bench.night", "open", slug, str(games), str(tables)))
    last_hands = [LastHand(**table) for table in told["tables"]]
    return Night(slug, told["path"], last_hands, AT_A_TABLE * (games + tables))


def count_of(site: LiveSite, slug: str) -> dict[str, int]:
    """How many placings and standings the club has, and how many changes still wait to be counted."""
    return dict(json.loads(site.run("-m", "tests.bench.night", "count", slug)))


def make(slug: str, games: int, tables: int) -> None:
    leagues.main(slug, games, members=max(leagues.MEMBERS, AT_A_TABLE * tables), game="dirty-dog")
    from django.db import transaction
    from django.utils import timezone

    from clubs.models import Club, Trophy
    from clubs.projections.update import remake
    from scoresheets.access.scorekeepers import hashed
    from scoresheets.models import Scorekeeper
    from scoresheets.models.sheet import new_token
    from tests.club_factories import NightFactory, played
    from tests.clubs.night_played import browser_secret

    told = []
    with transaction.atomic():
        club = Club.objects.get(slug=slug)
        for goes in ("winner", "loser"):
            Trophy.objects.create(club=club, name=goes, goes=goes)
        night = NightFactory(club=club, on=leagues.LAST)
    members = list(club.members.order_by("pk"))
    for k in range(tables):
        # One transaction each: the house is open, and its workers write too.
        with transaction.atomic():
            table = played(night, members[AT_A_TABLE * k : AT_A_TABLE * (k + 1)], hands=5)
            secret, reading = new_token(), browser_secret(table).reading
            Scorekeeper.objects.create(sheet=reading.record, browser=hashed(secret), created=timezone.now())
        opened = reading.sheet.open
        assert opened is not None
        order, cards = sorted(opened.hand.order), opened.hand.cards
        bids = dict.fromkeys(order, 0) | {order[0]: cards, order[1]: 1}
        steps = [{"ask": f"bid-{seat}", "f-bid": bids[seat]} for seat in opened.hand.order]
        tricks = {f"f-tricks-{seat}": cards if seat == order[0] else 0 for seat in order}
        steps = [{"hand": opened.hand.number, **step} for step in (*steps, {"ask": "tricks", **tricks})]
        told.append(asdict(LastHand(reading.record.code, reading.record.watch, secret, steps)))
    with transaction.atomic():
        remake(club)
    sys.stdout.write(json.dumps({"path": night.get_absolute_url(), "tables": told}))


def count(slug: str) -> None:
    import django

    django.setup()
    from django.db import transaction

    from clubs.models import Club, PendingUpdate, Placing, Standing
    from clubs.projections.rebuild import made_anew

    club = Club.objects.get(slug=slug)
    found = {
        "waiting": PendingUpdate.objects.count(),
        "placings": Placing.objects.filter(table__night__club=club).count(),
        "standings": Standing.objects.filter(club=club).count(),
    }
    if not found["waiting"]:
        with transaction.atomic():
            found["differs"] = len(made_anew(club)[1])
            transaction.set_rollback(True)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])) if sys.argv[1] == "open" else count(sys.argv[2])
