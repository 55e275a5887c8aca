"""The picture of a preview: 1200 x 630, drawn as SVG and turned into a PNG on the server, because chats take no SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import resvg_py
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.files.image import ELLIPSIS, TextLine, width_of, wrapped
from scoresheets.link_previews.fonts import SANS, SERIF, font_files, has_other_letters
from scoresheets.link_previews.preview import LinkPreview, PreviewRow
from scoresheets.score_curve.curve import CurvePoints
from scoresheets.score_curve.drawing import CurveBand
from scoresheets.wording.graphemes import clean

#: All in pixels of the picture.
WIDTH, HEIGHT, MARGIN = 1200, 630, 60
TITLE_SIZES, TITLE_LINES = (60, 52, 44), 2
ROWS_TOP, ROWS_BOTTOM, TALLEST_ROW = 258, 548, 76
#: With a score curve below: the rows begin under a title of one line, are at least so high, and the curve is as high
#: as it can be up to so much. Where less is left for it there is none.
ROWS_TOP_ABOVE_CURVE, LEAST_ROW, TALLEST_ROW_ABOVE = 196, 48, 60
CURVE_BOTTOM, CURVE_GAP, LEAST_CURVE, TALLEST_CURVE = 620, 12, 150, 280
#: The word "Box & Circle": how wide it is, and where it stands below rows, and beside the small line over the title.
WORDMARK, WORDMARK_Y, WORDMARK_Y_ABOVE = 278, 568, 46
#: A badge takes so much of the size of its row, with the room beside it.
BADGE_HEIGHT, WIDE_BADGE, BADGE_WIDTH = 1.16, 1.42, 1.7
MARK_WIDTH, GAP = 132, 56
#: A place takes so much of the size of its row. These fonts are narrower than the widest a phone might have.
PLACE_WIDTH, NARROWER = 1.75, 0.88
#: A name that is too wide is written in these parts of its size: in one line, then in two.
SMALLER, TWO_LINES = (1, 0.86, 0.72), (0.62, 0.54, 0.46)
#: So many stand in one column, and in two.
ONE_COLUMN, TWO_COLUMNS = 5, 10
ONE_COLUMN_ABOVE_CURVE = 3
#: Bytes of all pictures that a process keeps.
MOST_KEPT = 2_000_000

pictures: VersionedCache[bytes] = VersionedCache(MOST_KEPT)


@dataclass(frozen=True)
class DrawnRow:
    """A row between `x` and `right`. `y` is its middle, `size` that of its figure, `name_size` that of its name."""

    row: PreviewRow
    x: float
    right: float
    y: float
    size: float
    name: list[TextLine]
    name_size: float
    name_x: float

    @property
    def letter_x(self) -> float:
        """The middle of the badge."""
        return self.name_x - (BADGE_WIDTH - WIDE_BADGE / 2) * self.size

    @property
    def badge_x(self) -> float:
        return self.letter_x - self.badge_width / 2

    @property
    def badge_height(self) -> float:
        return self.size * BADGE_HEIGHT

    @property
    def badge_width(self) -> float:
        is_wide = self.row.badge is not None and self.row.badge.is_wide
        return self.size * (WIDE_BADGE if is_wide else BADGE_HEIGHT)

    @property
    def badge_y(self) -> float:
        return self.y - self.badge_height / 2

    @property
    def corner(self) -> float:
        return self.badge_height / 2

    @property
    def letter_size(self) -> float:
        return self.badge_height * 0.64

    @property
    def figure_x(self) -> float:
        """The middle of the figure."""
        return self.right - MARK_WIDTH / 2

    @property
    def mark_x(self) -> float:
        return self.right - MARK_WIDTH

    @property
    def mark_scale(self) -> float:
        """Of a stroke that is 60 high."""
        return self.size * 1.42 / 60

    @property
    def mark_y(self) -> float:
        return self.y - 30 * self.mark_scale


@dataclass(frozen=True)
class PreviewPicture:
    """Everything on the picture, from the top down."""

    preview: LinkPreview
    points: CurvePoints | None = None

    width, height, margin = WIDTH, HEIGHT, MARGIN
    sans, serif = SANS, SERIF

    @cached_property
    def about(self) -> str:
        width = (WIDTH - 2 * MARGIN - WORDMARK - GAP) / NARROWER if self.curve else WIDTH - 2 * MARGIN
        return "".join(wrapped(self.preview.about, width, 30, most=1))

    @property
    def wordmark_y(self) -> int:
        return WORDMARK_Y_ABOVE if self.curve else WORDMARK_Y

    @property
    def wordmark_x(self) -> int:
        return WIDTH - MARGIN - WORDMARK

    @cached_property
    def curve(self) -> CurveBand | None:
        """The score curve below the rows; None: there is none, or no room for it under so many rows and lines."""
        points, lines = self.points, len(self.broken_title(self.preview.title, TITLE_SIZES[-1]))
        if points is None or len(self.preview.rows) > TWO_COLUMNS:
            return None
        top = self.rows_top_above(lines) + self.deep_above * LEAST_ROW
        room = CURVE_BOTTOM - CURVE_GAP - top
        if room < LEAST_CURVE:
            return None
        high = min(TALLEST_CURVE, max(LEAST_CURVE, room - self.deep_above * (TALLEST_ROW_ABOVE - LEAST_ROW)))
        return CurveBand(points, width=WIDTH - 2 * MARGIN, high=round(high))

    @property
    def curve_y(self) -> int:
        return CURVE_BOTTOM - self.curve.high if self.curve else HEIGHT

    @property
    def deep_above(self) -> int:
        """How many rows stand one below the other over a curve."""
        rows = len(self.preview.rows)
        return -(-rows // (1 if rows <= ONE_COLUMN_ABOVE_CURVE else 2))

    @staticmethod
    def rows_top_above(lines: int) -> float:
        """Where rows begin over a curve, under a title of so many lines."""
        return ROWS_TOP_ABOVE_CURVE + (lines - 1) * TITLE_SIZES[-1] * 1.16

    @cached_property
    def title_size(self) -> int:
        """The largest size in which the title needs no more than its lines."""
        text = self.preview.title
        if self.curve:
            # A line less is worth more than larger letters.
            one_line = (size for size in TITLE_SIZES if len(self.broken_title(text, size)) == 1)
            return next(one_line, TITLE_SIZES[-1])
        fitting = (size for size in TITLE_SIZES if not self.broken_title(text, size)[-1].endswith(ELLIPSIS))
        return next(fitting, TITLE_SIZES[-1])

    @cached_property
    def title(self) -> list[TextLine]:
        lines = self.broken_title(self.preview.title, self.title_size)
        return [TextLine(154 + self.title_size * 1.16 * at, line) for at, line in enumerate(lines)]

    def broken_title(self, text: str, size: int) -> list[str]:
        return wrapped(text, WIDTH - 2 * MARGIN, size, most=TITLE_LINES) or [""]

    @cached_property
    def rows(self) -> list[DrawnRow]:
        """In one column, or one after the other in two."""
        rows = self.preview.rows[:TWO_COLUMNS]
        columns = 1 if len(rows) <= (ONE_COLUMN_ABOVE_CURVE if self.curve else ONE_COLUMN) else 2
        deep = -(-len(rows) // columns)
        top: float = ROWS_TOP
        bottom, tallest = ROWS_BOTTOM, TALLEST_ROW
        if self.curve:
            top = self.rows_top_above(len(self.title))
            bottom, tallest = self.curve_y - CURVE_GAP, TALLEST_ROW_ABOVE
        tall = min(tallest, (bottom - top) / deep) if rows else 0
        wide = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns
        return list(self.drawn(rows, top, deep, tall, wide))

    def drawn(
        self, rows: tuple[PreviewRow, ...], top: float, deep: int, tall: float, wide: float
    ) -> Iterator[DrawnRow]:  # fmt: skip
        size = tall * 0.6
        for at, row in enumerate(rows):
            column, line = divmod(at, deep)
            x, y = MARGIN + column * (wide + GAP), top + tall * (line + 0.5)
            name_x = x + (PLACE_WIDTH * size if row.place else 0) + (BADGE_WIDTH * size if row.badge else 0)
            lines, name_size = fitted(row.name, x + wide - MARK_WIDTH - 16 - name_x, size)
            middle = (len(lines) - 1) / 2
            name = [TextLine(y + (k - middle) * name_size * 1.1, text) for k, text in enumerate(lines)]
            yield DrawnRow(row, x, x + wide, y, size, name, name_size, name_x)

    @property
    def more(self) -> str:
        """How many rows there is no room for."""
        left = len(self.preview.rows) - TWO_COLUMNS
        return f"and {left} more" if left > 0 else ""

    @cached_property
    def text(self) -> list[TextLine]:
        """The sentence, where there are no rows."""
        if self.preview.rows or not self.preview.text:
            return []
        lines = wrapped(self.preview.text, WIDTH - 2 * MARGIN, 40, most=4)
        return [TextLine(ROWS_TOP + 50 + 56 * at, line) for at, line in enumerate(lines)]


def fitted(name: str, width: float, size: float) -> tuple[list[str], float]:
    """The lines of a name and their size: one line, or two small ones, of which the second may be shortened."""
    for part in SMALLER:
        if width_of(name, size * part) * NARROWER <= width:
            return [name], size * part
    for part in TWO_LINES:
        lines = wrapped(name, width / NARROWER, size * part)
        if not lines[-1].endswith(ELLIPSIS):
            break
    return lines, size * part


def png_of(preview: LinkPreview, points: Callable[[], CurvePoints] | None = None) -> bytes:
    """The picture as a PNG: a twentieth of a second. Kept by what is on it. `points` are asked for to draw a curve."""

    def draw() -> bytes:
        picture = PreviewPicture(preview, points() if points and preview.curve else None)
        svg = clean(render_to_string("scoresheets/link_previews/image.svg", {"picture": picture}))
        drawn: bytes = resvg_py.svg_to_bytes(
            svg_string=svg, font_files=font_files(), skip_system_fonts=not has_other_letters(svg), font_family=SANS,
            sans_serif_family=SANS, serif_family=SERIF,
        )  # fmt: skip
        return bytes(drawn)

    return pictures.get_or_make(preview.version, None, draw, len)


def image_response(
    request: HttpRequest, preview: LinkPreview, points: Callable[[], CurvePoints] | None = None
) -> HttpResponse:
    """The picture, for a page of which `preview` is said."""
    response = HttpResponse(png_of(preview, points), content_type="image/png")
    # Its address has the version of what is on it.
    is_of_this_version = request.GET.get("v") == preview.version
    response["Cache-Control"] = f"private, max-age={86_400 if is_of_this_version else 0}"
    return response
