"""Seasons: made, changed, locked, corrected, put away."""

from __future__ import annotations

import datetime
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.models import Award, Club, Member, Season
from clubs.standings.store import keep_standings
from clubs.trophies.season import season_ends
from tests.club_factories import (
    ClubFactory,
    MemberFactory,
    NightFactory,
    SeasonFactory,
    TrophyFactory,
    UserFactory,
    scored,
)

pytestmark = pytest.mark.django_db

FILLED = {
    "name": "Spring 2026", "begins": "2026-03-01", "ends": "2026-03-31", "games": ["dingo"], "scheme": "places",
    "points": "10, 6 3", "tie_1": "won", "tie_2": "average", "tie_3": "", "drops": "1", "least_nights": "2",
}  # fmt: skip


@pytest.fixture
def club() -> Club:
    """Ann is ahead of Bo by one night in March."""
    club = ClubFactory()
    ann, bo = (MemberFactory(club=club, name=name) for name in ("Ann", "Bo"))
    scored(NightFactory(club=club, on=datetime.date(2026, 3, 1)), [(ann, 9), (bo, 5)], game="dingo")
    keep_standings(club)
    return club


@pytest.fixture
def organiser(club: Club) -> Client:
    user = UserFactory()
    MemberFactory(club=club, name="Olga", user=user, role="organiser")
    client = Client()
    client.force_login(user)
    return client


def post(client: Client, view: str, club: Club, *args: Any, **body: Any) -> Any:
    return client.post(reverse(view, args=[club.slug, *args]), body)


def places(season: Season) -> list[tuple[str, int | None]]:
    return list(season.standings.order_by("place", "member__name").values_list("member__name", "place"))


def logged(club: Club) -> list[str]:
    return list(club.audit_entries.order_by("pk").values_list("says", flat=True))


def later(club: Club, day: int, *ranking: tuple[str, int]) -> None:
    """A game is played, or a sheet corrected, on that day of March."""
    night = NightFactory(club=club, on=datetime.date(2026, 3, day))
    scored(night, [(club.members.get(name=name), score) for name, score in ranking], game="dingo")
    keep_standings(club)


# Making and changing


def test_organiser_makes_a_season_and_what_was_played_counts_at_once(club: Club, organiser: Client) -> None:
    response = post(organiser, "new_season", club, **(FILLED | {"least_nights": "1"}))
    season = club.seasons.get()
    assert (response.status_code, response["Location"]) == (303, season.get_absolute_url())
    assert (season.name, season.begins, season.ends) == (
        "Spring 2026", datetime.date(2026, 3, 1), datetime.date(2026, 3, 31),
    )  # fmt: skip
    assert (season.scheme, season.order, season.numbers) == ("places", ["won", "average"], {"points": [10, 6, 3]})
    assert (season.games, season.drops, season.least_nights) == (["dingo"], 1, 1)
    assert places(season) == [("Ann", 1), ("Bo", 2)]
    assert logged(club) == ["Made the season Spring 2026."]


def test_season_of_all_games_has_none_ticked(club: Club, organiser: Client) -> None:
    assert post(organiser, "new_season", club, **(FILLED | {"games": [], "tie_2": ""})).status_code == 303
    assert club.seasons.get().games == []


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("name", "", "What is the season called?"),
        ("name", "\u200b", "What is the season called?"),
        ("name", "x" * 61, "At most 60 characters fit here."),
        ("begins", "", "On which day does it begin?"),
        ("begins", "2026-02-30", "That is no date."),
        ("begins", "0001-01-01", "That year is too far away."),
        ("ends", "2026-02-01", "It cannot end before it begins."),
        ("games", ["chess"], "That game is not played here."),
        ("scheme", "", "Choose what is counted."),
        ("scheme", "luck", "Choose what is counted."),
        ("points", "10, six", "Write whole numbers with commas between them"),
        ("points", "-3", "Write whole numbers with commas between them"),
        ("points", "3, 6", "A better place cannot be worth less than a worse one."),
        ("points", "1001", "At most 25 places, and 1000 points for one."),
        ("points", " ".join(["1"] * 26), "At most 25 places, and 1000 points for one."),
        ("tie_1", "luck", "Choose one from the list."),
        ("drops", "-1", "A whole number from 0 to 50."),
        ("drops", "9" * 5000, "A whole number from 0 to 50."),
        ("least_nights", "many", "A whole number from 0 to 400."),
    ],
)
def test_season_that_cannot_be_is_refused_beside_its_field(
    club: Club, organiser: Client, field: str, value: Any, says: str
) -> None:
    response = post(organiser, "new_season", club, **(FILLED | {field: value}))
    assert response.status_code == 422
    text = response.content.decode()
    assert re.search(f'<p class="problem"[^>]*>{re.escape(says)}', text)
    described = re.findall(r'aria-describedby="([^"]+)"', text)
    assert described, "who hears the page hears the sentence at the field"
    assert all(f'id="{name}"' in text for name in described), described
    assert field == "name" or 'value="Spring 2026"' in text, "what was typed is kept"
    assert not club.seasons.exists()
    assert logged(club) == []


def test_two_seasons_of_one_name_are_refused_but_a_season_keeps_its_own(club: Club, organiser: Client) -> None:
    post(organiser, "new_season", club, **FILLED)
    assert post(organiser, "new_season", club, **(FILLED | {"name": "spring  2026", "drops": "3"})).status_code == 422
    season = club.seasons.get()
    assert post(organiser, "edit_season", club, season.pk, **FILLED).status_code == 303


def test_season_that_was_sent_twice_is_made_once(club: Club, organiser: Client) -> None:
    first, second = (post(organiser, "new_season", club, **FILLED) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert (second.status_code, club.seasons.count(), len(logged(club))) == (303, 1, 1)


def test_changed_season_is_counted_again(club: Club, organiser: Client) -> None:
    season = SeasonFactory(club=club)
    keep_standings(club)
    text = organiser.get(reverse("edit_season", args=[club.slug, season.pk])).content.decode()
    assert 'value="2026-12-31"' in text
    assert post(organiser, "edit_season", club, season.pk, **FILLED).status_code == 303
    assert places(season) == [("Ann", None), ("Bo", None)], "two nights are needed now"


def test_season_of_another_club_is_not_found(club: Club, organiser: Client) -> None:
    other = SeasonFactory()
    for view in ("edit_season", "lock_season", "archive_season"):
        assert post(organiser, view, club, other.pk, **FILLED).status_code == 404


@pytest.mark.parametrize("view", ["new_season", "edit_season", "lock_season", "archive_season", "what_if"])
def test_only_organisers_touch_seasons(club: Club, view: str) -> None:
    user = UserFactory()
    Member.objects.filter(name="Ann").update(user=user, role="scorekeeper")
    client = Client()
    client.force_login(user)
    args = [] if view in ("new_season", "what_if") else [SeasonFactory(club=club).pk]
    address = reverse(view, args=[club.slug, *args])
    answer = client.get(address) if view == "what_if" else client.post(address, FILLED | {"do": "lock"})
    assert answer.status_code == 403
    assert not club.seasons.filter(locked_at__isnull=False).exists()


# Locking


def locked(club: Club, organiser: Client) -> Season:
    season = SeasonFactory(club=club, name="Spring")
    keep_standings(club)
    assert post(organiser, "lock_season", club, season.pk, do="lock").status_code == 303
    season.refresh_from_db()
    return season


def test_locked_season_does_not_move_and_says_what_would(club: Club, organiser: Client) -> None:
    season = locked(club, organiser)
    assert logged(club) == ["Locked the season Spring: Ann on top, Bo last."]
    later(club, 8, ("Bo", 9), ("Ann", 5))
    later(club, 15, ("Bo", 9), ("Ann", 5))
    season.refresh_from_db()
    assert places(season) == [("Ann", 1), ("Bo", 2)]
    assert season.differs
    desk = organiser.get(reverse("organise", args=[club.slug])).content.decode()
    assert "1 locked season was corrected since" in desk
    page = reverse("standing", args=[club.slug, season.pk])
    assert "was corrected after this season was locked" in organiser.get(page).content.decode()
    assert "was corrected" not in Client().get(page).content.decode(), "that is for organisers to decide"
    text = organiser.get(reverse("lock_season", args=[club.slug, season.pk])).content.decode()
    assert "place 1 → 2" in text
    assert "wins 0 → 2" in text


def test_organiser_takes_over_what_they_were_shown(club: Club, organiser: Client) -> None:
    season = locked(club, organiser)
    later(club, 8, ("Bo", 9), ("Ann", 5))
    later(club, 15, ("Bo", 9), ("Ann", 5))
    address = reverse("lock_season", args=[club.slug, season.pk])
    mark = organiser.get(address).context["mark"]
    later(club, 22, ("Bo", 9), ("Ann", 5))
    stale = post(organiser, "lock_season", club, season.pk, do="take-over", saw=mark)
    assert stale.status_code == 409
    assert "Something else has changed since" in stale.content.decode()
    assert places(season) == [("Ann", 1), ("Bo", 2)]
    fresh = stale.context["mark"]
    for _ in range(2):
        assert post(organiser, "lock_season", club, season.pk, do="take-over", saw=fresh).status_code == 303
    season.refresh_from_db()
    assert places(season) == [("Bo", 1), ("Ann", 2)]
    assert season.locked_at is not None
    assert not season.differs
    assert logged(club)[1:] == [
        (
            "Took corrections over into the locked season Spring: "
            "Ann 1st with 1 win, now 2nd with 1 win; Bo 2nd with 0 wins, now 1st with 3 wins."
        )
    ]


def test_correction_that_is_taken_back_leaves_no_difference(club: Club, organiser: Client) -> None:
    season = locked(club, organiser)
    later(club, 8, ("Bo", 9), ("Ann", 5))
    night = club.nights.get(on=datetime.date(2026, 3, 8))
    night.for_fun = True
    night.save()
    keep_standings(club)
    season.refresh_from_db()
    assert not season.differs


def test_locked_season_cannot_be_changed_until_it_is_opened(club: Club, organiser: Client) -> None:
    season = locked(club, organiser)
    answer = post(organiser, "edit_season", club, season.pk, **FILLED)
    assert answer.status_code == 409
    assert "This season is locked." in answer.content.decode()
    later(club, 8, ("Bo", 9), ("Ann", 5))
    later(club, 15, ("Bo", 9), ("Ann", 5))
    for _ in range(2):
        post(organiser, "lock_season", club, season.pk, do="open")
    assert places(season) == [("Bo", 1), ("Ann", 2)]
    assert logged(club)[1:] == ["Opened the season Spring again."]
    assert post(organiser, "edit_season", club, season.pk, **FILLED).status_code == 303


def test_lock_pressed_twice_locks_once(club: Club, organiser: Client) -> None:
    season = locked(club, organiser)
    at = season.locked_at
    assert post(organiser, "lock_season", club, season.pk, do="lock").status_code == 303
    season.refresh_from_db()
    assert season.locked_at == at
    assert len(logged(club)) == 1


def test_who_ends_a_locked_season_on_top_or_last_is_given_a_trophy_for_it(club: Club, organiser: Client) -> None:
    bowl, boot = (
        TrophyFactory(club=club, name=name, goes=goes) for name, goes in (("Bowl", "other"), ("Boot", "loser"))
    )
    season = SeasonFactory(club=club, name="Spring", begins=datetime.date(2026, 3, 1), ends=datetime.date(2026, 3, 31))
    keep_standings(club)
    lock_page = reverse("lock_season", args=[club.slug, season.pk])
    assert "The trophies of the season" not in organiser.get(lock_page).content.decode(), "it can still move"
    post(organiser, "lock_season", club, season.pk, do="lock")

    def ways() -> list[str]:
        return [
            unescape(way)
            for way in re.findall(r'href="([^"]*season=[^"]*)"', organiser.get(lock_page).content.decode())
        ]

    to_ann, to_bo, other = ways()
    assert [str(trophy.pk) in way for trophy, way in ((bowl, to_ann), (bowl, to_bo), (boot, other))] == [True] * 3
    form = organiser.get(to_ann).context["form"]
    assert (form.holder_name, form.when, form.why) == ("Ann", "31 March 2026", "champion of Spring")
    assert organiser.get(other).context["form"].holder_name == "Bo"
    assert not Award.objects.exists(), "nothing is given by looking"
    body = {"who": form.holder_name, "when": form.when, "why": form.why, "handed": "1"}
    assert [organiser.post(to_ann, body).status_code for _ in range(2)] == [303, 303]
    won = Award.objects.get()
    assert (won.trophy, won.shown, won.why, won.day) == (bowl, "Ann", "champion of Spring", "31 March 2026")
    assert to_ann not in ways()
    assert "won Bowl" in " ".join(strip_tags(organiser.get(lock_page).content.decode()).split())
    post(organiser, "change_award", club, won.pk, "undo")
    assert to_ann in ways()


def test_of_two_champions_each_is_offered_what_they_were_not_given_yet() -> None:
    club = ClubFactory()
    ann, bo, cy = (MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy"))
    scored(NightFactory(club=club, on=datetime.date(2026, 3, 1)), [(ann, 9), (bo, 9), (cy, 1)])
    season = SeasonFactory(club=club, name="Spring", begins=datetime.date(2026, 3, 1), ends=datetime.date(2026, 3, 31))
    keep_standings(club)
    cup, bowl = TrophyFactory(club=club), TrophyFactory(club=club, goes="other")
    TrophyFactory(club=club, goes="other", archived_at=timezone.now())
    assert season_ends(season) == [], "it can still move"
    season.locked_at = timezone.now()
    Award.objects.create(
        trophy=bowl, member=ann, on=season.ends, source="typed", why="champion of Spring", confirmed_at=timezone.now()
    )
    assert [(one.end, one.member, one.trophies) for one in season_ends(season)] == [
        ("champion", ann, (cup,)), ("champion", bo, (bowl, cup)), ("loser", cy, (bowl,)),
    ]  # fmt: skip


def test_a_made_up_end_of_a_season_fills_nothing_in(club: Club, organiser: Client) -> None:
    season = locked(club, organiser)
    give = reverse("give_trophy", args=[club.slug, TrophyFactory(club=club).pk])
    bo = club.members.get(name="Bo").pk
    for asked in (f"season={season.pk}&end=champion&member={bo}", "season=0&end=loser", "season=x", "season=²"):
        assert organiser.get(f"{give}?{asked}").context["form"].holder_name == "", asked


def test_button_that_is_not_there_does_nothing(club: Club, organiser: Client) -> None:
    season = SeasonFactory(club=club)
    assert post(organiser, "lock_season", club, season.pk, do="burn").status_code == 422


def test_who_came_in_after_the_lock_would_come_in(club: Club, organiser: Client) -> None:
    season = locked(club, organiser)
    MemberFactory(club=club, name="Cy")
    later(club, 8, ("Cy", 9), ("Ann", 5))
    text = organiser.get(reverse("lock_season", args=[club.slug, season.pk])).content.decode()
    assert "would be added, in place 1 with 1 win" in " ".join(text.split())
    assert "with 1 wins" not in text


# Putting away


def test_season_is_put_away_and_brought_back(club: Club, organiser: Client) -> None:
    season = SeasonFactory(club=club, name="Spring")
    keep_standings(club)
    for _ in range(2):
        post(organiser, "archive_season", club, season.pk, do="away")
    text = Client().get(reverse("seasons", args=[club.slug])).content.decode()
    assert "Archived (1)" in text
    assert Client().get(season.get_absolute_url()).status_code == 200, "it is still there"
    for _ in range(2):
        post(organiser, "archive_season", club, season.pk, do="back")
    assert "Archived (" not in Client().get(reverse("seasons", args=[club.slug])).content.decode()
    assert logged(club) == ["Archived the season Spring.", "Brought the season Spring back."]


# The list


def test_list_names_both_ends_of_every_season(club: Club, django_assert_num_queries: Any) -> None:
    SeasonFactory(club=club, name="Spring", begins=datetime.date(2025, 1, 1), ends=datetime.date(2026, 4, 1))
    SeasonFactory(club=club, name="Empty", begins=datetime.date(2025, 1, 1), ends=datetime.date(2025, 1, 2))
    keep_standings(club)
    with django_assert_num_queries(3):
        text = Client().get(reverse("seasons", args=[club.slug])).content.decode()
    said = " ".join(text.split())
    assert "<b><bdi>Ann</bdi></b> is the champion; <b><bdi>Bo</bdi></b> is the loser." in said
    assert said.count("is the champion") == 1
    assert ">Lock</a>" not in text, "that is for organisers"


def test_level_people_are_neither_champion_nor_last(club: Club) -> None:
    other = ClubFactory()
    ann, bo = MemberFactory(club=other, name="Ann"), MemberFactory(club=other, name="Bo")
    SeasonFactory(club=other)
    scored(NightFactory(club=other, on=datetime.date(2026, 3, 1)), [(ann, 5), (bo, 5)])
    keep_standings(other)
    text = Client().get(reverse("seasons", args=[other.slug])).content.decode()
    assert "is last" not in text
    assert "lead" not in text
