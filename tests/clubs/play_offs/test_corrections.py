"""A correction after the draw: what would move is told, an organiser chooses, and everything has a way back."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.access.outdated import HAS_CHANGED, NotNow
from clubs.models import AuditEntry, Night, Ruling, Stage, Table
from clubs.play_off_rounds import corrections, rulings
from clubs.play_off_rounds.corrections import comes_and_goes, moves
from clubs.play_offs.state import now
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.corrections import correct as correction
from scoresheets.corrections.correct import correct
from scoresheets.log.append import Change
from scoresheets.models import Sheet
from scoresheets.results.consequences import full_impact
from scoresheets.results.impact import previewed
from scoresheets.wording.markup import as_text
from tests.club_factories import UserFactory
from tests.clubs.play_offs.evening import PlayOffEvening, play_off, scorer_of
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.django_db

SIDES = (Stage.Side.WINNERS, Stage.Side.LOSERS)


def drawn(sizes: tuple[int, ...] = (5, 4), **more: object) -> PlayOffEvening:
    """Groups of five and four, two places each, and the finals drawn.

    At the winners' table are Ann, Bo, Flo and Gus; Cy, just behind Bo, is at the losers' with Di, Ed, Hal and Ivy.
    """
    evening = play_off(sizes, **({"places": 2} | more))  # type: ignore[arg-type]
    Sheet.objects.filter(table__in=evening.groups).update(home=evening.night.get_absolute_url())
    first, second = evening.groups[:2]
    evening.finish(first, [20, 15, 9, 4, -3])
    evening.finish(second, [12, 10, 3, -8, -9][: sizes[1]])
    evening.open_next()
    return evening


def change(table: Table, **totals: int) -> dict:
    """Of totals that were brought along to the last hand: these are others."""
    scorer = scorer_of(table)
    reading = scorer.reading
    seats = {name: seat for seat, name in reading.names.items()}
    address = next(a for a in reading.standing if a[1] == "carried")
    step = dict(reading.standing[address].data)
    for name, more in totals.items():
        step[f"total-{seats[name]}"] += more
    return {address: step}


def preview(table: Table, **totals: int) -> list[str]:
    """What the house says to a correction before it is written."""
    scorer, changes = scorer_of(table), change(table, **totals)
    saw = {address: scorer.saw(address) for address in changes}
    found = correction.correcting(scorer.reading, changes, saw, sure=True)
    assert isinstance(found, Change), found
    return [as_text(said) for said in full_impact(scorer.reading, previewed(scorer.reading, found)).consequences]


def put_right(table: Table, **totals: int) -> None:
    """A correction, by so many points more or less, as a scorekeeper makes it who has seen its preview."""
    table.sheet.refresh_from_db()
    scorer, changes = scorer_of(table), change(table, **totals)
    saw = {address: scorer.saw(address) for address in changes}
    found = correction.correcting(scorer.reading, changes, saw, sure=True)
    assert isinstance(found, Change), found
    digest = full_impact(scorer.reading, previewed(scorer.reading, found)).digest
    sure_of(correct(scorer.sheet, changes, saw=saw, digest=digest, key=new_key(), by=scorer.by, sure=True))


def asked(evening: PlayOffEvening) -> str:
    """What the organiser is asked; "" for nothing."""
    found = moves(now(evening.play_off))
    return as_text(found.sentence) if found else ""


def mark(evening: PlayOffEvening) -> str:
    found = moves(now(evening.play_off))
    assert found is not None
    return found.mark


def keep(evening: PlayOffEvening, seen: str | None = None) -> Ruling:
    return corrections.keep(evening.play_off, seen or mark(evening), reason="They have begun", by=None)


def redraw(evening: PlayOffEvening, seen: str | None = None) -> Ruling:
    return corrections.redraw(
        evening.play_off, seen or mark(evening), reason="A wrong total", by=None, user=UserFactory(), keeper="Olga"
    )


def take_back(ruling: Ruling) -> None:
    rulings.withdraw(Ruling.objects.get(pk=ruling.pk), key=new_key(), keeper=None, by=None)


def at(evening: PlayOffEvening, side: str = Stage.Side.WINNERS) -> list[str]:
    """Who sits at a final, in alphabetical order."""
    return sorted(evening.names_at(evening.final(side)))


def test_nothing_is_asked_as_long_as_everybody_sits_where_they_belong() -> None:
    evening = drawn()
    assert asked(evening) == ""
    put_right(evening.groups[0], Ann=3, Ed=-2)
    assert asked(evening) == ""


def test_who_would_change_tables_is_told_before_it_is_written_and_asked_after_it() -> None:
    evening = drawn()
    evening.play(evening.final(), [1, 2, 3, 4], hands=2)
    assert preview(evening.groups[0], Cy=10) == [
        "Bo and Cy change tables; the winners’ table has 2 hands played.",
        "Nothing moves by itself: an organiser is asked whether it is kept as played.",
    ]
    assert preview(evening.groups[0], Ann=3) == []
    assert asked(evening) == ""
    put_right(evening.groups[0], Cy=10)
    assert asked(evening) == "Bo and Cy change tables; the winners’ table has 2 hands played."
    assert at(evening) == ["Ann", "Bo", "Flo", "Gus"]


def test_a_correction_that_is_corrected_back_makes_the_question_vanish() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    assert asked(evening) == "Bo and Cy change tables; no hand is played there yet."
    assert preview(evening.groups[0], Cy=-10) == ["Now everybody sits where they belong in the play-off."]
    put_right(evening.groups[0], Cy=-10)
    assert asked(evening) == ""


def test_corrections_of_both_groups_are_one_question() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    put_right(evening.groups[1], Hal=10)
    assert asked(evening) == "Bo, Gus, Cy and Hal change tables; no hand is played there yet."


def test_kept_as_played_is_not_asked_again_until_that_is_taken_back() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    seen = mark(evening)
    ruling = keep(evening)
    assert asked(evening) == ""
    assert keep(evening, seen).pk == ruling.pk
    assert Ruling.objects.count() == 1
    assert at(evening) == ["Ann", "Bo", "Flo", "Gus"]
    take_back(ruling)
    take_back(ruling)
    assert asked(evening) == "Bo and Cy change tables; no hand is played there yet."


def test_another_correction_is_another_question() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    keep(evening)
    put_right(evening.groups[0], Di=20)
    assert asked(evening) != ""


def test_redrawn_the_old_finals_are_closed_and_new_ones_opened() -> None:
    evening = drawn()
    old = [evening.final(side) for side in SIDES]
    put_right(evening.groups[0], Cy=10)
    seen = mark(evening)
    ruling = redraw(evening)
    assert asked(evening) == ""
    assert at(evening) == ["Ann", "Cy", "Flo", "Gus"]
    assert at(evening, Stage.Side.LOSERS) == ["Bo", "Di", "Ed", "Hal", "Ivy"]
    new = [evening.final(side) for side in SIDES]
    assert {table.pk for table in old}.isdisjoint(table.pk for table in new)
    assert redraw(evening, seen).pk == ruling.pk
    assert [evening.final(side) for side in SIDES] == new
    hands = [len(scorer_of(table).reading.table.schedule) for table in new]
    assert hands == [4, 4]


def test_a_redraw_taken_back_brings_the_old_finals_back_and_asks_again() -> None:
    evening = drawn()
    old = [evening.final(side) for side in SIDES]
    put_right(evening.groups[0], Cy=10)
    ruling = redraw(evening)
    take_back(ruling)
    assert [evening.final(side) for side in SIDES] == old
    assert asked(evening) == "Bo and Cy change tables; no hand is played there yet."
    take_back(ruling)
    assert [evening.final(side) for side in SIDES] == old
    again = redraw(evening)
    assert again.pk != ruling.pk
    assert at(evening) == ["Ann", "Cy", "Flo", "Gus"]


def test_a_redraw_cannot_be_taken_back_under_another_one() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    first = redraw(evening)
    put_right(evening.groups[1], Hal=10)
    second = redraw(evening)
    with pytest.raises(NotNow, match="Take that back first"):
        take_back(first)
    take_back(second)
    take_back(first)
    assert at(evening) == ["Ann", "Bo", "Flo", "Gus"]


def test_a_correction_that_is_corrected_back_after_a_redraw_asks_the_other_way_round() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    ruling = redraw(evening)
    put_right(evening.groups[0], Cy=-10)
    assert "change tables" in asked(evening)
    take_back(ruling)
    assert asked(evening) == ""


def test_nobody_answers_what_they_were_not_asked() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    seen = mark(evening)
    put_right(evening.groups[1], Hal=10)
    with pytest.raises(NotNow):
        keep(evening, seen)
    with pytest.raises(NotNow):
        redraw(evening, seen)
    assert not Ruling.objects.exists()


def test_two_organisers_who_answer_differently_do_not_both_count() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    seen = mark(evening)
    keep(evening, seen)
    with pytest.raises(NotNow):
        redraw(evening, seen)
    assert at(evening) == ["Ann", "Bo", "Flo", "Gus"]


def test_a_tie_that_a_correction_makes_has_to_be_settled_before_anything_is_answered() -> None:
    evening = drawn()
    assert preview(evening.groups[0], Cy=6) == [
        "The next tables of the play-off are drawn.",
        "Group 1 is open again and waits for a blind hand for Bo and Cy.",
        "Nothing moves by itself: an organiser is asked whether it is kept as played.",
    ]
    put_right(evening.groups[0], Cy=6)
    assert asked(evening) == "Group 1 is open again and waits for a blind hand for Bo and Cy."
    with pytest.raises(NotNow, match="open again"):
        keep(evening)
    evening.blind(evening.groups[0], made=["Bo"])
    assert asked(evening) == ""


def test_who_is_out_altogether_comes_to_a_table_instead_of_another() -> None:
    evening = drawn((5, 5), losers_count=1)
    # Of five the two highest are above and the lowest below.
    assert at(evening, Stage.Side.LOSERS) == ["Ed", "Joe"]
    put_right(evening.groups[0], Ed=10)
    assert asked(evening) == "Di moves to the losers’ table instead of Ed; no hand is played there yet."
    redraw(evening)
    assert "Di" in at(evening, Stage.Side.LOSERS)
    assert "Ed" not in at(evening, Stage.Side.LOSERS)


# The page


def post(evening: PlayOffEvening, browser: Client, do: str, **said: str):
    found = moves(now(evening.play_off))
    posted = {"do": do, "reason": "They have begun", "saw": found.mark if found else ""} | said
    return browser.post(evening.url("play_off_moves"), posted)


def test_the_preview_calls_people_as_the_page_of_the_play_off_does() -> None:
    evening = drawn((5, 5), losers_count=1)
    # The other one who is called so sits in the other group.
    evening.club.members.filter(name__in=("Bo", "Ivy")).update(nickname="Buster")
    told = preview(evening.groups[1], Joe=10)[0]
    assert told == "Ivy moves to the losers’ table instead of Joe; no hand is played there yet."
    put_right(evening.groups[1], Joe=10)
    assert asked(evening) == told


@pytest.mark.thorough
def test_the_one_final_and_another_round_are_called_as_on_the_page_of_the_play_off() -> None:
    alone = drawn(losers_count=0)
    put_right(alone.groups[0], Cy=10)
    assert asked(alone) == "Cy moves to the final instead of Bo; no hand is played there yet."
    rounds = play_off([8, 8, 8], places=4)
    for table in rounds.groups:
        rounds.finish(table, [80, 70, 60, 50, 40, 30, 20, 10])
    rounds.open_next()
    rounds.play(rounds.tables("winners")[1], [6, 5, 4, 3, 2, 1], hands=2)
    put_right(rounds.groups[0], Ed=15)
    assert asked(rounds).endswith("; the winners’ second round has 2 hands played.")


def test_who_comes_and_who_leaves_is_said_of_one_and_of_several() -> None:
    evening = play_off([4, 4], places=2)
    ann, bo, cy = (evening.now.people[evening.player(name)] for name in ("Ann", "Bo", "Cy"))
    told = [((ann,), ()), ((ann, bo), ()), ((), (ann,)), ((), (ann, bo)), ((ann,), (cy,))]
    assert [as_text(comes_and_goes("the final", *one)) for one in told] == [
        "Ann moves to the final",
        "Ann and Bo move to the final",
        "Ann leaves the final",
        "Ann and Bo leave the final",
        "Ann moves to the final instead of Cy",
    ]


def test_of_one_hand_it_is_said_that_it_is_played() -> None:
    evening = drawn()
    scorer_of(evening.final()).clear_hand()
    put_right(evening.groups[0], Cy=10)
    assert asked(evening) == "Bo and Cy change tables; the winners’ table has 1 hand played."


def decisions_in_the_log() -> list[str]:
    """What an organiser has decided about the play-off."""
    written = AuditEntry.objects.filter(by__name="Olga").order_by("pk").values_list("says", flat=True)
    return [says for says in written if says.startswith(("Kept", "Drew", "Took"))]


def test_the_page_asks_and_keeps() -> None:
    evening = drawn()
    olga = evening.organiser()
    assert "There is nothing to decide" in olga.get(evening.url("play_off_moves")).content.decode()
    put_right(evening.groups[0], Cy=10)
    page = as_text(olga.get(evening.url("play_off_moves")).content.decode())
    assert "Bo and Cy change tables; no hand is played there yet." in page
    assert post(evening, olga, "keep").status_code == 303
    assert asked(evening) == ""
    page = as_text(olga.get(evening.url("play_off_moves")).content.decode())
    assert "Kept as played." in page
    assert "They have begun" in page
    assert "Nobody has moved, although the sheets say that Bo and Cy change tables." in page
    assert olga.post(evening.url("change_ruling", Ruling.objects.get().pk)).status_code == 303
    day = f"{evening.night.on:%-d %B %Y}"
    assert decisions_in_the_log() == [
        f"Kept the play-off of {day} as played: They have begun.",
        f"Took back that a correction leaves the tables as they are in the play-off of {day}.",
    ]


def test_the_page_draws_anew_and_takes_that_back() -> None:
    evening = drawn()
    olga = evening.organiser()
    put_right(evening.groups[0], Cy=10)
    seen = mark(evening)
    assert [post(evening, olga, "redraw", saw=seen).status_code for _ in range(2)] == [303, 303]
    assert at(evening) == ["Ann", "Cy", "Flo", "Gus"]
    ruling = Ruling.objects.get()
    put_right(evening.groups[0], Cy=-10)
    page = olga.get(evening.url("play_off_moves")).content.decode()
    assert "Take the redraw back" in page
    answer = olga.post(evening.url("change_ruling", ruling.pk))
    assert (answer.status_code, answer.url) == (303, evening.url("play_off_moves"))
    assert at(evening) == ["Ann", "Bo", "Flo", "Gus"]
    assert asked(evening) == ""
    day = f"{evening.night.on:%-d %B %Y}"
    assert decisions_in_the_log() == [
        f"Drew the winners’ table and the losers’ table of {day} again: They have begun.",
        f"Took back a new draw after a correction in the play-off of {day}.",
    ]


def test_the_page_wants_a_reason_and_a_choice_and_is_not_answered_late() -> None:
    evening = drawn()
    olga = evening.organiser()
    put_right(evening.groups[0], Cy=10)
    for said, status, says in (
        ({"do": "keep", "reason": " "}, 422, "Say why"),
        ({"do": "sing"}, 422, "Choose: keep it as played, or draw again."),
        ({"do": "keep", "saw": "other"}, 409, HAS_CHANGED),
        ({"do": "redraw", "saw": "other"}, 409, HAS_CHANGED),
    ):
        answer = post(evening, olga, **said)
        assert (answer.status_code, says in answer.content.decode()) == (status, True)
    assert not Ruling.objects.exists()


def test_on_a_closed_night_nothing_is_drawn_anew_and_it_can_be_kept() -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    Night.objects.filter(pk=evening.night.pk).update(closed_at=timezone.now())
    browser = evening.organiser()
    assert 'value="redraw"' not in browser.get(evening.url("play_off_moves")).content.decode()
    refused = post(evening, browser, "redraw")
    assert refused.status_code == 409
    assert "The night is closed" in refused.content.decode()
    assert not evening.play_off.rulings.exists()
    assert post(evening, browser, "keep").status_code == 303


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_only_organisers_answer(role: str) -> None:
    evening = drawn()
    put_right(evening.groups[0], Cy=10)
    assert post(evening, evening.organiser(role), "keep").status_code == 403


def test_the_organisers_page_asks_too() -> None:
    evening = drawn()
    olga = evening.organiser()
    put_right(evening.groups[0], Cy=10)
    page = olga.get(reverse("organise", args=[evening.club.slug])).content.decode()
    assert evening.url("play_off_moves") in page
    keep(evening)
    page = olga.get(reverse("organise", args=[evening.club.slug])).content.decode()
    assert evening.url("play_off_moves") not in page


def test_the_scorekeeper_reads_it_in_the_preview_of_their_correction() -> None:
    evening = drawn()
    table = evening.groups[0]
    reading = scorer_of(table).reading
    seat = next(seat for seat, name in reading.names.items() if name == "Cy")
    phone = Client()
    phone.cookies[BROWSER_COOKIE] = "p" * 22
    table.sheet.scorekeepers.update(browser=hashed("p" * 22))
    address = reverse("correct", args=[table.sheet.code, "carried"])
    page = phone.get(address).content.decode()
    fields = dict(re.findall(r'<input[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"', page))
    (field,) = [name for name in fields if name.endswith(f"total-{seat}")]
    fields[field] = str(int(fields[field].replace("−", "-")) + 10)
    page = as_text(phone.post(address, fields | {"look": "1"}).content.decode())
    assert "Bo and Cy change tables; no hand is played there yet." in page
    assert "an organiser is asked whether it is kept as played" in page
