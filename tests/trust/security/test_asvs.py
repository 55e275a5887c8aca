"""The table of `asvs.txt`: it has every requirement once, and what it names is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.promise(18), pytest.mark.sqlite]

PROJECT = Path(__file__).parents[3]
TABLE = Path(__file__).with_name("asvs.txt")
TEST = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)")
#: Where a requirement has no test: there is nothing here that it speaks of, or the site does otherwise on purpose.
NOT_APPLICABLE, RELAXED = "not applicable: ", "relaxed: "
#: The numbers of ASVS 5.0: a section, and which of its requirements have that level.
LEVEL_1 = """
1.2: 1-5; 1.3: 1-2; 1.5: 1; 2.1: 1; 2.2: 1-2; 2.3: 1; 3.2: 1-2; 3.3: 1; 3.4: 1-2; 3.5: 1-3; 4.1: 1; 4.4: 1; 5.2: 1-2;
5.3: 1-2; 6.1: 1; 6.2: 1-8; 6.3: 1-2; 6.4: 1-2; 7.2: 1-4; 7.4: 1-2; 8.1: 1; 8.2: 1-2; 8.3: 1; 9.1: 1-3; 9.2: 1;
10.4: 1-5; 11.3: 1-2; 11.4: 1; 12.1: 1; 12.2: 1-2; 13.4: 1; 14.2: 1; 14.3: 1; 15.1: 1; 15.2: 1; 15.3: 1
"""
#: Of signing in, sessions and authorisation.
LEVEL_2 = """
6.1: 2-3; 6.2: 9-12; 6.3: 3-4; 6.4: 3-4; 6.5: 1-5; 6.6: 1-3; 6.8: 1-4; 7.1: 1-3; 7.3: 1-2; 7.4: 3-5; 7.5: 1-2; 7.6: 1-2;
8.1: 2; 8.2: 3; 8.4: 1
"""


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    number: str
    level: str
    subject: str
    shown: str


def numbers(text: str) -> Iterator[str]:
    """The requirements that a list of sections names.

    >>> list(numbers("6.1: 2-3; 8.2: 3"))
    ['6.1.2', '6.1.3', '8.2.3']
    """
    for part in text.split(";"):
        section, _, which = part.strip().partition(": ")
        first, _, last = which.partition("-")
        yield from (f"{section}.{number}" for number in range(int(first), int(last or first) + 1))


@cache
def rows() -> list[Row]:
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    return [Row(*(part.strip() for part in line.split("|"))) for line in lines]


@cache
def names_of_tests(file: str) -> set[str]:
    """The names of the tests of a file."""
    path = PROJECT / file
    tree = ast.parse(path.read_text()) if path.is_file() else ast.Module([], [])
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_table_has_every_requirement_once_and_in_order() -> None:
    wanted = dict.fromkeys(numbers(LEVEL_1), "1") | dict.fromkeys(numbers(LEVEL_2), "2")
    assert len(wanted) == 107
    in_order = sorted(wanted, key=lambda number: [int(part) for part in number.split(".")])
    assert [(row.number, row.level) for row in rows()] == [(number, wanted[number]) for number in in_order]


def test_every_requirement_says_what_it_is_about() -> None:
    assert [row.number for row in rows() if len(row.subject) < 12] == []


def test_every_test_of_the_table_is_there(attempt: Attempt) -> None:
    shown = [row for row in rows() if not row.shown.startswith((NOT_APPLICABLE, RELAXED))]
    for row in shown:
        named = TEST.fullmatch(row.shown)
        assert named, row
        assert named[2] in names_of_tests(named[1]), row
    attempt.saw(f"{len(rows())} requirements of ASVS 5.0: {len(shown)} shown by tests")


@pytest.mark.parametrize("word", [NOT_APPLICABLE, RELAXED])
def test_what_has_no_test_has_its_reason(word: str, attempt: Attempt) -> None:
    without = [row for row in rows() if row.shown.startswith(word)]
    assert [row for row in without if len(row.shown) < len(word) + 25] == []
    attempt.saw(f"{len(without)} {word.removesuffix(': ')}{which(without) if word == RELAXED else ''}")


def which(departures: list[Row]) -> str:
    """Their numbers; each has its reasons in SECURITY.md."""
    assert all("SECURITY.md" in row.shown for row in departures)
    return f" on purpose, with reasons: {', '.join(row.number for row in departures)}"
