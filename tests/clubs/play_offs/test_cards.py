"""Several are lowest where the loser's trophy goes: they draw cards, and what they drew has a way back."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from clubs.models import AuditEntry, Award, Ruling, Stage
from clubs.play_off_rounds import rulings
from scoresheets.wording.markup import as_text
from tests.clubs.play_offs.evening import PlayOffEvening, play_off
from tests.clubs.play_offs.test_corrections import put_right
from tests.clubs.play_offs.test_crowning import (
    LOSERS,
    WINNERS,
    aloud,
    evening_at_the_finals,
    play_finals,
    with_trophies,
)

pytestmark = pytest.mark.django_db


def level() -> PlayOffEvening:
    """Di, Ed and Hal are lowest of the losers' table."""
    evening = evening_at_the_finals()
    with_trophies(evening.club, bone="Ann")
    play_finals(evening, losers={**LOSERS, "Di": -5, "Hal": -5})
    return evening


def drawing(evening: PlayOffEvening) -> list[str]:
    return sorted(one.shown for one in rulings.who_draws(evening.now))


def draw(evening: PlayOffEvening, browser: Client, mark: str | None = None, **ranks: str):
    posted = {f"rank-{evening.player(name)}": rank for name, rank in ranks.items()}
    mark = rulings.mark_of_draw(evening.now) if mark is None else mark
    return browser.post(evening.url("draw_cards"), posted | {"saw": mark})


def loser(evening: PlayOffEvening) -> str:
    found = evening.now.outcome
    return evening.names([found.loser])[0] if found and found.loser else ""


def test_who_is_level_draws_and_the_lowest_takes_the_trophy() -> None:
    evening = level()
    olga = evening.organiser()
    assert drawing(evening) == ["Di", "Ed", "Hal"]
    assert aloud(evening).endswith(
        ", all with −5, draw a card each for The Bone: the lowest takes it. First Place Loser: Bo."
    )
    page = olga.get(evening.url("draw_cards")).content.decode()
    assert page.count('class="drawing"') == 3
    assert re.findall(r'value="([2-9TJQKA])"', page)[:13] == list("AKQJT98765432"), "as where a table draws"
    assert draw(evening, olga, Di="9", Ed="T", Hal="4").status_code == 303
    assert loser(evening) == "Hal"
    assert "Hal, lowest of the losers’ table with −5, takes The Bone from Ann: " in aloud(evening)
    assert " had −5 too, and drew the higher cards." in aloud(evening)
    bone = Award.objects.get(trophy__name="The Bone", source="play-off")
    assert (bone.shown, bone.why) == ("Hal", "Play-off: lowest of the losers’ table with −5, by the lowest card")


@pytest.mark.thorough
def test_equal_lowest_draw_again_and_only_they() -> None:
    evening = level()
    olga = evening.organiser()
    answer = draw(evening, olga, Di="4", Ed="T", Hal="4")
    assert answer.url == evening.url("draw_cards")
    assert drawing(evening) == ["Di", "Hal"]
    assert ", both with −5, draw a card each for The Bone" in aloud(evening)
    assert draw(evening, olga, Di="A", Hal="2").url == evening.url("play_off")
    assert loser(evening) == "Hal"
    assert [one.counts for one in rulings.ruling_texts(evening.now)] == [True, True]


@pytest.mark.thorough
def test_the_same_tap_twice_draws_once() -> None:
    evening = level()
    olga, mark = evening.organiser(), rulings.mark_of_draw(evening.now)
    for _ in range(2):
        assert draw(evening, olga, mark, Di="4", Ed="T", Hal="4").status_code == 303
    assert Ruling.objects.count() == 1
    assert drawing(evening) == ["Di", "Hal"]


@pytest.mark.thorough
def test_of_two_organisers_at_once_the_second_is_shown_what_was_drawn() -> None:
    evening = level()
    olga, mark = evening.organiser(), rulings.mark_of_draw(evening.now)
    draw(evening, olga, mark, Di="9", Ed="T", Hal="4")
    answer = draw(evening, olga, mark, Di="2", Ed="T", Hal="4")
    assert answer.status_code == 409
    assert "It has changed since this page was shown" in answer.content.decode()
    assert loser(evening) == "Hal"


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    "ranks", [{"Di": "4"}, {"Di": "4", "Ed": "T", "Hal": "1"}, {"Di": "4", "Ed": "T", "Cy": "3"}, {}]
)
def test_a_draw_that_is_none_is_refused_and_what_was_tapped_is_kept(ranks: dict[str, str]) -> None:
    evening = level()
    answer = draw(evening, evening.organiser(), **ranks)
    assert answer.status_code == 422
    assert rulings.NOT_ALL_DREW in answer.content.decode()
    assert ("checked" in answer.content.decode()) is ("Di" in ranks)
    assert not Ruling.objects.exists()


def test_there_are_four_cards_of_one_rank() -> None:
    evening = evening_at_the_finals()
    play_finals(evening, losers=dict.fromkeys(LOSERS, -5))
    olga = evening.organiser()
    answer = draw(evening, olga, **dict.fromkeys(LOSERS, "7"))
    assert answer.status_code == 422
    assert rulings.ONLY_FOUR in answer.content.decode()
    assert draw(evening, olga, **(dict.fromkeys(LOSERS, "7") | {"Cy": "8"})).status_code == 303
    assert "Cy" not in drawing(evening)


@pytest.mark.thorough
def test_a_draw_is_taken_back_and_drawn_again() -> None:
    evening = level()
    olga = evening.organiser()
    draw(evening, olga, Di="9", Ed="T", Hal="4")
    page = evening.url("change_ruling", Ruling.objects.get().pk)
    assert "have to be drawn again" in olga.get(page).content.decode()
    for _ in range(2):
        assert olga.post(page).status_code == 303
    assert drawing(evening) == ["Di", "Ed", "Hal"]
    assert not Award.objects.standing().filter(trophy__name="The Bone", source="play-off").exists()
    draw(evening, olga, Di="2", Ed="T", Hal="4")
    assert loser(evening) == "Di"
    day = f"{evening.night.on:%-d %B %Y}"
    written = AuditEntry.objects.filter(by__name="Olga", says__contains=" drawn in ").order_by("pk")
    first, back, second = written.values_list("says", flat=True)
    assert back == f"Took back cards drawn in the play-off of {day}."
    for says, drawn in ((first, {"Di 9", "Ed 10", "Hal 4"}), (second, {"Di 2", "Ed 10", "Hal 4"})):
        head, _, cards = says.removesuffix(".").partition(": ")
        assert (head, set(cards.split(", "))) == (f"Cards drawn in the play-off of {day}", drawn)


@pytest.mark.thorough
def test_a_draw_that_fits_no_more_after_a_correction_is_shown_as_not_counting_and_is_not_lost() -> None:
    evening = level()
    olga = evening.organiser()
    draw(evening, olga, Di="9", Ed="T", Hal="4")
    table = evening.final(Stage.Side.LOSERS)
    put_right(table, Di=3)
    assert drawing(evening) == ["Ed", "Hal"]
    assert [one.why_not for one in rulings.ruling_texts(evening.now)] == [rulings.NO_FIT]
    assert "It does not count" in olga.get(evening.url("draw_cards")).content.decode()
    put_right(table, Di=-3)
    assert drawing(evening) == []
    assert loser(evening) == "Hal"
    assert [one.why_not for one in rulings.ruling_texts(evening.now)] == [""]


def test_whoever_wins_does_not_draw() -> None:
    evening = evening_at_the_finals()
    play_finals(evening, winners=dict.fromkeys(WINNERS, -9))
    assert drawing(evening) == []
    evening.blind(evening.final(), made=["Ann"])
    assert drawing(evening) == ["Bo", "Flo", "Gus"]


def test_the_lowest_of_the_only_final_draw_on_its_own_sheet() -> None:
    evening = play_off([4, 4], places=2, losers_count=0)
    evening.finish(evening.groups[0], [20, 15, 9, 4])
    evening.finish(evening.groups[1], [12, 10, 3, -8])
    evening.open_next()
    evening.finish(evening.final(), {"Ann": 3, "Bo": 9, "Ed": -2, "Flo": -2})
    assert drawing(evening) == []
    evening.cards(evening.final(), {"Ed": "5", "Flo": "3"})
    assert loser(evening) == "Flo"
    assert "Ed had −2 too, and drew the higher card." in aloud(evening)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_only_organisers_say_what_was_drawn(role: str) -> None:
    evening = level()
    assert draw(evening, evening.organiser(role), Di="9", Ed="T", Hal="4").status_code == 403


def test_the_draw_is_on_the_page_of_the_play_off() -> None:
    evening = level()
    olga = evening.organiser()
    draw(evening, olga, Di="9", Ed="T", Hal="4")
    page = as_text(olga.get(evening.url("play_off")).content.decode())
    assert "Cards drawn for the loser’s trophy." in page
    assert "Ed 10" in evening.club.audit_entries.latest("at").says
