"""Names that nobody at a table could tell apart."""

import doctest

from scoresheets.log import text


def test_the_examples_in_the_text_are_true() -> None:
    result = doctest.testmod(text)
    assert (result.failed, result.attempted > 0) == (0, True)
