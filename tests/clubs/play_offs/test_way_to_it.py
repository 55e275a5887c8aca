"""How far a play-off is, where the night and the club show the way to it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evening.summary import evenings, mark_of, tables_of
from clubs.models import Night
from clubs.play_off_page.page import mark_of_play_off
from clubs.play_off_rounds import rulings
from clubs.tables.open import say_stakes
from scoresheets.caches.generation import begin_generation
from scoresheets.models import Sheet
from tests.club_factories import played
from tests.clubs.night_played import page
from tests.clubs.play_offs.evening import FIRST, LOSERS, WINNERS, PlayOffEvening, play_off, reading_of
from tests.clubs.play_offs.test_play_off_page import look, say_stop

pytestmark = pytest.mark.django_db


def said(evening: PlayOffEvening) -> str:
    (found,) = evenings(Night.objects.filter(pk=evening.night.pk).select_related("club"))
    return found.play_off_said


def test_way_to_a_play_off_says_what_it_waits_for() -> None:
    evening = play_off([5, 4], places=2)
    first, second = evening.groups
    assert said(evening) == "2 groups, not begun"
    evening.finish(first, [20, 9, 9, 4, -3])
    evening.finish(second, [12, 10, 3, -8])
    assert said(evening) == "a tie is to be settled"
    evening.blind(first, made=["Bo"])
    assert said(evening) == "the next tables are to be drawn"
    evening.open_next()
    assert said(evening) == "the finals, not begun"
    evening.finish(evening.final(), [20, 9, 4, -3])
    evening.finish(evening.final("losers"), [20, 9, 8, -3, -3])
    assert said(evening) == "the finals are to be settled"
    mark = mark_of(evening.night, tables_of([evening.night]))
    lowest = [one.player for one in rulings.who_draws(evening.now)]
    drawn = dict(zip(lowest, "2K", strict=True))
    rulings.draw(evening.play_off, drawn, saw=rulings.mark_of_draw(evening.now), by=None)
    assert said(evening) == "over"
    decided = mark_of(evening.night, tables_of([evening.night]))
    assert decided != mark, "cards are on no sheet"
    evening.night.for_fun = True
    say_stakes(evening.night)
    assert mark_of(evening.night, tables_of([evening.night])) != decided, "what is played for stands there too"


def test_club_night_and_control_page_say_how_far_it_is_and_lead_there(evening):
    evening.play(evening.groups[0], [5, 12, 4, 3, -4, 7, 1], hands=2)
    evening.play(evening.groups[1], [5, 12, 4, 3, -4, 7], hands=2)
    organiser = evening.organiser()
    for name, client in (("club", Client()), ("night", Client()), ("control", organiser)):
        address = reverse(name, args=[evening.club.slug, *([] if name == "club" else [evening.night.pk])])
        found = page(client.get(address))
        assert "Play-off: 2 groups, hand 3 of 4" in found.text, name
        assert found.links["Play-off: 2 groups, hand 3 of 4"] == evening.url("play_off")
    assert evening.url("play_off") in page(organiser.get(evening.url("table_codes"))).links.values()


def test_how_far_it_is_counts_the_groups_that_still_play_among_all(evening):
    evening.finish(evening.groups[0], FIRST)
    evening.play(evening.groups[1], [5, 12, 4, 3, -4, 7], hands=2)
    assert "1 of 2 groups, hand 3 of 4" in look(evening).text


def test_how_far_it_is_names_the_one_final_of_two_that_still_plays(finals):
    finals.finish(finals.final("losers"), LOSERS)
    finals.play(finals.final(), [5, 4, 3, 2, 1, 0], hands=2)
    assert "The winners’ table, hand 3 of 4" in look(finals).text


def test_control_page_has_the_stages_as_blocks_and_stops_them_together(finals):
    single = played(finals.night, [finals.members[name] for name in ("Ann", "Bo", "Cy", "Di")], hands=1, number=9)
    client = finals.organiser()
    html = client.get(finals.url("control")).content.decode()
    names = re.findall(r'class="block-name">\s*(.*?)\s*<', html)
    assert names == ["The finals", "The groups", "Other tables"]
    answer = say_stop(client, finals, 3, number=2, **{"from": "control"})
    assert answer["Location"] == finals.url("control")
    assert reading_of(single).last_hand is None


def test_the_mail_of_the_night_says_that_a_tie_is_open(evening):
    evening.finish(evening.groups[0], FIRST)
    evening.finish(evening.groups[1], [5, 3, 3, 3, -4, 7])
    text = page(evening.organiser().get(evening.url("control"))).text
    assert "Groups: to be settled. Finals: still open." in text


def test_the_mail_of_the_night_tells_groups_finals_and_who_crossed(finals):
    finals.finish(finals.final(), WINNERS)
    finals.finish(finals.final("losers"), LOSERS)
    text = page(finals.organiser().get(finals.url("control"))).text
    assert "Through the groups: Bo, Flo, Ann (Group 1); Mo, Hal, Ivy (Group 2)." in text
    assert (
        "Finals: Ann wins with 21; Flo takes the circle with −7 at the winners’ table, below the −5 of the losers’ "
        "table: it crossed over."
    ) in text


def test_list_of_nights_says_that_it_was_a_play_off(evening):
    assert "2 tables, 13 people, play-off" in page(Client().get(reverse("nights", args=[evening.club.slug]))).text


def test_sheets_of_a_play_off_lead_to_its_page(evening):
    assert Sheet.objects.filter(table__stage__play_off=evening.play_off, home=evening.url("play_off")).count() == 2


def test_pages_of_the_night_and_of_its_play_off_have_another_mark_after_a_restored_backup() -> None:
    evening = play_off([5, 4], places=2)
    before = marks(evening)
    assert marks(evening) == before
    begin_generation()
    night, followed = marks(evening)
    assert night != before[0]
    assert followed != before[1]


def marks(evening: PlayOffEvening) -> tuple[str, str]:
    night = Night.objects.select_related("club").get(pk=evening.night.pk)
    return mark_of(night, tables_of([night])), mark_of_play_off(evening.play_off, night)
