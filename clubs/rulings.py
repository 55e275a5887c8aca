"""What organisers decide about a play-off by hand: a tie across a line, cards that were drawn, and calling it off.

Each is kept with a reason, by whom and when, and has a way back. A row counts as long as what it is about is there: a
ruling as long as its entry stands on the group's sheet, cards as long as those drew who had to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from clubs.awards import CHANGED, NotNow
from clubs.corrections import DRAWN_SINCE, day, locked, take_redraw_back, why_it_stays
from clubs.deciding import look_at_night
from clubs.diary import write_down
from clubs.models import Night, PlayOff, Ruling
from clubs.play_offs import now
from clubs.published import tell_again, tell_play_off
from clubs.tables import say_stakes
from clubs.trophies import trophy_games
from rules.core.cards import RANKS
from rules.core.groups import RULING
from rules.core.playoffs import outcome
from rules.core.steps import SHEET
from scoresheets.answers import Answer, Done
from scoresheets.entering import undo
from scoresheets.models import Sheet, Write
from scoresheets.ruling import rule_cut as rule_on_the_sheet

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from clubs.models import Member, Table
    from clubs.play_offs import PlayOffNow, Seated
    from scoresheets.models import Keeper
    from scoresheets.reading import SheetReading

Kind = Ruling.Kind
