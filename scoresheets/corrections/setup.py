"""Corrections of the set-up: a name, the first dealer, the number of hands, the title.

One revision withdraws the wrong entries and adds the right ones, also on a finished sheet. House rules cannot be
corrected: they are frozen with the first bid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.core.fields import Address, Value
from rules.core.problems import Problem
from scoresheets.log.answers import MOVED_ON, Answer, Conflict, Refused
from scoresheets.log.append import LARGEST_ID, Change, append_revision, is_id
from scoresheets.log.occupants import sits
from scoresheets.log.state import SET_UP, SheetReading
from scoresheets.log.text import clean_name, clean_text, same_name
from scoresheets.models import Player, Revision, Scorekeeper, Sheet
from scoresheets.opening.open_sheet import LONGEST_TITLE, SetUp, Somebody, problems_of_game
from scoresheets.results.consequences import full_impact
from scoresheets.results.impact import Impact, previewed
from scoresheets.roster.candidates import expected_at, people_for

Verb = Revision.Verb

#: Stands for a player nobody knows yet, until it is written.
SOMEBODY_NEW = 0
DIGEST = re.compile(r"[0-9a-f]{64}")
NO_CHANGE = Problem("no-change", "Nothing is changed yet.")
FROZEN = Problem("set-up-frozen", "House rules cannot change once the game has begun.", "house_rules")


@dataclass(frozen=True)
class SheetName:
    """A name on the sheet: where it is put right, on which seat, whose, and since which hand (0: from the start)."""

    address: Address
    seat: int
    player: int
    name: str
    hand: int = 0


@dataclass(frozen=True)
class SetupCorrection:
    """The set-up as it should have been, by what was wrong: None, or not among the names, is left as it stands.

    `names` by the address of `SheetName`, and `people` where it was somebody else from the start: a player (id) who was
    picked, or `SOMEBODY_NEW`; `first_dealer` a seat.
    """

    names: Mapping[Address, str]
    first_dealer: int | None = None
    plan: Mapping[str, int] | None = None
    title: str | None = None
    house_rules: Mapping[str, Value] | None = None
    people: Mapping[Address, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SetupPreview:
    """What mending the set-up would do.

    `passed` are hands that are left as they were played although they fit no rule.
    """

    change: Change
    before: SheetReading
    after: SheetReading
    moves: Impact
    passed: tuple[int, ...] = ()


def names_on(reading: SheetReading) -> list[SheetName]:
    """Every name on the sheet, in the order of the seats, and who took over after whom they took over from."""
    first = [
        SheetName((0, sits(seat)), seat, chair.player, chair.name)
        for seat, chair in sorted(reading.sitting.first.items())
    ]
    later = [
        SheetName((change.hand, sits(change.seat, change.k)), change.seat, change.player, change.name, change.hand)
        for change in reading.sitting.changes
    ]
    return sorted([*first, *later], key=lambda named: (named.seat, named.hand, named.address))


def preview_setup(
    reading: SheetReading, mended: SetupCorrection, *, as_played: bool = True
) -> SetupPreview | tuple[Problem, ...]:
    """What a correction of the set-up would change, or every problem with it. No query.

    `as_played`: hands that The Rule would catch now are left as they were played, with a word on the sheet. Codes:
    `no-change`, `set-up-frozen`, `duplicate-player`, and those of names and of `check_set_up`; the field of a name is
    `name-<hand>-<ask>`.
    """
    problems: list[Problem] = []
    added: dict[Address, Mapping[str, Any]] = dict(corrected_names(reading, mended, problems))
    table = corrected_table(reading, mended, problems)
    if problems:
        return tuple(problems)
    if not reading.standing[SET_UP].says(table):
        added[SET_UP] = table
    if not added:
        return (NO_CHANGE,)
    change = change_of(reading, added)
    after = previewed(reading, change)
    passed: list[int] = []
    while as_played and (more := let_pass(after)) and not any(address in added for address in more):
        passed += [address[0] for address in more]
        added |= more
        change = change_of(reading, added)
        after = previewed(reading, change)
    return SetupPreview(change, reading, after, full_impact(reading, after), tuple(passed))


def change_of(reading: SheetReading, added: Mapping[Address, Mapping[str, Any]]) -> Change:
    """The write that puts these there, instead of what stands there."""
    gone = [reading.standing[address] for address in added if address in reading.standing]
    return Change(Verb.SET_UP, dict(added), gone)


def let_pass(after: SheetReading) -> dict[Address, Mapping[str, Value]]:
    """What leaves the hand that no longer fits as it was played; empty where that is no question of a missed rule."""
    opened = after.sheet.open
    if opened is None or opened.misfit is None:
        return {}
    left = [after.game.as_played(problem) for problem in opened.problems]
    passable = [as_played for as_played in left if as_played]
    # One thing that no table can have missed, and the hand is asked again.
    return {opened.hand.address(as_played.ask): as_played.step for as_played in passable} if all(left) else {}


def corrected_names(
    reading: SheetReading, mended: SetupCorrection, problems: list[Problem]
) -> list[tuple[Address, dict[str, object]]]:
    """The names that are others now; what is wrong with each goes to `problems`."""
    renamed, called = [], dict[str, int]()
    for named in names_on(reading):
        player = mended.people.get(named.address, named.player)
        typed = mended.names.get(named.address, named.name)
        where = field_of(named.address)
        name = named.name if typed == named.name else clean_name(typed, field=where)
        if isinstance(name, Problem):
            problems.append(name)
            continue
        if called.setdefault(same_name(name), player) != player:
            sentence = f"There is a second {name} here: add an initial."
            problems.append(Problem("duplicate-player", sentence, where, params={"name": name}))
        if name != named.name or player != named.player:
            renamed.append((named.address, {"name": name, "player": player}))
    return renamed


def field_of(address: Address) -> str:
    """How a form calls the name at an address."""
    return f"name-{address[0]}-{address[1]}"


def corrected_table(reading: SheetReading, mended: SetupCorrection, problems: list[Problem]) -> dict[str, Any]:
    """The set-up as it stands, with what was mended; what is wrong with it goes to `problems`."""
    setup, data = reading.setup, dict(reading.standing[SET_UP].data)
    if mended.first_dealer is not None:
        data["first_dealer"] = mended.first_dealer
        if mended.first_dealer not in setup.seats:
            problems.append(Problem("bad-first-dealer", "Who deals first?", "first_dealer"))
    if mended.plan is not None:
        data["plan"] = dict(mended.plan)
    if mended.house_rules is not None and dict(mended.house_rules) != dict(setup.house_rules):
        data["house_rules"] = dict(mended.house_rules)
        if reading.entries:
            problems.append(FROZEN)
    if mended.title is not None:
        title = clean_text(mended.title, LONGEST_TITLE, field="title")
        if isinstance(title, Problem):
            problems.append(title)
        elif title != reading.record.title:
            data["title"] = title
    if data["plan"] != setup.plan or data["house_rules"] != setup.house_rules:
        people = [Somebody("")] * len(setup.seats)
        wanted = SetUp(reading.record.game, people, plan=data["plan"], house_rules=data["house_rules"])
        problems += [problem for problem in problems_of_game(reading.game, wanted) if problem.blocking]
    return data


def correct_setup(
    sheet: Sheet, mended: SetupCorrection, *, saw: Mapping[Address, int | None], digest: str | None, key: str,
    by: Scorekeeper, as_played: bool = True,
) -> Answer:  # fmt: skip
    """Correct the set-up, also of a finished sheet.

    `saw` are the ids of what the scorekeeper saw at each place they mend; something else there now is a `Conflict`.
    `digest` is that of the preview they agreed to (`Impact.digest`), None for none: where it would say something
    else by now, `moved-on`. Other codes: those of `preview_setup`.
    """
    saw = {address: pk if is_id(pk) else None for address, pk in saw.items()}

    def decide(reading: SheetReading) -> Change | Answer:
        preview = preview_setup(reading, mended, as_played=as_played)
        if not isinstance(preview, SetupPreview):
            return Change(Verb.AGREE, {}) if preview == (NO_CHANGE,) else Refused(preview, reading)
        for address, step in preview.change.added.items():
            standing = reading.standing.get(address)
            if standing is not None and address in saw and standing.pk != saw[address]:
                return Conflict(address, standing, step, reading)
        if digest is not None and preview.moves.digest != digest:
            return Refused((MOVED_ON,), reading)
        if not mended.people:
            return preview.change
        free = free_players(reading, by)
        if not set(mended.people.values()) <= {SOMEBODY_NEW, *free}:
            return Refused((MOVED_ON,), reading)
        return with_players(preview.change, mended, free)

    return append_revision(sheet, Verb.SET_UP, posted(mended, saw, digest, as_played=as_played), decide, key=key, by=by)


def free_players(reading: SheetReading, by: Scorekeeper) -> dict[int, Player]:
    """Who (by id) can be put on a seat: whom the scorekeeper or the club of the table knows, and who is not here."""
    here = reading.sitting.everybody
    return {player.pk: player for player in people_for(by, expected_at(reading.record)) if player.pk not in here}


def with_players(change: Change, mended: SetupCorrection, free: Mapping[int, Player]) -> Change:
    """The change with the players it is about: one is made for everybody who is new."""
    added, strangers, aliases = dict(change.added), [], {}
    for address, pk in mended.people.items():
        name = str(change.added[address]["name"])
        player = free[pk] if pk != SOMEBODY_NEW else Player.objects.create(name=name)
        added[address] = {"name": player.own_name(name), "player": player.pk}
        if pk == SOMEBODY_NEW:
            strangers.append(player.pk)
        elif player.shown_as:
            aliases[player.pk] = player.shown_as
    return replace(change, added=added, strangers=strangers, aliases=aliases)


def posted(
    mended: SetupCorrection, saw: Mapping[Address, int | None], digest: str | None, *, as_played: bool
) -> dict[str, object]:
    """What was posted, for its digest."""
    return {
        "names": {field_of(address): name for address, name in mended.names.items()},
        **({"people": {field_of(address): pk for address, pk in mended.people.items()}} if mended.people else {}),
        "saw": {field_of(address): pk for address, pk in saw.items()},
        "first_dealer": kept(mended.first_dealer),
        "plan": kept_each(mended.plan),
        "title": mended.title,
        "house_rules": kept_each(mended.house_rules),
        "digest": digest,
        "as_played": as_played,
    }


def kept(value: Value) -> Value:
    """A value as it can be written down: a number that no table has may be too long for that, and is refused anyway."""
    return "no such number" if isinstance(value, int) and abs(value) >= LARGEST_ID else value


def kept_each(values: Mapping[str, Value] | None) -> dict[str, Value] | None:
    """The same of each; None where nothing was said."""
    return None if values is None else {name: kept(value) for name, value in values.items()}
