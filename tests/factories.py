"""Tables to test at: sheets that are opened, and hands that are written down, as scorekeepers do it."""

from __future__ import annotations

import itertools
import random
import secrets
from collections.abc import Callable, Mapping, Sequence

import factory
from django.utils import timezone

from rules import all_games, find_game
from rules.core.fields import SHEET, Address, Value
from rules.core.table import Hand
from scoresheets.access.scorekeepers import hashed
from scoresheets.commands import enter as entry_commands
from scoresheets.log.answers import Answer, Done
from scoresheets.log.append import Change, append_revision
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Player, Revision, Scorekeeper, Sheet
from scoresheets.opening.open_sheet import Opened, SetUp, Somebody, open_sheet
from tests.rules.dice import Step, whole_hand

ENTER = Revision.Verb.ENTER
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo")


class PlayerFactory(factory.django.DjangoModelFactory):
    """Somebody who sits at tables."""

    class Meta:
        model = Player

    name = factory.Iterator(NAMES)


class ScorekeeperFactory(factory.django.DjangoModelFactory):
    """A second scorekeeper of a sheet (`sheet=` is needed), on a phone of their own."""

    class Meta:
        model = Scorekeeper

    name = "Marge"
    browser = factory.LazyFunction(lambda: hashed(secrets.token_urlsafe(16)))
    created = factory.LazyFunction(timezone.now)


def new_key() -> str:
    """The key of one tap."""
    return secrets.token_urlsafe(18)


def set_up(players: Sequence[str] | int | None = None, game: str = "dirty-dog", **more: object) -> SetUp:
    """A table of the game for so many players or these names, with the first of them dealing first.

    Where nothing is said about the players there are as many as the game is made for, and where the game plans its
    hands there are four: 1, 2, 2 and 1 cards.
    """
    rules = next((other for other in all_games() if other.slug == game), find_game("dirty-dog"))
    players = rules.made_for[0] if players is None else players
    names = NAMES[:players] if isinstance(players, int) else tuple(players)
    plan = {"peak": 2} if rules.plan_choices(rules.made_for[0], {}) else {}
    chosen: dict[str, object] = {"plan": plan, "dealer_by": rules.first_dealer_by.word, **more}
    return SetUp(game=game, players=[Somebody(name) for name in names], **chosen)


def opened(
    players: Sequence[str] | int | None = None, *, game: str = "dirty-dog", browser: str = "", **more: object
) -> Opened:
    """A sheet, newly opened, with its scorekeeper."""
    key = new_key()
    answer = open_sheet(
        set_up(players, game, **more), browser=browser or hashed("the phone"), key=key, address=key, sure=True
    )
    assert isinstance(answer, Opened), answer
    return answer


class Scorer:
    """A scorekeeper's hand: writes what it is told, with a new key each time, having seen what stands there.

    Its methods return the answer as it comes; `sure_of` insists on `Done`.
    """

    def __init__(self, sheet: Sheet, by: Scorekeeper) -> None:
        self.sheet, self.by = sheet, by

    @property
    def reading(self) -> SheetReading:
        self.sheet.refresh_from_db()
        return read_sheet(self.sheet)

    def saw(self, address: Address) -> int | None:
        return self.reading.entry_ids.get(address)

    def enter(self, hand: int, ask: str, **step: Value) -> Answer:
        fields = {name.replace("_", "-"): value for name, value in step.items()}
        return entry_commands.enter(self.sheet, (hand, ask), fields, saw=None, key=new_key(), by=self.by)

    def bid(self, seat: int, bid: int, hand: int | None = None) -> Answer:
        return self.enter(hand or self.reading.next_hand, f"bid-{seat}", bid=bid)

    def bids(self, bids: Mapping[int, int]) -> int:
        """All bids of the open hand in the order they are spoken; the number of the hand."""
        hand = self.reading.sheet.open
        assert hand is not None, "no hand is open"
        for seat in hand.hand.order:
            sure_of(self.bid(seat, bids[seat], hand.hand.number))
        return hand.hand.number

    def tricks(self, tricks: Mapping[int, int], hand: int | None = None) -> Answer:
        counts = {f"tricks_{seat}": count for seat, count in tricks.items()}
        return self.enter(hand or self.reading.next_hand, "tricks", **counts)

    def hand(self, bids: Mapping[int, int], tricks: Mapping[int, int]) -> None:
        """A whole hand."""
        number = self.bids(bids)
        sure_of(self.tricks(tricks, number))

    def any_hand(self, seed: object = None) -> None:
        """A whole hand of any game, from the ask that is due: of Dirty Dog one in which everybody bids nothing.

        The same on the same sheet every time; another one for another `seed`.
        """
        reading = self.reading
        for ask, step in thrown_hand(reading, seed).items():
            self.enter_step(reading.next_hand, ask, step)

    def hand_at_once(self, steps: Callable[[SheetReading], Mapping[str, Step]]) -> SheetReading:
        """A whole hand as one write, as no scorekeeper does it: for tests that only need what it comes to.

        The sheet as it reads then.
        """

        def decide(reading: SheetReading) -> Change:
            return Change(ENTER, {(reading.next_hand, ask): step for ask, step in steps(reading).items()})

        return sure_of(append_revision(self.sheet, ENTER, {}, decide, key=new_key(), by=self.by)).reading

    def enter_step(self, hand: int, ask: str, step: Mapping[str, Value]) -> Done:
        """What the scorekeeper means to write there, unwise or not."""
        address = (hand, ask)
        return sure_of(entry_commands.enter(self.sheet, address, step, saw=None, key=new_key(), by=self.by, sure=True))

    def clear_hand(self) -> None:
        """A whole hand in which the lowest seat bids and takes all, and the next one is set by one trick."""
        bids, tricks = clear_counts(self.reading)
        self.hand(bids, tricks)

    def clear_game(self) -> None:
        """Hands until the game is over: seat 1 wins, seat 2 loses, nothing is left to settle."""
        reading = self.reading
        while reading.sheet.open:
            reading = self.hand_at_once(clear_hand)

    def any_game(self) -> None:
        """Hands until the sheet asks for none, and whatever settles it."""
        reading = self.reading
        while reading.sheet.open:
            reading = self.hand_at_once(thrown_hand)
        self.settle()

    def settle(self) -> None:
        """Blind hands and draws until nothing is open: of the tied the lowest seat takes all and draws the ace."""
        while (settlement := self.reading.sheet.settlement) and settlement.asks:
            ask, hand, tied = settlement.asks[0], settlement.hand, settlement.waiting[0].seats
            if hand is None:
                ranks = itertools.chain("A", itertools.cycle("KQ"))
                step = {field.name: next(ranks) for field in ask.fields}
            else:
                first = min(tied)
                bids = dict.fromkeys(hand.order, 0) | {next(s for s in hand.order if s != first): 1, first: hand.cards}
                step = {"bid": bids[ask.seat]} if ask.seat else {}
                step |= {f"tricks-{s}": hand.cards if s == first else 0 for s in hand.order} if not ask.seat else {}
            sure_of(self.enter(SHEET, ask.name, **step))

    def undo(self, version: int | None = None) -> Answer:
        """Take back that write, or the last."""
        version = version or self.reading.last_write
        assert version is not None, "nothing to take back"
        return entry_commands.undo(self.sheet, version, key=new_key(), by=self.by)


def open_hand(reading: SheetReading) -> Hand:
    """The hand that is being played."""
    assert reading.sheet.open is not None, "no hand is open"
    return reading.sheet.open.hand


def thrown_hand(reading: SheetReading, seed: object = None) -> dict[str, Step]:
    """The steps of `Scorer.any_hand` by the name of the ask."""
    hand = open_hand(reading)
    return whole_hand(random.Random(f"{hand.number} {seed}"), reading.game, reading.sheet.table, hand)


def clear_counts(reading: SheetReading) -> tuple[dict[int, int], dict[int, int]]:
    """The bids and the tricks by seat of `Scorer.clear_hand`."""
    hand = open_hand(reading)
    nothing = dict.fromkeys(sorted(hand.order), 0)
    first, second, *_ = nothing
    return nothing | {first: hand.cards, second: 1}, nothing | {first: hand.cards}


def clear_hand(reading: SheetReading) -> dict[str, Step]:
    """The steps of `Scorer.clear_hand` by the name of the ask."""
    return bid_and_taken(*clear_counts(reading), reading)


def bid_and_taken(bids: Mapping[int, int], tricks: Mapping[int, int], reading: SheetReading) -> dict[str, Step]:
    """The steps of a hand with these bids and tricks by seat, by the name of the ask."""
    steps: dict[str, Step] = {f"bid-{seat}": {"bid": bids[seat]} for seat in open_hand(reading).order}
    return steps | {"tricks": {f"tricks-{seat}": count for seat, count in tricks.items()}}


def scorer(players: Sequence[str] | int | None = None, **more: object) -> Scorer:
    """A new sheet and the scorer who opened it; `game` says of which game."""
    made = opened(players, **more)
    return Scorer(made.sheet, made.keeper)


def sure_of(answer: Answer) -> Done:
    """The answer, which must be that it stands."""
    assert isinstance(answer, Done), answer
    return answer
