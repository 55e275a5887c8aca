"""Display texts that a game declares about itself and its hands. Values only."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, NamedTuple

from rules.core.fields import Value

#: No total of a table comes near it.
LOWER_THAN_ANY = -(10**9)


class RuleText(NamedTuple):
    """A rule of the game by number, in the club's own words.

    ``text`` is what the game's own rules say, ``default`` what this site does where they say nothing or leave a choice,
    and ``house`` are the keys of the house rules that change it.
    """

    number: int
    title: str
    text: str
    default: str = ""
    house: tuple[str, ...] = ()


class Passage(NamedTuple):
    """What somebody needs who has never played the game, a part of it under a title: "The aim"."""

    title: str
    text: str


class Example(NamedTuple):
    """A hand to learn from. The last of the ``players`` deals it, ``steps`` are what is written down, by ask.

    ``story`` tells what happened at the table. What it is worth is not said here: the game scores it.
    """

    story: str
    players: tuple[str, ...]
    steps: Mapping[str, Mapping[str, Value]]
    cards: int = 0


class HandNumber(NamedTuple):
    """A thing to know about a hand: what it is, and its value or the seat it is about."""

    label: str
    value: str = ""
    seat: int | None = None


class AsPlayed(NamedTuple):
    """How a table leaves a hand as it was played: what is wrong, in a sentence, and what is written down then."""

    sentence: str
    ask: str
    step: Mapping[str, Value]


class About(NamedTuple):
    """Something to say of a hand in few words; in ``text`` the names of ``seats`` belong where ``{names}`` stands."""

    text: str
    seats: tuple[int, ...] = ()


class RowWords(NamedTuple):
    """What the running sheet writes small into the row of a hand, shorter than a sentence, with suits as signs.

    ``head`` stands beside the hand's number ("♥", "J♦"), ``cells`` beside the total of each seat that has something to
    it ("5 − 2", "nil"); a line feed puts the rest below, as bid and tricks stand. ``aloud`` says a cell in words where
    its signs alone tell nobody who cannot see them ("5 scored, 2 in the penalty pile"); ``missed`` are the seats that
    set out for something and did not get it. The points of the hand stand above the cells, unless ``points`` is False
    because the cells say them.
    """

    head: str = ""
    cells: Mapping[int, str] = MappingProxyType({})
    aloud: Mapping[int, str] = MappingProxyType({})
    missed: frozenset[int] = frozenset()
    points: bool = True


class Worth(NamedTuple):
    """What something that may be said in a hand is worth: when it comes true, and when it does not."""

    label: str
    made: str
    missed: str


class WorthHeads(NamedTuple):
    """The words over a list of `Worth`: what the list is, and what stands in its three columns."""

    caption: str = "What it is worth"
    label: str = "What"
    made: str = "Made"
    missed: str = "Missed"


class Remark(NamedTuple):
    """Something to say beside the totals as long as the lowest of the seated is ``low`` to ``high`` (None: any above).

    In ``text`` the names of ``seats`` belong where ``{names}`` stands. ``total`` is what it is about.
    """

    seats: tuple[int, ...]
    text: str
    total: int
    low: int
    high: int | None = None

    def holds(self, lowest: int) -> bool:
        """Whether it is so while that is the lowest total of the seated."""
        return self.low <= lowest and (self.high is None or lowest <= self.high)


class Written(NamedTuple):
    """What is written down at an ask, in words; what has no words is called by its name.

    ``what`` stands there: "{seat}’s bid", where ``{seat}`` is who says it. ``did`` is what people do with a number of
    theirs: they "took" it. ``fields`` are the words for its fields, by their names without the seat; ``values`` those
    for what can be chosen ("works": "The Works"), and ``empty`` is what it says where nothing was: "nobody"; ``unsaid``
    the same of a field that says something else: "not noted".
    """

    what: str
    did: str = ""
    fields: Mapping[str, str] = MappingProxyType({})
    values: Mapping[str, str] = MappingProxyType({})
    empty: str = "nothing"
    unsaid: Mapping[str, str] = MappingProxyType({})


class FirstDealer(NamedTuple):
    """How a table finds who deals first, as the page for opening a sheet asks it.

    ``word`` is what the sheet keeps for it, ``asks`` the question over the names, ``how`` the way to the answer
    in a sentence or two.
    """

    word: str = "chosen"
    asks: str = "Who deals first?"
    how: str = ""


@dataclass(frozen=True)
class CallOut:
    """A term that applies, to which seats (in seat order; none: to the hand), and why.

    ``rank`` orders call-outs for a page that has room for one: 0 is the rarest. ``aloud`` marks those that
    get a line of their own after the hand; ``sign`` is what stands beside a total instead, late in the game.
    ``text`` is the sentence to read out at the end, with ``{names}`` where the names belong. ``lasting``: it goes on
    from hand to hand, and is called and counted where it begins. ``together``: it is about its seats as a group, which
    is called again when somebody joins it. ``personal``: it is about the hands somebody has played, not about their
    total, and begins again where somebody else sits there. ``counts`` is how much it was, by seat, if it has a number.
    """

    call: str
    seats: tuple[int, ...] = ()
    reason: str = ""
    rank: int = 9
    aloud: bool = False
    sign: str = ""
    text: str = ""
    lasting: bool = False
    together: bool = False
    personal: bool = False
    counts: Mapping[int, int] = field(default_factory=dict, compare=False)

    def since(self, before: Collection[CallOut], others: Collection[int] = ()) -> CallOut | None:
        """What of it is new since the call-outs of the hand before; None: it only goes on.

        Somebody else sat on the seats ``others`` then.
        """
        if not self.lasting:
            return self
        was = {seat for call in before if call.call == self.call for seat in call.seats}
        if self.personal:
            was -= set(others)
        joined = tuple(seat for seat in self.seats if seat not in was)
        return replace(self, seats=self.seats if self.together else joined) if joined else None


@dataclass(frozen=True)
class Word:
    """A term of the club with its meaning in a sentence. ``call`` links it to a call-out's slug; ``counts`` is what
    the numbers of that call-out count, one of them: "trick"."""

    term: str
    meaning: str
    call: str | None = None
    counts: str = ""


#: How a figure is made: see :class:`Figure`.
How = Literal["times", "each", "most", "least"]


class Figure(NamedTuple):
    """A figure of a player in one game, made of what ``Game.marks`` says of their hands.

    ``how`` it is made: ``times``, the hands with the mark out of those with the mark ``of``; ``each``, the sum of its
    values a hand with the mark ``of``; ``most`` and ``least``, its greatest and its smallest value in one hand. ``of``
    "" means all of them. ``unit`` is what a value counts ("tricks"), ``record`` as what a greatest or smallest value
    stands among the records of a club, "" where it is none; ``of_name`` is what the hands marked ``of`` are called.
    """

    key: str
    name: str
    mark: str
    how: How
    of: str = ""
    unit: str = ""
    meaning: str = ""
    record: str = ""
    of_name: str = ""
