"""Badges: the colour, the dash and the initial by which the people at one table are told apart.

A club knows what a member wants (`Wish`), and the sheet remembers it from the moment they sit down (`Sheet.badges`).
What they get at this table is decided here: the wish, where nobody who sat down before has it. So a badge stays as it
is when somebody else comes, and when the member chooses another one later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count, groupby
from types import MappingProxyType
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.fields import SHEET
from scoresheets.log.occupants import NO_WISH, Wish, wishes_of
from scoresheets.log.state import SheetReading
from scoresheets.log.text import same_name
from scoresheets.wording.graphemes import clean, letters

#: The colours of the players by day, from 1 on; the same stand in static/css/base.css, with those by night.
COLOURS = (
    "#037fed", "#a74a04", "#07492c", "#7829a5", "#a08309", "#0f919c", "#42013a", "#0c1b6c", "#6c695f", "#142500",
)  # fmt: skip
#: The letters on them.
INKS = (
    "#000000", "#ffffff", "#ffffff", "#ffffff", "#000000", "#000000", "#ffffff", "#ffffff", "#ffffff", "#ffffff",
)  # fmt: skip
#: The dash that belongs to each: pen down, pen up and so on.
DASHES = ("", "16 8", "5 7", "26 8 5 8", "10 10", "36 10", "18 6 5 6 5 6", "4 14", "30 6 12 6", "12 5 12 16")
#: What each is called where somebody chooses.
COLOUR_NAMES = (
    "blue", "orange", "green", "purple", "yellow", "turquoise", "plum", "indigo", "grey", "olive",
)  # fmt: skip
STROKES = len(COLOURS)
#: So many letters an initial has at most.
LETTERS = 2


@dataclass(frozen=True)
class Badge:
    """What stands beside the name of one player: `colour` and `dash` are numbers from 1 to 10, `initial` has one or two
    letters."""

    colour: int
    dash: int
    initial: str

    @property
    def ground(self) -> str:
        """The colour for a picture, which has no stylesheet."""
        return COLOURS[self.colour - 1]

    @property
    def ink(self) -> str:
        """The letter on it, for a picture."""
        return INKS[self.colour - 1]

    @property
    def pen(self) -> str:
        """The dash as SVG has it; "": a whole line."""
        return DASHES[self.dash - 1]

    @property
    def is_wide(self) -> bool:
        return len(self.initial) > 1

    @property
    def html(self) -> SafeString:
        """The badge in a page. The name stands beside it, so that nothing is read out, found or copied twice."""
        wide = " wide" if self.is_wide else ""
        return format_html(
            '<i class="badge p{}{}" data-initial="{}" aria-hidden="true"></i>', self.colour, wide, self.initial
        )


class Sitting(NamedTuple):
    """Somebody sits down. `moment` is the hand and the number of the event; who opened the table share the first."""

    moment: tuple[int, int]
    seat: int
    name: str
    wish: Wish = NO_WISH


def badges_of(reading: SheetReading) -> Mapping[int, Badge]:
    """Everybody's badge, by seat, as the next hand is played; of who gave up a seat, that of who sits there now."""
    return badges_at(sittings_until(reading, reading.next_hand))


def sittings_until(reading: SheetReading, hand: int) -> Iterator[Sitting]:
    """Who has sat down until `hand` is played. A chosen initial would give away who hides their name."""
    sitting, wishes = reading.sitting, wishes_of(reading.record.badges)

    def wish_of(player: int) -> Wish:
        wish = wishes.get(player, NO_WISH)
        return wish._replace(initial="") if player in reading.aliases else wish

    for seat, chair in sitting.first.items():
        yield Sitting(sitting.arrivals.get(seat, (SHEET, 0)), seat, chair.name, wish_of(chair.player))
    for change in sitting.changes:
        if change.hand <= hand:
            yield Sitting((change.hand, change.k), change.seat, change.name, wish_of(change.player))


def badges_at(sittings: Iterable[Sitting]) -> Mapping[int, Badge]:
    """The badges at one table, by seat: no two have the same initial, nor the same colour as long as there are enough.

    Who sat down first keeps what they want; of those who sat down together, first who has chosen it, then who belongs
    to a club, then by seat. Where ten are not enough, colour and dash together tell them apart.
    """
    return badges_among(tuple(sittings))


@lru_cache(maxsize=200)
def badges_among(sittings: tuple[Sitting, ...]) -> Mapping[int, Badge]:
    """The same. Every write on a sheet asks for them."""
    badges: dict[int, Badge] = {}
    for _, group in groupby(sorted(sittings, key=lambda sitting: sitting.moment), key=lambda sitting: sitting.moment):
        together = list(group)
        # Who takes over a seat finds nobody there.
        for sitting in together:
            badges.pop(sitting.seat, None)
        strokes: dict[int, tuple[int, int]] = {}
        taken = [(badge.colour, badge.dash) for badge in badges.values()]
        for sitting in sorted(together, key=colour_rank):
            strokes[sitting.seat] = free_stroke(sitting.wish.colour or sitting.seat, [*taken, *strokes.values()])
        initials: dict[int, str] = {}
        for sitting in sorted(together, key=initial_rank):
            there = [*(badge.initial for badge in badges.values()), *initials.values()]
            initials[sitting.seat] = free_initial(sitting, there)
        badges |= {sitting.seat: Badge(*strokes[sitting.seat], initials[sitting.seat]) for sitting in together}
    return MappingProxyType(badges)


def colour_rank(sitting: Sitting) -> tuple[bool, bool, int]:
    return not sitting.wish.is_chosen, not sitting.wish.colour, sitting.seat


def initial_rank(sitting: Sitting) -> tuple[bool, int]:
    return not sitting.wish.initial, sitting.seat


def free_stroke(colour: int, taken: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """A colour with its dash that nobody has: that colour, else the next one. Where all are taken, another dash.

    >>> free_stroke(2, []), free_stroke(2, [(2, 2), (3, 3)]), free_stroke(11, [(n, n) for n in range(1, 11)])
    ((2, 2), (4, 4), (1, 2))
    """
    turns = [(colour - 1 + step) % STROKES + 1 for step in range(STROKES)]
    colours = {there for there, _ in taken}
    own = ((turn, turn) for turn in turns if turn not in colours)
    pairs = ((turn, (turn - 1 + shift) % STROKES + 1) for shift in range(STROKES) for turn in turns)
    return next(chain(own, (pair for pair in pairs if pair not in taken)), (turns[0], turns[0]))


def free_initial(sitting: Sitting, taken: Collection[str]) -> str:
    """One or two letters that nobody has at the table; where the name has none left, a number."""
    there = {same_name(initial) for initial in taken}
    wanted = (sitting.wish.initial, *initials_of(sitting.name))
    numbers = (str(number) for number in chain([sitting.seat], count(1)))
    return next(initial for initial in chain(wanted, numbers) if initial and same_name(initial) not in there)


def initials_of(name: str) -> list[str]:
    """What may stand for a name, the best first: its first letter, that with the one of the last word, with another.

    >>> initials_of("Ann Lee"), initials_of("Bo")
    (['A', 'AL', 'An', 'Ae'], ['B', 'Bo'])
    """
    words = clean(name).split()
    if not words:
        return []
    spelled = [letter for word in words for letter in letters(word)]
    first, last = spelled[0], letters(words[-1])[0]
    pairs = [*([last] if len(words) > 1 else []), *spelled[1:]]
    return list(dict.fromkeys([first, *(first + other for other in pairs)]))


def badge_of(colour: int, initial: str) -> Badge:
    """The badge of somebody who sits at no table."""
    return Badge(colour, colour, initial)
