"""What has changed for a member since this browser showed it last. A cookie remembers it, and no row is written.

The cookie has numbers alone: whose they are, of which standing, their place and games there, and the latest award.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from clubs.access.visit import A_YEAR
from clubs.models import Award, Club, Trophy
from clubs.standings.league import League
from clubs.standings.schemes import ordinal

#: The cookie of a club.
COOKIE = "seen-{}"
#: No number in it is longer.
MOST_DIGITS = 10
#: Of so many new trophies each is named.
MOST_NAMED = 3
#: Trophies with the award by which somebody holds them.
Holders = Sequence[tuple[Trophy, Award]]


@dataclass(frozen=True)
class Seen:
    """What a browser has shown of a club. `season` 0: the standing of all time; `place` 0: none; `award`: the latest
    award (id) there was, 0 before the first.
    """

    member: int = 0
    season: int = 0
    place: int = 0
    games: int = 0
    award: int = 0

    @property
    def text(self) -> str:
        return ".".join(str(number) for number in vars(self).values())


def seen_by(request: HttpRequest, club: Club) -> Seen | None:
    """What this browser has shown, as its cookie says; None where it says nothing that can be read."""
    parts = request.COOKIES.get(COOKIE.format(club.pk), "").split(".")
    if len(parts) != len(Seen.__dataclass_fields__):
        return None
    if not all(part.isascii() and part.isdecimal() and len(part) <= MOST_DIGITS for part in parts):
        return None
    return Seen(*map(int, parts))


def shown_now(me: int, league: League, seen: Seen | None, holders: Holders | None) -> Seen:
    """What is shown with this page. `holders`: None where it shows no trophies, so that the news of them waits."""
    line = league.line_of(me)
    now = Seen(me, league.season.pk if league.season else 0, award=seen.award if seen else 0)
    if line is not None:
        now = replace(now, place=line.row.place or 0, games=line.row.games)
    if holders is not None:
        now = replace(now, award=max([now.award, *(award.pk for _, award in holders)]))
    return now


def news(seen: Seen | None, now: Seen, holders: Holders | None) -> list[str]:
    """What is new for who sees `now` and saw that, a sentence each; nothing on a first visit."""
    if seen is None:
        return []
    sentences = []
    if seen.season == now.season:
        if games := now.games - seen.games:
            sentences.append(games_sentence(games))
        if seen.place != now.place and now.place:
            where = f"from {ordinal(seen.place)} to {ordinal(now.place)}" if seen.place else f"now {ordinal(now.place)}"
            sentences.append(f"Your place: {where}.")
    fresh = [(trophy, award) for trophy, award in holders or () if award.pk > seen.award]
    if len(fresh) > MOST_NAMED:
        sentences.append(f"{len(fresh)} trophies have new holders.")
    else:
        sentences += [f"{award.shown} won {trophy.name}." for trophy, award in fresh]
    return sentences


def games_sentence(games: int) -> str:
    """
    >>> games_sentence(1), games_sentence(3), games_sentence(-1)
    ('One more game of yours counts.', '3 more games of yours count.', 'One game of yours no longer counts.')
    """
    if games == 1:
        return "One more game of yours counts."
    if games > 0:
        return f"{games} more games of yours count."
    return "One game of yours no longer counts." if games == -1 else f"{-games} games of yours no longer count."


def visit_news(
    request: HttpRequest, club: Club, me: int, league: League, holders: Holders | None = None
) -> tuple[list[str], Seen | None, Seen]:
    """What is new for the member `me` on this page; what the browser had shown before, and what it has shown then."""
    seen = seen_by(request, club)
    if seen is not None and seen.member != me:
        seen = None
    now = shown_now(me, league, seen, holders)
    return news(seen, now, holders), seen, now


def remember(request: HttpRequest, response: HttpResponseBase, club: Club, seen: Seen | None, now: Seen) -> None:
    """Let the browser know what it has shown, where that is new to it."""
    if now != seen:
        response.set_cookie(
            COOKIE.format(club.pk), now.text, max_age=A_YEAR, path="/", httponly=True, samesite="Lax",
            secure=request.is_secure(),
        )  # fmt: skip
