"""What is noted for the next hand while one is played, and what is said beside the totals of who went home."""

from __future__ import annotations

import pytest

from rules import find_game
from rules.core.engine.replay import problems, read

DOG = find_game("dirty-dog")
TABLE = DOG.open_table([1, 2, 3, 4, 5], 1, {"hands": 5})
FIRST = {
    (1, "bid-2"): {"bid": 1}, (1, "bid-3"): {"bid": 0}, (1, "bid-4"): {"bid": 0}, (1, "bid-5"): {"bid": 0},
    (1, "bid-1"): {"bid": 1}, (1, "tricks"): {f"tricks-{seat}": int(seat == 1) for seat in range(1, 6)},
}  # fmt: skip
BEGUN = FIRST | {(2, "bid-3"): {"bid": 0}}


def noted(**events: dict) -> dict:
    return BEGUN | {(3, name.replace("_", "-")): step for name, step in events.items()}


def test_what_is_noted_is_read_and_changes_nothing_of_the_hand_being_played() -> None:
    sheet = read(DOG, TABLE, noted(leave_1={"seat": 1}))
    assert sheet.unread == ()
    assert [event.name for event in sheet.noted] == ["leave-1"]
    assert sheet.open.hand == read(DOG, TABLE, BEGUN).open.hand
    assert sheet.table.seats == (1, 2, 3, 4, 5)
    assert sheet.ahead.seats == (2, 3, 4, 5)


def test_hands_to_come_are_those_after_it() -> None:
    sheet = read(DOG, TABLE, noted(leave_1={"seat": 3}, arrive_2={"seat": 6}))
    assert [hand.dealer for hand in sheet.coming()] == [2, 4, 5, 6]
    assert sheet.coming()[1].order == (5, 6, 1, 2, 4)


def test_each_is_judged_at_the_table_as_those_before_it_leave_it() -> None:
    entries = noted(leave_1={"seat": 3})
    assert [p.code for p in problems(DOG, TABLE, entries, (3, "leave-2"), {"seat": 3})] == ["unknown-player"]
    assert [p.code for p in problems(DOG, TABLE, entries, (3, "leave-2"), {"seat": 2})] == ["few-players"]
    assert [p.code for p in problems(DOG, TABLE, entries, (3, "leave-3"), {"seat": 2})] == ["out-of-turn"]


@pytest.mark.parametrize(
    "address", [(3, "misdeal-1"), (3, "stop-1"), (4, "leave-1"), (3, "bid-1"), (3, "leave-2"), (2, "leave-1")]
)
def test_nothing_else_can_be_noted(address: tuple[int, str]) -> None:
    assert [p.code for p in problems(DOG, TABLE, BEGUN, address, {"seat": 1})] == ["out-of-turn"]


def test_what_does_not_fit_stays_unread() -> None:
    assert read(DOG, TABLE, noted(leave_1={"seat": 9})).unread == ((3, "leave-1"),)
    assert read(DOG, TABLE, noted(leave_2={"seat": 1})).unread == ((3, "leave-2"),)


def test_after_the_last_hand_nothing_is_noted() -> None:
    table = DOG.open_table([1, 2, 3, 4, 5], 1, {"hands": 2})
    sheet = read(DOG, table, noted(leave_1={"seat": 1}))
    assert (sheet.noted, sheet.unread) == ((), ((3, "leave-1"),))
    assert [p.code for p in problems(DOG, table, BEGUN, (3, "leave-1"), {"seat": 1})] == ["out-of-turn"]


def said(entries: dict, lowest: int) -> list[str]:
    return [remark.text for remark in DOG.remarks(read(DOG, TABLE, entries).table) if remark.holds(lowest)]


def test_who_went_home_lowest_takes_the_loser_trophy_unless_somebody_ends_lower() -> None:
    gone = FIRST | {(2, "leave-1"): {"seat": 2}}
    sentence = "{names} went home after hand 1 with −1 and takes the loser’s trophy unless somebody ends lower"
    assert said(gone, 0) == said(gone, 50) == [sentence]
    assert said(gone, -1) == [
        sentence.replace("takes", "draws for").replace(" unless", " with anyone who ends tied, unless")
    ]
    assert said(gone, -2) == []


def test_several_who_went_home_level_draw() -> None:
    gone = FIRST | {(2, "leave-1"): {"seat": 3}, (2, "leave-2"): {"seat": 4}}
    assert said(gone, 6) == [
        "{names} went home after hand 1 with 5 and draw for the loser’s trophy unless somebody ends lower"
    ]


def test_nothing_is_said_of_who_came_back_and_where_nobody_went() -> None:
    assert said(FIRST, 0) == []
    assert said(FIRST | {(2, "leave-1"): {"seat": 2}, (2, "arrive-2"): {"seat": 2}}, 0) == []
