"""The cell of a total says what the templates of its parts say."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from scoresheets.sheet.parts import Cell
from scoresheets.templatetags.sheet import marks, small, total_cell

WRONG = '<b>"'


def bare(text: str) -> str:
    """Without the space between tags, which nobody sees there."""
    return re.sub(r"\s*(<|>)\s*", r"\1", text).strip()


@pytest.mark.parametrize(
    ("total", "boxed", "circled", "why"),
    list(product((-12, -1, 0, 2, 9, 35, 1000), (True, False), (True, False), ("", "/why/?a=1&b"))),
)
def test_marks_are_those_of_the_template(total: int, boxed: bool, circled: bool, why: str) -> None:
    cell = Cell(1, "total", total, boxed=boxed, circled=circled, why=why)
    context = {"total": total, "boxed": boxed, "circled": circled, "href": why}
    assert bare(marks(cell)) == bare(render_to_string("scoresheets/sheet/marks.html", context))


@pytest.mark.parametrize(
    ("points", "lines"), list(product(("", "0", "+12", WRONG), ((), (mark_safe("<i>2</i>"),), (WRONG, "3"))))
)
def test_what_stands_beside_is_that_of_the_template(points: str, lines: tuple) -> None:
    cell = Cell(1, "total", 3, points=points, small=lines, aloud=f"bid {WRONG}")
    assert bare(small(cell)) == bare(render_to_string("scoresheets/sheet/small.html", {"cell": cell}))


def test_nothing_of_a_cell_is_believed_to_be_markup() -> None:
    cell = Cell(1, "total", 3, card=WRONG, plus=WRONG, why=WRONG, missed=True)
    assert WRONG not in total_cell(cell)
    assert '<div class="cell set tied">' in total_cell(cell)
