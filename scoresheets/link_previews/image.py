"""The picture of a preview: 1200 x 630, drawn as SVG and turned into a PNG on the server, because chats take no SVG."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import resvg_py
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.files.image import ELLIPSIS, TextLine, width_of, wrapped
from scoresheets.link_previews.fonts import SANS, SERIF, font_files, has_other_letters
from scoresheets.link_previews.preview import LinkPreview, PreviewRow
from scoresheets.wording.graphemes import clean

#: All in pixels of the picture.
WIDTH, HEIGHT, MARGIN = 1200, 630, 60
TITLE_SIZES, TITLE_LINES = (60, 52, 44), 2
ROWS_TOP, ROWS_BOTTOM, TALLEST_ROW = 258, 548, 76
MARK_WIDTH, GAP = 132, 56
#: A place takes so much of the size of its row. These fonts are narrower than the widest a phone might have.
PLACE_WIDTH, NARROWER = 1.75, 0.88
#: A name that is too wide is written in these parts of its size: in one line, then in two.
SMALLER, TWO_LINES = (1, 0.86, 0.72), (0.62, 0.54, 0.46)
#: So many stand in one column, and in two.
ONE_COLUMN, TWO_COLUMNS = 5, 10
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

    width, height, margin = WIDTH, HEIGHT, MARGIN
    sans, serif = SANS, SERIF

    @cached_property
    def about(self) -> str:
        return "".join(wrapped(self.preview.about, WIDTH - 2 * MARGIN, 30, most=1))

    @cached_property
    def title_size(self) -> int:
        """The largest size in which the title needs no more than its lines."""
        text = self.preview.title
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
        columns = 1 if len(rows) <= ONE_COLUMN else 2
        deep = -(-len(rows) // columns)
        tall = min(TALLEST_ROW, (ROWS_BOTTOM - ROWS_TOP) / deep) if rows else 0
        wide = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns
        return list(self.drawn(rows, deep, tall, wide))

    def drawn(self, rows: tuple[PreviewRow, ...], deep: int, tall: float, wide: float) -> Iterator[DrawnRow]:
        size = tall * 0.6
        for at, row in enumerate(rows):
            column, line = divmod(at, deep)
            x, y = MARGIN + column * (wide + GAP), ROWS_TOP + tall * (line + 0.5)
            name_x = x + (PLACE_WIDTH * size if row.place else 0)
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


def png_of(preview: LinkPreview) -> bytes:
    """The picture as a PNG: a twentieth of a second. Kept by what is on it."""

    def draw() -> bytes:
        svg = clean(render_to_string("scoresheets/link_previews/image.svg", {"picture": PreviewPicture(preview)}))
        drawn: bytes = resvg_py.svg_to_bytes(
            svg_string=svg, font_files=font_files(), skip_system_fonts=not has_other_letters(svg), font_family=SANS,
            sans_serif_family=SANS, serif_family=SERIF,
        )  # fmt: skip
        return bytes(drawn)

    return pictures.get_or_make(preview.version, None, draw, len)


def image_response(request: HttpRequest, preview: LinkPreview) -> HttpResponse:
    """The picture, for a page of which `preview` is said."""
    response = HttpResponse(png_of(preview), content_type="image/png")
    # Its address has the version of what is on it.
    is_of_this_version = request.GET.get("v") == preview.version
    response["Cache-Control"] = f"private, max-age={86_400 if is_of_this_version else 0}"
    return response
