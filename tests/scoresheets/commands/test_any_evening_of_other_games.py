"""Evenings of the games without bids, and of a sixth game: every verb there is, held to what stood after each write.

What is asked comes from the games themselves, so that a game that lands in `rules/` has its evenings at once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule, run_state_machine_as_test

from rules import all_games, find_game
from rules.core.engine.replay import problems_of_step, read_hand
from rules.core.fields import Address, Ask, Value
from rules.core.game import Game
from scoresheets.access.scorekeepers import hashed
from scoresheets.commands import enter
from scoresheets.commands.undo import is_event
from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.corrections import correct
from scoresheets.log.answers import Conflict, Done
from scoresheets.log.append import Change
from scoresheets.log.publish import is_published
from scoresheets.pad.build import pad_of, page_of
from scoresheets.paper.type_in import type_in
from scoresheets.views.table.pad import face_of
from tests.factories import new_key, scorer
from tests.rules.dice import fair_step, throw, whole_hand
from tests.scoresheets.commands.test_any_evening import SECRET, AnyEvening
from tests.sixth.visit import sixth_game

#: Throws at one step; a step that still does not fit is sent all the same.
TRIES = 200


def without_bids() -> Iterator[str]:
    """The games whose hands are written down ask by ask."""
    for game in all_games():
        if game.pad == "prompts":
            yield game.slug


class AskByAsk(AnyEvening):
    """An evening of a game whose hands are written down ask by ask. `slug` says which."""

    slug = ""

    @property
    def game(self) -> Game:
        return find_game(self.slug)

    @initialize(data=st.data())
    def sit_down(self, data: st.DataObject) -> None:
        rules = {}
        for one in self.game.house_rules:
            if data.draw(st.booleans(), label=one.key):
                rules[one.key] = data.draw(st.sampled_from(list(one.values)[:6]), label=one.key)
        players = data.draw(st.sampled_from(list(self.game.made_for)), label="players")
        self.keep(scorer(players, game=self.slug, house_rules=rules, browser=hashed(SECRET)))

    # The dice

    def dice(self, data: st.DataObject) -> random.Random:
        return random.Random(data.draw(st.integers(0, 2**32), label="dice"))

    def step_of(self, ask: Ask, data: st.DataObject) -> dict[str, Value]:
        """An answer to an ask of the open hand, mostly one that fits."""
        sheet, dice = self.table.reading.sheet, self.dice(data)
        assert sheet.open is not None
        if data.draw(st.booleans(), label="fair"):
            found = fair_step(dice, self.game, sheet.table, sheet.open.hand, ask, TRIES)
            if found is not None:
                return found
        return throw(dice, ask, self.game.due_sum(sheet.table, sheet.open.hand))

    def asks(self) -> tuple[Ask, ...]:
        sheet = self.table.reading.sheet
        return tuple(self.game.asks(sheet.table, sheet.open.hand)) if sheet.open else ()

    # What people do

    @rule(data=st.data())
    def write_what_is_asked(self, data: st.DataObject) -> None:
        opened = self.table.reading.sheet.open
        if not opened or not opened.missing:
            return
        who, step = data.draw(st.sampled_from([self.table, self.marge])), self.step_of(opened.missing, data)
        address, sure = (opened.hand.number, opened.missing.name), data.draw(st.booleans(), label="sure")
        self.note_down(enter.enter(who.sheet, address, step, saw=None, key=new_key(), by=who.by, sure=sure))

    @rule(data=st.data())
    def play_the_hand_to_its_end(self, data: st.DataObject) -> None:
        opened = self.table.reading.sheet.open
        if not opened or opened.misfit or opened.hand.steps:
            return
        # What another dealer has put out of turn stands there already.
        if any(hand == opened.hand.number for hand, _ in self.table.reading.entries):
            return
        for ask, step in whole_hand(self.dice(data), self.game, self.table.reading.sheet.table, opened.hand).items():
            self.note_down(self.table.enter_step(opened.hand.number, ask, step))

    @rule(data=st.data())
    def note_what_may_be_left_out(self, data: st.DataObject) -> None:
        optional = [ask for ask in self.asks() if ask.optional]
        if optional:
            ask = data.draw(st.sampled_from(optional), label="ask")
            self.write_at((self.table.reading.next_hand, ask.name), self.step_of(ask, data), data)

    @rule(data=st.data())
    def write_anywhere(self, data: st.DataObject) -> None:
        asks = self.asks()
        if asks:
            ask = data.draw(st.sampled_from(asks), label="ask")
            self.write_at((data.draw(st.integers(0, 4), label="hand"), ask.name), self.step_of(ask, data), data)

    def write_at(self, address: Address, step: dict[str, Value], data: st.DataObject) -> None:
        saw = data.draw(st.sampled_from([None, self.table.saw(address)]), label="saw")
        answer = enter.enter(self.table.sheet, address, step, saw=saw, key=new_key(), by=self.table.by)
        if isinstance(answer, Done) and answer.reading.standing.get(address):
            assert answer.reading.standing[address].says(step)
        self.note_down(answer)

    @rule(data=st.data())
    def type_it_right(self, data: st.DataObject) -> None:
        """Anything of the open hand, or of the hands behind it: that is refused."""
        there = sorted(address for address in self.table.reading.entries if not self.is_event(address))
        asks = {ask.name: ask for ask in self.asks()}
        there = [address for address in there if address[1] in asks]
        if there:
            address = data.draw(st.sampled_from(there[-8:]), label="address")
            step, saw = self.step_of(asks[address[1]], data), self.table.saw(address)
            answer = enter.retype(self.table.sheet, address, step, saw=saw, key=new_key(), by=self.table.by)
            assert not isinstance(answer, Conflict)
            self.note_down(answer)

    def is_event(self, address: Address) -> bool:
        return is_event(self.table.reading, address)

    @rule(data=st.data())
    def something_happens(self, data: st.DataObject) -> None:
        """An event that is written like an answer: what is said between two hands, or in the middle of one."""
        reading = self.table.reading
        kinds = [kind for kind in self.game.events if kind not in enter.Verb.values]
        if kinds and reading.sheet.open:
            kind = data.draw(st.sampled_from(kinds), label="kind")
            event = self.game.event_ask(reading.sheet.table, kind, reading.next_event)
            self.write_at((reading.next_hand, event.name), throw(self.dice(data), event), data)

    @rule(data=st.data())
    def correct_a_row(self, data: st.DataObject) -> None:
        reading = self.table.reading
        parts = ["open", *(str(row.hand.number) for row in reversed(reading.sheet.rows))]
        row = correct.opened_row(reading, data.draw(st.sampled_from(parts), label="part"))
        asks = [a for a in row.asks if a.optional or self.table.saw((row.number, a.name))] if row else []
        if not row or not row.hand or not row.table or not asks:
            return
        dice, changes = self.dice(data), dict[Any, Any]()
        whole = whole_hand(dice, self.game, row.table, row.hand) if data.draw(st.booleans(), label="whole") else {}
        due = self.game.due_sum(row.table, row.hand)
        for ask in data.draw(st.lists(st.sampled_from(asks), min_size=1, max_size=3, unique_by=lambda a: a.name)):
            is_off = ask.optional and data.draw(st.booleans(), label="off")
            changes[row.number, ask.name] = None if is_off else throw(dice, ask, due)
        known = {ask.name for ask in asks}
        changes |= {(row.number, ask): step for ask, step in whole.items() if ask in known}
        self.correct(changes)

    @rule(data=st.data())
    def correct_one_thing(self, data: st.DataObject) -> None:
        """What somebody would put right: one thing of a scored hand, by something that fits where it stands."""
        rows = self.table.reading.sheet.rows
        if not rows:
            return
        row = data.draw(st.sampled_from(rows), label="row")
        asks = [ask for ask in self.game.asks(row.table, row.hand) if ask.name in row.hand.steps]
        ask = data.draw(st.sampled_from(asks), label="ask")
        step = throw(self.dice(data), ask, self.game.due_sum(row.table, row.hand))
        change = correct.correcting(self.table.reading, {row.hand.address(ask.name): step}, self.seen(row), sure=True)
        if isinstance(change, Change) and change.added:
            steps = {**row.hand.steps, ask.name: step}
            hand = replace(row.hand, steps={})
            for other in self.game.asks(row.table, hand):
                if other.name in steps:
                    # A check sees the hand as it stood before the step.
                    assert not problems_of_step(self.game, row.table, hand, other, steps[other.name])
                    hand = hand.with_step(other.name, steps[other.name])
        self.correct({row.hand.address(ask.name): step})

    def seen(self, row: Any) -> dict[Address, int | None]:
        return {row.hand.address(ask): self.table.saw(row.hand.address(ask)) for ask in row.hand.steps}

    @rule(data=st.data(), many=st.integers(1, 3), whole=st.booleans())
    def type_in_from_paper(self, data: st.DataObject, many: int, whole: bool) -> None:
        reading, typed, dice = self.table.reading, dict[int, dict[str, Any]](), self.dice(data)
        if not reading.sheet.open or reading.sheet.open.misfit or reading.sheet.open.hand.steps:
            return
        table, hand, events = reading.sheet.table, reading.sheet.open.hand, reading.sheet.open.events
        for at in range(many):
            steps = whole_hand(dice, self.game, table, hand)
            if at == many - 1 and not whole:
                steps = dict(list(steps.items())[: len(steps) // 2])
            typed[hand.number] = {ask: step for ask, step in steps.items() if step}
            if at == many - 1:
                break
            done = hand
            for ask, step in steps.items():
                done = done.with_step(ask, step)
            table = self.game.after(table, self.game.score(table, done, events=events))
            if self.game.over(table):
                break
            _, opened, _ = read_hand(self.game, table, reading.entries)
            hand, events = opened.hand, opened.events
        self.note_down(type_in(self.table.sheet, typed, key=new_key(), by=self.table.by))

    # What these games do not have

    note_trump = None
    other_hands_were_planned_before_the_bids_go_back = None
    somebody_comes = None
    somebody_goes = None
    somebody_takes_over = None
    they_sit_otherwise = None

    # What always holds

    @invariant()
    def a_finished_sheet_has_told_and_no_other_has(self) -> None:
        assert is_published(self.table.reading)

    @invariant()
    def the_buttons_do_what_they_say(self) -> None:
        reading = self.table.reading
        moment, told = pad_of(reading), what_is_taken_back(reading)
        if told:
            answer = self.tried(told.version)
            assert isinstance(answer, Done), (told, answer.code)
        back = None if moment.go else face_of(moment, page_of(reading)).back
        self.both_name_the_same(told, back)
        if back:
            answer = self.pressed(back)
            assert isinstance(answer, Done), (back, getattr(answer, "code", ""))
            if "hand" in back:
                assert len(answer.reading.sheet.rows) == len(reading.sheet.rows) - 1, back

    @precondition(lambda self: self.table.reading.sheet.open and not self.table.reading.sheet.open.misfit)
    @invariant()
    def what_the_pad_asks_for_can_be_answered(self) -> None:
        """The ask the pad shows is the one the rules wait for."""
        reading = self.table.reading
        assert reading.sheet.open is not None
        moment = pad_of(reading)
        assert face_of(moment, page_of(reading)).due == reading.sheet.open.missing.name


def play(slug: str) -> None:
    """Evenings of that game."""
    chosen = settings()
    run_state_machine_as_test(
        type(f"Evening of {slug}", (AskByAsk,), {"slug": slug}),
        settings=settings(
            max_examples=max(4, chosen.max_examples // 12),
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.reuse, Phase.generate],
        ),
    )


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(3000)
@pytest.mark.fourth
@pytest.mark.parametrize("slug", list(without_bids()))
def test_whatever_is_done_on_an_evening_the_sheet_says_what_they_did(slug: str) -> None:
    play(slug)


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("slug", ["marbles", "sparrow"])
def test_evenings_of_a_sixth_game_are_no_others(tmp_path: Path, slug: str) -> None:
    with sixth_game(tmp_path, game=slug):
        play(slug)
