"""The front page of a club: the trophies, tonight's tables, and the way to everything else."""

import pytest

from tests.club_factories import ClubFactory

pytestmark = pytest.mark.django_db


def test_front_page_says_whose_club_it_is(client):
    club = ClubFactory(name="The Tuesday Trumps", about="Cards above the bakery.")
    page = client.get(f"/clubs/{club.slug}/").content.decode()
    assert "The Tuesday Trumps" in page
    assert "Cards above the bakery." in page
    assert 'aria-current="page">Tonight' in page
