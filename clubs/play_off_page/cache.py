"""The page of a play-off as it was rendered last: once for everybody, as long as nothing has changed."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from threading import Lock

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from clubs.models import PlayOff
from clubs.play_off_page.page import Followed
from clubs.play_offs.state import now

#: Every row of somebody begins so: its key, then its classes.
ROW = re.compile(r'data-row="(t\d+-\d+)"\s+class="')
MOST_KEPT = 16


@dataclass(frozen=True)
class Told:
    """What everybody is told, with nothing in it that is for one reader alone."""

    followed: Followed
    html: SafeString

    def lit_for(self, players: Collection[int]) -> SafeString:
        """The same with the rows lit of who reads it: as these players (ids) they sit at tables."""
        if not players:
            return self.html
        mine = set(self.followed.keys_of(players))
        lit = ROW.sub(lambda row: f"{row[0]}mine " if row[1] in mine else row[0], self.html)
        return mark_safe(lit)  # noqa: S308 - what is put in is a word of ours


class ToldOnce:
    """What was rendered last for each play-off, as long as its mark stands."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.kept: OrderedDict[int, tuple[str, Told]] = OrderedDict()

    def of(self, play_off: PlayOff, mark: str) -> Told:
        """What is told of the play-off, which has that mark."""
        with self.lock:
            known = self.kept.get(play_off.pk)
            if known and known[0] == mark:
                self.kept.move_to_end(play_off.pk)
                return known[1]
            # Inside of the lock: a second thread that wants the same waits for it instead of doing it again.
            followed = Followed(now(play_off))
            club = play_off.night.club
            context = {"followed": followed, "play_off": play_off, "night": play_off.night, "club": club}
            told = Told(followed, render_to_string("clubs/play_offs/rounds.html", context))
            self.kept[play_off.pk] = (mark, told)
            self.kept.move_to_end(play_off.pk)
            while len(self.kept) > MOST_KEPT:
                self.kept.popitem(last=False)
        return told


told_once = ToldOnce()
