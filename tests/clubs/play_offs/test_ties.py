"""A tie across the line of a group: an organiser rules who goes through, with a reason and a way back."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from clubs.members.privacy import hide_name
from clubs.models import AuditEntry, Ruling, Table
from clubs.play_off_rounds import rulings
from clubs.play_off_rounds.stages import abandon
from scoresheets.wording.markup import as_text
from tests.clubs.night_played import page as plain
from tests.clubs.play_offs.evening import PlayOffEvening, play_off, reading_of, scorer_of
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.django_db


def tied() -> PlayOffEvening:
    """Two of each group go on; in the first Bo and Cy are level for the last place."""
    evening = play_off([4, 4], places=2)
    evening.finish(evening.groups[0], [20, 9, 9, -3])
    evening.finish(evening.groups[1], [12, 10, 3, -8])
    return evening


def seat(table: Table, name: str) -> int:
    return next(number for number, said in reading_of(table).names.items() if said == name)


def rule(evening: PlayOffEvening, browser: Client, name: str = "Cy", **said: str):
    table = evening.groups[0]
    posted = {"goes": seat(table, name), "edge": "through", "reason": "They have to go", "key": new_key()} | said
    return browser.post(evening.url("rule_cut", table.pk), posted)


def told(evening: PlayOffEvening) -> list[tuple[str, str]]:
    return [(one.says, one.why_not) for one in rulings.ruling_texts(evening.now)]


def through(evening: PlayOffEvening) -> list[str]:
    return evening.names(evening.now.groups.tables[0].cut.through)


def test_the_page_shows_the_tie_and_what_an_organiser_rules_stands_on_the_sheet() -> None:
    evening = tied()
    olga = evening.organiser()
    page = olga.get(evening.url("rule_cut", evening.groups[0].pk)).content.decode()
    assert "Bo" in page
    assert "Cy" in page
    assert "are tied for the last place through" in page
    assert "Their own sheet asks for what settles it" in page
    answer = rule(evening, olga)
    assert (answer.status_code, answer.url) == (303, evening.url("play_off") + f"#table-{evening.groups[0].pk}")
    assert through(evening) == ["Ann", "Cy"]
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.reason, str(ruling.by)) == ("cut", "They have to go", "Olga")
    assert told(evening) == [("Cy goes through.", "")]
    assert AuditEntry.objects.filter(says__startswith="Decided the tie in Group 1").count() == 1
    page = olga.get(evening.url("rule_cut", evening.groups[0].pk)).content.decode()
    assert "They have to go" in page
    assert "Olga" in page


def test_a_reason_has_to_be_said() -> None:
    evening = tied()
    answer = rule(evening, evening.organiser(), reason="  ")
    assert answer.status_code == 422
    assert "Say why" in answer.content.decode()
    assert f'value="{seat(evening.groups[0], "Cy")}"' in answer.content.decode()
    assert "checked" in answer.content.decode()
    assert not Ruling.objects.exists()


@pytest.mark.parametrize(
    ("reason", "says"),
    [("So\x07", "a character in it that is no text"), ("o" * 201, "At most 200 characters fit here.")],
)
def test_a_reason_that_cannot_be_read_is_refused_in_a_sentence(reason: str, says: str) -> None:
    evening = tied()
    answer = rule(evening, evening.organiser(), reason=reason)
    assert (answer.status_code, says in answer.content.decode()) == (422, True)
    assert not Ruling.objects.exists()


@pytest.mark.parametrize(("goes", "says"), [([], "One of them goes through"), (["Bo", "Cy"], "One of them goes")])
def test_as_many_have_to_be_named_as_there_are_places(goes: list[str], says: str) -> None:
    evening = tied()
    table = evening.groups[0]
    posted = {"goes": [seat(table, name) for name in goes], "edge": "through", "reason": "So", "key": new_key()}
    answer = evening.organiser().post(evening.url("rule_cut", table.pk), posted)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Ruling.objects.exists()


def test_the_same_tap_twice_rules_once() -> None:
    evening = tied()
    olga, key = evening.organiser(), new_key()
    assert [rule(evening, olga, key=key).status_code for _ in range(2)] == [303, 303]
    assert Ruling.objects.count() == 1


def test_of_two_organisers_at_once_the_second_is_told_that_nobody_is_tied_any_more() -> None:
    evening = tied()
    olga = evening.organiser()
    rule(evening, olga)
    answer = rule(evening, olga, "Bo")
    assert answer.status_code == 409
    assert "Nobody is tied across the line here" in answer.content.decode()
    assert through(evening) == ["Ann", "Cy"]


def test_who_is_not_tied_cannot_be_let_through() -> None:
    evening = tied()
    answer = rule(evening, evening.organiser(), "Di")
    assert answer.status_code == 409
    assert "Only those who are tied" in answer.content.decode()


def test_it_is_taken_back_with_its_entry_and_can_be_ruled_anew() -> None:
    evening = tied()
    olga = evening.organiser()
    rule(evening, olga)
    ruling = Ruling.objects.get()
    page = evening.url("change_ruling", ruling.pk)
    assert "Then the tie is open again, and the table can play it out." in olga.get(page).content.decode()
    for _ in range(2):
        assert olga.post(page, {"key": new_key()}).status_code == 303
    assert through(evening) == ["Ann"]
    assert told(evening) == [("Cy was to go through.", rulings.WITHDRAWN)]
    assert "Cy was to go through. “They have to go” Taken back." in plain(olga.get(evening.url("play_off"))).text
    rule(evening, olga, "Bo")
    assert through(evening) == ["Ann", "Bo"]


def test_taken_back_on_the_sheet_it_counts_no_more_and_is_still_shown() -> None:
    evening = tied()
    rule(evening, evening.organiser())
    ruling = Ruling.objects.get()
    sure_of(scorer_of(evening.groups[0]).undo(ruling.says["version"]))
    assert through(evening) == ["Ann"]
    assert told(evening) == [("Cy was to go through.", rulings.TAKEN_BACK)]


def test_the_latest_of_two_rulings_is_not_taken_for_the_first() -> None:
    evening = tied()
    olga = evening.organiser()
    for name in ("Cy", "Bo"):
        rule(evening, olga, name)
        page = evening.url("change_ruling", Ruling.objects.latest("pk").pk)
        olga.post(page, {"key": new_key()})
    assert told(evening) == [(f"{name} was to go through.", rulings.WITHDRAWN) for name in ("Cy", "Bo")]
    hide_name(evening.members["Cy"], by=None)
    assert told(evening)[0][0] == "Somebody was to go through."


def test_a_blind_hand_settles_it_as_well_and_nothing_is_left_to_rule() -> None:
    evening = tied()
    evening.blind(evening.groups[0], made=["Bo"])
    olga = evening.organiser()
    assert (
        "Nobody is tied across a line here" in olga.get(evening.url("rule_cut", evening.groups[0].pk)).content.decode()
    )
    assert rule(evening, olga).status_code == 409


def test_a_table_that_still_plays_has_no_tie() -> None:
    evening = play_off([4, 4], places=2)
    olga = evening.organiser()
    page = olga.get(evening.url("rule_cut", evening.groups[0].pk))
    assert "still playing" in page.content.decode()
    answer = rule(evening, olga)
    assert answer.status_code == 409
    assert "still playing" in answer.content.decode()


@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_only_organisers_rule(role: str) -> None:
    evening = tied()
    assert rule(evening, evening.organiser(role)).status_code == 403


def test_a_table_of_another_night_is_not_there() -> None:
    evening, other = tied(), tied()
    olga = evening.organiser()
    assert olga.get(evening.url("rule_cut", other.groups[0].pk)).status_code == 404


@pytest.mark.databases_differ
@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("goes", ["x", "-1", "9" * 20, "9" * 5000, "0"])
def test_a_post_that_says_nothing_of_sense_is_refused(goes: str) -> None:
    evening = tied()
    posted = {"goes": goes, "edge": "sideways", "reason": "So", "key": new_key()}
    answer = evening.organiser().post(evening.url("rule_cut", evening.groups[0].pk), posted)
    assert answer.status_code == 409
    assert "Only those who are tied" in answer.content.decode()


def test_a_ruling_at_a_table_is_on_the_page_of_the_play_off() -> None:
    evening = tied()
    olga = evening.organiser()
    rule(evening, olga)
    page = olga.get(evening.url("play_off")).content.decode()
    assert "They have to go" in page
    assert "Cy goes through." in as_text(page)


def test_two_lines_with_a_tie_are_two_questions_and_each_is_refused_at_its_own() -> None:
    """All of one group are equal: one goes through, one to the losers' table."""
    evening = play_off([4, 4], places=1, losers_count=1)
    evening.finish(evening.groups[0], [9, 9, 9, 9])
    evening.finish(evening.groups[1], [12, 10, 3, -8])
    olga, table = evening.organiser(), evening.groups[0]
    posted = {"goes": [seat(table, "Bo"), seat(table, "Cy")], "edge": "below", "reason": "So it is", "key": new_key()}
    answer = olga.post(evening.url("rule_cut", table.pk), posted)
    assert answer.status_code == 422
    through, below = answer.content.decode().split('name="edge"')[1:]
    assert "One of them goes to the losers: say who." not in through
    assert "One of them goes to the losers: say who." in below
    assert ("checked" in through, below.count("checked")) == (False, 2)
    assert ("So it is" in through, "So it is" in below) == (False, True)
    page = olga.post(evening.url("rule_cut", table.pk), posted | {"reason": ""}).content.decode()
    assert page.count("Say why") == 1
    assert sorted(re.findall(r' id="reason(\w+)"', page)) == ["below", "through"]
    assert not Ruling.objects.exists()


def test_at_a_table_of_a_stage_that_was_drawn_anew_nothing_is_ruled() -> None:
    evening = play_off([6, 6], places=6, losers_count=0)
    for table in evening.groups:
        evening.finish(table, [20, 15, 12, 9, 3, 1])
    evening.open_next()
    old = evening.tables("winners")[0]
    assert old.stage
    abandon(old.stage)
    assert evening.organiser().get(evening.url("rule_cut", old.pk)).status_code == 404
