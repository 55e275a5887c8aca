"""What is counted of a night that was played while the site was killed: what is wrong is found."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from clubs.models import Award, Club, Placing
from clubs.projections.update import remake
from tests.bench.night import count
from tests.club_factories import MemberFactory, NightFactory, TrophyFactory, played

pytestmark = pytest.mark.django_db
Found = Callable[[], dict[str, int]]


@pytest.fixture
def club() -> Club:
    """A club whose trophies one table has decided about."""
    night = NightFactory()
    for goes in ("winner", "loser"):
        TrophyFactory(club=night.club, name=goes, goes=goes)
    played(night, MemberFactory.create_batch(4, club=night.club))
    remake(night.club)
    return night.club


@pytest.fixture
def found(club: Club, capsys: pytest.CaptureFixture[str]) -> Found:
    def count_again() -> dict[str, int]:
        count(club.slug)
        return dict(json.loads(capsys.readouterr().out))

    return count_again


def test_nothing_is_wrong_where_all_was_counted(found: Found) -> None:
    assert found() == {"waiting": 0, "placings": 4, "standings": 4, "awards": 2, "wrong awards": 0, "differs": 0}


def test_trophy_that_went_to_somebody_else_is_found(club: Club, found: Found) -> None:
    other = Placing.objects.filter(winner=False, loser=False)[0].member
    Award.objects.filter(trophy__goes="winner").update(member=other)
    assert found()["wrong awards"] == 2


def test_trophy_that_went_to_nobody_is_found(found: Found) -> None:
    Award.objects.filter(trophy__goes="loser").delete()
    assert found()["wrong awards"] == 1


def test_placing_that_is_not_what_its_sheet_says_is_found(club: Club, found: Found) -> None:
    Placing.objects.filter(winner=True).update(winner=False)
    assert (found()["wrong awards"], found()["differs"] > 0) == (1, True)
