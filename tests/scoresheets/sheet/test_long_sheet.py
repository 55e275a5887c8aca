"""The pages of a long sheet: as many queries as those of a short one, and no more read aloud than a page holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.history import restore
from scoresheets.history.restore import restore_preview
from scoresheets.log import cache
from scoresheets.sheet import summary
from tests.factories import Scorer, opened, sure_of

pytestmark = pytest.mark.django_db

SECRET = "p" * 22
PAGES: dict[str, Callable[[Scorer], str]] = {
    "pad": lambda p: reverse("pad", args=[p.sheet.code]),
    "state": lambda p: reverse("state", args=[p.sheet.code]),
    "sheet": lambda p: reverse("sheet", args=[p.sheet.code]),
    "history": lambda p: reverse("history", args=[p.sheet.code]),
    "the page before": lambda p: reverse("history", args=[p.sheet.code]) + "?before=9",
    "correct": lambda p: reverse("correct", args=[p.sheet.code, "1"]),
    "way back": lambda p: reverse("way_back", args=[p.sheet.code, 5]),
    "watch": lambda p: reverse("watch", args=[p.sheet.watch]),
    "rows": lambda p: reverse("watch_rows", args=[p.sheet.watch]),
    "why": lambda p: reverse("why", args=[p.sheet.code, "1", 1]),
    "file": lambda p: reverse("export_sheet", args=[p.sheet.code]),
    "spreadsheet": lambda p: reverse("export_csv", args=[p.sheet.code]),
    "picture": lambda p: reverse("picture", args=[p.sheet.code]),
}


def kept(hands: int) -> Scorer:
    """Four people have played so many hands, and the first has bid in the next."""
    table = opened(4, plan={"hands": 40}, browser=hashed(SECRET))
    scorer = Scorer(table.sheet, table.keeper)
    for _ in range(hands):
        scorer.clear_hand()
    opening = scorer.reading.sheet.open
    assert opening
    sure_of(scorer.bid(opening.hand.order[0], 0))
    return scorer


def queries_of(scorer: Scorer, address: str) -> int:
    """How many queries the page asks in a process that has not read the sheet."""
    client = Client()
    client.cookies[BROWSER_COOKIE] = SECRET
    cache.written_readings.clear()
    summary.shown_readings.clear()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


@pytest.mark.thorough
def test_long_sheet_asks_as_many_queries_as_a_short_one() -> None:
    short, long = kept(2), kept(20)
    asked = {name: (queries_of(short, page(short)), queries_of(long, page(long))) for name, page in PAGES.items()}
    assert {name: (few, many) for name, (few, many) in asked.items() if few != many} == {}
    assert max(many for _, many in asked.values()) <= 8, asked


def test_way_back_reads_the_newest_aloud_and_counts_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restore, "MOST_SHOWN", 9)
    scorer = kept(4)
    reading = scorer.reading
    back = restore_preview(reading, 3, by=scorer.by)
    assert back
    assert back.count == reading.version - 2
    assert [revision.version for revision in back.revisions] == list(range(reading.version, reading.version - 9, -1))
    assert back.revision.version == 3
    client = Client()
    client.cookies[BROWSER_COOKIE] = SECRET
    page = client.get(reverse("way_back", args=[scorer.sheet.code, 3])).content.decode()
    assert f"The newest 9 of {back.count} things since then" in " ".join(page.split())
    page = client.get(reverse("way_back", args=[scorer.sheet.code, reading.version - 8])).content.decode()
    assert "All 9 things since then" in " ".join(page.split())
