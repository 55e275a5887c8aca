"""Values of the running sheet: its columns, and its hands with a cell for each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from scoresheets.results.callouts import HandCallOut, Sign
from scoresheets.results.match import LegWon
from scoresheets.sheet.notes import ShownNote
from scoresheets.sheet.open_hand import Wrote
from scoresheets.wording.badges import Badge
from scoresheets.wording.markup import SUITS

#: From so many columns on a phone cuts their names off, after about so many letters.
NARROW, LETTERS = 4, 6


@dataclass(frozen=True)
class Column:
    """A seat that was ever at the table. `gone`: who sat there has gone home.

    `took_over`: from whom, and from which hand on, where the seat has changed hands.
    """

    seat: int
    name: str
    gone: bool
    badge: Badge
    took_over: tuple[tuple[str, int], ...] = ()


def begin_alike(columns: Sequence[Column]) -> bool:
    """Whether some of their names would be the same where they are cut off."""
    cut = [column.name.casefold()[:LETTERS] for column in columns if len(column.name) >= LETTERS]
    return len(columns) >= NARROW and len(set(cut)) < len(cut)


def stroke_of(total: int) -> int:
    """Which of the three strokes goes round a total: the same on the sheet, on its curve and in pictures."""
    return 0 if total % 3 == 0 else 1 if total % 2 == 0 else 2


@dataclass(frozen=True)
class Cell:
    """One seat in one row.

    `kind`: `total`, or of the hand being played `said` (something is sure of it), `next` (whose turn it is) and
    `waiting`, or of a row that does not count for this seat `blank`, or `absent` (not at the table yet), or `left`
    (gone home). `points` are those of the hand, `small` stands beside the total, line by line; `aloud` says both in
    words, and `missed` that something was set out for and not got. `plus` is what a blind hand brought and `card` the
    rank that was drawn: both stand beside the total, which stays. `why` is the address of the reason.
    """

    seat: int
    kind: str
    total: int | None = None
    boxed: bool = False
    circled: bool = False
    points: str = ""
    small: tuple[SafeString, ...] = ()
    aloud: str = ""
    missed: bool = False
    plus: str = ""
    card: str = ""
    signs: tuple[Sign, ...] = ()
    why: str = ""

    @property
    def before(self) -> str | None:
        """What is said aloud before the one thing that stands there: "bids " before a 2. None: it is not like that."""
        if self.points or len(self.small) != 1 or not self.aloud.endswith(self.small[0]):
            return None
        return self.aloud.removesuffix(self.small[0])

    @property
    def is_long(self) -> bool:
        """Whether the total has four signs or more."""
        return self.total is not None and not -100 < self.total < 1000


@dataclass(frozen=True)
class TableLine:
    """A row of the table with a cell for every column.

    `kind`: `hand`, `now` (being played), `tie`, `draw` or `carried`. `head` is said instead of a number and `beside`
    next to it. A hand in which nobody speaks in turn has `next_question` while it is played, and cells only
    where the game says something of somebody already.
    """

    kind: str
    cells: tuple[Cell, ...]
    number: int = 0
    head: str = ""
    cards: int = 0
    trump: str = ""
    dealer: str = ""
    beside: str = ""
    next_question: str = ""

    #: Columns of what is asked next.
    across: int = 1

    @property
    def is_all_totals(self) -> bool:
        """Whether everybody has a total in it, as in nearly every scored hand."""
        return bool(self.cells) and all(cell.kind == "total" for cell in self.cells)

    @property
    def suit(self) -> str:
        """The sign of the trump suit; "" for no trump, and where none was noted."""
        return SUITS.get(self.trump, "")

    @property
    def suit_is_red(self) -> bool:
        return self.trump in ("D", "H")

    @property
    def is_no_trump(self) -> bool:
        return self.trump == "NT"


@dataclass(frozen=True)
class Part:
    """One hand on the sheet, as a `<tbody>`.

    `key` is its anchor (`hand-7`, `tie-1`, `draw-1`, `end`); `happened` are sentences about what came before it.
    `line` is None where only something happened. `called` and `notes` are opened by a tap, as are bids and tricks on
    a narrow page; `words` is the address of the page that explains them. `opens` is the address that opens the row
    where there is no script. `remark` is what the game must say about the hand; `leg` says who has won one by it.
    `written` is what was written in the open hand, where its cells do not tell. `page` is the game's own page, in which
    it may say how its rows look. `changed` says what of the hand was corrected just now.
    """

    key: str
    line: TableLine | None
    happened: tuple[SafeString, ...] = ()
    called: HandCallOut | None = None
    words: str = ""
    notes: tuple[ShownNote, ...] = ()
    is_open: bool = False
    opens: str = ""
    remark: str = ""
    leg: LegWon | None = None
    written: tuple[Wrote, ...] = ()
    page: str = ""
    changed: str = ""
