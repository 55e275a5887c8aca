"""The export of a standing: CSV and XLSX for a spreadsheet, JSON for a program."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import tablib

from clubs.standings.league import League, StandingLine
from clubs.standings.schemes import Figures
from scoresheets.files.csv import escape_formula

HEADS = {
    "place": "Place", "place_before": "Place before the latest night", "name": "Name", "points": "Points",
    "nights": "Nights", "games": "Games", "won": "Won", "lost": "Lost", "share": "Share of the table beaten (%)",
    "score": "Score of all games",
    "average": "Average score", "best": "Best", "worst": "Worst", "hands": "Hands", "boxes": "Boxes",
    "circles": "Circles", "bids": "Bids", "made": "Bids made", "uncertainty": "Uncertainty", "reason": "Why not higher",
}  # fmt: skip
#: What a share is made from is no figure of its own, and neither are the latest games.
FIGURES = tuple(name for name in Figures.__dataclass_fields__ if name not in ("beaten", "compared", "form"))
#: What each kind of file is to a browser.
KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}


def standing_file_of(league: League, kind: str) -> bytes:
    """The standing as a file of that kind (a key of KINDS)."""
    if kind == "json":
        return json.dumps(described(league), ensure_ascii=False, indent=2).encode() + b"\n"
    rows = tablib.Dataset(headers=list(HEADS.values()), title="Standing")
    for line in league.lines:
        cells = row_data(line)
        rows.append([escape_formula(cells[name]) for name in HEADS])
    if kind == "xlsx":
        content: bytes = rows.export("xlsx")
        return content
    return str(rows.export("csv")).encode("utf-8-sig")


def described(league: League) -> dict[str, Any]:
    """The standing and by what it is counted, as a program reads it."""
    season, terms = league.season, league.terms
    return {
        "club": league.club.name,
        "season": season.name if season else None,
        "begins": season.begins.isoformat() if season else None,
        "ends": season.ends.isoformat() if season else None,
        "locked": bool(season and season.locked_at),
        "games": list(season.games) if season else [],
        "scheme": terms.scheme.slug,
        "numbers": dict(terms.numbers),
        "ties": list(terms.order),
        "drops": terms.drops,
        "least_nights": terms.least_nights,
        "standing": [row_data(line) for line in league.lines],
    }


def row_data(line: StandingLine) -> dict[str, Any]:
    """A row: whole numbers stay whole."""
    row = line.row
    figures = {name: plain_number(getattr(row, name)) for name in FIGURES}
    places = {"place": row.place, "place_before": row.place_before, "name": line.member.shown}
    return places | figures | {"reason": row.reason}


def plain_number(value: Decimal | int | None) -> float | int | None:
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)
