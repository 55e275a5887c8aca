"""No spreadsheet runs what somebody typed as a name."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoresheets.files import formula_guard
from scoresheets.files.formula_guard import BLANKS, SIGNS, neutral, plain

RUN = (*SIGNS, *BLANKS)
TEXT = st.text(st.sampled_from([*RUN, "'", " ", "a", "1", "\u00a0"]), max_size=6)


def test_examples_hold() -> None:
    assert doctest.testmod(formula_guard).failed == 0


@pytest.mark.parametrize("begin", RUN)
def test_cell_that_would_run_gets_an_apostrophe(begin: str) -> None:
    assert neutral(f"{begin}1+1") == f"'{begin}1+1"
    assert neutral(f"  {begin}1+1") == f"'  {begin}1+1"


@pytest.mark.parametrize("cell", [-3, 2.5, None, "", "Ann", "'t Hooft", "a=b", "−3"])
def test_any_other_cell_stays_as_it_is(cell: object) -> None:
    assert neutral(cell) == cell


@given(TEXT)
def test_nothing_that_is_written_would_run_and_all_of_it_comes_back(text: str) -> None:
    assert not str(neutral(text)).lstrip().startswith(RUN)
    assert plain(neutral(text)) == text
