"""The faults that `make faults` puts into the code: each changes what its place does, and is off until it is called."""

import builtins
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faults import measure, python_faults
from tests.faults.chosen import SHARES, Fault, candidates_in, chosen_faults
from tests.faults.measure import Reach, Verdict, figures
from tests.faults.python_faults import places_in, with_faults
from tests.faults.text_faults import TextFault, copy_with, text_faults

#: A function, its kind of fault, what it is called with, what it returns, and what it returns with the fault.
KINDS = [
    ("def f(a, b): return a < b", "comparison", (2, 2), False, True),
    ("def f(a, b): return a in b", "comparison", (2, [2]), True, False),
    ("def f(a, b): return a and b", "and, or", (0, 2), 0, 2),
    ("def f(a): return not a", "not", (2,), False, 2),
    ("def f():\n    yes = True\n    return yes", "yes, no", (), True, False),
    ("def f(a): return a + 1", "number", (2,), 3, 4),
    ("def f(a, b): return a + b", "sign", (2, 1), 3, 1),
    ("def f(a, b): return min(a, b)", "function", (2, 1), 1, 2),
    ("def f(a): return 5 if a else 6", "condition", (2,), 5, 6),
    ("def f(a):\n    if a:\n        return 5\n    return 6", "condition", (2,), 5, 6),
    ("def f(a):\n    a.append(1)\n    return len(a)", "call left out", ([],), 1, 0),
    ("class C:\n    def f(self): return self\nf = C.f", "nothing returned", (2,), 2, None),
]


@pytest.fixture
def switched_on(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The numbers of the faults that are on, and the switch where the modules look for it."""
    numbers: set[int] = set()
    monkeypatch.setattr(builtins, python_faults.SWITCH, numbers.__contains__, raising=False)
    return numbers


def function_with(source: str, kind: str) -> Callable[..., Any]:
    (place,) = [place for place in places_in(source) if place.kind == kind]
    module: dict[str, Any] = {}
    exec(with_faults(source, "f.py", {place: 17}), module)
    return module["f"]


@pytest.mark.parametrize(("source", "kind", "given", "right", "faulty"), KINDS)
def test_fault_changes_what_a_function_does_only_while_it_is_on(
    switched_on: set[int], source: str, kind: str, given: tuple[Any, ...], right: object, faulty: object
) -> None:
    function = function_with(source, kind)
    assert function(*(list(each) if isinstance(each, list) else each for each in given)) == right
    switched_on.add(16)
    assert function(*(list(each) if isinstance(each, list) else each for each in given)) == right
    switched_on.add(17)
    assert function(*given) == faulty


def test_what_is_outside_of_functions_carries_no_fault() -> None:
    assert places_in("LONG = 1 + 2\nclass C:\n    short: bool = True\ndef f(a: int = 3) -> int: ...") == []


def test_a_chain_of_sums_has_one_place_where_it_begins() -> None:
    assert [place.kind for place in places_in("def f(a): a = a + a + a")] == ["sign"]


@pytest.mark.parametrize(
    ("name", "text", "kind", "faulty"),
    [
        ("a.html", "{# {% if a %} #}{% if b %}1{% endif %}", "condition", "{# {% if a %} #}{% if not b %}1{% endif %}"),
        ("a.html", "{% if not yes %}1{% endif %}", "not", "{% if yes %}1{% endif %}"),
        ("a.html", "{% if a %}1{% else %}2{% endif %}", "else left out", "{% if a %}1{% endif %}"),
        ("a.html", '<p>{% include "b.html" %}</p>', "part left out", "<p></p>"),
        ("a.js", "// a === b\nif (a === b) c();", "comparison", "// a === b\nif (a !== b) c();"),
        ("a.js", "return a && b;", "and, or", "return a || b;"),
        ("a.js", "function f() {\n  g(1);\n}", "call left out", "function f() {\n\n}"),
    ],
)  # fmt: skip
def test_fault_stands_in_a_copy_of_its_folder(tmp_path: Path, name: str, text: str, kind: str, faulty: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / name).write_text(text)
    (fault,) = [fault for fault in text_faults(folder / name) if fault.kind == kind]
    copy_with(folder, tmp_path / "copy", name, fault)
    assert (tmp_path / "copy" / name).read_text() == faulty
    assert (folder / name).read_text() == text


@pytest.mark.thorough
def test_at_least_two_hundred_faults_are_chosen_and_the_same_ones_each_time(project: Path) -> None:
    faults = chosen_faults()
    assert len(faults) == sum(SHARES.values()) >= 200
    assert faults == chosen_faults()
    assert [fault.number for fault in faults] == list(range(1, len(faults) + 1))
    for folder, share in SHARES.items():
        assert sum(fault.path.startswith(f"{folder}/") for fault in faults) == share
    assert {fault.kind for fault in faults if not fault.is_text} <= {kind for _, kind, *_ in KINDS}, "tried above"


def test_a_file_with_a_fault_can_be_read(project: Path) -> None:
    """A fault that breaks a whole template or script is found by anybody, and proves nothing."""
    for path in ("templates/scoresheets/pad/frame.html", "static/js/pad/outbox.js"):
        for _, at, kind, _, faulty in candidates_in(project, path):
            assert TextFault(*at, kind, faulty) in set(text_faults(project / path))


FAULT = Fault(3, "scoresheets/pad/state.py", (1, 2), "sign", "a + b")


def test_tests_of_the_same_package_come_first_and_quick_ones_apart() -> None:
    near, far, slow, other = (f"tests/{name}" for name in ("scoresheets/pad/n.py::n", "f.py::f", "s.py::s", "o.py::o"))
    reach = Reach(
        {near: {3}, far: {3, "templates/a.html"}, slow: {3}, other: {4}},
        {near: 9.0, far: 1.0, slow: 2.0, other: 1.0},
        {near, far, other},
    )
    assert reach.of(FAULT, is_quick=True) == [near, far]
    assert reach.of(FAULT, is_quick=False) == [slow]
    template = Fault(5, "templates/a.html", (1, 2), "not", "{% if not a %}")
    assert reach.of(template, is_quick=True) == [far]


def test_other_tests_are_asked_only_about_what_quick_ones_do_not_find(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What was tried before is kept, and not tried again."""
    faults = [Fault(number, f"scoresheets/{number}.py", (1, 2), "sign", "a + b") for number in (1, 2, 3)]
    reach = Reach({"q": {1, 2, 3}, "o": {2, 3}}, {"q": 1.0, "o": 1.0}, {"q"})
    asked, finds = [], {(1, "q"), (2, "o")}

    def run(fault: Fault, tests: list[str], *, is_quick: bool) -> str:
        asked.append((fault.number, *tests))
        return tests[0] if asked[-1] in finds else ""

    monkeypatch.setattr(measure, "run_with", run)
    monkeypatch.setattr(measure, "FOLDER", tmp_path)
    told = [verdict for is_quick in (True, False) for _, verdict in measure.try_each(faults, reach, is_quick=is_quick)]
    assert sorted(asked[:3]) == [(1, "q"), (2, "q"), (3, "q")]
    assert sorted(asked[3:]) == [(2, "o"), (3, "o")]
    assert len(told) == 5
    assert figures(measure.verdicts_so_far().values()) == (
        "Of 3 faults `make test` finds 1, all tests together find 2."
    )
    assert [measure.left_to(faults, is_quick=is_quick) for is_quick in (True, False)] == [[], []]


GOLDEN = "tests/rules/test_golden_games.py::"
PLAYED = f"{GOLDEN}test_game_comes_out_as_it_was_worked_out[dirty_dog-stopped_early]"
LISTED = f"{GOLDEN}test_every_game_has_a_whole_golden_game[dingo]"
IN_DOCSTRING = "tests/test_doctests.py::test_examples_in_the_docstrings_are_true[rules.core.placings]"


@pytest.mark.thorough
def test_the_one_fault_that_is_on_is_found_by_the_first_test_that_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, project: Path
) -> None:
    candidates = list(candidates_in(project, "rules/core/placings.py"))
    faults = [Fault(number, *candidate) for number, candidate in enumerate(candidates, 1)]
    (top_total,) = [fault for fault in faults if fault.kind == "comparison" and "== max(" in fault.text]
    monkeypatch.setattr(measure, "FOLDER", tmp_path)
    (tmp_path / "faults.json").write_text(json.dumps([fault.as_dict() for fault in faults]))
    assert measure.run_with(top_total, [LISTED, PLAYED, IN_DOCSTRING], is_quick=True) == PLAYED
    assert measure.run_with(top_total, [IN_DOCSTRING, PLAYED], is_quick=True) == IN_DOCSTRING
    assert measure.run_with(top_total, [LISTED], is_quick=True) == ""
    assert measure.run_with(top_total, [], is_quick=True) == ""


AT_IMPORT = """
from rules.core.placings import place_of

PLACE = place_of({1: 5, 2: 3}, 2)


def test_place():
    assert PLACE == 2
"""


@pytest.mark.thorough
def test_what_the_import_of_a_file_reaches_is_reached_by_its_tests(tmp_path: Path, project: Path) -> None:
    faults = [Fault(number, *each) for number, each in enumerate(candidates_in(project, "rules/core/placings.py"), 1)]
    (tmp_path / "faults.json").write_text(json.dumps([fault.as_dict() for fault in faults]))
    (tmp_path / "test_at_import.py").write_text(AT_IMPORT)
    (tmp_path / "notes").mkdir()
    asked = {"FAULTS": str(tmp_path / "faults.json"), "FAULTS_NOTES": str(tmp_path / "notes")}
    plugins = ("-p", "tests.faults.plugin", "-p", "no:cacheprovider", "-p", "no:xdist")
    run = measure.run_pytest(*plugins, "-q", str(tmp_path / "test_at_import.py"), env=os.environ | asked)
    assert run.returncode == measure.PASSED
    (notes,) = (json.loads(file.read_text()) for file in (tmp_path / "notes").iterdir())
    ((name, note),) = notes.items()
    assert name.endswith("test_at_import.py::test_place")
    assert note["reached"]


def test_what_is_known_of_code_that_was_changed_since_is_not_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(measure, "FOLDER", tmp_path / "faults")
    for _ in range(2):
        measure.keep([FAULT])
    with pytest.raises(SystemExit, match="begin again"):
        measure.keep([FAULT, FAULT])


def noted(folder: Path, monkeypatch: pytest.MonkeyPatch, *, passes: bool) -> list[tuple[str, str]]:
    """Note what the tests of `make test` reach, and then the others: which were asked, with which examples."""
    asked: list[tuple[str, str]] = []

    def run(*arguments: str, env: dict[str, str] | None = None, **more: Any) -> subprocess.CompletedProcess[str]:
        if env:
            asked.append((Path(env["FAULTS_TESTS"]).read_text(), env.get("HYPOTHESIS_PROFILE", "")))
        names = ["q.py::q"] if "--quick" in arguments else ["q.py::q", "o.py::o"]
        return subprocess.CompletedProcess(arguments, 0 if passes or not env else 1, "\n".join(names))

    monkeypatch.delenv("HYPOTHESIS_PROFILE", raising=False)
    monkeypatch.setattr(measure, "FOLDER", folder)
    monkeypatch.setattr(measure, "run_pytest", run)
    for is_quick in (True, False):
        measure.note_reach(is_quick=is_quick)
    return asked


def test_tests_of_make_test_are_noted_first_with_as_few_examples_and_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match="must pass"):
        noted(tmp_path, monkeypatch, passes=False)
    assert not list(tmp_path.glob("reached-by-*")), "what a run did not end with is noted again"
    # Once without a browser and once in it.
    assert noted(tmp_path, monkeypatch, passes=True) == [("q.py::q", "few")] * 2 + [("o.py::o", "")] * 2
    assert noted(tmp_path, monkeypatch, passes=True) == []
    for is_quick, name in ((True, "q.py::q"), (False, "o.py::o")):
        note = {name: {"reached": [3], "seconds": 1.0}}
        (measure.notes_of(is_quick=is_quick) / "gw0-1.json").write_text(json.dumps(note))
    assert [Reach.noted().of(FAULT, is_quick=is_quick) for is_quick in (True, False)] == [["q.py::q"], ["o.py::o"]]


def test_figures_count_what_was_found_by_whom() -> None:
    verdicts = [Verdict(1, "q", True, 2), Verdict(2, "o", False, 2), Verdict(3, "", False, 2)]
    assert figures(verdicts) == "Of 3 faults `make test` finds 1, all tests together find 2."
