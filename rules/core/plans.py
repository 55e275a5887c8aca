"""How long a table wants to play, where the game leaves that to the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Amount:
    """A number of a plan. ``values`` are all it can be, ``offered`` those to offer first: they keep the rules."""

    key: str
    words: str
    values: range
    offered: Sequence[int]
    usual: int


@dataclass(frozen=True)
class PlanChoice:
    """One way to say how long the table plays: its ``amounts`` make a plan. The first of them names the choice."""

    words: str
    amounts: tuple[Amount, ...]

    @property
    def key(self) -> str:
        return self.amounts[0].key

    @property
    def usual(self) -> dict[str, int]:
        """The plan that is proposed."""
        return {self.key: self.amounts[0].usual}
