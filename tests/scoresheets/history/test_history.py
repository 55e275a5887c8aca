"""The history of a sheet, read aloud."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed, rename_scorekeeper
from scoresheets.commands import enter
from scoresheets.history.restore import restore
from scoresheets.history.timeline import history_of
from scoresheets.log.append import Change, append_revision
from scoresheets.log.occupants import sits
from scoresheets.models import Entry, Revision
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import Counts
from tests.scoresheets.people import substitute

pytestmark = pytest.mark.django_db

SECRET = "a" * 22


@pytest.fixture
def p() -> Scorer:
    """A table of four whose first dealer is Ann, kept by the browser of `keeper`."""
    return scorer(4, browser=hashed(SECRET))


@pytest.fixture
def keeper(client: Client) -> Client:
    client.cookies[BROWSER_COOKIE] = SECRET
    return client


def text_of(html: str) -> str:
    return " ".join(re.sub(r"\s+([:;,.])", r"\1", re.sub("<[^>]+>", " ", html)).split())


def told(p: Scorer) -> list[tuple[str, list[str]]]:
    """Every stretch with its writes as they are read, the newest first."""
    history = history_of(p.reading, by=p.by)
    return [
        (stretch.title, [text_of(f"{s.writer} {s.head}: {s.is_about}") for s in stretch.revisions])
        for stretch in history.stretches
    ]


def aloud(p: Scorer) -> str:
    """The newest write as it is read."""
    return told(p)[0][1][0]


@pytest.mark.parametrize(("hands", "rest"), [(7, "and 1 more hand"), (8, "and 2 more hands")])
def test_of_many_hands_the_last_are_only_counted(hands: int, rest: str) -> None:
    p = scorer(4, plan={"hands": 9})
    for _ in range(hands):
        p.clear_hand()
    sure_of(restore(p.sheet, 2, seen=p.reading.version, key=new_key(), by=p.by))
    assert aloud(p).endswith(rest)


def look(client: Client, p: Scorer, **asked: object) -> str:
    return client.get(reverse("history", args=[p.sheet.code]), asked).content.decode()


# What is read


def test_bids_and_tricks_are_read_hand_by_hand_the_newest_first(p: Scorer) -> None:
    p.hand({2: 0, 3: 0, 4: 1, 1: 1}, {2: 0, 3: 0, 4: 1, 1: 0})
    sure_of(p.bid(3, 2))
    assert told(p) == [
        ("Hand 2", ["this phone entered: Cy ’s bid 2"]),
        (
            "Hand 1",
            [
                "this phone entered: the tricks Ann 0, Bo 0, Cy 0, Di 1",
                "this phone entered: Ann ’s bid 1",
                "this phone entered: Di ’s bid 1",
                "this phone entered: Cy ’s bid 0",
                "this phone entered: Bo ’s bid 0",
            ],
        ),
        ("The start", ["this phone opened the sheet: Ann deals first"]),
    ]


def test_first_dealer_is_called_what_they_were_called_although_somebody_took_over_since(p: Scorer) -> None:
    p.clear_hand()
    sure_of(substitute(p, 1, "Gus"))
    assert told(p)[-1] == ("The start", ["this phone opened the sheet: Ann deals first"])


def test_who_has_a_name_is_called_by_it_and_another_phone_is_another_phone(p: Scorer) -> None:
    marge = Scorer(p.sheet, ScorekeeperFactory(sheet=p.sheet, name="Marge"))
    nobody = Scorer(p.sheet, ScorekeeperFactory(sheet=p.sheet, name=""))
    sure_of(marge.bid(2, 1))
    sure_of(nobody.bid(3, 0))
    assert told(p)[0] == ("Hand 1", ["another phone entered: Cy ’s bid 0", "Marge entered: Bo ’s bid 1"])
    assert "a scorekeeper" in history_of(p.reading, by=None).stretches[0].revisions[0].writer


def test_number_typed_wrong_is_read_from_what_to_what(p: Scorer) -> None:
    sure_of(p.bid(2, 1))
    saw = p.saw((1, "bid-2"))
    sure_of(enter.retype(p.sheet, (1, "bid-2"), {"bid": 0}, saw=saw, key=new_key(), by=p.by))
    assert aloud(p) == "this phone had typed it wrong: Bo ’s bid 1 → 0"


def test_bid_that_was_caught_by_the_rule_with_it_is_named(p: Scorer) -> None:
    p.bids({2: 0, 3: 0, 4: 0, 1: 0})
    saw = p.saw((1, "bid-2"))
    sure_of(enter.retype(p.sheet, (1, "bid-2"), {"bid": 1}, saw=saw, key=new_key(), by=p.by))
    assert aloud(p) == "this phone had typed it wrong: Bo ’s bid 0 → 1, no longer Ann ’s bid 0"


def test_what_was_taken_back_and_brought_back_is_read(p: Scorer) -> None:
    sure_of(p.bid(2, 1))
    undone = sure_of(p.undo())
    assert aloud(p) == "this phone took back: Bo ’s bid 1"
    sure_of(p.undo(undone.version))
    assert aloud(p) == "this phone took back: again Bo ’s bid 1"


def test_tricks_are_read_from_what_to_what_for_whom_they_changed(p: Scorer) -> None:
    p.clear_hand()
    address = (1, "tricks")
    new = {"tricks-1": 0, "tricks-2": 1, "tricks-3": 0, "tricks-4": 0}
    change = Change("correct", {address: new}, [p.reading.standing[address]], why="typed wrong")
    sure_of(append_revision(p.sheet, "correct", {}, lambda _: change, key=new_key(), by=p.by))
    assert aloud(p) == "this phone corrected: the tricks Ann 1 → 0, Bo 0 → 1"
    assert history_of(p.reading, by=p.by).stretches[0].revisions[0].why == "typed wrong"
    # It was made while hand 2 was about to begin, and is told there as long as no bid of it stands.
    sure_of(p.bid(3, 0))
    assert [title for title, _ in told(p)] == ["Hand 2", "Hand 1", "The start"]


def test_misdeal_and_trump_and_notes_are_read(p: Scorer) -> None:
    sure_of(p.enter(1, "trump", turned="AH"))
    sure_of(p.enter(1, "bid-2", bid=1))
    sure_of(enter.misdeal(p.sheet, 1, 1, key=new_key(), by=p.by))
    assert aloud(p) == "this phone entered a misdeal: no longer the trump ace of hearts, Bo ’s bid 1"
    sure_of(enter.note(p.sheet, 1, tag="Dirt Bag", seat=2, text="Again!", key=new_key(), by=p.by))
    assert aloud(p) == "this phone noted: Dirt Bag, Bo, Again!"


def test_way_back_that_was_taken_is_read_in_short(p: Scorer) -> None:
    p.clear_hand()
    p.clear_hand()
    sure_of(restore(p.sheet, 2, seen=11, key=new_key(), by=p.by))
    gone = "hand 1: no longer Ann ’s bid 1, Bo ’s bid 1, Cy ’s bid 0 and 2 more"
    assert gone in aloud(p)
    revision = history_of(p.reading, by=p.by).stretches[0].revisions[0]
    assert revision.before == history_of(p.reading, by=p.by).stretches[1].revisions[-1].at
    sure_of(restore(p.sheet, 12, seen=12, key=new_key(), by=p.by))
    assert "hand 1: again Ann ’s bid 1, Bo ’s bid 1, Cy ’s bid 0 and 2 more" in aloud(p)


def test_name_of_a_scorekeeper_and_of_a_player_are_read(p: Scorer) -> None:
    rename_scorekeeper(p.by, "Marge")
    assert aloud(p) == "Marge changed their name to this: Marge"
    data = {"name": "Bob", "player": p.reading.chairs[2].player}
    change = Change(Revision.Verb.SET_UP, {(0, sits(2)): data})
    sure_of(append_revision(p.sheet, "set-up", {}, lambda _: change, key=new_key(), by=p.by))
    assert aloud(p) == "Marge changed the set-up: Bo → Bob"
    sure_of(p.bid(2, 0))
    assert aloud(p) == "Marge entered: Bob ’s bid 0"


def test_blind_hands_and_draws_are_read_after_the_last_hand(p: Scorer) -> None:
    p.any_game()
    title, writes = told(p)[0]
    assert title == "After the last hand"
    assert any("the cards that were drawn" in write for write in writes)


def test_taps_of_a_hand_are_one_line_and_everything_else_stands_out(p: Scorer) -> None:
    p.clear_hand()
    sure_of(p.bid(3, 0))
    sure_of(p.undo())
    hand = history_of(p.reading, by=p.by).stretches[0]
    assert (hand.title, len(hand.taps), len(hand.in_full)) == ("Hand 2", 1, 1)


# The page


def test_page_says_who_when_and_what_and_leads_back_to_just_before_each(keeper: Client, p: Scorer) -> None:
    p.clear_hand()
    html = look(keeper, p)
    assert "kept by this phone" in text_of(html)
    assert "the tricks Ann 1, Bo 0, Cy 0, Di 0" in text_of(html)
    for version in range(2, 7):
        assert html.count(reverse("way_back", args=[p.sheet.code, version])) >= 1
    assert reverse("way_back", args=[p.sheet.code, 1]) not in html
    assert re.search(r'<time datetime="[^"]+" data-show="time">\d\d:\d\d</time>', html)


def test_who_only_watches_sees_the_history_and_no_way_back(client: Client, p: Scorer) -> None:
    p.clear_hand()
    for address in (reverse("history", args=[p.sheet.code]), reverse("watch_history", args=[p.sheet.watch])):
        html = client.get(address).content.decode()
        assert "the tricks" in html
        assert "a scorekeeper" in html
        assert "/history/2/" not in html
    assert p.sheet.code not in html


@pytest.mark.parametrize("asked", ["0", "1", "-1", "x", "9" * 5000, "٣"])
def test_anything_asked_for_is_answered_with_a_page(keeper: Client, p: Scorer, asked: str) -> None:
    assert keeper.get(reverse("history", args=[p.sheet.code]), {"before": asked}).status_code == 200


def test_names_are_text(keeper: Client) -> None:
    p = scorer(["<b>Bold</b>", "Bo", "Cy", "Di"], browser=hashed(SECRET))
    p.clear_hand()
    assert "<b>Bold" not in look(keeper, p)
    assert "&lt;b&gt;Bold&lt;/b&gt;" in look(keeper, p)


def test_unknown_sheet_has_no_history(client: Client) -> None:
    assert client.get(f"/sheets/{'x' * 22}/history/").status_code == 404
    assert client.get(f"/watch/{'x' * 22}/history/").status_code == 404


# Long evenings


def long_evening(p: Scorer, writes: int) -> None:
    """The same bid written and taken back over and over, until there are so many writes. As rows, for speed."""
    first = p.reading.version + 1
    made = Revision.objects.bulk_create(
        Revision(
            sheet=p.sheet, version=version, key=f"key-of-the-write-{version}", digest="", keeper=p.by,
            verb=Revision.Verb.UNDO if (version - first) % 2 else Revision.Verb.ENTER, at=timezone.now(),
        )
        for version in range(first, writes + 1)
    )  # fmt: skip
    Entry.objects.bulk_create(
        Entry(sheet=p.sheet, hand=1, ask="bid-2", data={"bid": 0}, added_by=on, first_by=on, withdrawn_by=off)
        for on, off in zip(made[::2], made[1::2], strict=True)
    )
    p.sheet.version = writes
    p.sheet.save()


def test_history_of_a_long_evening_asks_no_more_than_that_of_a_short_one(
    keeper: Client, p: Scorer, statements: Counts
) -> None:
    with statements(exactly=5):
        look(keeper, p)
    long_evening(p, 401)
    with statements(exactly=5):
        html = look(keeper, p)
    assert html.count("<li id=") == 200
    assert len(html) < 200 * 1000
    assert "What came before" in html


def test_what_is_older_than_a_page_is_on_the_next(keeper: Client, p: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoresheets.history.timeline.MOST_ON_A_PAGE", 5)
    p.clear_hand()
    newest = look(keeper, p)
    assert re.findall(r'id="write-(\d+)"', newest) == ["6", "5", "4", "3", "2"]
    assert 'href="?before=2"' in newest
    older = look(keeper, p, before=2)
    assert re.findall(r'id="write-(\d+)"', older) == ["1"]
    assert "What came before" not in older
