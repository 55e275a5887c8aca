"""Cells of a spreadsheet that hold a name and not a formula.

A spreadsheet takes a cell that begins with = + - @ (or, when it reads CSV, with a tab or a line's end) for something
to run, and a name is typed by whoever sits down. Such a cell gets an apostrophe in front of it, which a spreadsheet
reads as "this is text"; `plain` takes it away again, so that what was exported can be imported.
"""

from __future__ import annotations

from typing import TypeVar

from scoresheets.files.csv import FORMULA

#: How a cell begins that would be run, behind spaces or not, and which blanks make it so.
SIGNS = tuple(sign for sign in FORMULA if not sign.isspace())
BLANKS = tuple(sign for sign in FORMULA if sign.isspace())
MARK = "'"

Cell = TypeVar("Cell")


def would_run(text: str) -> bool:
    """Whether a spreadsheet might run it, leading spaces aside."""
    rest = text.lstrip()
    before = text.removesuffix(rest)
    return rest.startswith(SIGNS) or any(blank in before for blank in BLANKS)


def neutral(cell: Cell) -> Cell | str:
    """The cell so that no spreadsheet runs it. Numbers, dates and nothing at all stay as they are.

    >>> neutral("=1+1"), neutral("Ann"), neutral(-3)
    ("'=1+1", 'Ann', -3)
    """
    if isinstance(cell, str) and would_run(cell.lstrip(MARK)):
        return MARK + cell
    return cell


def plain(cell: Cell) -> Cell | str:
    """What the cell was before `neutral`.

    >>> plain("'=1+1"), plain("'t Hooft"), plain(neutral("'-x"))
    ('=1+1', "'t Hooft", "'-x")
    """
    if isinstance(cell, str) and cell.startswith(MARK) and would_run(cell.lstrip(MARK)):
        return cell.removeprefix(MARK)
    return cell
