"""The card of a group: its running standing, with the line below the last place that goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.models import Stage
from clubs.play_offs.next_round import Ahead
from clubs.play_offs.table_state import Seated, StageNow, TableNow
from rules.core.numbers import bare, spelled
from rules.core.outcome import Tie
from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.sheet.summary import Glance
from scoresheets.wording.markup import listed, name_shown, without_indents

Side = Stage.Side
#: Whoever went home early is beside the standing.
GONE = "gone"
#: Groups as they were rendered last: letters in all.
cards: VersionedCache[SafeString] = VersionedCache(2_000_000)


@dataclass(frozen=True)
class Line:
    """A line in the standing: after so many people (`after`), with what it says; it may go `through` equal people."""

    after: int
    says: str
    through: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the standing. `margin` is told small: what they are above the line, or behind it.

    `key` is a word for the row in the page, by which the reader's own is lit. `side` is where they go if it ended now.
    """

    key: str
    #: What they are called on the page: a card is told from another by it.
    name: str
    seated: Seated
    margin: str = ""
    side: str = ""
    tied: bool = False
    lines: tuple[Line, ...] = ()
    #: What settled a tie of theirs: "blind hand +5".
    settled: tuple[str, ...] = ()


@dataclass(frozen=True)
class TieShown:
    """People who are equal across a line after the last hand, in a sentence, and what settles it."""

    says: SafeString
    settled_by: str


@dataclass(frozen=True)
class Card:
    """Everything that is drawn of a group. One that says the same looks the same: it is rendered once."""

    pk: int
    name: str
    watch: str
    how_far: str
    stops: str
    #: That it plays more or fewer hands than the others.
    length: str
    is_blank: bool
    ties: tuple[TieShown, ...]
    rows: tuple[Row, ...]
    #: Who went home early, with what.
    gone: tuple[tuple[str, int], ...]


def rendered_card(card: Card) -> SafeString:
    """The group as it stands on the page, without indents."""
    drawn = cards.get(card)
    if drawn is None:
        drawn = SafeString(without_indents(render_to_string("clubs/play_offs/group.html", {"cut": card})))
        cards.put(card, drawn, size=len(drawn))
    return drawn


def told_to_stop(glance: Glance) -> str:
    """After which hand a table was told to stop, in a sentence; "" where it was not."""
    if glance.has_passed_it:
        return f"Hand {glance.last_hand} is scored: this table stops now."
    return f"Stops after hand {glance.last_hand}." if glance.last_hand else ""


@dataclass(frozen=True)
class TableShown:
    """A table of a play-off as it is followed."""

    now: TableNow

    @property
    def name(self) -> str:
        return str(self.now.table)

    @property
    def is_blank(self) -> bool:
        """Whether no hand is scored yet: everybody is equal, and it says nothing."""
        return self.now.glance.reading.next_hand == 1 and not self.now.is_over

    @cached_property
    def seated(self) -> Sequence[Seated]:
        """Who counts, in running order."""
        return [person for person in self.now.people if person.fate != GONE]

    @property
    def gone(self) -> Sequence[Seated]:
        """Who went home early: no final is theirs."""
        return [person for person in self.now.people if person.fate == GONE]


@dataclass(frozen=True)
class CutShown(TableShown):
    """A table of groups with its lines."""

    stage: StageNow
    ahead: Ahead
    length: str = ""

    @property
    def html(self) -> SafeString:
        """The group as it stands on the page."""
        glance = self.now.glance
        how_far = "settled" if self.now.is_over and self.now.is_settled else glance.heading
        return rendered_card(Card(
            self.now.table.pk, self.name, glance.sheet.watch, how_far, told_to_stop(glance),
            self.length, self.is_blank,
            tuple(self.ties), tuple(self.rows), tuple((person.shown, person.total) for person in self.gone),
        ))  # fmt: skip

    @property
    def high(self) -> int:
        """So many on top go on (or are safe, on the losers' side)."""
        stage, many = self.stage.stage, len(self.seated)
        if stage.side == Side.LOSERS:
            return max(many - (stage.places or 0), 0)
        return min(stage.places or 0, many)

    @property
    def low(self) -> int | None:
        """So many at the bottom go to the losers' table; None where there is but one line."""
        stage = self.stage.stage
        if stage.side != Side.ALL:
            return None
        wanted = stage.play_off.losers_count
        many = len(self.seated)
        return None if wanted is None else min(wanted, many - self.high)

    @cached_property
    def lines(self) -> list[Line]:
        """The lines, the upper first; none where everybody goes the same way."""
        many, lines = len(self.seated), []
        equal = {frozenset(tie) for tie in self.equal}
        if 0 < self.high < many:
            lines.append(Line(self.high, self.says_upper, self.cuts_through(self.high, equal)))
        if self.low and 0 < many - self.low < many and many - self.low != self.high:
            after = many - self.low
            lines.append(Line(after, f"Below it: to {self.ahead.below}", self.cuts_through(after, equal)))
        return lines

    def cuts_through(self, after: int, equal: set[frozenset[int]]) -> bool:
        """Whether the line after so many runs through people who are equal."""
        pair = {self.seated[after - 1].player, self.seated[after].player}
        return any(pair <= tie for tie in equal)

    @property
    def says_upper(self) -> str:
        """What the first line parts."""
        if self.stage.stage.side == Side.LOSERS:
            return "Above it: safe"
        return f"{spelled(self.high).capitalize()} to {self.ahead.through}"

    @property
    def equal(self) -> list[tuple[int, ...]]:
        """Those who are equal across a line as it stands now."""
        return [tie.players for tie in self.now.cut.ties]

    @cached_property
    def tied(self) -> set[int]:
        return set() if self.is_blank else {player for tie in self.equal for player in tie}

    @property
    def rows(self) -> list[Row]:
        """The standing, each row with the lines that are drawn below it."""
        rows = []
        for at, seat in enumerate(self.seated, 1):
            below = tuple(line for line in self.lines if line.after == at) if not self.is_blank else ()
            tied = seat.player in self.tied
            # After the last hand only those are told how far they are who are equal: all others know where they go.
            is_sure = self.now.is_settled or (self.now.is_over and not tied)
            margin = "" if self.is_blank or is_sure else self.margin(at, seat)
            rows.append(
                Row(self.key(seat), seat.shown, seat, margin, self.side(at), tied, below, settled_at(self.now, seat))
            )
        return rows

    def key(self, seated: Seated) -> str:
        return f"t{self.now.table.pk}-{seated.seat}"

    def side(self, at: int) -> str:
        """Where whoever is there now would go."""
        if self.is_blank or not self.lines:
            return ""
        if at <= self.high:
            return "through"
        return "below" if self.low is None or at > len(self.seated) - self.low else "out"

    def margin(self, at: int, seated: Seated) -> str:
        """How far they are from the line, the one above them where there are two: "3 above", "2 behind"."""
        if not self.lines or not 0 < self.high < len(self.seated):
            return ""
        if seated.player in self.tied:
            return "tied"
        if at <= self.high:
            return f"{seated.total - self.seated[self.high].total} above"
        lower = len(self.seated) - self.low if self.low else len(self.seated)
        last = self.seated[(lower if at > lower else self.high) - 1]
        return f"{last.total - seated.total} behind"

    # -- a tie ---------------------------------------------------------------------------------------------

    @property
    def ties(self) -> list[TieShown]:
        """What is to be settled here before anybody can go on: nothing while hands are played."""
        if not self.now.is_over or self.now.is_settled:
            return []
        return [TieShown(self.says_of(tie), self.settled_by(tie)) for tie in self.now.cut.ties]

    def says_of(self, tie: Tie) -> SafeString:
        """Who is equal, with what, and how many of them go over the line."""
        by_player = {seated.player: seated for seated in self.seated}
        names = listed([format_html("<b>{}</b>", name_shown(by_player[player].shown)) for player in tie.players])
        total = by_player[tie.players[0]].total
        many = "one" if tie.places == 1 else spelled(tie.places)
        to = f"go to {self.ahead.below}" if tie.edge == "below" else "go through"
        to = to.replace("go ", "goes ", 1) if tie.places == 1 else to
        return format_html("{} are tied at {}, and {} of them {}.", names, bare(total), many, to)

    def settled_by(self, tie: Tie) -> str:
        """What settles it: as the sheet says, else the organiser."""
        waits_for = self.now.glance.line_waits_for
        if waits_for == "tie-break":
            return "A blind hand settles it: the whole table plays, and only they count."
        if waits_for == "draw":
            which, to = ("lowest", f"to {self.ahead.below}") if tie.edge == "below" else ("highest", "through")
            return f"They draw a card each, and the {which} {'goes' if tie.places == 1 else 'go'} {to}."
        return "An organiser says who goes through."


def settled_at(table: TableNow, seated: Seated) -> tuple[str, ...]:
    """What blind hands and cards have brought them after the last hand; nothing while hands are played."""
    verdict = table.glance.verdict if table.is_over else None
    return tuple(verdict.what_settled(seated.seat)) if verdict else ()
