"""All tables of a stage stop after the same hand."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from clubs.models import AuditEntry, Table
from scoresheets.commands.enter import stop
from tests.clubs.night_played import page
from tests.clubs.play_offs.evening import PlayOffEvening, play_off, reading_of, scorer_of
from tests.clubs.play_offs.test_corrections import drawn
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> PlayOffEvening:
    """Group 1 plays hand 3, group 2 hand 2."""
    evening = play_off([5, 5], places=2, hands=8)
    evening.play(evening.groups[0], [9, 8, 7, 6, 5], hands=2)
    scorer_of(evening.groups[1]).clear_hand()
    return evening


def say(client: Client, evening: PlayOffEvening, hand: int, key: str) -> int:
    return client.post(evening.url("stop_stage"), {"round": 1, "hand": hand, "key": key}).status_code


def stop_at(table: Table) -> None:
    """The table ends the game where it is."""
    scorer = scorer_of(table)
    sure_of(stop(scorer.sheet, scorer.reading.next_hand, key=new_key(), by=scorer.by))


def last_hands(evening: PlayOffEvening) -> list[int | None]:
    return [reading_of(table).last_hand for table in evening.groups]


def test_one_number_is_said_to_all_tables_of_the_stage_once(evening: PlayOffEvening) -> None:
    client, key = evening.organiser(), new_key()
    assert [say(client, evening, 5, key) for _ in range(2)] == [303, 303]
    assert last_hands(evening) == [5, 5]
    assert AuditEntry.objects.filter(says__contains="stop after hand 5").count() == 1


def test_hand_that_one_of_the_tables_has_passed_is_refused_and_nothing_is_said(evening: PlayOffEvening) -> None:
    client = evening.organiser()
    assert say(client, evening, 2, new_key()) == 422
    assert last_hands(evening) == [None, None]
    assert say(client, evening, 3, new_key()) == 303
    assert last_hands(evening) == [3, 3]


def test_all_tables_of_the_night_stop_alike_where_they_play_a_play_off(evening: PlayOffEvening) -> None:
    client = evening.organiser()
    client.post(evening.url("announce_last"), {"key": new_key(), "do": ""})
    assert last_hands(evening) == [3, 3]


def test_both_finals_stop_alike_too() -> None:
    finals = drawn()
    finals.play(finals.final(), [1, 2, 3, 4], hands=2)
    finals.organiser().post(finals.url("announce_last"), {"key": new_key(), "do": ""})
    assert [reading_of(finals.final(side)).last_hand for side in ("winners", "losers")] == [3, 3]


def test_tables_of_one_round_that_play_fewer_hands_are_told_no_more_than_those() -> None:
    finals = drawn()
    final = finals.final().stage
    final.hands = 9
    final.save()
    answer = finals.organiser().post(finals.url("stop_stage"), {"round": 2, "hand": 6, "key": new_key()})
    assert answer.status_code == 303
    assert [reading_of(finals.final(side)).last_hand for side in ("winners", "losers")] == [6, 4]


def test_called_off_each_table_stops_after_its_own_hand(evening: PlayOffEvening) -> None:
    client = evening.organiser()
    client.post(evening.url("call_off"), {"do": "off"})
    client.post(evening.url("announce_last"), {"key": new_key(), "do": ""})
    assert last_hands(evening) == [3, 2]


def test_table_that_has_stopped_holds_the_number_for_the_others(evening: PlayOffEvening) -> None:
    client = evening.organiser()
    evening.rest(evening.groups[0])
    assert say(client, evening, 5, new_key()) == 422
    assert say(client, evening, 8, new_key()) == 303
    assert last_hands(evening) == [None, 8]


def test_a_stop_that_says_nothing_does_nothing(evening: PlayOffEvening) -> None:
    client, address = evening.organiser(), evening.url("stop_stage")
    for hand in ("", "x", "-1", "9" * 12, "9" * 5000):
        assert client.post(address, {"round": 1, "hand": hand, "key": new_key()}).status_code == 422
    for round_ in ("", "x", "9" * 5000):
        assert client.post(address, {"round": round_, "hand": 5, "key": new_key()}).status_code == 303
    assert client.post(address).status_code == 303
    assert last_hands(evening) == [None, None]


def test_page_says_at_each_table_when_it_stops(evening: PlayOffEvening) -> None:
    client = evening.organiser()
    say(client, evening, 3, new_key())
    assert client.get(evening.url("play_off")).content.decode().count("Stops after hand 3.") == 2
    scorer_of(evening.groups[0]).clear_hand()
    page = client.get(evening.url("play_off")).content.decode()
    assert page.count("Stops after hand 3.") == 1
    assert page.count("Hand 3 is scored: this table stops now.") == 1


def test_who_plays_past_the_hand_that_was_announced_is_told_in_plain_sight(evening: PlayOffEvening) -> None:
    client = evening.organiser()
    say(client, evening, 3, new_key())
    for _ in range(2):
        scorer_of(evening.groups[0]).clear_hand()
    says = "4 hands were played here: all tables were to stop after hand 3."
    for name in ("play_off", "control"):
        text = page(client.get(evening.url(name))).text
        assert text.count(says) == 1
        assert "stops now" not in text
    stop_at(evening.groups[0])
    for _ in range(2):
        scorer_of(evening.groups[1]).clear_hand()
    stop_at(evening.groups[1])
    text = page(client.get(evening.url("play_off"))).text
    assert "Group 1 settled 4 hands were played here, 3 at the other table." in text
    assert text.count("at the other table") == 1


def test_who_stops_before_the_others_is_told_and_they_can_be_stopped_there_too(evening: PlayOffEvening) -> None:
    client = evening.organiser()
    scorer_of(evening.groups[0]).clear_hand()
    stop_at(evening.groups[0])
    html = client.get(evening.url("play_off")).content.decode()
    assert "Stopped after hand 3, and the other plays on." in html
    assert re.findall(r'<option value="(\d+)"', html) == ["3", "4", "5", "6", "7", "8"]
    assert say(client, evening, 3, new_key()) == 303
    assert last_hands(evening) == [None, 3]
    for _ in range(2):
        scorer_of(evening.groups[1]).clear_hand()
    stop_at(evening.groups[1])
    text = page(client.get(evening.url("play_off"))).text
    assert "played here" not in text
    assert "Stopped after" not in text


def test_codes_are_still_shown_when_tables_that_have_not_begun_were_told_to_stop() -> None:
    evening = play_off([5, 5], places=2, hands=8)
    client = evening.organiser()
    assert "Show the codes of the tables" in client.get(evening.url("play_off")).content.decode()
    say(client, evening, 5, new_key())
    assert "Show the codes of the tables" in client.get(evening.url("play_off")).content.decode()


def test_tables_of_a_play_off_that_was_called_off_play_for_themselves(evening: PlayOffEvening) -> None:
    client = evening.organiser()
    client.post(evening.url("call_off"), {"do": "off"})
    answer = client.post(evening.url("stop_stage"), {"round": 1, "hand": 5, "key": new_key()})
    assert answer.status_code == 409
    assert "This play-off was called off" in answer.content.decode()
    assert last_hands(evening) == [None, None]


def test_of_three_tables_the_others_are_told_of_together() -> None:
    evening = play_off([4, 4, 4], places=2, hands=8)
    for table, hands in zip(evening.groups, (3, 2, 4), strict=True):
        evening.play(table, [9, 8, 7, 6], hands=hands)
    client = evening.organiser()
    stop_at(evening.groups[1])
    assert "Stopped after hand 2, and others play on." in page(client.get(evening.url("play_off"))).text
    for table in (evening.groups[0], evening.groups[2]):
        stop_at(table)
    text = page(client.get(evening.url("play_off"))).text
    assert text.count("played here") == 3
    assert "2 hands were played here, 3 to 4 at the other tables." in text
