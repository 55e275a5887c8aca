"""The state of the pad: the one description of what Python tells the scripts.

`build.pad_of` reads the state of a sheet, `as_json` writes it. A field is a key of the JSON, by its own name or that in
`key`. The comment over it says what it means and which scripts of `static/js/pad` and `static/js/pad_later` read it
("page": none, only pages). `replay.js` adds what was tapped since and gets data of the same shape: one drawing serves
both. Seats are numbers here, and text in JSON where they are keys. A sentence in parts has a name at every odd place.

`tests/scoresheets/pad/test_contract.py` holds both sides to it. Whoever changes the meaning of a key counts `SHAPE` up:
a script that knows another shape drops what it has kept and loads the page anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any, TypeAlias, TypedDict

from rules.core.fields import Value

#: The version of all of this.
SHAPE = 5

Parts: TypeAlias = list[str]
Step: TypeAlias = Mapping[str, Value]
#: By seat: the number of the colour, and the initial on it.
Badges: TypeAlias = Mapping[int, tuple[int, str]]
#: An entry, and the version of the revision that an undo names to take it back.
EntryRef: TypeAlias = tuple[int, int]
#: What comes back with a revision that is undone: hand, ask, step, and the version that first wrote it.
WithdrawnEntry: TypeAlias = tuple[int, str, Step, int]


@dataclass(frozen=True)
class PadHand:
    """A hand before anything is written in it. Read by every script of the pad."""

    number: int
    cards: int
    dealer: int
    #: The seats as they speak; the first one leads.
    order: tuple[int, ...]
    #: What the bids may not come to (bidding_state, panels).
    avoid: int | None


@dataclass(frozen=True)
class TableBefore:
    """The table as a scored hand found it, where others sit now (replay)."""

    seats: tuple[int, ...]
    totals: Mapping[int, int]
    planned: int
    schedule: tuple[int, ...]


@dataclass(frozen=True)
class PadScoredHand(PadHand):
    """A scored hand that becomes the open one when what completed it is taken back (replay, readback, sheet_panel)."""

    prefix: str
    #: Which blind hand it is; 0: none.
    blind: int
    counting: tuple[int, ...] | None
    steps: Mapping[str, Step]
    #: The ask that was written last.
    last: str
    entries: Mapping[str, EntryRef]
    #: By seat. The scripts put null where the site has not said it yet.
    points: Mapping[int, int]
    event: int
    misdeals: tuple[EntryRef, ...]
    was: TableBefore | None = None


@dataclass(frozen=True)
class TableNext:
    """The table as the hand after the open one finds it, where that was noted (replay)."""

    seats: tuple[int, ...]
    planned: int
    schedule: tuple[int, ...]
    #: Of who joins then: those whose lowest total they start with.
    starts: Mapping[int, tuple[int, ...]]
    names: Mapping[int, str]
    badges: Badges
    #: The number of the next event.
    event: int


@dataclass(frozen=True)
class PadCorrection:
    """The corrections of the open hand, by version (replay). One is taken back as a whole."""

    by: tuple[int, ...]
    #: The latest that can be taken back; None: none can.
    back: int | None
    #: Its name.
    what: str


@dataclass(frozen=True)
class SeatingChange:
    """Who came or went last, as far as it can be taken back (replay). `noted`: for after the open hand."""

    entry: EntryRef
    noted: bool
    says: Parts


@dataclass(frozen=True)
class PadBeside:
    """A draw at the bottom, or a ruling, that stands beside the blind hand (replay). `what` it is called."""

    entry: EntryRef
    what: str


@dataclass(frozen=True)
class PadRemark:
    """A sentence beside the totals while the lowest total is from `low` to `high` (bidding_view).

    `early`: only while bids are written; beside the tricks there is no room for it.
    """

    says: Parts
    low: int
    high: int | None
    early: bool = False

    def holds(self, lowest: int) -> bool:
        """Whether it is so while that is the lowest total."""
        return self.low <= lowest and (self.high is None or lowest <= self.high)


@dataclass(frozen=True)
class PadCallOut:
    """The call-out of the last hand that gets a line of its own (bidding_view)."""

    hand: int
    #: The anchor in the glossary, and the term.
    call: str
    term: str
    seats: tuple[int, ...]
    #: (page)
    reason: str


@dataclass(frozen=True, kw_only=True)
class PadState:
    """What is written down next, and all a phone needs to go on by itself up to the last planned hand."""

    #: The version of this description (store).
    shape: int = SHAPE

    # Which state of which sheet this is (store, session, restored)

    version: int
    #: Generation of the database, and the version with which it began there (`scoresheets.caches.generation`).
    generation: str
    restored: int
    #: When the last entry was written.
    when: str | None
    #: Where the scorekeeper is led, if nothing more is written on the pad (session).
    go: str | None

    # The table (every script)

    game: str
    #: How many hands; 0: it is a race.
    planned: int
    #: The hand after which the table stops, where that was announced.
    last: int | None
    #: The cards of every planned hand.
    schedule: tuple[int, ...]
    seats: tuple[int, ...]
    names: Mapping[int, str]
    #: (bidding_view, prompts)
    badges: Badges
    totals: Mapping[int, int]
    #: Whether there are totals to box and circle: not where a rubber has just begun.
    marked: bool
    #: Whether the box is round the lowest total (view_parts, sheet_panel).
    lowest_wins: bool

    # The open hand, and those to come (every script)

    #: What the asks of a blind hand begin with.
    prefix: str
    #: Which blind hand it is; 0: none.
    blind: int
    #: The seats whose points count in a blind hand.
    counting: tuple[int, ...] | None
    #: Those still to come, the open one first, or the one blind hand; empty: nothing is written here.
    hands: tuple[PadHand, ...]
    #: What is written in the open hand. The scripts put the key of a post in the place of an entry it will make.
    steps: Mapping[str, Step]
    entries: Mapping[str, EntryRef]
    changed: PadCorrection | None
    #: The number of the next event before the open hand.
    event: int
    #: What has no place on the sheet since a correction, in a sentence (session).
    loose: str
    #: The last misdeal before the open hand, and all of them.
    misdeal: EntryRef | None
    misdeals: tuple[EntryRef, ...]

    # What can be taken back, and what was noted (replay)

    #: The last scored hand; with `whole` all that can be gone back over.
    back: tuple[PadScoredHand, ...]
    happened: SeatingChange | None
    #: In the order in which they were written.
    beside: tuple[PadBeside, ...]
    #: What was noted for after the open hand, in sentences in parts.
    noted: tuple[Parts, ...]
    then: TableNext | None
    #: Whether the game was stopped early.
    stopped: bool

    # What is said (bidding_view)

    remarks: tuple[PadRemark, ...]
    #: (page) Whether call-outs are hidden.
    quiet: bool
    callout: PadCallOut | None
    #: Signs beside the totals, each with its words: late in the game only.
    signs: Mapping[int, list[list[str]]]
    #: What a blind hand is for, where that is not the lead. The key is `for`.
    for_what: str | None = field(default=None, metadata={"key": "for"})

    # Standing by place (by_place, replay)

    #: By seat, where the totals alone do not tell them: as of the last answer. Where a phone has scored a hand since,
    #: it goes by the totals until the site has told the places again, and so after a hand that is taken back.
    places: Mapping[int, int] | None = None
    #: The points of the last scored hand, by seat; None: there is none, or a phone cannot know them.
    change: Mapping[int, int] | None = None
    #: How many bids each seat has made, and of how many; None: the game has none. Scripts count on by bid and tricks.
    made: Mapping[int, tuple[int, int]] | None = None
    #: What those in the circle and those next to the box need near the end, in sentences in parts. They are about what
    #: stood at the last answer: a script drops them as soon as something of that is changed, swept away or taken back.
    #: More bids leave them true.
    needs: tuple[Parts, ...] = ()

    # The way back over all hands, with a poll only (store, replay)

    #: By version: what each revision has put away. Also for one revision, with the answer to a post.
    brings: Mapping[int, list[WithdrawnEntry]] | None = None
    whole: bool = False


@dataclass(frozen=True)
class PadAsk:
    """An ask of the open hand; `what` is its name in parts (prompts)."""

    name: str
    optional: bool
    what: Parts


@dataclass(frozen=True)
class HandWords:
    """What the game's page shows of a hand, and what cannot be meant in it: `Game.shows`, `Game.shut` (prompts)."""

    shows: Mapping[str, str]
    shut: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PromptState(PadState):
    """The state of a pad of prompts, which knows more (prompts)."""

    #: Of the open hand in order; after the last hand those of the last.
    asks: tuple[PadAsk, ...]
    shows: Mapping[str, str]
    shut: tuple[str, ...]
    #: `shows` and `shut` before anything was written.
    begins: HandWords
    #: Whether what stands was written in another order than the asks have now (prompts).
    reordered: bool
    #: The steps of the open hand in words, in parts.
    step_texts: Mapping[str, Parts] = field(metadata={"key": "texts"})
    #: What goes on for so many minutes (timer, `scoresheets.pad.timer`).
    clock: Mapping[str, object] | None
    #: The rubbers or games won.
    legs: Mapping[int, int] | None


class PadPage(TypedDict, total=False):
    """What never changes while the page is open: once with the page. A game adds the tables of its `Game.look_up`."""

    code: str
    #: The addresses of what the scripts post and ask for, by name.
    urls: dict[str, str]
    #: The glossary.
    words: str
    #: Who leads and speaks first: `Game.leading`, `Game.speaks_first` (prompts).
    leads: bool
    leader_in: tuple[str, str] | None
    speaks_first: str
    #: By least difference of bids and cards: term and anchor; points by bid and tricks; whether the last bid may not be
    #: taken back (bidding_state, bidding_view).
    sums: list[Any]
    worth: list[list[int]]
    last_stands: bool
    #: What `Game.shows` says of each value of an ask: `kinds`, `alone`, `together` (prompts).
    shown: dict[str, Any]


class Notice(TypedDict, total=False):
    """A sentence about what happened elsewhere, also in parts; with the version of it where it can be put away."""

    version: int
    says: str
    parts: Parts


class HelpCall(TypedDict):
    """Whether the table `asks` for the organiser, a line of the heading, and a mark that changes with it (session)."""

    asks: bool
    says: str
    mark: str


class PageData(TypedDict):
    """What is in the page for the scripts (session, other_phones)."""

    pad: dict[str, Any]
    page: PadPage
    #: Who is the active scorekeeper; None: this phone.
    scorekeeper: Notice | None
    #: What another phone wrote in the place of what this one did.
    overruled: Notice | None
    called: HelpCall
    #: What was corrected just now on another page.
    changed: Notice | None


class PollAnswer(TypedDict):
    """What a poll is answered where the sheet has moved on (session)."""

    version: int
    #: (page) By this the pages of whoever is not the active scorekeeper poll.
    edition: str
    #: (page)
    at: str
    pad: dict[str, Any]
    #: What another phone wrote last, and the same in parts.
    news: str
    in_parts: Parts | None
    scorekeeper: Notice | None
    overruled: Notice | None
    called: HelpCall


class PostAnswer(TypedDict, total=False):
    """What a post is answered (outbox, session, restored): what every one has, then what was written, or why not."""

    version: int
    #: (page)
    at: str
    pad: dict[str, Any]
    #: The rendered part of the running sheet.
    row: str

    #: The version that was made, and when.
    wrote: int
    #: (page)
    verb: str
    when: str
    #: By hand and ask.
    entries: dict[str, EntryRef]

    #: A sentence; `code` where this phone may not write any more, which a poll is answered too.
    problem: str
    code: str
    problems: list[dict[str, Any]]
    #: Whether it is taken when it is sent again with `sure`.
    unwise: bool
    #: What stands there (conflict.js): `scoresheets.corrections.conflict`.
    conflict: dict[str, Any]


def as_json(state: Any) -> Any:
    """A value of this module as JSON has it; None and False that are defaults are left out."""
    if isinstance(state, tuple):
        return [as_json(value) for value in state]
    keys = keys_of(type(state))  # type: ignore[arg-type]  # mypy takes no class of Any for hashable
    if not keys:
        return state
    values = vars(state)
    return {
        key: as_json(value)
        for name, key, default in keys
        if (value := values[name]) is not default or value not in (None, False)
    }


@cache
def keys_of(kind: type) -> tuple[tuple[str, str, Any], ...]:
    """Of a class of this module: each of its fields, the key in JSON, and the default. Of others: nothing."""
    if not is_dataclass(kind):
        return ()
    return tuple((key.name, key.metadata.get("key", key.name), key.default) for key in fields(kind))
