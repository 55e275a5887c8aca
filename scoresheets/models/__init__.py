"""The table: who plays, what is written down, who may write, and what a finished sheet has to tell."""

from scoresheets.models.fact import FinalPlacing, HandFact, HandMark
from scoresheets.models.keeper import Keeper, Link
from scoresheets.models.knock import Knock
from scoresheets.models.own_word import OwnWord
from scoresheets.models.sheet import Player, Seat, Sheet
from scoresheets.models.write import Entry, Write

__all__ = [
    "Entry",
    "FinalPlacing",
    "HandFact",
    "HandMark",
    "Keeper",
    "Knock",
    "Link",
    "OwnWord",
    "Player",
    "Seat",
    "Sheet",
    "Write",
]
