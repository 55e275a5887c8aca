"""What is kept from those who look on: totals of the last hands, and a result that waits for a tap."""

from __future__ import annotations

import csv
import io
import random
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import all_games
from rules.core.engine.replay import read
from rules.core.formats import FixedHands
from scoresheets.access.scorekeepers import BROWSER_COOKIE
from scoresheets.history.timeline import history_of
from scoresheets.log.append import HELD_BACK, open_result
from scoresheets.log.entries import entry_history
from scoresheets.log.publish import is_published
from scoresheets.models import FinalPlacing, HandFact, Sheet
from scoresheets.sheet.outsiders import for_outsiders, last_in_sight, may_be_read
from scoresheets.sheet.summary import Glance, read_sheets
from tests.factories import Scorer, hashed, scorer, sure_of, thrown_hand
from tests.scoresheets.laid import document, hand, reading_of
from tests.scoresheets.thrown import as_reading, short_plan, thrown_steps

GAMES = [pytest.param(game, id=game.slug) for game in all_games()]


#: Whole games are thrown for each example.
FEW = settings(max_examples=max(settings.default.max_examples // 5, 5), deadline=None)


def length_of(game):
    return game.format(game.open_table(range(1, game.made_for[0] + 1), 1))


#: Four hands; Ann leads after each, and the last brings Bo far down.
HANDS = (
    hand("Bo Cy Di Ann", "1001", "0001"), hand("Cy Di Ann Bo", "1020", "0020"), hand("Di Ann Bo Cy", "1200", "0200"),
    hand("Ann Bo Cy Di", "1100", "1000"),
)  # fmt: skip
PLAN = {"plan": {"peak": 2}}


def sheet_with(hidden: int = 0, *, held: bool = False, game: str = "dirty-dog", **more: object) -> Scorer:
    """A table that keeps the totals of so many last hands, or its result, from those who watch."""
    rules = {key: value for key, value in (("hidden_hands", hidden), ("hold_result", held)) if value}
    return scorer(game=game, house_rules=rules, **more)


def played(p: Scorer, hands: int) -> Scorer:
    """The same with so many hands."""
    for _ in range(hands):
        p.clear_hand()
    return p


def scorekeeper(client: Client, p: Scorer) -> Client:
    """The phone of who keeps the sheet."""
    p.by.browser = hashed("B" * 22)
    p.by.save()
    client.cookies[BROWSER_COOKIE] = "B" * 22
    return client


def in_page(client: Client, path: str) -> str:
    """The words of a page, also of a picture."""
    response = client.get(path, follow=True)
    assert response.status_code == 200, path
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


# -- suspense ------------------------------------------------------------------------------------------------


@given(hidden=st.integers(0, 6), done=st.integers(0, 4))
def test_hidden_are_exactly_the_hands_behind_the_last_one_in_sight(hidden, done):
    rules = {"hidden_hands": hidden} if hidden else {}
    reading = reading_of(document(hands=list(HANDS[:done]), house_rules=rules, **PLAN))
    seen = for_outsiders(reading)
    in_sight = max(4 - hidden, 0) if hidden and done < 4 else done
    assert seen.sheet.rows == reading.sheet.rows[:in_sight]
    assert (seen.withheld is not None) == (in_sight < done)
    # It was not read in another way than a sheet that has no more hands.
    assert seen.sheet == read(seen.game, seen.table, seen.entries)


@pytest.mark.parametrize("game", GAMES)
@FEW
@given(seeds=st.tuples(st.integers(0, 99), st.integers(0, 99)), hidden=st.integers(1, 3))
def test_what_happens_in_hidden_hands_changes_nothing_for_who_looks_on(game, seeds, hidden):
    """Two games that are the same up to the last hand in sight look the same from outside."""
    table = game.open_table(range(1, game.made_for[0] + 1), 1, short_plan(game), {"hidden_hands": hidden})
    one, other = (played_out(game, table, seeds[0], last) for last in seeds)
    shown = [for_outsiders(as_reading(game, table, entries)) for entries in (one, other)]
    if shown[0].withheld and shown[1].withheld:
        assert shown[0].entries == shown[1].entries
        assert shown[0].sheet == shown[1].sheet


def played_out(game, table, seed, last):
    """Hands thrown by `seed`, and once something is hidden two more by `last`; the game goes on after them."""
    start, entries, secret = table, {}, 0
    while not game.over(table) and table.hands_done < 40:
        in_sight = last_in_sight(as_reading(game, start, entries, table))
        is_hidden = in_sight is not None and table.hands_done >= in_sight
        dealt = game.deal(table)
        thrown = thrown_steps(random.Random(f"{dealt.number} {last if is_hidden else seed}"), game, table, dealt)
        after = game.after(table, game.score(table, replace(dealt, steps=thrown)))
        if game.over(after) or secret == 2:
            break
        entries |= {(dealt.number, ask): step for ask, step in thrown.items()}
        table, secret = after, secret + is_hidden
    return entries


@pytest.mark.parametrize("game", [game for game in GAMES if not isinstance(length_of(game.values[0]), FixedHands)])
@FEW
@given(seed=st.integers(0, 99))
def test_race_hides_its_totals_once_as_many_good_hands_could_win_it(game, seed):
    table = game.open_table(range(1, game.made_for[0] + 1), 1, {}, {"hidden_hands": 2})
    reading = as_reading(game, table, played_out(game, table, seed, seed))
    in_sight = last_in_sight(reading)
    target, best = game.format(table).target, 1
    for row in reading.sheet.rows:
        best = max(best, *row.points.values())
        is_near = max(row.totals.values()) + 2 * best >= target
        if row.hand.number == in_sight:
            assert is_near
            break
        # Before that nothing was near, or a leg that was not the last.
        assert not is_near or game.has_legs(table)


@pytest.mark.django_db
def test_hidden_totals_are_on_no_page_of_who_watches(client):
    p = played(sheet_with(2), 3)
    watch, code = f"/watch/{p.sheet.watch}/", f"/sheets/{p.sheet.code}/"
    third = str(p.reading.sheet.rows[2].totals[1])
    second = str(p.reading.sheet.rows[1].totals[1])
    assert third != second
    for path in (watch, f"{watch}rows/", f"{watch}table/", f"{watch}curve/", f"{watch}picture.svg", code):
        page = in_page(client, path)
        assert "curve" in path or "Totals are hidden until the game ends. This is the score after hand 2." in page
        assert not re.search(rf"(?<![\d:]){third}(?![\d:])", page.replace("Hand 4 of 4", "")), path
    assert client.get(f"{watch}why/3/1/").status_code == 404
    assert client.get(f"{watch}why/2/1/").status_code == 200
    assert "Hand 3" not in in_page(client, f"{watch}history/")
    rows = list(csv.reader(io.StringIO(client.get(f"{code}export.csv").content.decode("utf-8-sig"))))
    assert len([row for row in rows if row[0].isdecimal()]) == 2
    assert len(client.get(f"{code}export.json").json()["hands"]) == 2
    assert "Totals are hidden" in client.get(watch).content.decode().partition("</head>")[0]


@pytest.mark.django_db
def test_scorekeeper_sees_everything_that_is_hidden(client):
    p = played(sheet_with(2), 3)
    keeper = scorekeeper(client, p)
    assert "Totals are hidden" not in in_page(keeper, f"/sheets/{p.sheet.code}/")
    assert len(keeper.get(f"/sheets/{p.sheet.code}/export.json").json()["hands"]) == 3


@pytest.mark.django_db
def test_hidden_totals_are_shown_with_the_end(client):
    p = played(sheet_with(2), 4)
    page = in_page(client, f"/watch/{p.sheet.watch}/")
    assert "Totals are hidden" not in page
    assert "The result" in page


@pytest.mark.django_db
def test_club_sees_of_a_table_what_everybody_sees():
    p = played(sheet_with(2), 3)
    glance = Glance(read_sheets([p.reading.record])[p.sheet.pk])
    assert glance.heading == "Hand 4 of 4"
    assert [person.total for person in glance.people] == list(p.reading.sheet.rows[1].totals.values())
    assert glance.verdict is None


# -- a result that waits -------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_result_is_held_back_from_all_but_the_scorekeeper_until_it_is_shown(client):
    p = played(sheet_with(held=True), 4)
    assert p.reading.is_held_back
    assert p.reading.record.finished_at is None
    watch = f"/watch/{p.sheet.watch}/"
    page = in_page(client, watch)
    assert "The last hand is played. The result comes in a moment." in page
    assert "wins with" not in page
    assert Glance(read_sheets([p.reading.record])[p.sheet.pk]).is_finished is False
    version = re.search(r"rows/\?v=([\w.-]+)", client.get(watch).content.decode()).group(1)
    assert client.get(f"{watch}rows/?v={version}").status_code == 204
    assert client.get(f"/sheets/{p.sheet.code}/result/").status_code == 302
    assert Client().post(f"/sheets/{p.sheet.code}/show-result/").status_code == 403

    keeper = scorekeeper(Client(), p)
    held = in_page(keeper, f"/sheets/{p.sheet.code}/pad/")
    assert "Show the result" in held
    assert "wins with" not in held
    for _ in range(2):
        assert keeper.post(f"/sheets/{p.sheet.code}/show-result/").status_code == 303
    assert "wins with" in in_page(keeper, f"/sheets/{p.sheet.code}/result/")
    news = client.get(f"{watch}rows/?v={version}")
    assert news.status_code == 286
    assert "wins with" in news.content.decode()
    assert FinalPlacing.objects.filter(sheet=p.sheet).count() == 4


@pytest.mark.django_db
def test_nothing_is_published_while_the_result_waits_and_the_game_ended_with_its_last_hand():
    p = played(sheet_with(held=True), 4)
    last = max(entry.at for entry in p.reading.standing.values())
    assert not FinalPlacing.objects.filter(sheet=p.sheet).exists()
    assert not HandFact.objects.filter(sheet=p.sheet).exists()
    assert is_published(p.reading)
    call_command("check_sheets")
    open_result(p.sheet)
    open_result(p.sheet)
    assert p.reading.record.finished_at == last
    assert p.reading.record.result_opens_at is None
    assert FinalPlacing.objects.filter(sheet=p.sheet).count() == 4


@pytest.mark.django_db
def test_result_waits_for_ten_minutes_at_most():
    p = played(sheet_with(held=True), 4)
    opens = p.reading.record.result_opens_at
    assert opens - max(entry.at for entry in p.reading.standing.values()) == HELD_BACK == timedelta(minutes=10)
    assert not Sheet.objects.due_to_open(opens - timedelta(seconds=1)).exists()
    assert list(Sheet.objects.due_to_open(opens)) == [p.sheet]


@pytest.mark.django_db
def test_hand_that_is_taken_back_and_written_again_waits_again():
    p = played(sheet_with(held=True), 4)
    opens = p.reading.record.result_opens_at
    sure_of(p.undo())
    assert not p.reading.is_held_back
    assert p.reading.record.result_opens_at is None
    sure_of(p.tricks({seat: 1 if seat == 1 else 0 for seat in range(1, 5)}))
    assert p.reading.is_held_back
    assert p.reading.record.result_opens_at > opens


@pytest.mark.django_db
def test_what_is_taken_back_of_the_last_hand_is_no_news_for_who_looks_on(client):
    p = played(sheet_with(held=True), 4)
    sure_of(p.undo())
    taken_back = [row for row in entry_history(p.sheet).rows if not row.is_active]
    assert taken_back
    assert not any(may_be_read(p.reading, row) for row in taken_back)
    heard = [text.parts for hand in history_of(p.reading, by=None).stretches for text in hand.revisions if text.parts]
    known = [text.parts for hand in history_of(p.reading, by=p.by).stretches for text in hand.revisions if text.parts]
    assert len(known) > len(heard) > 0
    assert "no longer" not in in_page(client, f"/watch/{p.sheet.watch}/history/")


@pytest.mark.django_db
def test_hidden_hand_stays_hidden_when_an_earlier_one_is_written_again():
    p = played(sheet_with(2), 3)
    sure_of(p.undo())
    p.clear_hand()
    rows, seen = entry_history(p.sheet).rows, for_outsiders(p.reading)
    assert {row.address[0] for row in rows if may_be_read(seen, row)} == {0, 1, 2}
    assert 3 in {row.address[0] for row in rows}


@pytest.mark.django_db
def test_game_that_goes_on_is_not_shown_as_finished_because_its_time_came():
    p = played(sheet_with(held=True), 2)
    Sheet.objects.filter(pk=p.sheet.pk).update(result_opens_at=timezone.now())
    open_result(p.sheet)
    assert p.reading.record.finished_at is None
    assert p.reading.record.result_opens_at is None


@pytest.mark.django_db
@pytest.mark.parametrize("held", [False, True])
def test_game_that_a_blind_hand_decides_is_shown_at_once(held):
    p = sheet_with(held=held)
    p.any_game()
    assert p.reading.sheet.settlement.read
    assert p.reading.record.finished_at is not None
    assert not p.reading.is_held_back


@pytest.mark.django_db
def test_result_that_no_table_holds_back_costs_nothing():
    p = played(sheet_with(), 4)
    assert p.reading.record.finished_at is not None
    assert p.reading.record.result_opens_at is None


@pytest.mark.django_db
@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_hold_its_result_back(game):
    p = sheet_with(held=True, game=game.slug)
    while p.reading.sheet.open:
        p.hand_at_once(thrown_hand)
    reading = p.reading
    if reading.sheet.waiting:
        pytest.skip("it ended in a tie")
    assert reading.is_held_back
    seen = for_outsiders(reading)
    assert seen.sheet.rows == reading.sheet.rows[:-1]
    assert not seen.finished
