"""Known faults of packages, read from a copy of the PyPA advisory database: a folder for each package, in OSV form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from packaging.utils import canonicalize_name
from packaging.version import Version

PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;\\]+)", re.M)


def pinned(requirements: Path) -> dict[str, Version]:
    """The packages of a lock file with their versions."""
    return {canonicalize_name(name): Version(version) for name, version in PINNED.findall(requirements.read_text())}


def advisories_about(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """What the copy has about a package and was not withdrawn."""
    for file in sorted((folder / "vulns" / name).glob("*.yaml")):
        advisory = yaml.safe_load(file.read_text())
        if "withdrawn" not in advisory:
            yield advisory


def is_affected(version: Version, advisory: dict[str, Any]) -> bool:
    """Whether the fault is in that version: it is named, or stands between where the fault came and where it went."""
    for affected in advisory.get("affected", []):
        if str(version) in affected.get("versions", []):
            return True
        ranges = (one["events"] for one in affected.get("ranges", []) if one["type"] == "ECOSYSTEM")
        if any(is_within(version, events) for events in ranges):
            return True
    return False


def is_within(version: Version, events: list[dict[str, str]]) -> bool:
    """Whether the last thing that happened up to the version is that the fault came."""
    inside = False
    for event in events:
        if "introduced" in event and Version(event["introduced"]) <= version:
            inside = True
        if "fixed" in event and Version(event["fixed"]) <= version:
            inside = False
        if "last_affected" in event and Version(event["last_affected"]) < version:
            inside = False
    return inside
