"""A table in the draft."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rules.core.game import Game


@dataclass
class Drawn:
    """A table that is drawn: its people (ids of members) in the order round it, and who of them deals first.

    `plan` is what was chosen, {} what is proposed. `held`: it stays as it is when the others are drawn again.
    """

    game: Game
    people: list[int] = field(default_factory=list)
    deals: int | None = None
    plan: dict[str, int] = field(default_factory=dict)
    held: bool = False

    def as_kept(self) -> dict[str, Any]:
        return {
            "game": self.game.slug, "people": self.people, "deals": self.deals, "plan": self.plan, "held": self.held,
        }  # fmt: skip
