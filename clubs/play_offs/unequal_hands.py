"""Finals with different numbers of hands (Rule 14), and the organiser's decision about the loser's trophy.

The crossing rule compares the totals of both finals, which makes sense only if both played equally long. So the loser's
trophy waits for a decision: as it stands, compared after the last hand both have played, or one plays on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.models import Ruling
from clubs.play_offs.table_state import StageNow, TableNow

#: What can be decided.
STANDS, COMPARED, PLAY_ON = "stands", "compared", "play-on"
CHOICES = (STANDS, COMPARED, PLAY_ON)


@dataclass(frozen=True)
class UnequalHands:
    """Both finals, over after different numbers of hands; `ruling` is the decision that counts."""

    top: TableNow
    bottom: TableNow
    ruling: Ruling | None = None

    @property
    def hands(self) -> tuple[int, int]:
        """So many were played at the winners' table, and at the losers' table."""
        return self.top.hands_done, self.bottom.hands_done

    @property
    def last_of_both(self) -> int:
        """The last hand that both have played."""
        return min(self.hands)

    @property
    def shorter(self) -> TableNow:
        return self.top if self.hands[0] < self.hands[1] else self.bottom

    @property
    def mark(self) -> str:
        """It tells whether something has been played since somebody looked."""
        return "-".join(str(number) for number in (*self.hands, self.ruling.pk if self.ruling else 0))

    @property
    def choice(self) -> str:
        """What was decided; "" where it waits for that."""
        return str(self.ruling.says.get("choice")) if self.ruling else ""

    @property
    def compared(self) -> tuple[TableNow, TableNow] | None:
        """Both as they stood after the last hand of both; None where somebody has no total then."""
        top, bottom = (after_hand(table, self.last_of_both) for table in (self.top, self.bottom))
        return (top, bottom) if top and bottom else None

    @property
    def counted(self) -> tuple[TableNow, TableNow]:
        """Both as they count for the loser's trophy."""
        return (self.compared if self.choice == COMPARED else None) or (self.top, self.bottom)

    @property
    def can_play_on(self) -> bool:
        """Whether the shorter final was stopped, and not planned like that."""
        return self.shorter.reading.stopped is not None

    @property
    def choices(self) -> list[str]:
        """What can be decided now."""
        possible = {STANDS: True, COMPARED: self.compared is not None, PLAY_ON: self.can_play_on}
        return [choice for choice in CHOICES if possible[choice]]

    @property
    def in_short(self) -> SafeString:
        """ "4 hands were played at the winners’ table, 6 at the losers’ table"."""
        top, bottom = self.hands
        were = "hand was" if top == 1 else "hands were"
        return format_html("{} {} played at the winners’ table, {} at the losers’ table", top, were, bottom)

    @property
    def decided(self) -> SafeString:
        """What was decided, as a sentence; "" where nothing is."""
        if self.choice == COMPARED:
            return format_html("{}: both were compared after hand {}.", self.in_short, self.last_of_both)
        return format_html("{}: it counts as it stands.", self.in_short) if self.choice else SafeString()


def unequal_hands_of(finals: Sequence[StageNow | None], rulings: Sequence[Ruling]) -> UnequalHands | None:
    """The finals of a play-off, winners' and losers', where both are over and not as long as was agreed.

    A race is as long as it takes, and what was planned differently was agreed.
    """
    stages = [stage for stage in finals if stage and stage.is_over and stage.stage.hands]
    if len(stages) < len(finals):
        return None
    tables = [stage.tables[0] for stage in stages]
    as_planned = all(stage.tables[0].hands_done == stage.stage.hands for stage in stages)
    if as_planned or tables[0].hands_done == tables[1].hands_done:
        return None
    unequal = UnequalHands(tables[0], tables[1])
    about_hands = (ruling for ruling in reversed(rulings) if ruling.kind == Ruling.Kind.HANDS and fits(ruling, unequal))
    return replace(unequal, ruling=next(about_hands, None))


def fits(ruling: Ruling, unequal: UnequalHands) -> bool:
    """Whether a decision is about as many hands as were played."""
    if ruling.withdrawn_at is not None or ruling.says.get("hands") != list(unequal.hands):
        return False
    choice = ruling.says.get("choice")
    return choice == STANDS or (choice == COMPARED and unequal.compared is not None)


def after_hand(table: TableNow, hand: int) -> TableNow | None:
    """The table with the totals everybody had after that hand; places and who went home stay as they are.

    None where somebody came later, or the hand was not written down here.
    """
    totals = totals_after(table, hand)
    if totals is None or any(person.seat not in totals and person.fate != "gone" for person in table.people):
        return None
    people = tuple(replace(person, total=totals.get(person.seat, person.total)) for person in table.people)
    return replace(table, people=people)


def totals_after(table: TableNow, hand: int) -> Mapping[int, int] | None:
    """The totals by seat after a hand that stands on the sheet."""
    rows = table.reading.sheet.rows
    return next((row.totals for row in rows if row.hand.number == hand), None)


def can_be_said(says: Mapping[str, Any]) -> bool:
    """Whether a file may say that of a decision."""
    hands, version = says.get("hands"), says.get("version", 0)
    numbers = [*hands, version] if isinstance(hands, list) and len(hands) == len(("top", "bottom")) else [None]
    is_known = says.get("choice") in CHOICES and isinstance(says.get("table"), str | None)
    return is_known and all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)
