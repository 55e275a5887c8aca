"""Who leads stands where the seats tell it: in Dirty Deals it is whoever was dealt the nine of clubs."""

import pytest

from scoresheets.pad.build import pad_of, page_of
from scoresheets.views.table.pad import face_of
from tests.factories import scorer

pytestmark = pytest.mark.django_db


def notes(game):
    """What is said beside the names on the pad of the game."""
    reading = scorer(game=game).reading
    return [row.note for row in face_of(pad_of(reading), page_of(reading)).rows]


def test_left_of_the_dealer_leads_unless_the_game_says_otherwise():
    assert notes("bird-dog") == ["deals", "leads", ""]


def test_until_the_bidding_says_who_leads_it_is_said_who_chooses_first():
    assert notes("hotdog") == ["deals", "chooses first"]


def test_nobody_is_said_to_lead_where_only_the_cards_tell():
    assert notes("dirty-deals") == ["deals", "", "", ""]
