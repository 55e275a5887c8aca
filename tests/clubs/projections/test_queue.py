"""The post that ends a game writes down that results have changed, and nothing more."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Award, Club, Honour, Member, Night, PendingUpdate, PersonalBest, Placing, Standing, Table
from clubs.projections import worker
from clubs.projections.update import remake
from clubs.queue.changes import results_changed
from rules import all_games
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.models import HandFact, Scorekeeper
from scoresheets.models.sheet import new_token
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, SeasonFactory, TrophyFactory, played, scored
from tests.clubs.night_played import scorer_of
from tests.clubs.play_offs.evening import drawn_groups
from tests.clubs.play_offs.evening import scorer_of as scorer_of_group
from tests.counted import not_counted
from tests.factories import Scorer, new_key, sure_of
from tests.rules.dice import whole_hand

pytestmark = pytest.mark.django_db

#: Statements of a post that ends a game, whatever the game and however large the club.
MOST = 15


@pytest.fixture
def _waiting() -> Iterator[None]:
    """Nothing is counted, as between the post and the thread of the site."""
    with not_counted():
        yield


def is_counted_later(club: Club) -> bool:
    return PendingUpdate.objects.filter(club=club).exists()


def large(club: Club, games: int = 60) -> None:
    """So many games lie behind the club, and there is something to be won."""
    members = [MemberFactory(club=club, name=f"Guest {k}") for k in range(12)]
    for k in range(games // 2):
        night = NightFactory(club=club, on=datetime.date(2026, 1, 1) + datetime.timedelta(days=k))
        for begin in (0, 6):
            scored(night, [(member, place) for place, member in enumerate(members[begin : begin + 6])])
    for goes in ("winner", "loser"):
        TrophyFactory(club=club, goes=goes, name=goes)
    SeasonFactory(club=club)


def almost_over(scorer: Scorer) -> tuple[int, str, Any]:
    """The last step of the game, which is not written yet."""
    while True:
        reading = scorer.reading
        opened = reading.sheet.open
        assert opened is not None
        for ask, step in steps(scorer):
            after = ends_with(scorer, opened.hand.number, ask, step)
            if after:
                return opened.hand.number, ask, step
            scorer.enter_step(opened.hand.number, ask, step)


def steps(scorer: Scorer) -> list[tuple[str, Any]]:
    """A hand of Dirty Dog without a tie, or any hand of another game."""
    reading = scorer.reading
    opened = reading.sheet.open
    assert opened is not None
    if reading.game.slug != "dirty-dog":
        dice = random.Random(f"{opened.hand.number} 0")
        return list(whole_hand(dice, reading.game, reading.sheet.table, opened.hand).items())
    order, cards = sorted(opened.hand.order), opened.hand.cards
    bids = dict.fromkeys(order, 0) | {order[0]: cards, order[1]: 1}
    tricks = {f"tricks-{seat}": cards if seat == order[0] else 0 for seat in order}
    return [*((f"bid-{seat}", {"bid": bids[seat]}) for seat in opened.hand.order), ("tricks", tricks)]


def ends_with(scorer: Scorer, hand: int, ask: str, step: Any) -> bool:
    """Whether the game is over with that step."""

    class Undo(Exception):
        pass

    try:
        with transaction.atomic():
            done = sure_of(scorer.enter(hand, ask, **{k.replace("-", "_"): v for k, v in step.items()}))
            finished = done.reading.finished
            raise Undo
    except Undo:
        return finished


def statements_of(client: Client, scorer: Scorer, last: tuple[int, str, Any]) -> int:
    """How many statements the post that ends the game is, as a phone sends it."""
    secret = new_token()
    Scorekeeper.objects.filter(pk=scorer.by.pk).update(browser=hashed(secret))
    client.cookies[BROWSER_COOKIE] = secret
    hand, ask, step = last
    body = {"hand": hand, "ask": ask, "saw": "", "key": new_key(), "sure": "1"}
    body |= {f"f-{name}": value for name, value in step.items()}
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(
            reverse("enter", args=[scorer.sheet.code]), body, headers={"accept": "application/json"}
        )  # fmt: skip
    assert answer.status_code == 200, answer.content
    assert scorer.reading.finished
    return len(queries)


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("game", [game.slug for game in all_games()])
@pytest.mark.usefixtures("_waiting")
def test_post_that_ends_a_game_is_as_many_statements_in_a_large_club_as_in_a_small_one(
    client: Client, game: str
) -> None:
    counts = []
    for is_large in (False, True):
        club = ClubFactory()
        rules = next(one for one in all_games() if one.slug == game)
        people = MemberFactory.create_batch(rules.made_for[0], club=club)
        if is_large:
            large(club)
        scorer = scorer_of(played(NightFactory(club=club), people, game=game, hands=0))
        counts.append(statements_of(client, scorer, almost_over(scorer)))
    assert counts[0] == counts[1] <= MOST


@pytest.mark.usefixtures("_waiting")
def test_post_that_ends_the_final_of_a_play_off_is_no_more(client: Client) -> None:
    evening = drawn_groups([4]).open()
    (table,) = evening.groups
    scorer = scorer_of_group(table)
    assert statements_of(client, scorer, almost_over(scorer)) <= MOST
    assert is_counted_later(evening.club)


@pytest.mark.usefixtures("_waiting")
def test_nothing_of_the_result_is_there_before_it_is_counted_and_all_of_it_after() -> None:
    club = ClubFactory(awards_at_once=True)
    TrophyFactory(club=club)
    SeasonFactory(club=club)
    people = MemberFactory.create_batch(4, club=club)
    table = played(NightFactory(club=club), people)
    assert table.sheet is not None
    assert table.sheet.finished_at is not None
    assert table.ended_at is None
    assert [rows.count() for rows in (Placing.objects, Standing.objects, PersonalBest.objects, Award.objects)] == [
        0,
        0,
        0,
        0,
    ]
    assert not HandFact.objects.exists()
    assert is_counted_later(club)
    worker.catch_up()
    assert not is_counted_later(club)
    table.refresh_from_db()
    assert table.ended_at == table.sheet.finished_at
    assert [rows.count() for rows in (Placing.objects, Standing.objects, Award.objects)] == [4, 8, 1]
    assert PersonalBest.objects.exists()
    assert Honour.objects.exists()
    assert HandFact.objects.count() == 16


@pytest.mark.usefixtures("_waiting")
def test_sheet_that_is_changed_many_times_is_counted_once() -> None:
    club = ClubFactory()
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=3)
    scorer = scorer_of(table)
    scorer.clear_hand()
    for _ in range(3):
        sure_of(scorer.undo())
        sure_of(scorer.tricks({1: 1, 2: 0, 3: 0, 4: 0}))
    assert PendingUpdate.objects.filter(club=club).count() == 7
    with CaptureQueriesContext(connection) as queries:
        worker.catch_up()
    assert sum("INSERT INTO" in query["sql"] and "placing" in query["sql"] for query in queries) == 1
    assert not PendingUpdate.objects.exists()


@pytest.mark.usefixtures("_waiting")
def test_post_that_is_rolled_back_leaves_nothing_to_count() -> None:
    club = ClubFactory()
    people = MemberFactory.create_batch(4, club=club)
    night = NightFactory(club=club)
    with transaction.atomic():
        played(night, people)
        transaction.set_rollback(True)
    assert not PendingUpdate.objects.exists()


def rows_of(club: Club) -> list[object]:
    """What the club keeps of its games."""
    of_tables = (
        (Placing, "member", "place", "score"),
        (Honour, "member", "hand", "tag", "value"),
        (PersonalBest, "what", "value"),
    )
    kept = [
        sorted(model.objects.filter(table__night__club=club).values_list("table", *names), key=repr)
        for model, *names in of_tables
    ]
    standings = Standing.objects.filter(club=club).values_list("season", "member", "place", "place_before", "won")
    return [*kept, sorted(standings, key=repr)]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_results_counted_together_are_those_that_a_full_remake_makes(seed: int) -> None:
    """Games end, are opened again and corrected at random, on several nights, and are counted some at a time."""
    dice = random.Random(seed)
    club = ClubFactory()
    SeasonFactory(club=club, begins=datetime.date(2026, 3, 2), ends=datetime.date(2026, 3, 4), drops=1)
    people = MemberFactory.create_batch(8, club=club)
    nights = [NightFactory(club=club, on=datetime.date(2026, 3, 1 + k)) for k in range(5)]
    tables: list[Table] = []
    for _ in range(4):
        with not_counted():
            for _ in range(dice.randint(1, 4)):
                happens(dice, nights, people, tables)
        worker.catch_up()
    kept = rows_of(club)
    remake(club)
    assert kept == rows_of(club)


def happens(dice: random.Random, nights: list[Night], people: list[Member], tables: list[Table]) -> None:
    """A game is played, or one that was played is opened again, or counts no more with its whole night."""
    what = dice.choice(["play", "play", "play", "open", "fun"])
    if what == "play" or not tables:
        tables.append(played(dice.choice(nights), dice.sample(people, 4)))
    elif what == "open":
        scorer = scorer_of(dice.choice(tables))
        if scorer.reading.finished:
            sure_of(scorer.undo())
        else:
            while scorer.reading.sheet.open:
                for ask, step in steps(scorer)[len(scorer.reading.sheet.open.hand.steps) :]:
                    scorer.enter_step(scorer.reading.next_hand, ask, step)
    else:
        night = dice.choice(nights)
        night.for_fun = not night.for_fun
        night.save()
        results_changed(night.club_id, night)
