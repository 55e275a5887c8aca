"""The report of a night in five lines, to paste into an email."""

from __future__ import annotations

from urllib.parse import quote

from django.utils.dateformat import format as date_format
from django.utils.dateformat import time_format

from clubs.evening.summary import Evening, Seen, how_far, next_night
from clubs.models import Award, Night, Trophy
from clubs.play_off_page.page import Followed
from clubs.play_offs.state import now
from rules.core.numbers import bare

A_DAY_IN_WORDS = "l j F Y"
#: Of more groups nobody wants to read who came through.
MOST_GROUPS_NAMED = 4


def five_lines(evening: Evening, address: str) -> list[str]:
    """What was played, who won, who lost, where the trophies are, and what comes next. At most six queries.

    After a play-off: its groups, its finals and who crossed, in at most ten more. `address` is that of the page of the
    night.
    """
    if evening.play_off:
        evening.play_off.night = evening.night
        followed = Followed(now(evening.play_off))
        played = [groups(followed), finals(evening, followed)]
        return [headline(evening), *played, *ends_with(evening.night, address)]
    return [
        headline(evening),
        f"{'Winner' if len(evening.tables) == 1 else 'Winners'}: {winners(evening)}",
        f"{'Loser' if len(evening.tables) == 1 else 'Losers'}: {losers(evening)}",
        *ends_with(evening.night, address),
    ]


def ends_with(night: Night, address: str) -> list[str]:
    """The last two of them."""
    return [f"Trophies: {trophies(night)}", f"{what_comes(night)} All sheets: {address}"]


def mail_of(night: Night, lines: list[str]) -> str:
    """What opens an email with the lines in it, for whoever writes mails on this device."""
    return f"mailto:?subject={quote(str(night))}&body={quote(chr(10).join(lines))}"


def headline(evening: Evening) -> str:
    """The night, and how many played at how many tables."""
    night, many = evening.night, len(evening.tables)
    text = f"{night}, {date_format(night.on, A_DAY_IN_WORDS)}"
    if night.title == "":
        # "Thursday night, 5 March 2026" says the day once.
        text = f"{night}, {date_format(night.on, 'j F Y')}"
    fun = " Just for fun: it counts for nothing." if night.for_fun else ""
    if not many:
        return f"{text}: nothing was played.{fun}"
    return f"{text}: {counted(evening.people, 'person', 'people')} at {counted(many, 'table', 'tables')}.{fun}"


def groups(followed: Followed) -> str:
    """Who has come through the groups; of many groups only how many."""
    tables = followed.now.groups.tables
    if not all(table.is_settled for table in tables):
        return f"Groups: {how_far(followed.of_stages) or 'to be settled'}."
    through = [[person.shown for person in table.people if person.fate == "through"] for table in tables]
    if len(tables) > MOST_GROUPS_NAMED:
        return f"Groups: {sum(map(len, through))} of {sum(len(table.people) for table in tables)} came through."
    names_by_table = [f"{', '.join(names)} ({table.table})" for names, table in zip(through, tables, strict=True)]
    return f"Through the groups: {'; '.join(names_by_table)}."


def finals(evening: Evening, followed: Followed) -> str:
    """Who has won the finals, who took the circle there and whether it crossed; and what was played beside them."""
    races = followed.races
    if races is None or not followed.now.is_over:
        text = "Finals: still open."
    else:
        text = f"Final{'s' if races.losers else ''}: {', '.join(person.shown for person in races.first)}"
        text += f" {'wins' if len(races.first) == 1 else 'win'} with {bare(races.first[0].total)}"
        for loser in races.last:
            text += f"; {loser.shown} takes the circle with {bare(loser.total)}"
        if races.now.crossed and races.losers:
            least = bare(min(person.total for person in races.losers.people))
            text += f" at the winners’ table, below the {least} of the losers’ table: it crossed over"
        text += "."
    beside = [seen for seen in evening.tables if seen.table.stage is None]
    winners_beside = [f"{winner_at(seen)} ({seen}, {seen.game})" for seen in beside]
    return f"{text} Beside it: {'; '.join(winners_beside)}." if winners_beside else text


def winners(evening: Evening) -> str:
    """Who won at each table."""
    return at_each(evening, [winner_at(seen) for seen in evening.tables])


def losers(evening: Evening) -> str:
    """Who took the circle at each table."""
    return at_each(evening, [loser_at(seen) for seen in evening.tables])


def at_each(evening: Evening, texts: list[str]) -> str:
    """What is said of each table, with the table where there are several; a full stop behind it."""
    if len(texts) == 1:
        return f"{texts[0]}."
    parts = [
        f"{text} ({seen}, {seen.game})" if text != "nobody" else f"nobody at {seen.within}"
        for text, seen in zip(texts, evening.tables, strict=True)
    ]
    return f"{'; '.join(parts)}." if parts else "nobody."


def winner_at(seen: Seen) -> str:
    """Who won there, and with what; who shares the first place; that it still plays."""
    if not seen.is_over:
        return "still open"
    if seen.glance is None or seen.glance.verdict is None:
        return typed(seen, winner=True)
    verdict, names = seen.glance.verdict, seen.glance.reading.names
    if verdict.settlement.winner is None:
        return " and ".join(names[seat] for seat in verdict.shared) or "nobody"
    seat = verdict.settlement.winner
    return f"{names[seat]} with {verdict.points(seat)}"


def loser_at(seen: Seen) -> str:
    """Who took the circle there, and with what."""
    if not seen.is_over:
        return "still open"
    if seen.glance is None or seen.glance.verdict is None:
        return typed(seen, winner=False)
    verdict = seen.glance.verdict
    seat = verdict.settlement.loser
    return "nobody" if seat is None else f"{seen.glance.reading.names[seat]} with {verdict.points(seat)}"


def typed(seen: Seen, *, winner: bool) -> str:
    """The same of a game of the past, of which only the places are known."""
    placing = next((placing for placing in seen.placings if (placing.winner if winner else placing.loser)), None)
    if placing is None:
        return "nobody"
    points = f" with {bare(placing.score)} points" if placing.score is not None else ""
    return placing.member.main_record.shown + points


def trophies(night: Night) -> str:
    """Which of them somebody has won that night. Two queries and one for each trophy, or at most four.

    As long as results of the club wait to be counted nobody can say it.
    """
    if night.club.is_being_counted:
        return "being counted."
    won = Award.objects.standing().filter(table__night=night).select_related("trophy", "member__same_as")
    won_texts = [won_that_night(award) for award in won.order_by("trophy")]
    if not won_texts and waits_for_play_off(night):
        return "they wait for the play-off."
    return f"{'; '.join(won_texts)}." if won_texts else "all stay where they are."


def waits_for_play_off(night: Night) -> bool:
    """Whether a play-off that is not over decides about trophies of the club. Two queries at most."""
    in_play = Trophy.objects.filter(club=night.club_id, archived_at=None)
    if night.trophies != night.Follows.PLAY_OFF or not in_play.exists():
        return False
    play_off = night.play_offs.filter(called_off_at=None).first()
    return play_off.decided_at is None if play_off else night.closed_at is None


def won_that_night(award: Award) -> str:
    """To whom a trophy goes, from whom; or that it stays."""
    earlier = Award.objects.confirmed().filter(trophy=award.trophy_id, on__lte=award.on).exclude(pk=award.pk)
    before = earlier.select_related("member__same_as").order_by("-on", "-pk").first()
    sure = "" if award.confirmed_at else ", to be confirmed"
    if before and before.shown == award.shown:
        return f"{award.trophy} stays with {award.shown}{sure}"
    return f"{award.trophy} goes to {award.shown}{f' from {before.shown}' if before else ''}{sure}"


def what_comes(night: Night) -> str:
    """When the club meets next."""
    coming = next_night(night.club)
    if coming is None:
        return "Next: not fixed yet."
    hour = f", {time_format(coming.begins, 'H:i')}" if coming.begins else ""
    place = coming.place or night.club.place
    return f"Next: {date_format(coming.on, 'l j F')}{hour}{f', {place}' if place else ''}."


def counted(many: int, single: str, several: str) -> str:
    """So many of it."""
    return f"{many} {single if many == 1 else several}"
