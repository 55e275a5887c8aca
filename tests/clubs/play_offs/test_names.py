"""On the page of a play-off everybody is called as he is called now."""

from __future__ import annotations

import pytest
from django.test import Client

from clubs.merging import merge
from tests.club_factories import MemberFactory, TrophyFactory
from tests.clubs.play_offs.evening import play_off

pytestmark = pytest.mark.django_db


def test_page_calls_everybody_as_he_is_called_since() -> None:
    evening = play_off([4, 4], places=2)
    TrophyFactory(club=evening.club)
    for group in evening.groups:
        evening.finish(group, [9, 6, 3, 1])
    evening.open_next()
    winners, losers = evening.final("winners"), evening.final("losers")
    evening.finish(winners, {"Ann": 9, "Bo": 4, "Ed": 3, "Flo": 2})
    evening.finish(losers, {"Cy": 1, "Di": 2, "Gus": -3, "Hal": 3})
    ann = evening.members["Ann"]

    def shown() -> str:
        return Client().get(evening.url("play_off")).content.decode()

    shown()
    assert "Zebra" not in shown()
    ann.nickname = "Zebra"
    ann.save()
    assert "Zebra" in shown()
    merge(ann, MemberFactory(club=evening.club, name="Wim"), by=None)
    assert "Wim" in shown()
    assert "Zebra" not in shown()
