"""A member's page: their games, places, bids, trophies and form, each figure with the way to what it is made of."""

from __future__ import annotations

import datetime
import re

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.access.visit import COOKIE
from clubs.models import Award, Club, Honour, Member, Placing, PlayerAlias, Table
from clubs.records.figures import InOneGame, games_of
from clubs.records.hands import Person
from clubs.records.profile import Profile
from clubs.records.recent_form import form_of, neighbours_of
from rules import all_games, find_game
from tests.club_factories import (
    MemberFactory,
    NightFactory,
    TableFactory,
    TrophyFactory,
    UserFactory,
    played,
)
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


def page(client: Client, member: Member, query: str = "") -> str:
    response = client.get(member.get_absolute_url() + query)
    assert response.status_code == 200
    return response.content.decode()


def past(club: Club, places: dict[Member, int], **night: object) -> Table:
    """A game of the past: who ended where."""
    table = TableFactory(night=NightFactory(club=club, **night), source="past", ended_at=timezone.now())
    n = len(places)
    for member, place in places.items():
        Placing.objects.create(
            table=table, member=member, place=place, score=10 * (n - place), players=n,
            winner=place == 1, loser=place == n,
        )  # fmt: skip
    return table


def test_a_game_is_told_with_its_places_bids_and_figures(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club), four)
    ann, bo = Profile(club, Person.of(four[0])), Profile(club, Person.of(four[1]))
    assert [(one.name, one.text) for one in ann.sums] == [("Games", "1"), ("Won", "1"), ("Lost", "0"), ("Nights", "1")]
    # Ann bids and takes all of 1, 2, 2 and 1 cards: 6 + 7 + 7 + 6; Bo bids one each time and takes nothing.
    assert {one.name: one.text for one in ann.sums_of_the_game} == {
        "Games": "1", "Won": "1", "Lost": "0", "Score a game": "26.0", "Score a hand": "6.5", "Clean runs": "1",
    }  # fmt: skip
    assert {one.name: one.text for one in bo.sums_of_the_game}["Clean runs"] == "0"
    assert [(bar.label, bar.value, bar.more) for bar in ann.by_cards.bars] == [
        ("1", "100", ("2", "6.0")), ("2", "100", ("2", "7.0")),
    ]  # fmt: skip
    assert [(bar.label, bar.value, bar.more) for bar in bo.by_bid.bars] == [("1", "0", ("4", "−1.0"))]
    assert [(bar.label, bar.value) for bar in bo.came_out.bars] == [("made", "0"), ("too high", "4"), ("too low", "0")]
    text = page(client, four[0])
    assert "Bids made, by cards" in text
    assert "Place 1 in the only game so far." in text


def test_every_number_leads_to_a_page_that_opens(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club), four)
    played(NightFactory(club=club), four)
    for member in four:
        links = set(re.findall(r'href="(/clubs/[^"#]*\?[^"]*)"', page(client, member)))
        assert len(links) > 5
        for link in links:
            shown = client.get(link.replace("&amp;", "&"))
            assert shown.status_code == 200, link
            assert "No such hand" not in shown.content.decode(), link
            assert "No such game" not in shown.content.decode(), link


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_has_figures_of_its_own(client: Client, club: Club, game) -> None:  # type: ignore[no-untyped-def]
    members = MemberFactory.create_batch(game.made_for[0], club=club)
    played(NightFactory(club=club), members, game=game.slug, seed=3)
    portraits = [Profile(club, Person.of(member)) for member in members]
    hands = portraits[0].hands
    assert hands.all.hands > 0
    assert hands.has_bids == game.has_bids
    if game.figures:
        assert any(portrait.hands.figures for portrait in portraits)
    assert all(bool(portrait.bests) == game.has_comparable_scores for portrait in portraits)
    for member in members:
        assert game.name in page(client, member)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_hands_of_a_game_have_the_columns_it_has(client: Client, club: Club, game) -> None:  # type: ignore[no-untyped-def]
    members = MemberFactory.create_batch(game.made_for[0], club=club)
    played(NightFactory(club=club), members, game=game.slug, seed=3)
    shown = client.get(reverse("hands", args=[club.slug]), {"game": game.slug, "member": members[0].pk})
    heads = re.findall(r'<th scope="col">([^<]*)</th>', shown.content.decode())
    own = ["Bid"] * game.has_bids + ["Took"] * game.has_tricks
    assert heads == ["Game", *own, "Points", "Total"]


def test_a_game_that_is_chosen_is_shown(client: Client, club: Club) -> None:
    members = MemberFactory.create_batch(4, club=club)
    played(NightFactory(club=club), members)
    played(NightFactory(club=club), members)
    other = next(game for game in all_games() if game.made_for == range(4, 5))
    played(NightFactory(club=club), members, game=other.slug)
    assert f'<h2 id="of-a-game">{find_game("dirty-dog").name}</h2>' in page(client, members[0])
    assert f'<h2 id="of-a-game">{other.name}</h2>' in page(client, members[0], f"?game={other.slug}")
    assert f'<h2 id="of-a-game">{find_game("dirty-dog").name}</h2>' in page(client, members[0], "?game=<script>")


def test_who_has_not_played_yet_is_told_so(client: Client, four: list[Member]) -> None:
    assert "No game yet" in page(client, four[0])


@pytest.mark.thorough
def test_nights_for_fun_and_games_that_were_taken_away_count_for_nothing(club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club, for_fun=True), four)
    gone = played(NightFactory(club=club), four)
    Table.objects.filter(pk=gone.pk).update(withdrawn_at=timezone.now())
    played(NightFactory(club=club, archived_at=timezone.now()), four)
    assert games_of(club, Person.of(four[0])) == {}
    hands = InOneGame(club, Person.of(four[0]), find_game("dirty-dog"))
    assert hands.all.hands == 0
    assert hands.figures == []
    assert hands.bests == []


def test_a_correction_of_the_sheet_is_told_at_once(client: Client, club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four)
    assert "Best comeback" not in page(client, four[0])
    from tests.factories import Scorer

    assert table.sheet is not None
    scorer = Scorer(table.sheet, table.sheet.scorekeepers.get())
    scorer.undo()
    assert "No game yet" in page(client, four[0])


def test_a_win_that_was_shared_is_a_win_as_in_the_standings(client: Client, club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    table = past(club, {ann: 1, bo: 1, cy: 3, di: 4})
    table.placings.update(winner=False)
    away = past(club, {ann: 1, bo: 2, cy: 3, di: 4})
    away.placings.filter(member=ann).update(winner=False)
    away.placings.filter(member=di).update(winner=True, loser=False, place=None)
    won = {member: games_of(club, Person.of(member))[table.game].won for member in four}
    assert won == {ann: 1, bo: 1, cy: 0, di: 1}
    for member, games in won.items():
        page = client.get(reverse("games", args=[club.slug]), {"member": member.pk, "went": "won"})
        assert page.context["page"].paginator.count == games
    curve = form_of(club, Person.of(ann))
    assert curve is not None
    assert [dot.kind for dot in curve.dots] == ["box", ""]


# -- people ------------------------------------------------------------------------------------------------


def test_games_of_a_merged_record_count_for_the_one_that_stands(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club), four)
    bobby = MemberFactory(club=club, name="Bobby")
    played(NightFactory(club=club), [bobby, *four[2:], four[0]])
    bobby.same_as = four[1]
    bobby.save()
    bo = Profile(club, Person.of(four[1]))
    assert bo.sums[0].text == "2"
    assert bo.hands.all.hands == 8
    assert client.get(bobby.get_absolute_url()).headers["Location"] == four[1].get_absolute_url()
    # The others ended beside one person, not beside two.
    assert {one.member: one.games for one in neighbours_of(club, Person.of(four[0]))}.get(bobby) is None


def test_hands_of_a_name_that_was_typed_count_for_who_it_is_known_as(club: Club, four: list[Member]) -> None:
    guest = PlayerFactory(name="Annie")
    PlayerAlias.objects.create(club=club, player=guest, member=four[0])
    stand_in = Member(club=club, player=guest, name="Annie")
    played(NightFactory(club=club), [stand_in, *four[1:]])
    assert Profile(club, Person.of(four[0])).hands.all.hands == 4


def test_a_hidden_name_is_shown_only_to_organisers_and_the_member(
    client: Client, club: Club, four: list[Member]
) -> None:
    four[0].hidden, four[0].nickname = True, "The Boss"
    four[0].save()
    played(NightFactory(club=club), four)
    for member in four:
        text = page(client, member)
        assert "The Boss" not in text
        assert "Ann" not in text
    assert "Somebody" in page(client, four[0])
    organiser = UserFactory()
    MemberFactory(club=club, name="Org", user=organiser, role="organiser")
    client.force_login(organiser)
    assert "hidden from others" in page(client, four[0])


def test_who_reads_their_own_page_is_told(client: Client, club: Club, four: list[Member]) -> None:
    client.cookies[COOKIE.format(club.pk)] = f"{club.key}.{four[0].pk}"
    assert "This is me" in page(client, four[0])
    assert "This is me" not in page(client, four[1])


def test_person_who_asks_to_join_or_belongs_elsewhere_has_no_page(client: Client, club: Club) -> None:
    waiting = MemberFactory(club=club, approved_at=None)
    assert client.get(waiting.get_absolute_url()).status_code == 404
    other = MemberFactory()
    assert client.get(reverse("member", args=[club.slug, other.pk])).status_code == 404


def test_page_of_a_closed_club_is_not_shown(client: Client) -> None:
    member = MemberFactory(club__visibility="members")
    assert client.get(member.get_absolute_url()).status_code == 403


def test_who_left_keeps_their_page(client: Client, club: Club, four: list[Member]) -> None:
    played(NightFactory(club=club), four)
    four[0].left_at = timezone.now()
    four[0].save()
    assert "left in" in page(client, four[0])


# -- form and neighbours -----------------------------------------------------------------------------------


def test_who_ends_on_the_next_place_is_beside_them_and_level_ones_are_too(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    past(club, {ann: 1, bo: 2, cy: 3, di: 4})
    past(club, {ann: 1, bo: 2, cy: 2, di: 4})
    past(club, {ann: 2, bo: 1, cy: 2, di: 4})
    found = {one.member: one.games for one in neighbours_of(club, Person.of(ann))}
    assert found == {bo: 3, cy: 2, di: 1}
    # 1, 2, 2, 4: beside who is last stand both who were level before them.
    assert {one.member: one.games for one in neighbours_of(club, Person.of(di))} == {cy: 3, ann: 1, bo: 1}


def test_of_two_nobody_ends_beside_the_other(club: Club, four: list[Member]) -> None:
    past(club, {four[0]: 1, four[1]: 2})
    assert neighbours_of(club, Person.of(four[0])) == []


def test_games_beside_somebody_are_those_that_were_counted(client: Client, club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    past(club, {ann: 1, bo: 2, cy: 3, di: 4})
    past(club, {ann: 1, bo: 2, cy: 2, di: 4})
    past(club, {ann: 2, bo: 1, cy: 2, di: 4})
    past(club, {ann: 1, bo: 4, cy: 3, di: 2})
    for other, games in ((bo, 3), (cy, 2), (di, 2)):
        there = f"{reverse('games', args=[club.slug])}?member={ann.pk}&other={other.pk}&beside=1"
        assert client.get(there).context["page"].paginator.count == games
    assert {one.member: one.games for one in neighbours_of(club, Person.of(ann))} == {bo: 3, cy: 2, di: 2}


def test_the_curve_goes_from_the_earliest_game_to_the_latest(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    day = datetime.date(2026, 5, 1)
    past(club, {ann: 1, bo: 2, cy: 3, di: 4}, on=day + datetime.timedelta(days=9))
    past(club, {ann: 4, bo: 2, cy: 3, di: 1}, on=day)
    assert form_of(club, Person.of(MemberFactory(club=club))) is None
    curve = form_of(club, Person.of(ann))
    assert curve is not None
    assert [(dot.share, dot.value, dot.kind) for dot in curve.dots] == [(0, "4 of 4", "circle"), (1, "1 of 4", "box")]
    assert curve.says == "In the last 2 games ahead of 50\xa0% of the table."
    two = MemberFactory(club=club)
    for _ in range(2):
        past(club, {ann: 1, two: 2})
    last = form_of(club, Person.of(two))
    assert last is not None
    assert last.says == "Last in each of the last 2 games."


def test_a_comeback_is_a_game_that_was_won_from_behind(client: Client, club: Club, four: list[Member]) -> None:
    table = played(NightFactory(club=club), four, hands=0)
    from tests.factories import Scorer

    assert table.sheet is not None
    scorer = Scorer(table.sheet, table.sheet.scorekeepers.get())
    # Seat 1 is set by all cards, then takes all: −1 − 2 against 10, and 8 + 6 in the end … of nobody else.
    scorer.hand({1: 1, 2: 0, 3: 1, 4: 0}, {1: 0, 2: 0, 3: 1, 4: 0})
    scorer.hand({1: 2, 2: 2, 3: 2, 4: 2}, {1: 2, 2: 0, 3: 0, 4: 0})
    scorer.hand({1: 2, 2: 2, 3: 2, 4: 2}, {1: 2, 2: 0, 3: 0, 4: 0})
    scorer.hand({1: 1, 2: 1, 3: 1, 4: 1}, {1: 1, 2: 0, 3: 0, 4: 0})
    scorer.settle()
    bests = {kind.key: (best.value, best.hand) for kind, best, *_ in Profile(club, Person.of(four[0])).bests}
    assert bests["comeback"] == (7, 1)
    assert bests["best-hand"] == (7, 2)
    assert bests["worst-hand"] == (-1, 1)
    assert "clean-run" not in bests
    assert "comeback" not in {kind.key for kind, *_ in Profile(club, Person.of(four[1])).bests}


def test_places_are_told_in_a_sentence_after_one_game_too(club: Club, four: list[Member]) -> None:
    def said(member: Member) -> str:
        places = Profile(club, Person.of(member)).places
        return places.says if places else ""

    ann, bo, cy, di = four
    past(club, {ann: 1, bo: 2, cy: 3, di: 4})
    assert said(bo) == "Place 2 in the only game so far."
    past(club, {ann: 1, bo: 2, cy: 3, di: 4})
    assert said(ann) == "First in 100\xa0% of games (2 of 2); most often in place 1."
    assert said(bo) == "Never first in 2 games; most often in place 2."
    past(club, {bo: 1, cy: 2, di: 3, ann: 4})
    past(club, {bo: 1, cy: 2, di: 3, ann: 4})
    assert said(bo) == "First in 50\xa0% of games (2 of 4).", "two places that came up alike often"


# -- trophies and honours ----------------------------------------------------------------------------------


def test_trophies_that_a_member_holds_come_first(client: Client, club: Club, four: list[Member]) -> None:
    def won(trophy: object, member: Member, day: int, **more: object) -> Award:
        now = timezone.now()
        return Award.objects.create(
            trophy=trophy, member=member, on=datetime.date(2026, 3, day), source="typed",
            **{"confirmed_at": now, **more},
        )  # fmt: skip

    once, now_his = TrophyFactory(club=club, name="The Spoon"), TrophyFactory(club=club, name="The Bone")
    won(once, four[0], 1)
    won(once, four[1], 2)
    won(now_his, four[0], 3)
    won(now_his, four[1], 4, set_aside_at=timezone.now())
    won(now_his, four[1], 5, confirmed_at=None)
    trophies = Profile(club, Person.of(four[0])).trophies
    assert [(trophy.name, trophy.holds, trophy.times) for trophy in trophies] == [
        ("The Bone", True, 1), ("The Spoon", False, 1),
    ]  # fmt: skip
    assert "since 3 March 2026" in page(client, four[0])


def test_a_trophy_is_held_since_it_was_taken_however_often_it_was_won_again(
    client: Client, club: Club, four: list[Member]
) -> None:
    """As the front page says it; of the days before the site perhaps only the year is known."""

    def won(trophy: object, member: Member, day: datetime.date, exact: str = "day") -> None:
        Award.objects.create(
            trophy=trophy, member=member, on=day, exact=exact, source="typed", confirmed_at=timezone.now()
        )

    again, old = TrophyFactory(club=club, name="The Bone"), TrophyFactory(club=club, name="The Spoon")
    won(again, four[0], datetime.date(2026, 3, 1))
    won(again, four[1], datetime.date(2026, 3, 8))
    won(again, four[0], datetime.date(2026, 3, 15))
    won(again, four[0], datetime.date(2026, 3, 22))
    won(old, four[0], datetime.date(1998, 1, 1), exact="year")
    text = page(client, four[0])
    assert "since 15 March 2026, 3 times in all" in text
    assert re.search(r"since 1998\s*</span>", text)


def test_honours_are_counted_by_their_terms(client: Client, club: Club, four: list[Member]) -> None:
    Honour.objects.all().delete()
    table = played(NightFactory(club=club), four)
    Honour.objects.all().delete()
    game = find_game(table.game)
    word = next(word for word in game.words if word.call)
    Honour.objects.create(table=table, game=table.game, member=four[0], hand=1, tag=word.call)
    Honour.objects.create(table=table, game=table.game, member=four[0], hand=2, tag=word.call)
    ((term, url, times),) = Profile(club, Person.of(four[0])).honours
    assert (term, times) == (word.term, 2)
    assert client.get(url).status_code == 200


# -- cost --------------------------------------------------------------------------------------------------


def test_the_page_costs_the_same_however_much_was_played(
    client: Client, club: Club, four: list[Member], django_assert_max_num_queries
) -> None:  # type: ignore[no-untyped-def]
    for _ in range(2):
        played(NightFactory(club=club), four)
        with django_assert_max_num_queries(21):
            page(client, four[0])


def test_figure_without_anything_behind_it_is_no_link() -> None:
    figures = [{"url": "/there/", "text": "7", "name": "games"}, {"url": "", "text": "none", "name": "won"}]
    page = render_to_string("clubs/records/sums.html", {"sums": figures})
    assert [" ".join(strip_tags(part).split()) for part in page.split("</li>")[:2]] == ["7games", "nonewon"]
    assert page.count("<a ") == 1
