"""A plugin of pytest that runs tests beside faults: `python -m pytest -p tests.faults.plugin`.

Its orders come from the environment (`Orders`). It either notes which test reaches which fault, all of them switched
off, or runs the named tests with one switched on.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.faults import python_faults, text_faults
from tests.faults.chosen import PROJECT, Fault
from tests.faults.python_faults import Place


@dataclass(frozen=True)
class Orders:
    """What this run is for.

    `faults`: the file with all of them; `on`: the number of the one that is switched on, or 0; `tests`: the file with
    the names of the tests to run, in their order, or None; `notes`: the folder for what is reached, or None.
    """

    faults: list[Fault]
    on: int
    tests: Path | None
    notes: Path | None

    @classmethod
    def from_environment(cls) -> Orders:
        faults = [Fault(**fields) for fields in json.loads(Path(os.environ["FAULTS"]).read_text())]
        tests, notes = os.environ.get("FAULTS_TESTS"), os.environ.get("FAULTS_NOTES")
        return cls(faults, int(os.environ.get("FAULTS_ON", "0")), tests and Path(tests), notes and Path(notes))

    @property
    def fault(self) -> Fault | None:
        """The one that is switched on."""
        return next((fault for fault in self.faults if fault.number == self.on), None)


orders = Orders.from_environment()
#: What the running test has reached: numbers of faults in Python, paths of templates and scripts.
reached: set[int | str] = set()
#: By the name of each file of tests: what its import reached, on which all tests in it may depend.
reached_by_import: dict[str, set[int | str]] = {}
#: By the name of each test: what it reached, and its seconds.
notes: defaultdict[str, dict[str, Any]] = defaultdict(lambda: {"reached": [], "seconds": 0.0})


def switch(number: int) -> bool:
    """Whether that fault is on; that it was reached is noted."""
    reached.add(number)
    return number == orders.on


def install() -> None:
    by_file: defaultdict[str, dict[Place, int]] = defaultdict(dict)
    for fault in orders.faults:
        if not fault.is_text:
            by_file[str(PROJECT / fault.path)][Place(*fault.at, fault.kind)] = fault.number
    early = python_faults.loaded_already(by_file)
    assert not early, f"imported before faults could be put in: {early}"
    python_faults.install(by_file, switch)


install()


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have the fault of a template or a script in a copy of its folder, and note which of them are asked for."""
    from django.conf import settings
    from django.core.signals import request_started
    from django.test.signals import template_rendered

    if orders.fault and orders.fault.is_text:
        folder = PROJECT / orders.fault.path.split("/")[0]
        copy = Path(tempfile.mkdtemp(prefix="box-and-circle-faults-"))
        config.add_cleanup(lambda: shutil.rmtree(copy, ignore_errors=True))
        start, end = orders.fault.at
        fault = text_faults.TextFault(start, end, orders.fault.kind, orders.fault.faulty)
        text_faults.copy_with(folder, copy / folder.name, str((PROJECT / orders.fault.path).relative_to(folder)), fault)
        if folder.name == "templates":
            settings.TEMPLATES[0]["DIRS"] = [copy / folder.name]
        else:
            settings.STATICFILES_DIRS = [copy / folder.name]
    if orders.notes:
        template_rendered.connect(note_template, weak=False)
        request_started.connect(note_script, weak=False)


def note_template(template: Any, **more: Any) -> None:
    name = getattr(template.origin, "name", "")
    if name.startswith(str(PROJECT)):
        reached.add(str(Path(name).relative_to(PROJECT)))


def note_script(environ: dict[str, Any] | None = None, **more: Any) -> None:
    path = (environ or {}).get("PATH_INFO", "")
    if path.startswith("/static/js/"):
        reached.add(path[1:])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Only the tests that were named, in the order in which they were named."""
    if not orders.tests:
        return
    order = {name: k for k, name in enumerate(orders.tests.read_text().splitlines())}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in order])
    items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Note what is reached while a file of tests is imported."""
    reached.clear()
    report = yield
    if isinstance(collector, pytest.Module):
        reached_by_import[collector.nodeid] = set(reached)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what a test reaches, with what is set up for it and put away after it."""
    reached.clear()
    result = yield
    if orders.notes:
        file = item.nodeid.partition("::")[0]
        notes[item.nodeid]["reached"] = sorted(reached | reached_by_import.get(file, set()), key=str)
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if orders.notes and not hasattr(report, "node"):
        notes[report.nodeid]["seconds"] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    if orders.notes and notes:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "only")
        (orders.notes / f"{worker}-{os.getpid()}.json").write_text(json.dumps(notes))
