"""Pages of a club, in statements and milliseconds: `python -m tests.bench.pages SLUG` counts the statements."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator
from contextlib import closing

from tests.bench.lines import Line, get
from tests.bench.live_site import LiveSite
from tests.bench.report import Measured

#: Of so many nights a member of the club was there on 300.
NIGHTS, MEMBER_NIGHTS = 400, 300
CLUB = "years"
TURNS = 60


def measured(site: LiveSite) -> Iterator[Measured]:
    """The front page of a club, its standings, and the page of a member with 300 nights."""
    site.run("-m", "tests.bench.leagues", CLUB, str(4 * NIGHTS))
    for name, path, statements in json.loads(site.run("-m", "tests.bench.pages", CLUB)):
        with closing(Line(site.port)) as line:
            answers = [line.ask(get(path)) for _ in range(TURNS)]
        assert {answer.status for answer in answers} == {200}, path
        seconds = statistics.median(answer.seconds for answer in answers[10:])
        yield Measured(name, seconds * 1000, at_most=100, unit=" ms", told=f"{statements} statements")


def main(slug: str) -> None:
    """Print the pages as JSON: what each is, its path, and how many statements it takes."""
    import django

    django.setup()
    from django.db import connection
    from django.db.models import Count
    from django.test import Client
    from django.test.utils import CaptureQueriesContext, setup_test_environment
    from django.urls import reverse

    from clubs.models import Club

    setup_test_environment()
    club = Club.objects.get(slug=slug)
    members = club.members.annotate(nights=Count("placings__table__night", distinct=True))
    member = members.order_by("-nights").first()
    assert member
    assert member.nights >= MEMBER_NIGHTS
    pages = [
        ("Front page of a club", club.get_absolute_url()),
        ("Standings page", reverse("standings", args=[slug])),
        (f"Page of a member with {member.nights} nights", reverse("member", args=[slug, member.pk])),
    ]
    counted = []
    for name, path in pages:
        client = Client()
        client.get(path)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200, path
        counted.append((name, path, len(queries)))
    sys.stdout.write(json.dumps(counted))


if __name__ == "__main__":
    main(sys.argv[1])
