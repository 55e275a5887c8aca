"""Why a number is what it is: for every number on the sheet."""

import pytest

from scoresheets.results.explain import why_of
from scoresheets.sheet.table import RunningSheet
from tests.factories import scorer
from tests.scoresheets.laid import document, hand, laid_down, reading_of

FIRST = hand("Bo Cy Di Ann", "0000", "1000")
SECOND = hand("Cy Di Ann Bo", "1110", "1100")
BLIND = hand("Cy Di Ann Bo", "1200", "1220")
SETS = hand("Bo Cy Di Ann", "1110", "1000")
BOTTOM = {"plan": {"hands": 1}}


def reason(said, key: str, seat: int):
    return why_of(reading_of(said), key, seat)


def sentences(said, key: str, seat: int) -> list[str]:
    found = [str(sentence) for sentence in reason(said, key, seat).sentences]
    return [sentence.replace("<bdi>", "").replace("</bdi>", "") for sentence in found]


def test_total_is_the_one_before_and_the_points_of_the_hand():
    said = document(hands=[FIRST, SECOND], plan={"hands": 4})
    assert reason(said, "2", 1).sum == (("After hand 1", "5"), ("Hand 2", "−1"), ("After hand 2", "4"))
    assert sentences(said, "2", 1)[0] == "Bid 1, took 0: set, and the greater comes off: −1."


def test_first_total_starts_from_nothing():
    assert reason(document(hands=[FIRST]), "1", 1).sum[0] == ("At the start", "0")


def test_box_alone_and_box_shared_are_explained():
    said = document(hands=[FIRST, SECOND], plan={"hands": 4})
    assert "11 is the highest total, so it is in the box, shared with Di." in sentences(said, "2", 3)
    assert "−1 is the lowest total, so it is in the circle." in sentences(document(hands=[FIRST]), "1", 2)


def test_everybody_equal_is_explained_once():
    level = document("Ann Bo", [hand("Bo Ann", "11", "10"), hand("Ann Bo", "11", "10")], plan={"hands": 2})
    assert "Everybody has 5: box and circle are round all of them." in sentences(level, "2", 1)


def test_who_came_late_came_in_with_the_lowest_total():
    late = hand("Cy Di Ed Ann Bo", "00000", "20000")
    said = document(hands=[FIRST, {"arrives": "Ed", "left_of": "Di"}, late], plan={"hands": 4})
    assert reason(said, "2", 5).sum[0] == ("Came in with the lowest total", "−1")


def test_total_brought_along_says_so():
    carried = {"carried": {"hands": 2, "totals": {"Ann": 12, "Bo": 3, "Cy": 0, "Di": 7}, "last_dealer": "Bo"}}
    said = document(hands=[carried, hand("Di Ann Bo Cy", "0000", "2000")], plan={"hands": 4})
    assert reason(said, "3", 1).sum[0] == ("From hands scored elsewhere", "12")
    assert sentences(said, "carried", 1) == [
        "Hands 1 to 2 were scored elsewhere; the totals were carried over to this sheet."
    ]


def test_tap_on_a_total_brought_along_asks_for_its_reason():
    carried = {"carried": {"hands": 2, "totals": {"Ann": 12, "Bo": 3, "Cy": 0, "Di": 7}, "last_dealer": "Bo"}}
    part = RunningSheet(reading_of(document(hands=[carried], plan={"hands": 4})), "/here/").parts[0]
    assert [cell.why for cell in part.line.cells] == [f"/here/why/carried/{seat}/" for seat in (1, 2, 3, 4)]


def test_call_outs_about_somebody_are_among_the_reasons():
    assert "Dog Pile: bid nothing and took 1." in sentences(document(hands=[FIRST]), "1", 2)


def test_blind_hand_decides_and_changes_no_total():
    said = document(hands=[FIRST], tie_breaks=[BLIND], **BOTTOM)
    found = reason(said, "tie-1", 3)
    assert found.sum == (("Tied total, which stays", "5"), ("Blind hand", "+6"))
    assert sentences(said, "tie-1", 3)[1] == (
        "Ann, Cy and Di are tied at 5. The points of the blind hand decide between them and change no total."
    )


def test_blind_hand_that_counts_is_added_to_the_total_of_the_tied():
    said = document(hands=[FIRST], tie_breaks=[BLIND], house_rules={"blind_hand_counts": True}, **BOTTOM)
    found = reason(said, "tie-1", 3)
    assert found.sum == (("Tied total", "5"), ("Blind hand", "+6"))
    assert found.total == 11
    assert sentences(said, "tie-1", 3)[1] == (
        "Ann, Cy and Di are tied at 5. The points of the blind hand decide between them and count: they are added to"
        " the total."
    )


def test_blind_hand_leaves_the_box_to_who_has_the_most_points_in_it():
    said = document(hands=[FIRST], tie_breaks=[BLIND], **BOTTOM)
    assert [reason(said, "tie-1", seat).boxed for seat in (1, 3, 4)] == [False, False, True]


def test_blind_hand_counts_for_nobody_else():
    said = document(hands=[FIRST], tie_breaks=[BLIND], **BOTTOM)
    assert (
        sentences(said, "tie-1", 2)[1]
        == "Only Ann, Cy and Di were tied: for everybody else the blind hand does not count."
    )


def test_draw_says_who_drew_lower():
    said = document(hands=[SETS], draws=[{"Cy": "T", "Di": "T"}, {"Cy": "8", "Di": "A"}], **BOTTOM)
    assert sentences(said, "draw-1", 3)[0] == "Cy drew a ten."
    assert sentences(said, "draw-1", 3)[2] == "Cy and Di share the lowest card and draw again."
    assert [reason(said, "draw-1", seat).circled for seat in (3, 4)] == [True, True]
    assert [reason(said, "draw-2", seat).circled for seat in (3, 4)] == [True, False]
    assert sentences(said, "draw-2", 3)[2] == "Nobody drew lower."
    assert sentences(said, "draw-2", 4) == [
        "Di drew an ace.",
        "The lowest card takes the circle; two is low, the ace is high, and suits do not count.",
        "Cy drew lower.",
    ]


def test_every_number_on_a_sheet_has_its_reason():
    late = {"arrives": "Ed"}
    five = hand("Cy Di Ed Ann Bo", "00000", "20000")
    said = document(hands=[FIRST, late, five, {"leaves": "Cy"}], plan={"hands": 4})
    reading = reading_of(said)
    asked = [cell.why for part in RunningSheet(reading, "/").parts if part.line for cell in part.line.cells if cell.why]
    assert len(asked) == 4 + 5
    for address in asked:
        key, seat = address.removeprefix("/why/").strip("/").split("/")
        assert why_of(reading, key, int(seat)), address


@pytest.mark.parametrize(
    "key", ["0", "9", "99999999999", "x", "tie-1", "tie-0", "draw-1", "draw--1", "carried", "1x", "٣"]
)
def test_number_that_is_not_there_has_no_reason(key):
    assert reason(document(hands=[FIRST]), key, 1) is None


def test_seat_that_is_not_there_has_no_reason():
    assert reason(document(hands=[FIRST]), "1", 9) is None


@pytest.mark.django_db
def test_page_of_the_reason_leads_back_to_the_row(client):
    kept = scorer(4)
    kept.any_hand()
    page = client.get(f"/sheets/{kept.sheet.code}/why/1/2/").content.decode()
    assert '<section id="why">' in page
    assert f'href="/sheets/{kept.sheet.code}/#hand-1"' in page


@pytest.mark.django_db
def test_watchers_have_reasons_of_their_own_and_never_meet_the_scorekeepers_address(client):
    kept = scorer(4)
    kept.any_hand()
    page = client.get(f"/watch/{kept.sheet.watch}/why/1/2/").content.decode()
    assert f'href="/watch/{kept.sheet.watch}/#hand-1"' in page
    assert kept.sheet.code not in page


@pytest.mark.django_db
@pytest.mark.parametrize("where", ["why/2/1/", "why/1/99/", "why/x/1/", "why/tie-1/1/"])
def test_reason_for_nothing_is_not_found(client, where):
    sheet = laid_down(document(hands=[FIRST]))
    assert client.get(f"/sheets/{sheet.code}/{where}").status_code == 404
