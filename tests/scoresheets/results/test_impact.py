"""What a change moves, in sentences: everybody touched, box and circle, who deals, how it ends, what is left unread."""

import re

from rules.core.fields import SHEET
from scoresheets.log.append import Change
from scoresheets.log.occupants import sits
from scoresheets.log.state import SET_UP, SheetReading
from scoresheets.results.impact import Impact, deals_moved, moves, previewed
from scoresheets.wording.markup import hands_text
from tests.scoresheets.laid import document, hand, reading_of

FOUR = "Bo Cy Di Ann"
FIRST = hand(FOUR, "0000", "1000")
SECOND = hand("Cy Di Ann Bo", "1110", "1100", trump="H")
THIRD = hand("Di Ann Bo Cy", "0000", "0001")
SHORT = {"plan": {"hands": 3}}
#: What Ann wins with 19 before Cy and Di with 15, and Bo loses with −3.
WON = (hand(FOUR, "1001", "0001"), hand("Cy Di Ann Bo", "0021", "0020"), hand("Di Ann Bo Cy", "0110", "0100"))


def sheet(*hands, **more) -> SheetReading:
    """Three hands of 1, 2 and 1 cards. Ann is seat 1, Bo 2, Cy 3, Di 4."""
    return reading_of(document(hands=list(hands or (FIRST, SECOND, THIRD)), **{**SHORT, **more}))


def changed(reading: SheetReading, *, gone: tuple = (), **steps: dict) -> Impact:
    """What it moves to have other steps at `h1_bid_2=…`, `h0_carried=…`, and nothing at the places `gone`."""
    added = {}
    for place, step in steps.items():
        number, ask = place.removeprefix("h").split("_", 1)
        added[int(number), ask.replace("_", "-")] = {name.replace("_", "-"): value for name, value in step.items()}
    withdrawn = [reading.standing[a] for a in (*added, *gone) if a in reading.standing]
    return moves(reading, previewed(reading, Change("correct", added, withdrawn)))


def took(*counts: int) -> dict:
    return {f"tricks-{seat}": count for seat, count in enumerate(counts, 1)}


CLEAR = sheet(*WON)


def plain(*parts) -> list[str]:
    return [re.sub(r"</?bdi>", "", sentence) for part in parts for sentence in part]


def test_change_that_moves_nothing_says_nothing():
    said = changed(sheet(), h1_bid_2={"bid": 0})
    assert said.moved == said.written == said.unread == said.again == ()


def test_everybody_touched_is_named_with_the_points_before_and_after():
    said = changed(sheet(), h1_tricks=took(0, 0, 1, 0))
    assert plain(said.points) == ["Hand 1: Bo −1 to +5, Cy +5 to −1."]


def test_what_is_written_is_said_value_by_value():
    said = changed(sheet(), h1_tricks=took(0, 0, 1, 0), h1_bid_4={"bid": 1})
    assert plain(said.written) == ["Hand 1: Di bid 1 instead of 0, Bo took 0 instead of 1, Cy took 1 instead of 0."]


def test_change_that_brings_the_same_points_is_still_said():
    same = changed(sheet(FIRST, hand("Cy Di Ann Bo", "2100", "0020"), THIRD), h2_bid_1={"bid": 1})
    assert plain(same.written) == ["Hand 2: Ann bid 1 instead of 0."]
    assert same.moved == ()


def test_totals_are_said_as_they_are_then():
    said = changed(sheet(FIRST, SECOND), h1_tricks=took(0, 0, 1, 0))
    assert plain(said.totals) == ["Totals now: Bo 10 instead of 4, Cy 5 instead of 11."]


def test_box_and_circle_pass_from_the_hand_in_which_they_pass():
    assert plain(changed(CLEAR, h1_tricks=took(0, 1, 0, 0)).marks) == [
        "In hand 1 the box passes from Ann to Bo: 6 is the highest total after hand 1.",
        "From hand 2 on the box passes from Ann to Cy and Di: 10 is the highest total after hand 2.",
        "In hand 1 the circle passes from Bo to Ann: −1 is the lowest total after hand 1.",
    ]


def test_mark_that_is_shared_and_lost_is_said():
    assert plain(changed(sheet(FIRST), h1_tricks=took(0, 0, 1, 0)).marks) == [
        "From hand 1 on Ann, Bo and Di share the box, and Cy no longer has it: 5 is the highest total after hand 1.",
        "From hand 1 on the circle passes from Bo to Cy: −1 is the lowest total after hand 1.",
    ]


def test_winner_who_stays_is_said():
    said = changed(CLEAR, h1_bid_3={"bid": 1})
    assert plain(said.ends) == ["The winner stays Ann.", "The loser stays Bo.", "Places: Cy 3 instead of 2."]


def test_new_winner_is_said_with_the_old_one_and_so_are_the_places():
    said = changed(CLEAR, h1_tricks=took(0, 1, 0, 0), h1_bid_4={"bid": 1})
    assert plain(said.ends) == [
        "The winner is now Cy instead of Ann, with 15, the highest total.",
        "The loser stays Bo.",
        "Places: Cy 1 instead of 2, Ann 2 instead of 1, Di 3 instead of 2.",
    ]


def test_tie_opens_the_game_again_and_says_for_whom():
    said = changed(CLEAR, h1_tricks=took(0, 1, 0, 0))
    assert plain(said.ends) == [
        "The game is open again: a blind hand for Cy and Di. Cy and Di have 15 each: nobody leads alone any more."
    ]


def test_tie_that_goes_settles_the_game():
    tied = previewed(CLEAR, Change("correct", {(1, "tricks"): took(0, 1, 0, 0)}, [CLEAR.standing[1, "tricks"]]))
    assert plain(moves(tied, CLEAR).ends) == [
        "That settles the game.",
        "The winner is Ann, with 19, the highest total.",
        "The loser stays Bo.",
    ]


def test_blind_hand_that_is_no_longer_needed_is_left_without_meaning():
    tied = previewed(CLEAR, Change("correct", {(1, "tricks"): took(0, 1, 0, 0)}, [CLEAR.standing[1, "tricks"]]))
    blind = {(SHEET, f"tie-1-bid-{seat}"): {"bid": 0} for seat in (1, 2, 4)}
    blind |= {(SHEET, "tie-1-bid-3"): {"bid": 4}, (SHEET, "tie-1-tricks"): took(1, 0, 4, 0)}
    played = previewed(tied, Change("enter", blind))
    assert played.finished
    said = changed(played, h1_tricks=took(1, 0, 0, 0))
    assert plain(said.unread) == [
        "Ann’s bid 0 in the blind hand",
        "Bo’s bid 0 in the blind hand",
        "Cy’s bid 4 in the blind hand",
        "Di’s bid 0 in the blind hand",
        "The blind hand: Ann took 1, Bo took 0, Cy took 4 and Di took 0",
    ]
    assert plain(said.ends)[:2] == [
        "The winner is now Ann instead of Cy, with 19, the highest total.",
        "The loser stays Bo.",
    ]


def test_hand_that_is_torn_open_says_which_hands_do_not_count():
    said = changed(sheet(), gone=((1, "tricks"),))
    assert plain(said.counting) == ["Hand 1 is open again.", "Hands 2 and 3 do not count until hand 1 is complete."]
    assert plain(said.ends) == ["The game is not over then: hand 1."]
    assert "Cy’s bid 1 in hand 2" in plain(said.unread)
    assert "Hand 3: Ann took 0, Bo took 0, Cy took 1 and Di took 0" in plain(said.unread)


def test_what_is_read_again_is_told_apart_from_what_is_left():
    whole = sheet()
    torn = previewed(whole, Change("undo", {}, [whole.standing[1, "tricks"]]))
    assert moves(torn, whole).unread == ()
    assert "Cy’s bid 1 in hand 2" in plain(moves(torn, whole).again)


def test_what_is_brought_back_reads_as_it_was():
    whole = sheet()
    entry = whole.standing[1, "tricks"]
    torn = previewed(whole, Change("undo", {}, [entry]))
    assert moves(whole, previewed(torn, Change("undo", {}, (), [entry]))).moved == ()


def test_other_first_dealer_changes_who_deals_and_what_is_read():
    reading = sheet(FIRST)
    set_up = {**reading.standing[SET_UP].data, "first_dealer": 2}
    said = moves(reading, previewed(reading, Change("set-up", {SET_UP: set_up}, [reading.standing[SET_UP]])))
    assert plain(said.deals) == ["Dealing: Bo hand 1 instead of Ann, Cy hand 2 instead of Bo, Di hand 3 instead of Cy."]


def test_more_hands_are_said():
    reading = sheet(FIRST)
    set_up = {**reading.standing[SET_UP].data, "plan": {"hands": 5}}
    said = moves(reading, previewed(reading, Change("set-up", {SET_UP: set_up}, [reading.standing[SET_UP]])))
    assert "5 hands instead of 3." in plain(said.deals)
    assert "Hand 3 has 3 cards instead of 1." in plain(said.deals)


def test_other_name_on_a_seat_is_said():
    reading = sheet(FIRST)
    said = moves(reading, previewed(reading, Change("set-up", {(SHEET, sits(2)): {"name": "Bob", "player": 2}})))
    assert plain(said.written) == ["Bob instead of Bo."]
    assert said.moved == ()


def test_names_are_text_and_nothing_else():
    reading = reading_of(document("<b>A</b> Bo Cy Di", [hand("Bo Cy Di <b>A</b>", "0000", "1000")], plan={"hands": 3}))
    assert "&lt;b&gt;A&lt;/b&gt;" in changed(reading, h1_tricks=took(1, 0, 0, 0)).points[0]


def test_same_sentences_have_the_same_digest_and_others_another():
    one = changed(sheet(), h1_tricks=took(0, 0, 1, 0))
    assert one.digest == changed(sheet(), h1_tricks=took(0, 0, 1, 0)).digest
    assert one.digest != changed(sheet(), h1_tricks=took(0, 0, 0, 1)).digest


def test_bid_in_the_open_hand_leaves_the_digest_of_an_earlier_correction_alone():
    open_hand = hand("Cy Di Ann Bo", "1")
    assert (
        changed(sheet(FIRST), h1_tricks=took(0, 0, 1, 0)).digest
        == changed(sheet(FIRST, open_hand), h1_tricks=took(0, 0, 1, 0)).digest
    )
    assert (
        changed(sheet(FIRST), h1_tricks=took(0, 0, 1, 0)).digest
        != changed(sheet(FIRST, SECOND), h1_tricks=took(0, 0, 1, 0)).digest
    )


def test_hands_are_counted_up():
    assert hands_text([1, 2]) == "hands 1 and 2"


def test_one_hand_is_one_hand() -> None:
    one, two, five = (reading_of(document(plan={"hands": hands})) for hands in (1, 2, 5))
    assert [*deals_moved(two, one)][-1] == "1 hand instead of 2."
    assert [*deals_moved(one, two)][-1] == "2 hands instead of 1."
    assert [*deals_moved(two, five)][-1] == "5 hands instead of 2."
    assert not [*deals_moved(two, two)]
