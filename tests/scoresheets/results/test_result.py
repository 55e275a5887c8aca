"""The end: what is still open, in order, and then the result with the sentences to read aloud."""

import re

import pytest
from django.test import Client

from scoresheets.results.verdict import verdict_of
from tests.factories import hashed, scorer, sure_of
from tests.scoresheets.laid import SECRET, document, hand, laid_down, reading_of

ONE = {"plan": {"hands": 1}}
#: After it Ann, Cy and Di have 5, and Bo −1.
FIRST = hand("Bo Cy Di Ann", "0000", "1000")
#: After it Bo has 6, Ann 5, and Cy and Di −1.
SETS = hand("Bo Cy Di Ann", "1110", "1000")
#: Di brings 7 from it, Cy 6, Ann −2.
BLIND = hand("Cy Di Ann Bo", "1200", "1220")


def plain(said: str) -> str:
    return re.sub(r"</?(b|bdi)>", "", said)


def verdict(*hands, players="Ann Bo Cy Di", **more):
    return verdict_of(reading_of(document(players, list(hands), **{**ONE, **more})))


def aloud(*hands, **more) -> str:
    return plain(verdict(*hands, **more).aloud)


def ends(*hands, **more) -> list[tuple[str, str, str]]:
    return [(end.state, end.title, plain(end.text)) for end in verdict(*hands, **more).ends]


def test_winner_loser_first_place_losers_and_clean_runs_are_read_out():
    said = aloud(hand("Bo Cy Di Ann", "1200", "1000") | {"bids": {"Bo": 1, "Cy": 1, "Di": 0, "Ann": 0}})
    assert said == (
        "Bo wins with 6 points. Cy takes the circle with −1 point. Ann and Di are First Place Losers."
        " Clean runs: Ann, Bo and Di made every bid."
    )


def test_one_of_each_is_read_out_as_one():
    three = hand("Bo Cy Ann", "111", "100")
    later = hand("Cy Ann Bo", "011", "001")
    assert aloud(three, later, players="Ann Bo Cy", plan={"hands": 2}) == (
        "Bo wins with 12 points. Ann takes the circle with −2 points. Cy is the First Place Loser."
        " A clean run: Bo made every bid."
    )


def test_blind_hand_that_settled_it_is_named():
    assert aloud(FIRST, tie_breaks=[BLIND]).startswith("Di wins with 5 points, after a blind hand. Bo takes the circle")


def test_card_that_settled_it_is_named():
    assert "Di takes the circle with −1 point, having drawn the lowest card." in aloud(
        SETS, draws=[{"Cy": "T", "Di": "4"}]
    )


def test_blind_hand_at_the_bottom_is_named_where_the_house_plays_one():
    blind = hand("Cy Di Ann Bo", "1200", "1310")
    said = aloud(SETS, tie_breaks=[blind], house_rules={"bottom_by_blind_hand": True})
    assert "Di takes the circle with −1 point, after a blind hand." in said


def test_who_went_home_below_everybody_takes_the_circle():
    said = aloud(FIRST, {"leaves": "Bo"}, hand("Di Ann Cy", "000", "100"), plan={"hands": 2})
    assert "Bo went home early with −1 point and takes the circle: nobody ended below that." in said


def test_who_went_home_above_everybody_wins_where_the_house_says_so():
    rules = {"house_rules": {"leaver_may_win": True}, "plan": {"hands": 2}}
    said = aloud(hand("Bo Cy Di Ann", "1100", "1000"), {"leaves": "Bo"}, hand("Di Ann Cy", "011", "100"), **rules)
    assert said.startswith("Bo went home early with 6 points and wins all the same: nobody ended above that.")


def test_early_end_is_said():
    found = verdict(FIRST, plan={"hands": 4}, stopped_after=1)
    assert found.stopped == "The table stopped after hand 1 of 4."


def test_tie_for_the_lead_waits_for_a_blind_hand():
    assert ends(FIRST) == [
        (
            "next",
            "A tie for the lead",
            (
                "Ann, Cy and Di have 5. Everybody plays a blind hand of 5 cards, and only their points count."
                " Nobody looks! Bids first."
            ),
        )
    ]


def test_tie_at_the_bottom_waits_for_a_draw():
    assert ends(SETS) == [
        ("next", "A tie at the bottom", "Cy and Di have −1. Each draws a card; the lowest takes the circle.")
    ]


def test_lowest_alike_draw_again():
    assert ends(SETS, draws=[{"Cy": "T", "Di": "T"}]) == [
        ("done", "Draw", "Cy 10 and Di 10."),
        ("next", "A tie at the bottom", "Cy and Di share the lowest card and draw again."),
    ]


def test_both_ends_open_are_led_through_in_order():
    found = verdict(hand("Bo Cy Di Ed Flo Ann", "011000", "000001"), players="Ann Bo Cy Di Ed Flo")
    assert [(end.state, end.title, end.leads_to) for end in found.ends] == [
        ("next", "A tie for the lead", "pad"),
        ("then", "A tie at the bottom", ""),
    ]


def test_everybody_equal_plays_first_and_draws_then():
    level = [hand("Bo Ann", "11", "10"), hand("Ann Bo", "11", "10")]
    found = verdict(*level, players="Ann Bo", plan={"hands": 2})
    assert [(end.state, end.title) for end in found.ends] == [("next", "A tie for the lead"), ("then", "The bottom")]
    assert found.aloud == ""


def test_places_are_shared_and_what_settled_them_is_shown():
    found = verdict(FIRST, tie_breaks=[BLIND]).places
    assert [(one.place, one.name, one.more) for one in found] == [
        (1, "Di", ("blind hand +7",)),
        (2, "Cy", ("blind hand +6",)),
        (3, "Ann", ("blind hand −2",)),
        (4, "Bo", ()),
    ]
    level = verdict(hand("Bo Cy Di Ann", "1100", "1000"), plan={"hands": 1}).places
    assert [one.place for one in level] == [1, 2, 2, 4]


def test_box_is_round_the_winner_and_circle_round_the_loser_alone():
    found = verdict(FIRST, tie_breaks=[BLIND]).places
    assert [one.name for one in found if one.boxed] == ["Di"]
    assert [one.name for one in found if one.circled] == ["Bo"]


def test_everything_that_was_called_is_collected_the_rarest_first_and_when():
    called = verdict(FIRST, tie_breaks=[BLIND]).called
    said = [(one.term, [plain(time) for time in one.times]) for one in called]
    assert said[0] == ("Clean Run", ["Ann, Cy and Di"])
    assert ("Dog Pile", ["Bo in hand 1"]) in said
    assert ("Floater", ["hand 1"]) in said


def test_what_has_a_sign_late_in_the_game_alone_is_collected_from_its_first_hand_on():
    called = verdict(FIRST, plan={"hands": 8}, stopped_after=1).called
    said = {one.call: [plain(time) for time in one.times] for one in called}
    assert said["proximity-alert"] == ["Ann in hand 1", "Cy in hand 1", "Di in hand 1"]


@pytest.fixture
def keeper() -> Client:
    client = Client()
    client.cookies["pencil"] = SECRET
    return client


def test_there_is_no_verdict_while_hands_are_to_be_played():
    assert verdict_of(reading_of(document())) is None


@pytest.mark.django_db
def test_result_page_while_hands_are_to_be_played_is_the_sheet(client):
    sheet = scorer(4).sheet
    assert client.get(f"/sheets/{sheet.code}/result/")["Location"] == f"/sheets/{sheet.code}/"


@pytest.mark.django_db
def test_scorekeeper_is_led_to_the_blind_hand_and_who_looks_is_not(client, keeper):
    sheet = laid_down(document(hands=[FIRST], **ONE))
    assert "Play the blind hand" in keeper.get(f"/sheets/{sheet.code}/result/").content.decode()
    assert "Play the blind hand" not in client.get(f"/sheets/{sheet.code}/result/").content.decode()


@pytest.mark.django_db
def test_result_page_says_it_all_and_offers_the_same_players_again(keeper, statements):
    sheet = laid_down(document(hands=[FIRST], tie_breaks=[BLIND], **ONE))
    with statements(exactly=3):
        page = keeper.get(f"/sheets/{sheet.code}/result/").content.decode()
    assert "<b><bdi>Di</bdi></b> wins with 5 points" in page
    assert "Call-outs" in page
    assert f'href="/sheets/{sheet.code}/again/"' in page


@pytest.mark.django_db
def test_same_players_again_opens_a_sheet_filled_in_from_this_one(keeper):
    sheet = laid_down(document(hands=[FIRST], tie_breaks=[BLIND], **ONE))
    response = keeper.get(f"/sheets/{sheet.code}/again/")
    assert (response.status_code, response["Location"]) == (302, f"/open/?again={sheet.code}")


@pytest.mark.django_db
def test_early_end_is_said_with_the_result_and_can_be_taken_back(keeper):
    p = scorer(4, browser=hashed(SECRET))
    p.hand({2: 1, 3: 1, 4: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 1: 0})
    stop = {"key": "a-key-of-22-characters", "hand": 2, "event": 1}
    assert keeper.post(f"/sheets/{p.sheet.code}/stop/", stop).status_code == 303
    page = keeper.get(f"/sheets/{p.sheet.code}/result/").content.decode()
    assert "The table stopped after hand 1 of 4." in page
    assert "Play on" in page
    sure_of(p.undo())
    assert keeper.get(f"/sheets/{p.sheet.code}/result/").status_code == 302
