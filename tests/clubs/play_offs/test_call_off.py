"""A play-off is called off: its tables are single games again, and it can be brought back."""

from __future__ import annotations

from typing import Any

import pytest

from clubs.models import Award, Dispute, Night, Placing, PlayOff
from clubs.play_off_rounds import call_off
from clubs.views.play_offs import rulings as views
from clubs.views.play_offs.page import play_off_of
from tests.club_factories import ClubFactory
from tests.clubs.play_offs.evening import PlayOffEvening, play_off
from tests.clubs.play_offs.test_crowning import evening_at_the_finals, play_finals, with_trophies

pytestmark = pytest.mark.django_db


def state(evening: PlayOffEvening) -> tuple[bool, str]:
    found = PlayOff.objects.get(pk=evening.play_off.pk)
    return found.called_off_at is not None, Night.objects.get(pk=evening.night.pk).trophies


def tap(evening: PlayOffEvening, browser: object, do: str = "call-off") -> int:
    return browser.post(evening.url("call_off"), {"do": do}).status_code  # type: ignore[attr-defined, no-any-return]


@pytest.mark.thorough
def test_called_off_its_tables_count_for_themselves_and_brought_back_together() -> None:
    evening = evening_at_the_finals()
    play_finals(evening)
    together = Placing.objects.count()
    olga = evening.organiser()
    assert "Call it off" in olga.get(evening.url("call_off")).content.decode()
    assert [tap(evening, olga) for _ in range(2)] == [303, 303]
    assert state(evening) == (True, "")
    assert Placing.objects.count() == 18
    assert "Bring it back" in olga.get(evening.url("call_off")).content.decode()
    assert [tap(evening, olga, "back") for _ in range(2)] == [303, 303]
    assert state(evening) == (False, "play-off")
    assert Placing.objects.count() == together == 9


@pytest.mark.thorough
def test_an_award_that_is_confirmed_is_asked_about_and_a_proposal_taken_back() -> None:
    evening = evening_at_the_finals(club=ClubFactory(awards_at_once=True))
    with_trophies(evening.club)
    play_finals(evening)
    olga = evening.organiser()
    tap(evening, olga)
    says = f"The play-off of {evening.night.on:%-d %B %Y} was called off."
    assert [doubt.sentence for doubt in Dispute.objects.filter(answered_at__isnull=True)] == [says, says]
    assert Award.objects.confirmed().filter(source="play-off").count() == 2
    tap(evening, olga, "back")
    assert not Dispute.objects.filter(answered_at__isnull=True).exists()


@pytest.mark.thorough
def test_a_proposal_goes_and_comes_back() -> None:
    evening = evening_at_the_finals()
    with_trophies(evening.club)
    play_finals(evening)
    olga = evening.organiser()
    tap(evening, olga)
    assert not Award.objects.standing().filter(source="play-off").exists()
    tap(evening, olga, "back")
    assert Award.objects.standing().filter(source="play-off").count() == 2


def test_what_the_organiser_said_meanwhile_about_the_trophies_stays() -> None:
    evening = play_off([4, 4], places=2)
    olga = evening.organiser()
    tap(evening, olga)
    Night.objects.filter(pk=evening.night.pk).update(trophies="nothing")
    tap(evening, olga, "back")
    assert state(evening) == (False, "nothing")


def test_it_cannot_be_brought_back_beside_another() -> None:
    evening = play_off([4, 4], places=2)
    olga = evening.organiser()
    tap(evening, olga)
    other = PlayOff.objects.create(night=evening.night, game="dirty-dog", places=2)
    # What stands is what the page is about.
    assert tap(evening, olga, "back") == 303
    assert state(evening)[0] is True
    assert PlayOff.objects.get(pk=other.pk).called_off_at is None


def test_brought_back_while_somebody_opens_another_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = play_off([4, 4], places=2)
    olga = evening.organiser()
    tap(evening, olga)

    def meanwhile(*args: Any, **more: Any) -> PlayOff:
        found = play_off_of(*args, **more)
        PlayOff.objects.create(night=evening.night, game="dirty-dog", places=2)
        return found

    monkeypatch.setattr(views, "play_off_of", meanwhile)
    answer = olga.post(evening.url("call_off"), {"do": "back"})
    assert (answer.status_code, call_off.ANOTHER_STANDS in answer.content.decode()) == (409, True)
    assert state(evening)[0] is True


def test_each_night_has_the_pages_of_its_own_play_off() -> None:
    first = play_off([4, 4], places=2)
    second = play_off([4, 4], places=2, club=first.club)
    olga = first.organiser()
    for evening in (first, second):
        for name in ("play_off", "play_off_now", "draw_next", "draw_cards", "play_off_moves", "call_off"):
            assert olga.get(evening.url(name)).context["play_off"] == evening.play_off, name
    tap(first, olga)
    tap(second, olga)
    tap(second, olga, "back")
    assert (state(first)[0], state(second)[0]) == (True, False)
    assert "Bring it back" in olga.get(first.url("call_off")).content.decode()


def test_pages_of_a_play_off_that_was_called_off_are_gone() -> None:
    evening = play_off([4, 4], places=2)
    olga = evening.organiser()
    tap(evening, olga)
    for name in ("draw_cards", "play_off_moves"):
        assert olga.get(evening.url(name)).status_code == 404
    assert olga.get(evening.url("rule_cut", 1)).status_code == 404


@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_only_organisers_call_it_off(role: str) -> None:
    evening = play_off([4, 4], places=2)
    assert tap(evening, evening.organiser(role)) == 403
    assert state(evening)[0] is False


@pytest.mark.thorough
def test_called_off_nobody_is_said_to_go_on_anywhere() -> None:
    evening = evening_at_the_finals()
    olga = evening.organiser()

    def read() -> list[str]:
        return [olga.get(evening.url(name)).content.decode() for name in ("night", "control")]

    assert all("Through:" in page for page in read())
    tap(evening, olga)
    assert not any("Through:" in page for page in read())
    tap(evening, olga, "back")
    assert all("Through:" in page for page in read())
