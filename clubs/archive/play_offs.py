"""Validation of the play-offs in a club file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clubs.archive.export import Document
from clubs.archive.references import is_whole_number
from clubs.models import Ruling, Stage
from clubs.play_offs import unequal_hands
from rules import all_games
from rules.core.cards import RANKS
from rules.core.files.schema import fault
from rules.core.problems import Problem

Side, Kind = Stage.Side, Ruling.Kind


def faults_of_play_offs(document: Document) -> Iterator[Problem]:
    """Play-offs without groups, tables at a stage of another night or game, and words nobody can have said."""
    games = {game.slug for game in all_games()}
    rows = {row["uid"]: row for row in document["play_offs"]}
    begun = {row["play_off"] for row in document["stages"] if row["side"] == Side.ALL and row["abandoned_at"] is None}
    for place, row in enumerate(document["play_offs"], 1):
        where = f"play_offs, number {place}"
        if row["game"] not in games:
            yield fault(f"{where}, game", "nobody here knows that game")
        if row["places"] < 1:
            yield fault(f"{where}, places", "somebody has to go on")
        if row["uid"] not in begun:
            yield fault(where, "it has no groups")
    for place, row in enumerate(document["stages"], 1):
        where = f"stages, number {place}"
        if (row["side"] == Side.ALL) != (row["number"] == 1) or row["number"] < 1:
            yield fault(f"{where}, number", "groups come first, and nothing else does")
        if (row["side"] == Side.ALL and row["abandoned_at"] is not None) or row["places"] == 0:
            yield fault(where, "no stage of a play-off is like that")
        if not all(is_whole_number(player) for player in row["drawn_for"]):
            yield fault(f"{where}, drawn_for", "a list of players belongs here")
    stages = {row["uid"]: row for row in document["stages"]}
    for place, row in enumerate(document["tables"], 1):
        stage = stages.get(row["stage"])
        play_off = rows.get(stage["play_off"]) if stage else None
        if play_off and (row["night"], row["game"]) != (play_off["night"], play_off["game"]):
            yield fault(f"tables, number {place}, stage", "that play-off is another night’s, or of another game")
    for place, row in enumerate(document["rulings"], 1):
        if not can_be_said(row["kind"], row["says"]):
            yield fault(f"rulings, number {place}, says", "nobody can have said that")


def can_be_said(kind: str, says: dict[str, Any]) -> bool:
    """Whether that may stand in a ruling of the kind."""
    if kind == Kind.DRAW:
        return all(key.isascii() and key.isdecimal() and rank in RANKS for key, rank in says.items())
    if kind == Kind.HANDS:
        return unequal_hands.can_be_said(says)
    if kind == Kind.CUT:
        return isinstance(says.get("table"), str | None) and is_whole_number(says.get("version", 0))
    stages = says.get("stages", [])
    lists = [says.get(name, []) for name in ("old", "new")]
    return isinstance(stages, list) and all(map(is_move, stages)) and all(isinstance(uids, list) for uids in lists)


def is_move(moved: Any) -> bool:
    """Whether it says who comes to a stage, and who goes."""
    lists = [moved.get(name) for name in ("comes", "goes")] if isinstance(moved, dict) and moved.get("stage") else []
    return bool(lists) and all(isinstance(players, list) and all(map(is_whole_number, players)) for players in lists)
