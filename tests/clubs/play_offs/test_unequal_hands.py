"""The finals played different numbers of hands: the loser's trophy waits until an organiser has decided (Rule 14)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEntry, Award, Ruling, Stage
from clubs.play_off_rounds import rulings
from clubs.play_offs.unequal_hands import can_be_said
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.commands.enter import play_on, stop
from tests.clubs.play_offs.evening import PlayOffEvening, reading_of, scorer_of
from tests.clubs.play_offs.test_cards import draw, drawing
from tests.clubs.play_offs.test_crowning import LOSERS, WINNERS, aloud, evening_at_the_finals, with_trophies
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.django_db

WAITS = "2 hands were played at the winners’ table, 4 at the losers’ table"


def stop_at(evening: PlayOffEvening, side: str) -> None:
    scorer = scorer_of(evening.final(side))
    sure_of(stop(scorer.sheet, scorer.reading.next_hand, key=new_key(), by=scorer.by, sure=True))


@pytest.fixture
def evening() -> PlayOffEvening:
    """The winners' table stopped after hand 2 of 4, when Ed was the lowest of both. Then Ed climbed above Gus."""
    found = evening_at_the_finals()
    with_trophies(found.club, bone="Ann")
    found.play(found.final(), WINNERS, hands=2)
    found.play(found.final(Stage.Side.LOSERS), LOSERS, hands=2)
    stop_at(found, Stage.Side.WINNERS)
    found.rest(found.final(Stage.Side.LOSERS))
    return found


def loser(evening: PlayOffEvening) -> str:
    found = evening.now.outcome
    return evening.names([found.loser])[0] if found and found.loser else ""


def decide(evening: PlayOffEvening, browser: Client, choice: str, **more: Any) -> Any:
    unequal = evening.now.unequal
    said = {"do": choice, "reason": "As the club has always done", "saw": unequal.mark if unequal else ""}
    return browser.post(evening.url("rule_hands"), said | {"key": "k" * 22} | more)


def test_losers_trophy_waits_and_the_sentence_read_aloud_says_so(evening: PlayOffEvening) -> None:
    assert loser(evening) == ""
    assert not evening.now.is_over
    waits = f"{WAITS}: who takes The Bone waits for the organiser’s decision."
    assert aloud(evening).startswith(f"Flo takes The Cup. {waits}")
    assert list(Award.objects.filter(source="play-off").values_list("trophy__name", flat=True)) == ["The Cup"]
    page = evening.organiser().get(evening.url("play_off")).content.decode()
    assert "waits for the organiser’s decision" in page
    assert "Decide about the finals" in page
    assert "Record the cards drawn" not in page
    for name in ("control", "night"):
        other = evening.organiser().get(evening.url(name)).content.decode()
        assert "Play-off</b>: the finals are to be settled" in other, name


def test_finals_of_equal_length_wait_for_nobody() -> None:
    evening = evening_at_the_finals()
    evening.finish(evening.final(), WINNERS)
    evening.finish(evening.final(Stage.Side.LOSERS), LOSERS)
    assert evening.now.unequal is None
    assert loser(evening) == "Ed"
    assert "There is nothing to decide" in evening.organiser().get(evening.url("rule_hands")).content.decode()


def test_both_stopped_after_the_same_hand_are_equal() -> None:
    evening = evening_at_the_finals()
    for side, totals in ((Stage.Side.WINNERS, WINNERS), (Stage.Side.LOSERS, LOSERS)):
        evening.play(evening.final(side), totals, hands=2)
        stop_at(evening, side)
    assert (evening.now.unequal, loser(evening)) == (None, "Ed")


def test_as_it_stands_the_totals_at_the_end_are_compared(evening: PlayOffEvening) -> None:
    olga = evening.organiser()
    page = olga.get(evening.url("rule_hands")).content.decode()
    assert "Compared after hand 2, the last one both have played" in page
    assert decide(evening, olga, "stands").status_code == 303
    assert loser(evening) == "Gus", "at the end they are below everybody at the losers’ table"
    assert evening.now.is_over
    assert f"{WAITS}: it counts as it stands." in aloud(evening)
    assert AuditEntry.objects.filter(says__contains="count as they stand in the play-off").exists()
    asked = olga.get(evening.url("rule_hands")).content.decode()
    assert f"{WAITS}: it counts as it stands. What is saved here takes the place of that decision." in asked
    assert "waits for you" not in asked
    text = olga.get(evening.url("play_off")).content.decode()
    assert "Counts as it stands" in text
    assert "As the club has always done" in text


@pytest.mark.thorough
def test_compared_after_the_last_hand_of_both(evening: PlayOffEvening) -> None:
    olga = evening.organiser()
    assert decide(evening, olga, "compared").status_code == 303
    assert loser(evening) == "Ed"
    assert f"{WAITS}: both were compared after hand 2." in aloud(evening)
    assert "Ed, lowest of the losers’ table with −5, takes The Bone from Ann." in aloud(evening)
    award = Award.objects.get(trophy__name="The Bone", source="play-off")
    assert award.member.name == "Ed"
    assert "both compared after hand 2" in award.why


@pytest.mark.thorough
def test_who_was_level_after_the_hand_that_is_compared_draws_and_it_counts() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club, bone="Ann")
    evening.play(evening.final(), WINNERS, hands=2)
    evening.play(evening.final(Stage.Side.LOSERS), {**LOSERS, "Di": -5}, hands=2)
    stop_at(evening, Stage.Side.WINNERS)
    evening.rest(evening.final(Stage.Side.LOSERS))
    olga = evening.organiser()
    assert decide(evening, olga, "compared").status_code == 303
    assert (drawing(evening), loser(evening)) == (["Di", "Ed"], "")
    assert draw(evening, olga, Di="4", Ed="9").status_code == 303
    assert loser(evening) == "Di"
    counting = [one.ruling.kind for one in rulings.ruling_texts(evening.now) if not one.why_not]
    assert sorted(counting) == [Ruling.Kind.DRAW, Ruling.Kind.HANDS]


@pytest.mark.thorough
def test_play_on_opens_the_shorter_final_again(evening: PlayOffEvening) -> None:
    olga = evening.organiser()
    assert decide(evening, olga, "play-on").status_code == 303
    assert evening.now.outcome is None, "it is played again"
    evening.rest(evening.final())
    assert evening.now.unequal is None
    assert evening.now.outcome
    assert "The shorter final plays on" in olga.get(evening.url("play_off")).content.decode()


@pytest.mark.thorough
def test_every_decision_has_a_way_back(evening: PlayOffEvening) -> None:
    olga = evening.organiser()
    for choice in ("stands", "compared", "play-on"):
        assert decide(evening, olga, choice, key=new_key()).status_code == 303
        ruling = Ruling.objects.latest("pk")
        assert olga.get(evening.url("change_ruling", ruling.pk)).status_code == 200
        assert olga.post(evening.url("change_ruling", ruling.pk), {"key": new_key()}).status_code == 303
        assert loser(evening) == ""
        assert evening.now.unequal, choice
    assert AuditEntry.objects.filter(says__startswith="Took back a decision about finals").count() == 3


@pytest.mark.thorough
def test_playing_on_is_not_taken_back_once_hands_were_played(evening: PlayOffEvening) -> None:
    olga = evening.organiser()
    decide(evening, olga, "play-on")
    evening.rest(evening.final())
    answer = olga.post(evening.url("change_ruling", Ruling.objects.latest("pk").pk), {"key": new_key()})
    assert answer.status_code == 409
    assert "This table has played on since." in answer.content.decode()


@pytest.mark.thorough
def test_decision_counts_only_for_the_hands_it_was_about(evening: PlayOffEvening) -> None:
    olga = evening.organiser()
    decide(evening, olga, "stands")
    scorer = scorer_of(evening.final())
    sure_of(play_on(scorer.sheet, key=new_key(), by=scorer.by))
    scorer.clear_hand()
    stop_at(evening, Stage.Side.WINNERS)
    assert loser(evening) == ""
    assert "the numbers of hands on the sheets have changed" in olga.get(evening.url("rule_hands")).content.decode()


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("more", "status"),
    [({"reason": ""}, 422), ({"do": "luck"}, 422), ({"saw": "2-3-0"}, 409), ({"saw": ""}, 409)],
)
def test_decision_that_cannot_be_is_refused(evening: PlayOffEvening, more: dict[str, str], status: int) -> None:
    assert decide(evening, evening.organiser(), "stands", **more).status_code == status
    assert loser(evening) == ""


def test_same_decision_twice_is_one(evening: PlayOffEvening) -> None:
    olga = evening.organiser()
    unequal = evening.now.unequal
    assert unequal
    for _ in range(2):
        assert decide(evening, olga, "stands", saw=unequal.mark).status_code == 303
    assert Ruling.objects.count() == 1


def test_who_stops_one_final_early_is_asked_first() -> None:
    evening = evening_at_the_finals()
    evening.play(evening.final(), WINNERS, hands=2)
    sheet, browser = evening.final().sheet, scorekeeper(evening)
    assert sheet
    for address in (f"/sheets/{sheet.code}/", f"/sheets/{sheet.code}/pad/"):
        text = browser.get(address).content.decode()
        assert QUESTION in text, address
        assert "Stop here all the same" in text


def scorekeeper(evening: PlayOffEvening) -> Client:
    """The phone that writes at the winners' table, whose next hand is the third."""
    sheet = evening.final().sheet
    assert sheet
    browser = Client()
    browser.cookies[BROWSER_COOKIE] = "p" * 22
    sheet.scorekeepers.update(browser=hashed("p" * 22))
    return browser


QUESTION = "The other final plays 4 hands. If this one plays fewer, the loser’s trophy waits"


def test_page_that_did_not_ask_is_answered_with_the_question_and_nothing_is_written() -> None:
    """It was loaded before the other final was drawn."""
    evening = evening_at_the_finals()
    evening.play(evening.final(), WINNERS, hands=2)
    sheet, phone = evening.final().sheet, scorekeeper(evening)
    assert sheet
    address, said = f"/sheets/{sheet.code}/stop/", {"hand": "3", "event": "1"}
    answer = phone.post(address, said | {"key": new_key()}, headers={"accept": "application/json"})
    assert answer.status_code == 422
    told = answer.json()
    assert told["unwise"]
    assert told["problem"].startswith(QUESTION)
    assert told["problems"][0]["code"] == "asked-first"
    assert reading_of(evening.final()).stopped is None
    sure = said | {"key": new_key(), "sure": "1"}
    assert phone.post(address, sure, headers={"accept": "application/json"}).status_code == 200
    assert reading_of(evening.final()).stopped


def test_form_without_a_script_is_answered_with_the_question_and_keeps_what_was_sent() -> None:
    evening = evening_at_the_finals()
    evening.play(evening.final(), WINNERS, hands=2)
    sheet, phone = evening.final().sheet, scorekeeper(evening)
    assert sheet
    address = f"/sheets/{sheet.code}/stop/"
    answer = phone.post(address, {"hand": "3", "key": new_key(), "next": "sheet"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert QUESTION in text
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', text))
    assert (fields["hand"], fields["next"], fields["sure"]) == ("3", "sheet", "1")
    assert f'href="/sheets/{sheet.code}/"' in text, "the way back is where it came from"
    assert reading_of(evening.final()).stopped is None
    answer = phone.post(address, fields)
    assert (answer.status_code, answer["Location"]) == (303, f"/sheets/{sheet.code}/")
    assert reading_of(evening.final()).stopped


def test_nobody_is_asked_where_the_other_final_ends_after_the_same_hand() -> None:
    """It was stopped there, or both were told to stop there."""
    for is_over in (True, False):
        evening = evening_at_the_finals()
        for side, totals in ((Stage.Side.WINNERS, WINNERS), (Stage.Side.LOSERS, LOSERS)):
            evening.play(evening.final(side), totals, hands=2)
        if is_over:
            stop_at(evening, Stage.Side.LOSERS)
        else:
            said = {"round": evening.final().stage.number, "hand": 3, "key": new_key()}
            assert evening.organiser().post(evening.url("stop_stage"), said).status_code == 303
            scorer_of(evening.final()).clear_hand()
        scorer = scorer_of(evening.final())
        sure_of(stop(scorer.sheet, scorer.reading.next_hand, key=new_key(), by=scorer.by))


@pytest.mark.parametrize(
    ("says", "possible"),
    [
        ({"choice": "stands", "hands": [4, 6]}, True),
        ({"choice": "play-on", "hands": [4, 6], "table": "u" * 22, "version": 9}, True),
        ({"choice": "luck", "hands": [4, 6]}, False),
        ({"choice": "stands", "hands": [4]}, False),
        ({"choice": "stands", "hands": [4, True]}, False),
        ({}, False),
    ],
)
def test_file_of_a_club_may_say_so(says: dict[str, Any], possible: bool) -> None:
    assert can_be_said(says) is possible
