"""No spreadsheet runs what somebody typed as a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoresheets.files.csv import BLANKS, SIGNS, escape_formula, unescape_formula

RUN = (*SIGNS, *BLANKS)
TEXT = st.text(st.sampled_from([*RUN, "'", " ", "a", "1", "\u00a0"]), max_size=6)


@pytest.mark.parametrize("begin", RUN)
def test_cell_that_would_run_gets_an_apostrophe(begin: str) -> None:
    assert escape_formula(f"{begin}1+1") == f"'{begin}1+1"
    assert escape_formula(f"  {begin}1+1") == f"'  {begin}1+1"


@pytest.mark.parametrize("cell", [-3, 2.5, None, "", "Ann", "'t Hooft", "a=b", "−3"])
def test_any_other_cell_stays_as_it_is(cell: object) -> None:
    assert escape_formula(cell) == cell


@given(TEXT)
def test_nothing_that_is_written_would_run_and_all_of_it_comes_back(text: str) -> None:
    assert not str(escape_formula(text)).lstrip().startswith(RUN)
    assert unescape_formula(escape_formula(text)) == text
