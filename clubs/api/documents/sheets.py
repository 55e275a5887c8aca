"""Sheets: what stands on them (`score-sheet/1`) and what that comes to (`score-result/1`)."""

from __future__ import annotations

from clubs.access.outdated import mark_for
from clubs.api.answers import as_json
from clubs.api.shapes import Named, file_format
from rules.core.files.results import RESULT_FORMAT, result_document
from rules.core.files.schema import Flag, Members, Text, Whole
from rules.core.files.sheet_file import SHEET_FORMAT, read_object
from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.files.sheet_file import sheet_file_of
from scoresheets.log.state import SheetReading
from scoresheets.models import Sheet
from scoresheets.sheet.summary import read_sheets

SHEET = Named("Sheet", Members(
    {
        "uid": Text(), "version": Whole(0), "finished": Flag(), "sheet": file_format(SHEET_FORMAT),
        "result": file_format(RESULT_FORMAT),
    },
    {},
))  # fmt: skip
#: Bytes of all documents: a whole game of eight has fifteen thousand.
MOST_KEPT = 1_000_000
kept_documents: VersionedCache[bytes] = VersionedCache(MOST_KEPT)


def version_of(sheet: Sheet) -> str:
    """Another one whenever the document of the sheet is another. No query: the row says it all."""
    return mark_for(sheet.edition, sheet.aliases_version, sheet.title, sheet.club_name, str(sheet.played_on))


def sheet_content(uid: str, sheet: Sheet) -> bytes:
    """The document of the sheet, which is called `uid` here: made once for everybody who asks for that version."""
    return kept_documents.get_or_make(
        (uid, sheet.pk), version_of(sheet), lambda: as_json(sheet_document_of(uid, sheet)), len
    )


def sheet_document_of(uid: str, sheet: Sheet) -> dict[str, object]:
    """Four queries at most."""
    return document_of(uid, read_sheets([sheet])[sheet.pk])


def document_of(uid: str, reading: SheetReading) -> dict[str, object]:
    """The result is that of the file, as `manage.py score` tells it: whoever scores the file gets the same."""
    file = sheet_file_of(reading)
    contents = read_object(file)
    return {
        "uid": uid, "version": reading.version, "finished": reading.finished, "sheet": file,
        "result": result_document(contents.sheet, contents.names, contents.names_at),
    }  # fmt: skip
