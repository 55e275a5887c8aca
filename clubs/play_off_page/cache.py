"""The cache of the rendered page of a play-off, valid for everybody until something changes."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from clubs.models import PlayOff
from clubs.play_off_page.page import Followed
from clubs.play_offs.state import now
from scoresheets.caches.versioned_cache import VersionedCache

#: Every row of somebody begins so: its key, then its classes.
ROW = re.compile(r'data-row="(t\d+-\d+)"\s+class="')
#: Letters in all: sixteen pages of two hundred people.
MOST_KEPT = 1_000_000


@dataclass(frozen=True)
class RenderedPage:
    """The page for everybody, with nothing in it that is for one reader alone."""

    followed: Followed
    html: SafeString

    def lit_for(self, players: Collection[int]) -> SafeString:
        """The same with the rows lit of who reads it: as these players (ids) they sit at tables."""
        if not players:
            return self.html
        mine = set(self.followed.keys_of(players))
        lit = ROW.sub(lambda row: f"{row[0]}mine " if row[1] in mine else row[0], self.html)
        return mark_safe(lit)  # noqa: S308 - what is put in is a word of ours


rendered_pages: VersionedCache[RenderedPage] = VersionedCache(MOST_KEPT)


def rendered_page(play_off: PlayOff, mark: str) -> RenderedPage:
    """The page of the play-off, which has that mark."""

    def render() -> RenderedPage:
        followed = Followed(now(play_off))
        club = play_off.night.club
        context = {"followed": followed, "play_off": play_off, "night": play_off.night, "club": club}
        return RenderedPage(followed, render_to_string("clubs/play_offs/rounds.html", context))

    return rendered_pages.get_or_make(play_off.pk, mark, render, lambda page: len(page.html))
