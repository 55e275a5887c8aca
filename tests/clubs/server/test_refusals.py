"""Posts that were refused a moment ago are answered by the thread that reads."""

from __future__ import annotations

from clubs.server.refusals import MOST, REMEMBERED, Refusals

GUEST, CLUB = ("192.0.2.1", "/open/"), ("192.0.2.2", "/open/")


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_refusal_is_remembered_for_a_while_and_of_that_place_alone() -> None:
    clock = Clock()
    refusals = Refusals(clock)
    refusals.note(GUEST, 429)
    assert GUEST in refusals
    assert CLUB not in refusals
    assert ("192.0.2.1", "/sheets/abc/enter/") not in refusals
    clock.now += REMEMBERED
    assert GUEST not in refusals


def test_post_that_is_taken_ends_it() -> None:
    refusals = Refusals(Clock())
    refusals.note(GUEST, 429)
    refusals.note(GUEST, 303)
    assert GUEST not in refusals


def test_no_more_are_remembered_than_so_many() -> None:
    refusals = Refusals(Clock())
    for number in range(3 * MOST):
        refusals.note((str(number), "/open/"), 429)
    assert len(refusals.latest) <= MOST
    assert (str(3 * MOST - 1), "/open/") in refusals
