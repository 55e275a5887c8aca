"""The keys ``decides`` (stakes of a sheet) and ``rulings`` (the organiser's rulings) in a sheet file.

A table of its own has neither. A group of a play-off gives the numbers of players who go on, a final its trophies::

    {"decides": {"through": 3, "below": 2, "high_card": true, "start": {"Ann": 12, "Bo": 7}}}
    {"decides": {"lead": true, "bottom": false}}
    {"rulings": [{"edge": "through", "goes": ["Ann"], "after": 1}]}

``after`` is the number of blind hands or cards before the ruling, 0 if it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from rules.core.engine.replay import Sheet
from rules.core.fields import SHEET, Address, Value
from rules.core.files.schema import Flag, ListOf, Members, Name, OneOf, OrNull, PerName, Shape, Text, Whole
from rules.core.outcome import Cut, Settlement
from rules.core.playoffs.group_end import RULING, problems_of_ruling, ruling_step
from rules.core.problems import Problem
from rules.core.stakes import ALL, Decides, group
from rules.core.table import Table

Entries = dict[Address, Mapping[str, Value]]
#: Notes a problem, with the name of the player it is about.
Refuse = Callable[[Problem, str | None], None]

DECIDES = "decides"
RULINGS = "rulings"
#: No total at the start comes near it.
LARGEST_TOTAL = 1_000_000
START: dict[str, Shape] = {"start": PerName(Whole())}
SHAPES: dict[str, Shape] = {
    DECIDES: OneOf({
        "through": Members({"through": Whole()}, {"below": OrNull(Whole()), "high_card": Flag(), **START}),
        "lead": Members({"lead": Flag(), "bottom": Flag()}, START),
        "start": Members(START, {}),
    }),
    RULINGS: ListOf(Members({"edge": Text(), "goes": ListOf(Name())}, {"after": Whole()})),
}  # fmt: skip


def read_decides(document: Mapping[str, object], names: Mapping[int, str], refuse: Refuse) -> Decides:
    """What the document's end decides; what is wrong with it is refused. ``names`` are by seat, of ``players``."""
    data = cast("dict[str, Any]", document.get(DECIDES, {}))
    seats = {name: seat for seat, name in names.items()}
    start: dict[int, int] = {}
    for name, total in cast("dict[str, int]", data.get("start", {})).items():
        if name not in seats:
            refuse(Problem("unknown-player", "Nobody at the table has that name.", "start"), name)
        elif abs(total) > LARGEST_TOTAL:
            refuse(Problem("count-range", "Nobody begins with such a total.", "start"), name)
        else:
            start[seats[name]] = total
    if "through" in data:
        decides = group(data["through"], data.get("below"), high_card=data.get("high_card", False))
        for problem in problems_of_group(decides, len(seats)):
            refuse(problem, None)
    else:
        decides = Decides(lead=data.get("lead", True), bottom=data.get("bottom", True))
    return replace(decides, start=start) if start else decides


def problems_of_group(decides: Decides, players: int) -> Iterator[Problem]:
    """Why so many cannot go on from a group of so many players."""
    through, below = decides.through or 0, decides.below
    if not 0 <= through <= players:
        yield Problem("bad-places", f"Of {players} players 0 to {players} can go through.", "through")
    elif below is not None and not 0 <= below <= players - through:
        yield Problem("bad-places", f"Besides them 0 to {players - through} can go to the losers’ table.", "below")
    elif not through and not below:
        yield Problem("bad-places", "Somebody has to go on.", "through")


def write_decides(decides: Decides, names: Mapping[int, str]) -> dict[str, object]:
    """The key as a document has it; nothing at a table of its own."""
    data: dict[str, object] = {}
    if decides.is_group:
        data["through"] = decides.through
        data |= {"below": decides.below} if decides.below is not None else {}
        data |= {"high_card": True} if decides.high_card else {}
    elif (decides.lead, decides.bottom) != (ALL.lead, ALL.bottom):
        data |= {"lead": decides.lead, "bottom": decides.bottom}
    if decides.start:
        data["start"] = {names[seat]: total for seat, total in decides.start.items()}
    return {DECIDES: data} if data else {}


def read_rulings(
    document: Mapping[str, object], names: Mapping[int, str], entries: Entries, cut_now: Callable[[], Cut | None],
    refuse: Refuse, *, played: int,
) -> None:  # fmt: skip
    """Write the rulings that were given after so many blind hands or cards into ``entries``, in their order.

    ``cut_now`` tells where everybody goes on by the entries so far; one about no tie that is there now ends it.
    """
    for k, ruling in enumerate(cast("list[dict[str, Any]]", document.get(RULINGS, [])), 1):
        address = (SHEET, f"{RULING}{k}")
        if address in entries:
            continue
        if ruling.get("after", 0) != played:
            return
        step = read_ruling(ruling, names, cut_now(), refuse, played=played)
        if step is None:
            return
        entries[address] = step


def read_ruling(
    ruling: Mapping[str, Any], names: Mapping[int, str], cut: Cut | None, refuse: Refuse, *, played: int
) -> dict[str, Value] | None:
    """The step of one ruling; None where it is about no tie of the cut, or is refused."""
    tie = next((tie for tie in cut.ties if tie.edge == ruling["edge"]), None) if cut else None
    seats = {names[seat]: seat for seat in tie.players} if tie else {}
    goes = [seats[name] for name in ruling["goes"] if name in seats]
    if tie is None or len(goes) < len(ruling["goes"]):
        return None
    step = ruling_step(tie, played, goes)
    problems = tuple(problems_of_ruling(tie, played, step))
    for problem in problems:
        refuse(replace(problem, field=RULINGS), None)
    return None if problems else step


def refuse_rulings_left(document: Mapping[str, object], entries: Entries, refuse: Refuse) -> None:
    """Say of every ruling that is about no tie that it is none."""
    rulings = cast("Sequence[object]", document.get(RULINGS, []))
    if any((SHEET, f"{RULING}{k}") not in entries for k in range(1, len(rulings) + 1)):
        refuse(Problem("ruling-not-needed", "No such tie across a line waits for a ruling.", RULINGS), None)


def write_rulings(sheet: Sheet, names: Mapping[int, str]) -> dict[str, object]:
    """The rulings as a document has them; nothing where there are none."""
    rulings = sheet.settlement.rulings if sheet.settlement else ()
    data = [
        {"edge": ruled.edge, "goes": [names[seat] for seat in ruled.goes]}
        | ({"after": ruled.after} if ruled.after else {})
        for ruled in rulings
    ]
    return {RULINGS: data} if data else {}


def going_on(table: Table, settlement: Settlement | None) -> dict[str, tuple[int, ...]]:
    """Who certainly goes on, in the order of the table, by the key of a result; nothing where it is no group."""
    if not table.decides.is_group:
        return {}
    through = settlement.through if settlement else ()
    below = settlement.below if settlement else ()
    return {
        "through": tuple(seat for seat in table.seats if seat in through),
        "below": tuple(seat for seat in table.seats if seat in below),
    }
