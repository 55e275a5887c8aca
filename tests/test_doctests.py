"""What the modules promise in their own examples."""

import doctest
import importlib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
MODULES = [
    ".".join(file.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")
    for app in ("rules", "scoresheets", "clubs")
    for file in sorted((PROJECT / app).rglob("*.py"))
    if ">>>" in file.read_text()
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_docstrings_are_true(name: str) -> None:
    done = doctest.testmod(importlib.import_module(name))
    assert (done.failed, done.attempted > 0) == (0, True)


def test_every_part_of_the_project_has_examples() -> None:
    assert {name.partition(".")[0] for name in MODULES} == {"rules", "scoresheets", "clubs"}
    assert len(MODULES) > 60
