"""A play-off is one game in everything a club keeps of its people."""

from __future__ import annotations

import pytest

from clubs.models import Feat, Honour, Placing, Standing, Table
from clubs.published import remake, tell_play_off
from tests.clubs.play_offs.evening import PlayOffEvening, play_off

pytestmark = pytest.mark.django_db


def played(**more: object) -> PlayOffEvening:
    """Two groups of four and three; Flo, lowest of the winners' table, is below everybody at the losers' table."""
    evening = play_off([4, 3], places=2, **more)  # type: ignore[arg-type]
    first, second = evening.groups
    evening.finish(first, {"Ann": 12, "Bo": 10, "Cy": 5, "Di": -3})
    evening.finish(second, {"Ed": 20, "Flo": 9, "Gus": 1})
    evening.open_next()
    return evening


def finals(evening: PlayOffEvening) -> None:
    evening.finish(evening.final("winners"), {"Ann": 7, "Bo": 9, "Ed": 2, "Flo": -30})
    evening.finish(evening.final("losers"), {"Cy": 3, "Di": 3, "Gus": -8})


def places(evening: PlayOffEvening) -> dict[str, tuple[int | None, int | None]]:
    rows = Placing.objects.filter(table__night=evening.night).select_related("member")
    assert all(row.players == 7 for row in rows)
    return {row.member.name: (row.place, row.score) for row in rows.order_by("place", "member__name")}


def test_nothing_counts_before_both_trophies_are_settled() -> None:
    evening = played()
    evening.finish(evening.final("winners"), {"Ann": 7, "Bo": 9, "Ed": 2, "Flo": -30})
    assert not (Placing.objects.exists() or Standing.objects.exists() or Honour.objects.exists() or Feat.objects.exists())
    assert not Table.objects.counting().exists()


def test_everybody_has_one_placing_with_the_place_of_the_whole_evening() -> None:
    evening = played()
    finals(evening)
    assert places(evening) == {
        "Bo": (1, 9), "Ann": (2, 7), "Ed": (3, 2), "Flo": (4, -30), "Cy": (5, 3), "Di": (5, 3), "Gus": (7, -8),
    }  # fmt: skip
    assert [one.member.name for one in Placing.objects.filter(winner=True)] == ["Bo"]
    assert [one.member.name for one in Placing.objects.filter(loser=True)] == ["Flo"]
    standings = Standing.objects.filter(club=evening.club)
    assert {(row.games, row.nights, row.hands, row.bids) for row in standings} == {(1, 1, 2, 2)}
    tell_play_off(evening.play_off)
    before = sorted(Placing.objects.values_list("member", "table", "place", "score", "winner", "loser", "hands"))
    assert remake(evening.club) == 4
    assert before == sorted(
        Placing.objects.values_list("member", "table", "place", "score", "winner", "loser", "hands")
    )
