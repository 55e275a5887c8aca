"""The models of a table: players, sheets, revisions, scorekeepers, published results."""

from scoresheets.models.access import Scorekeeper, ShareLink
from scoresheets.models.glossary import GlossaryTerm
from scoresheets.models.log import Entry, Revision
from scoresheets.models.results import FinalPlacing, HandFact, HandMark
from scoresheets.models.sheet import Player, Seat, Sheet

__all__ = [
    "Entry",
    "FinalPlacing",
    "GlossaryTerm",
    "HandFact",
    "HandMark",
    "Player",
    "Revision",
    "Scorekeeper",
    "Seat",
    "ShareLink",
    "Sheet",
]
