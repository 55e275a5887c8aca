"""The timeline of a sheet: its revisions in sentences, newest first, hand by hand.

The taps of a hand are one line that can be opened. Revisions that are no plain taps are shown in full: a correction, an
undo, a player who joined, a restore.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from rules.core.fields import SHEET, Address
from scoresheets.history.entry_links import LinkedEntryText
from scoresheets.log.entries import EntryHistory, LogEntry, entry_history
from scoresheets.log.state import SheetReading
from scoresheets.models import Revision, Scorekeeper, Sheet
from scoresheets.sheet.outsiders import may_be_read
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.labels import stem_of
from scoresheets.wording.markup import listed, name_shown

Verb = Revision.Verb

#: Writes on one page: a long evening.
MOST_ON_A_PAGE = 200
#: So many things of a hand are read aloud one by one, and so many hands of a write.
MOST_ALOUD, MOST_HANDS_ALOUD = 12, 6
#: What a way back discarded is still read where it was written.
LESS_ALOUD = 3
#: Every hand is full of them.
TAPS = (Verb.ENTER, Verb.AGREE)
#: They belong to the hand they were written in; everything else is told where it happened.
IN_ITS_HAND = (*TAPS, Verb.RETYPE, Verb.MISDEAL, Verb.ARRIVE, Verb.LEAVE, Verb.SUBSTITUTE, Verb.RESEAT)
#: Where the label of a verb does not read well after a name.
HEADS = {
    Verb.MISDEAL: "entered a misdeal", Verb.RETYPE: "had typed it wrong", Verb.CALL: "changed their name to this",
    Verb.RESTORE: "went back to just before", Verb.ARRIVE: "entered", Verb.LEAVE: "entered", Verb.SUBSTITUTE: "entered",
}  # fmt: skip


class RevisionRow(NamedTuple):
    """A write as its row has it."""

    version: int
    verb: str
    keeper: int
    name: str
    at: datetime.datetime
    why: str
    undoes: int | None
    undoes_at: datetime.datetime | None


@dataclass(frozen=True)
class RevisionText:
    """One write read aloud: "Marge had typed it wrong: hand 4: Ann’s bid 3 → 2".

    `writer` wrote it, `head` what was done, `parts` what that changed, hand by hand. `changes`: whether it changed the
    sheet, so that there is a way back to before it. `is_tap`: it is a bid or the like. `within`: the hand under which
    it is read.
    """

    version: int
    at: datetime.datetime
    writer: SafeString
    head: str
    parts: tuple[tuple[str, SafeString], ...]
    why: str
    changes: bool
    is_tap: bool
    before: datetime.datetime | None = None
    within: str = ""

    @property
    def is_about(self) -> SafeString:
        """What it changed, in a line; where, unless that is said above it."""
        parts = (
            format_html("{}: {}", where, text) if where and where != self.within else text for where, text in self.parts
        )
        return format_html_join("; ", "{}", ((part,) for part in parts))


@dataclass
class HandRevisions:
    """What was written while one hand was at the table; the newest first.

    `hand` is 0 for what belongs to no hand, None where the page begins in the middle of one.
    """

    hand: int | None
    revisions: list[RevisionText] = field(default_factory=list)

    @property
    def title(self) -> str:
        if self.hand:
            return f"Hand {self.hand}"
        if self.hand is None:
            return "In between"
        return "The start" if self.revisions[-1].version == 1 else "After the last hand"

    @property
    def taps(self) -> list[RevisionText]:
        return [revision for revision in self.revisions if revision.is_tap]

    @property
    def in_full(self) -> list[RevisionText]:
        """What stands out."""
        return [revision for revision in self.revisions if not revision.is_tap]

    @property
    def is_by_one(self) -> bool:
        """Whether one phone wrote all taps, so that it need not be said of each."""
        return len({revision.writer for revision in self.taps}) == 1

    @property
    def is_short(self) -> bool:
        """Whether it began and ended in the same minute."""
        return self.until.replace(second=0, microsecond=0) == self.since.replace(second=0, microsecond=0)

    @property
    def since(self) -> datetime.datetime:
        return self.revisions[-1].at

    @property
    def until(self) -> datetime.datetime:
        return self.revisions[0].at

    @property
    def first(self) -> RevisionText | None:
        """The write to go back to before, for the whole of it."""
        changing = [revision for revision in self.revisions if revision.changes]
        return changing[-1] if changing else None

    @property
    def kept_by(self) -> SafeString:
        """Who wrote the taps of the hand."""
        return listed(list(dict.fromkeys(revision.writer for revision in reversed(self.taps))))


@dataclass(frozen=True)
class History:
    """A page of it. `earlier` is the version from which the page before goes on, None on the first page."""

    stretches: tuple[HandRevisions, ...]
    earlier: int | None = None


def history_of(reading: SheetReading, *, by: Scorekeeper | None, before: int | None = None) -> History:
    """The writes of a sheet before the version `before`, None for the newest, in two queries.

    `by` is who reads: a phone without a name is this one or another one. None: somebody who looks on, and reads nothing
    of what is kept from them.
    """
    until = min(before - 1, reading.version) if before else reading.version
    since = max(until - MOST_ON_A_PAGE + 1, 1)
    writes = writes_of(reading.record, (since, until))
    past = entry_history(reading.record, between=(since, until))
    if by is None:
        shown = EntryHistory(tuple(row for row in past.rows if may_be_read(reading, row)))
        writes = [write for write in writes if touches(shown, write) or not touches(past, write)]
        past = shown
    revisions = revision_texts(reading, writes, past, by=by, links=by is not None)
    return History(tuple(grouped_by_hand(revisions)), since if since > 1 else None)


def touches(past: EntryHistory, write: RevisionRow) -> bool:
    """Whether it put something on the sheet or took something off."""
    return write.version in past.added or write.version in past.withdrawn


def writes_of(record: Sheet, between: tuple[int, int]) -> list[RevisionRow]:
    """The writes that made these versions, in order, in one query."""
    rows = Revision.objects.filter(sheet=record, version__range=between).order_by("version")
    return [
        RevisionRow(*row)
        for row in rows.values_list(
            "version", "verb", "keeper", "keeper__name", "at", "why", "undoes__version", "undoes__at"
        )
    ]


def revision_texts(
    reading: SheetReading,
    writes: Iterable[RevisionRow],
    past: EntryHistory,
    *,
    by: Scorekeeper | None,
    links: bool = False,
) -> list[tuple[int | None, RevisionText]]:
    """The writes read aloud, each with the hand it was written in (None: the same as before it).

    `links`: every value leads to where it is changed.
    """
    texts, revisions = LinkedEntryText(reading) if links else EntryText(reading), []
    for write in writes:
        new, old = past.added.get(write.version, []), past.withdrawn.get(write.version, [])
        revision = RevisionText(
            version=write.version,
            at=write.at,
            writer=who_shown(write, by),
            head=HEADS.get(Verb(write.verb)) or str(Verb(write.verb).label),
            parts=tuple(parts_of(texts, write, new, old)),
            why="" if write.verb == Verb.CALL else write.why,
            changes=bool(new or old) and write.version > 1,
            is_tap=write.verb in TAPS and not old,
            before=write.undoes_at if write.verb == Verb.RESTORE else None,
        )
        hands = [row.address[0] for row in (*new, *old)]
        revisions.append((max(hands) if hands and write.verb in IN_ITS_HAND else None, revision))
    return revisions


def grouped_by_hand(revisions: Sequence[tuple[int | None, RevisionText]]) -> list[HandRevisions]:
    """Hand by hand, the newest first. What came before the first bid belongs to the set-up, here hand 0."""
    stretches: list[HandRevisions] = []
    for hand, revision in revisions:
        at = stretches[-1].hand if stretches else None
        if not stretches:
            stretches.append(HandRevisions(SHEET if revision.version == 1 else hand))
        # What is no tap and about an earlier hand is told where it happened.
        elif hand is not None and hand != at and (revision.is_tap or hand > (at or SHEET)):
            stretches.append(HandRevisions(hand))
        within = stretches[-1].hand
        stretches[-1].revisions.append(replace(revision, within=f"hand {within}") if within else revision)
    for stretch in stretches:
        stretch.revisions.reverse()
    return stretches[::-1]


def who_shown(write: RevisionRow, by: Scorekeeper | None) -> SafeString:
    """Who wrote it: a name, or which phone."""
    if write.name:
        return name_shown(write.name)
    if by is None:
        return escape("a scorekeeper")
    return escape("this phone" if write.keeper == by.pk else "another phone")


# What a write changed


def parts_of(
    texts: EntryText, write: RevisionRow, new: Sequence[LogEntry], old: Sequence[LogEntry]
) -> Iterator[tuple[str, SafeString]]:
    """What a write changed, hand by hand: what is there instead of what, what came, what came back, what went."""
    if write.verb == Verb.CALL:
        yield "", format_html("<bdi>{}</bdi>", write.why)
        return
    if write.version == 1:
        yield from (("", format_html("{} deals first", texts.name(row.data["first_dealer"], 1))) for row in new)
        return
    replaced = {row.address: row for row in old}
    there = {row.address for row in new}
    by_hand: dict[str, HandChanges] = {}
    for row in in_sheet_order(texts, [*new, *(row for row in old if row.address not in there)]):
        changes = by_hand.setdefault(texts.where(row.address), HandChanges())
        if row.address not in there:
            changes.gone.append(what_it_says(texts, row))
        elif row.address in replaced:
            changes.new.append(instead_of(texts, row, replaced[row.address]))
        elif row.is_restored:
            changes.back.append(what_it_says(texts, row))
        elif row.data or stem_of(row.address[1]) != write.verb:
            # That it was a misdeal says the verb.
            changes.new.append(what_it_says(texts, row))
    most = LESS_ALOUD if write.verb == Verb.RESTORE else MOST_ALOUD
    shown = [(where, changes.shown(most, undone=write.verb == Verb.UNDO)) for where, changes in by_hand.items()]
    heard = [(where, changes) for where, changes in shown if changes]
    yield from heard[:MOST_HANDS_ALOUD]
    if len(heard) > MOST_HANDS_ALOUD:
        more = len(heard) - MOST_HANDS_ALOUD
        yield "", escape(f"and {more} more hand{'' if more == 1 else 's'}")


@dataclass
class HandChanges:
    """What a write changed in one hand: what is new there, what is there again, what is gone."""

    new: list[SafeString] = field(default_factory=list)
    back: list[SafeString] = field(default_factory=list)
    gone: list[SafeString] = field(default_factory=list)

    def shown(self, most: int, *, undone: bool) -> SafeString:
        """All of it, `most` things of a kind. What is gone because it was `undone` needs no more words."""
        parts = [
            format_html(words, some_of(texts, most))
            for words, texts in (
                ("{}", self.new), ("{}" if undone else "no longer {}", self.gone), ("again {}", self.back),
            )
            if any(texts)
        ]  # fmt: skip
        return format_html_join(", ", "{}", ((part,) for part in parts))


def in_sheet_order(texts: EntryText, rows: Iterable[LogEntry]) -> list[LogEntry]:
    """Hand by hand, what belongs to the sheet last; within a hand as the game asks for it, and seats by number."""
    order: dict[str, int] = {}
    for (stem, _), place in texts.fields.places.items():
        order[stem] = min(place, order.get(stem, place))

    def where(row: LogEntry) -> tuple[bool, int, float, str, Address]:
        hand, ask = row.address
        return hand == SHEET, hand, order.get(stem_of(ask), inf), stem_of(ask), row.address

    return sorted(rows, key=where)


def some_of(texts: Sequence[SafeString], most: int) -> SafeString:
    """Everything, or the first of it and how much more there is."""
    parts = [part for part in texts if part]
    shown = format_html_join(", ", "{}", ((part,) for part in parts[:most]))
    more = len(parts) - most
    return format_html("{} and {} more", shown, more) if more > 0 else shown


def what_it_says(texts: EntryText, row: LogEntry) -> SafeString:
    """What stands or stood at a place: "Ann’s bid 3"; whose name it is, and what it is now."""
    if stem_of(row.address[1]) == "sits":
        first = texts.reading.chairs.get(int(row.address[1].split("-")[1]))
        name = texts.reading.called(first.player, first.name) if first else ""
        return format_html("{} → {}", name_shown(name), texts.worth(row.address, row.data))
    return texts.reads(row.address, row.data, texts.worth(row.address, row.data))


def instead_of(texts: EntryText, row: LogEntry, before: LogEntry) -> SafeString:
    """From what to what, where they differ: "Ann’s bid 3 → 2"."""
    changes = texts.changed(row.address, before.data, row.data)
    if stem_of(row.address[1]) == "sits":
        return changes
    return texts.reads(row.address, row.data, changes) if changes else SafeString()
