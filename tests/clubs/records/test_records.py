"""Records, old games, and the hands behind a figure."""

from __future__ import annotations

import datetime

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.models import Club, Member, Night, PersonalBest, Season, Table
from clubs.projections.update import remake
from clubs.records.bests import kinds_of
from clubs.records.charts import Bar, Bars, Curve, Dot
from clubs.records.games import url_of
from clubs.records.records import club_records, over_the_years
from rules import all_games
from rules.core.numbers import percent
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TableFactory, played, scored
from tests.clubs.records.test_profile import past
from tests.factories import Scorer

pytestmark = pytest.mark.django_db


def get(client: Client, club: Club, view: str, query: str = "") -> HttpResponse:
    return client.get(reverse(view, args=[club.slug]) + query)  # type: ignore[return-value]


# -- records -----------------------------------------------------------------------------------------------


def test_records_name_holder_value_and_the_hand_they_were_made_in(
    client: Client, club: Club, four: list[Member]
) -> None:
    table = played(NightFactory(club=club, on=datetime.date(2026, 3, 7)), four)
    found = {record.name: record.lines for record in club_records(club, table.game)}
    best = found["Highest score"][0]
    assert (best.value, best.member, best.hand) == ("26 points", four[0], 0)
    worst = found["Lowest score"][0]
    assert (worst.value, worst.member) == ("−4 points", four[1])
    hand = found["Best hand"][0]
    assert (hand.value, hand.hand) == ("7 points", 2)
    assert table.sheet is not None
    assert hand.url == f"{reverse('watch', args=[table.sheet.watch])}?open=2#hand-2"
    assert client.get(hand.url).status_code == 200
    # Everybody but Bo made every bid: Ann's stands first, and the three share it.
    clean = found["Longest clean run"]
    assert [(line.member, line.value, line.is_first) for line in clean] == [
        (four[0], "4 hands", True), (four[2], "4 hands", True), (four[3], "4 hands", True),
    ]  # fmt: skip
    assert "26 points" in get(client, club, "records").content.decode()


@pytest.mark.parametrize("says", [{"for_fun": True}, {"archived_at": timezone.now()}])
def test_what_counts_for_nothing_is_no_record(club: Club, four: list[Member], says: dict[str, object]) -> None:
    table = played(NightFactory(club=club), four)
    assert club_records(club, table.game)
    Night.objects.update(**says)
    assert club_records(club, table.game) == []


def test_one_point_is_one_point(client: Client, club: Club, four: list[Member]) -> None:
    scored(NightFactory(club=club), [(four[0], 26), (four[1], 1)])
    scored(NightFactory(club=club), [(four[2], 30), (four[3], -1)])
    remake(club)
    found = {record.name: [line.value for line in record.lines] for record in club_records(club, "dirty-dog")}
    assert found["Lowest score"] == ["−1 point", "1 point", "26 points"]
    assert "1 points" not in get(client, club, "records").content.decode()
    assert "1<small>points" not in client.get(four[1].get_absolute_url()).content.decode()


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_has_records_of_its_own(client: Client, club: Club, game) -> None:  # type: ignore[no-untyped-def]
    members = MemberFactory.create_batch(game.made_for[0], club=club)
    for seed in range(3):
        played(NightFactory(club=club), members, game=game.slug, seed=seed)
    names = {record.name for record in club_records(club, game.slug)}
    # A hand of a game whose scores cannot be compared is no record.
    assert ({"Best hand", "Worst hand"} <= names) is game.has_comparable_scores
    assert names or not game.has_comparable_scores
    own = {figure.record for figure in game.figures if figure.record}
    assert own <= {kind.name for kind in kinds_of(game.slug)}
    assert names <= {kind.name for kind in kinds_of(game.slug)}
    assert len({kind.key for kind in kinds_of(game.slug)}) == len(kinds_of(game.slug))
    assert get(client, club, "records", f"?game={game.slug}").status_code == 200


def test_of_equals_the_first_comes_first(club: Club, four: list[Member]) -> None:
    first = played(NightFactory(club=club), four)
    played(NightFactory(club=club), [four[1], four[0], *four[2:]])
    found = {record.name: record.lines for record in club_records(club, first.game)}
    assert [line.member for line in found["Highest score"]][:2] == [four[0], four[1]]
    # Whatever is made again keeps its place.
    assert remake(club) == 2
    found = {record.name: record.lines for record in club_records(club, first.game)}
    assert [line.member for line in found["Highest score"]][:2] == [four[0], four[1]]


def test_where_more_are_level_than_there_is_room_for_the_page_says_so(
    client: Client, club: Club, four: list[Member]
) -> None:
    scored(NightFactory(club=club), [(four[0], 30), (four[1], 20), (four[2], 20), (four[3], 5)])
    remake(club)
    assert not any(record.has_more for record in club_records(club, "dirty-dog"))
    scored(NightFactory(club=club), [(four[3], 20), (four[1], 4), (four[0], 3)])
    remake(club)
    found = {record.name: record for record in club_records(club, "dirty-dog")}
    assert [line.value for line in found["Highest score"].lines] == ["30 points", "20 points", "20 points"]
    text = get(client, club, "records").content.decode()
    assert text.count("There were more with ") == 1
    assert "There were more with 20 points: these are the first." in text


def test_what_adds_up_over_the_years_opens_what_it_is_made_of(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club), four)
    found = {most.name: most for most in over_the_years(club)}
    assert (found["Most games won"].value, [who for who, _ in found["Most games won"].people]) == ("1", [four[0]])
    assert len(found["Most games"].people) == 4
    for most in found.values():
        for _, url in most.people:
            assert client.get(url).status_code == 200


def test_a_corrected_sheet_makes_no_record_any_more(club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)
    assert PersonalBest.objects.filter(table=table).exists()
    assert table.sheet is not None
    Scorer(table.sheet, table.sheet.scorekeepers.get()).undo()
    assert not PersonalBest.objects.exists()


def test_nights_for_fun_set_no_record(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club, for_fun=True), four)
    assert "will set every record" in get(client, club, "records").content.decode()


def test_a_record_of_a_merged_name_stands_under_the_one_that_counts(club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)
    anna = MemberFactory(club=club, name="Anna")
    four[0].same_as = anna
    four[0].save()
    assert club_records(club, table.game)[0].lines[0].member == anna


def test_scores_of_the_past_are_records_too(client: Client, club: Club, four: list[Member]) -> None:
    table = past(club, {four[0]: 1, four[1]: 2, four[2]: 3, four[3]: 4})
    remake(club)
    line = club_records(club, table.game)[0].lines[0]
    assert (line.value, line.member, line.url) == ("30 points", four[0], url_of(club, table))


# -- old games ---------------------------------------------------------------------------------------------


def test_any_old_sheet_is_one_tap_from_the_list(client: Client, club: Club, four: list[Member]) -> None:
    tables = [played(NightFactory(club=club), four) for _ in range(2)]
    text = get(client, club, "games").content.decode()
    for table in tables:
        assert table.sheet is not None
        there = reverse("watch", args=[table.sheet.watch])
        assert f'href="{there}"' in text
        assert client.get(there).status_code == 200
    assert text.index(f"/{tables[1].sheet.watch}/") < text.index(f"/{tables[0].sheet.watch}/")  # type: ignore[union-attr]
    assert reverse("games", args=[club.slug]) in get(client, club, "records").content.decode()


def test_old_game_says_who_won_and_lost_it_and_who_shared_the_first_place(
    client: Client, club: Club, four: list[Member]
) -> None:
    ann, bo, cy, di = four
    past(club, {ann: 1, bo: 2, cy: 3, di: 4})
    past(club, {ann: 3, bo: 1, cy: 1, di: 4}).placings.update(winner=False)
    TableFactory(night=NightFactory(club=club), ended_at=timezone.now())
    text = " ".join(strip_tags(get(client, club, "games").content.decode()).split())
    assert "Ann won Di lost" in text
    assert "Bo, Cy first together Di lost" in text
    assert text.count(" won ") == 1, "where nobody is known to have won, nothing is said"


def test_a_game_that_is_still_played_is_no_old_game(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club), four, hands=2)
    assert "No such game" in get(client, club, "games").content.decode()


def test_games_for_fun_are_listed_and_say_so(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club, for_fun=True), four)
    assert "for fun" in get(client, club, "games").content.decode()
    assert get(client, club, "games", f"?member={four[0].pk}&went=won").context["page"].paginator.count == 0


def test_games_are_narrowed_by_game_season_member_and_place(client: Client, club: Club, four: list[Member]) -> None:
    april = played(NightFactory(club=club, on=datetime.date(2026, 4, 1)), four)
    other = next(game for game in all_games() if game.slug != april.game and game.made_for == range(4, 5))
    may = played(NightFactory(club=club, on=datetime.date(2026, 5, 1)), four, game=other.slug)
    spring = Season.objects.create(
        club=club, name="April", begins=datetime.date(2026, 4, 1), ends=datetime.date(2026, 4, 30), scheme="games-won"
    )

    def found(query: str) -> list[Table]:
        return [line.table for line in get(client, club, "games", query).context["lines"]]

    assert found("") == [may, april]
    assert found(f"?game={other.slug}") == [may]
    assert found(f"?season={spring.pk}") == [april]
    assert found(f"?member={four[0].pk}") == [may, april]
    of_somebody, of_all = (get(client, club, "games", query).text for query in (f"?member={four[0].pk}", ""))
    assert (of_somebody.count('class="by place"'), of_all.count('class="by place"')) == (2, 0)
    assert found(f"?member={four[0].pk}&place=1&game={april.game}") == [april]
    assert found(f"?member={four[1].pk}&went=lost") == [april]
    assert found(f"?member={four[1].pk}&went=clean") == []
    assert found(f"?member={four[0].pk}&went=clean") == [april]
    assert found(f"?member={four[0].pk}&other={MemberFactory(club=club).pk}") == []


def test_a_list_of_many_games_has_pages(client: Client, club: Club, four: list[Member]) -> None:
    night = NightFactory(club=club)
    now = timezone.now()
    Table.objects.bulk_create(Table(night=night, number=n, game="dirty-dog", ended_at=now) for n in range(1, 62))
    page = get(client, club, "games", "?page=2")
    assert len(page.context["lines"]) == 30
    assert "2 of 3" in page.content.decode()
    assert get(client, club, "games", "?page=99").context["page"].number == 3


# -- hands -------------------------------------------------------------------------------------------------


def test_hands_are_those_that_were_asked_for(client: Client, club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)

    def found(member: Member, query: str = "") -> list[int]:
        response = get(client, club, "hands", f"?game={table.game}&member={member.pk}{query}")
        return [line.fact.hand for line in response.context["lines"]]

    ann, bo = four[0], four[1]
    assert found(ann) == [4, 3, 2, 1]
    assert found(ann, "&cards=2") == [3, 2]
    assert found(ann, "&bid=2&came=made") == [3, 2]
    assert found(bo, "&came=high") == [4, 3, 2, 1]
    assert found(bo, "&came=low") == []
    text = get(client, club, "hands", f"?game={table.game}&member={ann.pk}&cards=1").content.decode()
    assert table.sheet is not None
    assert f"{reverse('watch', args=[table.sheet.watch])}?open=4#hand-4" in text


def test_hands_with_a_mark_of_the_game_are_found(client: Client, club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four, hands=0)
    assert table.sheet is not None
    scorer = Scorer(table.sheet, table.sheet.scorekeepers.get())
    scorer.hand({2: 0, 3: 0, 4: 0, 1: 0}, {1: 0, 2: 1, 3: 0, 4: 0})
    scorer.clear_game()
    query = f"?game={table.game}&member={four[1].pk}&mark=dog-pile"
    response = get(client, club, "hands", query)
    assert [line.fact.hand for line in response.context["lines"]] == [1]
    assert "Dog piles" in response.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "game=chess", "game=dirty-dog&cards=x", "game=dirty-dog&cards=-1", "game=dirty-dog&cards=999",
        "game=dirty-dog&came=late", "game=dirty-dog&mark=nil-made", "game=", "game=dirty-dog&bid=1.5",
        "game=dirty-dog&bid=²",
    ],
)  # fmt: skip
def test_hands_that_cannot_be_are_not_there(client: Client, four: list[Member], query: str) -> None:
    assert get(client, four[0].club, "hands", f"?member={four[0].pk}&{query}").status_code == 404


@pytest.mark.parametrize(
    "query",
    ["game=chess", "season=99999", "season=x", "member=0", "member=x", "place=-1", "went=home", "other=99999999999"],
)
def test_games_that_cannot_be_are_not_there(client: Client, club: Club, query: str) -> None:
    assert get(client, club, "games", f"?{query}").status_code == 404


def test_a_member_of_another_club_has_no_hands_here(client: Client, club: Club) -> None:
    other = MemberFactory()
    assert get(client, club, "hands", f"?game=dirty-dog&member={other.pk}").status_code == 404


def test_hands_of_nobody_lead_to_the_records(client: Client, club: Club) -> None:
    there = reverse("records", args=[club.slug])
    assert get(client, club, "hands", "?game=dirty-dog").headers["Location"] == there


@pytest.mark.parametrize("view", ["records", "games", "hands"])
def test_a_members_club_shows_none_of_it(client: Client, view: str) -> None:
    assert get(client, ClubFactory(visibility="members"), view).status_code == 403


# -- cost --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("view", "queries"), [("records", 4), ("games", 7), ("hands", 7)])
def test_pages_cost_the_same_however_much_was_played(
    client: Client, club: Club, four: list[Member], django_assert_num_queries, view: str, queries: int
) -> None:  # type: ignore[no-untyped-def]
    query = f"?game=dirty-dog&member={four[0].pk}" if view == "hands" else ""
    for _ in range(2):
        played(NightFactory(club=club), four)
        with django_assert_num_queries(queries):
            assert get(client, club, view, query).status_code == 200


# -- charts ------------------------------------------------------------------------------------------------


def test_bars_lie_within_the_picture_and_do_not_overlap() -> None:
    for count in range(1, 14):
        chart = Bars("b", "Bars", "", ("a", "b"), tuple(Bar(str(n), str(n), n / count) for n in range(count)), "cards")
        for one, after in zip(chart.drawn, [*chart.drawn[1:], None], strict=True):
            assert 0 <= one.x
            assert one.x + one.width <= (after.x if after else chart.width)
            assert 0 < one.value_y < one.y <= chart.ground
            assert abs(one.y + one.height - chart.ground) < 0.2


def test_a_curve_runs_from_left_to_right_with_the_first_on_top() -> None:
    chart = Curve("c", "Curve", "", ("a", "b"), tuple(Dot(n / 9, str(n), "") for n in range(10)), 5)
    xs, ys = [x for _, x, _ in chart.marks], [y for _, _, y in chart.marks]
    assert xs == sorted(xs)
    assert ys == sorted(ys, reverse=True)
    assert (ys[0], ys[-1]) == (chart.ground, chart.highest)
    assert len(chart.line.split()) == 6
    assert chart.line.split()[-1] == f"{xs[-1]},{chart.y(7 / 9)}"


@pytest.mark.parametrize(("part", "whole", "shown"), [(1, 3, 33), (2, 3, 67), (199, 200, 99), (1, 300, 1), (0, 3, 0)])
def test_only_all_is_a_hundred_percent_and_only_nothing_is_none(part: int, whole: int, shown: int) -> None:
    assert percent(part, whole) == shown


def test_bids_made_are_a_share_and_sorted_by_it(client: Client, club: Club, four: list[Member]) -> None:
    ann, bo, cy, _ = four
    counts = {ann: (100, 60), bo: (10, 9), cy: (0, 0)}
    for member, (bids, made) in counts.items():
        scored(NightFactory(club=club), [(member, 5)], bids=bids, made=made)
    remake(club)
    there = reverse("standing", args=[club.slug, "all-time"])
    rows = {order: client.get(f"{there}?columns=all&sort={order}") for order in ("-made", "made")}
    names = {order: [line.record.member for line in page.context["table"].rows] for order, page in rows.items()}
    assert names == {"-made": [bo, ann, cy], "made": [ann, bo, cy]}
    html = rows["made"].content.decode()
    assert "60\xa0%</a> <small>60 of 100</small>" in html
    assert "0 of 0" not in html
