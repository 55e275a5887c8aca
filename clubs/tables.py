"""The tables of a night: opened with a sheet each, and what is played for at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from clubs.deciding import look_at_night
from clubs.honours import keep_back_to_back
from clubs.models import Chair, Club, Member, Night, Table, Trophy
from clubs.signs import give_code
from clubs.trophies import trophy_games
from rules.core.problems import Problem
from scoresheets.answers import Refused
from scoresheets.models import Sheet
from scoresheets.models.sheet import LONGEST_NAME, new_token
from scoresheets.names import same_name
from scoresheets.opening import LONGEST_TITLE, MOST_COMING, SetUp, Somebody, open_sheet
from scoresheets.sharing import hashed
from scoresheets.speech import as_text, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clubs.drawing import Drawing, Drawn
    from clubs.models import User

Follows = Night.Follows
LONGEST_STAKES = 160
#: The answer "that table", before it has a row of its own: its number.
AT_TABLE = "table-"


class NotOpened(Exception):
    """A table could not be opened, and so none was: `problem` says why, at the table of that number."""

    def __init__(self, number: int, problem: Problem) -> None:
        super().__init__(problem.message)
        self.number, self.problem = number, problem


def open_tables(drawing: Drawing, *, user: User, keeper: str) -> list[Table]:
    """Open a sheet for every table that is drawn, all of them or none; the drawing is used up with it.

    `user`, who is called `keeper`, may write on all of them by his account. No browser gets a pencil by it: on the
    organiser's phone every table would be his own. Raises `NotOpened`.
    """
    night = drawing.night
    numbers = free_numbers(night, len(drawing.tables))
    with transaction.atomic():
        tables = [
            open_table(drawing, drawn, number, user=user, keeper=keeper)
            for number, drawn in zip(numbers, drawing.tables, strict=True)
        ]
        for table in tables:
            give_code(table)
        night.drawn = {}
        night.begun_at = night.begun_at or timezone.now()
        night.save(update_fields=["drawn", "begun_at"])
    return tables


def free_numbers(night: Night, count: int) -> range:
    """The numbers of the next tables: a night counts them through, whatever is played at them."""
    last = max(night.tables.standing().values_list("number", flat=True), default=0)
    return range(last + 1, last + 1 + count)


def open_table(drawing: Drawing, drawn: Drawn, number: int, *, user: User, keeper: str) -> Table:
    """One table with its sheet and its chairs. Raises `NotOpened`."""
    night, club = drawing.night, drawing.night.club
    starters, late = drawing.starters(drawn), drawing.latecomers(drawn)
    members = {pk: drawing.present[pk].member for pk in drawn.people}
    called = names_at_a_table([members[pk] for pk in [*starters, *late]])
    is_champion = drawing.champion is not None and drawn.deals == drawing.champion.pk
    how = drawn.game.first_dealer_by
    plan, rules = drawing.plan_of(drawn), drawing.rules_of(drawn.game)
    set_up = SetUp(
        game=drawn.game.slug, players=[Somebody(called[pk], members[pk].player_id) for pk in starters],
        first_dealer=starters.index(drawn.deals) if drawn.deals in starters else 0,
        found="champion" if is_champion and how.champion else how.found, plan=plan, house_rules=rules,
        coming=[called[pk] for pk in late][:MOST_COMING], title=title_of(night, number), club_name=club.name,
    )  # fmt: skip
    players = [members[pk].player_id for pk in starters]
    opened = open_sheet(
        set_up, browser=hashed(new_token()), key=new_token(), user=user, keeper_name=keeper, sure=True, house=players
    )
    if isinstance(opened, Refused):
        raise NotOpened(number, opened.problems[0])
    opened.sheet.home = night.get_absolute_url()
    opened.sheet.members_only = club.visibility == Club.Visibility.MEMBERS
    opened.sheet.save(update_fields=["home", "members_only"])
    table = Table.objects.create(
        night=night, number=number, game=drawn.game.slug, sheet=opened.sheet, plan=plan, house_rules=rules
    )
    Chair.objects.bulk_create(
        Chair(table=table, place=place, member=members[pk], deals=pk == drawn.deals)
        for place, pk in enumerate([*starters, *late], 1)
    )
    return table


def title_of(night: Night, number: int) -> str:
    """What stands over the sheet."""
    end = f", table {number}"
    return f"{str(night)[: LONGEST_TITLE - len(end)]}{end}"


def names_at_a_table(members: Sequence[Member]) -> Mapping[int, str]:
    """What everybody is called on the sheet: two of one name at a table are told apart."""
    called: dict[int, str] = {}
    for member in members:
        taken = {same_name(name) for name in called.values()}
        own = member.shown if member.hidden else member.name
        tries = [member.shown, own, *(f"{own[: LONGEST_NAME - 4]} {count}" for count in range(2, len(members) + 2))]
        called[member.pk] = next(name for name in tries if same_name(name) not in taken)
    return called


def give_chair(table: Table, member: Member) -> bool:
    """Somebody who came unannounced gets a chair at a table that plays: he is dealt in there by Rule 1.

    Whether there was one for him: the table is not over, and he sits at none that plays.
    """
    with transaction.atomic():
        Night.objects.select_for_update().filter(pk=table.night_id).values_list("pk").first()
        sheet = Sheet.objects.select_for_update().get(table=table)
        playing = Chair.objects.filter(
            table__in=table.night.tables.standing(), table__ended_at__isnull=True, member=member
        )
        if sheet.finished_at is not None or len(sheet.coming) >= MOST_COMING or playing.exists():
            return False
        chairs = list(table.chairs.select_related("member"))
        called = names_at_a_table([*(chair.member for chair in chairs), member])
        sheet.coming = [*sheet.coming, called[member.pk]]
        sheet.save(update_fields=["coming"])
        last = max((chair.place for chair in chairs), default=0)
        Chair.objects.create(table=table, place=last + 1, member=member)
    return True


def take_back(night: Night) -> int:
    """Take the tables away again at which nothing was written yet, so that they can be drawn anew; how many it were."""
    with transaction.atomic():
        blank = night.tables.standing().filter(sheet__begun=False, source=Table.Source.DRAWN)
        # What is written on a sheet is written with its row held, and one that was begun since stays.
        list(Sheet.objects.select_for_update().filter(table__in=blank).values_list("pk"))
        pks = list(blank.values_list("pk", flat=True))
        taken = Table.objects.filter(pk__in=pks).update(withdrawn_at=timezone.now())
        Night.objects.filter(pk=night.pk, trophies_table__in=pks).update(trophies="", trophies_table=None)
        if taken and not night.tables.standing().exists():
            Night.objects.filter(pk=night.pk).update(begun_at=None)
    return taken


# What is played for


def trophy_tables(night: Night) -> list[Table]:
    """The tables of the night at which it can be played for the trophies."""
    return list(night.tables.standing().filter(game__in=trophy_games()))


def follow(night: Night, answer: str) -> bool:
    """What the trophies follow tonight: "play-off", "nothing", or "table-<number>"; whether that is an answer."""
    number = answer.removeprefix(AT_TABLE) if answer.startswith(AT_TABLE) else ""
    table = next((table for table in trophy_tables(night) if str(table.number) == number), None)
    if table is None and answer not in (Follows.PLAY_OFF, Follows.NOTHING):
        return False
    night.trophies, night.trophies_table = (Follows.TABLE if table else answer), table
    with transaction.atomic():
        night.save(update_fields=["trophies", "trophies_table"])
        keep_back_to_back(night.club)
        look_at_night(night)
    return True


def say_stakes(night: Night) -> None:
    """Write at the head of every sheet of the night what is played for."""
    asked = trophy_tables(night)
    trophies = list(
        Trophy.objects.filter(
            club=night.club, archived_at__isnull=True, goes__in=(Trophy.Goes.WINNER, Trophy.Goes.LOSER)
        ).values_list("name", flat=True)
    )
    tables = list(night.tables.standing().select_related("sheet").filter(sheet__isnull=False))
    for table in tables:
        if table.sheet:
            table.sheet.stakes = stakes_of(night, table, asked, trophies)
    Sheet.objects.bulk_update([table.sheet for table in tables if table.sheet], ["stakes"])


def stakes_of(night: Night, table: Table, asked: Sequence[Table], trophies: Sequence[str]) -> str:
    """What is played for at a table; "" where there is nothing to say.

    `asked` are the night's tables of games that are played for the `trophies` (their names). What was answered for them
    is told at the other tables too: those who sit there hold one perhaps.
    """
    if night.for_fun:
        return "Just for fun: it counts for nothing."
    if table not in asked and not night.trophies:
        return ""
    names = as_text(listed([as_text(name) for name in trophies]))
    names = names if 0 < len(names) < LONGEST_STAKES - 40 else "the trophies"
    if night.trophies == Follows.NOTHING:
        return "No trophies tonight."
    if night.trophies == Follows.PLAY_OFF:
        return f"A play-off decides who takes {names}."
    if night.trophies == Follows.TABLE and night.trophies_table:
        here = night.trophies_table == table
        return f"Played for {names}." if here else f"{night.trophies_table} plays for {names}."[:LONGEST_STAKES]
    return f"Played for {names}." if trophies and len(asked) == 1 else ""
