"""The play-offs in a club's file: whether they can be so, and how they fit to those that are here."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from clubs.archive.references import STAGES
from clubs.archive_import.diff_text import of_play_off
from clubs.models import Ruling, Stage
from clubs.play_offs import unequal_hands
from rules.core.cards import RANKS
from rules.core.files.schema import fault
from rules.core.problems import Problem
from rules.registry import all_games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clubs.archive.export import Document, Row
    from clubs.archive_import.diff import Differences

    Say = Callable[[Differences, str, str, str, object], None]

Side, Kind = Stage.Side, Ruling.Kind


def faults_of_play_offs(document: Document) -> Iterator[Problem]:
    """Play-offs without groups, tables at a stage of another night or game, and words nobody can have said."""
    games = {game.slug for game in all_games()}
    rows = {row["uid"]: row for row in document["play_offs"]}
    standing: Counter[object] = Counter()
    begun = {row["play_off"] for row in document["stages"] if row["side"] == Side.ALL and row["abandoned_at"] is None}
    for place, row in enumerate(document["play_offs"], 1):
        where = f"play_offs, number {place}"
        standing[row["night"]] += row["called_off_at"] is None
        if row["game"] not in games:
            yield fault(f"{where}, game", "nobody here knows that game")
        if row["places"] < 1:
            yield fault(f"{where}, places", "somebody has to go on")
        if row["uid"] not in begun:
            yield fault(where, "it has no groups")
        if row["called_off_at"] is None and standing[row["night"]] > 1:
            yield fault(where, "that night has another play-off")
    for place, row in enumerate(document["stages"], 1):
        where = f"stages, number {place}"
        key = (row["play_off"], row["number"], row["side"])
        standing[key] += row["abandoned_at"] is None
        if (row["side"] == Side.ALL) != (row["number"] == 1) or row["number"] < 1:
            yield fault(f"{where}, number", "groups come first, and nothing else does")
        if (row["side"] == Side.ALL and row["abandoned_at"] is not None) or row["places"] == 0:
            yield fault(where, "no stage of a play-off is like that")
        if row["abandoned_at"] is None and standing[key] > 1:
            yield fault(where, "that cannot be there twice")
        if not all(is_number(one) for one in row["drawn_for"]):
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
        return isinstance(says.get("table"), str | None) and is_number(says.get("version", 0))
    stages = says.get("stages", [])
    lists = [says.get(name, []) for name in STAGES]
    return (
        isinstance(stages, list) and all(is_move(one) for one in stages) and all(isinstance(one, list) for one in lists)
    )


def is_move(said: Any) -> bool:
    """Whether it says who comes to a stage, and who goes."""
    lists = [said.get(name) for name in ("comes", "goes")] if isinstance(said, dict) and said.get("stage") else []
    return bool(lists) and all(isinstance(one, list) and all(map(is_number, one)) for one in lists)


def is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# What fits to what is here


def one_play_off_a_night(found: Differences, standing: Callable[..., Iterator[tuple[Row, bool]]], say: Say) -> None:
    """Two play-offs of one night that both stand: the one that is not there yet comes in as called off."""
    taken: set[str] = set()
    for row, _ in list(standing(found, "play_offs")):
        if row["called_off_at"] is not None:
            continue
        if row["night"] in taken:
            say(found, "play_offs", row["uid"], "called_off_at", row["created"])
            whole = of_play_off(found, "play_offs", row)
            found.conflicts.append(f"{whole}: that night has another one here, which stands.")
        taken.add(row["night"])


def one_stage_a_side(found: Differences, standing: Callable[..., Iterator[tuple[Row, bool]]], say: Say) -> None:
    """A stage that was drawn on both sides: the one that is not there yet comes in as drawn anew, with its tables."""
    taken: set[tuple[str, int, str]] = set()
    away: dict[str, str] = {}
    for row, _ in list(standing(found, "stages")):
        key = (row["play_off"], row["number"], row["side"])
        if row["abandoned_at"] is not None:
            continue
        if key in taken:
            say(found, "stages", row["uid"], "abandoned_at", row["created"])
            away[row["uid"]] = row["created"]
            found.conflicts.append(f"{of_play_off(found, 'stages', row)}: it was drawn here, too, which stands.")
        taken.add(key)
    for row, _ in list(standing(found, "tables")):
        if row["stage"] in away and row["withdrawn_at"] is None:
            say(found, "tables", row["uid"], "withdrawn_at", away[row["stage"]])
