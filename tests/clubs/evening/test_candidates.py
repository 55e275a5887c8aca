"""Who is offered to sit down at a table: everybody of the club, but for those who sit at another one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clubs.evening.sheet_hooks import players_at_other_tables
from clubs.models import PlayerAlias, Table
from clubs.tables.open import give_chair
from scoresheets.access.scorekeepers import hashed
from scoresheets.roster.change import leave, place_now
from tests.club_factories import MemberFactory, NightFactory
from tests.clubs.night_played import THE_PHONE, Evening, scorer_of
from tests.factories import PlayerFactory, new_key, sure_of
from tests.scoresheets.plain import SECRET, Plain

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(evening: Evening) -> Table:
    """Ann, Bo, Cy and Di have played one hand; the club has Ed, Flo, Gus and Hal as well."""
    return evening.table(hands=1)


@pytest.fixture
def phone(table: Table) -> Plain:
    """The phone of the table, without a script. It knows nobody from another evening."""
    table.sheet.scorekeepers.filter(browser=hashed(THE_PHONE)).update(browser=hashed(SECRET))
    return Plain.before(table.sheet, SECRET)


def offered(phone: Plain, kind: str = "arrive") -> list[str]:
    """The names on the page that asks who it is."""
    phone.look(phone.url(kind))
    return [chip.name for chip in phone.response.context["form"].chips]


def goes_home(table: Table, seat: int) -> None:
    scorer = scorer_of(table)
    sure_of(leave(table.sheet, seat, *place_now(scorer.reading), key=new_key(), by=scorer.by, sure=True))


@pytest.mark.parametrize("kind", ["arrive", "substitute"])
def test_who_sits_at_another_open_table_is_not_offered(phone: Plain, evening: Evening, kind: str) -> None:
    assert offered(phone, kind) == ["Ed", "Flo", "Gus", "Hal"]
    evening.table(hands=1, seats=slice(4, 7))
    assert offered(phone, kind) == ["Hal"]


def test_who_has_finished_another_game_is_offered(phone: Plain, evening: Evening) -> None:
    evening.table(hands=None, seats=slice(4, 7))
    assert offered(phone) == ["Ed", "Flo", "Gus", "Hal"]


def test_who_went_home_from_the_other_table_is_offered(phone: Plain, evening: Evening) -> None:
    other = evening.table(hands=1, seats=slice(4, 8))
    assert offered(phone) == []
    goes_home(other, 2)
    assert offered(phone) == ["Flo"]


def test_tables_of_another_night_take_nobody_away(phone: Plain, evening: Evening) -> None:
    last = replace(evening, night=NightFactory(club=evening.club))
    last.table(hands=1, seats=slice(4, 8))
    assert offered(phone) == ["Ed", "Flo", "Gus", "Hal"]


def test_who_went_home_here_and_sits_elsewhere_is_not_offered_again(evening: Evening) -> None:
    here = evening.table(hands=1)
    goes_home(here, 2)
    here.sheet.scorekeepers.update(browser=hashed(SECRET))
    phone = Plain.before(here.sheet, SECRET)
    assert offered(phone) == ["Bo", "Ed", "Flo", "Gus", "Hal"]
    bo_with_others = [evening.members[1], *evening.members[4:7]]
    replace(evening, members=bo_with_others).table(hands=1)
    assert offered(phone) == ["Hal"]


def test_who_was_awaited_here_and_sat_down_elsewhere_is_not_offered(
    phone: Plain, evening: Evening, table: Table
) -> None:
    assert give_chair(table, evening.members[4])
    assert offered(phone) == ["Ed", "Flo", "Gus", "Hal"]
    evening.table(hands=1, seats=slice(4, 7))
    assert offered(phone) == ["Hal"]


def test_who_sits_elsewhere_under_another_name_is_not_offered(phone: Plain, evening: Evening) -> None:
    other = evening.table(hands=1, seats=slice(5, 8))
    typed = PlayerFactory(name="Eddie")
    other.sheet.seats.filter(number=1).update(player=typed, name="Eddie")
    PlayerAlias.objects.create(club=evening.club, player=typed, member=evening.members[4])
    assert offered(phone) == ["Flo"]


def test_who_the_phone_knows_and_sits_elsewhere_is_not_offered(phone: Plain, evening: Evening) -> None:
    evening.table(hands=None, seats=slice(4, 7)).sheet.scorekeepers.update(browser=hashed(SECRET))
    zoe = PlayerFactory(name="Zoe")
    elsewhere = evening.table(hands=0, seats=slice(5, 8))
    elsewhere.sheet.seats.filter(number=3).update(player=zoe, name="Zoe")
    elsewhere.sheet.scorekeepers.update(browser=hashed(SECRET))
    assert offered(phone) == ["Ed", "Hal"]


def test_who_sat_down_elsewhere_meanwhile_is_asked_for_again(phone: Plain, evening: Evening) -> None:
    offered(phone)
    tapped = {"who": f"known-{evening.members[4].player_id}"}
    evening.table(hands=1, seats=slice(4, 7))
    phone.show(phone.client.post(phone.url("arrive"), tapped))
    assert "Who is it?" in phone.page.text
    assert 5 not in phone.scorer.reading.names


def test_a_typed_name_still_brings_over_who_sits_elsewhere(phone: Plain, evening: Evening) -> None:
    evening.table(hands=1, seats=slice(4, 7))
    phone.show(phone.client.post(phone.url("arrive"), {"name": "Ed"}))
    assert "Is it Ed?" in phone.page.text
    assert "plays at Table 2" in phone.page.text


def test_it_costs_few_queries_however_many_tables_play(evening: Evening, django_assert_max_num_queries: object) -> None:
    sheet = evening.table(hands=1, seats=slice(3)).sheet
    with django_assert_max_num_queries(2):  # type: ignore[operator]
        assert players_at_other_tables(sheet) == set()
    evening.table(hands=1, seats=slice(3, 6))
    more = ("Kim", "Lou", "Max", "Ned", "Oda", "Pia", "Quin", "Ron", "Sue")
    evening.members += [MemberFactory(club=evening.club, name=name) for name in more]
    for first in (6, 9, 12):
        evening.table(hands=1, seats=slice(first, first + 3))
    with django_assert_max_num_queries(7):  # type: ignore[operator]
        assert len(players_at_other_tables(sheet)) == 12
