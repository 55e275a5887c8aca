"""A night of a club with many games behind it, of which every table plays its last hand.

`python -m tests.bench.night open thursday 900 20` makes the club and tells its tables as JSON, with `apart` a night for
each; `python -m tests.bench.night count thursday` tells what was counted of it, `waiting` only what still waits.
"""

from __future__ import annotations

import datetime
import json
import secrets
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tests.bench import leagues
from tests.bench.lines import post
from tests.bench.live_site import LiveSite

if TYPE_CHECKING:
    from clubs.models import Club

AT_A_TABLE = 6
#: Trophies are older than all nights.
LONG_AGO = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)


@dataclass(frozen=True)
class LastHand:
    """A table as a phone knows it, and what is still to be posted: the bids and tricks of its last hand."""

    code: str
    watch: str
    cookie: str
    steps: list[dict[str, object]]

    def posts(self) -> Iterator[bytes]:
        for fields in self.steps:
            body = {"saw": "", **fields, "key": secrets.token_urlsafe(18)}
            yield post(f"/sheets/{self.code}/enter/", body, cookie=self.cookie)


@dataclass(frozen=True)
class Night:
    """Its club and path, its tables, and how many placings the club has once all of them are counted."""

    slug: str
    path: str
    tables: list[LastHand]
    placings: int


def open_night(site: LiveSite, slug: str, *, games: int, tables: int, apart: bool = False) -> Night:
    """A club of that address in the house, with so many games behind it and so many tables at their last hand.

    With `apart` each table has a night of its own, and decides about the trophies of the winner and of the loser.
    """
    more = ["apart"] if apart else []
    told = json.loads(site.run("-m", "tests.bench.night", "open", slug, str(games), str(tables), *more))
    last_hands = [LastHand(**table) for table in told["tables"]]
    return Night(slug, told["path"], last_hands, AT_A_TABLE * (games + tables))


def count_of(site: LiveSite, slug: str) -> dict[str, int]:
    """How many placings and standings the club has, and how many changes still wait to be counted."""
    return dict(json.loads(site.run("-m", "tests.bench.night", "count", slug)))


def is_waiting(site: LiveSite) -> bool:
    """Whether changes still wait to be counted."""
    return bool(json.loads(site.run("-m", "tests.bench.night", "waiting")))


def make(slug: str, games: int, tables: int, *, apart: bool) -> None:
    leagues.main(slug, games, members=max(leagues.MEMBERS, AT_A_TABLE * tables), game="dirty-dog")
    from django.db import transaction
    from django.utils import timezone

    from clubs.models import Club, Trophy
    from clubs.projections.update import remake
    from scoresheets.access.scorekeepers import hashed
    from scoresheets.models import Scorekeeper
    from scoresheets.models.sheet import new_token
    from tests.club_factories import NightFactory, played
    from tests.clubs.night_played import scorer_of

    told = []
    with transaction.atomic():
        club = Club.objects.get(slug=slug)
        for goes in ("winner", "loser"):
            Trophy.objects.create(club=club, name=goes, goes=goes, **({"added_at": LONG_AGO} if apart else {}))
        night = NightFactory(club=club, on=leagues.LAST)
    members = list(club.members.order_by("pk"))
    for k in range(tables):
        # One transaction each: the house is open, and its workers write too.
        with transaction.atomic():
            if apart and k:
                night = NightFactory(club=club, on=leagues.LAST + datetime.timedelta(days=k))
            table = played(night, members[AT_A_TABLE * k : AT_A_TABLE * (k + 1)], hands=5)
            secret, reading = new_token(), scorer_of(table).reading
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
        "awards": len(awards_of(club)),
        "wrong awards": len(awards_of(club) ^ awards_due(club)),
    }
    if not found["waiting"]:
        with transaction.atomic():
            found["differs"] = len(made_anew(club)[1])
            transaction.set_rollback(True)
    sys.stdout.write(json.dumps(found))


def awards_of(club: Club) -> set[tuple[int | None, str, int | None]]:
    """Which trophies the sheets of the club have given: the table, "winner" or "loser", and the member."""
    from clubs.models import Award

    given = Award.objects.filter(trophy__club=club, source=Award.Source.SHEET, set_aside_at__isnull=True)
    return set(given.values_list("table", "trophy__goes", "member"))


def awards_due(club: Club) -> set[tuple[int | None, str, int | None]]:
    """The same by the placings, where each table decides about the trophies."""
    from clubs.models import Placing

    at_sheets = Placing.objects.filter(table__night__club=club, table__sheet__isnull=False)
    return {
        (table, goes, member)
        for goes in ("winner", "loser")
        for table, member in at_sheets.filter(**{goes: True}).values_list("table", "member")
    }


def tell_waiting() -> None:
    import django

    django.setup()
    from clubs.models import PendingUpdate

    sys.stdout.write(json.dumps(PendingUpdate.objects.exists()))


if __name__ == "__main__":
    match sys.argv[1:]:
        case "open", slug, games, tables, *apart:
            make(slug, int(games), int(tables), apart=bool(apart))
        case "count", slug:
            count(slug)
        case "waiting", *_:
            tell_waiting()
