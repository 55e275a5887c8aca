"""A club goes into a file, and out of it into a site that knows nothing of it: the second file is the first."""

from __future__ import annotations

import pytest

from clubs.archive.packing import document_of, packed
from clubs.archive.taking_in import take_in
from clubs.archive.unpacking import unpacked
from clubs.models import Placing, Standing
from scoresheets.models import FinalPlacing, HandFact
from tests.clubs.archive.years import Years, forgotten

pytestmark = pytest.mark.django_db

SEEDS = range(12)


def counted(club):
    """What is counted of a club, and stands in no file."""
    placings = Placing.objects.filter(table__night__club=club)
    standings = Standing.objects.filter(club=club)
    return (
        sorted(
            map(
                str,
                placings.values_list("table__uid", "member__uid", "place", "score", "winner", "loser", "hands", "bids"),
            )
        ),
        sorted(map(str, standings.values_list("member__uid", "season__uid", "place", "points", "games", "reason"))),
        FinalPlacing.objects.filter(sheet__table__night__club=club).count(),
        HandFact.objects.filter(sheet__table__night__club=club).count(),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_second_file_is_the_first(seed: int) -> None:
    club = Years(seed).live(120).club
    first, document, told = packed(club), document_of(club), counted(club)
    forgotten(club)
    again = take_in(unpacked(first), None).club
    assert again is not None
    assert document_of(again) == document
    assert packed(again) == first
    assert counted(again) == told
