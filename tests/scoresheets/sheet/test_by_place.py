"""Standing by place: the order, what the last hand brought, bids made, and what each needs near the end."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from django.test import Client
from django.urls import reverse

from scoresheets.pad.build import pad_of
from scoresheets.sheet.by_place import ByPlace
from tests.factories import Scorer, scorer, sure_of
from tests.scoresheets.laid import document, laid_down, reading_of
from tests.scoresheets.people import arrive
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db


def standing(p: Scorer) -> list[tuple[int, str, int, str, tuple[int, int] | None]]:
    return [(row.place, row.name, row.total, row.change, row.made) for row in ByPlace(p.reading).rows]


@pytest.fixture
def p() -> Scorer:
    """Two of four hands: first Ann took two where all had bid none, then Bo takes one of two, as he has bid."""
    kept = scorer(4, plan={"peak": 2})
    kept.hand({1: 0, 2: 0, 3: 0, 4: 0}, {1: 1, 2: 0, 3: 0, 4: 0})
    kept.hand({1: 0, 2: 1, 3: 0, 4: 0}, {1: 0, 2: 1, 3: 1, 4: 0})
    return kept


def test_rows_stand_by_place_with_the_last_change_and_bids_made_and_equals_share_a_place(p: Scorer) -> None:
    assert standing(p) == [
        (1, "Bo", 11, "+6", (2, 2)),
        (2, "Di", 10, "+5", (2, 2)),
        (3, "Ann", 4, "+5", (1, 2)),
        (3, "Cy", 4, "−1", (1, 2)),
    ]


def test_before_the_first_hand_all_are_first_and_nothing_has_changed() -> None:
    assert standing(scorer(2)) == [(1, "Ann", 0, "", (0, 0)), (1, "Bo", 0, "", (0, 0))]


def test_who_joins_has_no_last_hand_and_no_bids_yet(p: Scorer) -> None:
    sure_of(arrive(p, "Joe"))
    row = next(row for row in ByPlace(p.reading).rows if row.name == "Joe")
    assert (row.change, row.made, row.total) == ("", (0, 0), 4)


def test_a_game_without_bids_says_nothing_of_them() -> None:
    kept = scorer(game="hotdog")
    kept.any_hand()
    assert {row.made for row in ByPlace(kept.reading).rows} == {None}


def test_places_are_those_of_the_sheet_where_the_game_parts_equals() -> None:
    """In Dingo who has won more hands comes first among equal totals: the pad is told, for it goes by totals alone."""
    kept = scorer(game="dingo")
    sheet = kept.reading.sheet
    first = ByPlace(kept.reading)
    assert set(first.places.values()) == {1}
    assert pad_of(kept.reading).places is None
    moved = dict(zip(sheet.table.seats, (2, 1, 3, 3), strict=True))
    first.__dict__["places"] = moved
    assert [row.place for row in first.rows] == [1, 2, 3, 3]
    assert [row.seat for row in first.rows][:2] == [2, 1]


# What each needs


def before_the_last(totals: Mapping[str, int], hands: int = 3) -> dict[str, object]:
    """Four people, and a last hand of one card; Di bids last."""
    carried = {"hands": hands, "totals": dict(totals), "last_dealer": [*totals][(hands - 1) % 4]}
    return document(hands=[{"carried": carried}], plan={"peak": 2})


CLOSE = {"Ann": -1, "Bo": 11, "Cy": 5, "Di": 9}


def needs_of(said: dict[str, object]) -> dict[str, str]:
    reading = reading_of(said)
    return {reading.names[seat]: re.sub("<[^>]+>", "", need) for seat, need in ByPlace(reading).needs.items()}


def test_sentences_say_what_each_needs_in_the_last_hand() -> None:
    assert needs_of(before_the_last(CLOSE)) == {
        "Ann": "Ann needs 6 in the last hand to leave the circle: a bid of 1 made.",
        "Cy": "Cy needs 5 in the last hand to reach the box: any bid made.",
        "Di": "Di needs 5 in the last hand to reach the box: any bid made.",
    }


def test_in_the_last_hand_but_one_it_is_said_of_this_hand_and_before_that_nothing() -> None:
    said = needs_of(before_the_last({"Ann": -9, "Bo": 11, "Cy": 5, "Di": 9}, 2))
    assert said["Ann"].startswith("Ann needs ")
    assert " in this hand to leave the circle" in said["Ann"]
    assert needs_of(before_the_last(CLOSE, 1)) == {}


def test_the_watch_page_says_it_by_place_in_the_row_it_is_about_and_the_sheet_above_its_table(client: Client) -> None:
    sheet = laid_down(before_the_last(CLOSE))
    page = client.get(reverse("watch", args=[sheet.watch])).content.decode()
    row = re.search(r'<li data-place-of="1".*?</li>', page, re.DOTALL)
    assert row
    assert "<bdi>Ann</bdi> needs 6 in the last hand to leave the circle" in row[0]
    assert page.count("to leave the circle") == 1
    said = client.get(reverse("sheet", args=[sheet.code])).content.decode()
    assert '<p class="chance"><bdi>Ann</bdi> needs 6 in the last hand' in said


def test_the_pad_says_it_of_the_circle_and_of_who_is_next_to_the_box() -> None:
    reading = reading_of(before_the_last(CLOSE))
    assert [says[1] for says in pad_of(reading).needs] == ["Ann", "Di"]


# The pages


def test_watch_page_has_both_faces_and_the_link_shows_the_one_that_is_wanted(p: Scorer, client: Client) -> None:
    there = reverse("watch", args=[p.sheet.watch])
    for query, by in (("", "seat"), ("?by=seat", "seat"), ("?by=place", "place"), ("?by=%22", "seat")):
        page = client.get(there + query).content.decode()
        assert f'<div class="faces" data-by="{by}">' in page
        assert re.search(rf'href="\?by={by}"\s+aria-current="true"', page)
        assert page.count('aria-current="true">By') == 1
    fragment = client.get(reverse("watch_rows", args=[p.sheet.watch])).content.decode()
    assert re.findall(r'data-place-of="(\d)"', fragment) == ["2", "4", "1", "3"]
    assert "faces" not in fragment, "which face is shown is no matter of the poll"


def test_after_the_end_the_places_stand_there_anyway(p: Scorer, client: Client) -> None:
    p.clear_game()
    assert "data-place-of" not in client.get(reverse("watch", args=[p.sheet.watch])).content.decode()


def test_without_a_script_the_pad_turns_its_rows_over_by_a_link_and_keeps_what_was_counted() -> None:
    phone = Plain(4)
    page = phone.client.get(phone.url("pad")).content.decode()
    assert 'href="?by=place"' in page
    assert "data-place-of" not in page
    page = phone.client.get(f"{phone.url('pad')}?by=place").content.decode()
    assert len(re.findall("data-place-of", page)) == 4
    assert f'href="{phone.url("pad")}"' in page
    order = phone.scorer.reading.sheet.open.hand.order  # type: ignore[union-attr]
    for seat in order:
        sure_of(phone.scorer.bid(seat, 0))
    page = phone.client.get(f"{phone.url('pad')}?by=place").content.decode()
    assert len(re.findall(r'type="hidden" name="f-tricks-', page)) == 4


@pytest.mark.parametrize("game", ["dingo", "dirty-deals"])
def test_a_pad_of_prompts_has_the_same_face(game: str) -> None:
    phone = Plain(game=game)
    phone.scorer.any_hand()
    page = phone.client.get(f"{phone.url('pad')}?by=place").content.decode()
    rows = ByPlace(phone.scorer.reading).rows
    assert re.findall(r'data-place-of="(\d)"', page) == [str(row.seat) for row in rows]
    assert 'class="change num"' in page
