"""A club, four of its members, and the night that its organisers plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from clubs.models import Club, Member, Night
from tests.club_factories import ClubFactory, MemberFactory, NightFactory
from tests.clubs.evenings import SEVEN, THURSDAY
from tests.clubs.night_played import Evening, an_evening
from tests.clubs.visitors import account


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="trumps", name="The Trumps")


@pytest.fixture
def four(club: Club) -> list[Member]:
    """Ann, Bo, Cy and Di."""
    return [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di")]


@pytest.fixture
def flo(club: Club) -> Client:
    """The organiser's browser."""
    return account(club, "organiser", name="Flo")[0]


@pytest.fixture
def evening() -> Evening:
    """Eight people, Ann to Hal, of whom none has ever sat at a table."""
    return an_evening()


@pytest.fixture
def at_seven() -> Iterator[Any]:
    """It is seven o'clock on the Thursday of the night, and stays so."""
    with time_machine.travel(SEVEN, tick=False) as clock:
        yield clock


@pytest.fixture
def night(club: Club) -> Night:
    """It has not begun."""
    return NightFactory(club=club, on=THURSDAY, begun_at=None)
