"""What a game at a club's table was worth to its members."""

import pytest

from clubs.models import Placing, PlayerAlias
from clubs.projections.update import remake
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.counted import change

pytestmark = pytest.mark.django_db


def test_finished_sheet_gives_everybody_a_placing() -> None:
    club = ClubFactory()
    members = MemberFactory.create_batch(4, club=club)
    table = played(NightFactory(club=club), members)
    assert table.ended_at is not None
    first = Placing.objects.filter(table=table).get(place=1)
    assert (first.member, first.winner, first.place, first.players) == (members[0], True, 1, 4)
    assert (first.hands, first.bids, first.made) == (4, 4, 4)
    assert first.boxes >= 1
    assert [p.member for p in Placing.objects.filter(loser=True)] == [members[1]]


def test_member_on_two_seats_has_the_better_place() -> None:
    club = ClubFactory()
    ann, bo, cy = MemberFactory.create_batch(3, club=club)
    typed = MemberFactory(name="Annie")
    table = played(NightFactory(club=club), [typed, ann, bo, cy])
    places = [Placing.objects.get(table=table, member=ann).place]
    PlayerAlias.objects.create(club=club, player=typed.player, member=ann)
    change(table.night.club_id, table)
    places.append(Placing.objects.get(table=table, member=ann).place)
    assert places == [4, 1]
    # Their own record comes before what somebody said of its player.
    PlayerAlias.objects.create(club=club, player=bo.player, member=ann)
    change(table.night.club_id, table)
    assert Placing.objects.filter(table=table, member=bo).count() == 1


def test_running_sheet_gives_none() -> None:
    club = ClubFactory()
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=2)
    assert table.ended_at is None
    assert not table.placings.exists()


def test_copies_are_made_again_from_the_sheets() -> None:
    club = ClubFactory()
    played(NightFactory(club=club), MemberFactory.create_batch(4, club=club))
    before = list(Placing.objects.order_by("member").values_list("member", "place", "score", "boxes"))
    Placing.objects.update(score=1000)
    assert remake(club) == 1
    assert list(Placing.objects.order_by("member").values_list("member", "place", "score", "boxes")) == before
