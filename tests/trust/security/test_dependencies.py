"""The packages that the site stands on: pinned with hashes, read by the audit, and without a fault that is known."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.trust.attempts import Attempt
from tests.trust.security.advisories import advisories_about, is_affected, pinned

pytestmark = [pytest.mark.promise(18), pytest.mark.sqlite]

#: A copy of the PyPA advisory database, where somebody has one: a folder with `vulns`. The network is not asked.
ADVISORIES = os.environ.get("ADVISORIES", "")
#: What a database said of a package, made up.
MADE_UP = """
id: PYSEC-0000-1
affected:
- package: {name: django, ecosystem: PyPI}
  ranges:
  - type: ECOSYSTEM
    events: [{introduced: "0"}, {fixed: "4.2.8"}, {introduced: "5.0"}, {fixed: "5.2.3"}]
  versions: ["3.0a1"]
"""


def lock_files(project: Path) -> list[Path]:
    return sorted(project.glob("requirements*.txt"))


def test_every_package_is_pinned_with_its_hashes(project: Path) -> None:
    for file in lock_files(project):
        blocks = re.split(r"\n(?=[a-z])", file.read_text().strip())
        assert len(blocks) > 25
        assert [block.split()[0] for block in blocks if "==" not in block or "--hash=sha256:" not in block] == []
        assert len(pinned(file)) == len(blocks)


def test_site_takes_the_same_versions_wherever_it_runs(project: Path) -> None:
    first, *others = sorted((pinned(file) for file in lock_files(project)), key=len)
    for other in others:
        assert first.items() <= other.items()


@pytest.mark.parametrize(
    ("version", "has_fault"),
    [("3.0a1", True), ("4.2.7", True), ("4.2.8", False), ("5.0", True), ("5.2.3", False), ("5.2.19", False)],
)
def test_audit_finds_a_fault_where_it_is(version: str, has_fault: bool, tmp_path: Path) -> None:
    folder = tmp_path / "vulns" / "django"
    folder.mkdir(parents=True)
    (folder / "PYSEC-0000-1.yaml").write_text(MADE_UP)
    (folder / "PYSEC-0000-2.yaml").write_text(f"withdrawn: 2026-01-01T00:00:00Z{MADE_UP}")
    lock = tmp_path / "requirements.txt"
    lock.write_text(f"Django=={version} \\\n    --hash=sha256:00\n")
    ((name, found),) = pinned(lock).items()
    assert [is_affected(found, one) for one in advisories_about(tmp_path, name)] == [has_fault]


def test_no_package_has_a_fault_that_is_known(project: Path, attempt: Attempt) -> None:
    packages = pinned(project / "requirements-dev.txt")
    if not ADVISORIES:
        attempt.saw(
            f"known faults of {len(packages)} packages NOT looked up: pip-audit needs the network, and no ADVISORIES "
            "were given"
        )
        return
    folder = Path(ADVISORIES)
    assert (folder / "vulns").is_dir(), "ADVISORIES is a copy of the PyPA advisory database"
    about = {name: list(advisories_about(folder, name)) for name in packages}
    found = [(name, one["id"]) for name, all_of_it in about.items() for one in all_of_it
             if is_affected(packages[name], one)]  # fmt: skip
    newest = max((str(one["modified"])[:10] for all_of_it in about.values() for one in all_of_it), default="never")
    assert found == []
    count = sum(map(len, about.values()))
    attempt.saw(f"{len(packages)} packages, {count} advisories about them, the newest of {newest}: none applies")
