"""Roster changes: a player joins, leaves, takes a seat over or changes seats; each is one event of a hand.

While a hand is played, the event is noted for the next one. Like every command (`scoresheets.commands`) these answer
with a value of `answers`; neither hostile nor broken input raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.html import format_html

from rules.core.engine.replay import stood
from rules.core.fields import Address, Value
from rules.core.problems import Problem
from rules.core.table import Event, Table
from scoresheets.commands.enter import LONGEST_VALUE, MOST_FIELDS, MOST_HANDS, is_number
from scoresheets.commands.undo import is_event, newly_unread
from scoresheets.log.answers import SAID_OTHERWISE, Answer, Refused
from scoresheets.log.append import Change, append_revision, is_id
from scoresheets.log.entries import LogEntry
from scoresheets.log.occupants import Chair, sits
from scoresheets.log.state import SheetReading
from scoresheets.log.text import clean_name, same_name
from scoresheets.models import Player, Revision, Scorekeeper, Seat, Sheet
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster.candidates import expected_at, people_for
from scoresheets.wording.events import event_in_words

#: What the rules call them, and the verb each is written with.
VERBS = {
    "arrive": Revision.Verb.ARRIVE,
    "leave": Revision.Verb.LEAVE,
    "substitute": Revision.Verb.SUBSTITUTE,
    "reseat": Revision.Verb.RESEAT,
}

NOT_HERE = Problem("not-asked", "Players cannot join or leave during this game.")
GAME_OVER = Problem("game-over", "No hand is left to be dealt.")
NOBODY = Problem("unknown-player", "Who is it?", "seat")
NOBODY_NEW = Problem("no-name", "Who is it?", "who")
NOTED_BEFORE = Problem(
    "something-later", "A change due after this hand would no longer fit. Take that back first.", "when"
)


@dataclass(frozen=True)
class Wish:
    """What somebody wants to write down: `kind` happens before `hand`, as the event number `event` there.

    Both numbers are those the scorekeeper saw, so that two phones with the same news agree. `seat` is who leaves or
    gives up their seat, `person` comes or takes it over, `left_of` the seat on whose left they sit down (None: the
    usual place), `order` everybody clockwise.
    """

    kind: str
    hand: int
    event: int
    seat: int | None = None
    person: Somebody | None = None
    left_of: int | None = None
    order: Sequence[int] = ()

    @property
    def address(self) -> Address:
        return (self.hand, f"{self.kind}-{self.event}")


@dataclass(frozen=True)
class Prospect:
    """What a wish comes to on the sheet as it stands.

    `before` and `after` are the table as that hand finds it without and with it; `name` is who is new on `seat`.
    `noted`: a hand is played before it. `swept` is what it takes off the sheet, `again` whether the open hand is dealt
    again.
    """

    wish: Wish
    before: Table
    after: Table | None
    step: Mapping[str, Value]
    seat: int | None = None
    name: str = ""
    is_back: bool = False
    noted: bool = False
    swept: tuple[LogEntry, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def again(self) -> bool:
        return any(entry.address[0] == self.wish.hand for entry in self.swept)

    @property
    def blocking(self) -> bool:
        return any(problem.blocking for problem in self.problems)


# Where it goes


def has_begun(reading: SheetReading) -> bool:
    """Whether anything of the open hand is written: from then on nobody joins it."""
    return reading.sheet.open is not None and bool(reading.sheet.open.hand.steps)


def place_now(reading: SheetReading) -> tuple[int, int] | None:
    """Hand and number of what happens before the open hand is dealt, or dealt again. None: no hand is open."""
    return (reading.next_hand, reading.next_event) if reading.sheet.open else None


def place_after(reading: SheetReading) -> tuple[int, int] | None:
    """Hand and number of what happens once the open hand is scored. None: it is the last."""
    sheet = reading.sheet
    if sheet.open is None or sheet.game.over(sheet.ahead):
        return None
    return (reading.next_hand + 1, len(sheet.noted) + 1)


def event_at(reading: SheetReading, hand: int, event: int) -> LogEntry | None:
    """What stands as the event of that number, of whatever kind."""
    kinds = (reading.standing.get((hand, f"{kind}-{event}")) for kind in reading.game.events)
    return next((standing for standing in kinds if standing), None)


def last_event(reading: SheetReading) -> tuple[Address, Event] | None:
    """What happened or was noted, whichever was written last, with its address. None: nothing since the last score."""
    sheet = reading.sheet
    if sheet.open is None:
        return None
    ways = ((reading.next_hand, sheet.open.events[-1:]), (reading.next_hand + 1, sheet.noted[-1:]))
    # What is noted for later may have been said before somebody went home now.
    return max(
        (((hand, event.name), event) for hand, events in ways for event in events),
        key=lambda item: reading.standing[item[0]].first,
        default=None,
    )


# What it comes to


def prospect(reading: SheetReading, wish: Wish) -> Prospect | Problem:
    """What the wish comes to, with every problem of it; or why it cannot even be looked at."""
    game, sheet = reading.game, reading.sheet
    if wish.kind not in game.seatings or wish.kind not in VERBS:
        return NOT_HERE
    if sheet.open is None:
        return GAME_OVER
    swept = swept_by(reading, wish)
    gone = {entry.address for entry in swept}
    kept = {address: step for address, step in reading.rest.entries.items() if address not in gone}
    place = stood(game, reading.rest.table, kept, wish.address)
    if place is None:
        return GAME_OVER if wish.hand > reading.next_hand and place_after(reading) is None else SAID_OTHERWISE
    table, names = place.table, reading.names_at(wish.hand)
    looked = Prospect(wish, table, None, {}, noted=wish.hand > reading.next_hand, swept=swept)
    step, problems, looked = filled_in(reading, looked, names)
    if not problems:
        problems = [*place.ask.problems(step)] or [*game.check_event(table, wish.kind, step)]
    if any(problem.blocking for problem in problems):
        return replace(looked, problems=tuple(problems))
    entries = {a: s for a, s in reading.entries.items() if a not in gone} | {wish.address: step}
    if newly_unread(reading, entries):
        problems.append(NOTED_BEFORE)
    return replace(looked, step=step, after=game.happen(table, wish.kind, step), problems=tuple(problems))


def filled_in(
    reading: SheetReading, looked: Prospect, names: Mapping[int, str]
) -> tuple[dict[str, Value], list[Problem], Prospect]:
    """The step the rules are told, and what is wrong with who it is about."""
    wish, table = looked.wish, looked.before
    if wish.kind == "reseat":
        order = [seat for seat in wish.order if seat in table.seats]
        if sorted(order) != sorted(table.seats):
            return {}, [Problem("wrong-players", "Everybody at the table needs one chair.", "order")], looked
        if tuple(order) == table.seats:
            return {}, [Problem("nothing-changes", "That is how they sit already.", "order")], looked
        return {f"place-{place}": seat for place, seat in enumerate(order, 1)}, [], looked
    if wish.kind == "leave" and wish.seat in table.gone:
        return {}, [Problem("unknown-player", "That is noted already.", "seat")], looked
    if wish.kind != "arrive" and wish.seat not in table.seats:
        return {}, [NOBODY], looked
    if wish.kind == "leave":
        return {"seat": wish.seat}, [], replace(looked, seat=wish.seat)
    name = clean_name(wish.person.name if wish.person else "", field="who")
    if isinstance(name, Problem):
        return {}, [NOBODY_NEW if name.code == "no-name" else name], looked
    if former := former_player(reading, wish.person, name):
        # They are called as they were then: that says that they are the same.
        _, name = former
        if wish.person and wish.person.is_stranger:
            sentence = f"There was a {name} at the table before: add an initial."
            return {}, [Problem("duplicate-player", sentence, "who", params={"name": name})], looked
    back = next((seat for seat in table.gone if same_name(names[seat]) == same_name(name)), None)
    # Who was noted to be there after this hand has their name already.
    later, ahead = reading.names_at(reading.next_hand + 1), reading.sheet.ahead
    taken = [*(names[seat] for seat in table.seats), *(later[seat] for seat in ahead.seats)]
    if any(same_name(other) == same_name(name) for other in taken):
        sentence = f"There is a {name} at the table already: add an initial."
        return {}, [Problem("duplicate-player", sentence, "who", params={"name": name})], looked
    if not looked.noted and is_expected(reading, name, but=back):
        sentence = f"A {name} is already due to sit down after this hand. Take that back first, or add an initial."
        return {}, [Problem("duplicate-player", sentence, "who", params={"name": name})], looked
    if wish.kind == "substitute":
        looked = replace(looked, seat=wish.seat, name=name)
        if back is not None:
            sentence = f"{name} has gone home, and can come back in a seat of their own."
            return {}, [Problem("duplicate-player", sentence, "who", params={"name": name})], looked
        return {"seat": wish.seat}, [], looked
    seat = back or max(reading.chairs) + 1
    step: dict[str, Value] = {"seat": seat}
    if wish.left_of is not None:
        step["left_of"] = wish.left_of
    usual = reading.game.happen(table, "arrive", {"seat": seat})
    if wish.left_of == usual.right_of(seat):
        # The usual place, said in so many words.
        del step["left_of"]
    return step, [], replace(looked, seat=seat, name=name, is_back=back is not None)


def is_expected(reading: SheetReading, name: str, *, but: int | None) -> bool:
    """Whether somebody of that name is noted to sit down once the open hand is scored, on another seat than `but`."""
    names = reading.names_at(reading.next_hand + 1)
    return any(same_name(names[seat]) == same_name(name) for seat in reading.sheet.ahead.seats if seat != but)


def swept_by(reading: SheetReading, wish: Wish) -> tuple[LogEntry, ...]:
    """What the wish takes off the sheet: who leaves in the middle of a hand has it dealt again to the others.

    That they were to leave after it goes too.
    """
    if wish.kind != "leave" or wish.hand != reading.next_hand or not has_begun(reading):
        return ()
    played = [a for a in reading.entries if a[0] == wish.hand and not is_event(reading, a)]
    noted = reading.sheet.noted
    if noted and noted[-1].kind == "leave" and noted[-1].step["seat"] == wish.seat:
        played.append((wish.hand + 1, noted[-1].name))
    return tuple(reading.standing[address] for address in played)


# Writing it down


def arrive(
    sheet: Sheet, person: Somebody, hand: int, event: int, *, left_of: int | None = None, key: str, by: Scorekeeper,
    sure: bool = False,
) -> Answer:  # fmt: skip
    """Rule 1: somebody comes late, or comes back: they are dealt in at `hand` and start with the lowest total."""
    return change_roster(sheet, Wish("arrive", hand, event, person=person, left_of=left_of), key=key, by=by, sure=sure)


def leave(sheet: Sheet, seat: int, hand: int, event: int, *, key: str, by: Scorekeeper, sure: bool = False) -> Answer:
    """Rule 10: somebody goes home before `hand`. If that is being played, it is dealt again to the others."""
    return change_roster(sheet, Wish("leave", hand, event, seat), key=key, by=by, sure=sure)


def substitute(
    sheet: Sheet, seat: int, person: Somebody, hand: int, event: int, *, key: str, by: Scorekeeper, sure: bool = False
) -> Answer:
    """Somebody takes over a seat with its total from `hand` on."""
    return change_roster(sheet, Wish("substitute", hand, event, seat, person), key=key, by=by, sure=sure)


def reseat(
    sheet: Sheet, order: Sequence[int], hand: int, event: int, *, key: str, by: Scorekeeper, sure: bool = False
) -> Answer:
    """The same players in another order round the table from `hand` on; `order` are their seats clockwise."""
    return change_roster(sheet, Wish("reseat", hand, event, order=tuple(order)), key=key, by=by, sure=sure)


def change_roster(
    sheet: Sheet, wish: Wish, *, key: str, by: Scorekeeper, sure: bool = False, digest: str = "",
    digest_of: Callable[[SheetReading, Prospect], str] | None = None,
) -> Answer:  # fmt: skip
    """Write a wish down. `sure` lets through what is only unwise.

    With `digest`, what `digest_of` made of the prospect that was shown, it is written only if that is still so.
    Codes beside those of the rules: `said-otherwise`, `somebody-wrote`, `no-name`, `duplicate-player`,
    `something-later`, `game-over`, `nothing-changes`.
    """

    if not is_sound(wish):
        return Refused((SAID_OTHERWISE,))

    def decide(reading: SheetReading) -> Change | Answer:
        if there := event_at(reading, wish.hand, wish.event):
            agreed = there.address == wish.address and says_the_same(reading, there, wish)
            return Change(Revision.Verb.AGREE, {}) if agreed else Refused((somebody_wrote(reading, there),), reading)
        looked = prospect(reading, wish)
        if isinstance(looked, Problem):
            return Refused((looked,), reading)
        if looked.blocking or (looked.problems and not sure):
            return Refused(looked.problems, reading)
        if digest and digest_of and digest_of(reading, looked) != digest:
            return Refused((SAID_OTHERWISE,), reading)
        return change_of(reading, looked, by)

    return append_revision(sheet, VERBS.get(wish.kind, ""), body_of(wish), decide, key=key, by=by)


def change_of(reading: SheetReading, looked: Prospect, by: Scorekeeper) -> Change:
    """The write that makes it so; the seat of a newcomer is given for good."""
    wish, seat = looked.wish, looked.seat
    added: dict[Address, Mapping[str, object]] = {wish.address: looked.step}
    chairs: dict[int, Chair] = {}
    aliases: dict[int, str] = {}
    strangers: tuple[int, ...] = ()
    if looked.name and seat is not None and not looked.is_back:
        player = player_of(reading, looked, by)
        is_hidden = looked.name == reading.called(player.pk, "")
        name = player.name if is_hidden else player.own_name(looked.name)
        if wish.kind == "arrive":
            row = Seat.objects.create(sheet=reading.record, number=seat, player=player, name=name)
            chairs[seat] = Chair(row.pk, player.pk, name)
        else:
            added[wish.hand, sits(seat, wish.event)] = {"name": name, "player": player.pk}
        if player.shown_as:
            aliases[player.pk] = looked.name if looked.name != player.name else player.shown_as
        if wish.person and wish.person.is_stranger:
            strangers = (player.pk,)
    return Change(VERBS[wish.kind], added, looked.swept, chairs=chairs, aliases=aliases, strangers=strangers)


def player_of(reading: SheetReading, looked: Prospect, by: Scorekeeper) -> Player:
    """Who was picked, if known to this browser or account and not on the sheet already; else who gave up a seat under
    that name; else somebody new."""
    person = looked.wish.person
    picked = person.player if person else None
    if isinstance(picked, int) and picked not in {chair.player for chair in reading.sitting.now.values()}:
        known = {player.pk: player for player in people_for(by, expected_at(reading.record))}
        if picked in known:
            return known[picked]
    former = former_player(reading, person, looked.name)
    again = Player.objects.filter(pk=former[0]).first() if former else None
    return again or Player.objects.create(name=looked.name)


def former_player(reading: SheetReading, person: Somebody | None, name: str) -> tuple[int, str] | None:
    """Who is meant, if they gave up a seat at this table: the player (id) who was picked, or had that name; and the
    name they had."""
    seated = {chair.player for chair in reading.sitting.now.values()}
    former = {player: called for player, called in reading.sitting.everybody.items() if player not in seated}
    if person and person.player in former:
        return person.player, former[person.player]
    return next(((player, called) for player, called in former.items() if same_name(called) == same_name(name)), None)


def says_the_same(reading: SheetReading, there: LogEntry, wish: Wish) -> bool:
    """Whether the other phone has written the same news."""
    names = reading.names_at(wish.hand)
    name = clean_name(wish.person.name) if wish.person else ""
    if wish.kind in ("arrive", "substitute"):
        same_person = isinstance(name, str) and same_name(names.get(there.data["seat"], "")) == same_name(name)
        same_place = wish.kind == "arrive" or there.data["seat"] == wish.seat
        return same_person and same_place and (wish.kind != "arrive" or wish.left_of == there.data.get("left_of"))
    if wish.kind == "leave":
        return bool(there.data["seat"] == wish.seat)
    return [there.data.get(f"place-{place}") for place in range(1, len(there.data) + 1)] == list(wish.order)


def somebody_wrote(reading: SheetReading, there: LogEntry) -> Problem:
    """What was written meanwhile, and by whom."""
    words = event_in_words(reading, *there.address)
    writer = there.by or "Another phone"
    sentence = format_html("{} entered this meanwhile: {}. Is this still right?", writer, words)
    return Problem("somebody-wrote", sentence, params={"by": writer, "what": str(words)})


def is_sound(wish: Wish) -> bool:
    """Whether its numbers are numbers at all, so that they can be looked up and kept."""
    numbers = [wish.hand, wish.event, *wish.order]
    numbers += [number for number in (wish.seat, wish.left_of) if number is not None]
    return all(is_number(number) for number in numbers) and len(wish.order) <= MOST_FIELDS and wish.hand < MOST_HANDS


def body_of(wish: Wish) -> dict[str, object]:
    """What was posted, for its digest."""
    name, player = (wish.person.name, wish.person.player) if wish.person else ("", None)
    return {
        "hand": wish.hand, "event": wish.event, "seat": wish.seat, "left_of": wish.left_of, "order": list(wish.order),
        "name": name[:LONGEST_VALUE].encode("utf-8", "replace").decode() if isinstance(name, str) else "",
        "player": player if is_id(player) else None,
        **({"stranger": True} if wish.person and wish.person.is_stranger else {}),
    }  # fmt: skip
