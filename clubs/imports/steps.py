"""The steps of an import: people by their number in the file, and the rows to write."""

from __future__ import annotations

from typing import Any, NamedTuple

#: What is written in one go, as `results` or `holders` reads it; `count` says how much that is.
Step = dict[str, Any]


class Person(NamedTuple):
    """Somebody in the file: as they are called there, and the id of the member they are; None: not a member yet."""

    name: str
    member: int | None
