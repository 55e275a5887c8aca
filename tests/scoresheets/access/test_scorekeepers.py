"""Letting others score, and revoking phones: who keeps score, who hears of it, who is left."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone

from scoresheets.access import scorekeepers
from scoresheets.commands import enter
from scoresheets.log.answers import Refused
from scoresheets.models import Revision, Scorekeeper, ShareLink, Sheet
from scoresheets.pad.news import news_of
from scoresheets.wording.markup import as_text
from tests.factories import ScorekeeperFactory, Scorer, new_key, opened, sure_of
from tests.scoresheets.conftest import Counts

pytestmark = pytest.mark.django_db

MARGE, JOE = scorekeepers.hashed("m" * 22), scorekeepers.hashed("j" * 22)


def verbs(sheet: Sheet) -> list[str]:
    return list(Revision.objects.filter(sheet=sheet).order_by("version").values_list("verb", flat=True))


def came(ann: Scorer, browser: str = MARGE, name: str = "Marge", key: str = "") -> Scorekeeper:
    """A neighbour who scanned a link of Ann's."""
    keeper = scorekeepers.join_by_link(scorekeepers.make_link(ann.sheet, by=ann.by), browser, name, key=key)
    assert keeper is not None
    return keeper


def test_two_first_writes_of_a_browser_at_once_make_one_scorekeeper(ann: Scorer) -> None:
    """As the host of a table, or a program: their row is not saved before they write."""
    newcomers = [Scorekeeper(sheet=ann.sheet, browser=MARGE, created=timezone.now()) for _ in range(2)]
    answers = [
        enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=new_key(), by=newcomer) for newcomer in newcomers
    ]
    assert [sure_of(answer).verb for answer in answers] == ["enter", "agree"]
    assert ann.sheet.scorekeepers.filter(browser=MARGE).count() == 1


# Who has it


def test_nobody_is_the_active_scorekeeper_before_it_was_handed_on(ann: Scorer) -> None:
    assert scorekeepers.active_scorekeeper(ann.sheet) is None


def test_starting_to_score_is_a_write_of_which_every_phone_hears(ann: Scorer) -> None:
    marge = came(ann)
    assert verbs(ann.sheet) == ["open", "pencil"]
    assert ann.reading.version == 2
    assert scorekeepers.active_scorekeeper(ann.sheet) == marge
    write = Revision.objects.select_related("keeper").get(verb="pencil")
    assert as_text(news_of(ann.reading, write)) == "Marge is now keeping score."


def test_the_same_tap_again_takes_it_once(ann: Scorer) -> None:
    link, key = scorekeepers.make_link(ann.sheet, by=ann.by), new_key()
    scorekeepers.join_by_link(link, MARGE, "Marge", key=key)
    scorekeepers.become_active(ann.by, key=new_key())
    scorekeepers.join_by_link(link, MARGE, "Marge", key=key)
    assert verbs(ann.sheet) == ["open", "pencil", "pencil"]


def test_who_has_it_already_takes_it_no_second_time(ann: Scorer) -> None:
    link = scorekeepers.make_link(ann.sheet, by=ann.by)
    for _ in range(3):
        scorekeepers.join_by_link(link, MARGE)
    assert verbs(ann.sheet) == ["open", "pencil"]


def test_it_goes_to_and_fro(ann: Scorer) -> None:
    marge = came(ann)
    sure_of(scorekeepers.become_active(ann.by, key=new_key()))
    assert scorekeepers.active_scorekeeper(ann.sheet) == ann.by
    sure_of(scorekeepers.become_active(marge, key=new_key()))
    assert scorekeepers.active_scorekeeper(ann.sheet) == marge


def test_who_keeps_the_next_hands_is_said_and_both_may_write(ann: Scorer) -> None:
    marge = came(ann)
    sure_of(ann.bid(2, 0))
    sure_of(Scorer(ann.sheet, marge).bid(3, 0))
    assert ann.reading.standing[1, "bid-3"].by == "Marge"


def test_taking_it_takes_nothing_off_the_sheet_and_is_not_what_is_taken_back(ann: Scorer) -> None:
    bid = sure_of(ann.bid(2, 0))
    came(ann)
    assert ann.reading.take_back == bid.version
    assert isinstance(ann.undo(3), Refused)
    sure_of(ann.undo())
    assert ann.reading.entries == {}


def test_when_its_holder_is_cut_off_who_had_it_before_has_it(ann: Scorer) -> None:
    marge, joe = came(ann), came(ann, JOE, "Joe")
    assert scorekeepers.cut_off(joe, by=ann.by)
    assert scorekeepers.active_scorekeeper(ann.sheet) == marge


# Cutting off


def test_who_is_cut_off_may_not_write_any_more(ann: Scorer) -> None:
    marge = came(ann)
    assert scorekeepers.cut_off(marge, by=ann.by)
    refused = Scorer(ann.sheet, marge).bid(2, 0)
    assert isinstance(refused, Refused)
    assert refused.code == "cut-off"
    assert ann.reading.entries == {}
    sure_of(ann.bid(2, 0))


@pytest.mark.parametrize("verb", ["enter", "retype", "undo", "misdeal", "stop", "play_on", "note", "pencil", "rename"])
def test_no_verb_gets_past_it(ann: Scorer, verb: str) -> None:
    """Also not what was on its way when they were cut off."""
    sure_of(ann.bid(2, 0))
    marge = came(ann)
    scorekeepers.cut_off(marge, by=ann.by)
    version, key = ann.reading.version, {"key": new_key(), "by": marge}
    answers = {
        "enter": lambda: enter.enter(ann.sheet, (1, "bid-3"), {"bid": 0}, saw=None, **key),
        "retype": lambda: enter.retype(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=1, **key),
        "undo": lambda: enter.undo(ann.sheet, 2, **key),
        "misdeal": lambda: enter.misdeal(ann.sheet, 1, 1, **key),
        "stop": lambda: enter.stop(ann.sheet, 1, **key),
        "play_on": lambda: enter.play_on(ann.sheet, **key),
        "note": lambda: enter.note(ann.sheet, 1, text="No.", **key),
        "pencil": lambda: scorekeepers.become_active(marge, key=new_key()),
        "rename": lambda: scorekeepers.rename_scorekeeper(marge, "Large"),
    }
    answer = answers[verb]()
    assert getattr(answer, "code", "") == "cut-off"
    assert ann.reading.version == version


def test_the_link_they_came_by_lets_them_in_no_more_and_leaves_the_others_alone(ann: Scorer) -> None:
    link = scorekeepers.make_link(ann.sheet, by=ann.by)
    marge, joe = (scorekeepers.join_by_link(link, browser) for browser in (MARGE, JOE))
    scorekeepers.cut_off(marge, by=ann.by)
    assert scorekeepers.join_by_link(link, MARGE) is None
    sure_of(Scorer(ann.sheet, joe).bid(2, 0))
    assert scorekeepers.join_by_link(scorekeepers.make_link(ann.sheet, by=ann.by), MARGE) is not None


def test_the_links_they_made_open_nothing_any_more(ann: Scorer) -> None:
    marge = came(ann)
    token = scorekeepers.make_link(ann.sheet, by=marge)
    scorekeepers.cut_off(marge, by=ann.by)
    assert scorekeepers.find_link(token) is None
    assert scorekeepers.join_by_link(token, MARGE) is None


def test_nobody_cuts_themselves_off(ann: Scorer) -> None:
    assert not scorekeepers.cut_off(ann.by, by=ann.by)
    sure_of(ann.bid(2, 0))


def test_who_was_cut_off_cuts_nobody_off(ann: Scorer) -> None:
    marge = came(ann)
    scorekeepers.cut_off(marge, by=ann.by)
    assert not scorekeepers.cut_off(ann.by, by=marge)
    link = ShareLink.objects.get()
    assert not scorekeepers.revoke_link(link, by=marge)
    sure_of(ann.bid(2, 0))


def test_who_revokes_the_link_by_which_they_came_stays(ann: Scorer) -> None:
    token = scorekeepers.make_link(ann.sheet, by=ann.by)
    marge, joe = (scorekeepers.join_by_link(token, browser) for browser in (MARGE, JOE))
    assert scorekeepers.revoke_link(ShareLink.objects.get(), by=marge)
    assert not scorekeepers.still_writes(joe)
    assert scorekeepers.still_writes(marge)


def test_knowing_who_was_cut_off_costs_a_write_nothing(ann: Scorer, statements: Counts) -> None:
    with statements(most=9):
        sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 0}, saw=None, key=new_key(), by=ann.by))


# Names


def test_a_name_is_asked_for_once_and_known_on_every_later_sheet(ann: Scorer) -> None:
    came(ann)
    other = opened(4)
    again = scorekeepers.join_by_link(scorekeepers.make_link(other.sheet, by=other.keeper), MARGE)
    assert again is not None
    assert again.name == "Marge"
    assert scorekeepers.last_name_of(JOE) == ""
    assert scorekeepers.last_name_of("") == ""


def test_the_latest_name_counts(ann: Scorer) -> None:
    marge = came(ann)
    assert scorekeepers.rename_scorekeeper(marge, "Maggie") is None
    assert scorekeepers.last_name_of(MARGE) == "Maggie"


def test_everybody_hears_of_a_new_name(ann: Scorer) -> None:
    scorekeepers.rename_scorekeeper(ScorekeeperFactory(sheet=ann.sheet, name=""), "Marge")
    write = Revision.objects.select_related("keeper").get(verb="call")
    assert as_text(news_of(ann.reading, write)) == "Another phone is called Marge now."


# Links


def test_the_same_tap_makes_the_same_link(ann: Scorer) -> None:
    key = new_key()
    token = scorekeepers.make_link(ann.sheet, by=ann.by, key=key)
    assert scorekeepers.make_link(ann.sheet, by=ann.by, key=key) == token
    assert scorekeepers.SECRET.fullmatch(token)
    assert ShareLink.objects.count() == 1


def test_nobody_elses_tap_makes_it(ann: Scorer) -> None:
    key, marge = new_key(), came(ann)
    token = scorekeepers.make_link(ann.sheet, by=ann.by, key=key)
    other = opened(4)
    others = [
        scorekeepers.make_link(ann.sheet, by=marge, key=key),
        scorekeepers.make_link(other.sheet, by=other.keeper, key=key),
        scorekeepers.make_link(ann.sheet, by=ann.by, key=new_key()),
    ]
    assert token not in others
    assert len(set(others)) == 3


def test_a_new_watch_address_takes_the_place_of_the_one_that_was_seen(ann: Scorer) -> None:
    old = ann.sheet.watch
    scorekeepers.new_watch_address(ann.sheet, saw=old)
    ann.sheet.refresh_from_db()
    new = ann.sheet.watch
    assert scorekeepers.SECRET.fullmatch(new)
    assert new != old
    scorekeepers.new_watch_address(ann.sheet, saw=old)
    ann.sheet.refresh_from_db()
    assert ann.sheet.watch == new


def test_a_link_that_has_run_out_is_known_but_not_good(ann: Scorer) -> None:
    token = scorekeepers.make_link(ann.sheet, by=ann.by, lifetime=datetime.timedelta(seconds=-1))
    assert scorekeepers.known_link(token) is not None
    assert scorekeepers.find_link(token) is None
