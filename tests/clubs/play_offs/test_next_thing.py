"""What an organiser is led to next: what the table plays itself comes before what they rule."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.play_off_page.next_step import NextThing, next_thing
from clubs.play_off_page.page import Followed
from scoresheets.pad.help_call import answer, ask
from tests.clubs.night_played import page
from tests.clubs.play_offs.evening import PlayOffEvening, play_off

pytestmark = pytest.mark.django_db


def tied(game: str = "dirty-dog", **more: object) -> PlayOffEvening:
    """Two of each group go on; in the first Bo and Cy are level for the last place."""
    evening = play_off([5, 5], places=2, **more)  # type: ignore[arg-type]
    evening.finish(evening.groups[0], [20, 9, 9, 5, -3])
    evening.finish(evening.groups[1], [12, 10, 3, 0, -8])
    return evening


def next_of(evening: PlayOffEvening) -> NextThing:
    found = next_thing(Followed(evening.now))
    assert found is not None
    return found


def test_a_table_that_asks_for_the_organiser_comes_before_all_else() -> None:
    evening = tied()
    olga, address = evening.organiser(), evening.url("play_off")
    before = page(olga.get(address))
    first, second = (table.sheet for table in evening.groups)
    assert first
    assert second
    ask(second)
    assert page(olga.get(address)).links["Group 2 is calling you"] == evening.url("control")
    assert "Group 2 asks" not in before.text
    ask(first)
    assert next_of(evening).label == "2 tables are calling you"
    answer(first)
    answer(second)
    assert next_of(evening).label == "Group 1: play the blind hand"
    # It is the organiser's business.
    assert "calling you" not in Client().get(address).content.decode()


def test_the_blind_hand_comes_first_and_the_ruling_is_beside_it() -> None:
    evening = tied()
    group = evening.groups[0]
    found = next_of(evening)
    assert (found.label, found.to) == ("Group 1: play the blind hand", reverse("watch", args=[group.sheet.watch]))
    assert found.why == "A blind hand settles it: the whole table plays, and only they count."
    ruling = evening.url("rule_cut", group.pk)
    assert found.beside == (
        ("Its code", f"{evening.url('table_codes')}?table={group.number}"),
        ("Decide it yourself", ruling),
    )
    olga = evening.organiser()
    for name in ("play_off", "control"):
        assert page(olga.get(evening.url(name))).links["Decide it yourself"] == ruling


def test_cards_are_drawn_on_the_sheet_where_that_was_agreed() -> None:
    evening = tied(cut_by_high_card=True)
    found = next_of(evening)
    assert found.label == "Group 1: draw cards"
    assert found.why == "They draw a card each, and the highest goes through."


def test_lowest_cards_go_to_the_losers_table() -> None:
    evening = play_off([6, 5], places=1, losers_count=2, cut_by_high_card=True)
    evening.finish(evening.groups[0], [20, 9, 8, 5, 5, -3])
    assert next_of(evening).why == "They draw a card each, and the lowest goes to the losers’ table."


def test_ties_at_several_tables_are_looked_at_together() -> None:
    evening = play_off([5, 5], places=2)
    for group in evening.groups:
        evening.finish(group, [20, 9, 9, 5, -3])
    assert (next_of(evening).label, next_of(evening).to) == ("Ties at 2 tables", evening.url("control"))


def test_a_tie_at_a_final_is_played_out_there() -> None:
    evening = tied()
    evening.blind(evening.groups[0], made=["Bo"])
    evening.open_next()
    final = evening.final()
    evening.finish(final, {"Ann": 9, "Bo": 9, "Flo": 3, "Gus": 1})
    found = next_of(evening)
    assert (found.label, found.to) == (
        "Winners’ table: play the blind hand",
        reverse("watch", args=[final.sheet.watch]),
    )
    assert [label for label, _ in found.beside] == ["Its code"]
