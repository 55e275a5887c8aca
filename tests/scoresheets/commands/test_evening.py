"""Evenings that nobody planned: any sequence of verbs, held to a model that fits on a page."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rules.core.engine.replay import read
from rules.core.fields import SHEET, Address, Ask, Choice, Count, Value
from scoresheets.commands import enter
from scoresheets.log.answers import Answer, Conflict, Done, Refused
from scoresheets.models import FinalPlacing, HandFact, Revision
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster import change
from scoresheets.roster.change import place_after, place_now
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of

Steps = Mapping[Address, Mapping[str, Value]]


def step_for(ask: Ask, cards: int, data: st.DataObject) -> dict[str, Value]:
    """An answer to an ask that fits its fields; tricks mostly come to the cards."""
    counts = [field for field in ask.fields if isinstance(field, Count)]
    if len(counts) > 1:
        takers = data.draw(st.lists(st.sampled_from(counts), min_size=cards, max_size=cards), label="takers")
        return {field.name: takers.count(field) for field in counts}
    drawn: dict[str, Value] = {}
    for field in ask.fields:
        if isinstance(field, Count):
            drawn[field.name] = data.draw(st.integers(field.low, field.high), label=field.name)
        elif isinstance(field, Choice):
            drawn[field.name] = data.draw(st.sampled_from(field.values), label=field.name)
    return drawn


class Evening(RuleBasedStateMachine):
    """What every write did, and which of them count: the entries are what those that count did, in order."""

    @initialize(players=st.integers(2, 5), peak=st.integers(1, 3), final=st.booleans())
    def sit_down(self, players: int, peak: int, final: bool) -> None:
        self.table = scorer(players, plan={"peak": peak}, house_rules={"dealer_bid_final": final})
        self.marge = Scorer(self.table.sheet, ScorekeeperFactory(sheet=self.table.sheet))
        self.did: dict[int, tuple[frozenset[Address], Steps]] = {}
        self.flips: dict[int, frozenset[int]] = {}
        self.counting: set[int] = set()
        self.entries: Steps = {}
        self.last: Answer | None = None

    # What was answered

    def note_down(self, answer: Answer, flips: frozenset[int] | None = None) -> None:
        """Keep in mind what the answer says was done: something new, or others counting or not."""
        self.last = answer
        if not isinstance(answer, Done) or answer.verb == "agree":
            note(f"{type(answer).__name__} {getattr(answer, 'code', '')}")
            return
        before, after = self.entries, answer.reading.entries
        if flips is None:
            gone = frozenset(address for address in before if before[address] != after.get(address))
            new = {address: step for address, step in after.items() if before.get(address) != step}
            self.did[answer.version] = (gone, new)
            self.counting.add(answer.version)
        else:
            self.flips[answer.version] = flips
            self.counting ^= flips
        self.entries = after

    def expected(self) -> Steps:
        entries: dict[Address, Mapping[str, Value]] = {}
        for version in sorted(self.counting):
            gone, new = self.did[version]
            entries = {address: step for address, step in entries.items() if address not in gone} | dict(new)
        return entries

    # What people do

    @rule(data=st.data())
    def write_what_is_asked(self, data: st.DataObject) -> None:
        sheet = self.table.reading.sheet
        if sheet.open and sheet.open.missing:
            ask, hand, cards = sheet.open.missing, sheet.open.hand.number, sheet.open.hand.cards
        elif sheet.settlement and sheet.settlement.asks:
            # A card may be drawn at the bottom while a blind hand is played for the lead.
            ask, hand = data.draw(st.sampled_from(sheet.settlement.asks), label="ask"), SHEET
            cards = sheet.settlement.hand.cards if sheet.settlement.hand else 0
        else:
            return
        who = data.draw(st.sampled_from([self.table, self.marge]))
        step = step_for(ask, cards, data)
        self.note_down(enter.enter(who.sheet, (hand, ask.name), step, saw=None, key=new_key(), by=who.by))

    @rule(data=st.data())
    def play_the_hand_to_its_end(self, data: st.DataObject) -> None:
        for _ in range(8):
            hand = self.table.reading.next_hand
            self.write_what_is_asked(data)
            if self.table.reading.next_hand != hand:
                return

    @rule(suit=st.sampled_from(["C", "D", "H", "S", "NT"]), saw=st.booleans())
    def note_trump(self, suit: str, saw: bool) -> None:
        address = (self.table.reading.next_hand, "trump")
        seen = self.table.saw(address) if saw else None
        self.note_down(
            enter.enter(self.table.sheet, address, {"suit": suit}, saw=seen, key=new_key(), by=self.table.by)
        )

    @rule(data=st.data())
    def write_anywhere(self, data: st.DataObject) -> None:
        hand = data.draw(st.integers(0, 4), label="hand")
        ask = data.draw(st.sampled_from(["bid-1", "bid-2", "bid-3", "tricks", "trump", "tie-1-bid-1", "draw-1"]))
        step = data.draw(st.sampled_from([{"bid": 0}, {"bid": 1}, {"suit": "H"}, {"tricks-1": 1, "tricks-2": 0}]))
        saw = data.draw(st.sampled_from([None, self.table.saw((hand, ask))]), label="saw")
        self.note_down(enter.enter(self.table.sheet, (hand, ask), step, saw=saw, key=new_key(), by=self.table.by))

    @rule(data=st.data())
    def type_it_right(self, data: st.DataObject) -> None:
        bids = [address for address in self.table.reading.entries if "bid-" in address[1]]
        if not bids:
            return
        address = data.draw(st.sampled_from(bids[-6:]), label="address")
        seen, bid = self.table.saw(address), data.draw(st.integers(0, 3), label="bid")
        self.note_down(enter.retype(self.table.sheet, address, {"bid": bid}, saw=seen, key=new_key(), by=self.table.by))

    @rule()
    def take_the_last_back(self) -> None:
        version = self.table.reading.last_write
        if version is None:
            return
        answer = self.table.undo(version)
        self.note_down(answer, frozenset({version}))
        assert isinstance(answer, Done) or answer.code == "bid-locked", answer

    @rule(data=st.data())
    def take_anything_back(self, data: st.DataObject) -> None:
        version = data.draw(st.sampled_from([1, *self.did, *self.flips][::-1]), label="version")
        flips = self.flips.get(version, frozenset({version}))
        self.note_down(self.table.undo(version), flips)

    @precondition(lambda self: self.table.reading.sheet.open and self.table.reading.sheet.open.hand.steps)
    @rule()
    def deal_again(self) -> None:
        reading = self.table.reading
        self.note_down(
            enter.misdeal(self.table.sheet, reading.next_hand, reading.next_event, key=new_key(), by=self.table.by)
        )

    @precondition(lambda self: self.table.reading.sheet.rows)
    @rule()
    def stop_here(self) -> None:
        reading = self.table.reading
        self.note_down(enter.stop(self.table.sheet, reading.next_hand, key=new_key(), by=self.table.by))

    @rule()
    def play_on(self) -> None:
        reading = self.table.reading
        settled = frozenset(reading.standing[address].first for address in reading.entries if address[0] == SHEET)
        flips = settled | {reading.stopped.first} if reading.stopped else frozenset()
        self.note_down(enter.play_on(self.table.sheet, key=new_key(), by=self.table.by), flips)

    # Who comes and who goes

    def place(self, *, after: bool) -> tuple[int, int] | None:
        return (place_after if after else place_now)(self.table.reading)

    @rule(name=st.sampled_from(["Joe", "Flo", "Ann", "Bo"]), after=st.booleans(), data=st.data())
    def somebody_comes(self, name: str, after: bool, data: st.DataObject) -> None:
        at, seats = self.place(after=after), self.table.reading.sheet.table.seats
        if at and len(self.table.reading.chairs) < 8:
            left_of = data.draw(st.sampled_from([None, *seats]), label="left of")
            more = {"left_of": left_of, "key": new_key(), "by": self.table.by, "sure": True}
            self.note_down(change.arrive(self.table.sheet, Somebody(name), *at, **more))

    @rule(after=st.booleans(), data=st.data())
    def somebody_goes(self, after: bool, data: st.DataObject) -> None:
        at, reading = self.place(after=after), self.table.reading
        if at:
            seat = data.draw(st.sampled_from(reading.sheet.table.seats), label="seat")
            more = {"key": new_key(), "by": self.table.by, "sure": True}
            self.note_down(change.leave(self.table.sheet, seat, *at, **more))

    @rule(name=st.sampled_from(["Gil", "Bo"]), after=st.booleans(), data=st.data())
    def somebody_takes_over(self, name: str, after: bool, data: st.DataObject) -> None:
        at, reading = self.place(after=after), self.table.reading
        if at:
            seat = data.draw(st.sampled_from(reading.sheet.table.seats), label="seat")
            more = {"key": new_key(), "by": self.table.by}
            self.note_down(change.substitute(self.table.sheet, seat, Somebody(name), *at, **more))

    @rule(after=st.booleans(), data=st.data())
    def they_sit_otherwise(self, after: bool, data: st.DataObject) -> None:
        at, sheet = self.place(after=after), self.table.reading.sheet
        if at:
            order = data.draw(st.permutations((sheet.ahead if after else sheet.table).seats), label="order")
            more = {"key": new_key(), "by": self.table.by}
            self.note_down(change.reseat(self.table.sheet, order, *at, **more))

    @rule()
    def say_something(self) -> None:
        answer = enter.note(self.table.sheet, SHEET, text="Well.", key=new_key(), by=self.table.by)
        if isinstance(answer, Done):
            self.flips[answer.version] = frozenset()

    # What always holds

    @invariant()
    def the_entries_are_what_the_counting_writes_did(self) -> None:
        assert self.table.reading.entries == self.expected() == self.entries

    @invariant()
    def the_answer_is_what_a_fresh_reading_tells(self) -> None:
        fresh = self.table.reading
        full = read(fresh.game, fresh.table, fresh.entries)
        assert fresh.sheet == full
        if isinstance(self.last, Done | Conflict | Refused) and self.last.reading:
            answered = self.last.reading
            assert answered.version <= fresh.version
            if answered.version == fresh.version:
                assert answered.standing == fresh.standing
                assert answered.sheet == full

    @invariant()
    def nothing_is_unread_and_no_version_is_missing(self) -> None:
        reading = self.table.reading
        assert reading.sheet.unread == ()
        versions = Revision.objects.filter(sheet=self.table.sheet).order_by("version").values_list("version", flat=True)
        assert list(versions) == list(range(1, reading.version + 1))

    @invariant()
    def everybody_at_the_table_has_a_name_of_his_own(self) -> None:
        reading = self.table.reading
        here = [reading.names[seat] for seat in (*reading.sheet.table.seats, *reading.sheet.table.gone)]
        assert len(set(here)) == len(here)
        assert (
            self.last is None
            or self.last.reading is None
            or self.last.reading.version < reading.version
            or (self.last.reading.names == reading.names)
        )

    @invariant()
    def a_finished_sheet_has_told_and_no_other_has(self) -> None:
        reading = self.table.reading
        assert (self.table.sheet.finished_at is not None) == reading.finished
        rows = reading.sheet.rows if reading.finished else ()
        assert HandFact.objects.filter(sheet=self.table.sheet).count() == sum(len(row.points) for row in rows)
        told = FinalPlacing.objects.filter(sheet=self.table.sheet).count()
        assert told == (len(reading.names) if reading.finished else 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(600)
def test_whatever_people_do_the_sheet_says_what_they_did() -> None:
    chosen = settings()
    run_state_machine_as_test(
        Evening,
        settings=settings(
            max_examples=chosen.max_examples // 5,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.reuse, Phase.generate, Phase.shrink],
        ),
    )


def test_the_model_itself_can_fail(db: None) -> None:
    evening = Evening()
    evening.sit_down(players=2, peak=1, final=False)
    sure_of(evening.table.bid(2, 0))
    with pytest.raises(AssertionError):
        evening.the_entries_are_what_the_counting_writes_did()
