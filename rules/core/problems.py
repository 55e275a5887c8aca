"""Problems: validation errors as values, not exceptions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType


@dataclasses.dataclass(frozen=True)
class Problem:
    """One thing that is wrong, or unwise, about what somebody wants to write down.

    ``code`` is stable and kebab-case; ``message`` is the sentence a scorekeeper reads. ``field`` names
    the field it belongs to, ``seat`` and ``hand`` say where it stands (a seat's number, never a name).
    ``blocking=False`` means "are you sure?". ``params`` are the values in the sentence, so that it can
    be said in another language.
    """

    code: str
    message: str
    field: str | None = None
    seat: int | None = None
    hand: int | None = None
    blocking: bool = True
    params: Mapping[str, object] = dataclasses.field(default_factory=lambda: MappingProxyType({}), compare=False)

    def at_hand(self, number: int) -> Problem:
        """The same problem, said of hand ``number``."""
        return dataclasses.replace(self, hand=number)
