"""The preview of a sheet: how it stands, or how it ended."""

from __future__ import annotations

from hashlib import sha256

from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format

from rules.core.numbers import bare
from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.files.image import Picture
from scoresheets.files.sheet_file import played_on
from scoresheets.link_previews.preview import HeadTags, LinkPreview, PreviewRow
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Sheet
from scoresheets.results.match import Match
from scoresheets.results.verdict import Verdict, verdict_of
from scoresheets.score_curve.curve import CurvePoints, ScoreCurve
from scoresheets.sheet.outsiders import for_outsiders
from scoresheets.sheet.parts import stroke_of
from scoresheets.sheet.scoreboard import TableTop
from scoresheets.wording.badges import badges_of
from scoresheets.wording.markup import as_text, names_shown

#: More than so many names are counted, not named.
MOST_NAMED = 2
#: So many sheets have their preview kept by a process.
MOST_KEPT = 200

previews: VersionedCache[LinkPreview] = VersionedCache(MOST_KEPT)


def preview_of_sheet(sheet: Sheet, reading: SheetReading | None = None) -> LinkPreview:
    """The preview of the sheet as an outsider sees it now. It is read only where neither its reading is there nor its
    preview.
    """
    version = (sheet.edition, sheet.title, sheet.aliases_version, sheet.stakes)

    def make() -> LinkPreview:
        return preview_of(for_outsiders(reading or read_sheet(sheet)))

    return previews.get_or_make(sheet.code, version, make, lambda _: 1)


def tags_of_sheet(request: HttpRequest, sheet: Sheet, reading: SheetReading | None = None) -> HeadTags:
    """The preview of a page of the sheet. What is handed out is the address at which it can only be watched."""
    preview, watch = preview_of_sheet(sheet, reading), reverse("watch", args=[sheet.watch])
    path = preview.picture_at(reverse("watch_preview", args=[sheet.watch]))
    return HeadTags(preview, request.build_absolute_uri(watch), request.build_absolute_uri(path), path)


def preview_of(reading: SheetReading) -> LinkPreview:
    verdict = verdict_of(reading)
    title, *more = outcome(verdict) if verdict else progress(reading)
    return LinkPreview(title, about(reading), " ".join(more), tuple(rows_of(reading)), mark_of_curve(reading))


def mark_of_curve(reading: SheetReading) -> str:
    """What changes with the score curve: everybody's totals from hand to hand. No curve is drawn for it."""
    rows = reading.sheet.rows
    return sha256(repr([(row.hand.number, row.totals) for row in rows]).encode()).hexdigest()[:16] if rows else ""


def points_of_sheet(sheet: Sheet) -> CurvePoints:
    """What the score curve of the picture is drawn from. Two queries."""
    return ScoreCurve(for_outsiders(read_sheet(sheet))).points


def rows_of(reading: SheetReading) -> list[PreviewRow]:
    """Everybody by place; before the first hand is scored everybody has none."""
    badges = badges_of(reading)
    if not reading.sheet.table.hands_done:
        return [PreviewRow(reading.names[seat], badge=badges[seat]) for seat in sorted(reading.names)]
    return [
        PreviewRow(name, bare(total), place, boxed, circled, stroke_of(total), badges[seat])
        for place, name, total, boxed, circled, _, seat in Picture(reading).places
    ]


def about(reading: SheetReading) -> str:
    """The game, the title of the sheet, and the day."""
    parts = (reading.game.name, reading.record.title, date_format(played_on(reading.record), "j F Y"))
    return " · ".join(dict.fromkeys(part for part in parts if part))


def outcome(verdict: Verdict) -> list[str]:
    """The sentences of the end: who won, who takes the circle, and what is still open."""
    open_ends = [f"{end.title}: {as_text(end.text)}" for end in verdict.ends if end.state == "next"]
    ends = [as_text(sentence) for sentence in (verdict.winner_aloud, verdict.loser_aloud) if sentence]
    return [*ends, *open_ends] or [verdict.stopped or "The game is over."]


def progress(reading: SheetReading) -> list[str]:
    """How far it is, who leads and who is circled: "Hand 7 of 18, Jo leads with 33, Ida circled"."""
    heading, sheet = TableTop(reading).heading, reading.sheet
    if not sheet.boxed:
        beginning = heading if reading.entries else reading.game.name
        return [f"{beginning}: {as_text(names_shown(reading.names, sorted(reading.names)))}"]
    parts = [heading, leading(reading), circled(reading)]
    match, withheld = as_text(Match(reading).strip), reading.withheld.sentence if reading.withheld else ""
    return [", ".join(part for part in parts if part), *(part for part in (match, withheld) if part)]


def leading(reading: SheetReading) -> str:
    boxed = sorted(reading.sheet.boxed)
    verb = "leads" if len(boxed) == 1 else "lead"
    return f"{named(reading, boxed)} {verb} with {bare(reading.sheet.totals[boxed[0]])}"


def circled(reading: SheetReading) -> str:
    seats = sorted(reading.sheet.circled)
    return f"{named(reading, seats)} circled" if seats else ""


def named(reading: SheetReading, seats: list[int]) -> str:
    """These players by name, or how many they are."""
    return as_text(names_shown(reading.names, seats)) if len(seats) <= MOST_NAMED else f"{len(seats)} players"
