"""The results of a club as a feed (Atom, RFC 4287), for readers of news."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed

from clubs.evening.summary import evenings
from clubs.models import Club, Placing, Table
from clubs.records.games import GameLine, WantedGames, game_lines, is_of_play_off
from clubs.stories.story import Story, stories_of
from scoresheets.models import Revision

#: So many games are in it, the latest first.
MOST_GAMES = 30
#: So many nights have their story in it, the latest.
MOST_STORIES = 3
#: What may not stand in XML at all, in no way of writing it (XML 1.0, 2.2).
NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class ResultsFeed(Atom1Feed):
    """A feed that is the same as long as nothing happens: without a game it is as old as the club."""

    def __init__(self, club: Club, address: str, site: str) -> None:
        self.founded = club.created
        super().__init__(
            title=for_xml(f"Results of {club.name}"), link=address, description="", language="en",
            author_name=for_xml(club.name), feed_url=site, feed_guid=urn(club.uid),
        )  # fmt: skip

    def latest_post_date(self) -> datetime.datetime:
        return max((item["updateddate"] for item in self.items), default=self.founded)


def feed_of(club: Club, address: Callable[[str], str], here: str) -> bytes:
    """The feed of the games that count or are just for fun, and of the stories of the latest nights; `address` makes a
    whole address of a path. At most a dozen queries.

    A game leads to its night or its play-off, never to its sheet: that address is told to nobody else.
    """
    feed = ResultsFeed(club, address(club.get_absolute_url()), address(here))
    writes = Revision.objects.filter(sheet=OuterRef("sheet")).order_by("-version").values("at")[:1]
    games = WantedGames().tables(club).select_related("night", "sheet", "stage__play_off")
    tables = games.annotate(last_write=Subquery(writes))[:MOST_GAMES]
    lines = game_lines(club, tables)
    stories = latest_stories(club, lines)
    for line in lines:
        table = line.table
        if story := stories.pop(table.night_id, None):
            add_story(feed, story, lines, address)
        page = reverse("play_off" if is_of_play_off(table) else "night", args=[club.slug, table.night_id])
        feed.add_item(
            title=for_xml(title_of(line)), link=address(page), description=for_xml(summary_of(line)),
            unique_id=urn(table.uid), pubdate=table.ended_at, updateddate=updated_at(table),
        )  # fmt: skip
    return feed.writeString("utf-8").encode()


def latest_stories(club: Club, lines: list[GameLine]) -> dict[int, Story]:
    """The stories of the latest nights of these games that are over, by night (id)."""
    nights = list({line.table.night_id: line.table.night for line in lines}.values())[:MOST_STORIES]
    for night in nights:
        night.club = club
    return stories_of(club, evenings(nights))


def add_story(feed: ResultsFeed, story: Story, lines: list[GameLine], address: Callable[[str], str]) -> None:
    """The story as the latest of its night: as old as the last game, and updated with whatever it is made of."""
    night, tables = story.night, [line.table for line in lines if line.table.night_id == story.night.pk]
    ended = max(table.ended_at for table in tables if table.ended_at)
    times = [at for at in (night.closed_at, *map(updated_at, tables)) if at]
    times += [award.confirmed_at for award in story.awards if award.confirmed_at]
    feed.add_item(
        title=for_xml(story.title), link=address(reverse("night_story", args=[night.club.slug, night.pk])),
        description=for_xml(" ".join(story.plain)), unique_id=urn(f"{night.uid}/story"), pubdate=ended,
        updateddate=max(ended, *times),
    )  # fmt: skip


def for_xml(text: str) -> str:
    """The text without what no reader of XML takes: one such letter, and none of the feed is read."""
    return NO_XML.sub("", text)


def updated_at(table: Table) -> datetime.datetime | None:
    """When it was last said how the game went: a correction says it again."""
    return max((at for at in (table.ended_at, vars(table)["last_write"]) if at), default=None)


def urn(uid: str) -> str:
    """What tells a thing from all others, on whatever site it is."""
    return f"tag:box-and-circle,2026:{uid}"


def title_of(line: GameLine) -> str:
    """What was played, and who won."""
    won = names_of(line.winners)
    return f"{line.game}: {won} won" if won else line.game


def summary_of(line: GameLine) -> str:
    """ "5 March 2026. Ann won with 26. Bo lost with −4."."""
    on = line.table.night.on
    sentences = [f"{on.day} {on:%B %Y}."]
    for verb, placings in (("won", line.winners), ("lost", line.losers)):
        if placings:
            sentences.append(f"{names_of(placings)} {verb}{score_of(placings[0])}.")
    return " ".join(sentences)


def score_of(placing: Placing) -> str:
    return "" if placing.score is None else f" with {placing.score}".replace("-", "−")


def names_of(placings: list[Placing]) -> str:
    """ "Ann", "Ann and Bo", "Ann, Bo and Cy"."""
    names = [placing.member.main_record.shown for placing in placings]
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
