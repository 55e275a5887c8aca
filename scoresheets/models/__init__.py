"""The table: who plays, what is written down, who may write, and what a finished sheet has to tell."""

from scoresheets.models.access import Keeper, Link
from scoresheets.models.glossary import OwnWord
from scoresheets.models.log import Entry, Write
from scoresheets.models.results import FinalPlacing, HandFact, HandMark
from scoresheets.models.sheet import Player, Seat, Sheet

__all__ = [
    "Entry",
    "FinalPlacing",
    "HandFact",
    "HandMark",
    "Keeper",
    "Link",
    "OwnWord",
    "Player",
    "Seat",
    "Sheet",
    "Write",
]
