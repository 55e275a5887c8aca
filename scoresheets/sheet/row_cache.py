"""The cache of rendered rows of the running sheet. Rows with the same content are rendered once.

A sheet of ten players and twenty hands takes a twentieth of a second to render, and a new bid changes only the last
row.
"""

from __future__ import annotations

from django.utils.safestring import SafeString

from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.sheet.game_blocks import block_of
from scoresheets.sheet.parts import Part
from scoresheets.wording.markup import without_indents

#: Letters in all; what a row is found by takes as much memory again. A row of eight players has 2,400: these are 830
#: rows, and twenty tables that have played twenty-four hands have 480.
rows: VersionedCache[SafeString] = VersionedCache(2_000_000)


def rendered_row(part: Part, span: int) -> SafeString:
    """The part as a `<tbody>` of a table of `span` columns: as the game draws it, else as all are drawn.

    Without indents, which are most of what a sheet weighs.
    """
    row = rows.get((part, span))
    if row is None:
        drawn = block_of(part.page, "scoresheets/sheet/row.html", {"part": part, "span": span})
        row = SafeString(without_indents(drawn))
        rows.put((part, span), row, size=len(row))
    return row
