"""Which tests are asked: by `make test`, of PostgreSQL, and with another version of Python."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from django.db import transaction

from clubs.models import Club
from tests import conftest
from tests.statements import Asked, Recorder, cover, digest, recorded, shape


@dataclass(frozen=True)
class Case:
    """A case of a test as pytest has collected it."""

    nodeid: str
    marks: tuple[pytest.MarkDecorator, ...] = ()

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return next((mark.mark for mark in self.marks if mark.mark.name == name), None)


THOROUGH, DIFFERS = pytest.mark.thorough, pytest.mark.databases_differ
CASES = [
    Case("test_plain"),
    Case("test_long[a]", (THOROUGH,)),
    Case("test_long[b]", (THOROUGH,)),
    Case("test_but_one[a]", (THOROUGH(but=1),)),
    Case("test_but_one[b]", (THOROUGH(but=1),)),
    Case("test_null[a]", (THOROUGH, DIFFERS)),
    Case("test_page", (pytest.mark.browser,)),
    Case("test_journey", (pytest.mark.browser, pytest.mark.journey)),
]
REPEATED = {"test_long[a]", "test_long[b]", "test_but_one[b]", "test_page"}


@pytest.mark.parametrize(("on_sqlite", "left_out"), [(True, {*REPEATED, "test_null[a]"}), (False, REPEATED)])
def test_what_repeats_itself_is_left_out_but_not_where_databases_differ(
    monkeypatch: pytest.MonkeyPatch, on_sqlite: bool, left_out: set[str]
) -> None:
    monkeypatch.setattr(conftest, "ON_SQLITE", on_sqlite)
    assert conftest.thorough(cast("Any", CASES)) == left_out


def test_every_fourth_case_of_a_test_is_asked_in_whatever_order_they_come() -> None:
    names = [f"test_one[{case}]" for case in "abcdefgh"] + ["test_other[a]"]
    for order in (names, names[::-1]):
        assert set(names) - conftest.three_of_four(order) == {"test_one[a]", "test_one[e]", "test_other[a]"}


ASKED = {
    "test_all": Asked(9.0, frozenset("abcd")),
    "test_a": Asked(1.0, frozenset("a")),
    "test_ab": Asked(1.0, frozenset("ab")),
    "test_ac": Asked(1.0, frozenset("ac")),
    "test_bc": Asked(1.0, frozenset("bc")),
    "test_none": Asked(1.0, frozenset()),
}


def test_every_statement_is_asked_by_tests_that_take_little_time() -> None:
    # Only the long one asks "d".
    assert cover(ASKED) == {"test_ab", "test_ac", "test_all"}
    assert cover({name: asked for name, asked in ASKED.items() if name != "test_all"}) == {"test_ab", "test_ac"}


@pytest.mark.django_db
def test_what_a_test_asks_is_recorded_by_its_shape(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "statements", "gw0")
    protocol = recorder.pytest_runtest_protocol(cast("Any", Case("test_one")))
    with recorder.listening():
        next(protocol)
        with transaction.atomic():
            Club.objects.filter(pk__in=[17, 18, 19]).exists()
        assert list(protocol) == []
    recorder.pytest_sessionfinish()
    ((name, asked),) = recorded(tmp_path / "statements").items()
    assert name == "test_one"
    assert asked.shapes == {digest('SELECT %s AS "a" FROM "clubs_club" WHERE "clubs_club"."id" IN (%s) LIMIT 0')}
    assert recorded(tmp_path / "nowhere") == {}


def test_what_runs_already_need_not_be_asked_again() -> None:
    assert cover(ASKED, ["test_all", "test_new"]) == {"test_all", "test_new"}


def test_databases_that_differ_and_tests_of_which_nothing_is_known_are_always_asked() -> None:
    cases = cast("Any", [Case("test_all", (DIFFERS,)), Case("test_new"), Case("test_none")])
    assert conftest.asking_all(cases, ASKED) == {"test_all", "test_new"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('SELECT "a" FROM "t" WHERE "a" IN (%s, %s, %s)', 'SELECT "a" FROM "t" WHERE "a" IN (%s, %s)'),
        ('INSERT INTO "t" ("a", "b") VALUES (%s, %s), (%s, %s)', 'INSERT INTO "t" ("a", "b") VALUES (%s, %s)'),
        ('SELECT "a" FROM "t" LIMIT 21', 'SELECT "a" FROM "t" LIMIT 1'),
    ],
)
def test_statement_is_the_same_however_many_values_it_has(one: str, other: str) -> None:
    assert shape(one) == shape(other) != shape(one.replace("t", "s"))


def test_shards_have_every_test_once_in_whatever_order_they_come() -> None:
    names = [f"test_one[{case}]" for case in "abcdefgh"]
    assert conftest.shard(names[::-1], "2/3") == {"test_one[b]", "test_one[e]", "test_one[h]"}
    assert sorted(name for part in "123" for name in conftest.shard(names, f"{part}/3")) == names
