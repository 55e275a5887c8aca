"""The result of a sheet as an image to send: an SVG that looks like the paper, which a phone turns into a PNG.

The width of a letter depends on the phone that draws it. So widths are estimated on the wide side, and text that does
not fit goes to a second line or is shortened.
"""

from __future__ import annotations

import datetime
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils.formats import date_format

from rules.core.numbers import bare
from scoresheets.files.sheet_file import played_on
from scoresheets.log.state import SheetReading
from scoresheets.results.match import Match
from scoresheets.results.remarks import remarks_held
from scoresheets.results.verdict import verdict_of
from scoresheets.score_curve.curve import ScoreCurve
from scoresheets.score_curve.drawing import CurveDrawing, DrawnLine
from scoresheets.sheet.parts import stroke_of
from scoresheets.wording.badges import Badge, badges_of
from scoresheets.wording.graphemes import clean, letters
from scoresheets.wording.markup import as_text, capital

#: All in pixels of the picture.
WIDTH, MARGIN = 1080, 64
NAME_WIDTH, NAME_SIZE, LINE = 576, 46, 54
BADGE_X, NAME_X = 136, 212
MARK_WIDTH, MARK_HEIGHT = 150, 78
CURVE_MARGIN = 24
#: How wide a letter is at most, in parts of its size.
NARROW, USUAL, BROAD, WIDE = 0.42, 0.64, 0.8, 1.05
ELLIPSIS = "…"


def width_of(text: str, size: float) -> float:
    """About how wide the text is drawn, rather too wide than too narrow.

    >>> width_of("Wim", 10) > width_of("Ann", 10) > width_of("il.", 10)
    True
    """
    return size * sum(width_of_letter(letter) for letter in letters(text))


def width_of_letter(letter: str) -> float:
    sign = letter[0]
    if unicodedata.east_asian_width(sign) in "WF" or len(letter) > 2:
        return WIDE
    if sign in "mwMW@%—…":
        return WIDE
    if sign in " iljtfrI.,:;!|'’-()":
        return NARROW
    return BROAD if sign.isupper() else USUAL


def wrapped(text: str, width: float, size: float, *, most: int = 2) -> list[str]:
    """The text in at most so many lines of that width, between words where it fits like that.

    What is left over ends in an ellipsis.

    >>> wrapped("Ann", 400, 46), len(wrapped("Ann " * 30, 300, 46))
    (['Ann'], 2)
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    lines = [line for line in lines if line]
    if any(width_of(line, size) > width for line in lines):
        lines = [line.strip() for line in broken(text, width, size)]
    if len(lines) <= most:
        return lines
    last = letters(lines[most - 1])
    while last and width_of("".join(last) + ELLIPSIS, size) > width:
        last.pop()
    return [*lines[: most - 1], "".join(last) + ELLIPSIS]


def broken(text: str, width: float, size: float) -> Iterator[str]:
    """The text in pieces no wider than a line, wherever that breaks it."""
    piece = ""
    for letter in letters(text):
        if piece and width_of(piece + letter, size) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece


@dataclass(frozen=True)
class TextLine:
    """A line of text and the height at which it stands."""

    y: float
    text: str


@dataclass(frozen=True)
class PictureRow:
    """One player: `y` is the middle of the row, `shape` chooses the stroke, as on the sheet."""

    y: float
    top: float
    place: str
    badge: Badge
    name: tuple[TextLine, ...]
    more: TextLine | None
    total: str
    boxed: bool
    circled: bool
    shape: int
    #: Their line on the score curve, of which a piece stands beside the total.
    drawn: DrawnLine | None = None

    @property
    def mark_y(self) -> float:
        """Where the stroke begins."""
        return self.y - MARK_HEIGHT / 2


@dataclass(frozen=True)
class Picture:
    """Everything on the picture, from the top down."""

    reading: SheetReading

    width = WIDTH
    margin = MARGIN
    badge_x, name_x = BADGE_X, NAME_X
    right = WIDTH - MARGIN
    mark_x = WIDTH - MARGIN - MARK_WIDTH
    stroke_x = WIDTH - MARGIN - MARK_WIDTH - 82
    stroke_end = WIDTH - MARGIN - MARK_WIDTH - 16
    mark_middle = WIDTH - MARGIN - MARK_WIDTH / 2

    @property
    def name(self) -> str:
        """What the picture is called: the title of the sheet, else the game."""
        return clean(self.reading.record.title or self.reading.game.name)

    @cached_property
    def title(self) -> list[TextLine]:
        lines = wrapped(self.name, WIDTH - 2 * MARGIN, 64)
        return [TextLine(MARGIN + 60 + 72 * at, line) for at, line in enumerate(lines)]

    @property
    def day(self) -> datetime.date:
        return played_on(self.reading.record)

    @property
    def about_y(self) -> float:
        return self.title[-1].y + 50

    @property
    def about(self) -> str:
        """The game where the title does not say it, how far it has come where it is not over, and the day."""
        sheet = self.reading.sheet
        planned = self.reading.game.planned_hands(sheet.table)
        game = self.reading.game.name
        of = f" of {planned}" if planned else ""
        if sheet.settlement is None:
            stage = f"after hand {sheet.table.hands_done}{of}"
        else:
            stage = "" if sheet.finished else "not settled yet"
        text = ", ".join(part for part in (game if self.name != game else "", stage) if part)
        return " · ".join(part for part in (capital(text), date_format(self.day, "j F Y")) if part)

    @cached_property
    def ended(self) -> list[TextLine]:
        """Who won and who lost, a sentence each; before the end what has to be said beside the circle."""
        names = {seat: clean(name) for seat, name in self.reading.names.items()}
        sheet = self.reading.sheet
        sentences = []
        verdict = verdict_of(self.reading)
        if verdict and sheet.winner is not None:
            sentences.append(f"{names[sheet.winner]} {verdict.wins}.")
        elif verdict and verdict.shared:
            first = [names[seat] for seat in verdict.shared]
            sentences.append(f"{', '.join(first[:-1])} and {first[-1]} share first place.")
        elif verdict and verdict.is_group:
            sentences.append(clean(as_text(verdict.winner_aloud)))
        if sheet.loser is not None:
            sentences.append(f"{names[sheet.loser]} takes the circle.")
        if self.reading.withheld:
            sentences.append(self.reading.withheld.sentence)
        if sheet.open:
            held = remarks_held(self.reading, sheet.table, self.reading.names)
            sentences += [clean(as_text(remark)) for remark in held]
            if strip := Match(self.reading).strip:
                sentences.append(clean(as_text(strip)))
        lines = [line for sentence in sentences for line in wrapped(sentence, WIDTH - 2 * MARGIN, 48, most=3)]
        return [TextLine(self.about_y + 78 + 60 * at, line) for at, line in enumerate(lines)]

    @cached_property
    def rows(self) -> list[PictureRow]:
        """Everybody by place."""
        y = (self.ended[-1].y if self.ended else self.about_y) + 44
        rows = []
        badges = badges_of(self.reading)
        strokes = {drawn.line.seat: drawn for drawn in self.drawing.lines} if self.drawing.curve.has_hands else {}
        for place, name, total, boxed, circled, more, seat in self.places:
            lines = wrapped(clean(name), NAME_WIDTH, NAME_SIZE)
            tall = LINE * len(lines) + (40 if more else 0) + 44
            top = y
            names = tuple(TextLine(top + 22 + LINE * (at + 0.78), line) for at, line in enumerate(lines))
            beside = TextLine(names[-1].y + 40, wrapped(more, NAME_WIDTH, 30, most=1)[0]) if more else None
            middle = top + tall / 2
            mark, line = stroke_of(total), strokes.get(seat)
            rows.append(
                PictureRow(middle, top, place, badges[seat], names, beside, bare(total), boxed, circled, mark, line)
            )
            y += tall
        return rows

    @property
    def places(self) -> Iterator[tuple[str, str, int, bool, bool, str, int]]:
        """Place, name, total, box, circle, what is to be said, and the seat of everybody."""
        sheet, verdict = self.reading.sheet, verdict_of(self.reading)
        if verdict:
            for placed in verdict.places:
                place = f"{placed.place}." if placed.place else "–"
                more = ", ".join(placed.more)
                yield place, placed.name, placed.total, placed.boxed, placed.circled, more, placed.seat
            return
        match, beside = Match(self.reading), self.reading.game.beside_places(sheet.table)
        for placing in sheet.placings:
            seat = placing.seat
            more = match.counted(placing.score) if match.has_legs else beside.get(seat, "")
            yield (
                f"{placing.place}.", self.reading.names[seat], sheet.totals[seat], seat in sheet.boxed,
                seat in sheet.circled, more, seat,
            )  # fmt: skip

    @property
    def bottom(self) -> float:
        """Where the last row ends."""
        last = self.rows[-1]
        return 2 * last.y - last.top

    @cached_property
    def drawing(self) -> CurveDrawing:
        """The score curve, as wide as the picture."""
        return CurveDrawing(ScoreCurve(self.reading), width=WIDTH - 2 * MARGIN)

    @property
    def curve_y(self) -> float:
        """Where the score curve begins."""
        return self.bottom + CURVE_MARGIN

    @property
    def foot(self) -> float:
        """Where rows and curve end. Without a hand there is no curve."""
        curve = self.drawing.height + 2 * CURVE_MARGIN if self.drawing.curve.has_hands else 0
        return self.bottom + curve

    @property
    def height(self) -> float:
        return self.foot + 120
