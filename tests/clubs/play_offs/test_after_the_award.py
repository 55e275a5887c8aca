"""What happens to the trophies of a play-off when something is corrected, drawn anew or taken back after the award."""

from __future__ import annotations

import pytest

from clubs.models import Award, Dispute, Ruling, Stage
from clubs.play_off_rounds import corrections
from clubs.play_offs.state import now
from clubs.trophies import awards
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory
from tests.clubs.play_offs.evening import PlayOffEvening, play_off
from tests.clubs.play_offs.test_corrections import asked, preview, put_right, redraw, take_back
from tests.clubs.play_offs.test_crowning import asked as doubted
from tests.clubs.play_offs.test_crowning import (
    evening_at_the_finals,
    play_finals,
    proposed,
    with_trophies,
)  # fmt: skip

pytestmark = pytest.mark.django_db


def awarded() -> PlayOffEvening:
    """Flo has the cup and Ed the bone, confirmed."""
    evening = evening_at_the_finals(club=ClubFactory(awards_at_once=True))
    with_trophies(evening.club)
    play_finals(evening)
    Sheet.objects.filter(table__night=evening.night).update(home=evening.night.get_absolute_url())
    return evening


@pytest.mark.thorough
def test_a_correction_at_a_final_is_told_before_it_is_written_and_moves_no_trophy() -> None:
    evening = awarded()
    assert preview(evening.final(), Bo=30) == ["The winner of the play-off is Bo instead of Flo."]
    assert preview(evening.final(), Gus=-10) == ["The loser of the play-off is Gus instead of Ed."]
    assert preview(evening.final(), Bo=14) == ["The winner of the play-off is not settled instead of Flo."]
    put_right(evening.final(), Bo=30)
    assert proposed(evening) == [("The Cup", "Flo", True), ("The Bone", "Ed", True)]
    day = f"{evening.night.on:%-d %B %Y}"
    assert doubted(evening) == [("The Cup", f"The play-off of {day} names Bo now.", "Bo")]
    put_right(evening.final(), Bo=-30)
    assert doubted(evening) == []


@pytest.mark.thorough
def test_an_answer_to_move_it_stands_on_the_play_off_and_is_asked_about_once() -> None:
    evening = awarded()
    put_right(evening.final(), Bo=30)
    awards.answer(Dispute.objects.get(answered_at__isnull=True), "move", by=None)
    assert proposed(evening) == [("The Bone", "Ed", True), ("The Cup", "Bo", True)] or proposed(evening) == [
        ("The Cup", "Bo", True), ("The Bone", "Ed", True),
    ]  # fmt: skip
    put_right(evening.final(), Bo=1)
    assert doubted(evening) == []


@pytest.mark.thorough
def test_a_redraw_after_the_award_asks_and_its_way_back_makes_that_vanish() -> None:
    evening = awarded()
    put_right(evening.groups[0], Cy=10)
    assert doubted(evening) == []
    ruling = redraw(evening)
    day = f"{evening.night.on:%-d %B %Y}"
    assert [says for _, says, _ in doubted(evening)] == [f"The play-off of {day} is open again."] * 2
    assert proposed(evening) == [("The Cup", "Flo", True), ("The Bone", "Ed", True)]
    take_back(ruling)
    assert doubted(evening) == []
    assert proposed(evening) == [("The Cup", "Flo", True), ("The Bone", "Ed", True)]


@pytest.mark.thorough
def test_the_new_final_that_names_the_same_is_no_question_and_the_award_stands_there() -> None:
    evening = awarded()
    old = evening.final()
    put_right(evening.groups[0], Cy=10)
    redraw(evening)
    evening.finish(evening.final(), {"Ann": 3, "Cy": 7, "Flo": 21, "Gus": -4})
    evening.finish(evening.final(Stage.Side.LOSERS), {"Bo": 1, "Di": 4, "Ed": -5, "Hal": 9, "Ivy": 2})
    assert doubted(evening) == []
    cup = Award.objects.standing().get(trophy__name="The Cup")
    assert (cup.shown, cup.table) == ("Flo", evening.final())
    assert cup.table != old


@pytest.mark.thorough
def test_a_proposal_of_old_finals_becomes_one_of_the_new() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    play_finals(evening)
    put_right(evening.groups[0], Cy=10)
    redraw(evening)
    assert proposed(evening) == []
    evening.finish(evening.final(), {"Ann": 3, "Cy": 70, "Flo": 21, "Gus": -4})
    evening.finish(evening.final(Stage.Side.LOSERS), {"Bo": 1, "Di": 4, "Ed": -5, "Hal": 9, "Ivy": 2})
    assert proposed(evening) == [("The Cup", "Cy", False), ("The Bone", "Ed", False)]


def second_round() -> PlayOffEvening:
    """Twelve of four groups go on: two groups of six on either side are drawn, and nobody has begun."""
    evening = play_off([6, 6, 6, 6], places=3)
    Sheet.objects.filter(table__in=evening.groups).update(home=evening.night.get_absolute_url())
    for group in evening.groups:
        evening.finish(group, [20, 15, 9, 4, -3, -7])
    evening.open_next()
    return evening


def test_a_correction_while_a_second_round_runs_is_asked_about_there() -> None:
    evening = second_round()
    put_right(evening.groups[0], Di=10)
    assert asked(evening) == "Cy and Di change tables; no hand is played there yet."
    before = [len(evening.tables(side)) for side in ("winners", "losers")]
    ruling = redraw(evening)
    assert [len(evening.tables(side)) for side in ("winners", "losers")] == before == [2, 2]
    names = {name for table in evening.tables("winners") for name in evening.names_at(table)}
    assert "Di" in names
    assert "Cy" not in names
    assert asked(evening) == ""
    take_back(ruling)
    names = {name for table in evening.tables("winners") for name in evening.names_at(table)}
    assert "Cy" in names


@pytest.mark.thorough
def test_what_was_drawn_from_a_round_goes_and_comes_with_it() -> None:
    evening = second_round()
    for side in ("winners", "losers"):
        for table in evening.tables(side):
            evening.finish(table, [6, 5, 4, 3, 2, 1])
    evening.open_next()
    finals = [evening.final(side) for side in ("winners", "losers")]
    evening.play(finals[0], [1, 2, 3, 4, 5, 6], hands=3)
    put_right(evening.groups[0], Di=10)
    assert asked(evening).startswith("Cy and Di change tables; the winners’ ")
    assert "the winners’ table has 3 hands played" in asked(evening)
    ruling = redraw(evening)
    assert now(evening.play_off).final("winners") is None
    take_back(ruling)
    assert [evening.final(side) for side in ("winners", "losers")] == finals


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    "says", [{}, {"stages": 5}, {"stages": [5, {"stage": 3}, {"stage": "x", "comes": 1}], "old": 7, "new": [1]}]
)
@pytest.mark.parametrize("kind", ["keep", "redraw", "cut"])
def test_a_ruling_from_a_strange_file_breaks_no_page(kind: str, says: dict[str, object]) -> None:
    evening = evening_at_the_finals()
    ruling = Ruling.objects.create(play_off=evening.play_off, kind=kind, says=says)
    put_right(evening.groups[0], Cy=10)
    olga = evening.organiser()
    for address in (
        evening.url("play_off"), evening.url("play_off_moves"), evening.url("draw_cards"),
        evening.url("change_ruling", ruling.pk), evening.url("rule_cut", evening.groups[0].pk),
    ):  # fmt: skip
        assert olga.get(address).status_code == 200
    assert olga.post(evening.url("change_ruling", ruling.pk)).status_code == 303
    assert not Ruling.objects.filter(withdrawn_at=None).exists()
    assert corrections.moves(now(evening.play_off)) is not None
