"""Badges: at one table nobody has the colour and nobody the initial of another, and nobody's changes while it plays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scoresheets.log.occupants import Wish
from scoresheets.log.text import same_name
from scoresheets.wording.badges import (
    LETTERS,
    STROKES,
    Badge,
    Sitting,
    badge_of,
    badges_at,
    free_initial,
    free_stroke,
    initials_of,
)
from scoresheets.wording.graphemes import letters

START = (0, 0)
NAMES = st.text("abABé Ñ王", min_size=1, max_size=6).filter(str.strip)
WISHES = st.builds(
    Wish, st.integers(0, STROKES), st.sampled_from(["", "", "A", "a", "AB", "É"]), is_chosen=st.booleans()
)  # fmt: skip


@st.composite
def tables(draw: st.DrawFn, most: int = 10) -> list[Sitting]:
    """Those who open a table, by seat, and latecomers after them, each at an event of their own."""
    people = draw(st.lists(st.tuples(NAMES, WISHES), min_size=2, max_size=most))
    opened = draw(st.integers(2, len(people)))
    return [
        Sitting(START if seat <= opened else (seat, 1), seat, name, wish) for seat, (name, wish) in enumerate(people, 1)
    ]


@given(tables())
def test_up_to_ten_have_colours_and_initials_of_their_own(table: list[Sitting]):
    badges = badges_at(table)
    assert badges.keys() == {sitting.seat for sitting in table}
    assert len({badge.colour for badge in badges.values()}) == len(table)
    assert all(badge.dash == badge.colour for badge in badges.values())
    assert len({same_name(badge.initial) for badge in badges.values()}) == len(table)
    assert all(1 <= len(letters(badge.initial)) <= LETTERS for badge in badges.values())


@given(tables(most=30))
def test_more_than_ten_never_share_both_colour_and_dash(table: list[Sitting]):
    badges = badges_at(table)
    assert len({(badge.colour, badge.dash) for badge in badges.values()}) == len(table)
    assert len({badge.initial for badge in badges.values()}) == len(table)


@given(tables())
def test_who_has_chosen_and_sits_first_keeps_colour_and_initial(table: list[Sitting]):
    badges = badges_at(table)
    taken_colours: set[int] = set()
    for sitting in table:
        wish = sitting.wish
        if sitting.moment == START and wish.is_chosen and wish.colour:
            if wish.colour not in taken_colours:
                assert badges[sitting.seat].colour == wish.colour
            taken_colours.add(badges[sitting.seat].colour)
    wanted = [(sitting.seat, sitting.wish.initial) for sitting in table if sitting.moment == START]
    for at, (seat, initial) in enumerate(wanted):
        before = {same_name(other) for _, other in wanted[:at] if other}
        if initial and same_name(initial) not in before and not has_taken(badges, wanted[:at], initial):
            assert badges[seat].initial == initial


def has_taken(badges: dict[int, Badge], before: list[tuple[int, str]], initial: str) -> bool:
    """Whether somebody who chose an initial, but had to take another, has that one."""
    return any(wish and same_name(badges[seat].initial) == same_name(initial) for seat, wish in before)


@given(tables())
def test_nobody_changes_when_others_sit_down(table: list[Sitting]):
    moments = sorted({sitting.moment for sitting in table})
    then: dict[int, Badge] = {}
    for moment in moments:
        now = badges_at(sitting for sitting in table if sitting.moment <= moment)
        assert then.items() <= now.items()
        then = now


@given(tables(), st.randoms())
def test_order_in_which_rows_were_read_means_nothing(table: list[Sitting], random):
    mixed = random.sample(table, len(table))
    assert badges_at(mixed) == badges_at(table)


def test_who_takes_over_a_seat_has_their_own_badge_and_the_others_keep_theirs():
    ann, bo = Sitting(START, 1, "Ann", Wish(3)), Sitting(START, 2, "Bo", Wish(7))
    before = badges_at([ann, bo])
    after = badges_at([ann, bo, Sitting((4, 1), 1, "Cy", Wish(7, "X", is_chosen=True))])
    assert before[1] == badge_of(3, "A")
    assert after[2] == before[2] == badge_of(7, "B")
    assert after[1] == badge_of(8, "X")


def test_chosen_colour_comes_before_that_of_a_lower_seat():
    badges = badges_at([
        Sitting(START, 1, "Ann", Wish(5)),
        Sitting(START, 2, "Bo", Wish(5, is_chosen=True)),
        Sitting(START, 5, "Cy"),
    ])  # fmt: skip
    assert {seat: badge.colour for seat, badge in badges.items()} == {1: 6, 2: 5, 5: 7}


def test_guest_has_the_colour_of_the_seat():
    badges = badges_at([Sitting(START, 1, "Ann"), Sitting(START, 2, "Bo"), Sitting((3, 1), 11, "Cy")])
    assert [(badge.colour, badge.initial) for badge in badges.values()] == [(1, "A"), (2, "B"), (3, "C")]


def test_initials_are_told_apart_by_the_last_name_then_by_another_letter_then_by_a_number():
    assert free_initial(Sitting(START, 2, "Ann Lee"), ["A"]) == "AL"
    assert free_initial(Sitting(START, 2, "Ann"), ["a"]) == "An"
    assert free_initial(Sitting(START, 2, "Al"), ["A", "al"]) == "2"
    assert free_initial(Sitting(START, 2, "Al"), ["A", "Al", "2"]) == "1"
    assert initials_of(" ") == []


def test_dash_belongs_to_the_colour_as_long_as_there_are_enough():
    assert [free_stroke(4, [(n, n) for n in range(4, 4 + k)]) for k in (0, 1, 7)] == [(4, 4), (5, 5), (1, 1)]


def test_badge_in_a_page_is_not_read_out_and_its_letter_is_text():
    assert badge_of(3, "<").html == '<i class="badge p3" data-initial="&lt;" aria-hidden="true"></i>'
    assert "badge p3 wide" in badge_of(3, "AL").html
