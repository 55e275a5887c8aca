"""A sheet ends somewhere: so many hands, so many writes, and so much of it in memory."""

from __future__ import annotations

import datetime
import json

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from rules import find_game
from scoresheets.access.scorekeepers import hashed
from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.commands import enter
from scoresheets.files.sheet_file import FileRefused, open_from_file
from scoresheets.log import cache as log_cache
from scoresheets.log import limits
from scoresheets.log.answers import Done, Refused
from scoresheets.log.limits import plan_choices
from scoresheets.models import Revision, Sheet
from scoresheets.opening.open_sheet import Opened, SetUp, Somebody, open_sheet
from tests.factories import new_key, scorer, sure_of
from tests.scoresheets.laid import document, hand

pytestmark = pytest.mark.django_db

PEOPLE = "Ann Bo Cy Di"


@pytest.fixture
def three_hands(settings: Settings) -> None:
    settings.HANDS_PER_SHEET = 3


def opened_with(**plan: int) -> Opened | Refused:
    people = tuple(Somebody(name) for name in PEOPLE.split())
    return open_sheet(SetUp("dirty-dog", people, first_dealer=0, plan=plan), browser="a browser", key=new_key())


@pytest.mark.usefixtures("three_hands")
def test_sheet_is_not_opened_for_more_hands_than_one_may_have() -> None:
    assert isinstance(opened_with(hands=3), Opened)
    refused = opened_with(hands=4)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.problems[0].message) == ("too-many-hands", "A sheet has at most 3 hands here.")
    assert isinstance(opened_with(peak=2, extra_rounds=1), Refused)


@pytest.mark.usefixtures("three_hands")
def test_lengths_are_offered_as_far_as_a_sheet_goes(settings: Settings) -> None:
    settings.HANDS_PER_SHEET = 24
    by_cards, by_length = plan_choices(find_game("dirty-dog"), 6, {})
    assert [list(amount.offered) for amount in by_cards.amounts] == [[1, 2, 3, 4, 5, 6, 7, 8], [0, 1]]
    assert list(by_length.amounts[0].offered) == [6, 12, 18, 24]
    assert (by_cards.usual, by_length.usual) == ({"peak": 8}, {"hands": 18})
    settings.HANDS_PER_SHEET = 12
    by_cards, by_length = plan_choices(find_game("dirty-dog"), 6, {})
    assert (by_cards.usual, by_length.usual) == ({"peak": 6}, {"hands": 12})


@pytest.mark.parametrize(("plan", "field"), [({"hands": 4}, "hands"), ({"peak": 2, "extra_rounds": 1}, "extra_rounds")])
@pytest.mark.usefixtures("three_hands")
def test_number_that_is_too_large_is_said_beside_its_field(plan: dict[str, int], field: str) -> None:
    refused = opened_with(**plan)
    assert isinstance(refused, Refused)
    assert [(problem.code, problem.field) for problem in refused.problems] == [("too-many-hands", field)]


def test_file_with_more_hands_than_a_sheet_may_have_is_refused(settings: Settings) -> None:
    hands = [hand("Bo Cy Di Ann", "0000", "1000"), hand("Cy Di Ann Bo", "0000", "1000")]
    said = json.dumps(document(PEOPLE, hands, plan={"hands": 2})).encode()
    settings.HANDS_PER_SHEET = 1
    refused = open_from_file(said, browser="a browser", key=new_key())
    assert isinstance(refused, FileRefused)
    assert refused.code == "too-many-hands"
    assert not Sheet.objects.exists()
    settings.HANDS_PER_SHEET = 2
    assert isinstance(open_from_file(said, browser="a browser", key=new_key()), Opened)


def test_race_without_end_is_kept_to_the_last_hand_and_can_be_stopped_there(settings: Settings) -> None:
    settings.HANDS_PER_SHEET = 1
    ann = scorer(2, game="hotdog")
    ann.any_hand()
    assert ann.reading.next_hand == 2
    before = Revision.objects.count()
    with pytest.raises(AssertionError, match="too-many-hands"):
        ann.any_hand()
    assert Revision.objects.count() == before
    assert Sheet.objects.get().version == before


def test_who_writes_without_end_is_told_to_wait_and_can_go_on_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WRITES_AT_ONCE", 2)
    ann, key = scorer(4), new_key()
    sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by))
    refused = enter.enter(ann.sheet, (1, "bid-3"), {"bid": 0}, saw=None, key=new_key(), by=ann.by)
    assert isinstance(refused, Refused)
    assert refused.code == "too-many-writes"
    # What was answered before is answered again.
    assert sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=ann.by)).again
    later = ann.sheet.opened_at + datetime.timedelta(minutes=1)
    with time_machine.travel(later, tick=False):
        assert isinstance(enter.enter(ann.sheet, (1, "bid-3"), {"bid": 0}, saw=None, key=new_key(), by=ann.by), Done)


@pytest.mark.parametrize("at_once", [1, 1500])
@pytest.mark.parametrize("back", [datetime.timedelta(seconds=1), datetime.timedelta(days=20_000)])
def test_clock_that_was_set_back_locks_no_table_out(
    monkeypatch: pytest.MonkeyPatch, at_once: int, back: datetime.timedelta
) -> None:
    monkeypatch.setattr(limits, "WRITES_AT_ONCE", at_once)
    ann = scorer(4)
    with time_machine.travel(ann.sheet.opened_at - back, tick=False):
        sure_of(ann.bid(2, 1))
        # A sheet is full one day by every clock.
        monkeypatch.setattr(limits, "MOST_WRITES", 2)
        refused = ann.bid(3, 0)
    assert isinstance(refused, Refused)
    assert refused.code == "sheet-full"


def test_phone_is_told_to_send_it_later(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WRITES_AT_ONCE", 1)
    ann = scorer(4, browser=hashed("A" * 22))
    client.cookies["pencil"] = "A" * 22
    body = {"hand": 1, "ask": "bid-2", "f-bid": 0, "saw": "", "key": new_key()}
    answer = client.post(reverse("enter", args=[ann.sheet.code]), body, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert "Wait a little" in answer.json()["problem"]


def test_sheet_is_full_one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_WRITES", 1)
    ann = scorer(4)
    refused = enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=new_key(), by=ann.by)
    assert isinstance(refused, Refused)
    assert refused.code == "sheet-full"


def test_files_that_are_sent_without_end_are_not_even_read(client: Client) -> None:
    def send() -> int:
        file = SimpleUploadedFile("sheet.json", b"no sheet")
        return client.post(reverse("import_sheet"), {"file": file, "key": new_key()}).status_code

    assert {send() for _ in range(30)} == {422}
    assert send() == 429


def test_caches_are_bounded_by_what_is_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    cache: VersionedCache[str] = VersionedCache(10)
    for number in range(4):
        cache.put(number, "abcd", size=4)
    assert (cache.get(0), cache.get(1), cache.get(2), cache.get(3)) == (None, None, "abcd", "abcd")
    cache.get(2)
    cache.put(4, "ab", size=4)
    assert (cache.get(2), cache.get(3)) == ("abcd", None)
    cache.put(5, "a" * 11, size=11)
    assert cache.get(5) is None
    cache.put(2, "new", size=1)
    assert (cache.size, len(cache)) == (5, 2)
    assert cache.get_or_make(6, None, lambda: "abc", len) == "abc"
    assert (cache.size, len(cache)) == (8, 3)
    cache.forget(6)
    cache.forget(7)
    assert (cache.size, len(cache)) == (5, 2)
    cache.clear()
    assert (cache.size, len(cache)) == (0, 0)


def test_readings_in_memory_are_bounded_by_their_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [scorer(4).reading for _ in range(3)]
    monkeypatch.setattr(log_cache, "LEAST_ENTRIES", 1)
    own = log_cache.ReadingCache(most=2)
    for reading in tables:
        own.put(reading, version=1)
    assert set(own.readings.values) == {reading.record.code for reading in tables[1:]}
