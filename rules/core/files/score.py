"""The documents that the command line scores: a sheet file, or a play-off of several tables."""

from __future__ import annotations

from rules.core.files.play_off_file import PLAY_OFF_FORMAT, score_play_off
from rules.core.files.results import result_document
from rules.core.files.schema import NotADocument, parse
from rules.core.files.sheet_file import Refused, read_object
from rules.core.problems import Problem


def score_paper(text: str | bytes) -> dict[str, object]:
    """The result document of the paper in ``text``, whatever its format. Raises :class:`Refused`."""
    try:
        document = parse(text)
    except NotADocument as error:
        raise Refused([(Problem("bad-document", str(error)), None)]) from None
    if isinstance(document, dict) and document.get("format") == PLAY_OFF_FORMAT:
        return score_play_off(document)
    contents = read_object(document)
    return result_document(contents.sheet, contents.names, contents.names_at)
