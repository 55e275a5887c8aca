"""`python -m tests.bench.play_offs few 2 6`: a club of that address whose play-off has two groups of six, six hands on.

It tells as JSON the path of its page, and of the tables as `tests.bench.tables` does.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import NamedTuple

from tests.bench.live_site import LiveSite
from tests.bench.tables import HANDS, Table

PLAYED = 6


class PlayOff(NamedTuple):
    """A play-off that runs: the path of its page, and its tables."""

    path: str
    tables: list[Table]

    def posts(self) -> Iterator[bytes]:
        """What is written at its first table from here on."""
        for number in range(PLAYED + 1, HANDS + 1):
            yield from self.tables[0].hand(number)


def open_play_off(site: LiveSite, slug: str, groups: int, players: int) -> PlayOff:
    """A play-off that runs in the house."""
    told = json.loads(site.run("-m", "tests.bench.play_offs", slug, str(groups), str(players)))
    return PlayOff(told["path"], [Table(**table) for table in told["tables"]])


def main(slug: str, groups: int, players: int) -> None:
    import django

    django.setup()
    from django.db import transaction
    from django.utils import timezone

    from clubs.models import Club, User
    from scoresheets.access.scorekeepers import hashed
    from scoresheets.models import Scorekeeper
    from scoresheets.models.sheet import new_token
    from tests.clubs.play_offs.evening import drawn_groups, reading_of

    tables = []
    with transaction.atomic():
        club = Club.objects.create(name=slug, slug=slug, visibility=Club.Visibility.PUBLIC)
        organiser = User.objects.create(username=slug, email=f"{slug}@example.org")
        evening = drawn_groups([players] * groups, hands=HANDS, club=club).open(organiser)
        for table in evening.groups:
            assert table.sheet is not None
            evening.play(table, list(range(players)), hands=PLAYED)
            secret, reading = new_token(), reading_of(table)
            Scorekeeper.objects.create(sheet=table.sheet, browser=hashed(secret), created=timezone.now())
            played = reading.table
            tables.append(
                Table(table.sheet.code, table.sheet.watch, secret, list(played.seats), played.first_dealer,
                      list(played.schedule))
            )  # fmt: skip
    path = evening.play_off.get_absolute_url()
    sys.stdout.write(json.dumps({"path": path, "tables": [asdict(table) for table in islice(tables, 1)]}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
