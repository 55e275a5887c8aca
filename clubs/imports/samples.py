"""Sample spreadsheets: column heads, and lines that show how to fill them in."""

from __future__ import annotations

import datetime
import io

import tablib

from clubs.imports.holders import HEADS as HOLDER_HEADS
from clubs.imports.results import HEADS as RESULT_HEADS
from clubs.trophies.register import trophy_games
from rules import all_games, find_game
from scoresheets.files.csv import escape_formula

KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
FORMS = ("results", "holders")


def spreadsheet(form: str, kind: str) -> bytes:
    """The spreadsheet for `results` or `holders` as CSV or XLSX."""
    heads, lines = (RESULT_HEADS, results()) if form == "results" else (HOLDER_HEADS, holders())
    rows = tablib.Dataset(headers=[head.capitalize() for head in heads], title=form.capitalize())
    for line in lines:
        rows.append([escape_formula(cell) for cell in line])
    if kind == "xlsx":
        out = io.BytesIO(rows.export("xlsx"))
        return out.getvalue()
    return str(rows.export("csv")).encode("utf-8-sig")


def results() -> list[list[object]]:
    """An evening of four at the game of the trophies."""
    game = find_game(next(iter(trophy_games()), all_games()[0].slug)).name
    day = datetime.date(2019, 3, 14).isoformat()
    people = (("Ann", 1, 41), ("Bo", 2, 33), ("Cy", 3, 12), ("Di", 4, -4))
    return [[day, game, "", name, place, score, "", ""] for name, place, score in people]


def holders() -> list[list[object]]:
    """Three winners, known to the day, the month and the year."""
    return [["The Cup", "1998", "Old Joe"], ["The Cup", "March 2004", "Ann"], ["The Cup", "2019-03-14", "Ann"]]
