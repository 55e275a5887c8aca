"""A table of a play-off after its last hand, of which only the totals are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.core.engine.replay import settle
from rules.core.fields import Value
from rules.core.files.game_file import file_of
from rules.core.files.reader import SheetReader
from rules.core.game import Game
from rules.core.outcome import Settlement
from rules.core.stakes import Decides


class TableReader(SheetReader):
    """Reads the blind hands and the draws of a table whose last hand has been played."""

    def __init__(
        self, game: Game, names: Mapping[int, str], totals: Mapping[int, int], house_rules: Mapping[str, Value],
        decides: Decides, rest: dict[str, object], *, in_doubt: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(game, rest)
        self.was_in_doubt = in_doubt
        seats = list(totals)
        table = game.open_table(seats, seats[0], None, house_rules, decides)
        self.opened = self.table = replace(table, totals=dict(totals), stopped=True)
        self.names = {seat: names[seat] for seat in seats}

    @property
    def is_in_doubt(self) -> bool:
        """Whether anything was wrong here, or before this table: only the numbers written down are judged then."""
        return self.was_in_doubt or bool(self.problems)

    def settle(self) -> Settlement:
        """What the blind hands and the draws have settled, and what is still open."""
        file_of(self.game).read_rest(self)
        return Settlement() if self.is_in_doubt else settle(self.game, self.table, self.entries)
