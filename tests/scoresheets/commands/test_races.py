"""Several scorekeepers at once, each in a process of their own before one real database."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone

from scoresheets.access.scorekeepers import cut_off, hashed, join_by_link, make_link, revoke_link
from scoresheets.commands import enter
from scoresheets.log.answers import Conflict, Done, Refused
from scoresheets.models import Entry, HandFact, Player, Revision, Scorekeeper, ShareLink, Sheet
from scoresheets.opening.open_sheet import Opened, open_sheet
from scoresheets.opening.sweep import sweep
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, set_up, sure_of

pytestmark = [pytest.mark.django_db(transaction=True)]

fork = multiprocessing.get_context("fork")
Told = tuple[object, ...]
Job = Callable[[], object]


def told(answer: object) -> Told:
    """An answer as plain values, which travel between processes."""
    match answer:
        case Done():
            return ("done", answer.version, answer.at, answer.verb)
        case Conflict():
            return ("conflict", dict(answer.standing.data), dict(answer.refused))
        case Refused():
            return ("refused", answer.code)
        case Opened():
            return ("opened", answer.sheet.pk)
    return (answer,)


def let_go_of_the_database() -> None:
    """Close every connection of this process; nobody else in it may hold one.

    A process that is forked with SQLite's file open believes to hold locks that it does not hold, and what it
    commits can be overwritten. The server of the browser tests keeps connections: they run apart (Makefile).
    """
    connections.close_all()
    if hasattr(connection, "close_pool"):
        connection.close_pool()
    if connection.vendor != "sqlite":
        return
    gc.collect()
    held = [path for path in open_files() if path.startswith(str(connection.settings_dict["NAME"]))]
    assert not held, f"Another thread holds {held} open: do not race in the process of the browser tests."


def open_files() -> Iterator[str]:
    for descriptor in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            yield str(descriptor.readlink())


def at_once(jobs: Sequence[Job]) -> list[Told]:
    """What the jobs answered, each in a process of its own, all started at the same moment."""
    let_go_of_the_database()
    barrier, running = fork.Barrier(len(jobs)), []
    for job in jobs:
        here, there = fork.Pipe(duplex=False)
        process = fork.Process(target=work, args=(job, barrier, there))
        process.start()
        there.close()
        running.append((process, here))
    answers = [here.recv() if here.poll(60) else ("silent",) for _, here in running]
    for process, _ in running:
        process.join(60)
    return answers


def work(job: Job, barrier: Barrier, there: Connection) -> None:
    barrier.wait(60)
    try:
        there.send(told(job()))
    except Exception as error:
        there.send(("raised", repr(error)))
    finally:
        connections.close_all()


def in_rounds(races: Sequence[Sequence[Job]]) -> list[list[Told]]:
    """What the jobs of each race answered. Every race has a job for each process; all begin it at the same moment."""
    let_go_of_the_database()
    abreast = len(races[0])
    barrier, running = fork.Barrier(abreast), []
    for place in range(abreast):
        here, there = fork.Pipe(duplex=False)
        process = fork.Process(target=run, args=([race[place] for race in races], barrier, there))
        process.start()
        there.close()
        running.append((process, here))
    answers = [here.recv() for _, here in running]
    for process, _ in running:
        process.join(60)
    return [list(race) for race in zip(*answers, strict=True)]


def run(jobs: Sequence[Job], barrier: Barrier, there: Connection) -> None:
    """One racer, race after race."""
    answers: list[Told] = []
    for job in jobs:
        barrier.wait(60)
        try:
            answers.append(told(job()))
        except Exception as error:
            answers.append(("raised", repr(error)))
    there.send(answers)
    connections.close_all()


def kinds(answers: Sequence[Told]) -> Counter[object]:
    return Counter(answer[0] for answer in answers)


@pytest.fixture
def table() -> Scorer:
    return scorer(4)


def versions(sheet: Sheet) -> list[int]:
    return list(Revision.objects.filter(sheet=sheet).order_by("version").values_list("version", flat=True))


def phones(table: Scorer, n: int) -> list[Scorekeeper]:
    return [ScorekeeperFactory(sheet=table.sheet, name=f"Phone {k}") for k in range(n)]


def entering_bid(table: Scorer, by: Scorekeeper, bid: int, key: str, seat: int = 2) -> Job:
    return lambda: enter.enter(table.sheet, (1, f"bid-{seat}"), {"bid": bid}, saw=None, key=key, by=by)


def test_the_same_key_twenty_times_at_once_writes_once_and_answers_the_same(table: Scorer) -> None:
    key = new_key()
    answers = at_once([entering_bid(table, table.by, 1, key) for _ in range(20)])
    assert kinds(answers) == {"done": 20}
    assert len(set(answers)) == 1
    assert versions(table.sheet) == [1, 2]
    assert Entry.objects.filter(sheet=table.sheet, ask="bid-2").count() == 1


def test_of_different_bids_for_one_place_exactly_one_stands_and_the_others_are_shown_it(table: Scorer) -> None:
    table.any_hand()
    keepers = phones(table, 9)
    answers = at_once(
        [
            lambda by=by, bid=k % 3: enter.enter(
                table.sheet, (2, "bid-3"), {"bid": bid}, saw=None, key=new_key(), by=by
            )
            for k, by in enumerate(keepers)
        ]
    )
    stands = dict(table.reading.entries[2, "bid-3"])
    assert kinds(answers) == {"done": 3, "conflict": 6}
    assert Counter(answer[3] for answer in answers if answer[0] == "done") == {"enter": 1, "agree": 2}
    assert all(answer[1] == stands for answer in answers if answer[0] == "conflict")
    assert Entry.objects.filter(sheet=table.sheet, hand=2).count() == 1


def test_the_same_bid_from_ten_phones_is_one_entry_and_nine_agreements(table: Scorer) -> None:
    answers = at_once([entering_bid(table, by, 1, new_key()) for by in phones(table, 10)])
    assert Counter(answer[3] for answer in answers) == {"enter": 1, "agree": 9}
    assert Entry.objects.filter(sheet=table.sheet, ask="bid-2").count() == 1
    assert versions(table.sheet) == list(range(1, 12))


def test_the_same_key_with_different_bodies_lets_one_body_through(table: Scorer) -> None:
    key = new_key()
    answers = at_once([entering_bid(table, table.by, k % 2, key) for k in range(10)])
    assert kinds(answers) == {"done": 5, "refused": 5}
    assert {answer[1] for answer in answers if answer[0] == "refused"} == {"key-used"}
    assert versions(table.sheet) == [1, 2]


def noting(table: Scorer, by: Scorekeeper, times: int) -> Job:
    def job() -> object:
        for k in range(times):
            sure_of(enter.note(table.sheet, k % 2, text=f"{by.name} says {k}.", key=new_key(), by=by))
        return "said"

    return job


def race_of_notes(table: Scorer, processes: int, each: int) -> None:
    answers = at_once([noting(table, by, each) for by in phones(table, processes)])
    assert kinds(answers) == {"said": processes}, answers
    assert versions(table.sheet) == list(range(1, processes * each + 2))
    assert len(table.reading.notes) == processes * each
    assert table.reading.version == processes * each + 1


def test_fifty_racing_posts_make_fifty_versions_without_a_gap(table: Scorer) -> None:
    race_of_notes(table, 10, 5)


def test_tables_do_not_wait_for_each_other_in_vain() -> None:
    tables = [scorer(4, browser=hashed(f"phone {k}")) for k in range(8)]

    def playing(table: Scorer) -> Job:
        def job() -> object:
            table.any_hand()
            table.any_hand()
            return table.reading.next_hand

        return job

    assert at_once([playing(table) for table in tables]) == [(3,)] * 8
    assert all(versions(table.sheet) == list(range(1, 12)) for table in tables)


def test_one_bid_taken_back_by_ten_phones_is_taken_back_once(table: Scorer) -> None:
    sure_of(table.bid(2, 1))
    bid = sure_of(table.bid(3, 0)).version
    answers = at_once([lambda by=by: enter.undo(table.sheet, bid, key=new_key(), by=by) for by in phones(table, 10)])
    assert Counter(answer[3] for answer in answers) == {"undo": 1, "agree": 9}
    assert table.reading.entries == {(1, "bid-2"): {"bid": 1}}


def test_a_bid_is_either_taken_back_or_bid_upon(table: Scorer) -> None:
    for seat in (2, 3, 4):
        first = sure_of(table.bid(seat, 0))
        following = {2: 3, 3: 4, 4: 1}[seat]
        back, upon = at_once(
            [
                lambda version=first.version: enter.undo(table.sheet, version, key=new_key(), by=table.by),
                entering_bid(table, table.by, 0, new_key(), seat=following),
            ]
        )
        assert {back[0], upon[0]} == {"done", "refused"}
        assert table.reading.sheet.unread == ()
        assert ((1, f"bid-{following}") in table.reading.entries) == (upon[0] == "done")
        if upon[0] == "done":
            sure_of(table.undo())
        else:
            sure_of(table.bid(seat, 0))


def test_a_game_that_is_finished_from_five_phones_is_told_once(table: Scorer) -> None:
    while table.reading.next_hand < 4:
        table.clear_hand()
    table.bids({4: 0, 3: 0, 2: 1, 1: 1})
    taken = {"tricks-1": 1, "tricks-2": 0, "tricks-3": 0, "tricks-4": 0}
    answers = at_once(
        [
            lambda by=by: enter.enter(table.sheet, (4, "tricks"), taken, saw=None, key=new_key(), by=by)
            for by in phones(table, 5)
        ]
    )
    assert Counter(answer[3] for answer in answers) == {"enter": 1, "agree": 4}
    assert HandFact.objects.count() == 16


def test_the_same_tap_ten_times_at_once_opens_one_sheet(db: None) -> None:
    key = new_key()
    answers = at_once([lambda: open_sheet(set_up(), browser=hashed("phone"), key=key) for _ in range(10)])
    assert kinds(answers) == {"opened": 10}
    assert len(set(answers)) == 1
    assert (Sheet.objects.count(), Player.objects.count(), Scorekeeper.objects.count()) == (1, 4, 1)


def test_one_phone_starts_scoring_once_however_often_it_taps(table: Scorer) -> None:
    token = make_link(table.sheet, by=table.by)

    def taking() -> object:
        keeper = join_by_link(token, hashed("another phone"), "Marge")
        return keeper.pk if keeper else None

    answers = at_once([taking] * 8)
    assert len(set(answers)) == 1
    assert table.sheet.scorekeepers.count() == 2


def test_a_sheet_is_either_swept_or_written_on(settings: Any) -> None:
    for _ in range(3):
        table = scorer(4)
        settings.BLANK_SHEETS_STAY_HOURS = 0
        bid, _ = at_once([entering_bid(table, table.by, 0, new_key()), sweep])
        stands = Sheet.objects.filter(pk=table.sheet.pk).exists()
        assert stands == (bid[0] == "done")
        assert stands or "DoesNotExist" in str(bid)


# Races of every kind, four phones in each


@dataclass
class Race:
    """Four phones at one table of their own. `judge` looks at what they were answered, and at the sheet."""

    table: Scorer
    jobs: list[Job]
    judge: Callable[[list[Told]], None]


def different_bids() -> Race:
    """Exactly one of two numbers stands; who wrote the other is shown it."""
    table = scorer(4)
    jobs = [entering_bid(table, by, k % 2, new_key()) for k, by in enumerate(phones(table, 4))]

    def judge(answers: list[Told]) -> None:
        assert kinds(answers) == {"done": 2, "conflict": 2}
        stands = dict(table.reading.entries[1, "bid-2"])
        assert [answer[1] for answer in answers if answer[0] == "conflict"] == [stands] * 2

    return Race(table, jobs, judge)


def one_tap() -> Race:
    """The same key: one entry and one answer for all."""
    table, key = scorer(4), new_key()

    def judge(answers: list[Told]) -> None:
        assert kinds(answers) == {"done": 4}
        assert len(set(answers)) == 1
        assert versions(table.sheet) == [1, 2]

    return Race(table, [entering_bid(table, table.by, 1, key)] * 4, judge)


def one_key_for_two_numbers() -> Race:
    """The same key with another number is refused."""
    table, key = scorer(4), new_key()

    def judge(answers: list[Told]) -> None:
        assert kinds(answers) == {"done": 2, "refused": 2}
        assert {answer[1] for answer in answers if answer[0] == "refused"} == {"key-used"}

    return Race(table, [entering_bid(table, table.by, k % 2, key) for k in range(4)], judge)


def different_scores() -> Race:
    """Two phones score the hand differently: it is scored once, and its points are those of one of them."""
    table = scorer(4)
    table.bids({2: 0, 3: 0, 4: 0, 1: 0})

    def scoring(by: Scorekeeper, taker: int) -> Job:
        taken = {f"tricks-{seat}": int(seat == taker) for seat in (1, 2, 3, 4)}
        return lambda: enter.enter(table.sheet, (1, "tricks"), taken, saw=None, key=new_key(), by=by)

    def judge(answers: list[Told]) -> None:
        assert kinds(answers) == {"done": 2, "conflict": 2}
        assert table.reading.next_hand == 2
        assert sorted(table.reading.sheet.totals.values()) == [-1, 5, 5, 5]

    return Race(table, [scoring(by, 1 + k % 2) for k, by in enumerate(phones(table, 4))], judge)


def back_and_on() -> Race:
    """Two take a bid back while two bid upon it: one or the other, and nothing is left that cannot be read."""
    table = scorer(4)
    first = sure_of(table.bid(2, 0)).version
    one, two, three, four = phones(table, 4)
    jobs = [
        lambda: enter.undo(table.sheet, first, key=new_key(), by=one),
        lambda: enter.undo(table.sheet, first, key=new_key(), by=two),
        entering_bid(table, three, 0, new_key(), seat=3),
        entering_bid(table, four, 0, new_key(), seat=3),
    ]

    def judge(answers: list[Told]) -> None:
        assert kinds(answers) == {"done": 2, "refused": 2}
        assert {answer[0] for answer in answers[:2]} != {answer[0] for answer in answers[2:]}
        assert table.reading.sheet.unread == ()
        assert len(table.reading.entries) == (0 if answers[0][0] == "done" else 2)

    return Race(table, jobs, judge)


def cut_off_and_write() -> Race:
    """Whoever is cut off has written before that moment, or not at all."""
    table = scorer(4)
    marge, joe, flo = phones(table, 3)
    jobs = [
        lambda: cut_off(marge, by=table.by),
        entering_bid(table, marge, 1, new_key()),
        lambda: cut_off(marge, by=joe),
        entering_bid(table, flo, 1, new_key()),
    ]

    def judge(answers: list[Told]) -> None:
        assert (answers[0], answers[2], answers[3][0]) == ((True,), (True,), "done")
        assert answers[1] in [("refused", "cut-off"), ("done", *answers[1][1:])]
        wrote = Revision.objects.filter(sheet=table.sheet, keeper=marge).count()
        assert wrote == (answers[1][0] == "done")
        cut = Scorekeeper.objects.get(pk=marge.pk).revoked_at
        assert cut is not None
        assert not wrote or answers[1][2] < cut

    return Race(table, jobs, judge)


def cut_each_other_off() -> Race:
    """In a ring of four who cut each other off somebody is left who may write."""
    table = scorer(4)
    ring = phones(table, 4)
    Scorekeeper.objects.filter(pk=table.by.pk).update(revoked_at=timezone.now())
    jobs = [lambda by=by, other=ring[(k + 1) % 4]: cut_off(other, by=by) for k, by in enumerate(ring)]

    def judge(answers: list[Told]) -> None:
        left = Scorekeeper.objects.filter(sheet=table.sheet, revoked_at=None).count()
        assert left == 4 - answers.count((True,))
        assert 1 <= left <= 3

    return Race(table, jobs, judge)


def one_tap_on_a_link() -> Race:
    """A phone starts scoring four times with one tap: one scorekeeper, told once."""
    table, key = scorer(4), new_key()
    link, browser = make_link(table.sheet, by=table.by), hashed(new_key())

    def taking() -> object:
        keeper = join_by_link(link, browser, "Marge", key=key)
        return keeper.pk if keeper else None

    def judge(answers: list[Told]) -> None:
        assert len(set(answers)) == 1
        assert (table.sheet.scorekeepers.count(), versions(table.sheet)) == (2, [1, 2])

    return Race(table, [taking] * 4, judge)


def taken_and_taken_away() -> Race:
    """Whoever opens a link while it is taken away is let in before, and cut off, or not let in."""
    table = scorer(4)
    token = make_link(table.sheet, by=table.by)
    link = ShareLink.objects.get(token_hash=hashed(token))

    def taking(browser: str) -> Job:
        return lambda: join_by_link(token, browser) is not None

    away: Job = lambda: revoke_link(link, by=table.by)  # noqa: E731
    jobs = [taking(hashed(new_key())), away, taking(hashed(new_key())), taking(hashed(new_key()))]

    def judge(answers: list[Told]) -> None:
        assert answers[1] == (True,)
        assert table.sheet.scorekeepers.filter(revoked_at=None).count() == 1
        assert table.sheet.scorekeepers.count() == 1 + [answers[0], answers[2], answers[3]].count((True,))

    return Race(table, jobs, judge)


KINDS = (
    different_bids, one_tap, one_key_for_two_numbers, different_scores, back_and_on, cut_off_and_write,
    cut_each_other_off, one_tap_on_a_link, taken_and_taken_away,
)  # fmt: skip


def race_of_every_kind(times: int) -> None:
    races = [KINDS[number % len(KINDS)]() for number in range(times)]
    for race, answers in zip(races, in_rounds([race.jobs for race in races]), strict=True):
        race.judge(answers)
        made = versions(race.table.sheet)
        assert made == list(range(1, len(made) + 1))
        assert race.table.reading.version == len(made)


def test_fifty_races_of_four_phones_end_as_they_must() -> None:
    race_of_every_kind(50)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_thousand_races_of_four_phones_end_as_they_must() -> None:
    race_of_every_kind(1000)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_thousand_racing_posts_make_a_thousand_versions_without_a_gap(
    table: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enter, "MOST_NOTES", 10_000)
    race_of_notes(table, 20, 50)
