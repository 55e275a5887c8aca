"""A play-off of thirteen: two groups, three of each to the winners' table."""

from __future__ import annotations

import pytest

from tests.clubs.play_offs.evening import FIRST, SECOND, PlayOffEvening, play_off


@pytest.fixture
def evening() -> PlayOffEvening:
    return play_off([7, 6], places=3)


@pytest.fixture
def settled(evening: PlayOffEvening) -> PlayOffEvening:
    evening.finish(evening.groups[0], FIRST)
    evening.finish(evening.groups[1], SECOND)
    return evening


@pytest.fixture
def finals(settled: PlayOffEvening) -> PlayOffEvening:
    settled.open_next()
    return settled
