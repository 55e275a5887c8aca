"""Whatever stands in a field of an ask, the answer is a sentence, and only what the rules take is written.

Every ask of every game that goes ask by ask, in its turn, with everything in it that does not belong there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import TestCase
from django.urls import reverse

from rules.core.engine.replay import problems
from rules.core.fields import Ask, Choice, Count, Field, SeatChoice, Tick
from scoresheets.access.scorekeepers import hashed
from scoresheets.commands.enter import as_asked
from scoresheets.models import Entry, Revision
from scoresheets.views.table.entry import value_of
from tests.factories import Scorer, new_key, scorer
from tests.fuzz.tables import HELD, phone
from tests.fuzz.test_fuzz import assert_reads, assert_says_why
from tests.rules.dice import whole_hand
from tests.scoresheets.commands.test_any_evening_of_other_games import without_bids

pytestmark = pytest.mark.django_db

#: Fitting for no field at all, or for another one.
NOTHING_LIKE_IT = (
    " ", "-1", "0", "1.5", "99", "999999999", "-999999999", "9" * 30, "1e3", "٣", "x", "None", "null", "{}", "[1]",
    "true", "false", "on", "off", "2H", "1C", "QQ", "XX", "JJ", "relish", "NT", "Ann", "\x00", "n" * 300, "<b>",
)  # fmt: skip
SHORT = ("x", "-1", "99", "true", "2H")


def spoiled(ask: Ask, step: dict[str, Any], others: list[str]) -> Iterator[dict[str, str]]:
    """The step with one thing in it that should not be; and with nothing in it."""
    good = {name: posted(value) for name, value in step.items() if value is not None}
    yield {}
    # There can be dozens of one kind: the first of each are spoiled with everything.
    first = {type(field): field for field in reversed(ask.fields)}.values()
    for field in (*ask.fields[:5], *ask.fields[5:][-2:]):
        yield {name: value for name, value in good.items() if name != field.name}
        for value in NOTHING_LIKE_IT if field in first else SHORT:
            yield {**good, field.name: value}
        for value in edges(field):
            yield {**good, field.name: value}
        yield {field.name: edges(field)[-1]}
    for foreign in others:
        yield {**good, foreign: "1"}
    yield {**good, "x": "1"}
    yield {**good, "x" * 300: "1"}
    yield {**good, **{f"y-{number}": "1" for number in range(80)}}


def edges(field: Field) -> list[str]:
    """What the field could hold just about, or just about not."""
    match field:
        case Count(low=low, high=high):
            return [str(low - 1), str(low), str(high), str(high + 1)]
        case Choice(values=values):
            return [values[0], values[-1], values[0].lower(), values[0] + " "]
        case SeatChoice(seats=seats):
            return [str(seats[0]), str(seats[-1]), str(seats[-1] + 1)]
        case Tick():
            return ["1", "yes", "no", "2"]
    return []


def rows_of(table: Scorer) -> tuple[int, int]:
    """How much was ever written on the sheet."""
    return Revision.objects.filter(sheet=table.sheet).count(), Entry.objects.filter(sheet=table.sheet).count()


def posted(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.fourth
@pytest.mark.parametrize("slug", list(without_bids()))
@pytest.mark.timeout(600)
def test_every_field_of_every_ask_takes_what_belongs_there_and_nothing_else(slug: str) -> None:
    table = scorer(game=slug, browser=hashed(HELD))
    table.any_hand(3)
    reading, client, dice = table.reading, phone(), random.Random(slug)
    opened = reading.sheet.open
    assert opened is not None
    steps = whole_hand(dice, reading.game, reading.sheet.table, opened.hand)
    asks = list(reading.game.asks(reading.sheet.table, opened.hand))
    some = asks if len(asks) < 8 else [asks[0], asks[5], *asks[-2:]]
    refused, seen = 0, set[str]()
    for ask in asks:
        before = table.reading
        others = [other.fields[-1].name for other in asks if other.fields[-1].name not in {f.name for f in ask.fields}]
        for step in spoiled(ask, steps.get(ask.name, {}), others[:3]) if ask in some else ():
            rows = rows_of(table)
            body = {"hand": str(opened.hand.number), "ask": ask.name, "saw": "", "key": new_key()}
            body |= {f"f-{name}": value for name, value in step.items()}
            headers = {"Accept": "application/json"} if dice.random() < 0.9 else {}
            with TestCase.captureOnCommitCallbacks(execute=True):
                answer = client.post(reverse("enter", args=[table.sheet.code]), body, headers=headers)
            if answer.status_code in (200, 303):
                written = as_asked(ask, {name: v for name, text in step.items() if (v := value_of(text)) is not None})
                address = (opened.hand.number, ask.name)
                assert table.reading.entries == {**before.entries, address: written}
                table.undo()
                assert not problems(before.game, before.table, before.entries, address, written), step
                continue
            assert answer.status_code == 422, (answer.status_code, step)
            assert_says_why(answer)
            if headers:
                seen |= {problem["code"] for problem in answer.json()["problems"]}
            assert rows_of(table) == rows, step
            refused += 1
        for later in asks[asks.index(ask) + 1 :][:2]:
            body = {"hand": str(opened.hand.number), "ask": later.name, "saw": "", "key": new_key()}
            body |= {f"f-{name}": posted(value) for name, value in steps.get(later.name, {}).items()}
            answer = client.post(
                reverse("enter", args=[table.sheet.code]), body, headers={"Accept": "application/json"}
            )
            assert answer.status_code == 422, later.name
            assert answer.json()["problems"][0]["code"] == "out-of-turn"
        table.enter_step(opened.hand.number, ask.name, steps.get(ask.name, {}))
    assert refused > 20
    assert "unknown-field" in seen or len(asks) == 1
    table.sheet.refresh_from_db()
    assert_reads(table.sheet)
