"""A substitute: the seat and its total go to somebody else; each hand knows who played it."""

from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.log.aliases import hide_names
from scoresheets.log.occupants import sits
from scoresheets.log.state import SheetReading
from scoresheets.models import HandFact, Player, Sheet
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster import change
from scoresheets.views.public.sheet import sheet_file_of
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.people import leave, place, refused, result_of, scored_from_its_file, substitute


def test_seat_and_total_are_the_substitutes_from_that_hand_on(ann: Scorer) -> None:
    ann.clear_hand()
    done = sure_of(substitute(ann, 2, "Gil"))
    assert done.verb == "substitute"
    reading = ann.reading
    assert reading.names == done.reading.names == {1: "Ann", 2: "Gil", 3: "Cy", 4: "Di"}
    assert reading.names_at(1)[2] == "Bo"
    assert reading.sheet.totals[2] == -1


def test_during_a_hand_it_is_noted_and_the_hand_is_still_played_by_who_gives_up(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(ann.bid(3, 0))
    assert refused(substitute(ann, 2, "Gil")) == "said-otherwise"
    sure_of(substitute(ann, 2, "Gil", after=True))
    assert ann.reading.names[2] == "Bo"
    assert sheet_file_of(ann.reading)["players"][1] == "Bo"
    for seat, bid in ((4, 0), (1, 2), (2, 1)):
        sure_of(ann.bid(seat, bid))
    sure_of(ann.tricks({1: 2, 2: 0, 3: 0, 4: 0}))
    assert ann.reading.names[2] == "Gil"
    assert ann.reading.names_at(2)[2] == "Bo"


def test_one_tap_takes_it_back_and_another_brings_it_again(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(substitute(ann, 2, "Gil"))
    back = sure_of(ann.undo())
    assert ann.reading.names[2] == back.reading.names[2] == "Bo"
    sure_of(ann.undo(back.version))
    assert ann.reading.names[2] == "Gil"


def test_seat_can_change_hands_twice_and_back_again(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(substitute(ann, 2, "Gil"))
    ann.clear_hand()
    sure_of(substitute(ann, 2, "Bo"))
    reading = ann.reading
    assert [reading.names_at(hand)[2] for hand in (1, 2, 3)] == ["Bo", "Gil", "Bo"]
    assert scored_from_its_file(reading) == result_of(reading)


def test_who_takes_the_seat_back_has_made_only_their_own_bids_and_all_of_them(ann: Scorer) -> None:
    """Bo, who is set in hand 1, hands their seat to Gil for hand 2; whoever sits there then makes every bid."""
    ann.hand({1: 1, 2: 1, 3: 0, 4: 0}, {1: 1, 2: 0, 3: 0, 4: 0})
    sure_of(substitute(ann, 2, "Gil"))
    ann.hand({1: 2, 2: 0, 3: 1, 4: 0}, {1: 2, 2: 0, 3: 0, 4: 0})
    back = sure_of(substitute(ann, 2, "Bo"))
    assert back.reading.sheet == ann.reading.sheet
    while ann.reading.sheet.open:
        cards = ann.reading.sheet.open.hand.cards
        ann.hand({1: cards, 2: 0, 3: 1, 4: 0}, {1: cards, 2: 0, 3: 0, 4: 0})
    reading = ann.reading
    assert clean_run(reading) == (1, 4)
    assert scored_from_its_file(reading) == result_of(reading)
    mended = SetupCorrection({(3, sits(2, 1)): "Hal"})
    corrected = sure_of(correct_setup(ann.sheet, mended, saw={}, digest=None, key=new_key(), by=ann.by))
    assert clean_run(corrected.reading) == clean_run(ann.reading) == (1, 2, 4), "Hal was not set"


def clean_run(reading: SheetReading) -> tuple[int, ...]:
    """The seats of those who made every bid."""
    return next(call.seats for call in reading.sheet.callouts if call.call == "clean-run")


def test_who_is_typed_as_they_take_the_seat_back_is_the_player_they_were(ann: Scorer) -> None:
    sure_of(substitute(ann, 2, "Gil"))
    ann.clear_hand()
    sure_of(substitute(ann, 2, "bo"))
    sitting = ann.reading.sitting
    assert sitting.at(2)[2] == sitting.before(1, 1)[2] != sitting.at(1)[2]


def test_who_is_picked_as_they_take_the_seat_back_is_called_as_they_were(ann: Scorer) -> None:
    bo = ann.reading.chairs[2]
    sure_of(substitute(ann, 2, "Gil"))
    ann.clear_hand()
    sure_of(substitute(ann, 2, "Robert", player=bo.player))
    assert ann.reading.sitting.at(2)[2] == bo


def test_who_hides_their_name_takes_the_seat_back_under_their_alias_and_keeps_their_name(ann: Scorer) -> None:
    bo = ann.reading.chairs[2]
    hide_names([bo.player], "Somebody", Sheet.objects.all())
    sure_of(substitute(ann, 2, "Gil"))
    ann.clear_hand()
    sure_of(substitute(ann, 2, "Somebody"))
    assert ann.reading.names[2] == "Somebody"
    hide_names([bo.player], "", Sheet.objects.all())
    assert ann.reading.sitting.at(2)[2] == bo


def test_somebody_else_of_the_name_of_who_gave_up_a_seat_needs_an_initial(ann: Scorer) -> None:
    sure_of(substitute(ann, 2, "Gil"))
    stranger = Somebody("bo", is_stranger=True)
    answer = change.arrive(ann.sheet, stranger, *place(ann), key=new_key(), by=ann.by, sure=True)
    assert refused(answer) == "duplicate-player"
    assert "There was a Bo at the table before" in answer.problems[0].message


def test_name_that_is_on_the_sheet_is_refused_also_of_who_went_home(ann: Scorer) -> None:
    ann.clear_hand()
    assert refused(substitute(ann, 2, "cy")) == "duplicate-player"
    sure_of(leave(ann, 3))
    assert refused(substitute(ann, 2, "Cy")) == "duplicate-player"
    assert refused(substitute(ann, 3, "Gil")) == "unknown-player"
    assert refused(substitute(ann, 2, "")) == "no-name"
    assert Player.objects.filter(name__in=["cy", "Gil"]).count() == 0


def test_somebody_this_browser_knows_is_the_player_they_are(ann: Scorer) -> None:
    earlier = scorer(["Gil", "Bo"], browser=ann.by.browser)
    gil = earlier.reading.chairs[1].player
    sure_of(substitute(ann, 2, "Gil", player=gil))
    ann.clear_game()
    assert set(HandFact.objects.filter(seat__number=2, sheet=ann.sheet).values_list("player", flat=True)) == {gil}


def test_two_phones_with_the_same_news_agree_and_with_other_news_are_told(ann: Scorer, marge: Scorer) -> None:
    at = place(ann)
    sure_of(substitute(marge, 2, "Gil", at=at))
    assert sure_of(substitute(ann, 2, "gil", at=at)).verb == "agree"
    answer = substitute(ann, 3, "Gil", at=at)
    assert refused(answer) == "somebody-wrote"
    assert "<bdi>Gil</bdi> takes over from <bdi>Bo</bdi>" in answer.problems[0].message


def test_the_same_tap_again_changes_nothing(ann: Scorer) -> None:
    key, at = new_key(), place(ann)
    first = sure_of(change.substitute(ann.sheet, 2, Somebody("Gil"), *at, key=key, by=ann.by))
    again = sure_of(change.substitute(ann.sheet, 2, Somebody("Gil"), *at, key=key, by=ann.by))
    assert (again.again, again.version) == (True, first.version)
    assert Player.objects.filter(name="Gil").count() == 1


def test_sheet_file_of_the_whole_game_scores_the_same(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(substitute(ann, 2, "Gil"))
    ann.clear_game()
    assert scored_from_its_file(ann.reading) == result_of(ann.reading)


def test_name_of_who_is_noted_to_come_is_taken_already(ann: Scorer) -> None:
    sure_of(substitute(ann, 1, "Gil", after=True))
    assert refused(substitute(ann, 2, "Gil")) == "duplicate-player"


def test_it_is_taken_back_also_after_the_name_was_put_right(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(substitute(ann, 2, "Gil"))
    mended = SetupCorrection({(2, sits(2, 1)): "Gill"})
    sure_of(correct_setup(ann.sheet, mended, saw={}, digest=None, key=new_key(), by=ann.by))
    back = sure_of(ann.undo(what_is_taken_back(ann.reading).version))
    assert ann.reading.names[2] == "Bo"
    assert (2, sits(2, 1)) not in ann.reading.standing
    sure_of(ann.undo(back.version))
    assert ann.reading.names[2] == "Gill"
