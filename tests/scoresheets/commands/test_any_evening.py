"""Evenings on which things are put right as well: every verb there is, held to what stood after each write.

The evening of `test_evening` knows what counts; here the model is plainer still: what stood after every version.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule, run_state_machine_as_test

from rules.core.fields import SHEET, Address
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.commands import enter
from scoresheets.commands.undo_label import TakeBack, what_is_taken_back
from scoresheets.corrections import correct as correction
from scoresheets.corrections import swap as corrections_swap
from scoresheets.corrections.orphans import left_over_of
from scoresheets.corrections.setup import SetupCorrection, SetupPreview, correct_setup, names_on, preview_setup
from scoresheets.corrections.swap import NUMBERS, SEATS, Swap
from scoresheets.files.sheet_file import open_from_file, sheet_file_of
from scoresheets.history.restore import restore, restore_preview
from scoresheets.log.answers import Answer, Done
from scoresheets.log.append import Change
from scoresheets.log.entries import canonical, entry_history
from scoresheets.log.state import SheetReading
from scoresheets.models import Revision
from scoresheets.opening.open_sheet import Opened
from scoresheets.pad.bidding_pad import BiddingPad
from scoresheets.pad.build import pad_of, page_of
from scoresheets.paper.type_in import type_in
from scoresheets.results.impact import moves, previewed
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer
from tests.scoresheets.commands.test_evening import Evening, step_for
from tests.scoresheets.people import result_of, scored_from_its_file

SECRET = "s" * 22
PAGES = (
    "pad", "state", "sheet", "history", "result", "draw", "read_back", "left_over", "set_up", "swapped", "type_in",
    "resume", "arrive", "leave", "substitute", "reseat", "export_csv", "export_sheet", "picture", "links", "note",
    "blank_sheet", "rules_page",
)  # fmt: skip
WATCHED = ("watch", "watch_rows", "watch_table", "watch_top", "watch_history", "watch_picture")


def what_stands(reading: SheetReading) -> dict[Address, str]:
    """Everything that stands, the set-up, names and notes included, and what it says."""
    return {address: canonical(entry.data) for address, entry in reading.standing.items()}


class AnyEvening(Evening):
    """What stood after every version: nothing but the next write changes it, and the way back leads exactly there."""

    @initialize(players=st.integers(2, 5), peak=st.integers(1, 3), final=st.booleans())
    def sit_down(self, players: int, peak: int, final: bool) -> None:
        rules = {"dealer_bid_final": final}
        self.keep(scorer(players, plan={"peak": peak}, house_rules=rules, browser=hashed(SECRET)))

    def keep(self, table: Scorer) -> None:
        """Keep this sheet from now on."""
        self.table, self.marge = table, Scorer(table.sheet, ScorekeeperFactory(sheet=table.sheet))
        self.did, self.flips, self.counting, self.entries, self.last = {}, {}, set(), {}, None
        self.stood: dict[int, dict[Address, str]] = {table.reading.version: what_stands(table.reading)}
        self.phone = Client()
        self.phone.cookies[BROWSER_COOKIE] = SECRET

    def note_down(self, answer: Answer, flips: frozenset[int] | None = None) -> None:
        """Keep in mind what stood after a write; who only agrees changes nothing."""
        self.last = answer
        note(f"{type(answer).__name__} {getattr(answer, 'verb', '') or getattr(answer, 'code', '')}")
        if isinstance(answer, Done):
            self.stood[answer.version] = what_stands(answer.reading)
            if answer.verb == "agree":
                assert self.stood[answer.version] == self.stood[answer.version - 1]

    @rule(data=st.data(), hands=st.integers(1, 6))
    def play_hands(self, data: st.DataObject, hands: int) -> None:
        for _ in range(hands):
            self.play_the_hand_to_its_end(data)

    @rule()
    def say_something(self) -> None:
        self.note_down(enter.note(self.table.sheet, SHEET, text="Well.", key=new_key(), by=self.table.by))

    # What is put right

    @rule(data=st.data())
    def correct_a_row(self, data: st.DataObject) -> None:
        sheet, parts = self.table.reading.sheet, ["open"]
        parts += [str(row.hand.number) for row in reversed(sheet.rows)]
        if sheet.settlement:
            parts += [f"tie-{k}" for k in range(1, len(sheet.settlement.ties) + 2)]
            parts += [f"draw-{k}" for k in range(1, len(sheet.settlement.draws) + 1)]
        row = correction.opened_row(self.table.reading, data.draw(st.sampled_from(parts), label="part"))
        asks = [a for a in row.asks if a.optional or self.table.saw((row.number, a.name))] if row else []
        if not row or not asks:
            return
        changes: dict[Address, Any] = {}
        for ask in data.draw(st.lists(st.sampled_from(asks), min_size=1, max_size=3, unique_by=lambda a: a.name)):
            is_off = ask.optional and data.draw(st.booleans(), label="off")
            changes[row.number, ask.name] = None if is_off else step_for(ask, row.hand.cards if row.hand else 0, data)
        self.correct(changes)

    @rule(data=st.data())
    def take_off_what_lost_its_place(self, data: st.DataObject) -> None:
        left = left_over_of(self.table.reading)
        if left:
            self.correct({data.draw(st.sampled_from(left), label="left").address: None})
            assert isinstance(self.last, Done), self.last

    def correct(self, changes: Mapping[Address, Any]) -> None:
        reading, saw = self.table.reading, {address: self.table.saw(address) for address in changes}
        change = correction.correcting(reading, dict(changes), saw, sure=True)
        told = moves(reading, previewed(reading, change)).digest if isinstance(change, Change) else ""
        more = {"saw": saw, "digest": told, "sure": True, "key": new_key(), "by": self.table.by}
        self.note_down(correction.correct(self.table.sheet, dict(changes), **more))

    @rule()
    def deal_the_last_hand_again(self) -> None:
        for row in self.table.reading.sheet.rows[-1:]:
            event, more = len(row.events) + 1, {"key": new_key(), "by": self.table.by}
            self.note_down(correction.deal_again(self.table.sheet, row.hand.number, event, **more))

    @rule(data=st.data(), dealer=st.booleans(), peak=st.none() | st.integers(1, 4), as_played=st.booleans())
    def mend_the_set_up(self, data: st.DataObject, dealer: bool, peak: int | None, as_played: bool) -> None:
        reading = self.table.reading
        named = data.draw(st.sampled_from([None, *names_on(reading)]), label="whose name")
        names = {named.address: data.draw(st.sampled_from(["Joe", "Kit", "Ann"]), label="name")} if named else {}
        first = data.draw(st.sampled_from(reading.setup.seats), label="first dealer") if dealer else None
        mended = SetupCorrection(names, first, {"peak": peak} if peak else None)
        preview = preview_setup(reading, mended, as_played=as_played)
        shown = preview.moves.digest if isinstance(preview, SetupPreview) else None
        saw = {address: self.table.saw(address) for address in (*names, (SHEET, "table"))}
        more = {"saw": saw, "digest": shown, "key": new_key(), "by": self.table.by, "as_played": as_played}
        self.note_down(correct_setup(self.table.sheet, mended, **more))

    @rule(data=st.data(), since=st.integers(0, 4))
    def somebody_else_dealt_a_hand_in_which_a_bid_was_put_right(self, data: st.DataObject, since: int) -> None:
        self.type_it_right(data)
        for _ in range(since):
            self.write_what_is_asked(data)
        self.mend_the_set_up(data, dealer=True, peak=None, as_played=False)

    @rule(data=st.data(), peak=st.integers(1, 3), back=st.integers(0, 6))
    def other_hands_were_planned_before_the_bids_go_back(self, data: st.DataObject, peak: int, back: int) -> None:
        opened = self.table.reading.sheet.open
        if not opened:
            return
        for _ in range(len(opened.hand.order) - len(opened.hand.steps)):
            self.write_what_is_asked(data)
        self.mend_the_set_up(data, dealer=False, peak=peak, as_played=True)
        for _ in range(back):
            self.take_the_last_back()

    @rule(data=st.data(), what=st.sampled_from([NUMBERS, SEATS]))
    def swap_two(self, data: st.DataObject, what: str) -> None:
        reading = self.table.reading
        one, other = (data.draw(st.sampled_from(sorted(reading.names)), label="seat") for _ in range(2))
        since = data.draw(st.integers(1, reading.next_hand), label="since")
        swap = Swap(what, one, other, since, data.draw(st.integers(since, reading.next_hand), label="until"))
        change = corrections_swap.swap_change(reading, swap)
        told = moves(reading, previewed(reading, change)).digest if isinstance(change, Change) else ""
        more = {"digest": told, "key": new_key(), "by": self.table.by}
        self.note_down(corrections_swap.correct_swap(self.table.sheet, swap, **more))

    @rule(data=st.data(), many=st.integers(1, 3), whole=st.booleans())
    def type_in_from_paper(self, data: st.DataObject, many: int, whole: bool) -> None:
        reading, typed = self.table.reading, dict[int, dict[str, Any]]()
        coming = reading.sheet.coming()[:many]
        for hand in coming:
            for ask in reading.game.asks(reading.sheet.table, hand):
                is_left_out = ask.name == "tricks" and hand == coming[-1] and not whole
                if not (ask.optional or is_left_out or (hand.number, ask.name) in reading.standing):
                    typed.setdefault(hand.number, {})[ask.name] = step_for(ask, hand.cards, data)
        if typed:
            self.note_down(type_in(self.table.sheet, typed, key=new_key(), by=self.table.by))

    # What is taken back

    @rule()
    def take_the_last_back(self) -> None:
        if self.table.reading.last_write:
            self.note_down(self.table.undo())

    @rule(data=st.data())
    def take_anything_back(self, data: st.DataObject) -> None:
        version = data.draw(st.integers(1, self.table.reading.version), label="version")
        self.note_down(self.table.undo(version))

    @rule()
    def play_on(self) -> None:
        self.note_down(enter.play_on(self.table.sheet, key=new_key(), by=self.table.by))

    @rule(data=st.data())
    def go_back(self, data: st.DataObject) -> None:
        reading = self.table.reading
        version = data.draw(st.integers(1, reading.version), label="before")
        way, seen = restore_preview(reading, version, by=self.table.by), entry_history(self.table.sheet).last_change
        answer = restore(self.table.sheet, version, seen=seen, key=new_key(), by=self.table.by)
        self.note_down(answer)
        assert isinstance(answer, Done) == (way is not None)
        if way and isinstance(answer, Done) and version - 1 in self.stood:
            assert what_stands(answer.reading) == self.stood[version - 1]
            assert (way.after.sheet, way.after.names) == (answer.reading.sheet, answer.reading.names)

    # Out of the site and in again

    @rule()
    def go_on_from_its_file(self) -> None:
        reading = self.table.reading
        if reading.sheet.unread:
            return
        file = sheet_file_of(reading)
        answer = open_from_file(json.dumps(file).encode(), browser=hashed(SECRET), key=new_key(), address=new_key())
        assert isinstance(answer, Opened), answer
        self.keep(Scorer(answer.sheet, answer.keeper))
        assert result_of(self.table.reading) == result_of(reading)
        out = sheet_file_of(self.table.reading)
        assert {**out, "notes": "", "played_on": ""} == {**file, "notes": "", "played_on": ""}

    @rule(data=st.data())
    def look_round(self, data: st.DataObject) -> None:
        code, reading = self.table.sheet.code, self.table.reading
        pages = [reverse(name, args=[code]) for name in PAGES]
        pages += [reverse(name, args=[self.table.sheet.watch]) for name in WATCHED]
        parts = [*(str(row.hand.number) for row in reading.sheet.rows), "open", "carried", "tie-1", "tie-2", "draw-1"]
        pages += [reverse("correct", args=[code, part]) for part in parts]
        pages += [reverse("why", args=[code, part, seat]) for part in parts for seat in reading.names]
        pages += [reverse("way_back", args=[code, version]) for version in range(1, reading.version + 1)]
        for at in data.draw(st.lists(st.integers(0, len(pages) - 1), min_size=3, max_size=5), label="pages"):
            status = self.phone.get(pages[at]).status_code
            assert status in (200, 204, 286, 302, 303, 404), (pages[at], status)

    # What always holds

    @invariant()
    def the_entries_are_what_the_counting_writes_did(self) -> None:
        assert what_stands(self.table.reading) == self.stood[self.table.reading.version]

    @invariant()
    def nothing_is_unread_and_no_version_is_missing(self) -> None:
        reading = self.table.reading
        versions = Revision.objects.filter(sheet=self.table.sheet).order_by("version").values_list("version", flat=True)
        assert list(versions) == list(range(1, reading.version + 1))
        assert {one.address for one in left_over_of(reading)} == set(reading.sheet.unread)

    @invariant()
    def its_file_scores_the_same(self) -> None:
        if not self.table.reading.sheet.unread:
            assert scored_from_its_file(self.table.reading) == result_of(self.table.reading)

    @invariant()
    def the_buttons_do_what_they_say(self) -> None:
        reading = self.table.reading
        moment, told = pad_of(reading), what_is_taken_back(reading)
        back = None if moment.go else BiddingPad(moment, page_of(reading)).back
        if told:
            answer = self.tried(told.version)
            assert isinstance(answer, Done), (told, getattr(answer, "code", ""))
        self.both_name_the_same(told, back)
        if back:
            answer = self.pressed(back)
            assert isinstance(answer, Done), (back, getattr(answer, "code", ""))
            before, after = reading.entries, answer.reading.entries
            gone = sorted(ask for (hand, ask), step in before.items() if after.get((hand, ask)) != step)
            if "hand" in back:
                assert "tricks" in " ".join(gone), (back, gone)
            elif "name" in back:
                assert len(gone) == 1, (back, gone)
                assert "bid-" in gone[0], (back, gone)
            elif "plays_on" in back:
                assert reading.stopped, back
                assert not answer.reading.stopped, back
            elif "says" in back:
                assert any(ask.partition("-")[0] in reading.game.seatings for ask in gone), (back, gone)

    def both_name_the_same(self, told: TakeBack | None, back: Mapping[str, Any] | None) -> None:
        """Sheet and pad take back one write. Only the sheet names what has lost its place, was corrected or typed in.

        And a scored hand of which something was.
        """
        reading = self.table.reading
        if told is None:
            assert back is None or back.get("plays_on"), back
            return
        named = [entry for entry in reading.standing.values() if entry.first == told.version]
        is_of_the_sheet = any(
            entry.verb in (Revision.Verb.CORRECT, Revision.Verb.PAPER)
            or entry.address in reading.sheet.unread
            or (reading.is_scored(entry.address) and not pad_of(reading).back)
            for entry in named
        )
        if back and not back.get("plays_on") and not is_of_the_sheet:
            assert told.version == back["version"], (told, back)

    def tried(self, version: int) -> Answer:
        """What taking that back would be answered. Nothing is written."""
        with transaction.atomic():
            answer = self.table.undo(version)
            transaction.set_rollback(True)
        assert not isinstance(answer, Done) or answer.verb == "undo"
        return answer

    def pressed(self, back: Mapping[str, Any]) -> Answer:
        """What the first button of the pad would be answered: of a game that was stopped early it plays on."""
        if not back.get("plays_on"):
            return self.tried(back["version"])
        with transaction.atomic():
            answer = enter.play_on(self.table.sheet, key=new_key(), by=self.table.by)
            transaction.set_rollback(True)
        assert not isinstance(answer, Done) or answer.verb == "play-on"
        return answer


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(3000)
def test_whatever_is_put_right_the_sheet_says_what_they_did() -> None:
    chosen = settings()
    run_state_machine_as_test(
        AnyEvening,
        settings=settings(
            max_examples=chosen.max_examples // 5,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            # It takes many minutes to shorten an evening; `Phase.shrink` is put here by who wants to wait for it.
            phases=[Phase.reuse, Phase.generate],
        ),
    )


def test_the_model_of_any_evening_can_fail(db: None) -> None:
    evening = AnyEvening()
    evening.sit_down(players=2, peak=1, final=False)
    assert isinstance(evening.table.bid(2, 0), Done)
    with pytest.raises(KeyError):
        evening.the_entries_are_what_the_counting_writes_did()
    evening.stood[2] = {}
    with pytest.raises(AssertionError):
        evening.the_entries_are_what_the_counting_writes_did()
