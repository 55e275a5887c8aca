"""Two sites before one database: what one has answered the other shows at once, and one may be killed."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import cycle, islice
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.bench.clusters import temporary_cluster
from tests.bench.lines import CutOff, Line
from tests.bench.live_site import LiveSite
from tests.bench.phones import Posted, data
from tests.bench.tables import HANDS, open_tables
from tests.trust.attempts import DATABASE, REPORT, Attempt, ForkingSite
from tests.trust.durability.other_site import OF_A_SHEET, ClubNight, PlayOffNight, Written

PLAYERS = 6
#: Clubs in which games end while the sites are read, and tables of each.
CLUBS, TABLES_OF_A_CLUB = 3, 8


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.thorough)])
def sites(
    request: pytest.FixtureRequest, tmp_path: Path, ready_folder: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[LiveSite, LiveSite]]:
    """Two sites with one secret and one database, each in a folder of its own."""
    given = {"SECRET_KEY": "the same for both " * 4} | ({} if REPORT else {"WORKERS": "1"})
    for name in ("one", "other"):
        shutil.copytree(ready_folder, tmp_path / name)
    with ExitStack() as stack:
        if request.param == "SQLite":
            given["DATABASE_URL"] = f"sqlite:///{tmp_path / 'one' / DATABASE}"
            both = [ForkingSite(tmp_path / name, django_db_blocker, **given) for name in ("one", "other")]
        else:
            given["DATABASE_URL"] = stack.enter_context(temporary_cluster()).address
            both = [LiveSite(tmp_path / name, **given) for name in ("one", "other")]
        for site in both:
            stack.callback(site.close)
            site.open()
        yield both[0], both[1]


def in_any_order(games: Sequence[list[Posted]]) -> Iterator[Posted]:
    """The posts of all games in any order, and those of each in theirs."""
    posts = [iter(game) for game in games]
    turns = [number for number, game in enumerate(games) for _ in game]
    return (next(posts[number]) for number in random.sample(turns, len(turns)))


def plain_games(site: LiveSite, posts: int) -> list[list[Posted]]:
    """Games of no club with so many posts in all."""
    a_game = HANDS * (PLAYERS + 1)
    tables = open_tables(site, -(-posts // a_game), PLAYERS)
    games = [[Posted(table, step) for step in table.game()] for table in tables]
    return [*games[:-1], games[-1][: posts - a_game * (len(games) - 1)]]


@pytest.mark.thorough
@pytest.mark.promise(17, minutes=6)
@pytest.mark.sqlite
@pytest.mark.timeout(3600)
def test_what_one_site_has_answered_the_other_shows(sites: tuple[LiveSite, LiveSite], attempt: Attempt) -> None:
    """Most reads are polls of a sheet; others are of its pad and its pages, of pages of clubs, and by programs."""
    times, clubs, tables = attempt.size(28, 10_000), attempt.size(1, CLUBS), attempt.size(1, TABLES_OF_A_CLUB)
    lines = [Line(site.port) for site in sites]
    nights = [ClubNight(sites, lines, number, tables) for number in range(clubs)]
    play_off = PlayOffNight(sites, lines)
    (group,) = play_off.games
    of_clubs = [*(game for night in nights for game in night.games), group[: attempt.size(7, len(group))]]
    shown_by = {game[0].table.code: night.shows for night in nights for game in night.games}
    shown_by[group[0].table.code] = play_off.shows
    games = [*of_clubs, *plain_games(sites[0], times - sum(map(len, of_clubs)))]
    kinds, read, stale = cycle(OF_A_SHEET), Counter[str](), []
    for posted in in_any_order(games):
        here = random.randrange(2)
        answer = lines[here].ask(posted.said)
        assert answer.status == 200, answer.body
        shows = shown_by.get(posted.table.code) or next(kinds)
        read[shows.__name__] += 1
        if not shows(lines[1 - here], Written(posted.table, data(answer), lines[here])):
            stale.append(f"{shows.__qualname__}: {posted.fields}")
    for line in lines:
        line.close()
    assert stale == []
    assert read.total() == times
    ended, counting = (sum(getattr(night, name) for night in nights) for name in ("ended", "counting"))
    attempt.saw(
        f"{times:,} times written through one and read through the other, {read['rows']:,} of them polls and the others"
        f" pads, pages and programs: never stale; {ended} ends of games in standings and on members' pages: right, or"
        f" said to be counted still ({counting} pages)"
    )


@pytest.mark.promise(17, minutes=6)
@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(3600)
def test_when_one_site_is_killed_the_other_goes_on_and_nothing_is_lost(
    sites: tuple[LiveSite, LiveSite], attempt: Attempt
) -> None:
    kills = attempt.size(2, 30)
    # Either of them as often as the other, in any order.
    killed = random.sample([*sites] * (kills // 2), kills)
    tables = open_tables(sites[0], -(-kills // HANDS), PLAYERS)
    steps = islice(((table, number) for table in tables for number in range(1, HANDS + 1)), kills)
    told: dict[str, int] = {}
    for one, (table, number) in zip(killed, steps, strict=True):
        (other,) = set(sites) - {one}
        hand = [Posted(table, step) for step in table.steps(number)]
        at = random.randrange(len(hand))
        for posted in hand[:at]:
            told[posted.key] = wrote(one, posted)
        lost_or_told(one, hand[at], told)
        for posted in hand[at:]:
            told[posted.key] = wrote(other, posted)
        one.open()
    ledger = json.loads(sites[1].run("-m", "tests.bench.ledger"))
    kept = {write[1]: write[0] for sheet in ledger["sheets"].values() for write in sheet["writes"]}
    assert {key: kept.get(key) for key in told} == told
    attempt.saw(
        f"{kills} times one killed under a post, each of them {kills // 2} times: the other went on, {len(told)} posts"
        " kept once"
    )


def wrote(site: LiveSite, posted: Posted) -> int:
    """The version in which it stands."""
    with closing(Line(site.port)) as line:
        answer = line.ask(posted.said)
    assert answer.status == 200, answer.body
    return int(data(answer)["wrote"])


def lost_or_told(site: LiveSite, posted: Posted, told: dict[str, int]) -> None:
    """A post under which the site is killed."""
    line = Line(site.port)
    line.send(posted.said)
    site.kill()
    try:
        while not (answer := line.receive()):
            pass
        told[posted.key] = int(data(answer)["wrote"])
    except (OSError, CutOff):
        pass
    line.close()
