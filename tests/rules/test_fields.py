"""The four kinds of fields: what may stand in them, and what is said about anything else."""

import pytest

from rules.core.fields import Ask, Choice, Count, SeatChoice, Tick
from rules.core.options import HouseRule

COUNT = Count("count", 0, 3, "out-of-range", 7)
CHOICE = Choice("choice", ("H", "NT"), "bad-suit", 7)
SEAT = SeatChoice("seat", (1, 2, 5), "unknown-player", 7)
TICK = Tick("tick", 7)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        (COUNT, 0, None),
        (COUNT, 3, None),
        (COUNT, -1, "out-of-range"),
        (COUNT, 4, "out-of-range"),
        (COUNT, None, "not-a-number"),
        (COUNT, True, "not-a-number"),
        (COUNT, 2.0, "not-a-number"),
        (COUNT, "2", "not-a-number"),
        (CHOICE, "NT", None),
        (CHOICE, "N", "bad-suit"),
        (CHOICE, "", "bad-suit"),
        (CHOICE, None, "bad-suit"),
        (CHOICE, ["H"], "bad-suit"),
        (SEAT, 5, None),
        (SEAT, 3, "unknown-player"),
        (SEAT, True, "unknown-player"),
        (SEAT, "1", "unknown-player"),
        (SEAT, None, "unknown-player"),
        (TICK, True, None),
        (TICK, False, None),
        (TICK, 1, "not-a-tick"),
        (TICK, None, "not-a-tick"),
    ],
)
def test_field_takes_its_own_kind_of_value(field, value, code):
    problem = field.problem(value)
    assert (problem and problem.code) == code
    if problem:
        assert (problem.field, problem.seat, problem.blocking) == (field.name, 7, True)
        assert problem.message.endswith(".")


@pytest.mark.parametrize("kind", [COUNT, CHOICE, SEAT, TICK])
def test_field_that_may_be_left_out_takes_nothing_for_an_answer_and_no_other_does(kind):
    left_out = type(kind)(**{**vars(kind), "optional": True})
    assert left_out.problem(None) is None
    assert left_out.problem("nonsense") is not None
    assert list(Ask("ask", (left_out,)).problems({})) == []
    assert [problem.code for problem in Ask("ask", (kind,)).problems({})] == ["missing-field"]
    for field in (Count("x", 0, 1), Choice("x", ("a",)), SeatChoice("x", (1,)), Tick("x")):
        assert field.optional is False


@pytest.mark.parametrize(
    ("low", "high", "said"), [(0, 3, "0 to 3"), (2, 2, "can be 2."), (-3, -1, "−3 to −1"), (-3, -3, "can be −3.")]
)
def test_range_of_a_count_is_said(low, high, said):
    problem = Count("count", low, high).problem(99)
    assert said in problem.message
    assert problem.params == {"low": low, "high": high}


def test_ask_names_what_is_missing_what_is_wrong_and_what_was_not_asked():
    ask = Ask("ask", (COUNT, CHOICE))
    problems = list(ask.problems({"count": 9, "weather": "fine"}))
    assert [(problem.code, problem.field) for problem in problems] == [
        ("out-of-range", "count"),
        ("missing-field", "choice"),
        ("unknown-field", "weather"),
    ]


YES_OR_NO = HouseRule("tick", default=False, values=(False, True), sentence="A tick.")
NUMBER = HouseRule("number", default=2, values=range(1, 4), sentence="A number.")
WORKED_OUT = HouseRule(
    "worked_out", default=None, values=range(1, 4), sentence="A number.", default_words="as it comes"
)
WORD = HouseRule("word", default="game", values=("game", "points"), sentence="A word.")
OR_NOT = HouseRule("or_not", default=None, values=(None, *range(1, 4)), sentence="A number or nothing.")


@pytest.mark.parametrize(
    ("rule", "value", "code"),
    [
        (YES_OR_NO, True, None),
        (YES_OR_NO, 1, "bad-document"),
        (YES_OR_NO, None, "bad-document"),
        (NUMBER, 3, None),
        (NUMBER, 4, "bad-house-rule"),
        (NUMBER, True, "bad-document"),
        (NUMBER, "2", "bad-document"),
        (WORKED_OUT, None, None),
        (WORKED_OUT, 0, "bad-house-rule"),
        (WORD, "points", None),
        (WORD, "draw", "bad-house-rule"),
        (WORD, 1, "bad-document"),
        (OR_NOT, None, None),
        (OR_NOT, 3, None),
        (OR_NOT, 4, "bad-house-rule"),
        (OR_NOT, "3", "bad-document"),
    ],
)
def test_house_rule_takes_its_own_values(rule, value, code):
    problem = rule.problem(value)
    assert (problem and problem.code) == code
    if problem:
        assert problem.field == rule.key
