"""What the modules of the rules promise in their own examples."""

import doctest
import importlib
import pkgutil

import pytest

import rules

MODULES = [module.name for module in pkgutil.walk_packages(rules.__path__, "rules.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_docstrings_are_true(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples_to_be_true():
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 20
