"""A play-off of a night, for the tests: opened with groups of given sizes, its tables played to the totals one wants.

evening = play_off([7, 6], places=3)
evening.finish(evening.groups[0], {"Ann": 21, "Bo": 15, …})   # or [21, 15, …] clockwise from place 1
evening.blind(evening.groups[0], made=["Ann"])                 # the blind hand that is due: Ann beats the others
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Attendance, Club, Member, Night, PlayOff, Stage, Table
from clubs.play_off_rounds.stages import draw_next, open_groups, open_next
from clubs.play_offs.state import PlayOffNow, now
from clubs.tables.draft import Drawing
from clubs.tables.drawn_table import Drawn
from rules import find_game
from rules.core.fields import SHEET
from rules.core.playoffs.plan import PlayOffPlan
from scoresheets.corrections.correct import correct, correcting
from scoresheets.log.append import Change
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.opening.open_sheet import Somebody
from scoresheets.paper.carry_over import carry
from scoresheets.results.consequences import full_impact
from scoresheets.results.impact import previewed
from scoresheets.roster.change import arrive, leave, place_now
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory
from tests.factories import Scorer, bid_and_taken, new_key, sure_of

#: Who comes, in this order; after them P27, P28 …
PEOPLE = (
    "Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Joe", "Kit", "Lou", "Mo", "Ned", "Oz", "Pam", "Quin",
    "Ray", "Sue", "Tom", "Una", "Vic", "Wim", "Xia", "Yan", "Zoe",
)  # fmt: skip
#: Who comes through when two groups of seven and six have played: Ann, Bo, Flo and Hal, Ivy, Mo.
FIRST = (5, 12, 3, 2, -4, 7, 1)
SECOND = (5, 3, 2, 1, -4, 7)
WINNERS = {"Ann": 21, "Bo": 3, "Flo": -7, "Hal": 4, "Ivy": 12, "Mo": 0}
LOSERS = {"Cy": -5, "Di": 3, "Ed": 1, "Gus": 8, "Joe": -2, "Kit": 0, "Lou": 11}
#: So many hands are played at every table, unless something else is said.
HANDS = 4


@dataclass
class PlayOffEvening:
    """A club on the night of its play-off. Everybody is told by their name."""

    club: Club
    night: Night
    play_off: PlayOff
    members: dict[str, Member]

    # -- where everybody is ------------------------------------------------------------------------------

    @property
    def groups(self) -> list[Table]:
        """The tables of the groups, in their order."""
        return self.tables(Stage.Side.ALL)

    def tables(self, side: str, number: int | None = None) -> list[Table]:
        """The tables of the last stage of the side that stands, or of the one of that number."""
        stages = self.play_off.stages.standing().filter(side=side, **({"number": number} if number else {}))
        last = stages.order_by("-number").first()
        return list(last.tables.select_related("sheet", "night__club").order_by("number")) if last else []

    def final(self, side: str = Stage.Side.WINNERS) -> Table:
        """The one table of the side's last stage."""
        (table,) = self.tables(side)
        return table

    @property
    def now(self) -> PlayOffNow:
        """The play-off as it stands."""
        return now(PlayOff.objects.select_related("night__club").get(pk=self.play_off.pk))

    def open_next(self, *, leaving: Sequence[str] = (), hands: int = HANDS) -> list[Stage]:
        """Draw and open whatever is due, without those who have gone home."""
        proposed = draw_next(self.now, leaving=[self.player(name) for name in leaving])
        return open_next(self.play_off, proposed, hands=hands, user=UserFactory(), keeper="Olga")

    def names(self, players: Iterable[int]) -> list[str]:
        """What players (ids) are called."""
        known = {member.player_id: name for name, member in self.members.items()}
        return [known[player] for player in players]

    def names_at(self, table: Table) -> list[str]:
        """Who sits there, clockwise from place 1."""
        reading = reading_of(table)
        return [reading.names[seat] for seat in reading.sheet.table.seats]

    def player(self, name: str) -> int:
        """The player (id) somebody of that name sits down as."""
        return self.members[name].player_id

    # -- playing -----------------------------------------------------------------------------------------

    def finish(self, table: Table, totals: Mapping[str, int] | Sequence[int]) -> None:
        """Play the table to its last hand, after which everybody has these totals. Ties are left open."""
        self.play(table, totals)

    def finish_finals(self) -> None:
        """Play both finals to their last hand, each for 40, 30, 20 and 10 clockwise from place 1."""
        for side in (Stage.Side.WINNERS, Stage.Side.LOSERS):
            self.finish(self.final(side), [40, 30, 20, 10])

    def play(self, table: Table, totals: Mapping[str, int] | Sequence[int], *, hands: int | None = None) -> None:
        """Play so many hands (None: all of them), after which everybody has these totals.

        All but the last of them were kept elsewhere and are brought along; the last is written down: everybody bids
        nothing, and the first bidder takes it all. Nothing may stand on the sheet before, and there are two hands or
        more.
        """
        scorer, reading = scorer_of(table), reading_of(table)
        seats, names = reading.table.seats, reading.names
        wished = dict(zip((names[seat] for seat in seats), totals, strict=True)) if not hasattr(totals, "keys") else (
            dict(totals)  # type: ignore[call-overload]
        )  # fmt: skip
        hands = hands or len(reading.table.schedule)
        at = (seats.index(reading.table.first_dealer) + hands - 1) % len(seats)
        dealer, leader, cards = seats[at], seats[(at + 1) % len(seats)], reading.table.schedule[hands - 1]
        brought = {seat: wished[names[seat]] + (cards if seat == leader else -5) for seat in seats}
        before = {"hands": hands - 1, "last_dealer": seats[seats.index(dealer) - 1]}
        step = before | {f"total-{seat}": total for seat, total in brought.items()}
        sure_of(carry(scorer.sheet, step, saw=None, key=new_key(), by=scorer.by))
        nothing = dict.fromkeys(seats, 0)
        scorer.hand_at_once(partial(bid_and_taken, nothing, nothing | {leader: cards}))

    def blind(self, table: Table, made: Iterable[str]) -> None:
        """Play the blind hand that is due: these make their bid of nothing (5 each), all others are set."""
        scorer, reading = scorer_of(table), reading_of(table)
        settlement = reading.sheet.settlement
        assert settlement is not None, "the last hand is not played yet"
        hand, names, made = settlement.hand, reading.names, set(made)
        assert hand is not None, "no blind hand is due"
        assert made <= set(names.values()), made
        others = [seat for seat in hand.order if names[seat] not in made]
        assert others, "somebody has to take the tricks"
        tricks = dict.fromkeys(hand.order, 0) | {others[0]: hand.cards}
        bids = dict.fromkeys(hand.order, 0) | dict.fromkeys(others[1:], 1)
        if sum(bids.values()) == hand.cards:
            bids[others[-1]] += 1 if len(others) > 1 else -1
        for seat in hand.order:
            sure_of(scorer.enter(SHEET, f"{hand.prefix}bid-{seat}", bid=bids[seat]))
        sure_of(scorer.enter(SHEET, f"{hand.prefix}tricks", **{f"tricks_{seat}": n for seat, n in tricks.items()}))

    def cards(self, table: Table, drawn: Mapping[str, str]) -> None:
        """Draw the cards that are due on the sheet: ranks by name."""
        scorer, reading = scorer_of(table), reading_of(table)
        settlement = reading.sheet.settlement
        assert settlement is not None, "the last hand is not played yet"
        assert settlement.asks, "nothing is due"
        ranks = {f"rank_{seat}": drawn[name] for seat, name in reading.names.items() if name in drawn}
        sure_of(scorer.enter(SHEET, settlement.asks[0].name, **ranks))

    def correct(self, table: Table, totals: Mapping[str, int]) -> None:
        """Put right what was brought along: these people have these totals now."""
        scorer, reading = scorer_of(table), reading_of(table)
        address, seats = (SHEET, "carried"), {name: seat for seat, name in reading.names.items()}
        standing, now_has = reading.standing[address], reading.sheet.totals
        step = dict(standing.data)
        for name, total in totals.items():
            step[f"total-{seats[name]}"] += total - now_has[seats[name]]
        change = correcting(reading, {address: step}, {address: standing.pk}, sure=True)
        assert isinstance(change, Change), change
        told = full_impact(reading, previewed(reading, change))
        saw = {address: standing.pk}
        sure_of(
            correct(scorer.sheet, {address: step}, saw=saw, digest=told.digest, key=new_key(), by=scorer.by, sure=True)
        )

    def arrives(self, table: Table, name: str, player: int | None = None) -> None:
        """Somebody comes late: from the next hand on they are dealt in."""
        scorer, reading = scorer_of(table), reading_of(table)
        place = place_now(reading)
        assert place is not None, "the last hand is played"
        sure_of(arrive(scorer.sheet, Somebody(name, player), *place, key=new_key(), by=scorer.by, sure=True))

    def leaves(self, table: Table, name: str) -> None:
        """Somebody goes home before the next hand."""
        scorer, reading = scorer_of(table), reading_of(table)
        place = place_now(reading)
        assert place is not None, "the last hand is played"
        seat = next(seat for seat, called in reading.names.items() if called == name)
        sure_of(leave(scorer.sheet, seat, *place, key=new_key(), by=scorer.by, sure=True))

    def rest(self, table: Table) -> None:
        """Play the hands that are left: everybody bids nothing, and the first bidder takes it all."""
        scorer = scorer_of(table)
        while (opened := scorer.reading.sheet.open) is not None:
            order, cards = opened.hand.order, opened.hand.cards
            scorer.hand(dict.fromkeys(order, 0), dict.fromkeys(order, 0) | {order[0]: cards})

    # -- pages -------------------------------------------------------------------------------------------

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.club.slug, self.night.pk, *args])

    def organiser(self, role: str = Member.Role.ORGANISER) -> Client:
        """A browser in which somebody of that role is signed in."""
        client, user = Client(), UserFactory()
        MemberFactory(club=self.club, name="Olga", user=user, role=role)
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client


def play_off(sizes: Sequence[int] = (7, 6), **more: Any) -> PlayOffEvening:
    """A night with a play-off whose groups have just been opened; `more` as for `drawn_groups`."""
    return drawn_groups(sizes, **more).open()


@dataclass
class DrawnGroups:
    """The groups of a play-off as they are drawn, and nothing opened yet."""

    drawing: Drawing
    plan: PlayOffPlan
    members: dict[str, Member]
    more: dict[str, Any]

    def open(self, user: Any = None) -> PlayOffEvening:
        """Open them."""
        made = open_groups(self.drawing, self.plan, user=user or UserFactory(), keeper="Olga", **self.more)
        return PlayOffEvening(self.drawing.night.club, self.drawing.night, made, self.members)


def drawn_groups(
    sizes: Sequence[int] = (7, 6), *, places: int = 3, losers_count: int | None = None, hands: int = HANDS,
    game: str = "dirty-dog", house_rules: Mapping[str, Any] | None = None, club: Club | None = None, **more: Any,
) -> DrawnGroups:  # fmt: skip
    """A night on which the groups of a play-off are drawn: Ann, Bo, Cy … fill group 1, the next group 2.

    The first of each group deals first. `places` go through of each, the `losers_count` lowest (None: all others) to
    the losers' table. `more` as for `open_groups`: `carry_over`, `cut_by_high_card`, `mixed`.
    """
    club = club or ClubFactory(name="The Trumps")
    names = [*PEOPLE, *(f"P{number}" for number in range(len(PEOPLE) + 1, sum(sizes) + 1))][: sum(sizes)]
    members = {name: MemberFactory(club=club, name=name) for name in names}
    night = NightFactory(club=club, on=club.today(), begun_at=timezone.now())
    for member in members.values():
        Attendance.objects.create(night=night, member=member, says="here")
    rest, rules = list(members.values()), find_game(game)
    drawing = Drawing(night)
    drawing.tables, drawing.house_rules = [], {game: dict(house_rules or {})}
    for size in sizes:
        people, rest = [member.pk for member in rest[:size]], rest[size:]
        drawing.tables.append(Drawn(rules, people, people[0]))
    hands = hands if rules.plan_choices(rules.made_for[0], {}) else 0
    return DrawnGroups(drawing, PlayOffPlan(tuple(sizes), places, losers_count, hands, hands), members, more)


def reading_of(table: Table) -> SheetReading:
    """The table's sheet as it stands."""
    assert table.sheet is not None
    table.sheet.refresh_from_db()
    return read_sheet(table.sheet)


def scorer_of(table: Table) -> Scorer:
    """The scorer who opened it."""
    assert table.sheet is not None
    keeper = table.sheet.scorekeepers.order_by("pk").first()
    assert keeper is not None
    return Scorer(table.sheet, keeper)


def at_the_finals() -> PlayOffEvening:
    """A play-off of two groups of four, of which two each reach the winners' table: the finals are open."""
    evening = play_off((4, 4), places=2)
    for table in evening.groups:
        evening.finish(table, [40, 30, 20, 10])
    evening.open_next()
    return evening
