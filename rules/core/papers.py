"""Every paper the command line scores: a sheet file, or a play-off of several tables."""

from __future__ import annotations

from rules.core.documents import Refused, read_object
from rules.core.playoff_papers import PLAY_OFF_FORMAT, score_play_off
from rules.core.problems import Problem
from rules.core.results import result_document
from rules.core.shapes import NotADocument, parse


def score_paper(text: str | bytes) -> dict[str, object]:
    """The result document of the paper in ``text``, whatever its format. Raises :class:`Refused`."""
    try:
        document = parse(text)
    except NotADocument as error:
        raise Refused([(Problem("bad-document", str(error)), None)]) from None
    if isinstance(document, dict) and document.get("format") == PLAY_OFF_FORMAT:
        return score_play_off(document)
    found = read_object(document)
    return result_document(found.sheet, found.names, found.names_at)
