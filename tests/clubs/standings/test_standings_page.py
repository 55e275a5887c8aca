"""The pages of a standing, and of what its figures are made of."""

from __future__ import annotations

import datetime
import re
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from clubs.models import Club, Member, Season
from clubs.standings.store import keep_standings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, UserFactory, played, scored

pytestmark = pytest.mark.django_db

TODAY = datetime.date(2026, 3, 20)


@pytest.fixture(autouse=True)
def _today() -> Any:
    with time_machine.travel(datetime.datetime(2026, 3, 20, 20, tzinfo=datetime.UTC), tick=False):
        yield


@pytest.fixture
def club() -> Club:
    """Three nights: Ann has won two, Bo and Cy one each; two nights are still to come."""
    club = ClubFactory()
    ann, bo, cy, di = (MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di"))
    nights = [NightFactory(club=club, on=datetime.date(2026, 3, day)) for day in (1, 8, 15)]
    scored(nights[0], [(ann, 30), (bo, 20), (cy, 10), (di, 0)])
    scored(nights[0], [(ann, 30), (bo, 20), (cy, 10), (di, -5)])
    scored(nights[1], [(bo, 30), (cy, 20), (di, 10)])
    scored(nights[2], [(cy, 30), (di, 20), (ann, 10)])
    for day in (22, 29):
        NightFactory(club=club, on=datetime.date(2026, 3, day), begun_at=None)
    keep_standings(club)
    return club


def season_of(club: Club, **says: Any) -> Season:
    season = SeasonFactory(
        club=club, name="Spring", begins=datetime.date(2026, 3, 1), ends=datetime.date(2026, 3, 31), **says
    )
    keep_standings(club)
    return season


def page(club: Club, name: str = "standings", *args: Any, client: Client | None = None, **query: Any) -> str:
    response = (client or Client()).get(reverse(name, args=[club.slug, *args]), query)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def names(text: str) -> list[str]:
    """The names in the order of the rows."""
    return re.findall(r'<th scope="row"[^>]*>(?:<a[^>]*>)?<bdi>(.*?)</bdi>', text)


def as_me(club: Club, name: str) -> Client:
    """A phone that calls that member "me"."""
    client = Client()
    client.cookies[f"club-{club.pk}"] = f"{club.key}.{club.members.get(name=name).pk}"
    return client


def test_standing_nobody_had_to_choose_is_there_without_a_season(club: Club) -> None:
    text = page(club)
    assert names(text) == ["Ann", "Bo", "Cy", "Di"]
    assert "Games won" in text
    assert "share of the table beaten: 63" not in text
    assert "share of the table beaten: 54.17 to 77.78" in text, "why Cy is below Bo"


@pytest.mark.parametrize(
    ("me", "says"),
    [
        ("Ann", "1st, 1 win ahead of Bo"),
        ("Bo", "2nd, 1 win behind Ann"),
        ("Cy", "3rd, tied with Bo (share of the table beaten: 54.17 to 77.78)"),
        ("Di", "4th, 1 win behind Cy"),
    ],
)
def test_reader_is_told_where_they_stand(club: Club, me: str, says: str) -> None:
    text = page(club, client=as_me(club, me))
    assert f"<b>{says}</b>" in text
    assert text.count('class="mine ') == 1


def test_who_has_played_no_game_that_counts_is_told_so(club: Club) -> None:
    MemberFactory(club=club, name="Ed")
    ed = as_me(club, "Ed")
    assert "<b>No game of yours counts yet</b>" in page(club, client=ed)
    season = season_of(club)
    assert "<b>No game of yours counts in this season yet, two nights left</b>" in page(club, client=ed)
    with time_machine.travel(datetime.datetime(2026, 4, 2, tzinfo=datetime.UTC)):
        assert "<b>No game of yours counted in this season</b>" in page(club, "standing", season.pk, client=ed)
    assert "of yours" not in page(club), "nobody is meant"


def test_in_a_season_they_are_told_how_many_nights_are_left(club: Club) -> None:
    season_of(club, scheme="places")
    text = page(club, client=as_me(club, "Di"))
    assert "<bdi>Spring</bdi>" in text
    assert "<b>4th, 4 points behind Cy, two nights left</b>" in text
    # What is closed, for fun, put away or after its last day is none of them.
    a_day = {"club": club, "begun_at": None}
    NightFactory(**a_day, on=datetime.date(2026, 3, 23), closed_at=datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC))
    NightFactory(**a_day, on=datetime.date(2026, 3, 24), for_fun=True)
    NightFactory(**a_day, on=datetime.date(2026, 3, 25), archived_at=datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC))
    NightFactory(**a_day, on=datetime.date(2026, 4, 1))
    assert "two nights left</b>" in page(club, client=as_me(club, "Di"))


def test_who_shares_a_place_is_told_so(club: Club) -> None:
    season_of(club, scheme="won", order=[])
    assert "<b>2nd with Cy, 1 win behind Ann, two nights left</b>" in page(club, client=as_me(club, "Bo"))
    assert page(club).count('<span class="visually-hidden">shared </span>2') == 2


def test_who_was_there_too_seldom_is_told_what_they_lack(club: Club) -> None:
    season_of(club, least_nights=4)
    assert "<b>No place yet: one more night needed, two nights left</b>" in page(club, client=as_me(club, "Di"))


def test_who_has_no_place_yet_comes_last_however_many_points_they_have(club: Club) -> None:
    season = season_of(club, least_nights=3)
    assert names(page(club, "standing", season.pk)) == ["Cy", "Di", "Ann", "Bo"]


def test_who_was_there_too_seldom_has_no_more_nights_to_come_once_the_season_is_over(club: Club) -> None:
    season = season_of(club, least_nights=5)
    with time_machine.travel(datetime.datetime(2026, 4, 2, tzinfo=datetime.UTC)):
        text = page(club, "standing", season.pk, client=as_me(club, "Di"))
    assert "<b>No place: two nights too few</b>" in text
    assert "has no place yet" not in text


def test_both_ends_of_a_season_are_named(club: Club) -> None:
    season = season_of(club)
    assert re.search(r"<bdi>Ann</bdi></b>\s+leads;\s+<b><bdi>Di</bdi></b>\s+is last", page(club))
    with time_machine.travel(datetime.datetime(2026, 4, 2, tzinfo=datetime.UTC)):
        text = page(club, "standing", season.pk)
        assert re.search(r"<bdi>Ann</bdi></b>\s+is the champion;\s+<b><bdi>Di</bdi></b>\s+is the loser", text)
        assert "nights left" not in text
        assert names(page(club)), "after the season the standing of all time is shown"
        assert re.search(r'all-time/"\s+aria-current="page"', page(club)), "and its tab is lit"


def test_seasons_are_tabs_and_one_that_is_older_is_a_tab_while_it_is_shown(club: Club) -> None:
    first, *others = [
        SeasonFactory(club=club, name=f"Year {year}", begins=f"{year}-01-01", ends=f"{year}-12-31")
        for year in range(2010, 2015)
    ]
    shown = lambda text: re.findall(r"<bdi>(Year \d+)</bdi></a>", text)  # noqa: E731
    latest = [season.name for season in reversed(others)]
    assert shown(page(club, "standing", "all-time")) == latest
    assert shown(page(club, "standing", first.pk)) == [*latest, first.name]
    lit = re.compile(r'aria-current="page"><bdi>Year 2010<')
    assert lit.search(page(club, "standing", first.pk))
    assert not lit.search(page(club, "standing", others[0].pk))


def test_phone_that_knows_nobody_is_asked_whose_it_is(club: Club) -> None:
    assert "Which row is yours?" in page(club)
    assert "Which row is yours?" not in page(club, client=as_me(club, "Bo"))


def test_movement_is_shown(club: Club) -> None:
    text = page(club)
    assert re.findall(r'<span class="(up|down)">.*?</span>(\d)</span>', text) == []
    assert text.count("as before") == 4


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("-lost", ["Di", "Ann", "Bo", "Cy"]),
        ("name", ["Ann", "Bo", "Cy", "Di"]),
        ("-name", ["Di", "Cy", "Bo", "Ann"]),
        ("-average", ["Ann", "Bo", "Cy", "Di"]),
        ("nothing", ["Ann", "Bo", "Cy", "Di"]),
        ("-points'--", ["Ann", "Bo", "Cy", "Di"]),
    ],
)
def test_columns_sort(club: Club, sort: str, order: list[str]) -> None:
    assert names(page(club, sort=sort)) == order


def test_sorted_column_says_so_to_the_ear_and_reasons_stand_in_the_order_of_places_only(club: Club) -> None:
    text = page(club, sort="-best")
    assert text.count('aria-sort="descending"') == 1
    assert "to 77.78" not in text
    assert page(club).count('aria-sort="ascending"') == 1


def test_long_standing_is_paged_and_leads_the_reader_to_their_row(club: Club) -> None:
    night = NightFactory(club=club, on=datetime.date(2026, 3, 16))
    for start in range(6):
        scored(night, [(MemberFactory(club=club, name=f"P{start}{k}"), 50 + start * 10 + k) for k in range(10)])
    keep_standings(club)
    text = page(club, client=as_me(club, "Di"))
    assert "Page 1 of 2" in text
    assert 'href="?page=2">To my row' in text
    assert 'class="mine ' in page(club, client=as_me(club, "Di"), page=2)
    assert "Page 2 of 2" in page(club, page="99")


def test_hidden_name_is_not_shown(club: Club) -> None:
    Member.objects.filter(club=club, name="Ann").update(hidden=True)
    text = page(club, client=as_me(club, "Bo"))
    assert "Ann" not in text
    assert "1 win behind Somebody" in text


# What is behind a figure


def figure(club: Club, name: str, which: str, member: str = "Ann") -> str:
    return page(club, "behind", name, club.members.get(name=member).pk, which)


@pytest.mark.parametrize(
    ("which", "games"),
    [
        ("points", 3),
        ("nights", 3),
        ("games", 3),
        ("won", 2),
        ("lost", 1),
        ("best", 2),
        ("worst", 1),
        ("average", 3),
        ("share", 3),
    ],
)
def test_every_figure_opens_the_games_it_is_made_of(club: Club, which: str, games: int) -> None:
    text = figure(club, "all-time", which)
    assert text.count('<th scope="row">') == games
    assert f"from {games} game{'s' if games > 1 else ''}" in text


def test_nights_that_are_left_out_are_marked(club: Club) -> None:
    season = season_of(club, scheme="score", games=["dirty-dog"], drops=1)
    text = figure(club, str(season.pk), "points")
    assert text.count("left out") == 1
    (marked,) = re.findall(r'<tr class="left-out">(.*?)</tr>', text, re.S)
    assert "<s>10</s>" in marked
    assert "<b>60</b>" in text


def test_figures_of_hands_open_the_hands_with_what_is_behind_each() -> None:
    club = ClubFactory()
    four = [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di")]
    table = played(NightFactory(club=club, on=datetime.date(2026, 3, 1)), four)
    assert table.sheet
    text = figure(club, "all-time", "made")
    assert text.count('<th scope="row">') == 4
    assert reverse("watch_why", args=[table.sheet.watch, 2, 1]) in text
    for which in ("boxes", "circles", "bids", "hands"):
        row = club.standings.get(member=four[1])
        assert figure(club, "all-time", which, "Bo").count('<th scope="row">') == getattr(row, which)


def test_figures_that_were_typed_in_have_no_hands(club: Club) -> None:
    ann = club.members.get(name="Ann")
    scored(NightFactory(club=club, on=datetime.date(2026, 3, 17)), [(ann, 1)], boxes=3)
    keep_standings(club)
    assert "3 of it came with results of the past" in figure(club, "all-time", "boxes")


@pytest.mark.parametrize("which", ["all-time/1/points", "7/1/points", "x/1/points", "all-time/0/points"])
def test_nothing_is_behind_what_is_not_there(club: Club, which: str) -> None:
    address = reverse("standings", args=[club.slug]) + f"{which.replace('/1/', '/999999/')}/"
    assert Client().get(address).status_code == 404


def test_standing_of_another_club_is_not_found(club: Club) -> None:
    season, stranger, ann = SeasonFactory(), MemberFactory(name="Strange"), club.members.get(name="Ann")
    assert Client().get(reverse("standing", args=[club.slug, season.pk])).status_code == 404
    assert Client().get(reverse("behind", args=[club.slug, "all-time", stranger.pk, "won"])).status_code == 404
    assert Client().get(reverse("behind", args=[club.slug, "all-time", ann.pk, "x"])).status_code == 404


# What it costs


@pytest.mark.parametrize("season", [False, True], ids=["all time", "a season"])
def test_standing_costs_three_queries_of_its_own_however_much_was_played(
    club: Club, season: bool, django_assert_num_queries: Any
) -> None:
    if season:
        season_of(club)
    with django_assert_num_queries(3):
        page(club)


def test_standing_costs_who_signed_in_no_more_than_six(club: Club, django_assert_max_num_queries: Any) -> None:
    season_of(club)
    user = UserFactory()
    Member.objects.filter(club=club, name="Ann").update(user=user, role="organiser")
    client = Client()
    client.force_login(user)
    with django_assert_max_num_queries(6):
        text = page(club, client=client)
    assert 'class="mine ' in text


def test_what_is_behind_a_figure_costs_the_same_however_much_it_is(
    club: Club, django_assert_max_num_queries: Any
) -> None:
    season = season_of(club, drops=1)
    with django_assert_max_num_queries(8):
        figure(club, str(season.pk), "points")
    with django_assert_max_num_queries(8):
        figure(club, str(season.pk), "made")


def test_row_that_was_locked_under_another_record_of_the_same_person_still_opens(club: Club) -> None:
    season = season_of(club, scheme="score", games=["dirty-dog"], drops=1)
    season.locked_at = datetime.datetime(2026, 3, 20, tzinfo=datetime.UTC)
    season.save()
    Member.objects.filter(club=club, name="Di").update(same_as=MemberFactory(club=club, name="Diana"))
    keep_standings(club, club.members.filter(name__startswith="Di"))
    assert names(page(club, "standing", season.pk)) == ["Ann", "Cy", "Bo", "Di"]
    for which in ("points", "won", "made"):
        assert "Di" in figure(club, str(season.pk), which, "Di")


@pytest.mark.parametrize(
    ("people", "is_over", "said"),
    [
        (1, False, "Ann leads; Zed is last."),
        (2, False, "Ann, Bo lead; Zed, Yve are last."),
        (1, True, "Ann is the champion; Zed is the loser."),
        (2, True, "Ann, Bo are the champions; Zed, Yve are the losers."),
    ],
)
def test_both_ends_are_said_of_one_and_of_several(people: int, is_over: bool, said: str) -> None:
    first, last = (
        [SimpleNamespace(shown=name) for name in names[:people]] for names in (("Ann", "Bo"), ("Zed", "Yve"))
    )
    text = render_to_string("clubs/standings/both_ends.html", {"first": first, "last": last, "is_over": is_over})
    assert " ".join(strip_tags(text).split()) == said
