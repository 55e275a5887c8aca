"""A restored backup begins another generation: nothing that counts by versions takes what is old for new."""

from __future__ import annotations

import pytest
from django.db.models import F

from scoresheets.caches.generation import begin_generation
from scoresheets.models import Entry, Revision, Sheet
from scoresheets.sheet.summary import read_sheets
from tests.factories import Scorer, scorer, sure_of
from tests.scoresheets.plain import Page, Plain

pytestmark = pytest.mark.django_db


def restored_to(p: Scorer, version: int) -> None:
    """As after a restored backup: what was written after `version` was never written."""
    Entry.objects.filter(sheet=p.sheet, added_by__version__gt=version).delete()
    Revision.objects.filter(sheet=p.sheet, version__gt=version).delete()
    Sheet.objects.filter(pk=p.sheet.pk).update(version=version)
    begin_generation()


def test_later_generation_is_the_greater_text_and_every_sheet_has_it() -> None:
    one, other = scorer(3), scorer(4)
    first, second = begin_generation(), begin_generation()
    assert first < second
    assert {*Sheet.objects.values_list("generation", flat=True)} == {second}
    assert not Sheet.objects.exclude(restored=F("version")).exists()
    one.sheet.refresh_from_db()
    assert one.sheet.edition == f"{one.sheet.version}.{second}"
    assert other.sheet.edition == f"{other.sheet.version}"


def test_same_number_of_another_generation_is_news_to_phone_and_watcher() -> None:
    phone = Plain()
    sure_of(phone.scorer.bid(2, 1))
    seen = phone.client.get(phone.url("state")).json()
    before = rows(phone, "1")
    restored_to(phone.scorer, 1)
    sure_of(phone.scorer.bid(2, 0))
    # The version is the same, and nothing else is.
    told = phone.client.get(phone.url("state"), {"v": seen["edition"]})
    assert told.status_code == 200
    assert (told.json()["version"], told.json()["pad"]["steps"]) == (seen["version"], {"bid-2": {"bid": 0}})
    assert told.json()["pad"]["restored"] == 1
    assert phone.client.get(phone.url("state"), {"v": told.json()["edition"]}).status_code == 204
    after = rows(phone, f"{seen['version']}")
    assert ("1 bid of 1" in before, "0 bid of 1" in after, "1 bid of 1" in after) == (True, True, False)


def test_whoever_looks_at_many_tables_reads_anew_what_was_restored() -> None:
    p = scorer(4)
    sure_of(p.bid(2, 1))
    before = read_sheets([fresh(p)])[p.sheet.pk]
    assert before.entries[1, "bid-2"] == {"bid": 1}
    restored_to(p, 1)
    sure_of(p.bid(2, 0))
    assert fresh(p).version == before.version
    assert read_sheets([fresh(p)])[p.sheet.pk].entries[1, "bid-2"] == {"bid": 0}


def rows(phone: Plain, version: str) -> str:
    """What a watcher is told who has that version."""
    answer = phone.client.get(f"/watch/{phone.scorer.sheet.watch}/rows/?v={version}")
    assert answer.status_code == 200
    return Page(answer.content.decode()).text


def fresh(p: Scorer) -> Sheet:
    return Sheet.objects.get(pk=p.sheet.pk)
