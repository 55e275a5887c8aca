"""Which tests are asked: by `make test`, of PostgreSQL, and with another version of Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import pytest

from tests import conftest


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


def test_shards_have_every_test_once_in_whatever_order_they_come() -> None:
    names = [f"test_one[{case}]" for case in "abcdefgh"]
    assert conftest.shard(names[::-1], "2/3") == {"test_one[b]", "test_one[e]", "test_one[h]"}
    assert sorted(name for part in "123" for name in conftest.shard(names, f"{part}/3")) == names
