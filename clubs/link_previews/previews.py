"""The previews of a club's pages, each from what its page has read already."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import date_format, time_format

from clubs.evening.summary import Evening, Seen, how_far
from clubs.models import Club, Member, Night, Trophy
from clubs.play_off_page.page import Followed
from clubs.play_off_page.report import loser_at, winner_at
from clubs.records.profile import Profile
from clubs.standings.league import League
from clubs.standings.schemes import figure_text
from clubs.stories.story import Story
from clubs.trophies.register import Holding
from rules.core.numbers import bare
from scoresheets.link_previews.preview import LinkPreview, PreviewRow
from scoresheets.sheet.parts import stroke_of
from scoresheets.sheet.summary import Standpoint

A_DAY = "l j F Y"


def of_club(club: Club, holdings: Sequence[Holding], upcoming: Night | None) -> LinkPreview:
    """Who holds the trophies, and when the next night is."""
    held = tuple(PreviewRow(f"{each.trophy}: {each.won.shown}") for each in holdings if each.won)
    text = f"Next night: {when(upcoming)}." if upcoming else ""
    return LinkPreview(club.name, "Card club", text, held)


def of_night(evening: Evening) -> LinkPreview:
    """When it is; who leads at each table; who won there."""
    night = evening.night
    return LinkPreview(
        f"{night}: {state_of(evening)}", f"{night.club.name} · {when(night)}", "",
        tuple(row for seen in evening.tables for row in rows_of_table(seen)),
    )  # fmt: skip


def of_story(story: Story) -> LinkPreview:
    """How the story of a night begins."""
    return LinkPreview(story.title, f"{story.night.club.name} · {when(story.night)}", " ".join(story.plain[:2]))


def state_of(evening: Evening) -> str:
    """What is to be said of the night in a few words."""
    night, tables = evening.night, evening.tables
    if night.closed_at:
        return "the result"
    if not tables:
        return "tables are not drawn yet" if night.begun_at else date_format(night.on, A_DAY)
    playing = sum(not seen.is_over for seen in tables)
    return f"{playing} of {len(tables)} table{'' if len(tables) == 1 else 's'} still playing" if playing else "all done"


def rows_of_table(seen: Seen) -> list[PreviewRow]:
    """Who is in the box at a table, and who takes the circle once it is over."""
    if seen.glance is None:
        if not seen.placings:
            return [PreviewRow(f"{seen}: {seen.game}")]
        return [PreviewRow(f"{seen}: {winner_at(seen)}"), PreviewRow(f"{seen}, circled: {loser_at(seen)}")]
    people = seen.glance.people
    boxed = [person for person in people if person.boxed]
    circled = [person for person in people if person.circled] if seen.is_over else []
    if not boxed:
        return [PreviewRow(f"{seen}: {seen.glance.heading_within}")]
    return [row_of(seen, marked, is_boxed=marked is boxed) for marked in (boxed, circled) if marked]


def row_of(seen: Seen, people: Sequence[Standpoint], *, is_boxed: bool) -> PreviewRow:
    """Those who share one mark at a table, by name where it is one of them."""
    names, total = people[0].name if len(people) == 1 else f"{len(people)} players", people[0].total
    return PreviewRow(f"{seen}: {names}", bare(total), boxed=is_boxed, circled=not is_boxed, stroke=stroke_of(total))


def when(night: Night) -> str:
    """The day and the time, and where."""
    parts = [date_format(night.on, A_DAY), time_format(night.begins, "H:i") if night.begins else "", night.place]
    return ", ".join(part for part in parts if part)


def of_standing(league: League) -> LinkPreview:
    """The first places, and the last of all circled."""
    first = [line.member.shown for line in league.first]
    title = f"{' and '.join(first)} {verb(first, league)}" if 0 < len(first) < 3 else league.name
    placed = [line for line in league.lines if line.row.place is not None]
    rows = tuple(
        PreviewRow(
            line.member.shown, figure_text(line.row.points), f"{line.row.place}.", line.is_first, line.is_last,
            int(line.row.points) % 3,
        )
        for line in placed
    )  # fmt: skip
    return LinkPreview(title, f"{league.club.name} · {league.name}", f"Counted by: {league.scheme.name}.", rows)


def verb(first: list[str], league: League) -> str:
    ending = "" if len(first) > 1 else "s"
    return f"win{ending} the season" if league.is_over else f"lead{ending} the standings"


def of_play_off(followed: Followed) -> LinkPreview:
    """How far it is, and how it ended."""
    night = followed.play_off.night
    races, about = followed.races, f"{night.club.name} · {followed.play_off} · {date_format(night.on, A_DAY)}"
    if races and followed.now.is_over and races.first:
        names = " and ".join(person.shown for person in races.first)
        title = f"{names} {'wins' if len(races.first) == 1 else 'win'} the play-off with {bare(races.first[0].total)}"
        people = [(person, True, False) for person in races.first] + [(person, False, True) for person in races.last]
        rows = (
            PreviewRow(person.shown, bare(person.total), boxed=top, circled=low, stroke=stroke_of(person.total))
            for person, top, low in people
        )
        return LinkPreview(title, about, "", tuple(rows))
    return LinkPreview(how_far(followed.of_stages) or f"{followed.game}, the play-off", about, "")


def of_trophy(trophy: Trophy, holding: Holding | None) -> LinkPreview:
    """Who holds it, since when and how often."""
    if holding is None or holding.won is None:
        return LinkPreview(trophy.name, f"{trophy.club.name} · Trophy", "Nobody has won it yet.")
    since = f"Won: {holding.won.day}" + (f", {holding.running}" if holding.running else "")
    return LinkPreview(f"{holding.won.shown} holds {trophy.name}", f"{trophy.club.name} · Trophy", f"{since}.")


def of_member(member: Member, profile: Profile) -> LinkPreview:
    """Their games in figures."""
    rows = tuple(PreviewRow(figure.name, figure.text) for figure in profile.sums)
    return LinkPreview(member.shown, member.club.name, "", rows)
