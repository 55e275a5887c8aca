"""The form for roster changes: its values so far, and what follows from them.

It works as plain posts: the button first shows a preview, and writes only what the preview has shown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.http import QueryDict
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.engine.replay import planned
from rules.core.problems import Problem
from scoresheets.log.identity import Namesake, namesakes
from scoresheets.log.state import SheetReading
from scoresheets.log.text import clean_name, same_name
from scoresheets.models import Player
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster.change import (
    GAME_OVER,
    NOBODY,
    NOBODY_NEW,
    Prospect,
    Wish,
    event_at,
    has_begun,
    place_after,
    place_now,
    prospect,
)
from scoresheets.roster.preview import RosterPreview
from scoresheets.wording.markup import name_shown

NUMBER = re.compile(r"[0-9]{1,9}")
PLACE = re.compile(r"([0-9]{1,5})\.([0-9]{1,5})")
#: The answer that it is nobody of the house.
STRANGER = "stranger"
#: What is still missing is not a mistake before anything was tapped.
NOT_YET = (NOBODY.code, NOBODY_NEW.code, "nothing-changes")


@dataclass(frozen=True)
class Chip:
    """Somebody to tap: `value` is what is posted, `note` stands beside the name."""

    value: str
    name: str
    note: str = ""
    player: int | None = None


@dataclass(frozen=True)
class When:
    """A moment to choose: `value` is `now` or `after`, `place` hand and event number."""

    value: str
    words: SafeString
    place: tuple[int, int]


@dataclass(frozen=True)
class PeopleForm:
    """What was tapped, of one `kind`, on a sheet as it stands.

    `people` are those that can be picked; `expected` those of them whom the club of the table expects. `elsewhere` are
    players (ids) who sit at another table of it: they are offered nowhere.
    """

    kind: str
    reading: SheetReading
    data: QueryDict
    people: Sequence[Player] = ()
    expected: Sequence[Player] = ()
    elsewhere: Collection[int] = ()

    # -- who --------------------------------------------------------------------------------------------

    @cached_property
    def seated(self) -> list[tuple[int, str]]:
        """Everybody who sits there when it happens, in the order they sit."""
        sheet, later = self.reading.sheet, self.kind != "leave" and self.when is not None and self.when.value == "after"
        names = self.reading.names_at(self.reading.next_hand + later)
        return [(seat, names[seat]) for seat in (sheet.ahead if later else sheet.table).seats]

    @cached_property
    def chips(self) -> list[Chip]:
        """Who may be meant, the likeliest first: who has gone home, who said they are coming, who is known here."""
        names, now = self.reading.names, self.reading.sitting.now
        gone = self.reading.sheet.ahead.gone if self.kind == "arrive" else ()
        chips = [
            Chip(f"back-{seat}", names[seat], "back again") for seat in gone if now[seat].player not in self.elsewhere
        ]
        here = {same_name(name) for name in names.values()}
        # Of one name the likeliest.
        expected = {
            same_name(name): player for player in reversed(self.expected) for name in (player.name, player.called)
        }
        for at, name in enumerate(self.reading.record.coming):
            if same_name(name) not in here:
                late = expected.get(same_name(name))
                called = (late.shown_as if late else "") or name
                here |= {same_name(name), same_name(called)}
                if not (late and late.pk in self.elsewhere):
                    chips.append(Chip(f"late-{at}", called, player=late.pk if late else None))
        sitting = {chair.player for chair in now.values()} | set(self.elsewhere)
        for player in self.people:
            if player.pk not in sitting and same_name(player.called) not in here:
                chips.append(Chip(f"known-{player.pk}", player.called, player=player.pk))
                here.add(same_name(player.called))
        return chips

    @property
    def typed(self) -> str:
        return self.data.get("name", "")[:1000]

    @property
    def picked(self) -> Chip | None:
        """The chip that was tapped; who is waited for alone needs no tap."""
        if self.typed.strip():
            return None
        chosen = self.data.get("who", "")
        waited_for = [chip for chip in self.chips if chip.value.startswith("late-")]
        if not chosen and len(waited_for) == 1 and self.kind == "arrive":
            return waited_for[0]
        return next((chip for chip in self.chips if chip.value == chosen), None)

    @property
    def person(self) -> Somebody | None:
        if self.is_written_there:
            person = self.data.get("person", "")[:1000]
            stranger = bool(self.data.get("stranger"))
            return Somebody(person, self.number("player"), is_stranger=stranger) if person else None
        if self.picked:
            return Somebody(self.picked.name, self.picked.player)
        if not self.typed.strip() or self.is_asked:
            return None
        if self.meant:
            return Somebody(self.meant.player.called, self.meant.player.pk)
        return Somebody(self.typed, self.waited_for, is_stranger=bool(self.namesakes))

    @cached_property
    def waited_for(self) -> int | None:
        """The player (id) who said they are coming under the name that was typed."""
        late = [chip for chip in self.chips if chip.value.startswith("late-")]
        return next((chip.player for chip in late if same_name(chip.name) == self.folded), None)

    # -- is it somebody of the club? -------------------------------------------------------------------

    @property
    def folded(self) -> str:
        """The name that was typed, as it is compared with others."""
        return same_name(" ".join(self.typed.split()))

    @cached_property
    def namesakes(self) -> list[Namesake]:
        """People of the club whose names are like the one that was typed; they are asked for by name."""
        name = clean_name(self.typed)
        known = {same_name(chair.name) for chair in self.reading.sitting.now.values()}
        if self.picked or self.waited_for or not isinstance(name, str) or same_name(name) in known:
            return []
        seated = {chair.player for chair in self.reading.sitting.now.values()}
        return namesakes(self.reading.record, name, seated)

    @property
    def meant_by(self) -> str:
        """What was answered: the id of a player, `STRANGER`, or "" as long as this name was not asked about."""
        return self.data.get("meant", "") if self.data.get("meant_of") == self.folded else ""

    @property
    def meant(self) -> Namesake | None:
        """Whom of them the scorekeeper meant."""
        return next((namesake for namesake in self.namesakes if str(namesake.player.pk) == self.meant_by), None)

    @property
    def is_asked(self) -> bool:
        """Whether it has to be said first whose name it is."""
        if self.is_written_there or not self.namesakes:
            return False
        return self.meant is None and self.meant_by != STRANGER

    @property
    def seat(self) -> int | None:
        return self.number("seat")

    def number(self, field: str) -> int | None:
        text = self.data.get(field, "")
        return int(text) if NUMBER.fullmatch(text) else None

    # -- where ------------------------------------------------------------------------------------------

    @property
    def left_of(self) -> int | None:
        """On whose left the newcomer sits; None: the usual place."""
        return self.number("left_of") or None

    @cached_property
    def gaps(self) -> list[tuple[int, str, str]]:
        """Every place between two people: the seat on whose left it is, and both names."""
        names = [name for _, name in self.seated]
        return [(seat, name, names[(at + 1) % len(names)]) for at, (seat, name) in enumerate(self.seated)]

    @property
    def swapped(self) -> list[int]:
        """The seats of those who were ticked."""
        return [int(text) for text in self.data.getlist("swap") if NUMBER.fullmatch(text)]

    @cached_property
    def order(self) -> list[int]:
        """The order that was tapped: two change places, or everybody has a number."""
        if self.is_written_there:
            return [int(seat) for seat in self.data.get("order", "").split(".") if NUMBER.fullmatch(seat)]
        seats = [seat for seat, _ in self.seated]
        if len(self.swapped) == 2 and set(self.swapped) <= set(seats):
            first, second = self.swapped
            return [{first: second, second: first}.get(seat, seat) for seat in seats]
        places = {seat: self.number(f"place-{seat}") for seat in seats}
        if all(places.values()) and len(set(places.values())) == len(seats):
            return sorted(seats, key=lambda seat: places[seat] or 0)
        return [] if any(places.values()) else seats

    @property
    def numbered(self) -> list[tuple[int, str, int]]:
        """Everybody with the number of their place, as it was typed or as they sit."""
        return [(seat, name, self.number(f"place-{seat}") or at) for at, (seat, name) in enumerate(self.seated, 1)]

    @property
    def is_numbered(self) -> bool:
        """Whether somebody was given another number than their own."""
        return any(place != at for at, (_, _, place) in enumerate(self.numbered, 1))

    # -- when -------------------------------------------------------------------------------------------

    @cached_property
    def moments(self) -> list[When]:
        """When it can happen, the usual one first."""
        reading = self.reading
        now, after = place_now(reading), place_after(reading)
        hand, begun, leaves = reading.next_hand, has_begun(reading), self.kind == "leave"
        moments = []
        if now and leaves and reading.sheet.table.hands_done:
            words = self.dealt_again if begun else format_html("Now, after hand {}", hand - 1)
            moments.append(When("now", words, now))
        elif now and not leaves and not begun:
            moments.append(When("now", format_html("From hand {} on", hand), now))
        if after and leaves:
            words = escape("After this hand") if begun else format_html("After hand {}", hand)
            moments.append(When("after", words, after))
        elif after:
            words = format_html("From hand {} on", hand + 1)
            if not begun:
                words = format_html("From hand {} on: {} is dealt", hand + 1, hand)
            moments.append(When("after", words, after))
        return moments[::-1] if leaves and begun else moments

    @property
    def dealt_again(self) -> SafeString:
        """ "Now, then Di deals 7 again"."""
        place = place_now(self.reading)
        looked = prospect(self.reading, Wish("leave", *place, self.seat)) if place else None
        if not isinstance(looked, Prospect) or looked.after is None:
            return escape("Now, then the hand is dealt again")
        hand = planned(self.reading.game, looked.after)[0]
        names = self.reading.names
        return format_html("Now, then {} deals {} again", name_shown(names[hand.dealer]), hand.cards)

    @property
    def when(self) -> When | None:
        """The moment that was chosen, else the usual one."""
        chosen = self.data.get("when", "")
        return next((moment for moment in self.moments if moment.value == chosen), next(iter(self.moments), None))

    @cached_property
    def seen_at(self) -> tuple[int, int] | None:
        """Hand and event number as they were when it was said what it means."""
        match = PLACE.fullmatch(self.data.get("at", ""))
        return (int(match[1]), int(match[2])) if match else None

    @cached_property
    def is_written_there(self) -> bool:
        """Whether something was written there since: by this very tap, sent again, or by somebody else.

        Then the page has moved on, and what was meant is what the page carried.
        """
        return self.seen_at is not None and event_at(self.reading, *self.seen_at) is not None

    @property
    def place(self) -> tuple[int, int] | None:
        """Hand and event number."""
        if self.is_written_there:
            return self.seen_at
        return self.when.place if self.when else None

    # -- what it comes to -------------------------------------------------------------------------------

    @property
    def wish(self) -> Wish | None:
        if self.place is None:
            return None
        order = tuple(self.order) if self.kind == "reseat" else ()
        return Wish(self.kind, *self.place, self.seat, self.person, self.left_of, order)

    @cached_property
    def looked(self) -> Prospect | Problem:
        """What it comes to now, or why it cannot be looked at."""
        return prospect(self.reading, self.wish) if self.wish else GAME_OVER

    @property
    def forecast(self) -> RosterPreview | None:
        """What can be confirmed."""
        if isinstance(self.looked, Prospect) and not self.looked.blocking:
            return RosterPreview(self.reading, self.looked)
        return None

    @property
    def problems(self) -> list[Problem]:
        """What stands against it."""
        problems = self.looked.problems if isinstance(self.looked, Prospect) else (self.looked,)
        return [problem for problem in problems if problem.blocking and not self.is_early(problem)]

    def is_early(self, problem: Problem) -> bool:
        """Whether it only says that nothing was tapped yet."""
        tapped = {
            "leave": self.seat,
            "substitute": self.seat and self.person,
            "arrive": self.person,
            "reseat": self.swapped,
        }
        return problem.code in NOT_YET and not tapped[self.kind]

    @property
    def is_ready(self) -> bool:
        return self.forecast is not None

    @property
    def label(self) -> SafeString:
        """What the button says."""
        forecast = self.forecast
        if forecast is None:
            return escape("Next: see what changes")
        name = forecast.name(forecast.prospect.seat)
        if self.kind == "reseat":
            return escape("Change the seats")
        words = {"arrive": "{} joins", "leave": "{} goes home", "substitute": "{} takes over"}[self.kind]
        return format_html("Yes, {}" if forecast.unwise else "{}", format_html(words, name))
