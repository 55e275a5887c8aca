"""Rule 14 on the pages of a sheet: the end of a group, its ties, its rulings, and the finals."""

import json
import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.core.fields import SHEET
from rules.core.stakes import ALL, Decides, group
from scoresheets.access.scorekeepers import hashed
from scoresheets.commands import enter
from scoresheets.commands.ruling import rule_cut
from scoresheets.corrections.correct import correct, correcting
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.files.image import Picture
from scoresheets.files.log_schema import faults_of_copy
from scoresheets.files.sheet_file import open_from_file, sheet_file_of
from scoresheets.log.state import SET_UP, read_sheet
from scoresheets.models import FinalPlacing
from scoresheets.opening.open_sheet import Somebody
from scoresheets.pad.news import news_of
from scoresheets.results.impact import ends_moved, moves, previewed
from scoresheets.results.verdict import verdict_of
from scoresheets.roster.change import arrive
from scoresheets.sheet.table import RunningSheet
from scoresheets.wording.markup import as_text
from tests.factories import ScorekeeperFactory, new_key, scorer, sure_of
from tests.scoresheets.ended import blind_hand, ended
from tests.scoresheets.files.test_log_files import copy_of, laid_out, told
from tests.scoresheets.laid import SECRET

pytestmark = pytest.mark.django_db


@pytest.fixture
def tied():
    """Cy, Di and Ed are tied for the last place through."""
    return ended(30, 20, 10, 10, 10, 0, decides=group(3))


def plain(page):
    """The words of a page."""
    main = re.sub(r"(?s)<(script|style|svg).*?</\1>", " ", page)
    return " ".join(unescape(re.sub(r"<[^>]+>", "\0", main)).replace("\0", "").split())


def page(client, name, table):
    return plain(client.get(reverse(name, args=[table.sheet.code]), follow=True).content.decode())


def watched(client, table):
    table.sheet.refresh_from_db()
    return plain(client.get(reverse("watch", args=[table.sheet.watch])).content.decode())


def ruled(table, *seats, **more):
    return sure_of(rule_cut(table.sheet, seats, key=new_key(), by=table.by, **more))


# -- what stands on the pages -------------------------------------------------------------------------


def test_result_of_a_group_says_who_goes_on_and_calls_nobody_winner_or_loser(client):
    table = ended(30, 8, 21, -3, 15, 14, decides=group(3))
    for said in (page(client, "result", table), watched(client, table)):
        assert "Through: Ann, Cy and Ed; to the losers: Flo, Bo and Di." in said
        assert "Through ↑ ↓ To the losers" in said
        for word in ("Winner", "Loser ", " wins", "takes the circle", "First Place Loser", "share first place"):
            assert word not in said, word


def test_group_of_a_play_off_is_not_played_again_by_the_same_players_and_leads_to_the_play_off(client):
    for decides, again, home in ((group(3), False, "The play-off"), (ALL, True, "The night")):
        table = ended(30, 8, 21, -3, 15, 14, decides=decides)
        type(table.sheet).objects.filter(pk=table.sheet.pk).update(home="/clubs/trumps/nights/1/")
        said = page(client, "result", table)
        assert ("Same players again" in said) is again
        assert home in said


def test_result_of_a_group_with_a_middle_draws_both_lines(client):
    said = page(client, "result", ended(30, 8, 21, -3, 15, 14, decides=group(2, 2)))
    assert "Through: Ann and Cy; to the losers: Bo and Di; done: Ed and Flo." in said
    assert said.index("Cy 21") < said.index("Through ↑ 3.") < said.index("Flo 14") < said.index("↓ To the losers 5.")


@pytest.mark.parametrize(
    ("decides", "plan"),
    [
        (group(3), "The top three go through, all others to the losers."),
        (group(1), "The best goes through, all others to the losers."),
        (group(2, 1), "The top two go through, the lowest to the losers."),
        (group(1, 2), "The best goes through, the bottom two to the losers."),
        (group(2, 0), "The top two go through."),
        (group(0, 1), "The lowest goes to the losers."),
        (group(0, 2), "The bottom two go to the losers."),
    ],
)
def test_sheet_of_a_group_says_above_it_who_goes_on_unless_its_head_says_so_already(client, decides, plan):
    table = scorer(5, decides=decides)
    assert plan in watched(client, table)
    type(table.sheet).objects.filter(pk=table.sheet.pk).update(stakes="Group A: so many go through")
    said = watched(client, table)
    assert "Group A: so many go through" in said
    assert plan not in said


def test_tie_across_the_line_asks_for_a_blind_hand_in_plain_words(client, tied):
    said = page(client, "result", tied)
    assert "Cy, Di and Ed are tied for the last place through. Everybody plays a blind hand of 5 cards" in said
    assert "next: a blind hand for Cy, Di and Ed" in watched(client, tied)
    assert "Cy, Di and Ed are tied for the last place through." in watched(client, tied)


def test_both_lines_are_played_for_at_once_and_the_large_table_says_so(client):
    table = ended(30, 10, 10, 3, 3, decides=group(2, 1))
    assert "next: a blind hand for Bo, Cy, Di and Ed" in watched(client, table)
    said = plain(client.get(reverse("watch_table", args=[table.sheet.watch])).content.decode())
    assert "Bo and Cy are tied for the last place through." in said
    assert "Di and Ed are tied: one of them goes to the losers." in said


def test_pad_says_what_the_blind_hand_is_for(client):
    table = table_of_client(client, 30, 10, 10, 4, decides=group(2))
    said = page(client, "pad", table)
    assert "Blind hand for a place" in said
    assert "Bo and Cy are tied for the last place through." in said
    assert "for the lead" not in said
    lower = table_of_client(client, 30, 20, 4, 4, decides=group(1, 1))
    assert "Cy and Di are tied: one of them goes to the losers." in page(client, "pad", lower)


def table_of_client(client, *totals, decides):
    """A table whose scorekeeper is the client."""
    table = ended(*totals, decides=decides)
    client.cookies["pencil"] = SECRET
    ScorekeeperFactory(sheet=table.sheet, browser=hashed(SECRET))
    return table


def test_high_card_of_a_group_leaves_box_and_circle_as_the_totals_have_them():
    table = ended(30, 30, 10, 4, decides=group(1, high_card=True))
    sure_of(table.enter(SHEET, "draw-1", rank_1="9", rank_2="Q"))
    row = next(part for part in RunningSheet(table.reading, "/here/").parts if part.key == "draw-1")
    assert [(cell.boxed, cell.circled) for cell in row.line.cells if cell.card] == [(True, False), (True, False)]


def test_high_card_is_drawn_on_a_page_of_its_own(client):
    table = table_of_client(client, 30, 10, 10, 4, decides=group(2, high_card=True))
    said = page(client, "draw", table)
    assert "Draw the high card" in said
    assert "Bo and Cy are tied for the last place through." in said
    assert "Tap what was drawn: the highest card goes through, the other to the losers." in said
    assert "lowest" not in said
    sure_of(table.enter(SHEET, "draw-1", rank_2="9", rank_3="Q"))
    said = page(client, "result", table)
    assert "Through: Ann and Cy" in said
    assert "drew Q" in said
    why = client.get(reverse("why", args=[table.sheet.code, "draw-1", 3])).content.decode()
    assert "They drew for a place, and the higher card goes first" in plain(why)
    assert "takes the circle" not in plain(why)


def test_ruling_is_told_on_the_result_on_the_sheet_in_the_history_and_in_the_table_for_spreadsheets(client, tied):
    ruled(tied, 4, why="The last train")
    assert "Di goes through, Cy and Ed do not." in page(client, "result", tied)
    assert "by the organiser’s ruling" in page(client, "result", tied)
    assert "The organiser’s ruling: Di goes through" in watched(client, tied)
    history = page(client, "history", tied)
    assert "ruled" in history
    assert "the organiser’s ruling Di goes through" in history
    assert "The last train" in history
    assert as_text(news_of(tied.reading, tied.sheet.revisions.latest("version"))).endswith("ruled: Di goes through.")
    sheet_csv = client.get(reverse("export_csv", args=[tied.sheet.code])).content.decode()
    assert "Di goes through, Cy and Ed do not." in sheet_csv


def test_running_group_says_how_it_stands_and_who_can_still_go_on(client):
    table = scorer(4, decides=group(2))
    table.clear_hand()
    said = watched(client, table)
    assert "If it ended now: Ann through; Cy and Di tied for the last place; Bo to the losers." in said


def test_finals_say_what_their_own_sheet_can_tell(client):
    winners = ended(20, 9, 5, -7, decides=Decides(bottom=False))
    said = page(client, "result", winners)
    assert "Ann wins with 20 points." in said
    assert "Di ends lowest here with −7 points." in said
    assert "Bo is the First Place Loser." in said
    losers = ended(20, 9, 5, 5, decides=Decides(lead=False, bottom=False))
    said = page(client, "result", losers)
    assert "Cy and Di end lowest here with 5 points" in said
    assert "First Place Loser" not in said
    assert "Winner" not in said


def test_nothing_is_said_of_the_bottom_where_all_of_the_winners_table_are_level():
    verdict = verdict_of(ended(5, 5, 5, decides=Decides(bottom=False)).reading)
    assert [end.title for end in verdict.ends] == ["A tie for the lead"]


def test_places_of_a_group_have_neither_winner_nor_loser_and_those_of_the_winners_final_their_lead():
    group_sheet = ended(30, 8, 21, -3, decides=group(2)).sheet
    final = ended(30, 8, 21, -3, decides=Decides(bottom=False)).sheet
    flags = {
        sheet.pk: [(p.winner, p.loser) for p in FinalPlacing.objects.filter(sheet=sheet).order_by("place")]
        for sheet in (group_sheet, final)
    }
    assert flags[group_sheet.pk] == [(False, False)] * 4
    assert flags[final.pk] == [(True, False), *[(False, False)] * 3]


def test_picture_of_a_group_says_who_goes_through(client):
    table = ended(30, 8, 21, -3, decides=group(2))
    said = " ".join(text.text for text in Picture(table.reading).ended)
    assert said == "Through: Ann and Cy; to the losers: Bo and Di."


def test_who_is_on_the_losers_side_goes_on_there_or_is_safe(client):
    table = ended(30, 8, 21, -3, decides=group(0, 2))
    said = watched(client, table)
    assert "Going on: Bo and Di; safe: Ann and Cy." in said
    assert said.index("Cy 21") < said.index("Safe ↑ ↓ Going on") < said.index("Bo 8")
    assert "To the losers’ side" not in said


def test_totals_that_are_carried_over_stand_at_the_top_of_the_sheet(client):
    table = scorer(4, decides=Decides(bottom=False, start={1: 12, 2: -3, 3: 0, 4: 5}))
    table.clear_hand()
    page_of_watchers = client.get(reverse("watch", args=[table.sheet.watch])).content.decode()
    start = re.search(r'(?s)id="start".*?</tr>', page_of_watchers)
    assert start is not None
    assert plain(start[0]).endswith("12 −3 0 5")
    why = client.get(reverse("why", args=[table.sheet.code, "1", 1])).content.decode()
    assert "At the start 12" in plain(why)
    assert "start" in client.get(reverse("export_csv", args=[table.sheet.code])).content.decode()


# -- corrections, files, copies ----------------------------------------------------------------------------


def test_correction_of_the_set_up_keeps_what_the_table_decides():
    decides = Decides(bottom=False, start={1: 12, 2: 3, 3: 0, 4: -5})
    for wanted in (group(2, 1), decides):
        table = scorer(4, decides=wanted)
        mended = SetupCorrection({(0, "sits-2"): "Bob"}, first_dealer=3, plan={"peak": 1})
        sure_of(correct_setup(table.sheet, mended, saw={}, digest=None, key=new_key(), by=table.by))
        reading = table.reading
        assert (reading.setup.first_dealer, reading.setup.decides) == (3, wanted)
        assert dict(reading.sheet.totals) == {seat: wanted.start.get(seat, 0) for seat in range(1, 5)}


def test_sheet_file_of_a_group_makes_the_same_group(tied):
    blind_hand(tied, "0 0 1 1 4 0", "1 0 1 1 2 0")
    ruled(tied, 4)
    before = tied.reading
    document = sheet_file_of(before)
    assert document["decides"] == {"through": 3}
    assert document["rulings"] == [{"edge": "through", "goes": ["Di"], "after": 1}]
    opened = open_from_file(json.dumps(document).encode(), browser="b" * 64, key=new_key(), address="here")
    after = read_sheet(opened.sheet)
    assert after.setup.decides == before.setup.decides
    assert after.sheet.settlement.through == before.sheet.settlement.through
    assert sheet_file_of(after) == document


def test_file_of_a_table_of_its_own_says_nothing_of_it():
    table = scorer(4)
    table.clear_game()
    assert not {"decides", "rulings"} & set(sheet_file_of(table.reading))
    assert "decides" not in table.reading.standing[SET_UP].data


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("decides", [
    group(3), group(1, 2), group(2, 0), group(0, 2), group(2, high_card=True), Decides(bottom=False),
    Decides(lead=False, bottom=False), Decides(start={1: 3, 2: -4}),
], ids=str)  # fmt: skip
def test_log_file_of_such_a_sheet_makes_the_same_sheet(decides):
    table = ended(30, 20, 10, 10, 10, 0, decides=decides)
    table.settle()
    before = table.reading
    copy = copy_of(before.record)
    assert list(faults_of_copy(copy, "Here", players=100)) == []
    after = laid_out(copy)
    assert told(after) == told(before)
    assert copy_of(after.record) == copy


def test_log_file_of_a_ruling_makes_the_same_ruling(tied):
    ruled(tied, 4, why="The last train")
    before = tied.reading
    copy = copy_of(before.record)
    assert list(faults_of_copy(copy, "Here", players=100)) == []
    assert told(laid_out(copy)) == told(before)


@pytest.mark.parametrize("said", [
    None, 3, [], {}, {"through": 9}, {"through": -1}, {"through": True, "lead": False, "bottom": False},
    {"through": 2}, {"lead": False, "bottom": False, "through": 0}, {"lead": False, "bottom": False, "through": "2"},
    {"below": 1}, {"high_card": True}, {"lead": True}, {"winner": False}, {"start": {"9": 3}}, {"start": {"1": "3"}},
    {"start": {"1": 10**9}}, {"start": {"one": 1}}, {"start": []}, {"lead": 1},
    {"lead": False, "bottom": False, "through": 4, "below": 3},
], ids=str)  # fmt: skip
def test_copy_in_which_a_table_decides_what_none_can_is_refused(said):
    copy = copy_of(ended(30, 20, 10, 10, 10, 0, decides=group(3)).sheet)
    copy["writes"][0]["adds"][0][2]["decides"] = said
    assert [problem.message for problem in faults_of_copy(copy, "Here", players=100)]


# -- breaking it --------------------------------------------------------------------------------------


def test_blind_hand_that_was_taken_back_is_asked_again_and_the_sheet_is_open(tied):
    blind_hand(tied, "0 0 1 0 5 0", "1 0 0 0 4 0")
    assert tied.reading.finished
    sure_of(tied.undo())
    reading = tied.reading
    assert not reading.finished
    assert [one.seats for one in reading.sheet.waiting] == [(3, 4, 5)]
    assert FinalPlacing.objects.filter(sheet=tied.sheet).count() == 0


def test_group_that_is_stopped_early_is_settled_and_plays_on_when_that_is_taken_back():
    table = scorer(4, decides=group(1))
    table.clear_hand()
    sure_of(enter.stop(table.sheet, 2, key=new_key(), by=table.by))
    assert table.reading.sheet.settlement.through == (1,)
    sure_of(enter.play_on(table.sheet, key=new_key(), by=table.by))
    assert table.reading.sheet.open is not None


def test_phone_that_bids_in_the_blind_hand_after_the_ruling_is_refused_and_nothing_is_lost(tied):
    sure_of(tied.enter(SHEET, "tie-1-bid-2", bid=1))
    ruled(tied, 4)
    before = tied.reading
    late = tied.enter(SHEET, "tie-1-bid-3", bid=1)
    assert late.problems[0].code == "out-of-turn"
    assert tied.reading.entries == before.entries


def test_what_stands_before_a_ruling_is_not_taken_back_from_under_it(tied):
    done = blind_hand(tied, "0 0 1 1 4 0", "1 0 1 1 2 0")
    ruled(tied, 3)
    answer = tied.undo(done.version)
    assert answer.problems[0].code == "something-later"
    assert tied.reading.finished


def test_correction_that_takes_the_tie_away_leaves_the_blind_hand_standing_and_back_it_counts_again():
    table = scorer(4, decides=group(2), plan={"hands": 1})
    table.hand({2: 1, 3: 0, 4: 0, 1: 1}, {2: 1, 3: 0, 4: 0, 1: 0})  # Bo 6, Cy and Di 5, Ann −1
    blind_hand(table, "0 0 1 0", "0 4 1 0")
    assert set(table.reading.sheet.settlement.through) == {2, 3}
    corrected = mended(table, {(1, "bid-3"): {"bid": 1}})
    reading = table.reading
    assert set(reading.sheet.settlement.through) == {2, 4}
    assert len(reading.sheet.unread) == 5, "four bids and the tricks of the blind hand"
    sure_of(table.undo(corrected.version))
    assert set(table.reading.sheet.settlement.through) == {2, 3}


def mended(table, changes):
    reading = table.reading
    saw = {address: reading.standing[address].pk for address in changes}
    change = correcting(reading, changes, saw)
    digest = moves(reading, previewed(reading, change)).digest
    return sure_of(correct(table.sheet, changes, saw=saw, digest=digest, key=new_key(), by=table.by))


def test_preview_of_a_correction_says_who_goes_through_instead():
    table = scorer(4, decides=group(2), plan={"hands": 1})
    table.hand({2: 1, 3: 0, 4: 1, 1: 1}, {2: 1, 3: 0, 4: 0, 1: 0})  # Bo 6, Cy 5, Di and Ann −1
    reading = table.reading
    changes = {(1, "tricks"): {"tricks-1": 0, "tricks-2": 0, "tricks-3": 0, "tricks-4": 1}}
    saw = {address: reading.standing[address].pk for address in changes}
    told = moves(reading, previewed(reading, correcting(reading, changes, saw)))
    said = plain(
        " ".join(str(line) for line in ends_moved(reading, previewed(reading, correcting(reading, changes, saw))))
    )
    assert "Now Bo goes to the losers (with −1), Di goes through (with 6)." in said
    assert told.digest


def test_somebody_who_comes_before_the_last_hand_plays_for_the_places():
    table = scorer(4, decides=group(2), plan={"hands": 2})
    table.clear_hand()
    hand = table.reading.next_hand
    sure_of(arrive(table.sheet, Somebody("Gus"), hand, 1, left_of=4, key=new_key(), by=table.by, sure=True))
    table.any_hand()
    settlement = table.reading.sheet.settlement
    assert {*settlement.through, *settlement.below, *(s for w in settlement.waiting for s in w.seats)} == {
        1,
        2,
        3,
        4,
        5,
    }


def test_misdeal_is_no_matter_of_a_blind_hand(tied):
    answer = enter.misdeal(tied.sheet, 5, 1, key=new_key(), by=tied.by)
    assert answer.problems
    assert [one.what for one in tied.reading.sheet.waiting] == ["tie-break"]


def test_play_on_takes_a_ruling_with_it():
    table = scorer(4, decides=group(2))
    table.clear_hand()
    sure_of(enter.stop(table.sheet, 2, key=new_key(), by=table.by))
    ruled(table, 3)
    sure_of(enter.play_on(table.sheet, key=new_key(), by=table.by))
    reading = table.reading
    assert reading.sheet.open is not None
    assert reading.sheet.unread == ()


def test_page_of_a_running_group_asks_no_more_queries_than_of_any_other_table(client):
    own, other = scorer(6), scorer(6, decides=group(3))
    counts = []
    for table in (own, other):
        table.clear_hand()
        table.sheet.refresh_from_db()
        with CaptureQueriesContext(connection) as found:
            client.get(reverse("watch", args=[table.sheet.watch]))
        counts.append(len(found))
    assert counts[0] == counts[1]
