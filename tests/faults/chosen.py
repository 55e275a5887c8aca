"""The faults that are put into the code: so many of each part, the same ones as long as the code stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from tests.faults.python_faults import places_in
from tests.faults.text_faults import text_faults

PROJECT = Path(__file__).resolve().parents[2]
#: How many faults each folder gets.
SHARES = {"rules": 45, "scoresheets": 60, "clubs": 65, "templates": 25, "static/js": 25}
#: What runs in a process of its own, or in no process of the site, or before the tests begin.
LEFT_OUT = ("/migrations/", "/management/", "clubs/server/", "clubs/demo/", "clubs/settings.py")


@dataclass(frozen=True)
class Fault:
    """One fault: its file, where it is in it (line and column, or start and end), its kind, and what stands there.

    `faulty` is what a template or a script gets instead; a Python module makes that itself.
    """

    number: int
    path: str
    at: tuple[int, int]
    kind: str
    text: str
    faulty: str = ""

    @property
    def is_text(self) -> bool:
        """Whether it is in a template or a script."""
        return not self.path.endswith(".py")

    def __str__(self) -> str:
        return f"{self.number}: {self.path}, {self.kind}: {self.text}"

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def chosen_faults(project: Path = PROJECT) -> list[Fault]:
    """The faults, numbered from 1."""
    faults: list[Fault] = []
    for folder, share in SHARES.items():
        candidates = [fault for path in files_in(project, folder) for fault in candidates_in(project, path)]
        candidates.sort(key=lambda candidate: sha256(repr(candidate).encode()).digest())
        faults += [Fault(len(faults) + k, *candidate) for k, candidate in enumerate(candidates[:share], 1)]
    return faults


def files_in(project: Path, folder: str) -> list[str]:
    """The files of a folder that can carry faults, by their paths in the project."""
    ending = {"templates": "*.html", "static/js": "*.js"}.get(folder, "*.py")
    paths = sorted(str(path.relative_to(project)) for path in (project / folder).rglob(ending))
    return [path for path in paths if not any(part in path for part in LEFT_OUT)]


def candidates_in(project: Path, path: str) -> Iterator[tuple[str, tuple[int, int], str, str, str]]:
    """Path, place, kind, the line as it stands, and what is put there, of every fault a file could have."""
    source = (project / path).read_text()
    if path.endswith(".py"):
        lines = source.splitlines()
        for place in places_in(source):
            yield path, (place.line, place.column), place.kind, lines[place.line - 1].strip(), ""
    else:
        for fault in text_faults(project / path):
            line = source[source.rfind("\n", 0, fault.start) + 1 : fault.end + 40].split("\n")[0].strip()
            yield path, (fault.start, fault.end), fault.kind, line, fault.faulty
