"""Back to just before something: exactly that stands again which stood then, and nothing is lost."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.commands import enter
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.history.restore import restore, restore_preview
from scoresheets.log.answers import Answer, Refused
from scoresheets.log.append import Change, append_revision
from scoresheets.log.entries import entry_history
from scoresheets.log.occupants import sits
from scoresheets.log.publish import is_published
from scoresheets.log.state import SheetReading, reading_before
from scoresheets.models import Entry, FinalPlacing, HandFact, Revision
from tests.factories import ScorekeeperFactory, Scorer, new_key, opened, scorer, sure_of
from tests.scoresheets.conftest import HUGE, Counts, told

SECRET = "a" * 22
Stands = dict[tuple[int, str], tuple[str, int]]


def what_stands(reading: SheetReading) -> Stands:
    """What stands on the sheet, what it says and since which write."""
    return {
        address: (json.dumps(entry.data, sort_keys=True), entry.first) for address, entry in reading.standing.items()
    }


def seen(p: Scorer) -> int:
    return entry_history(p.sheet).last_change


def back(p: Scorer, version: int, *, saw: int | None = None, key: str = "") -> Answer:
    return restore(p.sheet, version, seen=saw or seen(p), key=key or new_key(), by=p.by)


def code(answer: Answer) -> str:
    assert isinstance(answer, Refused), answer
    return answer.code


def test_exactly_that_stands_which_stood_before(ann: Scorer) -> None:
    ann.clear_hand()
    then, version = what_stands(ann.reading), ann.reading.version
    ann.clear_hand()
    sure_of(enter.note(ann.sheet, 2, text="Well.", key=new_key(), by=ann.by))
    done = sure_of(back(ann, version + 1))
    assert done.verb == "restore"
    assert what_stands(ann.reading) == then
    assert ann.reading.sheet == done.reading.sheet
    assert ann.reading.next_hand == 2


def test_nothing_is_deleted_and_there_is_a_way_forward_again(ann: Scorer) -> None:
    ann.clear_hand()
    ann.clear_hand()
    then, rows = what_stands(ann.reading), Entry.objects.count()
    done = sure_of(back(ann, 3))
    assert Entry.objects.count() == rows
    sure_of(back(ann, done.version))
    assert what_stands(ann.reading) == then


def test_what_was_withdrawn_since_is_brought_back(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    sure_of(ann.bid(3, 0))
    then = what_stands(ann.reading)
    misdealt = sure_of(enter.misdeal(ann.sheet, 1, 1, key=new_key(), by=ann.by))
    sure_of(ann.bid(2, 0))
    sure_of(back(ann, misdealt.version))
    assert what_stands(ann.reading) == then
    sure_of(ann.bid(4, 0))


def test_correction_six_hands_ago_is_gone_back_on(ann: Scorer) -> None:
    ann.clear_hand()
    then = what_stands(ann.reading)
    address = (1, "tricks")
    step = {"tricks-1": 0, "tricks-2": 1, "tricks-3": 0, "tricks-4": 0}
    change = Change("correct", {address: step}, [ann.reading.standing[address]])
    corrected = sure_of(append_revision(ann.sheet, "correct", {}, lambda _: change, key=new_key(), by=ann.by))
    ann.clear_hand()
    done = sure_of(back(ann, corrected.version))
    assert what_stands(ann.reading) == then
    # The very write that was corrected stands again, with its verb.
    assert done.reading.standing == ann.reading.standing
    assert ann.reading.standing[address].verb == "enter"


def test_a_name_and_the_set_up_go_back_with_everything_else(ann: Scorer) -> None:
    data = {"name": "Bob", "player": ann.reading.chairs[2].player}
    renamed = sure_of(
        append_revision(
            ann.sheet, "set-up", {}, lambda _: Change("set-up", {(0, sits(2)): data}), key=new_key(), by=ann.by
        )
    )
    mended, saw = SetupCorrection({}, first_dealer=3), {(0, "table"): ann.saw((0, "table"))}
    sure_of(correct_setup(ann.sheet, mended, saw=saw, digest=None, key=new_key(), by=ann.by))
    assert ann.reading.setup.first_dealer == 3
    sure_of(back(ann, renamed.version))
    assert (ann.reading.names[2], ann.reading.setup.first_dealer) == ("Bo", 1)


def test_what_a_scorekeeper_is_called_stays(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    change = Change(Revision.Verb.CALL, {}, why="Marge")
    sure_of(append_revision(ann.sheet, "call", {}, lambda _: change, key=new_key(), by=ann.by))
    type(ann.by).objects.filter(pk=ann.by.pk).update(name="Marge")
    sure_of(back(ann, 2))
    ann.by.refresh_from_db()
    assert ann.by.name == "Marge"


def test_finished_sheet_is_opened_again_and_tells_nothing_and_finished_again_tells_the_same(ann: Scorer) -> None:
    ann.clear_game()
    told_before = list(HandFact.objects.order_by("hand", "seat__number").values_list("hand", "points", "total"))
    done = sure_of(back(ann, 3))
    ann.sheet.refresh_from_db()
    assert ann.sheet.finished_at is None
    assert not FinalPlacing.objects.exists()
    sure_of(back(ann, done.version))
    ann.sheet.refresh_from_db()
    assert ann.sheet.finished_at is not None
    assert is_published(ann.reading)
    assert list(HandFact.objects.order_by("hand", "seat__number").values_list("hand", "points", "total")) == told_before


def test_pad_takes_back_the_last_bid_that_stands_after_it(ann: Scorer) -> None:
    ann.bids({2: 0, 3: 1, 4: 1, 1: 0})
    sure_of(back(ann, 4))
    assert set(ann.reading.entries) == {(1, "bid-2"), (1, "bid-3")}
    sure_of(ann.undo(ann.reading.take_back))
    assert set(ann.reading.entries) == {(1, "bid-2")}


def test_pad_goes_back_to_the_hand_before_after_it(ann: Scorer) -> None:
    ann.clear_hand()
    ann.clear_hand()
    sure_of(back(ann, 7))
    sure_of(ann.undo(ann.reading.take_back))
    assert ann.reading.next_hand == 1
    assert len(ann.reading.entries) == 4


# Taking the way back itself back


def test_it_can_be_undone_as_long_as_nothing_was_written_after_it(ann: Scorer) -> None:
    ann.clear_hand()
    ann.clear_hand()
    then = what_stands(ann.reading)
    done = sure_of(back(ann, 3))
    sure_of(ann.undo(done.version))
    assert what_stands(ann.reading) == then
    assert sure_of(ann.undo(done.version)).verb == "agree"
    again = sure_of(back(ann, 3))
    sure_of(ann.bid(3, 0))
    assert code(ann.undo(again.version)) == "something-later"


# Refused, and agreed with


def test_same_tap_goes_back_once(ann: Scorer) -> None:
    ann.clear_hand()
    key, saw = new_key(), seen(ann)
    first = sure_of(back(ann, 3, saw=saw, key=key))
    again = sure_of(back(ann, 3, saw=saw, key=key))
    assert (first.version, again.again) == (again.version, True)
    assert code(back(ann, 4, saw=saw, key=key)) == "key-used"


def test_two_phones_that_go_back_to_the_same_agree(ann: Scorer, marge: Scorer) -> None:
    ann.clear_hand()
    saw = seen(ann)
    sure_of(back(ann, 3, saw=saw))
    assert sure_of(back(marge, 3, saw=saw)).verb == "agree"


def test_nothing_is_discarded_that_was_not_in_the_preview(ann: Scorer, marge: Scorer) -> None:
    ann.clear_hand()
    saw = seen(ann)
    sure_of(marge.bid(3, 1))
    before = what_stands(ann.reading)
    assert code(back(ann, 3, saw=saw)) == "moved-on"
    assert what_stands(ann.reading) == before


def test_agreement_and_names_since_the_preview_do_not_matter(ann: Scorer, marge: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    saw = seen(ann)
    assert sure_of(marge.bid(2, 1, hand=1)).verb == "agree"
    assert sure_of(back(ann, 2, saw=saw)).verb == "restore"


@pytest.mark.parametrize("version", [0, 1, -1, 99, HUGE, "2", True, None, 2.0, [2], "\x00"], ids=told)
def test_there_is_no_way_back_to_before_what_never_was(ann: Scorer, version: object) -> None:
    sure_of(ann.bid(2, 1))
    assert code(restore(ann.sheet, version, seen=2, key=new_key(), by=ann.by)) == "no-way-back"
    assert ann.reading.version == 2


def test_write_that_changed_nothing_has_no_way_back(ann: Scorer, marge: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    agreed = sure_of(marge.bid(2, 1, hand=1))
    assert code(back(ann, agreed.version)) == "no-way-back"
    assert restore_preview(ann.reading, agreed.version, by=ann.by) is None


def test_another_sheets_past_is_left_alone(ann: Scorer) -> None:
    other = scorer(4)
    other.clear_hand()
    sure_of(ann.bid(2, 1))
    assert code(back(ann, 5)) == "no-way-back"
    assert len(other.reading.entries) == 5


def test_it_asks_no_more_of_a_long_evening(ann: Scorer, statements: Counts) -> None:
    ann.clear_hand()
    saw = seen(ann)
    with statements(exactly=9):
        sure_of(restore(ann.sheet, 4, seen=saw, key=new_key(), by=ann.by))
    for _ in range(20):
        sure_of(ann.bid(3, 0))
        sure_of(ann.undo())
    saw = seen(ann)
    with statements(most=10):
        sure_of(restore(ann.sheet, 5, seen=saw, key=new_key(), by=ann.by))


# Whatever happened


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.timeout(1200)
@settings(max_examples=settings().max_examples // 5, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_before_any_write_exactly_that_stood_which_stands_after_going_back(db: None, data: st.DataObject) -> None:
    table = Scorer(*(lambda made: (made.sheet, made.keeper))(opened(3, plan={"peak": 2})))
    marge = Scorer(table.sheet, ScorekeeperFactory(sheet=table.sheet))
    before: dict[int, Stands] = {}
    deeds = ("bid", "hand", "undo", "undo any", "misdeal", "note", "restore", "stop", "play on")
    for deed in data.draw(st.lists(st.sampled_from(deeds), min_size=4, max_size=14), label="deeds"):
        reading = table.reading
        who, stood = data.draw(st.sampled_from([table, marge])), what_stands(reading)
        opened_hand = reading.sheet.open
        if deed == "bid" and opened_hand and opened_hand.missing and opened_hand.missing.seat:
            who.bid(opened_hand.missing.seat, data.draw(st.integers(0, 2)))
        elif deed == "hand" and opened_hand and not opened_hand.hand.steps:
            table.any_hand()
        elif deed == "undo" and reading.take_back:
            who.undo(reading.take_back)
        elif deed == "undo any":
            who.undo(data.draw(st.integers(1, reading.version)))
        elif deed == "misdeal" and opened_hand:
            enter.misdeal(table.sheet, reading.next_hand, reading.next_event, key=new_key(), by=who.by)
        elif deed == "note":
            enter.note(table.sheet, 0, text="Well.", key=new_key(), by=who.by)
        elif deed == "restore":
            back(who, data.draw(st.integers(1, reading.version)))
        elif deed == "stop":
            enter.stop(table.sheet, reading.next_hand, key=new_key(), by=who.by)
        elif deed == "play on":
            enter.play_on(table.sheet, key=new_key(), by=who.by)
        if table.reading.version == reading.version + 1:
            before[table.reading.version] = stood
    past, now = entry_history(table.sheet), what_stands(table.reading)
    for version, stood in before.items():
        there = reading_before(table.reading, past, version)
        assert what_stands(there) == stood
    changing = [version for version in before if version in past.added or version in past.withdrawn]
    if changing:
        version = data.draw(st.sampled_from(changing), label="version")
        done = sure_of(back(table, version))
        assert what_stands(table.reading) == before[version] == what_stands(done.reading)
        assert table.reading.sheet == done.reading.sheet
        if done.verb == "restore":
            sure_of(back(table, done.version))
            assert what_stands(table.reading) == now


# The page


@pytest.fixture
def p(db: None) -> Scorer:
    return scorer(4, browser=hashed(SECRET))


@pytest.fixture
def keeper(client: Client) -> Client:
    client.cookies[BROWSER_COOKIE] = SECRET
    return client


def url(p: Scorer, version: int) -> str:
    return reverse("way_back", args=[p.sheet.code, version])


def test_preview_says_what_it_discards_and_writes_nothing(keeper: Client, p: Scorer) -> None:
    p.clear_hand()
    version = p.reading.version
    html = keeper.get(url(p, 3)).content.decode()
    assert [f'id="write-{discarded}"' in html for discarded in range(2, 8)] == [False, True, True, True, True, False]
    for moved in ("Hand 1 is open again", "Totals now"):
        assert moved in html
    p.clear_hand()
    html = keeper.get(url(p, 3)).content.decode()
    assert "Hand 2 no longer counts" in html
    version = p.reading.version
    assert p.reading.version == version


def test_preview_of_a_long_way_back_folds_what_it_discards(keeper: Client, p: Scorer) -> None:
    p.clear_hand()
    p.clear_hand()
    assert "All 10 things since then" in keeper.get(url(p, 2)).content.decode()


def test_post_goes_back_and_leads_to_the_sheet(keeper: Client, p: Scorer) -> None:
    p.clear_hand()
    answer = keeper.post(url(p, 3), {"key": new_key(), "seen": str(seen(p))})
    assert (answer.status_code, answer["Location"]) == (303, reverse("sheet", args=[p.sheet.code]))
    assert set(p.reading.entries) == {(1, "bid-2")}


def test_what_moved_on_is_a_conflict_with_the_new_preview(keeper: Client, p: Scorer) -> None:
    p.clear_hand()
    saw = seen(p)
    sure_of(p.bid(3, 0))
    answer = keeper.post(url(p, 3), {"key": new_key(), "seen": str(saw)})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "Something has been entered since you looked." in html
    assert 'id="write-7"' in html
    assert f'name="seen" value="{seen(p)}"' in html


def test_where_nothing_would_change_nothing_is_offered(keeper: Client, p: Scorer) -> None:
    sure_of(p.bid(2, 0))
    sure_of(p.undo())
    html = keeper.get(url(p, 2)).content.decode()
    assert "nothing would change" in html
    assert "<form" not in html


@pytest.mark.parametrize("fields", [{}, {"seen": "x"}, {"seen": "9" * 5000}, {"seen": "2", "key": "short"}], ids=str)
def test_post_that_makes_no_sense_writes_nothing(keeper: Client, p: Scorer, fields: dict[str, str]) -> None:
    sure_of(p.bid(2, 0))
    answer = keeper.post(url(p, 2), {"key": new_key(), **fields})
    assert answer.status_code in (409, 422)
    assert p.reading.version == 2


def test_who_may_not_write_can_go_back_to_nothing(client: Client, p: Scorer) -> None:
    sure_of(p.bid(2, 0))
    assert client.get(url(p, 2)).status_code == 403
    assert client.post(url(p, 2), {"key": new_key(), "seen": "2"}).status_code == 403


@pytest.mark.parametrize("version", [0, 1, 99, 10**9, 10**30])
def test_there_is_no_page_for_what_never_was(keeper: Client, p: Scorer, version: int) -> None:
    assert keeper.get(url(p, version)).status_code == 404


def test_preview_of_a_long_evening_asks_no_more(keeper: Client, p: Scorer, statements: Counts) -> None:
    p.clear_game()
    with statements(most=6):
        keeper.get(url(p, 2))


def test_other_phone_hears_who_went_back_and_to_when(keeper: Client, p: Scorer) -> None:
    p.clear_hand()
    marge = Scorer(p.sheet, ScorekeeperFactory(sheet=p.sheet, name="Marge"))
    sure_of(back(marge, 3))
    news = keeper.get(reverse("state", args=[p.sheet.code]), {"v": "1"}).json()["news"]
    assert re.fullmatch(r"Marge went back to before what was entered at \d\d:\d\d\.", news)
