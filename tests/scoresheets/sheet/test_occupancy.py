"""Who sits where, from which hand on: entries the rules never see."""

from scoresheets.log.append import Change, append_revision
from scoresheets.log.occupants import sits
from scoresheets.models import FinalPlacing, HandFact, Player, Revision
from scoresheets.views.public.sheet import sheet_file_of
from tests.factories import Scorer, new_key, sure_of


def write(ann: Scorer, added: dict[tuple[int, str], dict[str, object]]) -> int:
    change = Change(Revision.Verb.SUBSTITUTE, added)
    return sure_of(append_revision(ann.sheet, "substitute", {}, lambda _: change, key=new_key(), by=ann.by)).version


def gil_for_bo(ann: Scorer, hand: int) -> int:
    gil = Player.objects.create(name="Gil")
    return write(ann, {(hand, "substitute-1"): {"seat": 2}, (hand, sits(2, 1)): {"name": "Gil", "player": gil.pk}})


def test_a_corrected_name_is_another_from_the_start(ann: Scorer) -> None:
    ann.clear_hand()
    bob = ann.reading.chairs[2].player
    write(ann, {(0, sits(2)): {"name": "Bob", "player": bob}})
    reading = ann.reading
    assert reading.names[2] == "Bob" == reading.names_at(1)[2]
    assert reading.sheet.unread == ()
    assert sheet_file_of(reading)["players"][1] == "Bob"


def test_who_took_over_is_named_from_their_hand_on_and_the_other_before(ann: Scorer) -> None:
    ann.clear_hand()
    gil_for_bo(ann, 2)
    reading = ann.reading
    assert reading.names[2] == "Gil" == reading.names_at(2)[2]
    assert reading.names_at(1)[2] == "Bo"
    assert reading.replaced == {(2, "substitute-1"): "Bo"}
    assert sheet_file_of(reading)["hands"][1] == {"substitute": "Gil", "for": "Bo"}


def test_facts_are_told_of_who_played_the_hand_and_the_place_of_who_ended_it(ann: Scorer) -> None:
    ann.clear_hand()
    gil_for_bo(ann, 2)
    ann.clear_game()
    played = HandFact.objects.filter(sheet=ann.sheet, seat__number=2).order_by("hand")
    assert list(played.values_list("hand", "player__name")) == [(1, "Bo"), (2, "Gil"), (3, "Gil"), (4, "Gil")]
    assert FinalPlacing.objects.get(sheet=ann.sheet, seat__number=2).player.name == "Gil"


def test_a_change_whose_event_is_gone_does_not_count(ann: Scorer) -> None:
    ann.clear_hand()
    gil = Player.objects.create(name="Gil")
    write(ann, {(2, sits(2, 1)): {"name": "Gil", "player": gil.pk}})
    assert ann.reading.names[2] == "Bo"


def test_taking_it_back_brings_the_name_back(ann: Scorer) -> None:
    ann.clear_hand()
    version = gil_for_bo(ann, 2)
    sure_of(ann.undo(version))
    assert ann.reading.names[2] == "Bo"
    assert ann.reading.replaced == {}
