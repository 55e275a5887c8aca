"""The score curve: its points by hand for each game, how it is drawn, and the pages that show it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from scoresheets.score_curve.curve import ScoreCurve
from scoresheets.score_curve.drawing import CurveBand, CurveDrawing, spread
from tests.factories import NAMES, Scorer, scorer
from tests.scoresheets.laid import document, hand, laid_down, reading_of
from tests.scoresheets.other_games import bird, claim, deals, dingo, hotdog, hunted, pairs, picked

#: After it Ann has 5, Bo −1, Cy and Di 5.
FIRST = hand("Bo Cy Di Ann", "0000", "1000")
#: After both Ann has 10, Bo 4, Cy 3, Di 10.
SECOND = hand("Cy Di Ann Bo", "0000", "2000")


def curve_of(said: dict[str, object]) -> ScoreCurve:
    return ScoreCurve(reading_of(said))


def dog(*hands: dict[str, object], players: str = "Ann Bo Cy Di", **more: object) -> ScoreCurve:
    """A sheet of Dirty Dog, of four hands unless it says otherwise."""
    return curve_of(document(players, list(hands), **{"plan": {"hands": 4}, **more}))


def points(curve: ScoreCurve) -> dict[str, list[list[tuple[int, int]]]]:
    return {line.name: [list(part) for part in line.parts] for line in curve.lines}


def figure_of(curve: ScoreCurve) -> str:
    return render_to_string("scoresheets/score_curve/figure.html", {"drawing": CurveDrawing(curve)})


def svg_of(curve: ScoreCurve) -> str:
    found = re.search(r"<svg viewBox.*?</svg>", figure_of(curve), re.DOTALL)
    assert found
    return found[0]


def long_game(players: int, hands: int) -> ScoreCurve:
    """So many hands of one card, in each of which somebody else is set, after totals that lie wide apart."""
    names = [*NAMES][:players]
    totals = {name: 40 * (at % 5) - 104 for at, name in enumerate(names)}
    kept: list[dict[str, object]] = [{"carried": {"hands": 1, "totals": totals, "last_dealer": names[0]}}]
    for number in range(1, hands):
        order = names[(number + 1) % players :] + names[: (number + 1) % players]
        tricks = dict.fromkeys(order, 0) | {names[number * 3 % players]: 1}
        kept.append({"bids": dict.fromkeys(order, 0), "tricks": tricks})
    said = document(" ".join(names), kept, plan={"peak": 1, "extra_rounds": 25})
    curve = curve_of(said)
    assert len(curve.stops) == hands
    return curve


def test_points_of_bids_and_tricks_go_through_every_hand():
    curve = dog(FIRST, SECOND)
    assert points(curve)["Ann"] == [[(0, 0), (1, 5), (2, 10)]]
    assert points(curve)["Bo"] == [[(0, 0), (1, -1), (2, 4)]]
    assert [stop.head for stop in curve.stops] == ["Start", "1", "2"]
    assert [stop.moment for stop in curve.stops] == ["At the start", "After hand 1", "After hand 2"]


def test_points_of_a_session_of_hunts_go_below_nothing():
    """Ann and Di hunt alone, which costs them; the three of Bo brings points to Bo and to Cy, the wolf."""
    curve = curve_of(dingo(hunted(two="Ann", three="Bo Cy"), hunted(two="Di")))
    assert points(curve) == {
        "Ann": [[(0, 0), (1, -4), (2, -7)]],
        "Bo": [[(0, 0), (1, 1), (2, 1)]],
        "Cy": [[(0, 0), (1, 2), (2, 2)]],
        "Di": [[(0, 0), (1, -3), (2, -7)]],
    }
    assert [line.total for line in curve.lines] == list(curve.reading.sheet.totals.values())


def test_line_of_a_rubber_ends_and_the_next_begins_at_nothing():
    curve = curve_of(deals(claim("Ann"), claim("Bo", surplus=2)))
    assert points(curve)["Ann"] == [[(0, 0), (1, 9)], [(1, 0), (2, 0)]]
    assert points(curve)["Bo"] == [[(0, 0), (1, 0), (2, 7)]]
    assert points(curve)["Di"] == [[(0, 0), (1, 3)], [(1, 0), (2, 3)]]
    assert curve.breaks == (1,)
    assert [stop.totals[1] for stop in curve.stops] == [0, 9, 0]


def test_between_two_rubbers_it_ends_as_the_last_one_did():
    curve = curve_of(deals(claim("Ann")))
    assert points(curve)["Ann"] == [[(0, 0), (1, 9)]]
    assert [(line.name, line.total) for line in curve.lines] == [("Ann", 9), ("Bo", 0), ("Cy", 0), ("Di", 3)]
    assert curve.boxed == (1,)
    assert curve.circled == (2, 3)
    assert curve.breaks == ()


def test_last_rubber_ends_with_its_totals():
    curve = curve_of(deals(claim("Ann"), claim("Ann")))
    assert points(curve)["Ann"] == [[(0, 0), (1, 9)], [(1, 0), (2, 9)]]
    assert {line.name: line.total for line in curve.lines} == {"Ann": 9, "Bo": 0, "Cy": 0, "Di": 3}
    assert curve.breaks == (1,)
    assert curve.boxed == (1,)


def test_race_to_eleven_has_one_line_each():
    """A point a pair, and one more for most pairs, unless it is the caller who has them."""
    curve = curve_of(bird(pairs(1, 0, 0), pairs(2, 0, 1, caller="Bo")))
    assert points(curve) == {
        "Ann": [[(0, 0), (1, 1), (2, 4)]], "Bo": [[(0, 0), (1, 0), (2, 0)]], "Cy": [[(0, 0), (1, 0), (2, 1)]],
    }  # fmt: skip
    assert curve.breaks == ()


def test_game_that_is_won_at_once_ends_at_its_target():
    """Twelve tricks of the picker are two points, nine are one, and seventeen win the game to five."""
    curve = curve_of(hotdog(picked("Ann", 12), picked("Bo", 9), picked("Ann", 17), picked("Bo", 9)))
    assert points(curve) == {
        "Ann": [[(0, 0), (1, 2), (2, 2), (3, 5)], [(3, 0), (4, 0)]],
        "Bo": [[(0, 0), (1, 0), (2, 1), (3, 1)], [(3, 0), (4, 1)]],
    }
    assert curve.breaks == (3,)


def test_hands_kept_elsewhere_are_where_the_curve_begins():
    carried = {"carried": {"hands": 2, "totals": {"Ann": 12, "Bo": 3, "Cy": 0, "Di": 7}, "last_dealer": "Bo"}}
    curve = dog(carried, hand("Di Ann Bo Cy", "0000", "2000"))
    assert [stop.head for stop in curve.stops] == ["2", "3"]
    assert points(curve)["Ann"] == [[(0, 12), (1, 17)]]
    alone = dog(carried)
    assert not alone.has_hands
    assert points(alone)["Ann"] == []


def test_blind_hand_that_counts_is_a_stop_of_its_own_and_another_is_none():
    blind = hand("Cy Di Ann Bo", "1200", "1220")
    one = {"plan": {"hands": 1}}
    assert [stop.head for stop in dog(FIRST, tie_breaks=[blind], **one).stops] == ["Start", "1"]
    counted = dog(FIRST, tie_breaks=[blind], house_rules={"blind_hand_counts": True}, **one)
    added = counted.reading.sheet.settlement.added
    assert added
    assert counted.stops[-1].moment == "After the blind hand"
    for line in counted.lines:
        assert line.parts[0][-1] == (2, line.total)
        assert line.total == counted.reading.sheet.table.totals[line.seat] + added.get(line.seat, 0)


def test_blind_hand_leaves_one_in_the_box():
    blind = hand("Cy Di Ann Bo", "1200", "1220")
    curve = dog(FIRST, tie_breaks=[blind], plan={"hands": 1})
    assert [line.name for line in curve.lines if line.seat in curve.boxed] == ["Di"]


def test_who_comes_later_begins_there_and_who_goes_home_keeps_the_total():
    curve = dog(FIRST, {"arrives": "Ed"}, {"leaves": "Bo"}, hand("Cy Di Ed Ann", "0000", "2000"))
    lines = {line.name: line for line in curve.lines}
    assert lines["Ed"].parts[0][0][0] == 1
    assert lines["Bo"].gone
    assert lines["Bo"].parts == (((0, 0), (1, -1)),)
    assert lines["Bo"].total == -1
    drawing = CurveDrawing(curve)
    rest = {drawn.line.name: drawn.rest for drawn in drawing.lines}
    assert rest["Bo"].endswith(f"H{drawing.right}")
    assert rest["Ann"] == ""
    at_start = next(iter(curve.rows))[1]
    assert at_start[[line.name for line in curve.lines].index("Ed")] == ""


def test_badge_stays_where_others_come_and_go():
    before, after = dog(FIRST), dog(FIRST, {"arrives": "Ed"}, {"leaves": "Bo"})
    badges = {line.name: line.badge for line in before.lines}
    later = {line.name: line.badge for line in after.lines}
    assert badges.items() <= later.items()
    assert len(set(later.values())) == 5


def test_no_hand_is_no_curve():
    assert "<svg" not in figure_of(dog())
    assert "once a hand is scored" in figure_of(dog())


@pytest.mark.parametrize("players", [2, 6, 10])
@pytest.mark.parametrize("hands", [2, 25])
def test_drawing_weighs_at_most_six_kilobytes_and_is_well_formed(players: int, hands: int):
    svg = svg_of(long_game(players, hands))
    assert len(svg.encode()) <= 6000
    assert not re.search(r"[ \n]style=|<style|<script| on\w+=", svg)
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    named = root.find("title")
    assert named is not None
    assert root.get("aria-labelledby") == named.get("id")
    assert len(root.findall(".//path[@class='line']")) == players


@pytest.mark.parametrize("players", [2, 6, 10])
def test_labels_at_the_ends_do_not_touch_and_lie_in_the_drawing(players: int):
    drawing = CurveDrawing(long_game(players, 25))
    places = sorted(line.badge_y for line in drawing.lines)
    assert all(after - before >= drawing.badge_size for before, after in pairwise(places))
    assert places[0] >= drawing.corner - 10
    assert places[-1] <= drawing.height - drawing.size - drawing.corner + 10
    order = sorted(drawing.lines, key=lambda line: line.badge_y)
    assert [line.end_y for line in order] == sorted(line.end_y for line in order)
    assert all(line.disc_x + line.disc + drawing.corner <= drawing.width for line in order)


@pytest.mark.parametrize("players", [2, 5, 6, 10])
def test_badges_of_a_low_band_do_not_touch_and_lie_in_it(players: int):
    band = CurveBand(long_game(players, 25), width=1080, high=150)
    assert band.height == 150
    lines = band.lines
    for one, other in combinations(lines, 2):
        is_beside = abs(one.badge_x - other.badge_x) >= one.badge_width
        assert is_beside or abs(one.badge_y - other.badge_y) >= band.badge_size, (one.line.name, other.line.name)
    assert all(line.badge_y >= band.corner - 1 for line in lines)
    assert all(line.badge_y + band.corner <= band.height - band.size * 0.6 for line in lines)
    assert all(line.disc_x + line.disc + band.corner <= band.width for line in lines)


def test_labels_of_equal_ends_keep_the_order_of_the_table():
    assert spread([80, 80, 80], 30, 0, 100) == [40, 70, 100]
    assert spread([10, 90], 30, 0, 100) == [10, 90]


def test_each_of_ten_lines_has_a_dash_of_its_own_which_the_names_below_show():
    curve = long_game(10, 2)
    lines = ET.fromstring(svg_of(curve)).findall(".//path[@class='line']")
    dashes = [line.get("stroke-dasharray") for line in lines]
    assert len(set(dashes)) == len(dashes) == 10
    names = ET.fromstring(re.search(r"<ul.*?</ul>", figure_of(curve), re.DOTALL)[0])
    assert [stroke.get("stroke-dasharray") for stroke in names.findall("li/svg/path")] == dashes


def test_totals_below_nothing_have_zero_in_the_scale():
    drawing = CurveDrawing(dog(FIRST))
    assert dict(drawing.scale)["0"] == drawing.zero_y
    assert drawing.top <= drawing.zero_y < drawing.bottom
    assert drawing.lowest == -1
    assert any(label.startswith("−") for label, _ in CurveDrawing(long_game(6, 25)).scale)


def test_box_and_circle_are_drawn_once_round_ends_that_are_shared():
    drawing = CurveDrawing(dog(FIRST))
    assert [(mark.kind, mark.y) for mark in drawing.marks] == [
        ("box", drawing.y(5)), ("ring", drawing.y(-1))
    ]  # fmt: skip
    assert svg_of(drawing.curve).count('href="#box-') == 1
    assert drawing.says == (
        "Score curve of 4 players. After hand 1, Ann, Cy and Di have the box and Bo has the circle."
    )


def test_all_totals_equal_draw_a_flat_line():
    curve = dog({"carried": {"hands": 1, "totals": dict.fromkeys(["Ann", "Bo"], 0), "last_dealer": "Ann"}},
                players="Ann Bo")  # fmt: skip
    drawing = CurveDrawing(curve)
    assert drawing.highest == 1
    assert drawing.hands == [(1, drawing.left)]


def test_table_has_every_total_by_name():
    figure = figure_of(dog(FIRST, SECOND))
    table = ET.fromstring(re.search(r"<table.*?</table>", figure, re.DOTALL)[0])
    heads = ["".join(head.itertext()) for head in table.findall("thead/tr/th")]
    assert heads == ["Hand", "Ann", "Bo", "Cy", "Di"]
    rows = [[cell.text for cell in row] for row in table.findall("tbody/tr")]
    assert rows == [["Start", "0", "0", "0", "0"], ["1", "5", "−1", "5", "5"], ["2", "10", "4", "3", "10"]]


def test_names_are_text():
    figure = figure_of(dog({"bids": {"<i>": 0, "Bo": 0}, "tricks": {"<i>": 1, "Bo": 0}}, players="Bo <i>"))
    assert "<i>" not in figure
    assert "<bdi>&lt;i&gt;</bdi>" in figure
    assert 'data-initial="&lt;"' in figure


def test_who_went_home_keeps_the_total_in_the_list():
    figure = figure_of(dog(FIRST, {"leaves": "Bo"}, hand("Cy Di Ann", "000", "200")))
    assert re.search(
        r"<bdi>Bo</bdi> <small>went home</small></span>\s*<b class=\"num\" data-total=\"−1\">−1</b>", figure
    )


@pytest.fixture
def p() -> Scorer:
    kept = scorer(4)
    kept.any_hand()
    return kept


@pytest.mark.django_db
def test_watcher_has_the_curve_drawn_once_for_everybody(p, client, statements):
    address = reverse("watch_curve", args=[p.sheet.watch])
    with statements(exactly=3):
        alone = client.get(address + "?only=curve")
    assert alone.content.decode().lstrip().startswith("<figure")
    with statements(exactly=1):
        page = Client().get(address)
    assert alone.content.decode() in page.content.decode()
    assert p.sheet.code not in page.content.decode()


@pytest.mark.django_db
def test_curve_of_a_watcher_follows_the_sheet(p, client):
    address = reverse("watch_curve", args=[p.sheet.watch]) + "?only=curve"
    assert "After hand 1" in client.get(address).content.decode()
    p.any_hand()
    assert "After hand 2" in client.get(address).content.decode()


@pytest.mark.django_db
def test_page_of_a_watcher_and_what_it_asks_for_have_no_curve_in_them(p, client):
    for name in ("watch", "watch_rows"):
        page = client.get(reverse(name, args=[p.sheet.watch])).content.decode()
        assert "<figure" not in page
    assert (
        f'href="{reverse("watch_curve", args=[p.sheet.watch])}" data-curve'
        in client.get(reverse("watch", args=[p.sheet.watch])).content.decode()
    )


@pytest.mark.django_db
def test_sheet_leads_to_the_curve_once_a_hand_is_scored(client, statements):
    fresh = scorer(4)
    link = reverse("curve", args=[fresh.sheet.code])
    assert link not in client.get(reverse("sheet", args=[fresh.sheet.code])).content.decode()
    fresh.any_hand()
    assert f'href="{link}" data-curve' in client.get(reverse("sheet", args=[fresh.sheet.code])).content.decode()
    with statements(exactly=3):
        page = client.get(link).content.decode()
    assert '<figure class="score-curve"' in page
    assert client.get(link + "?only=curve").content.decode().lstrip().startswith("<figure")


@pytest.mark.django_db
def test_result_shows_the_curve(p, client):
    p.any_game()
    page = client.get(reverse("result", args=[p.sheet.code])).content.decode()
    assert page.count('<figure class="score-curve"') == 1


@pytest.mark.django_db
def test_unknown_sheet_has_no_curve(client):
    for name in ("curve", "watch_curve"):
        assert client.get(reverse(name, args=["x" * 22])).status_code == 404


@pytest.mark.django_db
def test_picture_to_send_has_the_same_curve(client):
    sheet = laid_down(document(hands=[FIRST, SECOND], plan={"hands": 4}))
    picture = ET.fromstring(client.get(reverse("picture", args=[sheet.code])).content)
    inner = picture.find("{http://www.w3.org/2000/svg}svg")
    assert inner is not None
    lines = [path.get("d") for path in inner.iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "line"]
    drawing = CurveDrawing(dog(FIRST, SECOND), width=952)
    assert lines == [drawn.path for drawn in drawing.lines]


@pytest.mark.django_db
def test_picture_without_any_hand_has_no_curve(client):
    sheet = laid_down(document(plan={"hands": 4}))
    picture = ET.fromstring(client.get(reverse("picture", args=[sheet.code])).content)
    assert picture.find("{http://www.w3.org/2000/svg}svg") is None


@pytest.mark.django_db
def test_scoring_a_hand_draws_no_curve(p, monkeypatch):
    def refused(curve: ScoreCurve) -> None:
        raise AssertionError("nobody looks")

    monkeypatch.setattr(ScoreCurve, "stops", property(refused))
    monkeypatch.setattr(ScoreCurve, "lines", property(refused))
    p.any_hand()
    assert Client().get(reverse("watch_rows", args=[p.sheet.watch])).status_code == 200
