"""A play-off of a game that knows no loser's trophy: one round of groups, one final, and its end."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from django.utils import timezone

from clubs.models import Placing
from clubs.play_off_page.next_step import next_thing
from clubs.play_off_page.page import Followed
from scoresheets.wording.markup import as_text
from tests.clubs.night_played import page as html_page
from tests.clubs.play_offs.evening import PlayOffEvening, play_off
from tests.counted import change
from tests.demo.play_offs import play_tables

pytestmark = pytest.mark.django_db


def play(evening: PlayOffEvening) -> None:
    """Every table that is open, to its last hand; the dice fall as they always do."""
    play_tables(evening.play_off, defaultdict(lambda: 0.5), random.Random(3), timezone.now())


@pytest.mark.thorough
def test_it_is_over_with_the_final_and_counts_as_one_game() -> None:
    evening = play_off([4, 4], places=2, losers_count=0, game="dingo", hands=0)
    olga = evening.organiser()
    play(evening)
    evening.open_next(hands=0)
    assert not Placing.objects.filter(table__night=evening.night).exists()
    play(evening)
    change(evening.club.pk, evening.play_off)
    assert evening.now.is_over
    page = as_text(olga.get(evening.url("play_off")).content.decode())
    assert "It is over." in page
    assert "’s trophy" not in page
    mail = as_text(olga.get(evening.url("control")).content.decode())
    found = evening.now.outcome
    assert found
    assert found.winner
    assert f"Final: {evening.names([found.winner])[0]} wins with " in mail
    counted = Placing.objects.filter(table__night=evening.night)
    assert sorted(counted.values_list("member__name", flat=True)) == [
        "Ann",
        "Bo",
        "Cy",
        "Di",
        "Ed",
        "Flo",
        "Gus",
        "Hal",
    ]


def test_a_tie_for_the_final_is_the_organisers_alone_to_settle() -> None:
    evening = play_off([4, 4], places=2, losers_count=0, game="dirty-deals", hands=0)
    olga = evening.organiser()
    play(evening)
    tied = [table.table for table in evening.now.groups.tables if table.cut.ties]
    assert tied
    waits = as_text(olga.get(evening.url("draw_next")).content.decode())
    assert "It is settled by you." in " ".join(waits.split())
    page = as_text(olga.get(evening.url("rule_cut", tied[0].pk)).content.decode())
    assert "asks for what settles it" not in page
    assert "Your decision is written on their sheet" in page
    ruling = evening.url("rule_cut", tied[0].pk)
    found = next_thing(Followed(evening.now))
    assert found
    assert (found.label, found.to, found.beside) == (f"Decide the tie in {tied[0]}", ruling, ())
    assert html_page(olga.get(evening.url("control"))).links["Decide the tie"] in {
        evening.url("rule_cut", table.pk) for table in tied
    }
