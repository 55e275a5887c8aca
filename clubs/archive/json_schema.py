"""JSON Schema of a club file, as `rules.core.files.json_schema` makes those of sheets and play-offs."""

from __future__ import annotations

from collections.abc import Mapping

from clubs.archive.codec import Uid
from clubs.archive.export import FORMAT
from clubs.archive.parse import shape_of_document
from clubs.archive.schema import NOUNS
from rules.core.files.json_schema import SHARED, schema_document
from rules.core.files.schema import JsonSchema, Members, Shape
from scoresheets.files.log_schema import COPY, NUMBER, POSITIVE, Moment

#: What stands in nearly every row.
SHARED_HERE: Mapping[str, Shape] = {**SHARED, "uid": Uid(), "moment": Moment(), "number": NUMBER, "positive": POSITIVE}


def club_schema() -> JsonSchema:
    """The schema of a club file, with the whole history of its sheets."""
    whole = shape_of_document(Members({"table": Uid(), "sheet": COPY}, {}))
    may_lack = {noun.key for noun in NOUNS if noun.may_lack}
    written = Members(
        {key: shape for key, shape in whole.required.items() if key not in may_lack},
        {key: shape for key, shape in whole.required.items() if key in may_lack},
    )
    return schema_document(FORMAT, written.schema(), SHARED_HERE)
