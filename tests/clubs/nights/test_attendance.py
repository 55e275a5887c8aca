"""How many people were there is the same number on every page, whoever came, went, or was typed in."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from clubs.members.merge import merge
from clubs.members.people import new_guest
from clubs.models import Attendance, Member, PlayerAlias, Table
from clubs.nights.nights import evenings_of
from clubs.nights.roll_call import roll
from clubs.tables.open import give_chair
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster.change import leave, place_now
from scoresheets.roster.change import substitute as take_over
from tests.club_factories import MemberFactory, scored
from tests.clubs.joining.test_newcomers import write
from tests.clubs.night_played import Evening, page, scorer_of
from tests.clubs.play_offs.evening import play_off
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.django_db


def counts(client: Client, evening: Evening) -> dict[str, int]:
    """How many people the pages say were there."""
    nights = page(client.get(evening.url("nights"))).text
    control = page(client.get(evening.control)).text
    called = page(client.get(evening.url("roll_call", evening.night.pk))).text
    found = {
        "nights": re.search(r"tables?, (\d+) people", nights),
        "five lines": re.search(r": (\d+) (?:people|person) at", control),
        "roll call": re.search(r"(\d+) here", called),
    }
    return {name: int(match[1]) if match else 0 for name, match in found.items()}


def same(client: Client, evening: Evening, many: int) -> bool:
    found = counts(client, evening)
    assert found == dict.fromkeys(found, many)
    return True


@pytest.fixture
def organiser(evening: Evening) -> Client:
    return evening.organiser()


@pytest.fixture
def table(evening: Evening) -> Table:
    return evening.table(hands=1)


def test_those_who_were_drawn(organiser, evening, table) -> None:
    assert same(organiser, evening, 4)
    evening.table(hands=1, seats=slice(4, 8))
    assert same(organiser, evening, 8)


def test_who_plays_at_two_tables_is_one(organiser, evening, table) -> None:
    evening.table(hands=1, seats=slice(2, 6))
    assert same(organiser, evening, 6)


def test_a_guest_who_was_typed_in(organiser, evening, table) -> None:
    write(table, "Zoe")
    assert same(organiser, evening, 5)
    sure_of(scorer_of(table).undo())
    assert same(organiser, evening, 4)


def test_a_name_that_waits_is_a_person_too(organiser, evening, table) -> None:
    MemberFactory(club=evening.club, name="Rosa")
    write(table, "rosa")
    assert same(organiser, evening, 5)
    assert "5 here (1 not on this list)" in page(organiser.get(evening.url("roll_call", evening.night.pk))).text


def test_nobody_the_club_keeps_is_a_person_too(organiser, evening, table) -> None:
    write(table, "Zoe")
    PlayerAlias.objects.update(member=None)
    Member.objects.filter(role="guest").delete()
    assert same(organiser, evening, 5)


def test_a_member_who_was_matched_with_a_name_and_sits_elsewhere_is_one(organiser, evening, table) -> None:
    MemberFactory(club=evening.club, name="Annika")
    other = evening.table(hands=1, seats=slice(4, 8))
    write(other, "Anika")
    assert same(organiser, evening, 9)
    player = scorer_of(other).reading.sitting.now[5].player
    PlayerAlias.objects.create(club=evening.club, player_id=player, member=evening.members[0])
    assert same(organiser, evening, 8)


def test_two_records_of_one_person_are_one(organiser, evening, table) -> None:
    write(table, "Zoe")
    other = evening.table(hands=1, seats=slice(4, 8))
    guest = Member.objects.get(role="guest")
    write(other, "Zoey", is_stranger=True)
    again = Member.objects.get(role="guest", name="Zoey")
    assert same(organiser, evening, 10)
    assert merge(again, guest, by=None) == []
    assert same(organiser, evening, 9)


def test_who_took_over_a_seat_and_who_gave_it_up_were_both_there(organiser, evening, table) -> None:
    scorer = scorer_of(table)
    ed = Somebody("Ed", evening.members[4].player_id)
    sure_of(take_over(table.sheet, 2, ed, *place_now(scorer.reading), key=new_key(), by=scorer.by))
    assert same(organiser, evening, 5)


def test_who_went_home_was_there(organiser, evening, table) -> None:
    scorer = scorer_of(table)
    sure_of(leave(table.sheet, 2, *place_now(scorer.reading), key=new_key(), by=scorer.by, sure=True))
    assert same(organiser, evening, 4)


def test_who_is_expected_is_counted_once_they_sit_down(organiser, evening, table) -> None:
    late = evening.members[5]
    Attendance.objects.create(night=evening.night, member=late, says="coming")
    assert give_chair(table, late)
    assert same(organiser, evening, 4)
    assert "4 here, 1 later" in page(organiser.get(evening.url("roll_call", evening.night.pk))).text
    write(table, "Flo", player=late.player_id)
    assert same(organiser, evening, 5)
    line = next(line for line in roll(evening.night) if line.member == late)
    assert (line.says, line.table) == ("here", "Table 1")


def test_who_said_they_would_not_come_and_plays_is_here(organiser, evening, table) -> None:
    Attendance.objects.create(night=evening.night, member=evening.members[0], says="not")
    assert same(organiser, evening, 4)


def test_results_of_the_past_count_beside_sheets(organiser, evening, table) -> None:
    scored(evening.night, [(evening.members[4], 9), (evening.members[0], 3)])
    found = counts(organiser, evening)
    assert (found["nights"], found["five lines"]) == (5, 5)


def test_a_play_off_is_as_many_people_as_its_groups(django_assert_max_num_queries) -> None:
    evening = play_off([5, 5], places=2)
    first, second = evening.groups
    evening.finish(second, [9, 8, 7, 6, 5])
    evening.play(first, [9, 8, 7, 6, 5], hands=2)
    evening.arrives(first, "Zed")
    evening.rest(first)
    (before,) = evenings_of([evening.night])
    evening.open_next()
    with django_assert_max_num_queries(6):
        (after,) = evenings_of([evening.night])
    assert (before.people, after.people) == (11, 11)
    client = evening.organiser()
    assert "11 people at 4 tables" in page(client.get(evening.url("control"))).text


def test_a_guest_of_the_roll_call_who_sits_at_no_table_is_here_and_not_at_the_tables(organiser, evening, table) -> None:
    """Those are two things: who is in the room, and who has played."""
    new_guest(evening.club, "Gil", evening.night)
    found = counts(organiser, evening)
    assert (found["roll call"], found["nights"]) == (5, 4)


def test_roll_call_counts_no_table_for_those_who_sit_at_an_open_one(organiser, evening, table) -> None:
    """Ann, Bo, Cy and Di play on; the draw would seat the other four, and nobody twice."""
    for member in evening.members:
        Attendance.objects.create(night=evening.night, member=member, says="here")
    address = evening.url("roll_call", evening.night.pk)
    said = "8 here, 4 at open tables: one table of 4"
    assert said in page(organiser.get(address)).text
    member = evening.members[4]
    tapped = organiser.post(f"{address}{member.pk}/", {f"call-{member.pk}": "coming"})
    assert "7 here, 1 later, 4 at open tables: one table of 4" in " ".join(page(tapped).text.split())
    scorer_of(table).clear_game()
    assert "at open tables" not in page(organiser.get(address)).text, "they are free again"


def test_a_roll_call_that_is_refused_writes_nothing_and_shows_what_was_typed_and_tapped(organiser, evening) -> None:
    ann, bo = evening.members[:2]
    before, people = list(Attendance.objects.values_list()), Member.objects.count()
    answer = organiser.post(
        evening.url("roll_call", evening.night.pk),
        {
            f"was-{ann.pk}": "not", f"call-{ann.pk}": "coming", f"was-{bo.pk}": "not", f"call-{bo.pk}": "not",
            "guest": "Flo", "leaver": "", "until": "21:00", "do": "leaves",
        },
    )  # fmt: skip
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert "Who leaves early?" in shown
    assert list(Attendance.objects.values_list()) == before
    assert Member.objects.count() == people
    assert 'value="Flo"' in shown
    assert re.search(rf'name="was-{ann.pk}"[^>]*value="not"', shown)
    assert re.search(rf'name="call-{ann.pk}"\s+value="coming"\s+checked', shown)
    assert re.search(rf'name="call-{bo.pk}"\s+value="not"\s+checked', shown)
